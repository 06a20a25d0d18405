"""The hub: which pages are open on which topic, and how they hear that something changed.

A topic is a kind and a name, `table:ab12`. Whoever changes something announces its topic, from any
thread; every page open on it is then sent what it shows now. A page that is slow gets the newest
state only, never a queue of old ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from starlette.websockets import WebSocketDisconnect

LOG = logging.getLogger("uvicorn.error")

Render = Callable[[Any], str]  # from the thing behind a topic to the text one page is sent
Role = Callable[[Any], Hashable]  # pages of one role are sent the same text
Take = Callable[[str], Awaitable[None]]  # sends a text over the connection
Fetch = Callable[[str], Awaitable[Any]]  # the thing behind a topic, as it is stored now


class Page:
    """One open connection, and the newest text it has not been sent yet."""

    def __init__(self, take: Take, topic: str, owner: str, role: Role, render: Render) -> None:
        self._take = take
        self.topic = topic
        self.owner = owner
        self.role = role
        self.render = render
        self.told = False  # whether anything was ever sent
        self._waiting: str | None = None
        self._sender: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        """Send a text soon; one that still waits is replaced."""
        self.told = True
        self._waiting = text
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    async def _send(self) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):  # it has gone
            while (text := self._waiting) is not None:
                self._waiting = None
                await self._take(text)
        self._sender = None

    def close(self) -> None:
        """Send nothing any more."""
        if self._sender is not None:
            self._sender.cancel()


class Hub:
    """All open pages by topic."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._pages: dict[str, set[Page]] = {}
        self._owned: Counter[str] = Counter()
        self._told: dict[str, int] = {}  # the newest version that pages of a topic were sent
        self._due: dict[str, tuple[Any, bool]] = {}  # topics to tell; whether only what is newer
        self._loop = asyncio.get_running_loop()
        self._teller: asyncio.Task[None] | None = None

    def enter(self, page: Page) -> None:
        """From now on this page hears of its topic."""
        self._pages.setdefault(page.topic, set()).add(page)
        self._owned[page.owner] += 1

    def leave(self, page: Page) -> None:
        """It hears nothing any more."""
        page.close()
        self._owned[page.owner] -= 1
        if not self._owned[page.owner]:
            del self._owned[page.owner]
        pages = self._pages[page.topic]
        pages.discard(page)
        if not pages:
            del self._pages[page.topic]
            self._told.pop(page.topic, None)

    def has_room(self, owner: str, most: int) -> bool:
        """Whether an owner may open one more page."""
        return not owner or self._owned[owner] < most

    def watched(self, topic: str) -> int:
        """How many pages are open on a topic."""
        return len(self._pages.get(topic, ()))

    def announce(self, topic: str, thing: Any = None, *, newer: bool = False) -> None:
        """A topic has changed; from any thread. The thing as it is now saves looking it up.

        With `newer`, pages are told only if they have not been sent this version yet.
        """
        with contextlib.suppress(RuntimeError):  # the loop has closed, and every page with it
            self._loop.call_soon_threadsafe(self._note, topic, thing, newer)

    def announce_all(self) -> None:
        """Anything may have changed; from any thread."""
        for topic in tuple(self._pages):
            self.announce(topic, newer=True)

    def _note(self, topic: str, thing: Any, newer: bool) -> None:
        if topic not in self._pages:
            return
        if topic in self._due:
            held, only = self._due[topic]
            if thing is None or (held is not None and held.version > thing.version):
                thing = held
            newer = newer and only
        self._due[topic] = (thing, newer)
        if self._teller is None:
            self._teller = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self._due:
            topic = next(iter(self._due))
            thing, newer = self._due.pop(topic)
            try:
                if thing is None:
                    thing = await self._fetch(topic)
                if thing is not None and not (newer and self._told.get(topic) == thing.version):
                    self._deliver(topic, thing)
            except Exception:  # the other topics are told all the same
                LOG.exception("nobody could be told of %s", topic)
            await asyncio.sleep(0)  # others may go first
        self._teller = None

    def _deliver(self, topic: str, thing: Any) -> None:
        """Send every page of a topic what it shows now."""
        texts: dict[Any, str] = {}
        pages = tuple(self._pages.get(topic, ()))
        for page in pages:
            role = page.role(thing)
            if role not in texts:
                texts[role] = page.render(thing)
            page.send(texts[role])
        if pages:
            self._told[topic] = thing.version
