"""Who makes the bots move, one task a table for as long as it is a bot's turn, and who looks at the
clocks of those who think.

Nothing about it is stored. Whoever finds a table where a bot has to move wakes it, so a table goes
on after a restart; and if two servers ask the bot at once, the table takes one answer only. Bots
among themselves play only while somebody watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from parlour.core import Match, ParlourError
from parlour.faces.web.background import AGAIN, Errands
from parlour.faces.web.errors import NotThere
from parlour.faces.web.school import class_at
from parlour.faces.web.table import service as verbs
from parlour.faces.web.table.state import (
    bot_to_move,
    is_full,
    match_of,
    seconds_left,
    waits_for_ok,
    whose,
)
from parlour.faces.web.workers import TooMany
from parlour.store import Table, Unavailable

if TYPE_CHECKING:
    from parlour.faces.web.house import House

LIMIT = 30.0  # seconds a bot may think about a move; some have to prove the game first
PACE = 0.6  # seconds between two moves of bots, so that one can follow
TICK = 0.05  # seconds for which a clock has surely run out when it is looked at
RECENT = 24 * 3600  # seconds after which nobody waits for a table any more
MOST_WOKEN = 500


class Driver:
    """The bots and the clocks at all tables of this server."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._errands = Errands(self._play)
        self._flags = Errands(self._flag)
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        self._lessons: set[asyncio.Task[None]] = set()

    def wake(self, table: Table) -> None:
        """Let the bots move if it is their turn, or the clock run; from any thread."""
        if table.result is None and table.bots:
            self._errands.wake(table.id)
        if table.clock is not None:
            with contextlib.suppress(NotThere, RuntimeError):  # no such game, or the loop is closed
                self.house.loop.call_soon_threadsafe(self._time, table.id, _left(table))

    def wake_all(self) -> None:
        """Go on with every table that a server has left while a bot was thinking."""
        since = time.time() - RECENT
        for table in self.house.store.tables.find(
            over=False, changed_since=since, limit=MOST_WOKEN
        ):
            self.wake(table)

    # The clocks

    def _time(self, name: str, left: float | None) -> None:
        """Look at a clock when it will have run out; not at all where none runs for a person."""
        if (timer := self._clocks.pop(name, None)) is not None:
            timer.cancel()
        if left is not None:
            self._clocks[name] = self.house.loop.call_later(left + TICK, self._ring, name)

    def _ring(self, name: str) -> None:
        del self._clocks[name]
        self._flags.wake(name)

    async def _flag(self, name: str) -> None:
        with contextlib.suppress(NotThere):
            await self.house.clerk.do(partial(verbs.flag, self.house, name))

    # The bots

    async def _play(self, name: str) -> None:
        """One move after another, for as long as it is a bot's turn and somebody cares."""
        woken = True
        while True:
            table = await self.house.run(self.house.store.tables.get, name)
            try:
                match = match_of(table) if table is not None else None
            except NotThere:
                return
            seat = bot_to_move(table, match) if table and match else None
            if table is None or match is None or seat is None:
                return
            alone = not any(each.kind == "person" for each in table.seats)
            if alone and not self.house.hub.is_watched(f"table:{name}"):
                return
            if alone and woken and table.clock is not None:  # while they slept no clock ran
                fresh = replace(table, turned=time.time())
                await self.house.clerk.do(partial(verbs.store, self.house, table, fresh))
                woken = False
                continue
            begun = time.monotonic()
            answer = await self._asked(table, match, seat, patient=alone)
            if answer is None:
                await asyncio.sleep(AGAIN)
                continue
            if alone:
                await asyncio.sleep(max(0.0, PACE - (time.monotonic() - begun)))
            await self.house.clerk.do(partial(self._store, table, answer))

    async def _asked(
        self, table: Table, match: Match, seat: int, *, patient: bool
    ) -> dict[str, Any] | None:
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
        try:
            payload |= await self.house.school.at_seat(table.seats[seat])
            answer: dict[str, Any] = await self.house.thinkers.ask(
                "choose", payload, seconds=limit, whose=whose(table), patient=patient
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
        if table.bots:
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
        bots = [seat.bot for seat in table.seats if seat.kind == "bot" and not class_at(seat)]
        payload = {"record": table.record().to_json(), "bots": bots}
        while True:
            try:
                await self.house.thinkers.ask(
                    "teach", payload, seconds=LIMIT, whose=whose(table), patient=True
                )
            except TooMany:
                await asyncio.sleep(AGAIN)
            except ParlourError:
                return
            else:
                return


def _left(table: Table) -> float | None:
    """What is left on the clock that runs for a person; None where none does."""
    if table.result is not None or not is_full(table):
        return None
    match = match_of(table)
    if match.over or table.seats[match.turn].kind != "person" or waits_for_ok(table, match):
        return None
    left = seconds_left(table, match, match.turn)
    return None if left is None else max(0.0, left)
