"""The hub: which pages are open on which topic, and how they hear that something changed.

A topic is a kind and a name, `table:ab12`. Whoever changes something announces its topic, from any
thread; every page open on it is then sent what it shows now. A page that is slow gets the newest
state only, never a queue of old ones. A page without scripts opens no connection: it counts as open
for a while after it was looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from starlette.websockets import WebSocketDisconnect

LOG = logging.getLogger("uvicorn.error")

LOOKED = 10.0  # seconds for which a page that was looked at counts as open
MOST_LOOKED = 1_000

Render = Callable[[Any], str]  # from the thing behind a topic to the text one page is sent
Role = Callable[[Any], Hashable]  # pages of one role are sent the same text
Take = Callable[[str], Awaitable[None]]  # sends a text over the connection
Fetch = Callable[[str], Awaitable[Any]]  # the thing behind a topic, as it is stored now


class Page:
    """One open connection, and the newest text it has not been sent yet."""

    def __init__(
        self,
        take: Take,
        topic: str,
        owner: str,
        role: Role,
        render: Render,
        *,
        aside: bool = False,
        pause: float = 0.0,
    ) -> None:
        self._take = take
        self.topic = topic
        self.owner = owner
        self.role = role
        self._render = render
        self.aside = aside  # what takes long to write is written in a thread, and nobody waits
        self.pause = pause  # seconds until its topic is told again at the earliest
        self.told = False  # whether anything was ever sent
        self._waiting: str | None = None
        self._sender: asyncio.Task[None] | None = None

    async def drawn(self, thing: Any) -> str:
        """What the page shows of a thing."""
        return await asyncio.to_thread(self._render, thing) if self.aside else self._render(thing)

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
        # Topics to tell, and whether only what is newer: one after another, but each that is told
        # aside by itself.
        self._due: dict[str, dict[str, tuple[Any, bool]]] = {}
        self._tellers: dict[str, asyncio.Task[None]] = {}
        self._looked: dict[str, float] = {}  # topics of pages without scripts, the last one last
        self._loop = asyncio.get_running_loop()

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

    def look(self, topic: str) -> None:
        """Somebody looks at a topic, perhaps without scripts; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has closed
            self._loop.call_soon_threadsafe(self._note_look, topic)

    def _note_look(self, topic: str) -> None:
        self._looked.pop(topic, None)
        self._looked[topic] = time.monotonic()
        while len(self._looked) > MOST_LOOKED:
            del self._looked[next(iter(self._looked))]

    def is_watched(self, topic: str) -> bool:
        """Whether a page is open on a topic, or was looked at just now."""
        return topic in self._pages or time.monotonic() - self._looked.get(topic, -LOOKED) < LOOKED

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
        line = topic if any(page.aside for page in self._pages[topic]) else ""
        due = self._due.setdefault(line, {})
        if topic in due:
            held, only = due[topic]
            if thing is None or (held is not None and held.version > thing.version):
                thing = held
            newer = newer and only
        due[topic] = (thing, newer)
        if line not in self._tellers:
            self._tellers[line] = asyncio.create_task(self._tell(line))

    async def _tell(self, line: str) -> None:
        due = self._due[line]
        while due:
            topic = next(iter(due))
            thing, newer = due.pop(topic)
            told = self._told.get(topic, -1)
            try:
                if thing is None:
                    thing = await self._fetch(topic)
                elif thing.version < told:  # from a thread that was late
                    continue
                if thing is not None and not (newer and told == thing.version):
                    await self._deliver(topic, thing)
            except Exception:  # the other topics are told all the same
                LOG.exception("nobody could be told of %s", topic)
            pages = self._pages.get(topic, ())
            await asyncio.sleep(max((page.pause for page in pages), default=0))  # others go first
        del self._tellers[line], self._due[line]

    async def _deliver(self, topic: str, thing: Any) -> None:
        """Send every page of a topic what it shows now."""
        texts: dict[Any, str] = {}
        pages = tuple(self._pages.get(topic, ()))
        for page in pages:
            try:
                role = page.role(thing)
                if role not in texts:
                    texts[role] = await page.drawn(thing)
                page.send(texts[role])
            except Exception:  # the other pages are told all the same
                LOG.exception("a page cannot be drawn of %s", topic)
        if topic in self._pages:
            self._told[topic] = thing.version
