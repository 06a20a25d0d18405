"""What the plots share: axes with round numbers, markers, and labels at the ends of lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from parlour.drawing.shapes import LINE, PAPER, QUIET, Polygon, Rect, Shape, TextLine, circle, line

TICKS = 5  # about as many steps from the first tick to the last
LABEL = 12  # the size of the numbers
RAISE = 4.5  # lowers a label so that its middle is level with its line


class Axis:
    """A linear scale from `start` to `end` in the drawing, with ticks at round numbers.

    The ticks reach from just below `low` to just above `high`, unless they are given.
    """

    def __init__(
        self, low: float, high: float, start: float, end: float, *, step: float | None = None
    ) -> None:
        step = step or round_step((high - low) / TICKS)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        steps = range(first, max(last, first + 1) + 1)
        self.ticks: list[float] = [round(step * number, 9) for number in steps]
        self.start, self.end = start, end

    def share(self, value: float) -> float:
        """How far along the axis a value stands, from 0 to 1."""
        low, high = self.ticks[0], self.ticks[-1]
        return (value - low) / (high - low)

    def at(self, value: float) -> float:
        """Where a value stands in the drawing."""
        return self.start + (self.end - self.start) * self.share(value)

    def draw_vertical(
        self, left: float, right: float, write: Callable[[float], str], *, zero: str = LINE
    ) -> list[Shape]:
        """A line across for each tick, its number to the left; `zero` is the colour of 0's."""
        shapes: list[Shape] = []
        for value in self.ticks:
            y = self.at(value)
            shapes.append(line(left, y, right, y, LINE if value else zero))
            shapes.append(TextLine(left - 8, y + RAISE, write(value), LABEL, "end", colour=QUIET))
        return shapes

    def draw_horizontal(
        self, top: float, bottom: float, write: Callable[[float], str], *, above: bool = False
    ) -> list[Shape]:
        """A line down for each tick, its number below, or above the top."""
        first, last, base = (top - 4, bottom, top - 9) if above else (top, bottom + 4, bottom + 20)
        shapes: list[Shape] = []
        for value in self.ticks:
            x = self.at(value)
            shapes.append(line(x, first, x, last, LINE))
            shapes.append(TextLine(x, base, write(value), LABEL, "middle", colour=QUIET))
        return shapes


class LogAxis(Axis):
    """A scale by powers of ten, for counts; 0 stands at the start, a little before the rest."""

    BREAK = 0.06  # the share of the axis between 0 and the first power of ten

    def __init__(self, counts: Sequence[int], start: float = 0, end: float = 1) -> None:
        positive = [count for count in counts if count] or [10]
        self.low = math.floor(math.log10(min(positive)))
        self.high = max(math.log10(max(positive)), self.low + 1)
        self.ticks = [0, *(10**power for power in range(self.low, math.floor(self.high) + 1))]
        self.start, self.end = start, end

    def share(self, value: float) -> float:
        if not value:
            return 0.0
        power = (math.log10(value) - self.low) / (self.high - self.low)
        return self.BREAK + (1 - self.BREAK) * power


def round_step(rough: float) -> float:
    """The smallest of 1, 2 or 5 times a power of ten that is at least this."""
    rough = max(rough, 1e-9)
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * by for by in (1, 2, 5, 10) if size * by >= rough)


def marker(number: int, x: float, y: float, colour: str) -> Shape:
    """A circle, square, triangle or diamond in turn: colours alone do not tell lines apart."""
    if number % 4 == 0:
        return circle(x, y, 4, colour, PAPER)
    if number % 4 == 1:
        return Rect(x - 3.5, y - 3.5, 7, 7, colour, PAPER)
    if number % 4 == 2:
        return Polygon(((x, y - 5), (x + 4.8, y + 3.6), (x - 4.8, y + 3.6)), colour, PAPER)
    return Polygon(((x, y - 5.2), (x + 5.2, y), (x, y + 5.2), (x - 5.2, y)), colour, PAPER)


def label_line(
    number: int, words: str, right: float, end: float, height: float, colour: str
) -> list[Shape]:
    """A line's label beside the plot: a connecting stroke, its marker and its words."""
    return [
        line(right + 8, end, right + 20, height, colour),
        marker(number, right + 28, height, colour),
        TextLine(right + 38, height + RAISE, words, 13),
    ]


def spread(ends: Sequence[float], top: float, bottom: float, apart: float) -> list[float]:
    """The heights of labels: as near to the ends of their lines as they can be read."""
    order = sorted(range(len(ends)), key=ends.__getitem__)
    heights = list(ends)
    for above, below in pairwise(order):
        heights[below] = max(heights[below], heights[above] + apart)
    for number in reversed(order):
        heights[number] = min(heights[number], bottom)
        bottom = heights[number] - apart
    return [max(top, height) for height in heights]
