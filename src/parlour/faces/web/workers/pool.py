"""Those who think for the server: a pool of processes that are asked, and may be ended at any time.

The server's own process has to answer every page at once, so whatever thinks does so elsewhere. A
nursery gets everything ready once and then forks a worker whenever one is wanted, in some
milliseconds. A worker thinks about one thing at a time; one that takes too long is asked to come to
an end, then killed, and nobody else notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from parlour.core import (
    BadFile,
    BadOption,
    BadText,
    IllegalMove,
    NameTaken,
    ParlourError,
    TooLarge,
    UnknownName,
    Unsolved,
)

MOST = 8  # workers
WARM = 1  # workers that stay when there is nothing to do
IDLE = 60.0  # seconds after which the others go
GRACE = 0.5  # seconds between asking a thought to end and killing it
MOST_WAITING = 8  # thoughts of one client that are not begun yet
MOST_IN_ALL = 500  # and of all clients together
LONGEST = 64 << 20  # bytes of an answer

THOUGHTS = "parlour.faces.web.workers.tasks"
NURSERY = (  # it finds modules where we do, and nowhere else
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from parlour.faces.web.workers.server import serve; serve(int(sys.argv[2]), sys.argv[3])"
)

Progress = Callable[[int, int], object]


class TookTooLong(ParlourError):
    """A thought that had no answer in its time."""


class ThoughtFailed(ParlourError):
    """A thought that went wrong; the text says how."""


class TooMany(ParlourError):
    """More thoughts than one client, or all of them, may have waiting."""


REFUSALS: dict[str, type[ParlourError]] = {  # those that come back as what they were
    cls.__name__: cls
    for cls in (
        *(BadFile, BadOption, BadText, IllegalMove, NameTaken, ParlourError, UnknownName),
        *(TooLarge, Unsolved, ThoughtFailed),
    )
}


@dataclass(eq=False)
class Ask:
    """A question, and where its answer is awaited."""

    line: bytes
    seconds: float
    whose: str
    patient: bool
    progress: Progress | None
    answer: asyncio.Future[Any]

    def settle(self, message: Mapping[str, Any], *, stopped: bool) -> None:
        """Hand over what a worker said; one that was stopped may still have found an answer."""
        if self.answer.done():  # given up by whoever asked
            return
        if "answer" in message:
            self.answer.set_result(message["answer"])
        elif stopped:
            self.fail(TookTooLong(f"there was no answer within {round(self.seconds, 1):g} seconds"))
        elif "refused" in message:
            self.fail(_refusal(**message))
        else:
            self.fail(ThoughtFailed(message.get("failed", "the process that thought has died")))

    def fail(self, trouble: ParlourError) -> None:
        """Tell whoever waits what went wrong."""
        if not self.answer.done():
            self.answer.set_exception(trouble)


def _refusal(refused: str, args: list[Any], text: str) -> ParlourError:
    """The refusal as it was raised, or with its sentence where its class is not known here."""
    try:
        return REFUSALS[refused](*args)
    except (KeyError, TypeError):
        return ParlourError(text)


@dataclass(eq=False)
class Worker:
    """A worker as the pool sees it."""

    number: int
    writer: asyncio.StreamWriter | None = None
    ready: bool = False
    ask: Ask | None = None
    stopped: bool = False  # whether it was told to come to an end with what it thinks about
    timer: asyncio.TimerHandle | None = None  # when something has to be done about it
    life: asyncio.Task[None] | None = None

    def tell(self, line: bytes) -> None:
        """Send it a line."""
        if self.writer is not None:
            self.writer.write(line)

    def after(self, seconds: float, call: Callable[[Worker], None]) -> None:
        """Have something done about it after so many seconds, instead of what was to be done."""
        self.forget()
        self.timer = asyncio.get_running_loop().call_later(seconds, call, self)

    def forget(self) -> None:
        """Nothing has to be done about it."""
        if self.timer is not None:
            self.timer.cancel()

    def leave(self) -> None:
        """Have nothing more to do with it; where it can, it notices and ends."""
        self.forget()
        if self.writer is not None:
            self.writer.close()


class Nursery:
    """The process that forks workers and ends them; a number names each."""

    def __init__(self, thoughts: str) -> None:
        self._thoughts = thoughts

    def start(self) -> None:
        """Begin to get ready; what is asked for meanwhile is done then."""
        self._line, theirs = socket.socketpair()
        path = json.dumps(sys.path)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  # our own arguments
                [sys.executable, "-P", "-c", NURSERY, path, str(theirs.fileno()), self._thoughts],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # threads do not survive a fork
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at the terminal is not meant for it
            )

    def fork(self, number: int, line: socket.socket) -> None:
        """Have a worker begin at the other end of this line."""
        told = number.to_bytes(8, "big")
        try:
            socket.send_fds(self._line, [told], [line.fileno()])
        except OSError:  # somebody has killed it; the workers it had live on
            self.close()
            self.start()
            socket.send_fds(self._line, [told], [line.fileno()])

    def end(self, number: int) -> None:
        """Have a worker killed, if it is still there."""
        with contextlib.suppress(OSError):  # then its workers know, and go by themselves
            self._line.send(number.to_bytes(8, "big"))

    def close(self) -> None:
        """End it and all its workers, and wait for that."""
        self._line.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:  # it is still getting ready and notices nothing
            self._process.kill()
            self._process.wait()


class Thinkers:
    """The pool, used from one event loop.

    Whoever asks first is answered first, but no client has more than half of the workers, so that
    others need not wait for one who asks much. Where nobody sits and waits, thoughts are patient:
    they let the others go first, and have half of the workers together, those of one client half of
    what it may have.
    """

    def __init__(self, most: int = MOST, *, thoughts: str = THOUGHTS) -> None:
        self._most = most
        self._share = max(1, most // 2)
        self._nursery = Nursery(thoughts)
        self._open = False
        self._numbers = itertools.count()
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._waiting: list[Ask] = []

    async def start(self) -> None:
        """Begin to get ready, which goes on in another process while this one goes on."""
        self._nursery.start()
        self._open = True
        for _ in range(WARM):
            self._grow()

    async def close(self) -> None:
        """End all thoughts and every process; whoever waits for an answer is cancelled."""
        if not self._open:
            return
        self._open = False
        workers, waiting = self._workers, self._waiting
        self._workers, self._idle, self._waiting = [], [], []
        for worker in workers:
            worker.leave()
        for ask in (*waiting, *(worker.ask for worker in workers if worker.ask)):
            ask.answer.cancel()
        await asyncio.to_thread(self._nursery.close)
        await asyncio.gather(*(worker.life for worker in workers if worker.life))

    async def ask(
        self,
        name: str,
        payload: Mapping[str, Any],
        seconds: float = 10.0,
        *,
        whose: str = "",
        patient: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """What a thought answers; `ParlourError` when it refuses, fails or takes too long.

        The time counts from when it is begun. `whose` is the client it is for. `progress(done,
        total)` is called now and then. Whoever no longer waits (cancels) ends the thought. One that
        is `patient` lets others go first.
        """
        if not self._open:  # the server is going, and nobody is to take that for an answer
            raise asyncio.CancelledError
        alike = [ask for ask in self._waiting if (ask.whose, ask.patient) == (whose, patient)]
        if len(alike) >= MOST_WAITING:
            raise TooMany("too much is being thought about for you already; wait a little")
        if len(self._waiting) >= MOST_IN_ALL:
            raise TooMany("too much is being thought about here already; wait a little")
        told = {"thought": name, "payload": payload, "progress": progress is not None}
        answer = asyncio.get_running_loop().create_future()
        line = json.dumps(told).encode() + b"\n"
        ask = Ask(line, seconds, whose, patient, progress, answer)
        self._waiting.append(ask)
        self._share_out()
        try:
            return await answer
        finally:
            self._give_up(ask)

    # Who thinks about what

    def _share_out(self) -> None:
        """Give what waits to those who are idle, and bring up more if they are too few."""
        asks = [worker.ask for worker in self._workers if worker.ask]
        busy = Counter(ask.whose for ask in asks)
        patient = Counter(ask.whose for ask in asks if ask.patient)
        wanted = -sum(not worker.ready for worker in self._workers)
        for ask in sorted(self._waiting, key=lambda ask: ask.patient):
            few = patient[ask.whose] < max(1, self._share // 2) and patient.total() < self._share
            if busy[ask.whose] >= self._share or (ask.patient and not few):
                continue
            busy[ask.whose] += 1
            patient[ask.whose] += ask.patient
            if self._idle:
                self._waiting.remove(ask)
                self._give(self._idle.pop(), ask)
            else:
                wanted += 1
        for _ in range(min(wanted, self._most - len(self._workers))):
            self._grow()

    def _give(self, worker: Worker, ask: Ask) -> None:
        worker.ask, worker.stopped = ask, False
        worker.tell(ask.line)
        worker.after(ask.seconds, self._stop)

    def _stop(self, worker: Worker) -> None:
        """Ask for an answer now, and wait for it only a little longer."""
        worker.stopped = True
        worker.tell(b'{"stop": true}\n')
        worker.after(GRACE, self._end)

    def _give_up(self, ask: Ask) -> None:
        """Think no further about what nobody waits for; nothing, if it is answered."""
        if ask in self._waiting:
            self._waiting.remove(ask)
        for worker in self._workers:
            if worker.ask is ask and not worker.stopped:
                self._stop(worker)

    # Lives of workers

    def _grow(self) -> None:
        ours, theirs = socket.socketpair()
        worker = Worker(next(self._numbers))
        self._workers.append(worker)
        with theirs:
            self._nursery.fork(worker.number, theirs)
        worker.life = asyncio.create_task(self._listen(worker, ours))

    async def _listen(self, worker: Worker, line: socket.socket) -> None:
        """All that a worker says, from its first word until it is gone."""
        reader, worker.writer = await asyncio.open_unix_connection(sock=line, limit=LONGEST)
        try:
            async for said in reader:
                self._hear(worker, json.loads(said))
        except (OSError, ValueError):  # it died in the middle of a word
            pass
        finally:
            self._end(worker)
            worker.leave()

    def _hear(self, worker: Worker, message: Mapping[str, Any]) -> None:
        ask = worker.ask
        if "progress" in message:
            if ask and ask.progress and not ask.answer.done():
                asyncio.get_running_loop().call_soon(ask.progress, *message["progress"])
            return
        worker.ready, worker.ask = True, None
        if ask is not None:
            ask.settle(message, stopped=worker.stopped)
        if "spent" in message:
            self._end(worker)
        elif worker in self._workers:
            self._idle.append(worker)
            worker.after(IDLE, self._retire)
            self._share_out()

    def _retire(self, worker: Worker) -> None:
        if len(self._workers) > WARM:
            self._end(worker)

    def _end(self, worker: Worker) -> None:
        """A worker is gone, or has to go; others take its place if they are wanted."""
        if worker not in self._workers:
            return
        worker.leave()
        self._workers.remove(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        self._nursery.end(worker.number)
        ask, worker.ask = worker.ask, None
        if ask is not None:
            ask.settle({}, stopped=worker.stopped)
        elif not worker.ready and self._waiting:
            self._waiting.pop(0).fail(ThoughtFailed("nobody could be found to think about this"))
        if worker.ready and len(self._workers) < WARM:
            self._grow()
        self._share_out()
