"""Whose pages of one kind are open, here and on the other servers.

Each server stores who came and went at its own pages, a little later and all together, and notes
every now and then that it still runs. Those who use pages without scripts, and programs that only
ask now and then, are there for a while after each request.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from parlour.faces.web.background import call_soon
from parlour.faces.web.live import Hub
from parlour.store import Sighting, Sightings, Store, Unavailable

PAUSE = 0.2  # seconds for which comings and goings are collected
BEAT = 30.0  # seconds between two notes that a server still runs
STALE = 3 * BEAT  # seconds after which a server that is silent has died
VIEW = "view"  # the "server" of pages that are not live
VIEWED = 15.0  # seconds for which somebody without a live page is there after a request
MAX_VIEWS = 5_000  # remembered


class Presence(ABC):
    """Those with a page of one kind open on this server."""

    def __init__(
        self, store: Store, hub: Hub, sightings: Sightings, pages: str, announced: str
    ) -> None:
        self._store = store
        self._hub = hub
        self._sightings = sightings
        self._pages = pages  # the topic of the pages, before their id
        self._announced = announced  # the topic of what has changed by it, before its id
        self._server = store.new_id()
        self._loop = asyncio.get_running_loop()
        self._changed: dict[tuple[str, str], Sighting] = {}  # what is yet to be stored
        self._views: dict[tuple[str, str], float] = {}  # requests of pages that are not live
        self._flushing: asyncio.Task[None] | None = None
        hub.observers.append(self._observe)

    def _observe(self, topic: str, owner: str, here: bool) -> None:
        """Note that the first page of an owner on a topic has opened, or the last has closed."""
        if topic.startswith(self._pages) and owner:
            self._note(topic.removeprefix(self._pages), owner, 0.0 if here else time.time())

    def _note(self, page: str, owner: str, gone: float) -> None:
        self._changed[page, owner] = Sighting(page, owner, self._server, time.time(), gone)
        self._flush_soon()

    def _note_view(self, page: str, owner: str, grace: float = 0.0) -> None:
        """Note that somebody has asked for a page, perhaps without scripts; from any thread.

        `grace` is how long somebody who has gone still counts as there.
        """
        call_soon(self._loop, self._view, page, owner, grace)

    def _view(self, page: str, owner: str, grace: float) -> None:
        now, key = time.time(), (page, owner)
        if owner in self._hub.owners(f"{self._pages}{page}"):
            return
        if now - self._views.get(key, 0.0) < VIEWED / 3:
            return
        self._views[key] = now
        if len(self._views) > MAX_VIEWS:
            self._views = {each: at for each, at in self._views.items() if now - at < VIEWED}
        seen = Sighting(page, owner, VIEW, now, now + VIEWED - grace)
        self._changed.setdefault(key, seen)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if self._flushing is None or self._flushing.done():
            self._flushing = self._loop.create_task(self._flush())

    async def _flush(self) -> None:
        while self._changed:
            await asyncio.sleep(PAUSE)
            changed, self._changed = list(self._changed.values()), {}
            try:
                noted = await asyncio.to_thread(self._store_changes, changed)
            except Unavailable:  # the database comes back, and then a page opens again
                continue
            await self._show(changed, noted)

    def _store_changes(self, changed: Sequence[Sighting]) -> set[str]:
        """Store sightings and tell the other servers what has changed by them."""
        noted = self._sightings.note(changed)
        for each in noted:
            self._store.notify(f"{self._announced}{each}")
        return noted

    @abstractmethod
    async def _show(self, changed: Sequence[Sighting], noted: set[str]) -> None:
        """Show the pages here what has changed: these sightings, and what is noted of them."""

    async def beat(self) -> None:
        """Note that this server still runs."""
        if self._hub.open_topics(self._pages):
            await asyncio.to_thread(self._sightings.beat, self._server, time.time())
