"""Lines looked through in the background: what every position of them is worth, found bit by bit.

A page shows what is known and looks again. As long as somebody does, the work goes on in pieces of
about two seconds; when nobody has looked for a while it stops, and goes on where it was when
somebody comes back. What was found is there for everybody, whichever line leads to it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from parlour.core import ParlourError, values
from parlour.faces.web.review.lines import Line
from parlour.faces.web.workers import TooMany
from parlour.players import MOST_MOVES, Assessment, Reviewed, judged
from parlour.rules import Othello

if TYPE_CHECKING:
    from parlour.faces.web.house import House

MOST_KEPT = 4_000  # positions of all lines together
PIECE = 2.0  # seconds after which a worker tells what it has found
MOST_AT_ONCE = 50  # positions
GLANCE = 0.2  # seconds for an estimate
PROOF = 4.0  # seconds for a proof
SLACK = 8.0  # seconds for a worker to load what it needs
LEFT = 8.0  # seconds after which nobody is looking any more
PATIENCE = 0.8  # seconds a page waits for its own position
GLIMPSE = 0.2  # and for the rest
SOON = 0.02  # seconds between two looks whether it is there
BUSY = 1.0  # seconds until somebody who asks much may ask again


@dataclass(eq=False)
class Analysis:
    """A line, and what is known of its positions."""

    line: Line
    positions: tuple[str, ...]
    found: list[Assessment | None]
    at: int = 0  # where somebody looked last
    looked: float = 0.0
    work: asyncio.Task[None] | None = None
    _judged: dict[int, Reviewed] = field(default_factory=dict)

    # What holds the values knows a variant by these.

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.line.game.name

    @cached_property
    def options(self) -> dict[str, Any]:
        """All its options."""
        return values(self.line.game)

    @property
    def missing(self) -> list[int]:
        """The positions of which nothing is known yet."""
        return [at for at, found in enumerate(self.found) if found is None]

    def reviewed(self) -> list[Reviewed | None]:
        """Every move, judged as far as that is known; those of the opening are nobody's."""
        own = range(self.line.opening + 1, len(self.line.moves) + 1)
        return [None] * self.line.opening + [self._review(number) for number in own]

    def _review(self, number: int) -> Reviewed | None:
        found = self.found[number - 1]
        if number not in self._judged and found is not None:
            game, state = self.line.game, self.line.states[number - 1]
            move = game.read_move(state, self.line.moves[number - 1])
            self._judged[number] = judged(game, state, move, number, found)
        return self._judged.get(number)


class Analyst:
    """The lines this server has looked through, used from one event loop."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._kept: OrderedDict[str, Analysis] = OrderedDict()

    async def look(self, line: Line, at: int, whose: str) -> Analysis:
        """What is known of a line, after a moment's patience; the rest is being found out."""
        name = line.address()
        if name not in self._kept:
            fresh = await self.house.run(self._begun, line)
            self._kept.setdefault(name, fresh)
        analysis = self._kept[name]
        self._kept.move_to_end(name)  # the one used last stands last
        many = sum(len(each.found) for each in self._kept.values())
        while many > MOST_KEPT and len(self._kept) > 1:
            many -= len(self._kept.popitem(last=False)[1].found)
        analysis.at = at
        analysis.looked = begun = time.monotonic()
        if analysis.work is None and analysis.missing:
            analysis.work = asyncio.create_task(self._work_out(analysis, whose))
        while analysis.missing:
            waited = time.monotonic() - begun
            if waited > (PATIENCE if analysis.found[at] is None else GLIMPSE):
                break
            await asyncio.sleep(SOON)
        return analysis

    def _begun(self, line: Line) -> Analysis:
        """A line with what is known of its positions from elsewhere."""
        positions = tuple(map(line.game.write, line.states))
        analysis = Analysis(line, positions, [None] * len(positions))
        for at, position in enumerate(positions):
            known = self.house.valuer.known(analysis, position)
            if known is not None:
                self._enter(analysis, at, known)
        return analysis

    def _enter(self, analysis: Analysis, at: int, known: dict[str, Any]) -> None:
        """Take over what is known, unless the move that was made is among those left out."""
        found = Assessment.from_dict(known)
        line = analysis.line
        made = line.moves[at] if at < len(line.moves) else ""
        all_told = len(line.game.moves(line.states[at])) <= MOST_MOVES
        if not made or all_told or any(each.move == made for each in found.moves):
            analysis.found[at] = found

    async def _work_out(self, analysis: Analysis, whose: str) -> None:
        """Find out piece by piece, where somebody is looking first, as long as somebody is."""
        try:
            while (missing := analysis.missing) and _is_watched(analysis):
                here = [analysis.at] if analysis.at in missing else []
                await self._find(analysis, here or missing[:MOST_AT_ONCE], whose)
        finally:
            analysis.work = None

    async def _find(self, analysis: Analysis, which: list[int], whose: str) -> None:
        line = analysis.line
        seconds = GLANCE if isinstance(line.game, Othello) else PROOF
        payload = {
            "game": analysis.game,
            "options": analysis.options,
            "position": line.position,
            "moves": line.moves,
            "which": which,
            "seconds": seconds,
            "within": PIECE,
        }
        limit = PIECE + seconds + SLACK
        try:
            told = await self.house.thinkers.ask("review", payload, limit, whose=whose)
        except TooMany:
            await asyncio.sleep(BUSY)
            return
        except ParlourError as trouble:
            analysis.found[which[0]] = Assessment(why_not=str(trouble))
            return
        for at, found in zip(which, told, strict=False):
            analysis.found[at] = Assessment.from_dict(found)
            self.house.valuer.keep(analysis, analysis.positions[at], found)
        if not told:
            analysis.found[which[0]] = Assessment(why_not="it was not found in time")


def _is_watched(analysis: Analysis) -> bool:
    return time.monotonic() - analysis.looked < LEFT
