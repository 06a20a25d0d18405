"""Who is at a table: here, reconnecting, or away, and since when.

A player is here while a page of theirs is connected to any server. When the last one closes they
are reconnecting for a moment, as a phone does that changes its network, and then away.

Each server reads what the others have stored when they announce it. What a page shows is worked out
from that without asking the database. The time that counts for a claim is the stored one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from parlour.faces.web.background import call_soon
from parlour.faces.web.clients import Recent
from parlour.faces.web.live import STALE, VIEW, Hub, Presence
from parlour.faces.web.table.service import is_for_two_people
from parlour.store import Sighting, Store, Table, Unavailable

TABLE = "table:"  # the topic of the page of a table
TOPIC = "presence:"  # announced to the other servers with the id of a table
GRACE = 12.0  # seconds for which somebody counts as reconnecting
CLAIM_AFTER = 120.0  # seconds away after which the other may claim the game
UNSEEN_CLAIM_AFTER = 600.0  # the same for those who never had a live page: they may be thinking
SPANS = (0.0, GRACE, CLAIM_AFTER, UNSEEN_CLAIM_AFTER)  # after which a page changes
MAX_TABLES = 5_000  # whose players are remembered


@dataclass(frozen=True)
class Whereabouts:
    """Where a player is: "here", "reconnecting" or "away", and since when."""

    state: str
    since: float  # seconds since the epoch
    live: bool = True  # whether they ever had a live page at this table


class TablePresence(Presence):
    """Who is at the tables of this server, and of the others as far as a page here shows them."""

    def __init__(self, store: Store, hub: Hub) -> None:
        super().__init__(store, hub, store.presence, TABLE, TOPIC)
        self._known: Recent[str, list[Sighting]] = Recent(MAX_TABLES)  # by table
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # Coming and going

    def note_view(self, table: Table, owner: str) -> None:
        """Note that a player has asked for a table, perhaps by a page without scripts."""
        if owner and is_for_two_people(table) and any(s.owner == owner for s in table.seats):
            self._note_view(table.id, owner)

    def on_change(self, table: Table, ended: bool = False) -> None:
        """Store who is here once two people sit at a table; from any thread."""
        if not table.moves and is_for_two_people(table):
            call_soon(self._loop, self._restate, table.id)

    def _restate(self, table_id: str) -> None:
        for owner in self._hub.owners(f"{TABLE}{table_id}"):
            self._note(table_id, owner, gone=0.0)

    async def _show(self, changed: Sequence[Sighting], noted: set[str]) -> None:
        """Read who is at these tables; somebody who came may have missed a change."""
        came = {each.page for each in changed if not each.gone}
        tables = {each.page for each in changed}
        for table_id in noted | {each for each in tables if each not in self._known}:
            await self._refresh(table_id, came=table_id in came)

    # Knowing

    def receive(self, topic: str) -> None:
        """Read what another server has stored of a table, if a page here shows it."""
        table_id = topic.removeprefix(TOPIC)

        def read() -> None:
            if self._hub.is_open(f"{TABLE}{table_id}"):
                self._loop.create_task(self._refresh(table_id))

        call_soon(self._loop, read)

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
                self._hub.announce(f"{TABLE}{table_id}", presence=frozenset(changed))
            self._set_timer(table_id)

    def _states(self, table_id: str) -> dict[str, str]:
        """Return what is known of the players at a table: here, reconnecting or away."""
        now, found = time.time(), self._known.get(table_id, [])
        places = {each.owner: _where(found, each.owner, now) for each in found}
        return {owner: place.state for owner, place in places.items() if place is not None}

    def load(self, table_id: str) -> list[Sighting]:
        """Read who is at a table; not from the event loop."""
        found = self._store.presence.find(table_id)
        self._known.keep(table_id, found)
        return found

    def forget(self, owner: str) -> None:
        """Forget somebody who has deleted their data; from any thread."""
        for table_id, found in list(self._known.items()):
            if any(each.owner == owner for each in found):
                self._known[table_id] = [each for each in found if each.owner != owner]
        call_soon(self._loop, self._forget_here, owner)

    def _forget_here(self, owner: str) -> None:
        for known in (self._views, self._changed):
            for key in [key for key in known if key[1] == owner]:
                del known[key]

    def where_is(self, table: Table, seat: int) -> Whereabouts | None:
        """Return where the player of a seat is, as far as it is known here."""
        return _where(self._known.get(table.id, []), table.seats[seat].owner, time.time())

    def claimable_in(self, table: Table, seat: int) -> float | None:
        """Return the seconds until a game may be claimed from a seat; None if its player is here.

        This asks the database, so that it counts what every server has seen.
        """
        return _claimable_in(table, seat, self.load(table.id), time.time())

    def countdown(self, table: Table, seat: int) -> float | None:
        """Return the same as far as it is known here, for the page."""
        found = self._known.get(table.id, [])
        return _claimable_in(table, seat, found, time.time()) if found else None

    # As time goes on

    def _set_timer(self, table_id: str) -> None:
        """Show a table again when somebody has been gone for long enough to matter."""
        if (timer := self._timers.pop(table_id, None)) is not None:
            timer.cancel()
        if not self._hub.is_open(f"{TABLE}{table_id}"):
            return
        now, gone = time.time(), [each for each in self._known.get(table_id, []) if each.gone]
        owners = frozenset(each.owner for each in gone)
        ends = (each.gone + span for each in gone for span in SPANS)
        due = [end for end in ends if end > now]
        if due:
            self._timers[table_id] = self._loop.call_later(
                min(due) - now + 0.05, self._show_again, table_id, owners
            )

    def _show_again(self, table_id: str, owners: frozenset[str]) -> None:
        self._timers.pop(table_id, None)
        self._hub.announce(f"{TABLE}{table_id}", presence=owners)
        self._set_timer(table_id)

    async def beat(self) -> None:
        """Note that this server still runs, and look after the players on others."""
        await super().beat()
        for topic in self._hub.open_topics(TABLE):
            table_id = topic.removeprefix(TABLE)
            found = self._known.get(table_id, [])
            if any(each.server != self._server and not each.gone for each in found):
                await self._refresh(table_id)


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
