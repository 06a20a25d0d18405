"""The atlas as a picture: a grid of variants, each cell with a colour, a shape and a distance.

Options with many values go down the side, the others across the top; long grids are folded into
several panels. The marks are drawn as shapes, because few fonts have them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from parlour.drawing import (
    INK,
    LINE,
    PAPER,
    QUIET,
    Drawing,
    Group,
    Polygon,
    Rect,
    Shape,
    Text,
    circle,
    line,
    text_width,
    tint,
    wrap,
)
from parlour.truth.variants.table import DECIDED, MARKS, Atlas, Row

HIGH, GAP, EDGE = 24, 6, 24  # a cell's height, the space between groups, the margin
LEAD = 18  # from one line of text to the next
NARROWEST = 48  # the least width of a cell
SAMPLE = 30  # the width of a cell in the legend
ROOM = 1.18  # the widest common fonts compared with Helvetica
MOST_ROWS = 80  # before options go across the top, and before a grid is folded

Place: TypeAlias = tuple[Any, ...]  # the values of the options on one axis


def choose_axes(atlas: Atlas) -> tuple[list[str], list[str]]:
    """Return the options that go down the side, and those across the top."""
    sizes = {name: len({row.options[name] for row in atlas.rows}) for name in atlas.axes}
    many = sorted((name for name in sizes if sizes[name] > 2), key=lambda name: -sizes[name])
    down: list[str] = []
    for name in many:
        if not down or len(_places(atlas, [*down, name])) <= MOST_ROWS:
            down.append(name)
    if not down:
        down = list(atlas.axes)[: (len(sizes) + 1) // 2]
    across = [name for name in atlas.axes if name not in down]
    if not across and len(down) > 1:
        across = [min(down, key=sizes.__getitem__)]
    return [name for name in atlas.axes if name in down and name not in across], across


def _places(atlas: Atlas, names: Sequence[str]) -> list[Place]:
    return list(dict.fromkeys(tuple(row.options[name] for name in names) for row in atlas.rows))


def draw_atlas(atlas: Atlas) -> Drawing:
    """Draw the whole picture."""
    return Layout(atlas).draw()


class Layout:
    """The positions of everything in the picture."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.down, self.across = choose_axes(atlas)
        order = {name: self._order(name) for name in (*self.down, *self.across)}

        def rank(names: Sequence[str], place: Place) -> list[int]:
            return [order[name].index(value) for name, value in zip(names, place, strict=True)]

        self.rows = sorted(_places(atlas, self.down), key=lambda place: rank(self.down, place))
        self.columns = sorted(
            _places(atlas, self.across), key=lambda place: rank(self.across, place)
        )
        self.cells: dict[tuple[Place, Place], Row] = {}
        for row in atlas.rows:
            side = tuple(row.options[name] for name in self.down)
            top = tuple(row.options[name] for name in self.across)
            self.cells.setdefault((side, top), row)
        self.names = [self._width(name) for name in self.down]
        self.left = max(
            sum(self.names), _measure_widest([atlas.label(name) for name in self.across]) + 12
        )
        inner = [atlas.write(self.across[-1], place[-1]) for place in self.columns if place]
        plies = [str(row.plies) for row in atlas.rows if row.plies is not None]
        self.wide = max(
            NARROWEST, _measure_widest(inner) + 10, _measure_widest(plies, weight=600) + 30
        )
        self.xs = _place_along(self.columns, self.wide)
        self.width = self.left + self.xs[-1] + self.wide
        folds = math.ceil(len(self.rows) / MOST_ROWS)
        size = math.ceil(len(self.rows) / folds)
        self.panels = [self.rows[at : at + size] for at in range(0, len(self.rows), size)]
        self.head = HIGH * (len(self.across) + 1)

    def _order(self, name: str) -> list[Any]:
        return list(dict.fromkeys(row.options[name] for row in self.atlas.rows))

    def _width(self, name: str) -> float:
        texts = [
            self.atlas.label(name),
            *(self.atlas.write(name, value) for value in self._order(name)),
        ]
        return _measure_widest(texts, weight=600) + 12

    def draw(self) -> Drawing:
        """Draw all parts, from the top down."""
        title = f"{self.atlas.game}: who wins which variant"
        legend, end = self._legend()
        inner = max(
            len(self.panels) * (self.width + 2 * EDGE) - 2 * EDGE,
            end - EDGE,
            _measure_widest([title], 20, 600),
        )
        head, *lines = self.atlas.summary()
        heading = wrap(head, inner / ROOM)
        notes = [part for words in lines for part in wrap(words, inner / ROOM)]
        top = EDGE + 34 + LEAD * len(heading) + 40
        body = max(_place_along(panel, HIGH)[-1] for panel in self.panels) + HIGH + self.head
        shapes: list[Shape | Group] = [Text(EDGE, EDGE + 18, title, 20, weight=600)]
        for number, words in enumerate(heading):
            shapes.append(Text(EDGE, EDGE + 40 + LEAD * number, words, colour=QUIET))
        for x, mark, words in legend:
            y = top - 34
            shapes += _draw_cell(x, y, SAMPLE, mark, "") if mark else [_draw_ring(x, y, SAMPLE)]
            shapes.append(Text(x + SAMPLE + 8, y + 16, words))
        for number, panel in enumerate(self.panels):
            shapes += self._panel(EDGE + number * (self.width + 2 * EDGE), top, panel)
        for number, words in enumerate(notes):
            shapes.append(Text(EDGE, top + body + 30 + LEAD * number, words))
        return Drawing(
            math.ceil(inner + 2 * EDGE),
            math.ceil(top + body + 20 + LEAD * len(notes) + EDGE),
            title,
            " ".join(self.atlas.summary()),
            tuple(shapes),
        )

    def _legend(self) -> tuple[list[tuple[float, str, str]], float]:
        """Return the legend (place, result or empty for the ring, and words) and where it ends."""
        words = {
            "first": "first player wins, with the plies",
            "second": "second player wins",
            "draw": "draw",
            "undecided": "undecided in time",
            "refused": "refused",
            "": self.atlas.base_name,
        }
        found: list[tuple[float, str, str]] = []
        x = float(EDGE)
        for mark in (*self.atlas.tally(), ""):
            found.append((x, mark, words[mark]))
            x += SAMPLE + 8 + _measure_widest([words[mark]]) + 18
        return found, x - 18

    def _panel(self, x: float, y: float, rows: list[Place]) -> Iterator[Shape | Group]:
        """Draw one grid with the names of its options and their values."""
        right = x + self.left
        for level, name in enumerate(self.across):
            above = y + level * HIGH
            label = self.atlas.label(name)
            yield Text(right - 10, above + 16, label, anchor="end", colour=QUIET)
            yield from self._headings(right, above, level)
        at = right - sum(self.names)
        for name, size in zip(self.down, self.names, strict=True):
            at += size
            label = self.atlas.label(name)
            yield Text(at - 10, y + self.head - 8, label, anchor="end", colour=QUIET)
        before: Place = ()
        for place, offset in zip(rows, _place_along(rows, HIGH), strict=True):
            top = y + self.head + offset
            yield from self._side(right - sum(self.names), top, place, before)
            before = place
            for column, shift in zip(self.columns, self.xs, strict=True):
                row = self.cells.get((place, column))
                if row is not None:
                    yield self._variant(right + shift, top, row)

    def _headings(self, x: float, y: float, level: int) -> Iterator[Shape]:
        """Draw the values of one option across the top, each over all its columns."""
        numbered = range(len(self.columns))
        for place, group in groupby(numbered, key=lambda n: self.columns[n][: level + 1]):
            several = list(group)
            start, end = x + self.xs[several[0]], x + self.xs[several[-1]] + self.wide
            text = self.atlas.write(self.across[level], place[level])
            yield Text((start + end) / 2, y + 16, text, anchor="middle")
            if len(several) > 1:
                yield line(start + 2, y + 22, end - 2, y + 22, LINE)

    def _side(self, x: float, y: float, place: Place, before: Place) -> Iterator[Shape]:
        """Draw the values down the side, each only where it changes from the row above."""
        for level, (name, size) in enumerate(zip(self.down, self.names, strict=True)):
            x += size
            if place[: level + 1] != before[: level + 1]:
                text = self.atlas.write(name, place[level])
                weight = 600 if level == 0 and len(self.down) > 1 else 400
                yield Text(x - 10, y + 16, text, anchor="end", weight=weight)

    def _variant(self, x: float, y: float, row: Row) -> Group:
        """Draw a variant's cell with its description in words; the base has a ring."""
        text = ", ".join(
            f"{self.atlas.label(name)} {self.atlas.write(name, row.options[name])}"
            for name in self.atlas.varied
        )
        many = "" if row.positions is None else f", {row.positions:,} situations"
        plies = "" if row.plies is None else str(row.plies)
        shapes = [*_draw_cell(x + 1, y + 1, self.wide - 2, row.outcome, plies)]
        if row is self.atlas.base:
            shapes.append(_draw_ring(x, y, self.wide))
        return Group(f"{text}: {row.words}{many}", tuple(shapes))


def _measure_widest(texts: Sequence[str], size: float = 13, weight: int = 400) -> float:
    return ROOM * max((text_width(text, size, weight) for text in texts), default=0)


def _place_along(places: Sequence[Place], step: float) -> list[float]:
    """Return where each place begins, with a gap wherever an outer value changes."""
    found, at = [], 0.0
    for number, place in enumerate(places):
        if number and len(place) > 1 and place[0] != places[number - 1][0]:
            at += GAP
        found.append(at)
        at += step
    return found


def _draw_cell(x: float, y: float, wide: float, outcome: str, plies: str) -> Iterator[Shape]:
    """Draw a tinted box with the mark and the number of plies, or a dashed one if undecided."""
    mark, colour, _ = MARKS[outcome]
    high = HIGH - 2
    if outcome not in DECIDED:
        yield from _draw_dashes(x + 0.5, y + 0.5, wide - 1, high - 1, colour)
        yield Text(x + wide / 2, y + 15.5, mark, anchor="middle", weight=600, colour=QUIET)
        return
    yield Rect(x, y, wide, high, tint(PAPER, colour, 0.3), radius=3)
    yield _draw_mark(x + (13 if plies else wide / 2), y + high / 2, outcome, colour)
    if plies:
        yield Text(x + wide - 6, y + 15.5, plies, anchor="end", weight=600)


def _draw_mark(x: float, y: float, outcome: str, colour: str) -> Shape:
    """Draw a triangle up for the first player or down for the second, or a disc for a draw."""
    if outcome == "draw":
        return circle(x, y, 5, colour)
    tip = -5 if outcome == "first" else 5
    return Polygon(((x - 6, y - tip), (x + 6, y - tip), (x, y + tip)), colour)


def _draw_dashes(x: float, y: float, wide: float, high: float, colour: str) -> Iterator[Shape]:
    """Draw a dashed frame."""
    for start, end in _dashes(x, wide):
        yield from (line(start, at, end, at, colour) for at in (y, y + high))
    for start, end in _dashes(y, high):
        yield from (line(at, start, at, end, colour) for at in (x, x + wide))


def _dashes(start: float, length: float) -> Iterator[tuple[float, float]]:
    """Yield the start and end of each dash on one side: about 2 long, with gaps of 3."""
    many = round(length / 5)
    for number in range(many):
        yield start + (number + 0.3) * length / many, start + (number + 0.7) * length / many


def _draw_ring(x: float, y: float, wide: float) -> Shape:
    return Rect(x, y, wide, HIGH, edge=INK, thick=2, radius=4)
