"""Where thinking is done: the nursery that gets everything ready, and the workers it forks.

A worker hears and says lines of JSON. It thinks in its main thread and listens in another, so that
it can be told to come to an end; and it ends when nobody is there any more. The nursery ends those
that cannot even notice that.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any, NoReturn, TypeAlias

from parlour.core import BadText, ParlourError, UnknownName, Work, describe_error, quote, suggest

MEMORY = 4 << 30  # bytes a worker may use
EVERY = 0.1  # seconds between two reports of progress
LONGEST = 64 << 20  # bytes of an answer
POLITE = 5  # how much pages go before thoughts where there are too few processors

Thought: TypeAlias = Callable[[dict[str, Any], Work], Any]
Message: TypeAlias = dict[str, Any]


def serve(line: int, module: str) -> None:
    """Be the nursery: get ready what the thoughts need, then fork and end workers as told.

    A number with a socket asks for a worker at the other end of that, the number alone for its end.
    Only here is it known that a process of that number is still the same.
    """
    for told in (signal.SIGINT, signal.SIGTERM):  # it is for the server to say when it is over
        signal.signal(told, signal.SIG_IGN)
    os.nice(POLITE)
    thoughts = importlib.import_module(module)
    thoughts.ready()
    gc.collect()
    gc.freeze()  # what is ready stays shared with the workers
    workers: dict[int, int] = {}
    with socket.socket(fileno=line) as house:
        while True:
            said, sockets, _, _ = socket.recv_fds(house, 8, 1)
            number = int.from_bytes(said, "big")
            if not said:
                break
            if sockets:
                with contextlib.suppress(OSError):  # there is no room for another
                    workers[number] = _forked(house, sockets[0], thoughts.THOUGHTS)
                os.close(sockets[0])
            elif number in workers:
                _ended(workers.pop(number))
    for process in workers.values():
        _ended(process)


def _forked(house: socket.socket, line: int, thoughts: Mapping[str, Thought]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        house.close()
        Worker(socket.socket(fileno=line), thoughts).live()
    finally:
        os._exit(1)


def _ended(process: int) -> None:
    os.kill(process, signal.SIGKILL)  # perhaps it is dead, but it is not forgotten before the wait
    os.waitpid(process, 0)


class Worker:
    """One process that thinks about one thing at a time."""

    def __init__(self, line: socket.socket, thoughts: Mapping[str, Thought]) -> None:
        self._line = line
        self._thoughts = thoughts
        self._asked: SimpleQueue[tuple[Message, Work]] = SimpleQueue()
        self._telling = threading.Lock()

    def live(self) -> NoReturn:
        """Answer whatever is asked."""
        _limit(resource.RLIMIT_DATA, MEMORY)
        _limit(resource.RLIMIT_CORE, 0)
        threading.Thread(target=self._listen, name="listens", daemon=True).start()
        self._tell('{"ready": true}')
        while True:
            self._tell(self._answer(*self._asked.get()))

    def _listen(self) -> None:
        work = Work()
        with contextlib.suppress(OSError), self._line.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if "stop" in message:
                    work.stop()
                else:
                    work = Work()
                    self._asked.put((message, work))
        os._exit(0)  # nobody listens any more

    def _tell(self, line: str) -> None:
        with self._telling:
            self._line.sendall(line.encode() + b"\n")

    def _answer(self, ask: Message, work: Work) -> str:
        """The answer, or what became of it instead, as a line."""
        try:
            with self._reporting(work) if ask["progress"] else contextlib.nullcontext():
                answer = self._thought(ask["thought"], ask["payload"], work)
            line = json.dumps({"answer": answer})
        except ParlourError as trouble:
            told = {"args": trouble.args, "text": str(trouble)}
            return json.dumps({"refused": type(trouble).__name__, **told}, default=str)
        except MemoryError:
            why = f"it needs more than {MEMORY >> 30} GiB of memory"
            return json.dumps({"failed": why, "spent": True})  # only by going it gives all back
        except BaseException as trouble:  # a bot may raise anything
            return json.dumps({"failed": f"it failed: {describe_error(trouble)}"})
        return line if len(line) < LONGEST else json.dumps({"failed": "the answer is too long"})

    def _thought(self, name: str, payload: Any, work: Work) -> Any:
        if name not in self._thoughts:
            raise UnknownName(f"nobody can think {quote(name)}{suggest(name, self._thoughts)}")
        if not isinstance(payload, dict):
            raise BadText(f"what to think about is told as an object, not as {quote(payload)}")
        return self._thoughts[name](payload, work)

    @contextlib.contextmanager
    def _reporting(self, work: Work) -> Iterator[None]:
        """Tell now and then how far it is."""
        over = threading.Event()

        def report() -> None:
            while not over.wait(EVERY):
                self._tell(json.dumps({"progress": [work.done, work.total]}))

        thread = threading.Thread(target=report, name="reports", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _limit(what: int, most: int) -> None:
    """Lower a limit of this process, where it is not lower already."""
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(ValueError, OSError):  # not every system knows every limit
        resource.setrlimit(what, (most, most))
