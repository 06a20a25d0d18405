"""Who makes the bots move: one task a table, for as long as it is a bot's turn.

Nothing about it is stored. Whoever finds a table where a bot has to move wakes it, so a table goes
on after a restart; and if two servers ask the bot at once, the table takes one answer only.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from parlour.core.errors import ParlourError
from parlour.core.match import Match
from parlour.faces.web import verbs
from parlour.faces.web.errands import AGAIN, Errands
from parlour.faces.web.schooling import playing
from parlour.faces.web.tables import bot_to_move, match_of, seconds_left
from parlour.faces.web.thinking import TooMany
from parlour.store.database import Unavailable
from parlour.store.things import Table

if TYPE_CHECKING:
    from parlour.faces.web.house import House

LIMIT = 30.0  # seconds a bot may think about a move; some have to prove the game first
PACE = 0.6  # seconds between two moves of bots, so that one can follow
RECENT = 24 * 3600  # seconds after which nobody waits for a table any more
MOST_WOKEN = 500


class Driver:
    """The bots at all tables of this server."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._errands = Errands(self._play)
        self._lessons: set[asyncio.Task[None]] = set()

    def wake(self, table: Table) -> None:
        """Let the bots move if it is their turn; from any thread."""
        if table.result is None and any(seat.kind == "bot" for seat in table.seats):
            self._errands.wake(table.id)

    def wake_all(self) -> None:
        """Go on with every table that a server has left while a bot was thinking."""
        since = time.time() - RECENT
        for table in self.house.store.tables.find(
            over=False, changed_since=since, limit=MOST_WOKEN
        ):
            self.wake(table)

    async def _play(self, name: str) -> None:
        """One move after another, for as long as it is a bot's turn."""
        while True:
            table = await self.house.run(self.house.store.tables.get, name)
            match = match_of(table) if table is not None else None
            seat = bot_to_move(table, match) if table and match else None
            if table is None or match is None or seat is None:
                return
            begun = time.monotonic()
            answer = await self._asked(table, match, seat)
            if answer is None:
                await asyncio.sleep(AGAIN)
                continue
            if not any(each.kind == "person" for each in table.seats):
                await asyncio.sleep(max(0.0, PACE - (time.monotonic() - begun)))
            await self.house.clerk.do(partial(self._store, table, answer))

    async def _asked(self, table: Table, match: Match, seat: int) -> dict[str, Any] | None:
        """What the bot answers: a move, or why it makes none; nothing if it has yet to wait."""
        left = seconds_left(table, match, seat)
        limit = LIMIT if left is None else max(0.1, min(LIMIT, left))
        payload = {
            "game": table.game,
            "options": table.options,
            "moves": list(table.moves),
            "bot": table.seats[seat].bot,
            "seat": seat,
            "left": left,
        }
        owners = [each.owner for each in table.seats if each.owner]
        try:
            payload |= await self.house.school.at_seat(table.seats[seat])
            answer: dict[str, Any] = await self.house.thinkers.ask(
                "choose", payload, seconds=limit, whose=owners[0] if owners else table.id
            )
        except (TooMany, Unavailable):
            return None  # which is not the fault of the bot
        except ParlourError as trouble:
            return {"resigns": f"could not move: {trouble}"}
        return answer

    def _store(self, table: Table, answer: dict[str, Any]) -> None:
        """Play the answer at the table it was asked for, unless that has changed since."""
        match = match_of(table)
        try:
            if "move" in answer:
                changed = verbs.played(table, match, str(answer["move"]))
            else:
                changed = verbs.stopped(table, match, str(answer.get("resigns") or "resigned"))
        except ParlourError as trouble:
            changed = verbs.stopped(table, match, f"could not move: {trouble}")
        verbs.store(self.house, table, changed)

    def teach(self, table: Table) -> None:
        """Let those who learn learn from a game that is over; from any thread."""
        if any(seat.kind == "bot" for seat in table.seats):
            with contextlib.suppress(RuntimeError):
                self.house.loop.call_soon_threadsafe(
                    lambda: self._keep(asyncio.create_task(self._teach(table)))
                )

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Hold a task until it is done: nobody else does."""
        self._lessons.add(task)
        task.add_done_callback(self._lessons.discard)

    async def _teach(self, table: Table) -> None:
        with contextlib.suppress(ParlourError):
            await self.house.school.learn(table)
        bots = [seat.bot for seat in table.seats if seat.kind == "bot" and not playing(seat)]
        payload = {"record": table.record().to_json(), "bots": bots}
        with contextlib.suppress(ParlourError):
            await self.house.thinkers.ask("teach", payload, seconds=LIMIT, whose=table.id)
