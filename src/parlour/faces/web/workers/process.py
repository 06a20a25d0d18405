"""A worker process, what its fork server loads once for all of them, and how tasks read payloads.

A worker reads and writes lines of JSON. It runs a task in its main thread and reads in another, so
that it can be asked to stop; it exits when the connection closes. The fork server kills those that
no longer notice.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any, TypeAlias

from parlour import core
from parlour.core import BadText, Game, Match, ParlourError, Record, State, UnknownName, Work, say

if sys.platform != "win32":
    import resource

from parlour.faces.progress import read_compilation, watch_compiling

MAX_MEMORY = 4 << 30  # bytes of one worker
REPORT_EVERY = 0.1  # seconds between two reports of progress
MAX_ANSWER = 64 << 20  # bytes
NICENESS = 5  # so that pages go first where processors are few

Payload: TypeAlias = dict[str, Any]
TaskFunction: TypeAlias = Callable[[Payload, Work], Any]
Message: TypeAlias = dict[str, Any]


def load_tasks(module: str) -> Callable[[dict[str, Any], list[int]], None]:
    """Load the tasks in the fork server, and return what a worker does there: serve a socket."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    tasks = importlib.import_module(module)
    tasks.load()
    return lambda _, files: WorkerProcess(socket.socket(fileno=files[0]), tasks.TASKS).run()


class WorkerProcess:
    """A process that runs one task at a time, until the server closes the connection."""

    def __init__(self, connection: socket.socket, tasks: Mapping[str, TaskFunction]) -> None:
        self._connection = connection
        self._tasks = tasks
        self._requests: SimpleQueue[tuple[Message, Work] | None] = SimpleQueue()
        self._writing = threading.Lock()

    def run(self) -> None:
        """Limit what the process may use, and answer every request."""
        if sys.platform != "win32":
            _lower_limit(resource.RLIMIT_DATA, MAX_MEMORY)
            _lower_limit(resource.RLIMIT_CORE, 0)
        watch_compiling(_CompilationReporter(self._send))
        self.serve()

    def serve(self) -> None:
        """Answer every request."""
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        self._send('{"ready": true}')
        while (request := self._requests.get()) is not None:
            self._send(self._answer(*request))

    def _read(self) -> None:
        work = Work()
        with contextlib.suppress(OSError), self._connection.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if "stop" in message:
                    work.stop()
                else:
                    work = Work(message["threads"])
                    self._requests.put((message, work))
        self.end(work)
        self._requests.put(None)

    def end(self, work: Work) -> None:
        """Exit, whatever task is running: the server has closed the connection."""
        os._exit(0)

    def _send(self, line: str) -> None:
        with self._writing:
            self._connection.sendall(line.encode() + b"\n")

    def _answer(self, request: Message, work: Work) -> str:
        """Run a task and return the answer, or the error, as a line."""
        try:
            with self._reporting(work) if request["progress"] else contextlib.nullcontext():
                answer = self._run(request["task"], request["payload"], work)
            line = json.dumps({"answer": core.sentences.pack(answer)})
            if len(line) < MAX_ANSWER:
                return line
            why, more = say("the answer is too long"), {}
        except ParlourError as error:
            fields = core.sentences.pack({"args": error.args, "text": error.text})
            return json.dumps({"refused": type(error).__name__, **fields}, default=str)
        except MemoryError:  # only its exit frees everything
            why = say("it needs more than {memory} GiB of memory", memory=MAX_MEMORY >> 30)
            more = {"spent": True}
        except BaseException as error:  # a bot may raise anything
            why, more = say("it failed: {error}", error=core.describe_error(error)), {}
        return json.dumps({"failed": core.sentences.pack(why), **more})

    def _run(self, name: str, payload: Any, work: Work) -> Any:
        if name not in self._tasks:
            raise UnknownName(
                f"there is no task {core.quote(name)}{core.suggest(name, self._tasks)}"
            )
        return self._tasks[name](payload, work)

    @contextlib.contextmanager
    def _reporting(self, work: Work) -> Iterator[None]:
        """Report progress now and then."""
        over = threading.Event()

        def report() -> None:
            while not over.wait(REPORT_EVERY):
                self._send(json.dumps({"progress": [work.done, work.total]}))

        thread = threading.Thread(target=report, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


class _CompilationReporter(logging.Handler):
    """Tells the server which kernels are compiled here, for which everybody waits once."""

    def __init__(self, send: Callable[[str], None]) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        self._send(json.dumps({"compiling": read_compilation(record)}))


if sys.platform != "win32":

    def _lower_limit(what: int, most: int) -> None:
        """Lower a limit of this process, unless it is lower already."""
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(what, (most, most))


# Payloads


def game_of(payload: Payload) -> Game:
    """Return the game with its options; a name never opens a file."""
    name = payload["game"]
    game: Game = core.registry.build("games", name, payload.get("options") or {})
    return game


def match_of(game: Game, payload: Payload) -> Match:
    """Return the match after the moves."""
    players = tuple(f"player {seat + 1}" for seat in range(game.seats))
    return Match.from_record(game, Record(game.name, {}, players, tuple(payload["moves"])))


def state_of(game: Game, payload: Payload) -> State:
    """Return the position, given as text or by the moves to it, or else the start."""
    position, moves = payload.get("position"), payload.get("moves")
    if position is not None and moves is not None:
        raise BadText("give the position or the moves to it, not both")
    if position is not None:
        return game.read(position)
    return match_of(game, payload).state if moves is not None else game.start()
