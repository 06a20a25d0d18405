"""The clerk: changes that many ask for in the same moment are written down by one commit.

A change is acknowledged when it is on the disk, and reaching the disk is what takes time; on SQLite
those who write take turns anyway. So one thread does whatever waits, up to so many changes, commits
once, and then tells everybody. On PostgreSQL each goes by itself: there rows are locked, and who
held several could block another server.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from parlour.store import Store

T = TypeVar("T")

MOST = 64  # changes in one go

Waiting = tuple[Callable[[], Any], asyncio.Future[Any]]
Done = tuple[asyncio.Future[Any], Any, BaseException | None]


class Clerk:
    """Does what is asked of it in the order it was asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Waiting] = deque()
        self._lock = threading.Lock()
        self._busy = False

    async def do(self, call: Callable[[], T]) -> T:
        """What a call returns that changes something, once it is stored."""
        if self._store.dialect != "sqlite":
            return await asyncio.to_thread(call)
        future: asyncio.Future[T] = self._loop.create_future()
        with self._lock:
            self._waiting.append((call, future))
            begin, self._busy = not self._busy, True
        if begin:
            self._loop.run_in_executor(None, self._work)
        return await future

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._busy = False
                    return
                many = min(MOST, len(self._waiting))
                batch = [self._waiting.popleft() for _ in range(many)]
            done: list[Done] = []
            try:
                with self._store.in_one_go():
                    done.extend(_done(*each) for each in batch)
            except Exception as trouble:  # nothing was stored, whatever each of them believes
                done = [(future, None, trouble) for _, future in batch]
            self._loop.call_soon_threadsafe(_tell, done)


def _done(call: Callable[[], Any], future: asyncio.Future[Any]) -> Done:
    try:
        return future, call(), None
    except Exception as trouble:  # handed to whoever waits
        return future, None, trouble


def _tell(done: list[Done]) -> None:
    for future, answer, trouble in done:
        if future.done():  # nobody waits any more
            continue
        if trouble is None:
            future.set_result(answer)
        else:
            future.set_exception(trouble)
