"""The pool of worker processes that run tasks for the server.

The server's own process must answer every request at once, so anything that takes time runs
elsewhere. A fork server loads everything once and forks a worker whenever one is needed, within
a few milliseconds. A worker runs one task at a time; one that takes too long is asked to stop, then
killed, and no other task is affected.

Tasks wait in a fair queue, in which bots that move go before questions, and some workers are left
for them. A bot that thinks for longer than its turn while others wait for a worker is interrupted,
and begins again as a question.

Each task is told how many threads it may use, so that an idle server answers sooner and a busy one
gives every visitor a processor.

A page waits only a moment for an answer. If there is none by then, it says so, and finds the answer
in the cache when it asks again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from parlour import core
from parlour.core import ForkServer, ParlourError, say
from parlour.faces.progress import Compilations
from parlour.faces.web import metrics
from parlour.faces.web.clients import TOO_MANY, Recent
from parlour.faces.web.workers.fair_queue import Claim, FairQueue, Priority

LOG = logging.getLogger("parlour")

MAX_WORKERS = 8
MIN_WORKERS = 1  # kept when there is nothing to do
IDLE = 60.0  # seconds after which the others end
GRACE = 0.5  # seconds between asking a task to stop and killing it
RETRY = 0.5  # seconds between two attempts of a patient client
TURN = 1.0  # seconds a bot may think while others wait for a worker
MAX_QUEUED = 8  # tasks of one client
MAX_QUEUED_BY_ADDRESS = 100  # a whole class may share one
MAX_QUEUED_IN_ALL = 500
SOON = 2  # seconds after which a client whose task was refused may try again
MAX_THREADS = 4  # of one task
MAX_MESSAGE = 64 << 20  # bytes

LOAD_TASKS = "parlour.faces.web.workers.process:load_tasks"

Progress = Callable[[int, int], object]


class TaskTimeout(ParlourError):
    """A task was not done within its time."""

    status = 504  # of HTTP


class TaskFailed(ParlourError):
    """A task failed; the message says how."""

    status = 500


class QueueFull(ParlourError):
    """One client or address has as many tasks queued as it may."""

    status = 429
    retry_after = SOON


class ServerBusy(QueueFull):
    """All clients together have as many tasks queued as they may."""

    status = 503


ERRORS: dict[str, type[ParlourError]] = {  # raised here as in the worker
    cls.__name__: cls
    for cls in (
        *(core.BadFile, core.BadOption, core.BadText, core.IllegalMove, core.NameTaken),
        *(ParlourError, core.TooLarge, core.UnknownName, core.Unsolved, TaskFailed),
    )
}
OUTCOMES = {type(None): "done", TaskTimeout: "timed out", TaskFailed: "failed"}
BUSY = say("the server is busy; try again in a moment")
NETWORK_FULL = say("too many requests of your network are waiting; try again in a moment")


@dataclass(eq=False)
class Task(Claim):
    """A task, and where its result is awaited."""

    line: bytes
    seconds: float
    progress: Progress | None
    result: asyncio.Future[Any]
    queued: float = field(default_factory=time.monotonic)
    began: float = 0.0

    def line_with(self, threads: int) -> bytes:
        """Return the request for a worker, with how many threads it may use."""
        return b'{"threads": %d, ' % threads + self.line.removeprefix(b"{")

    def finish(self, message: Mapping[str, Any], *, stopped: bool) -> None:
        """Pass on what a worker answered; a stopped one may still have found a result."""
        if self.result.done():  # cancelled
            return
        if "answer" in message:
            self.result.set_result(message["answer"])
        elif stopped:
            seconds = round(self.seconds, 1)
            text = say("there was no answer within {seconds:g} seconds", seconds=seconds)
            self.fail(TaskTimeout(text))
        elif "refused" in message:
            self.fail(_rebuild_error(**message))
        else:
            self.fail(TaskFailed(message.get("failed", say("the worker process died"))))

    def fail(self, error: ParlourError) -> None:
        """Raise an error where the result is awaited."""
        if not self.result.done():
            self.result.set_exception(error)


def _rebuild_error(refused: str, args: list[Any], text: str) -> ParlourError:
    """Return the error as the worker raised it, or just its message if its class is unknown."""
    try:
        return ERRORS[refused](*args)
    except (KeyError, TypeError):
        return ParlourError(text)


@dataclass(eq=False)
class Worker:
    """A worker process as the pool sees it."""

    number: int
    writer: asyncio.StreamWriter | None = None
    ready: bool = False
    task: Task | None = None
    stopped: bool = False  # whether it was asked to stop its task
    compiling: set[str] = field(default_factory=set)  # kernels, during which no time counts
    timer: asyncio.TimerHandle | None = None
    reader: asyncio.Task[None] | None = None

    def send(self, line: bytes) -> None:
        """Send it a line."""
        if self.writer is not None:
            self.writer.write(line)

    def call_later(self, seconds: float, call: Callable[[Worker], None]) -> None:
        """Schedule a call for this worker, instead of the one scheduled before."""
        self.cancel_timer()
        self.timer = asyncio.get_running_loop().call_later(seconds, call, self)

    def cancel_timer(self) -> None:
        """Cancel the scheduled call."""
        if self.timer is not None:
            self.timer.cancel()

    def disconnect(self) -> None:
        """Close the connection, on which the worker exits if it can."""
        self.cancel_timer()
        if self.writer is not None:
            self.writer.close()


class WorkerPool:
    """The pool, used from one event loop; the fair queue says which task is next."""

    def __init__(
        self,
        tasks: str,
        size: int = MAX_WORKERS,
        processors: int | None = None,
        address_of: Callable[[str], str] = str,
    ) -> None:
        """Prepare a pool whose workers run the tasks of a module.

        `address_of` returns the address of a client, as far as it is known.
        """
        self._size = size
        self._processors = processors or core.executors.count_cores()
        self.address_of = address_of
        self._tasks = tasks
        self._open = False
        self._draining = False
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._queue: FairQueue[Task] = FairQueue(size)
        self.compilations = Compilations()  # by workers, shown on every page

    async def start(self) -> None:
        """Start the fork server, which loads everything while this process goes on."""
        self._fork_server = self.start_fork_server()
        self._open = True
        for _ in range(MIN_WORKERS):
            self._add_worker()

    @property
    def is_alive(self) -> bool:
        """Whether tasks can be run."""
        return self._open and bool(self._workers)

    async def drain(self) -> None:
        """Take no more background tasks, and wait for the others to finish."""
        self._draining = True
        for task in [task for task in self._queue if task.priority is Priority.BACKGROUND]:
            task.result.cancel()
        while waiting := [
            task.result for task in self._list_tasks() if task.priority is not Priority.BACKGROUND
        ]:
            await asyncio.wait(waiting)

    def _list_tasks(self) -> list[Task]:
        """List the tasks that wait and those that run."""
        return [*self._queue, *(worker.task for worker in self._workers if worker.task)]

    async def close(self) -> None:
        """End every process and cancel all tasks."""
        if not self._open:
            return
        self._open = False
        workers, tasks = self._workers, self._list_tasks()
        self._workers, self._idle = [], []
        self._queue.clear()
        for worker in workers:
            worker.disconnect()
        for task in tasks:
            task.result.cancel()
        await asyncio.to_thread(self._fork_server.close)
        await asyncio.gather(*(worker.reader for worker in workers if worker.reader))

    async def run(
        self,
        name: str,
        payload: Mapping[str, Any],
        seconds: float = 10.0,
        *,
        client: str = "",
        priority: Priority = Priority.QUESTION,
        patient: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """Run a task and return its result; `ParlourError` if it refuses, fails or times out.

        The time counts from its start. `progress(done, total)` is called now and then. Cancelling
        stops the task. A `patient` client waits while the queue is full.
        """
        address = self.address_of(client)
        while self._open and (full := self._why_full(address, client, priority)):
            if not patient:
                raise full
            await asyncio.sleep(RETRY)
        # A server that is about to stop raises nothing that looks like an answer.
        if not self._open or (self._draining and priority is Priority.BACKGROUND):
            raise asyncio.CancelledError
        request = {"task": name, "payload": payload, "progress": progress is not None}
        line = json.dumps(request).encode() + b"\n"
        result = asyncio.get_running_loop().create_future()
        task = Task(
            line, seconds, progress, result, address=address, client=client, priority=priority
        )
        self._queue.append(task)
        self._schedule()
        try:
            return await result
        except TaskFailed as error:
            LOG.warning("the task %s failed: %s", name, error)
            raise
        finally:
            outcome = "cancelled"
            if not result.cancelled():
                outcome = OUTCOMES.get(type(result.exception()), "refused")
            metrics.TASKS.labels(name, outcome).inc()
            self._cancel(task)
            metrics.TASKS_WAITING.set(len(self._queue))

    def _why_full(self, address: str, client: str, priority: Priority) -> QueueFull | None:
        """Return why a client's task cannot be queued now, or None."""
        ours = [each for each in self._queue if each.address == address]
        same = sum(each.client == client and each.priority is priority for each in ours)
        if same >= MAX_QUEUED:
            return QueueFull(TOO_MANY)
        if len(ours) >= MAX_QUEUED_BY_ADDRESS:
            return QueueFull(NETWORK_FULL)
        if len(self._queue) >= MAX_QUEUED_IN_ALL:
            return ServerBusy(BUSY)
        return None

    # Which worker runs what

    def _schedule(self) -> None:
        """Give queued tasks to idle workers, and add workers if there are too few."""
        if not self._queue:
            return
        running = [worker.task for worker in self._workers if worker.task]
        needed = -sum(not worker.ready for worker in self._workers)
        for task in self._queue.order(running, self._size - len(running)):
            if self._idle:
                self._queue.note_turn(task)
                self._assign(self._idle.pop(), task)
            else:
                needed += 1
        metrics.TASKS_WAITING.set(len(self._queue))
        for _ in range(min(needed, self._size - len(self._workers))):
            self._add_worker()
        if sum(worker.task is not None for worker in self._workers) == self._size:
            self._interrupt_one()

    def _interrupt_one(self) -> None:
        """If a bot waits to move, interrupt one that has had its turn; it goes on as a question."""
        running = {worker: worker.task for worker in self._workers if worker.task}
        following = self._queue.order(running.values(), 1)
        if not following or following[0].priority is not Priority.MOVE:
            return
        due = asyncio.get_running_loop().time() - TURN
        late = [
            worker
            for worker, task in running.items()
            if task.priority is Priority.MOVE
            and task.began <= due
            and not worker.stopped
            and not worker.compiling
        ]
        if late:
            worker = min(late, key=lambda worker: running[worker].began)
            worker.task = None
            running[worker].priority = Priority.QUESTION
            self._queue.append(running[worker])
            self._end(worker)

    def _assign(self, worker: Worker, task: Task) -> None:
        is_move = task.priority is Priority.MOVE
        loop = asyncio.get_running_loop()
        worker.task, worker.stopped, task.began = task, False, loop.time()
        metrics.TASK_WAIT_SECONDS.observe(time.monotonic() - task.queued)
        worker.send(task.line_with(self._threads_for(task)))
        worker.call_later(task.seconds, self._stop)
        if is_move and task.seconds > TURN:
            loop.call_later(TURN, self._schedule)

    def _threads_for(self, task: Task) -> int:
        """Return how many threads a task may use: at most its share, and half of the processors."""
        if task.priority is Priority.BACKGROUND:
            return 1
        busy = sum(worker.task is not None for worker in self._workers)
        return max(1, min(MAX_THREADS, self._processors // max(2, busy)))

    def _stop(self, worker: Worker) -> None:
        """Ask a worker for its result now, and kill it if it does not answer soon."""
        worker.stopped = True
        worker.send(b'{"stop": true}\n')
        if not worker.compiling:  # which others wait for too
            worker.call_later(GRACE, self._end)

    def _cancel(self, task: Task) -> None:
        """Drop a task nobody waits for any more; does nothing once it is done."""
        if task in self._queue:
            self._queue.remove(task)
        for worker in self._workers:
            if worker.task is task and not worker.stopped:
                self._stop(worker)

    # The life of a worker

    def _add_worker(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            worker = Worker(self._fork(theirs))
        self._workers.append(worker)
        worker.reader = asyncio.create_task(self._read(worker, ours))

    def start_fork_server(self) -> ForkServer:
        """Start what makes the workers."""
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads do not survive a fork
        return ForkServer(LOAD_TASKS, self._tasks, env=environment)

    def _fork(self, end: socket.socket) -> int:
        """Fork a worker that serves this end of a connection, and return its number."""
        try:
            return self._fork_server.fork({}, [end.fileno()])
        except OSError:  # it was killed; its workers live on
            self._fork_server.close()
            self._fork_server = self.start_fork_server()
            return self._fork_server.fork({}, [end.fileno()])

    async def _read(self, worker: Worker, connection: socket.socket) -> None:
        """Handle all messages of a worker until it is gone."""
        if sys.platform == "win32":
            return
        reader, worker.writer = await asyncio.open_unix_connection(
            sock=connection, limit=MAX_MESSAGE
        )
        try:
            async for line in reader:
                self._handle(worker, core.sentences.unpack(json.loads(line)))
        except (OSError, ValueError):  # it died while it was writing
            pass
        finally:
            self._end(worker)
            worker.disconnect()

    def _handle(self, worker: Worker, message: Mapping[str, Any]) -> None:
        task = worker.task
        if "progress" in message:
            if task and task.progress and not task.result.done():
                asyncio.get_running_loop().call_soon(task.progress, *message["progress"])
            return
        if "compiling" in message:
            self._note_compiling(worker, *message["compiling"])
            return
        worker.ready, worker.task = True, None
        if task is not None:
            task.finish(message, stopped=worker.stopped)
        if "spent" in message:
            self._end(worker)
        elif worker in self._workers:
            self._idle.append(worker)
            worker.call_later(IDLE, self._retire)
            self._schedule()

    def _note_compiling(self, worker: Worker, kernel: str, seconds: float, finished: bool) -> None:
        """Stop the clock of a task while a kernel is compiled, and start it afresh."""
        self.compilations.note(kernel, seconds, finished)
        if finished:
            worker.compiling.discard(kernel)
        else:
            worker.compiling.add(kernel)
        if worker.compiling:
            worker.cancel_timer()
        elif worker.stopped:
            worker.call_later(GRACE, self._end)
        elif worker.task is not None:
            worker.call_later(worker.task.seconds, self._stop)

    def _retire(self, worker: Worker) -> None:
        if len(self._workers) > MIN_WORKERS:
            self._end(worker)

    def _end(self, worker: Worker) -> None:
        """Remove a worker that is gone or has to go, and replace it if need be."""
        if worker not in self._workers:
            return
        worker.disconnect()
        self._workers.remove(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        self._fork_server.kill(worker.number)
        for kernel in worker.compiling:
            self.compilations.note(kernel, 0.0, finished=True)
        task, worker.task = worker.task, None
        if task is not None:
            task.finish({}, stopped=worker.stopped)
        elif not worker.ready and self._queue:
            error = TaskFailed(say("no worker process could be started for this"))
            self._queue.pop(0).fail(error)
        if worker.ready and len(self._workers) < MIN_WORKERS:
            self._add_worker()
        self._schedule()


# Answers that are remembered

MAX_PENDING = 400  # questions of all clients together
MAX_PENDING_BY_ADDRESS = 40
RETRY_AFTER = 20.0  # seconds after which a temporary error is forgotten
TEMPORARY = (TaskTimeout, QueueFull, TaskFailed)


@dataclass(eq=False)
class Answer:
    """What was found, or the error, or how far it is."""

    found: Any = None
    error: ParlourError | None = None
    pending: bool = True
    address: str = ""  # of the client that asked first
    done: int = 0
    total: int = 0
    ended: float = 0.0

    def set_progress(self, done: int, total: int) -> None:
        """Note how far it is."""
        self.done, self.total = done, total

    def require(self) -> Any:
        """Return what was found, or raise why nothing was, or not yet."""
        if self.error is not None:
            raise self.error
        if self.found is None:
            raise ParlourError(say("this takes longer than usual; try again in a moment"))
        return self.found

    @property
    def is_stale(self) -> bool:
        """Whether the question should be asked again."""
        temporary = isinstance(self.error, TEMPORARY)
        return temporary and time.monotonic() - self.ended > RETRY_AFTER


class AnswerCache:
    """The latest answers, used from one event loop."""

    def __init__(self, workers: WorkerPool, size: int) -> None:
        self._workers = workers
        self._answers: Recent[str, Answer] = Recent(size)
        self._tasks: dict[Answer, asyncio.Task[None]] = {}

    async def ask(
        self, task: str, payload: Mapping[str, Any], *, seconds: float, client: str, patience: float
    ) -> Answer:
        """Return the answer to a task, or how far it is after waiting `patience` seconds."""
        key = json.dumps([task, payload], sort_keys=True)
        answer = self._answers.get(key)
        if answer is None or answer.is_stale:
            address = self._workers.address_of(client)
            if (full := self._why_full(address)) is not None:
                return Answer(error=full, pending=False)
            answer = Answer(address=address)
            run = partial(self._workers.run, task, payload, seconds, client=client)
            self._tasks[answer] = asyncio.create_task(self._run(answer, run))
        self._answers.keep(key, answer)
        if answer.pending:
            await asyncio.wait([self._tasks[answer]], timeout=patience)
        return answer

    def _why_full(self, address: str) -> QueueFull | None:
        """Return why nothing more can be asked from an address now, or None."""
        if len(self._tasks) >= MAX_PENDING:
            return ServerBusy(BUSY)
        if sum(answer.address == address for answer in self._tasks) >= MAX_PENDING_BY_ADDRESS:
            return QueueFull(NETWORK_FULL)
        return None

    async def _run(self, answer: Answer, run: Callable[..., Awaitable[Any]]) -> None:
        try:
            answer.found = await run(progress=answer.set_progress)
        except ParlourError as error:
            answer.error = error
        finally:
            del self._tasks[answer]
            answer.pending, answer.ended = False, time.monotonic()
