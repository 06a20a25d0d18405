"""The value of a game from its first position to its last, drawn for the first player.

Solved games step up and down between three bands, which differ in shape, word and colour; scored
ones are a line of discs above and below the middle. The same is given in words beside the picture,
which holds no text that a small screen would make too small to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from parlour.drawing import Axis
from parlour.faces.web.boards import Mark, icon
from parlour.players import Worth

WIDTH, HEIGHT = 448, 112
LEFT, RIGHT, TOP, BOTTOM = 36, 432, 8, 104  # the sides of the field
MIDDLE = (TOP + BOTTOM) / 2
BAND_MARGIN = 12  # how far the bands extend beyond the first and the last position
ROOM = 10  # the least distance between neighbouring marks
COLOURS = {"win": "#0072B2", "draw": "#7A7A7A", "loss": "#D55E00"}
HEIGHTS = {"win": 2 / 3, "draw": 0.0, "loss": -2 / 3}
SCALES = (4, 8, 16, 32, 64, 128, 256)  # discs from the middle to the edge
MAX_CHANGES = 12  # listed one by one


@dataclass(frozen=True)
class Point:
    """A position: the move that led to it, if any, and its value for the first seat, if known."""

    move: str
    worth: Worth | None

    @property
    def text(self) -> str:
        """`win in 3 for the first player`, `won by the second player`"""
        worth = self.worth
        if worth is None:
            return "not known"
        if worth.outcome == "draw":
            return mark_of(worth).words
        if worth.plies == 0:
            return f"won by the {'first' if worth.outcome == 'win' else 'second'} player"
        return f"{mark_of(worth).words} for the first player"


@dataclass(frozen=True)
class Place:
    """Where a known position stands in the picture."""

    x: float
    y: float
    worth: Worth


def point(move: str, seat: int, value: Mapping[str, Any] | None) -> Point:
    """A position from its value as an assessment tells it, which is that of the seat to move."""
    worth = Worth(**value) if value else None
    return Point(move, worth.flip() if worth and seat else worth)


def mark_of(worth: Worth) -> Mark:
    """The mark that tells a value."""
    return Mark(worth.outcome, worth.plies, worth.score, worth.exact)


def value_chart(points: Sequence[Point], at: int | None = None) -> str:
    """The chart, with position `at` marked, or the last one; and the same in words."""
    at = len(points) - 1 if at is None else at
    scale = _scale(points)
    places = [_place(point, number, len(points), scale) for number, point in enumerate(points)]
    now = f"{_when(points, at)}: {points[at].text}." if points else "No values yet."
    return (
        f'<svg class="value-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(f"Value for the first player, move by move. {now}")}">'
        f"{_bands(scale)}{_course(places, scale)}{_marks(places, at, scale)}</svg>"
        f'{_legend(places, scale)}<p class="quiet">{escape(now)}</p>'
        f'<p class="hidden">{escape(_story(points))}</p>'
    )


def _scale(points: Sequence[Point]) -> int:
    """How many discs the edge of the field stands for; 0 where no discs are counted."""
    scores = [p.worth.score for p in points if p.worth and p.worth.score is not None]
    most = max(map(abs, scores), default=-1)
    return next((scale for scale in SCALES if scale >= most), SCALES[-1]) if scores else 0


def _place(point: Point, number: int, many: int, scale: int) -> Place | None:
    worth = point.worth
    if worth is None or (scale and worth.score is None):
        return None
    axis = Axis(-scale or -1, scale or 1, BOTTOM, TOP, step=scale or 1)
    y = axis.at((worth.score or 0) if scale else HEIGHTS[worth.outcome])
    x = LEFT + (RIGHT - LEFT) * (number / (many - 1) if many > 1 else 0.5)
    return Place(x, y, worth)


# The picture


def _bands(scale: int) -> str:
    """Three bands with their shapes; or a half for each who leads, with level between them."""
    outcomes = ("win", "loss") if scale else ("win", "draw", "loss")
    high = (BOTTOM - TOP) / len(outcomes)
    x, wide = LEFT - BAND_MARGIN, RIGHT - LEFT + 2 * BAND_MARGIN
    parts = ""
    for number, outcome in enumerate(outcomes):
        y = TOP + number * high
        parts += (
            f'<rect class="band" x="{x}" y="{y:g}" width="{wide}" height="{high:g}" '
            f'fill="{COLOURS[outcome]}" fill-opacity="0.12"/>'
        ) + _shape(mark_of(Worth(outcome)), 11, y + high / 2, 14)
    if scale:
        parts += f'<path class="level" d="M{x} {MIDDLE:g}h{wide}" stroke="currentColor"/>'
    return parts


def _course(places: Sequence[Place | None], scale: int) -> str:
    """From each known position to the next, straight or in steps; dashed where one is estimated."""
    exact = guessed = ""
    for here, there in pairwise(places):
        if here is None or there is None:
            continue
        way = f"M{here.x:.5g} {here.y:.5g}"
        way += f"L{there.x:.5g} {there.y:.5g}" if scale else f"H{there.x:.5g}V{there.y:.5g}"
        if here.worth.exact and there.worth.exact:
            exact += way
        else:
            guessed += way
    line = '<path class="course" d="{}" fill="none" stroke="currentColor" stroke-width="2"{}/>'
    return (line.format(exact, "") if exact else "") + (
        line.format(guessed, ' stroke-dasharray="4 3"') if guessed else ""
    )


def _marks(places: Sequence[Place | None], at: int, scale: int) -> str:
    """The shape of every position where there is room for it, and a ring around the one at hand."""
    close = len(places) > 1 and (RIGHT - LEFT) / (len(places) - 1) < ROOM
    parts = ""
    for number, place in enumerate(places):
        if place is None or (close and number != at):
            continue
        parts += _shape(mark_of(place.worth), place.x, place.y, 9)
        if number == at:
            parts += (
                f'<circle class="here" cx="{place.x:.5g}" cy="{place.y:.5g}" r="9" fill="none" '
                'stroke="currentColor" stroke-width="2"/>'
            )
    return parts


def _shape(mark: Mark, x: float, y: float, wide: float) -> str:
    """The shape of a mark around a point: filled if it is proven, else outlined."""
    half = wide / 2
    colour = COLOURS[mark.outcome]
    paint = f'fill="{colour if mark.exact else "none"}" stroke="{colour}" stroke-width="1.5"'
    if mark.outcome == "draw":
        return f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{half:g}" {paint}/>'
    tip = -half if mark.outcome == "win" else half
    return f'<path d="M{x - half:.5g} {y - tip:.5g}h{wide:g}L{x:.5g} {y + tip:.5g}Z" {paint}/>'


# The words


def _legend(places: Sequence[Place | None], scale: int) -> str:
    """What the shapes mean, and how far up and down it goes."""
    says = {"win": "first player wins", "draw": "draw", "loss": "second player wins"}
    if scale:
        says = {"win": "first player ahead", "loss": "second player ahead"}
    items = [f"<li>{icon(Mark(outcome))}{words}</li>" for outcome, words in says.items()]
    if scale:
        items.append(f"<li>up to {scale} discs</li>")
    if any(place is not None and not place.worth.exact for place in places):
        items.append(f"<li>{icon(Mark('win', exact=False))}outlined, dashed: an estimate (≈)</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'


def _story(points: Sequence[Point]) -> str:
    """Every change of the outcome, in order, for those who cannot see the line."""
    changes = []
    before = ""
    for number, point in enumerate(points):
        outcome = point.worth.outcome if point.worth else ""
        if outcome and outcome != before:
            changes.append(f"{_when(points, number)}: {point.text}")
            before = outcome
    left = len(changes) - MAX_CHANGES
    changes = changes[:MAX_CHANGES] + ([f"and {left} more changes"] if left > 0 else [])
    return f"How the value changed: {'; '.join(changes)}." if changes else "No values are known."


def _when(points: Sequence[Point], number: int) -> str:
    """`Move 3, b2`, or `Start`"""
    return f"Move {number}, {points[number].move}" if number else "Start"
