"""What positions are worth: found out once by a worker, kept for every page, and drawn as a chart.

A page never waits for a value: it shows those that are known, and is sent more when they are found.
A temporary error, such as a worker that died, is shown for a while; then the task is tried again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from parlour.boards import Mark, icon
from parlour.core import ParlourError, join, say, sentences
from parlour.drawing import Axis
from parlour.faces.web.background import KeyedTasks
from parlour.faces.web.clients import Recent
from parlour.faces.web.live import Hub
from parlour.faces.web.requests import TEMPLATES
from parlour.faces.web.table.service import client_of, match_of
from parlour.faces.web.workers import RETRY_AFTER, TEMPORARY, Priority, WorkerPool
from parlour.players import Assessment, Evaluation
from parlour.store import Store, Table

MAX_SIZE = 50_000_000  # characters of JSON
MAX_ERRORS = 1_000  # remembered
LIMIT = 20.0  # seconds to prove a value, or give it up
CURRENT = 0.5  # seconds for an estimate of the position on the table
EARLIER = 0.1  # and of each earlier one
UPDATE_EVERY = 8  # earlier positions between two updates of the page

Key = tuple[str, str, str]


class Valuations:
    """All assessments this server knows."""

    def __init__(self, store: Store, hub: Hub, workers: WorkerPool) -> None:
        self._store = store
        self._hub = hub
        self._workers = workers
        self._known: OrderedDict[Key, str] = OrderedDict()  # as JSON, a tenth of the size
        self._size = 0
        # Temporary ones, and when they occurred
        self._errors: Recent[Key, tuple[Assessment, float]] = Recent(MAX_ERRORS)
        self._tasks = KeyedTasks(self._assess_table)

    def get(self, stored: Any, position: str) -> Assessment | None:
        """Return the assessment of a position of a stored game, if it is known."""
        text = self._known.get(_key(stored, position))
        return None if text is None else Assessment.from_dict(sentences.unpack(json.loads(text)))

    def keep(self, stored: Any, position: str, found: Assessment) -> None:
        """Keep an assessment, dropping the oldest to make room."""
        key, text = _key(stored, position), json.dumps(sentences.pack(found.to_dict()))
        self._size += len(text) - len(self._known.pop(key, ""))
        self._known[key] = text
        while self._size > MAX_SIZE:
            self._size -= len(self._known.popitem(last=False)[1])

    def of_table(self, table: Table) -> list[Assessment | None]:
        """Return what is known of all positions so far of a table.

        What is not known is found out, and then announced to the pages of the table.
        """
        found = [self._get_or_error(table, position) for position in _positions(table)]
        if None in found:
            self._tasks.wake(table.id)
        return found

    def _get_or_error(self, table: Table, position: str) -> Assessment | None:
        """Return what is known, or a recent temporary error."""
        error, when = self._errors.get(_key(table, position), (None, 0.0))
        if error and time.monotonic() - when < RETRY_AFTER:
            return error
        return self.get(table, position)

    async def _assess_table(self, table_id: str) -> None:
        """Assess the current position of a table, then earlier ones while somebody watches."""
        table = await asyncio.to_thread(self._store.tables.get, table_id)
        if table is None:
            return
        positions = _positions(table)
        topic = f"table:{table.id}"
        unsent = 0
        for at in reversed(range(len(positions))):
            if self._get_or_error(table, positions[at]) is not None:
                continue
            current = at == len(positions) - 1
            if not current and not self._hub.is_watched(topic):
                break
            await self._assess(table, positions[at], table.moves[:at], current)
            unsent += 1
            if current or unsent == UPDATE_EVERY:
                unsent = 0
                self._hub.announce(topic)
        if unsent:
            self._hub.announce(topic)

    async def _assess(
        self, table: Table, position: str, moves: Sequence[str], current: bool
    ) -> None:
        """Keep the assessment of a position, or why there is none."""
        payload = {
            "game": table.game,
            "options": table.options,
            "moves": list(moves),
            "seconds": CURRENT if current else EARLIER,
        }
        client = client_of(table)
        priority = Priority.QUESTION if current else Priority.BACKGROUND
        try:
            found = await self._workers.run(
                "assess", payload, LIMIT, client=client, priority=priority, patient=True
            )
        except TEMPORARY as error:
            unknown = Assessment(why_not=error.text)
            self._errors.keep(_key(table, position), (unknown, time.monotonic()))
        except ParlourError as error:
            self.keep(table, position, Assessment(why_not=error.text))
        else:
            self.keep(table, position, Assessment.from_dict(found))


def _positions(table: Table) -> list[str]:
    """Return all positions of a game so far, as text."""
    match = match_of(table)
    return [match.game.write(state) for state in match.states]


def _key(stored: Any, position: str) -> Key:
    return stored.game, json.dumps(stored.options, sort_keys=True), position


# The chart

LEFT, RIGHT, TOP, BOTTOM = 36, 432, 8, 104  # the sides of its field
ROOM = 10  # the least distance between neighbouring marks
HEIGHTS = {"win": 2 / 3, "draw": 0.0, "loss": -2 / 3}
SCALES = (4, 8, 16, 32, 64, 128, 256)  # discs from the middle to the edge
MAX_CHANGES = 12  # listed one by one
SOLVED = {"win": say("first player wins"), "draw": say("draw"), "loss": say("second player wins")}
SCORED = {"win": say("first player ahead"), "loss": say("second player ahead")}


@dataclass(frozen=True)
class Point:
    """A position: the move that led to it, if any, and its value for the first seat, if known."""

    move: str
    worth: Evaluation | None

    @property
    def text(self) -> str:
        """`win in 3 for the first player`, `second player wins`"""
        worth = self.worth
        if worth is None:
            return say("not known")
        if worth.outcome == "draw":
            return mark_of(worth).words
        if worth.plies == 0:
            return SOLVED[worth.outcome]
        return say("{value} for the first player", value=mark_of(worth).words)


class Place(NamedTuple):
    """Where a known position stands in the picture."""

    x: float
    y: float
    worth: Evaluation


def mark_of(worth: Evaluation) -> Mark:
    """Return the mark of a value."""
    return Mark(worth.outcome, worth.plies, worth.score, worth.exact)


def value_chart(points: Sequence[Point], at: int | None = None) -> str:
    """Draw the chart, with position `at` marked, or the last one, and say the same in words."""
    at = len(points) - 1 if at is None else at
    scale = _scale(points)
    places = [_place(point, number, len(points), scale) for number, point in enumerate(points)]
    exact, estimated = _courses(places, scale)
    crowded = len(places) > 1 and (RIGHT - LEFT) / (len(places) - 1) < ROOM
    here = places[at] if places else None
    return TEMPLATES.get_template("value_chart.html").render(
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        scale=scale,
        legend=SCORED if scale else SOLVED,
        exact=exact,
        estimated=estimated,
        has_estimates=any(place and not place.worth.exact for place in places),
        marked=[place for place in places if place and (not crowded or place is here)],
        here=here,
        now=say("{when}: {value}.", when=_when(points, at), value=points[at].text)
        if points
        else say("No values yet."),
        story=_story(points),
        icon=icon,
        mark=Mark,
    )


def _scale(points: Sequence[Point]) -> int:
    """Return how many discs the edge of the field stands for; 0 where no discs are counted."""
    scores = [abs(p.worth.score) for p in points if p.worth and p.worth.score is not None]
    return next((scale for scale in SCALES if scale >= max(scores)), SCALES[-1]) if scores else 0


def _place(point: Point, number: int, many: int, scale: int) -> Place | None:
    worth = point.worth
    if worth is None or (scale and worth.score is None):
        return None
    axis = Axis(-scale or -1, scale or 1, BOTTOM, TOP, step=scale or 1)
    y = axis.at((worth.score or 0) if scale else HEIGHTS[worth.outcome])
    x = LEFT + (RIGHT - LEFT) * (number / (many - 1) if many > 1 else 0.5)
    return Place(x, y, worth)


def _courses(places: Sequence[Place | None], scale: int) -> tuple[str, str]:
    """Return the paths between proven positions, and those where one is an estimate."""
    exact = estimated = ""
    for here, there in pairwise(places):
        if here is None or there is None:
            continue
        way = f"M{here.x:.5g} {here.y:.5g}"
        way += f"L{there.x:.5g} {there.y:.5g}" if scale else f"H{there.x:.5g}V{there.y:.5g}"
        if here.worth.exact and there.worth.exact:
            exact += way
        else:
            estimated += way
    return exact, estimated


def _story(points: Sequence[Point]) -> str:
    """List every change of the outcome, for those who cannot see the line."""
    changes: list[str] = []
    before = ""
    for number, point in enumerate(points):
        outcome = point.worth.outcome if point.worth else ""
        if outcome and outcome != before:
            changes.append(say("{when}: {value}", when=_when(points, number), value=point.text))
            before = outcome
    left = len(changes) - MAX_CHANGES
    if left > 0:
        changes = [*changes[:MAX_CHANGES], say("and {number} more changes", number=left)]
    if not changes:
        return say("No values yet.")
    return say("How the value changed: {changes}.", changes=join("; ", changes))


def _when(points: Sequence[Point], number: int) -> str:
    """`Move 3, b2`, or `Start`"""
    if not number:
        return say("Start")
    return say("Move {number}, {move}", number=number, move=points[number].move)
