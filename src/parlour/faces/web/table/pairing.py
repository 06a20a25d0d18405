"""Two people who want to play the same game are paired: `Play somebody now`.

Whoever asks is paired with the one who has waited longest for the same game by the same rules, and
otherwise waits. Somebody waits for as long as their page is open; the table and the pairing are
stored together, and the database decides who meets whom, on however many servers they are.
Programs are paired with programs only, for a person who asks for somebody means a person.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from parlour.core import Game, registry, title, values
from parlour.faces.web.background import call_soon
from parlour.faces.web.clients import account_id_of
from parlour.faces.web.errors import Changed
from parlour.faces.web.live import Hub, announce_everywhere
from parlour.faces.web.requests import service
from parlour.faces.web.table.service import TableService
from parlour.store import Seat, Store, Table, Unavailable, Waiter

TOPIC = "waiting:"
ALIVE = 15.0  # seconds since a page was last known to be open
NOTE = 5.0  # seconds between two notes that pages are open
LEAVING = 4.0  # seconds for which somebody still waits whose page has closed: it may come back


@dataclass(frozen=True)
class Wait:
    """What the page of somebody who waits shows; it is live."""

    waiter: Waiter | None
    title: str = ""

    @property
    def version(self) -> int:
        """A number that grows when they are paired or stop waiting."""
        return 2 if self.waiter is None else int(bool(self.waiter.table))


def topic_of(owner: str) -> str:
    """Return the topic of a person's waiting page, which only they know."""
    return f"{TOPIC}{owner.removeprefix('browser:')}"


class PairingService:
    """Those who wait, and the tables they are brought to."""

    def __init__(self, store: Store, tables: TableService, hub: Hub) -> None:
        self._store = store
        self._tables = tables
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        hub.observers.append(self._observe)

    def ask(self, owner: str, game: Game, name: str = "", *, program: bool = False) -> Table | None:
        """Pair somebody, and return the table; None if they have to wait."""
        if game.seats != 2:
            raise Changed("{title} is not for two; set up a game instead", title=title(game))
        now = time.time()
        with self._store.transaction():
            partner = self._store.waiting.pair(
                owner, variant_of(game, program), name, self._store.new_id(), now, now - ALIVE
            )
            table = None if partner is None else self._seat(game, owner, name, partner)
        if partner is not None:
            announce_everywhere(self._hub, self._store, topic_of(partner.owner))
        announce_everywhere(self._hub, self._store, "lobby:")
        return table

    def _seat(self, game: Game, owner: str, name: str, partner: Waiter) -> Table:
        """Create the table of two who were paired; lots are drawn for who begins."""
        names = [name, partner.name]
        if name.casefold() == partner.name.casefold() and not account_id_of(owner):
            names = ["", ""]  # they are told apart as player 1 and player 2
        people = [owner, partner.owner]
        seats = [
            Seat("person", each, owner=owner, account=each if account_id_of(owner) else "")
            for each, owner in zip(names, people, strict=True)
        ]
        if secrets.randbelow(2):
            seats.reverse()
        known = map(self._store.people.get, people)
        rated = all(person is not None and person.rated for person in known)
        return self._tables.create(game, seats, listed=False, name=partner.table, rated=rated)

    def find(self, owner: str) -> Wait:
        """Return what somebody waits for, or where they play."""
        waiter = self._store.waiting.get(owner)
        if waiter is None:
            return Wait(None)
        name, options, _ = json.loads(waiter.variant)
        return Wait(waiter, title(registry.build("games", name, options)))

    def see(self, owner: str) -> None:
        """Note that the page of somebody who waits is open; not from the event loop."""
        self._store.waiting.see([owner], time.time())

    def cancel(self, owner: str) -> None:
        """Let somebody wait no longer."""
        self._store.waiting.remove(owner)
        announce_everywhere(self._hub, self._store, topic_of(owner))
        announce_everywhere(self._hub, self._store, "lobby:")

    def leave(self, owner: str) -> None:
        """Delete what is known of somebody who has been brought to their table."""
        self._store.waiting.remove(owner)

    def count(self, games: Iterable[Game]) -> list[int]:
        """Count the people who wait for somebody to play each of these with."""
        found = self._store.waiting.counts(time.time() - ALIVE)
        return [found.get(variant_of(game), 0) for game in games]

    # Pages that open and close

    def _observe(self, topic: str, owner: str, here: bool) -> None:
        if topic != topic_of(owner):
            return
        seen = time.time() if here else time.time() - ALIVE + LEAVING
        self._loop.run_in_executor(None, self._note, owner, seen)

    def _note(self, owner: str, seen: float) -> None:
        with contextlib.suppress(Unavailable):  # the next beat may succeed
            self._store.waiting.see([owner], seen)
            if seen < time.time() - ALIVE / 2:  # the lobby counts one less after that
                call_soon(self._loop, self._announce_later, ALIVE + seen)

    def _announce_later(self, moment: float) -> None:
        delay = max(0.0, moment - time.time()) + 0.1
        self._loop.call_later(delay, self._hub.announce, "lobby:")

    async def beat(self) -> None:
        """Note whose pages are open."""
        owners = [each for each in self._hub.owners() if self._hub.is_open(topic_of(each))]
        await asyncio.to_thread(self._store.waiting.see, sorted(owners), time.time())


def variant_of(game: Game, program: bool = False) -> str:
    """Return what two have to ask for alike to be paired."""
    return json.dumps([game.name, values(game), "program" if program else "person"], sort_keys=True)


PairingDep = Annotated[PairingService, service(PairingService)]
