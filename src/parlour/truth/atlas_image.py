"""The atlas as a picture: a grid of variants, each cell told by colour, shape and distance.

Written as SVG by hand, so that it needs nothing and stays sharp at any size. Options with many
values go down the side, the others across the top; long grids are folded into several.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, TypeAlias

from parlour.truth.atlas_table import MARKS, Atlas, Row

PAPER, INK, QUIET, LINE = "#FBF7EE", "#2B2620", "#6B6257", "#D8CFBE"
HIGH, GAP, EDGE = 24, 6, 24  # a cell's height, the space between groups, the margin
NARROWEST = 48  # cells are at least so wide
LETTER = 7.2  # about the width of a letter at 13 px
MOST_ROWS = 80  # before options go across, and before a grid is folded

Place: TypeAlias = tuple[Any, ...]  # the values of the options on one axis


def axes(atlas: Atlas) -> tuple[list[str], list[str]]:
    """The options that go down the side, and those across the top."""
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


def svg(atlas: Atlas) -> str:
    """The whole picture."""
    return Picture(atlas).drawn()


class Picture:
    """Where everything goes, worked out once."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.down, self.across = axes(atlas)
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
        longest = max((len(n) for n in self.across), default=0) * LETTER + 12
        self.left = max(sum(self.names), longest)
        inner = [atlas.write(self.across[-1], place[-1]) for place in self.columns if place]
        self.wide = max(NARROWEST, *(len(text) * LETTER + 10 for text in inner or [""]))
        self.xs = _offsets(self.columns, self.wide)
        self.width = self.left + self.xs[-1] + self.wide
        folds = math.ceil(len(self.rows) / MOST_ROWS)
        size = math.ceil(len(self.rows) / folds)
        self.panels = [self.rows[at : at + size] for at in range(0, len(self.rows), size)]
        self.head = HIGH * (len(self.across) + 1)

    def _order(self, name: str) -> list[Any]:
        return list(dict.fromkeys(row.options[name] for row in self.atlas.rows))

    def _width(self, name: str) -> float:
        texts = [name, *(self.atlas.write(name, value) for value in self._order(name))]
        return max(map(len, texts)) * LETTER + 12

    def drawn(self) -> str:
        """All parts, from the top down."""
        atlas = self.atlas
        *legend, (end, _, _) = self._legend()
        width = max(len(self.panels) * (self.width + 2 * EDGE), end)
        letters = int((width - 2 * EDGE) / LETTER)
        head, *lines = atlas.summary()
        heading = textwrap.wrap(head, letters)
        notes = [part for line in lines for part in textwrap.wrap(line, letters)]
        top = EDGE + 34 + 18 * len(heading) + 40
        body = max(_offsets(panel, HIGH)[-1] for panel in self.panels) + HIGH + self.head
        height = top + body + 20 + 18 * len(notes) + EDGE
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="title about" '
            "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"13\">",
            f'<title id="title">{escape(f"{atlas.game}: who wins which variant")}</title>',
            f'<desc id="about">{escape(" ".join(atlas.summary()))}</desc>',
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            _text(EDGE, EDGE + 18, f"{atlas.game}: who wins which variant", size=20, weight=600),
        ]
        for number, line in enumerate(heading):
            parts.append(_text(EDGE, EDGE + 40 + 18 * number, line, colour=QUIET))
        for x, mark, words in legend:
            y = top - 34
            parts += [_ring(x, y, 30)] if mark == "ring" else _cell(x, y, 30, mark, "")
            parts.append(_text(x + 38, y + 16, words))
        for number, panel in enumerate(self.panels):
            parts += self._panel(EDGE + number * (self.width + 2 * EDGE), top, panel)
        for number, line in enumerate(notes):
            parts.append(_text(EDGE, top + body + 30 + 18 * number, line))
        return "\n".join([*parts, "</svg>"]) + "\n"

    def _legend(self) -> list[tuple[float, str, str]]:
        """What is explained at the top: where, which mark, and the words."""
        words = {
            "first": "first player wins, in so many plies",
            "second": "second player wins",
            "draw": "draw",
            "undecided": "undecided in time",
            "refused": "refused",
        }
        found: list[tuple[float, str, str]] = []
        x = float(EDGE)
        for mark in (*self.atlas.tally(), "ring"):
            text = words.get(mark, self.atlas.base_name)
            found.append((x, mark, text))
            x += 38 + len(text) * LETTER + 18
        return [*found, (x, "", "")]

    def _panel(self, x: float, y: float, rows: list[Place]) -> Iterator[str]:
        """One grid with the names of its options and their values."""
        right = x + self.left
        for level, name in enumerate(self.across):
            line = y + level * HIGH
            yield _text(right - 10, line + 16, name, anchor="end", colour=QUIET)
            yield from self._headings(right, line, level)
        at = right - sum(self.names)
        for name, size in zip(self.down, self.names, strict=True):
            yield _text(at + size - 10, y + self.head - 8, name, anchor="end", colour=QUIET)
            at += size
        ys = _offsets(rows, HIGH)
        before: Place = ()
        for place, offset in zip(rows, ys, strict=True):
            top = y + self.head + offset
            yield from self._side(right - sum(self.names), top, place, before)
            before = place
            for column, shift in zip(self.columns, self.xs, strict=True):
                row = self.cells.get((place, column))
                if row is not None:
                    yield from self._variant(right + shift, top, row)

    def _headings(self, x: float, y: float, level: int) -> Iterator[str]:
        """The values of one option across the top, each over all its columns."""
        numbered = range(len(self.columns))
        for place, group in groupby(numbered, key=lambda n: self.columns[n][: level + 1]):
            several = list(group)
            start, end = x + self.xs[several[0]], x + self.xs[several[-1]] + self.wide
            text = self.atlas.write(self.across[level], place[level])
            yield _text((start + end) / 2, y + 16, text, anchor="middle")
            if len(several) > 1:
                yield f'<path d="M{start + 2:.1f} {y + 22}H{end - 2:.1f}" stroke="{LINE}"/>'

    def _side(self, x: float, y: float, place: Place, before: Place) -> Iterator[str]:
        """The values down the side; one that goes on from the row above is not said again."""
        for level, (name, size) in enumerate(zip(self.down, self.names, strict=True)):
            x += size
            if place[: level + 1] != before[: level + 1]:
                text = self.atlas.write(name, place[level])
                weight = 600 if level == 0 and len(self.down) > 1 else 400
                yield _text(x - 10, y + 16, text, anchor="end", weight=weight)

    def _variant(self, x: float, y: float, row: Row) -> Iterator[str]:
        said = ", ".join(
            f"{name} {self.atlas.write(name, row.options[name])}" for name in self.atlas.varied
        )
        many = "" if row.positions is None else f", {row.positions:,} situations"
        yield f"<g><title>{escape(f'{said}: {row.words}{many}')}</title>"
        plies = "" if row.plies is None else str(row.plies)
        yield from _cell(x + 1, y + 1, self.wide - 2, row.outcome, plies)
        if row is self.atlas.base:
            yield _ring(x, y, self.wide)
        yield "</g>"


def _offsets(places: Sequence[Place], step: float) -> list[float]:
    """Where each place begins: one after the other, with a gap wherever an outer value changes."""
    found, at = [], 0.0
    for number, place in enumerate(places):
        if number and len(place) > 1 and place[0] != places[number - 1][0]:
            at += GAP
        found.append(at)
        at += step
    return found


def _text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 13,
    weight: int = 400,
    anchor: str = "start",
    colour: str = INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
    )


def _cell(x: float, y: float, wide: float, outcome: str, plies: str) -> Iterator[str]:
    """A tinted box with the mark and the number of plies; outlined only where nothing is known."""
    mark, colour, _ = MARKS[outcome]
    high = HIGH - 2
    if outcome in ("undecided", "refused"):
        yield (
            f'<rect x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" width="{wide - 1:.1f}" height="{high - 1}" '
            f'rx="3" fill="none" stroke="{colour}" stroke-dasharray="3 2"/>'
        )
        yield _text(x + wide / 2, y + 15.5, mark, anchor="middle", weight=600, colour=QUIET)
        return
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high}" rx="3" '
        f'fill="{colour}" fill-opacity="0.3"/>'
    )
    cx = x + (wide / 2 if not plies else 13)
    cy = y + high / 2
    if outcome == "draw":
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="5" fill="{colour}"/>'
    else:
        up = -1 if outcome == "first" else 1
        yield (f'<path d="M{cx - 6:.1f} {cy - 5 * up:.1f}h12l-6 {10 * up}z" fill="{colour}"/>')
    if plies:
        yield _text(x + wide - 6, y + 15.5, plies, anchor="end", weight=600)


def _ring(x: float, y: float, wide: float) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{HIGH}" rx="4" '
        f'fill="none" stroke="{INK}" stroke-width="2"/>'
    )
