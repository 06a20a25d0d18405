"""The charts of a judgement: shares of right choices by kind of position and along the game.

They are drawn from plain figures, so that the page, a notebook and a test can all use them. Two
agents stand in one chart, told apart by their markers as well as their colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from parlour.arena.report import (
    AXIS,
    COLOURS,
    FONT_MARGIN,
    describe_drawing,
    draw_interval,
)
from parlour.boards import clean_line, shorten
from parlour.core import count
from parlour.drawing import (
    LINE,
    QUIET,
    Axis,
    Drawing,
    Group,
    Polyline,
    Shape,
    TextLine,
    label_line,
    line,
    marker,
    spread,
    text_width,
)

ROW, TOP = 24.0, 34.0  # how high a row is, and where rows begin
MAX_NAME = 190.0  # the width of a name
HEIGHT = 260.0  # of the plot of a course
MAX_TICKS = 12  # numbers under a course
APART = 19.0  # the least distance of two labels
KEY = 26.0  # the height of the line that says which marker is whose

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Point:
    """A figure with its interval, where it has one, and the number of situations behind it."""

    label: str
    value: float | None
    interval: Interval | None = None
    situations: int = 0

    def describe(self, write: str = "{:.1%}") -> str:
        """`won, one right choice: 62.5 % of 48 situations`"""
        told = "unknown" if self.value is None else write.format(self.value).replace("%", " %")
        return f"{self.label}: {told} of {count(self.situations, 'situation')}"


@dataclass(frozen=True)
class Series:
    """The points of one agent."""

    name: str
    points: Sequence[Point]


def draw_kinds(title: str, series: Sequence[Series]) -> Drawing:
    """Draw the share of each kind of position as a point on its row, one marker per agent."""
    labels = list(dict.fromkeys(point.label for each in series for point in each.points))
    width = FONT_MARGIN * max(text_width(_shorten(label)) for label in labels)
    scale = Axis(0, 1, width + 20, width + 20 + AXIS * 0.75, step=0.25)
    top = TOP + (KEY if len(series) > 1 else 0)
    bottom = top + ROW * len(labels)
    shapes = scale.draw_horizontal(top, bottom, "{:.0%}".format, above=True)
    groups = [_draw_key(number, series) for number in range(len(series)) if len(series) > 1]
    for row, label in enumerate(labels):
        y = top + ROW * (row + 0.5)
        shapes.append(TextLine(width, y + 4.5, _shorten(label), 13, "end"))
        for number, each in enumerate(series):
            point = next((p for p in each.points if p.label == label), None)
            if point is None or point.value is None:
                continue
            offset = y + (number - (len(series) - 1) / 2) * 7
            drawn = _draw_point(scale, point, offset, number, upright=False)
            if len(series) == 1:
                drawn.append(
                    TextLine(
                        scale.end + 14, y + 4.5, f"{point.value:.0%} of {point.situations:,}", 12
                    )
                )
            groups.append(Group(_name(each, point, series), tuple(drawn)))
    return describe_drawing(scale.end + 110, bottom + 8, title, shapes, groups)


def draw_course(title: str, series: Sequence[Series], below: str, *, share: bool = True) -> Drawing:
    """Draw figures from left to right as lines with markers; `below` says what runs along."""
    labels = list(dict.fromkeys(point.label for each in series for point in each.points))
    known = [p.value for each in series for p in each.points if p.value is not None]
    left, right, top = 56.0, 56.0 + AXIS, 14.0
    bottom = top + HEIGHT
    highest = [p.interval[1] for each in series for p in each.points if p.interval is not None]
    most = 1.0 if share else max([*known, *highest], default=0.0) or 1.0
    scale = Axis(0, most, bottom, top, step=0.25 if share else None)
    shapes = scale.draw_vertical(left, right, ("{:.0%}" if share else "{:g}").format)
    step = (right - left) / max(1, len(labels) - 1)
    across = {label: left + step * place for place, label in enumerate(labels)}
    widest = max((text_width(_shorten(label, 110)) for label in labels), default=0.0) * FONT_MARGIN
    every = max(math.ceil(len(labels) / MAX_TICKS), math.ceil((widest + 8) / max(step, 1)))
    for place, label in enumerate(labels):
        x = across[label]
        shapes.append(line(x, bottom, x, bottom + 4, LINE))
        if place % every == 0:
            shapes.append(
                TextLine(x, bottom + 20, _shorten(label, 110), 12, "middle", colour=QUIET)
            )
    shapes.append(TextLine((left + right) / 2, bottom + 42, below, 13, "middle"))
    groups, ends = [], []
    for number, each in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        seen = [point for point in each.points if point.value is not None]
        places = tuple((across[p.label], scale.at(p.value or 0.0)) for p in seen)
        groups.append(Group(f"{clean_line(each.name)}", (Polyline(places, colour, 2),)))
        for point, (x, _) in zip(seen, places, strict=True):
            drawn = _draw_point(scale, point, x, number, upright=True)
            groups.append(Group(_name(each, point, series, share=share), tuple(drawn)))
        ends.append(places[-1][1] if places else bottom)
    width = right + max(24.0, widest / 2 + 4)  # the last label stands in the middle of its tick
    after: list[Shape] = []
    if len(series) > 1:
        heights = spread(ends, top, bottom, APART)
        for number, (end, y) in enumerate(zip(ends, heights, strict=True)):
            name, colour = _shorten(series[number].name), COLOURS[number % len(COLOURS)]
            after += label_line(number, name, right, end, y, colour)
        width = right + 44 + FONT_MARGIN * max(text_width(_shorten(s.name)) for s in series)
    return describe_drawing(width, bottom + 52, title, shapes, groups, after)


def _draw_point(scale: Axis, point: Point, at: float, number: int, *, upright: bool) -> list[Shape]:
    colour, value = COLOURS[number % len(COLOURS)], scale.at(point.value or 0.0)
    drawn: list[Shape] = []
    if point.interval is not None:
        drawn += draw_interval(scale, *point.interval, at, colour, upright=upright)
    return [*drawn, marker(number, *((at, value) if upright else (value, at)), colour)]


def _draw_key(number: int, series: Sequence[Series]) -> Group:
    """Draw which marker is whose, above a chart."""
    before = sum(40 + FONT_MARGIN * text_width(_shorten(each.name)) for each in series[:number])
    name = series[number].name
    drawn = (
        marker(number, before + 8, 10, COLOURS[number % len(COLOURS)]),
        TextLine(before + 20, 14.5, _shorten(name), 13),
    )
    return Group(clean_line(name), drawn)


def _name(each: Series, point: Point, series: Sequence[Series], *, share: bool = True) -> str:
    told = point.describe("{:.1%}" if share else "{:.3f}")
    return f"{clean_line(each.name)}, {told}" if len(series) > 1 else told


def _shorten(name: str, width: float = MAX_NAME) -> str:
    return shorten(clean_line(name), width, text_width)
