"""Work done outside a request: writes in batches, tasks in the background, daily clean-up."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar, TypeVarTuple, Unpack

from parlour.faces.web.metrics import WRITE_BATCH
from parlour.store import Store, Unavailable

LOG = logging.getLogger("parlour")

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Writes

BATCH_SIZE = 64  # writes in one transaction


class WriteQueue:
    """Runs writes in order and commits those that wait at the same moment together.

    A write is acknowledged once it is on disk, and reaching the disk is what takes time; SQLite
    allows one writer at a time anyway. On PostgreSQL each write runs by itself: a transaction that
    locked many rows could block another server.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._draining: asyncio.Task[None] | None = None

    async def run(self, write: Callable[[], T]) -> T:
        """Run a write, and return its result once it is stored."""
        if self._store.dialect != "sqlite":
            WRITE_BATCH.observe(1)
            return await asyncio.to_thread(write)
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.append((write, future))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._pending:
            size = min(BATCH_SIZE, len(self._pending))
            batch = [self._pending.popleft() for _ in range(size)]
            outcomes = await loop.run_in_executor(None, self._write, [each for each, _ in batch])
            for (_, future), (result, error) in zip(batch, outcomes, strict=True):
                if future.done():  # the request was cancelled
                    continue
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)

    def _write(self, writes: Sequence[Callable[[], Any]]) -> list[tuple[Any, Exception | None]]:
        """Run some writes in one transaction, and return the result or the error of each."""
        WRITE_BATCH.observe(len(writes))
        outcomes: list[tuple[Any, Exception | None]] = []
        try:
            with self._store.transaction():
                for write in writes:
                    try:
                        outcomes.append((write(), None))
                    except Exception as error:  # raised again where the result is awaited
                        outcomes.append((None, error))
        except Exception as error:  # nothing was stored, whatever the writes returned
            return [(None, error)] * len(writes)
        return outcomes


# Tasks

RETRY = 0.5  # seconds


def call_soon(
    loop: asyncio.AbstractEventLoop, call: Callable[[Unpack[Ts]], object], *values: *Ts
) -> None:
    """Call a function in an event loop, from any thread; not if the loop has closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *values)


async def every(seconds: float, call: Callable[[], Any], *, at_once: bool = False) -> None:
    """Call a function again and again: a coroutine function here, any other in a thread.

    An error does not end this: the function is called again after the usual time. While the store
    is unavailable that is no news; any other error is logged.
    """
    if not at_once:
        await asyncio.sleep(seconds)
    while True:
        try:
            if inspect.iscoroutinefunction(call):
                await call()
            else:
                await asyncio.to_thread(call)
        except Unavailable:
            pass
        except Exception:
            LOG.exception("%s failed", call.__qualname__)
        await asyncio.sleep(seconds)


class KeyedTasks:
    """Background tasks by key, one at a time for each key.

    Waking a key whose task is running makes it run once more afterwards, so that no change is
    missed. While the store is unavailable the task is retried; any other error is logged.
    """

    def __init__(self, run: Callable[[str], Coroutine[object, object, None]]) -> None:
        self._run = run
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._due: set[str] = set()

    def wake(self, key: str) -> None:
        """Run the task of a key soon; from any thread."""
        call_soon(self._loop, self._start, key)

    def _start(self, key: str) -> None:
        self._due.add(key)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._run_while_due(key))

    async def finish(self) -> None:
        """Wait until no task is running."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    async def _run_while_due(self, key: str) -> None:
        try:
            while key in self._due:
                self._due.remove(key)
                try:
                    await self._run(key)
                except Unavailable:
                    self._due.add(key)
                    await asyncio.sleep(RETRY)
                except Exception:
                    LOG.exception("the background task for %s failed", key)
        finally:
            del self._tasks[key]


# Retention

DAY = 24 * 3600.0  # seconds
KEEP_UNPLAYED = 2 * DAY  # tables where nobody has moved
KEEP_UNFINISHED = 30 * DAY  # other tables whose game is not over
KEEP_ADDRESSES = 7 * DAY  # where visitors who created or joined something came from
KEEP_IDLE = 180 * DAY  # set-ups and conversations
KEEP_PRESENCE = 1 * DAY  # when somebody was last at a table
KEEP_WAITING = 600.0  # those who waited for a game, and the codes for another device


def delete_old(store: Store, now: float) -> int:
    """Delete rows that have not been used for a long time, and return how many there were.

    Finished games, classes and tournaments are kept until their owner deletes them. Several servers
    may do this at once. The page of a person's data names the same times.
    """
    store.waiting.prune(now - KEEP_WAITING)
    store.presence.prune(now - KEEP_PRESENCE)
    store.class_presence.prune(now - KEEP_PRESENCE)
    store.codes.prune(now)
    ended = delete_ended_classes(store, now)
    store.deletions.erase()
    return (
        ended
        + store.tables.prune(now - KEEP_UNPLAYED, over=False, played=False, slow=False)
        + store.tables.prune(now - KEEP_UNFINISHED, over=False)
        + store.setups.prune(now - KEEP_IDLE)
        + store.talks.prune(now - KEEP_IDLE)
        + store.accounts.prune(now - KEEP_IDLE)
        + store.challenges.prune(now - KEEP_UNFINISHED)
        + store.feeds.prune(now - KEEP_IDLE)
        + store.events.prune(now - KEEP_UNFINISHED)
        + store.addresses.prune(now - KEEP_ADDRESSES)
        + store.bars.prune(now - KEEP_ADDRESSES)
        + store.admin_log.prune(now - KEEP_IDLE)
    )


def delete_ended_classes(store: Store, now: float) -> int:
    """Delete the classes whose day has come, and return how many there were."""
    ended = store.classes.find_ended(time.strftime("%Y-%m-%d", time.gmtime(now)))
    for class_id in ended:
        store.deletions.delete(f"class:{class_id}")
    return len(ended)
