"""The charts of the arena: points in rows or along lines, each perhaps with its interval.

They are drawn from plain figures, so that a page, a notebook and a test can all use them. Several
series stand in one chart, told apart by their markers as well as their colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from parlour import drawing
from parlour.boards import clean_line, shorten
from parlour.core import format_signed
from parlour.drawing import BLUE, GREY, INK, LINE, QUIET, VERMILION, Axis, Drawing, Group, Shape

MAX_NAME = 190.0  # the width of a name
MAX_TICK = 110.0  # the width of a label under a plot
FONT_MARGIN = 1.2  # some fonts are wider than the one whose widths are known
ACROSS = 300.0  # the length of the axis above rows
PLOT = 56.0, 456.0, 14.0, 274.0  # left, right, top and bottom of one with lines
ROW, LOW_ROW, MANY = 24, 18, 16  # how high a row is, and where there are many
TOP = 34  # where rows begin, under the numbers of the axis
APART = 19.0  # the least distance of two labels
KEY = 26.0  # the height of the line that says which marker is whose
MAX_TICKS = 12  # labels under a plot
WHOLE = 5  # whole numbers this close together are all marked
COLOURS = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", GREY, INK)

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Point:
    """A figure with its interval, where it has one."""

    label: str  # of its row, or of its place along the axis
    value: float | None
    interval: Interval | None = None
    about: str = ""  # what it says, in words
    beside: str = ""  # what stands at the end of its row


@dataclass(frozen=True)
class Series:
    """Points that belong together, such as those of one agent."""

    name: str  # no label where it is empty
    points: Sequence[Point]
    look: int = 0  # which marker and colour it has
    about: str = ""  # what its line says, in words

    @property
    def colour(self) -> str:
        """The colour of its line and markers."""
        return COLOURS[self.look % len(COLOURS)]


@dataclass(frozen=True)
class Unit:
    """What an axis measures: how its numbers are written, and how high it reaches at least."""

    write: Callable[[float], str]
    high: float = 0.0
    step: float | None = None
    zero: str = LINE  # the colour of the line at 0

    def make_axis(self, series: Iterable[Series], start: float, end: float) -> Axis:
        """Return an axis on which all points have a place, with their intervals."""
        points = [point for each in series for point in each.points if point.value is not None]
        ends = [end for point in points for end in (point.value or 0.0, *(point.interval or ()))]
        low, high = min([0.0, *ends]), max([self.high, *ends])
        return Axis(low, high if high > low else low + 1, start, end, step=self.step)


SHARE = Unit("{:.0%}".format, high=1.0, step=0.25)
AMOUNT = Unit("{:g}".format)
ELO = Unit(format_signed, high=10.0)


def draw_rows(title: str, series: Sequence[Series], unit: Unit) -> Drawing:
    """Draw each label as a row with a point on it for every series."""
    labels = _list_labels(series)
    names, several = name_width(labels), len(series) > 1
    scale = unit.make_axis(series, names + 20, names + 20 + ACROSS)
    top, high = TOP + KEY * several, ROW if len(labels) <= MANY else LOW_ROW
    heights = [top + high * (place + 0.5) for place in range(len(labels))]
    bottom = top + high * len(labels)
    shapes = scale.draw_horizontal(top, bottom, unit.write, above=True)
    groups = _draw_key(series) if several else []
    beside = max(
        (drawing.text_width(p.beside, 13, 400) for each in series for p in each.points), default=0
    )
    width = scale.end + 20 + FONT_MARGIN * beside
    for label, y in zip(labels, heights, strict=True):
        shapes.append(drawing.TextLine(names, y + 4.5, shorten_name(label), 13, "end"))
        for number, each in enumerate(series):
            point = next((p for p in each.points if p.label == label), None)
            if point is None or point.value is None:
                continue
            drawn = _draw_point(scale, each, point, y + (number - (len(series) - 1) / 2) * 7)
            if point.beside:
                drawn.append(drawing.TextLine(width, y + 4.5, point.beside, 13, "end"))
            groups.append(Group(point.about, tuple(drawn)))
    about = "; ".join(each.about for each in groups)
    return Drawing(width, bottom + 8, title, f"{about}.", (*shapes, *groups))


def draw_lines(
    title: str, series: Sequence[Series], unit: Unit, *, below: str = "", to_scale: bool = False
) -> Drawing:
    """Draw points from left to right with lines between them; `below` says what runs along.

    With `to_scale` their labels are numbers, and stand as far apart as these are.
    """
    left, right, top, bottom = PLOT
    scale = unit.make_axis(series, bottom, top)
    shapes = scale.draw_vertical(left, right, unit.write, zero=unit.zero)
    labels = _list_labels(series)
    across, ticks = _scale_labels(labels) if to_scale else _spread_labels(labels)
    shapes += ticks
    if below:
        shapes.append(drawing.TextLine((left + right) / 2, bottom + 42, below, 13, "middle"))
    groups, ends = [], []
    for each in series:
        seen = [point for point in each.points if point.value is not None]
        places = tuple((across[p.label], scale.at(p.value or 0.0)) for p in seen)
        curve = drawing.Polyline(places, each.colour, 2)
        if each.about:
            groups.append(Group(each.about, (curve,)))
        else:
            shapes.append(curve)
        for point, (x, _) in zip(seen, places, strict=True):
            drawn = _draw_point(scale, each, point, x, upright=True)
            if point.about:
                groups.append(Group(point.about, tuple(drawn)))
            else:
                shapes += drawn
        ends.append(places[-1][1] if places else bottom)
    after: list[Shape] = []
    wide = right + max(24.0, _tick_width(labels) / 2 + 4)  # the last stands in its middle
    if len(series) > 1 and all(each.name for each in series):
        heights = drawing.spread(ends, top, bottom, APART)
        for each, end, y in zip(series, ends, heights, strict=True):
            after += drawing.label_line(
                each.look, shorten_name(each.name), right, end, y, each.colour
            )
        wide = right + 44 + name_width(each.name for each in series)
    about, end = "; ".join(each.about for each in groups), bottom + (52 if below else 28)
    return Drawing(wide, end, title, f"{about}.", (*shapes, *groups, *after))


def _spread_labels(labels: Sequence[str]) -> tuple[dict[str, float], list[Shape]]:
    """Return the places of labels, all equally far apart, and their ticks with as many as fit."""
    left, right, _, bottom = PLOT
    step = (right - left) / max(1, len(labels) - 1)
    every = max(
        math.ceil(len(labels) / MAX_TICKS), math.ceil((_tick_width(labels) + 8) / max(step, 1))
    )
    across = {label: left + step * place for place, label in enumerate(labels)}
    shapes: list[Shape] = []
    for place, (label, x) in enumerate(across.items()):
        shapes.append(drawing.line(x, bottom, x, bottom + 4, LINE))
        if place % every == 0:
            words = shorten_name(label, MAX_TICK)
            shapes.append(drawing.TextLine(x, bottom + 20, words, 12, "middle", colour=QUIET))
    return across, shapes


def _tick_width(labels: Iterable[str]) -> float:
    return min(MAX_TICK, FONT_MARGIN * max(map(drawing.text_width, labels), default=0.0))


def _scale_labels(labels: Sequence[str]) -> tuple[dict[str, float], list[Shape]]:
    """Return the places of labels that are numbers, and the ticks of their axis."""
    left, right, _, bottom = PLOT
    numbers = [float(label) for label in labels]
    low, high = min(numbers), max(numbers)
    whole = high - low < WHOLE and all(map(float.is_integer, numbers))
    axis = Axis(low, high, left + 12, right - 12, step=1 if whole else None)
    across = {label: axis.at(float(label)) for label in labels}
    return across, axis.draw_horizontal(bottom, bottom, "{:,.10g}".format)


def _draw_point(
    scale: Axis, series: Series, point: Point, at: float, *, upright: bool = False
) -> list[Shape]:
    """Draw a marker on its interval, whose ends are marked too; `at` is its other coordinate."""
    value = scale.at(point.value or 0.0)
    lines = []
    if point.interval is not None:
        low, high = map(scale.at, point.interval)
        lines = [(low, at, high, at), (low, at - 4, low, at + 4), (high, at - 4, high, at + 4)]
    if upright:
        lines = [(y1, x1, y2, x2) for x1, y1, x2, y2 in lines]
    drawn: list[Shape] = [drawing.line(*each, series.colour, 2) for each in lines]
    place = (at, value) if upright else (value, at)
    return [*drawn, drawing.marker(series.look, *place, series.colour)]


def _draw_key(series: Sequence[Series]) -> list[Group]:
    """Draw which marker is whose, above a chart."""
    groups, x = [], 0.0
    for each in series:
        drawn = (
            drawing.marker(each.look, x + 8, 10, each.colour),
            drawing.TextLine(x + 20, 14.5, shorten_name(each.name), 13),
        )
        groups.append(Group(clean_line(each.name), drawn))
        x += 40 + name_width([each.name])
    return groups


def _list_labels(series: Iterable[Series]) -> list[str]:
    """Return the labels of all points, each once."""
    return list(dict.fromkeys(point.label for each in series for point in each.points))


def name_width(names: Iterable[str]) -> float:
    """Return the width that names take."""
    return FONT_MARGIN * max(drawing.text_width(shorten_name(name)) for name in names)


def shorten_name(name: str, width: float = MAX_NAME) -> str:
    """Shorten a stranger's words to a width."""
    return shorten(clean_line(name), width, drawing.text_width)
