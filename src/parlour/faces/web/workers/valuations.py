"""What positions are worth, worked out once and remembered for every page that shows it.

A page never waits for a value: it shows those that are known, and hears when more are. What went
wrong by the way, as when a process died, is told for a while and then tried again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from parlour.core import ParlourError
from parlour.faces.web.background import AGAIN, Errands
from parlour.faces.web.table import game_of, whose
from parlour.faces.web.workers.cache import FORGOTTEN, PASSING
from parlour.faces.web.workers.pool import TooMany
from parlour.store import Table

if TYPE_CHECKING:
    from parlour.faces.web.house import House

MOST_KEPT = 50_000_000  # letters
LIMIT = 20.0  # seconds to prove something, or give it up
LOOK = 0.5  # seconds for an estimate of the position on the table
GLANCE = 0.1  # and of each of those before it
TOLD_EVERY = 8  # positions of the past between two announcements

Key = tuple[str, str, str]
Assessment = dict[str, Any]


class Valuer:
    """All values this server knows."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._known: OrderedDict[Key, str] = OrderedDict()  # as JSON, a tenth of the size
        self._size = 0
        self._troubles: dict[Key, tuple[str, float]] = {}  # what went wrong by the way, and when
        self._errands = Errands(self._work_out)

    def known(self, thing: Any, position: str) -> Assessment | None:
        """What a position of a game is worth, if that is known already."""
        text = self._known.get(_key(thing, position))
        return None if text is None else json.loads(text)

    def keep(self, thing: Any, position: str, found: Assessment) -> None:
        """Remember what a position is worth; the oldest are forgotten for it."""
        key, text = _key(thing, position), json.dumps(found)
        self._size += len(text) - len(self._known.pop(key, ""))
        self._known[key] = text
        while self._size > MOST_KEPT:
            self._size -= len(self._known.popitem(last=False)[1])

    def of_table(self, table: Table) -> tuple[Assessment | None, list[Assessment]]:
        """What is known of the position on a table and of those before it, oldest first.

        What is not known is asked for, and announced to the pages of the table when it is.
        """
        found = [self._told(table, position) for position in _positions(table)]
        if None in found:
            self._errands.wake(table.id)
        return found[-1], [each or {} for each in found]

    def _told(self, table: Table, position: str) -> Assessment | None:
        """What is known, or what went wrong just now."""
        why, when = self._troubles.get(_key(table, position), ("", 0.0))
        if why and time.monotonic() - when < FORGOTTEN:
            return _unknown(why)
        return self.known(table, position)

    def _note(self, table: Table, position: str, trouble: ParlourError) -> None:
        now = time.monotonic()
        fresh = {key: held for key, held in self._troubles.items() if now - held[1] < FORGOTTEN}
        self._troubles = {**fresh, _key(table, position): (str(trouble), now)}

    async def _work_out(self, name: str) -> None:
        """The present position of a table first, then the past, while somebody is looking."""
        table = await self.house.run(self.house.store.tables.get, name)
        if table is None:
            return
        positions = _positions(table)
        topic = f"table:{table.id}"
        since_told = 0
        for at in reversed(range(len(positions))):
            if self._told(table, positions[at]) is not None:
                continue
            now = at == len(positions) - 1
            if not now and not self.house.hub.is_watched(topic):
                break
            try:
                found = await self._assessed(table, list(table.moves[:at]), now)
                self.keep(table, positions[at], found)
            except PASSING as trouble:
                self._note(table, positions[at], trouble)
            since_told += 1
            if now or since_told == TOLD_EVERY:
                since_told = 0
                self.house.hub.announce(topic)
        if since_told:
            self.house.hub.announce(topic)

    async def _assessed(self, table: Table, moves: list[str], now: bool) -> Assessment:
        """What the moves of a position are worth; why not, where that cannot be said."""
        payload = {
            "game": table.game,
            "options": table.options,
            "moves": moves,
            "seconds": LOOK if now else GLANCE,
        }
        while True:
            try:
                found: Assessment = await self.house.thinkers.ask(
                    "assess", payload, seconds=LIMIT, whose=whose(table), patient=not now
                )
            except TooMany:
                await asyncio.sleep(AGAIN)
            except PASSING:
                raise
            except ParlourError as trouble:
                return _unknown(str(trouble))
            else:
                return found


def _unknown(why: str) -> Assessment:
    return {"moves": [], "value": None, "why_not": why}


def _positions(table: Table) -> list[str]:
    """All positions of a game so far, as text."""
    game = game_of(table)
    return [game.write(state) for state, _ in table.record().replay(game)]


def _key(thing: Any, position: str) -> Key:
    return thing.game, json.dumps(thing.options, sort_keys=True), position
