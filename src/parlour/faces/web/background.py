"""Errands: what is done for a name in the background, by one task at a time for each name.

Whoever wakes a name that is being looked after has it looked at once more afterwards, so that no
change is missed. While the store is away, everybody waits and tries again. What else goes wrong is
logged, and the name can be woken again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine

from parlour.store import Unavailable

LOG = logging.getLogger("parlour")

AGAIN = 0.5  # seconds

Run = Callable[[str], Coroutine[object, object, None]]


class Errands:
    """All errands of one kind."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._due: set[str] = set()  # names to look at, now or again

    def wake(self, name: str) -> None:
        """See whether there is something to do for a name; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has closed
            self._loop.call_soon_threadsafe(self._start, name)

    def _start(self, name: str) -> None:
        self._due.add(name)
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._look(name))

    async def _look(self, name: str) -> None:
        try:
            while name in self._due:
                self._due.remove(name)
                try:
                    await self._run(name)
                except Unavailable:
                    self._due.add(name)
                    await asyncio.sleep(AGAIN)
                except Exception:
                    LOG.exception("an errand for %s went wrong", name)
        finally:
            del self._tasks[name]
