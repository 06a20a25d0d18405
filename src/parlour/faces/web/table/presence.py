"""Who is at a table: here, reconnecting, or away, and since when.

A player is here while a page of theirs is connected to any server. When the last one closes they
are reconnecting for a moment, as a phone does that changes its network, and then away. Those who
use pages without scripts, and programs that only ask now and then, are here for a while after each
request.

Each server stores who came and went at its own pages, a little later and all together, and reads
what the others have stored when they announce it. What a page shows is worked out from that without
asking the database. The time that counts for a claim is the stored one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

from parlour.faces.web.live import Hub
from parlour.faces.web.table.service import is_for_two_people
from parlour.store import Sighting, Store, Table, Unavailable

LOG = logging.getLogger("parlour")

TOPIC = "presence:"  # announced to the other servers with the id of a table
GRACE = 12.0  # seconds for which somebody counts as reconnecting
CLAIM_AFTER = 120.0  # seconds away after which the other may claim the game
UNSEEN_CLAIM_AFTER = 600.0  # the same for those who never had a live page: they may be thinking
PAUSE = 0.2  # seconds for which comings and goings are collected
BEAT = 30.0  # seconds between two notes that a server still runs
STALE = 3 * BEAT  # seconds after which a server that is silent has died
VIEW = "view"  # the "server" of pages that are not live
VIEWED = 15.0  # seconds for which somebody without a live page is here after a request
MAX_TABLES = 5_000  # whose players are remembered


@dataclass(frozen=True)
class Whereabouts:
    """Where a player is: "here", "reconnecting" or "away", and since when."""

    state: str
    since: float  # seconds since the epoch
    live: bool = True  # whether they ever had a live page at this table


class Presence:
    """Who is at the tables of this server, and of the others as far as a page here shows them."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._server = store.new_id()
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._known: OrderedDict[str, list[Sighting]] = OrderedDict()  # by table, the latest last
        self._here: dict[str, set[str]] = {}  # the owners with a live page here, by table
        self._changed: dict[tuple[str, str], Sighting] = {}  # what is yet to be stored
        self._views: dict[tuple[str, str], float] = {}  # requests of pages that are not live
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._flushing: asyncio.Task[None] | None = None
        hub.observers.append(self._observe)

    # Coming and going

    def _observe(self, topic: str, owner: str, here: bool) -> None:
        """Note that the first page of an owner on a topic has opened, or the last has closed."""
        kind, _, table_id = topic.partition(":")
        if kind != "table" or not owner:
            return
        now = time.time()
        if here:
            self._here.setdefault(table_id, set()).add(owner)
        else:
            owners = self._here.get(table_id, set())
            owners.discard(owner)
            if not owners:
                self._here.pop(table_id, None)
        self._changed[table_id, owner] = Sighting(
            table_id, owner, self._server, now, 0.0 if here else now
        )
        self._flush_soon()

    def note_view(self, table: Table, owner: str) -> None:
        """Note that a player has asked for a table, perhaps by a page without scripts."""
        if owner and is_for_two_people(table) and any(s.owner == owner for s in table.seats):
            with contextlib.suppress(RuntimeError):  # the loop has closed
                self._loop.call_soon_threadsafe(self._note_view, table.id, owner)

    def _note_view(self, table_id: str, owner: str) -> None:
        now, key = time.time(), (table_id, owner)
        if owner in self._here.get(table_id, ()) or now - self._views.get(key, 0.0) < VIEWED / 3:
            return
        self._views[key] = now
        if len(self._views) > MAX_TABLES:
            self._views = {each: at for each, at in self._views.items() if now - at < VIEWED}
        self._changed.setdefault(key, Sighting(table_id, owner, VIEW, now, now + VIEWED))
        self._flush_soon()

    def on_change(self, table: Table, ended: bool = False) -> None:
        """Store who is here once two people sit at a table; from any thread."""
        if not table.moves and is_for_two_people(table):
            with contextlib.suppress(RuntimeError):  # the loop has closed
                self._loop.call_soon_threadsafe(self._restate, table.id)

    def _restate(self, table_id: str) -> None:
        now = time.time()
        for owner in self._here.get(table_id, ()):
            self._changed[table_id, owner] = Sighting(table_id, owner, self._server, now, 0.0)
        if table_id in self._here:
            self._flush_soon()

    def _flush_soon(self) -> None:
        if self._flushing is None or self._flushing.done():
            self._flushing = self._loop.create_task(self._flush())

    async def _flush(self) -> None:
        while self._changed:
            await asyncio.sleep(PAUSE)
            changed, self._changed = self._changed, {}
            tables = {table_id for table_id, _ in changed}
            try:
                noted = await asyncio.to_thread(self._store_changes, list(changed.values()))
            except Unavailable:  # the database comes back, and then a page opens again
                continue
            came = {table_id for (table_id, _), each in changed.items() if not each.gone}
            for table_id in noted | {each for each in tables if each not in self._known}:
                await self._refresh(table_id, came=table_id in came)

    def _store_changes(self, changed: list[Sighting]) -> set[str]:
        """Store sightings and tell the other servers; return the tables where players came or went.

        Those who only watch are no players, and at a table with bots nobody waits for a person.
        """
        noted = self._store.presence.note(changed)
        for table_id in noted:
            self._store.notify(f"{TOPIC}{table_id}")
        return noted

    # Knowing

    def receive(self, topic: str) -> None:
        """Read what another server has stored of a table, if a page here shows it."""
        table_id = topic.removeprefix(TOPIC)

        def read() -> None:
            if table_id in self._here:
                self._loop.create_task(self._refresh(table_id))

        with contextlib.suppress(RuntimeError):  # the loop has closed
            self._loop.call_soon_threadsafe(read)

    async def _refresh(self, table_id: str, *, came: bool = False) -> None:
        """Read who is at a table, and update the pages on which that changes something.

        A page that has just opened may have missed one since it was made, so it is shown them all.
        """
        before = self._states(table_id)
        with contextlib.suppress(Unavailable):
            await asyncio.to_thread(self.load, table_id)
            after = self._states(table_id)
            changed = {o for o in {*before, *after} if came or before.get(o) != after.get(o)}
            if changed:
                self._hub.announce(f"table:{table_id}", presence=frozenset(changed))
            self._set_timer(table_id)

    def _states(self, table_id: str) -> dict[str, str]:
        """Return what is known of the players at a table: here, reconnecting or away."""
        now = time.time()
        with self._lock:
            found = list(self._known.get(table_id, ()))
        places = {each.owner: _where(found, each.owner, now) for each in found}
        return {owner: place.state for owner, place in places.items() if place is not None}

    def load(self, table_id: str) -> list[Sighting]:
        """Read who is at a table; not from the event loop."""
        found = self._store.presence.find(table_id)
        with self._lock:
            self._known.pop(table_id, None)
            if found:
                self._known[table_id] = found
                if len(self._known) > MAX_TABLES:
                    self._known.popitem(last=False)
        return found

    def forget(self, owner: str) -> None:
        """Forget somebody who has deleted their data; from any thread."""
        with self._lock:
            for table_id, found in list(self._known.items()):
                if any(each.owner == owner for each in found):
                    self._known[table_id] = [each for each in found if each.owner != owner]
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._forget_here, owner)

    def _forget_here(self, owner: str) -> None:
        for owners in self._here.values():
            owners.discard(owner)
        self._views = {key: at for key, at in self._views.items() if key[1] != owner}
        self._changed = {key: each for key, each in self._changed.items() if key[1] != owner}

    def where_is(self, table: Table, seat: int, now: float | None = None) -> Whereabouts | None:
        """Return where the player of a seat is, as far as it is known here."""
        with self._lock:
            found = list(self._known.get(table.id, ()))
        return _where(found, table.seats[seat].owner, time.time() if now is None else now)

    def claimable_in(self, table: Table, seat: int) -> float | None:
        """Return the seconds until a game may be claimed from a seat; None if its player is here.

        This asks the database, so that it counts what every server has seen.
        """
        return _claimable_in(table, seat, self.load(table.id), time.time())

    def countdown(self, table: Table, seat: int) -> float | None:
        """Return the same as far as it is known here, for the page."""
        with self._lock:
            found = list(self._known.get(table.id, ()))
        return _claimable_in(table, seat, found, time.time()) if found else None

    # As time goes on

    def _set_timer(self, table_id: str) -> None:
        """Show a table again when somebody has been gone for long enough to matter."""
        if (timer := self._timers.pop(table_id, None)) is not None:
            timer.cancel()
        if table_id not in self._here:
            return
        now = time.time()
        with self._lock:
            found = self._known.get(table_id, ())
            owners = frozenset(each.owner for each in found if each.gone)
            gone = [each.gone for each in found if each.gone]
        spans = (GRACE, CLAIM_AFTER, UNSEEN_CLAIM_AFTER)
        due = [at + span for at in gone for span in (0.0, *spans) if at + span > now]
        if due:
            self._timers[table_id] = self._loop.call_later(
                min(due) - now + 0.05, self._show_again, table_id, owners
            )

    def _show_again(self, table_id: str, owners: frozenset[str]) -> None:
        self._timers.pop(table_id, None)
        self._hub.announce(f"table:{table_id}", presence=owners)
        self._set_timer(table_id)

    async def beat(self) -> None:
        """Say every now and then that this server still runs, and look after the others."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                if self._here:
                    await asyncio.to_thread(self._store.presence.beat, self._server, time.time())
                for table_id in list(self._here):
                    with self._lock:
                        found = self._known.get(table_id, ())
                        others = any(s.server != self._server and not s.gone for s in found)
                    if others:
                        await self._refresh(table_id)
            except Unavailable:  # the next beat may succeed
                continue
            except Exception:
                LOG.exception("who is at the tables could not be stored")


def _where(found: list[Sighting], owner: str, now: float) -> Whereabouts | None:
    own = [each for each in found if each.owner == owner]
    if not own:
        return None
    live = any(each.server != VIEW for each in own)
    if any(each.gone == 0 and now - each.seen < STALE for each in own):
        return Whereabouts("here", max(each.seen for each in own), live)
    last = max(each.gone or each.seen for each in own)
    if now < last:
        return Whereabouts("here", last, live)
    return Whereabouts("reconnecting" if now - last < GRACE else "away", last, live)


def _claimable_in(table: Table, seat: int, found: list[Sighting], now: float) -> float | None:
    """Return the seconds until a claim, counted from when the player left or the turn began."""
    player = _where(found, table.seats[seat].owner, now)
    if player is not None and player.state == "here":
        return None
    span = CLAIM_AFTER if player is not None and player.live else UNSEEN_CLAIM_AFTER
    since = max(table.turned, player.since if player is not None else table.begun)
    return max(0.0, since + span - now)
