"""Live pages: which are open on which topic, who is there, and the WebSocket of each.

A topic is a kind and an id, `table:ab12`. Every change is announced by its topic, from any thread,
and every page open on it is sent its new content. A slow page gets only the latest content,
never a queue of old ones. A page without scripts opens no connection and counts as open for a while
after it was requested.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from parlour.core import ParlourError
from parlour.faces.web.background import KeyedTasks, call_soon
from parlour.faces.web.clients import Recent, Visitor
from parlour.faces.web.prefix import current_prefix, use_prefix
from parlour.faces.web.texts import known_language, use_language
from parlour.store import Sighting, Sightings, Store, Unavailable

LOG = logging.getLogger("parlour")

VIEWED = 10.0  # seconds for which a page without scripts counts as open
MAX_VIEWED = 1_000
GONE = 4404  # closes a page for good
TRY_LATER = 1013
MAX_TOPIC_LENGTH = 100
MAX_PAGES = 40  # open at once in one browser
MAX_PAGES_BY_NETWORK = 2_000  # several classes may share one


@dataclass(frozen=True)
class Topic:
    """A kind of topic: how its subjects are loaded and rendered."""

    fetch: Callable[[str], Any]  # the stored subject with this id, or None
    role: Callable[[Any, Visitor], Hashable]  # visitors of one role see the same page
    render: Callable[[Any, Visitor, str], str]  # the content of <main>, for a view
    read: Callable[[str], Any] | None = None  # the subject as another process sends it
    on_open: Callable[[Any], None] | None = None  # called when a page opens
    in_thread: bool = True  # whether rendering is too slow for the event loop
    pause: float = 0.0  # least seconds between two updates


@dataclass(eq=False)
class Page:
    """One open connection, and the latest text it has yet to be sent."""

    transmit: Callable[[str], Awaitable[None]]
    topic: str
    owner: str
    role: Callable[[Any], Hashable]  # pages of one role are sent the same text
    make_text: Callable[[Any], str]  # from the subject of the topic
    in_thread: bool = False  # whether that is too slow for the event loop
    pause: float = 0.0  # least seconds between two texts
    shows_presence: bool = False  # whether it shows who else is there
    network: str = ""  # where the reader is
    end: Callable[[], None] | None = None  # ends an event stream, which nothing else closes
    was_sent: bool = False
    _next: str | None = None
    _sender: asyncio.Task[None] | None = None

    async def render(self, subject: Any) -> str:
        """Return what the page shows of the subject of its topic."""
        if self.in_thread:
            return await asyncio.to_thread(self.make_text, subject)
        return self.make_text(subject)

    def send(self, text: str) -> None:
        """Send a text soon, instead of one that is still waiting."""
        self.was_sent = True
        self._next = text
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    async def _send(self) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):  # it has closed
            while (text := self._next) is not None:
                self._next = None
                await self.transmit(text)
        self._sender = None

    def close(self) -> None:
        """Send nothing more."""
        if self._sender is not None:
            self._sender.cancel()


class Hub:
    """All open pages by topic."""

    def __init__(self) -> None:
        self.topics: dict[str, Topic] = {}  # by kind
        self.closing = False  # whether the server stops
        self._pages: dict[str, set[Page]] = {}
        self._by_owner: Counter[str] = Counter()
        self._by_network: Counter[str] = Counter()
        self._sent: dict[str, int] = {}  # the latest version that pages of a topic were sent
        # Announced topics, each with its subject and whether only a newer version is sent
        # and, if nothing else has changed, the owners who came or went
        self._pending: dict[str, tuple[Any, bool, frozenset[str] | None]] = {}
        self._senders = KeyedTasks(self._send)
        self._viewed: Recent[str, float] = Recent(MAX_VIEWED)  # topics of pages without scripts
        # Called with a topic and an owner, when their first page there opens or the last closes
        self.observers: list[Callable[[str, str, bool], None]] = []
        self._loop = asyncio.get_running_loop()

    def enter(self, page: Page) -> None:
        """Send a page the changes of its topic from now on."""
        pages = self._pages.setdefault(page.topic, set())
        if all(other.owner != page.owner for other in pages):
            self._observe(page, here=True)
        pages.add(page)
        self._by_owner[page.owner] += 1
        self._by_network[page.network] += 1

    def leave(self, page: Page) -> None:
        """Send a page nothing more."""
        page.close()
        for counter, name in ((self._by_owner, page.owner), (self._by_network, page.network)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]
        pages = self._pages[page.topic]
        pages.discard(page)
        if all(other.owner != page.owner for other in pages):
            self._observe(page, here=False)
        if not pages:
            del self._pages[page.topic]
            self._sent.pop(page.topic, None)

    def owners(self, topic: str = "") -> set[str]:
        """Return those who have a page open, on a topic or on any."""
        if not topic:
            return set(self._by_owner)
        return {page.owner for page in self._pages.get(topic, ())}

    def open_topics(self, start: str) -> list[str]:
        """List the topics with this start on which a page is open."""
        return [topic for topic in self._pages if topic.startswith(start)]

    def _observe(self, page: Page, *, here: bool) -> None:
        for observe in self.observers:
            observe(page.topic, page.owner, here)

    def end_streams(self) -> None:
        """End all event streams, because the server stops; those who follow come back."""
        self.closing = True
        for page in [page for pages in self._pages.values() for page in pages]:
            if page.end is not None:
                page.end()

    def has_room(self, owner: str, most: int, network: str = "") -> bool:
        """Whether an owner in a network may open one more page."""
        full = network and self._by_network[network] >= MAX_PAGES_BY_NETWORK
        return not full and (not owner or self._by_owner[owner] < most)

    def note_view(self, topic: str) -> None:
        """Note that a page on a topic was requested, perhaps without scripts; from any thread."""
        self._viewed.keep(topic, time.monotonic())

    def is_open(self, topic: str) -> bool:
        """Whether a page is open on a topic; from any thread."""
        return topic in self._pages

    def is_watched(self, topic: str) -> bool:
        """Whether a page is open on a topic, or was requested just now."""
        return topic in self._pages or time.monotonic() - self._viewed.get(topic, -VIEWED) < VIEWED

    def announce(
        self,
        topic: str,
        subject: Any = None,
        *,
        newer: bool = False,
        presence: frozenset[str] | None = None,
    ) -> None:
        """Send the pages of a topic that has changed; from any thread.

        Passing the subject saves fetching it. With `newer`, pages that were already sent this
        version are not sent it again. With `presence`, nothing has changed but that these owners
        came or went, which is shown to the others.
        """
        call_soon(self._loop, self._enqueue, topic, subject, newer, presence)

    def announce_all(self) -> None:
        """Announce every topic, since any may have changed; from any thread."""
        for topic in tuple(self._pages):
            self.announce(topic, newer=True)

    def _enqueue(
        self, topic: str, subject: Any, newer: bool, presence: frozenset[str] | None
    ) -> None:
        if topic not in self._pages:
            return
        if topic in self._pending:
            waiting, only_newer, moved = self._pending[topic]
            if subject is None or (waiting is not None and waiting.version > subject.version):
                subject = waiting
            newer = newer and only_newer
            presence = None if presence is None or moved is None else presence | moved
        self._pending[topic] = (subject, newer, presence)
        self._senders.wake(topic)

    async def _send(self, topic: str) -> None:
        """Send the pages of a topic what was announced last."""
        if topic not in self._pending:  # it was sent together with an earlier announcement
            return
        subject, newer, presence = self._pending.pop(topic)
        sent = self._sent.get(topic, -1)
        try:
            if subject is None:
                kind, _, subject_id = topic.partition(":")
                known = self.topics.get(kind)
                subject = await asyncio.to_thread(known.fetch, subject_id) if known else None
            elif subject.version < sent:  # from a thread that was late
                return
            if subject is not None and not (newer and sent == subject.version):
                await self._deliver(topic, subject, presence)
        except Exception:
            LOG.exception("the change of %s could not be sent", topic)
        pages = self._pages.get(topic, ())
        await asyncio.sleep(max((page.pause for page in pages), default=0))  # others go first

    async def _deliver(self, topic: str, subject: Any, presence: frozenset[str] | None) -> None:
        """Render a subject once for each role and send every page its text."""
        texts: dict[Any, str] = {}
        for page in tuple(self._pages.get(topic, ())):
            if presence is not None and not (page.shows_presence and presence - {page.owner}):
                continue
            try:
                role = page.role(subject)
                if role not in texts:
                    texts[role] = await page.render(subject)
                page.send(texts[role])
            except Exception:  # the other pages are sent anyway
                LOG.exception("a page of %s could not be rendered", topic)
        if topic in self._pages and presence is None:
            self._sent[topic] = subject.version


def announce_everywhere(hub: Hub, store: Store, topic: str) -> None:
    """Send the pages of a topic that has changed, here and on the other servers."""
    hub.announce(topic)
    with contextlib.suppress(Unavailable):  # the change itself is stored
        store.notify(topic)


# Presence: whose pages of one kind are open, here and on the other servers
#
# Each server stores who came and went at its own pages, a little later and all together, and notes
# every now and then that it still runs. Those who use pages without scripts, and programs that only
# ask now and then, are there for a while after each request.

PAUSE = 0.2  # seconds for which comings and goings are collected
BEAT = 30.0  # seconds between two notes that a server still runs
STALE = 3 * BEAT  # seconds after which a server that is silent has died
VIEW = "view"  # the "server" of pages that are not live
THERE = 15.0  # seconds for which somebody without a live page is there after a request
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
        # When pages that are not live were requested
        self._views: Recent[tuple[str, str], float] = Recent(MAX_VIEWS)
        self._senders = KeyedTasks(self._flush)
        hub.observers.append(self._observe)

    def _observe(self, topic: str, owner: str, here: bool) -> None:
        """Note that the first page of an owner on a topic has opened, or the last has closed."""
        if topic.startswith(self._pages) and owner:
            self._note(topic.removeprefix(self._pages), owner, 0.0 if here else time.time())

    def _note(self, page: str, owner: str, gone: float) -> None:
        self._changed[page, owner] = Sighting(page, owner, self._server, time.time(), gone)
        self._senders.wake("")

    def _note_view(self, page: str, owner: str, grace: float = 0.0) -> None:
        """Note that somebody has asked for a page, perhaps without scripts; from any thread.

        `grace` is how long somebody who has gone still counts as there.
        """
        call_soon(self._loop, self._view, page, owner, grace)

    def _view(self, page: str, owner: str, grace: float) -> None:
        now, key = time.time(), (page, owner)
        if owner in self._hub.owners(f"{self._pages}{page}"):
            return
        if now - self._views.get(key, 0.0) < THERE / 3:
            return
        self._views.keep(key, now)
        seen = Sighting(page, owner, VIEW, now, now + THERE - grace)
        self._changed.setdefault(key, seen)
        self._senders.wake("")

    async def _flush(self, _: str) -> None:
        """Store and show what was collected; what a database that is away has missed is lost."""
        await asyncio.sleep(PAUSE)
        changed, self._changed = list(self._changed.values()), {}
        if changed:
            await self._show(changed, await asyncio.to_thread(self._store_changes, changed))

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


# The WebSocket


@contextlib.asynccontextmanager
async def subscribe(hub: Hub, socket: WebSocket, page: Page) -> AsyncIterator[None]:
    """Send a page the changes of its topic meanwhile; the close code says whether to reconnect."""
    hub.enter(page)
    try:
        yield
    except (WebSocketDisconnect, KeyError, RuntimeError):
        pass
    except Unavailable:
        await socket.close(TRY_LATER)
    except ParlourError:  # the game is not installed any more, or there is no such view
        await socket.close(GONE)
    finally:
        hub.leave(page)


async def live(socket: WebSocket) -> None:
    """Keep one page up to date for as long as it is open."""
    hub: Hub = socket.app.state.services.hub
    visitor: Visitor = socket.state.visitor
    name, view = (
        socket.query_params.get(each, "")[:MAX_TOPIC_LENGTH] for each in ("topic", "view")
    )
    kind, _, subject_id = name.partition(":")
    topic = hub.topics.get(kind)
    await socket.accept()
    owner = visitor.owner or visitor.address
    if topic is None or not hub.has_room(owner, MAX_PAGES, visitor.network):
        await socket.close(GONE if topic is None else TRY_LATER)
        return

    language, prefix = known_language(socket.query_params.get("language", "")), current_prefix()

    def make_text(subject: Any) -> str:
        # The hub renders it for all readers of this language
        with use_language(language), use_prefix(prefix):
            html = topic.render(subject, visitor, view)
        return json.dumps({"version": subject.version, "html": html})

    def role(subject: Any) -> Hashable:
        return topic.role(subject, visitor), view, language

    page = Page(
        socket.send_text,
        name,
        owner,
        role,
        make_text,
        topic.in_thread,
        topic.pause,
        shows_presence=True,
        network=visitor.network,
    )
    async with subscribe(hub, socket, page):
        subject = await asyncio.to_thread(topic.fetch, subject_id)
        if subject is None:
            await socket.close(GONE)
            return
        if topic.on_open is not None:
            topic.on_open(subject)
        have = socket.query_params.get("have", "")
        if not page.was_sent and (str(subject.version) != have or view):
            text = await page.render(subject)
            if not page.was_sent:
                page.send(text)
        while True:
            await socket.receive_text()  # pages send nothing; this waits until they close
