"""Reviews of lines in the background: what every position is worth, found bit by bit.

A page shows what is known and asks again. While somebody does, the work goes on in pieces of about
two seconds; otherwise it stops, and goes on where it was when somebody comes back. All lines that
reach a position share its value.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from parlour.core import ParlourError, say, values
from parlour.faces.web.review.address import Line
from parlour.faces.web.table import Valuations
from parlour.faces.web.workers import QueueFull, WorkerPool
from parlour.players import MAX_MOVES, Assessment, MoveReview, is_estimated, review_move

MAX_POSITIONS = 4_000  # positions of all lines together
BATCH_SECONDS = 2.0  # seconds after which a worker returns what it has found
MAX_BATCH = 50  # positions
ESTIMATE_SECONDS = 0.2  # seconds for an estimate
PROOF_SECONDS = 4.0  # seconds for a proof
STARTUP_SECONDS = 8.0  # seconds for a worker to load what it needs
CLOSED_AFTER = 8.0  # seconds after which the page counts as closed
WAIT_FOR_POSITION = 0.8  # seconds a page waits for its own position
WAIT_FOR_OTHERS = 0.2  # seconds it waits for the rest
POLL_INTERVAL = 0.02  # seconds between two checks whether it is there
RETRY_DELAY = 1.0  # seconds to wait when the queue is full


@dataclass(eq=False)
class Analysis:
    """A line, and what is known of its positions."""

    line: Line
    positions: tuple[str, ...]
    found: list[Assessment | None]
    at: int = 0  # the position that was last looked at
    looked: float = 0.0
    work: asyncio.Task[None] | None = None
    _judged: dict[int, MoveReview] = field(default_factory=dict)

    # The cache of values knows a variant by these.

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
        """The positions without a value yet."""
        return [at for at, found in enumerate(self.found) if found is None]

    def review(self) -> list[MoveReview | None]:
        """Judge every move as far as values are known; None for the rest and for the opening."""
        own = range(self.line.opening + 1, len(self.line.moves) + 1)
        return [None] * self.line.opening + [self._judge(number) for number in own]

    def _judge(self, number: int) -> MoveReview | None:
        found = self.found[number - 1]
        if number not in self._judged and found is not None:
            game, state = self.line.game, self.line.states[number - 1]
            move = game.read_move(state, self.line.moves[number - 1])
            self._judged[number] = review_move(game, state, move, number, found)
        return self._judged.get(number)


class Analyst:
    """The lines this server has reviewed lately, used from one event loop."""

    def __init__(self, workers: WorkerPool, valuations: Valuations) -> None:
        self._workers = workers
        self._valuations = valuations
        self._analyses: OrderedDict[str, Analysis] = OrderedDict()

    async def look(self, line: Line, at: int, client: str) -> Analysis:
        """Return what is known of a line after waiting a moment; the rest is being worked out."""
        line = replace(line, reader="", table="")  # all readers share it
        name = line.address()
        if name not in self._analyses:
            fresh = await asyncio.to_thread(self._start, line)
            self._analyses.setdefault(name, fresh)
        analysis = self._analyses[name]
        self._analyses.move_to_end(name)  # most recently used last
        total = sum(len(each.found) for each in self._analyses.values())
        while total > MAX_POSITIONS and len(self._analyses) > 1:
            total -= len(self._analyses.popitem(last=False)[1].found)
        analysis.at = at
        analysis.looked = started = time.monotonic()
        if analysis.work is None and analysis.missing:
            analysis.work = asyncio.create_task(self._work_out(analysis, client))
        while analysis.missing:
            waited = time.monotonic() - started
            if waited > (WAIT_FOR_POSITION if analysis.found[at] is None else WAIT_FOR_OTHERS):
                break
            await asyncio.sleep(POLL_INTERVAL)
        return analysis

    def _start(self, line: Line) -> Analysis:
        """Start the analysis of a line with the values that are already known."""
        positions = tuple(map(line.game.write, line.states))
        analysis = Analysis(line, positions, [None] * len(positions))
        for at, position in enumerate(positions):
            known = self._valuations.get(analysis, position)
            if known is not None:
                self._enter(analysis, at, known)
        return analysis

    def _enter(self, analysis: Analysis, at: int, found: Assessment) -> None:
        """Take over a known value, unless it leaves out the move that was played."""
        line = analysis.line
        played = line.moves[at] if at < len(line.moves) else ""
        complete = len(line.game.moves(line.states[at])) <= MAX_MOVES
        if not played or complete or any(each.move == played for each in found.moves):
            analysis.found[at] = found

    async def _work_out(self, analysis: Analysis, client: str) -> None:
        """Work piece by piece, first on the position looked at, as long as somebody looks."""
        try:
            while missing := analysis.missing:
                if time.monotonic() - analysis.looked >= CLOSED_AFTER:
                    break
                here = [analysis.at] if analysis.at in missing else []
                await self._find(analysis, here or missing[:MAX_BATCH], client)
        finally:
            analysis.work = None

    async def _find(self, analysis: Analysis, which: list[int], client: str) -> None:
        line = analysis.line
        estimated = any(is_estimated(line.game, line.states[at]) for at in which)
        seconds = ESTIMATE_SECONDS if estimated else PROOF_SECONDS
        payload = {
            "game": analysis.game,
            "options": analysis.options,
            "position": line.position,
            "moves": line.moves,
            "which": which,
            "seconds": seconds,
            "within": BATCH_SECONDS,
        }
        limit = BATCH_SECONDS + seconds + STARTUP_SECONDS
        try:
            values = await self._workers.run("review", payload, limit, client=client)
        except QueueFull:
            await asyncio.sleep(RETRY_DELAY)
            return
        except ParlourError as error:
            analysis.found[which[0]] = Assessment(why_not=error.text)
            return
        for at, found in zip(which, map(Assessment.from_dict, values), strict=False):
            analysis.found[at] = found
            self._valuations.keep(analysis, analysis.positions[at], found)
        if not values:
            analysis.found[which[0]] = Assessment(
                why_not=say("this could not be worked out in time")
            )
