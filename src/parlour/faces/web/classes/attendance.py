"""Which pupils are there: those with a page of their class open, on any server.

Each server stores who came and went at its own pages, a little later and all together, and says
every now and then that it still runs. The page of the teacher is shown again after each change. A
pupil whose last page closed counts as there for a moment more, as a phone does that changes its
network; one who uses pages without scripts, for a while after each request.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable

from parlour.faces.web.classes.service import PUPIL, TEACHING
from parlour.faces.web.live import Hub
from parlour.store import Pupil, PupilSighting, Store, Unavailable

LOG = logging.getLogger("parlour")

PAUSE = 0.2  # seconds for which comings and goings are collected
GRACE = 5.0  # seconds for which somebody who left is still there
BEAT = 30.0  # seconds between two notes that a server still runs
STALE = 3 * BEAT  # seconds after which a server that is silent has died
VIEW = "view"  # the "server" of pages that are not live
VIEWED = 15.0  # seconds for which somebody without a live page is there after a request


def list_present(sightings: Iterable[PupilSighting], now: float) -> set[str]:
    """Return the ids of the pupils who are there."""
    return {
        each.pupil
        for each in sightings
        if (now - each.gone < GRACE if each.gone else now - each.seen < STALE)
    }


class Attendance:
    """The pupils with a page open on this server."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._server = store.new_id()
        self._loop = asyncio.get_running_loop()
        self._here: set[str] = set()  # the pages that are open here
        self._changed: dict[tuple[str, str], PupilSighting] = {}  # what is yet to be stored
        self._flushing: asyncio.Task[None] | None = None
        hub.observers.append(self._observe)

    def _observe(self, topic: str, owner: str, here: bool) -> None:
        """Note that the first page of an owner on a topic has opened, or the last has closed."""
        if not topic.startswith(PUPIL) or not owner:
            return
        now, pupil = time.time(), topic.removeprefix(PUPIL)
        (self._here.add if here else self._here.discard)(pupil)
        gone = 0.0 if here else now
        self._changed[pupil, owner] = PupilSighting(pupil, owner, self._server, now, gone)
        self._flush_soon()

    def note_view(self, pupil: Pupil) -> None:
        """Note that a pupil has asked for their page, perhaps without scripts; from any thread."""
        now = time.time()
        seen = PupilSighting(pupil.id, pupil.owner, VIEW, now, now + VIEWED - GRACE)

        def note() -> None:
            if pupil.id not in self._here:
                self._changed.setdefault((pupil.id, pupil.owner), seen)
                self._flush_soon()

        with contextlib.suppress(RuntimeError):  # the loop has closed
            self._loop.call_soon_threadsafe(note)

    def _flush_soon(self) -> None:
        if self._flushing is None or self._flushing.done():
            self._flushing = self._loop.create_task(self._flush())

    async def _flush(self) -> None:
        while self._changed:
            await asyncio.sleep(PAUSE)
            changed, self._changed = list(self._changed.values()), {}
            try:
                classes = await asyncio.to_thread(self._store_changes, changed)
            except Unavailable:  # the database comes back, and then a page opens again
                continue
            left = max((each.gone for each in changed), default=0.0) + GRACE - time.time()
            for class_id in classes:
                self._hub.announce(f"{TEACHING}{class_id}")
                if left > 0:
                    again = f"{TEACHING}{class_id}"
                    self._loop.call_later(left + PAUSE, self._announce_everywhere, again)

    def _store_changes(self, changed: list[PupilSighting]) -> set[str]:
        classes = self._store.class_presence.note(changed)
        for class_id in classes:
            self._store.notify(f"{TEACHING}{class_id}")
        return classes

    def _announce_everywhere(self, topic: str) -> None:
        """Show a teacher that somebody has been gone for long enough."""
        self._hub.announce(topic)

        def tell() -> None:
            with contextlib.suppress(Unavailable):
                self._store.notify(topic)

        self._loop.run_in_executor(None, tell)

    async def beat(self) -> None:
        """Say every now and then that this server still runs."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                if self._here:
                    now = time.time()
                    await asyncio.to_thread(self._store.class_presence.beat, self._server, now)
            except Unavailable:  # the next beat may succeed
                continue
            except Exception:
                LOG.exception("who is in the classes could not be stored")
