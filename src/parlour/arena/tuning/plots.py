"""Pictures of a tuning: who won how often, how far the best came, and what changed.

What changed is a board, where an option is a table of squares, or a number against its strength.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from parlour.arena.tuning.search import Generation, Lead, TuningResult
from parlour.arena.tuning.summary import numbers
from parlour.core import count
from parlour.drawing import (
    BLUE,
    GREY,
    LINE,
    PAPER,
    QUIET,
    VERMILION,
    Axis,
    Drawing,
    Group,
    Polygon,
    Polyline,
    Rect,
    Shape,
    Text,
    circle,
    line,
    text_width,
)
from parlour.rules import LETTERS

WIDTH = 480  # readable on a telephone held upright
MOST_BARS = 40
BAR = 22.0  # from one bar to the next
CELL = 44.0
MOST_LABELS = 12  # generations named under a curve
LONGEST_NAME = 110.0
WHOLE = 5  # whole numbers that far apart are all marked


def bars(generation: Generation) -> Drawing:
    """How many games each won, most first; the frame after a bar is half the draws."""
    ranked = list(enumerate(generation.standings))
    shown = [each for rank, each in ranked if rank < MOST_BARS or each.lead is None]
    left = 30 + min(LONGEST_NAME, max(text_width(each.variant.name, 13, 600) for each in shown))
    most = max(1, *(each.games for each in shown))
    scale = (WIDTH - left - 92) / most
    shapes: list[Shape | Group] = []
    for place, each in enumerate(shown):
        y, own = 14 + BAR * place, each.lead is None
        colour = VERMILION if own else BLUE
        long, more = each.wins * scale, each.draws * scale / 2
        told = f"{each.wins}" + (f" and {each.draws} drawn" if each.draws else "")
        half = [Rect(left + long, y + 2.5, more, BAR - 8, "", colour)] if each.draws else []
        shapes.append(
            Group(
                f"{each.variant.name}: {each.wins} won, {each.draws} drawn, {each.losses} lost",
                (
                    Text(left - 6, y + 14, each.variant.name, 13, "end", 600 if own else 400),
                    Rect(left, y + 2, long, BAR - 7, colour),
                    *half,
                    Text(left + long + more + 6, y + 14, told, 12, colour=QUIET),
                ),
            )
        )
    end = 14 + BAR * len(shown)
    middle = left + most * scale / 2
    shapes.insert(0, line(middle, 10, middle, end + 2, LINE))
    shapes.append(line(left, 10, left, end + 2, QUIET))
    shapes.append(Text(middle, end + 16, "half of them", 11, "middle", colour=QUIET))
    best = shown[0]
    about = f"{best.variant.name} won most, {best.wins} of {count(best.games, 'game')}."
    return Drawing(WIDTH, end + 26, f"Wins of {count(most, 'game')} each", about, (*shapes,))


def progress(tuned: TuningResult) -> Drawing:
    """How far the best of each generation was ahead, and the last of them in fresh games."""
    level = Lead(0, 0, 0, 0.5)
    found = [
        (f"{g.number}", g.standings[0], g.standings[0].lead or level) for g in tuned.generations
    ]
    many = len(found)
    if tuned.confirmed is not None and tuned.confirmed.lead is not None:
        found.append(("fresh games", tuned.confirmed, tuned.confirmed.lead))
    left, right, top, bottom = 56.0, WIDTH - 20.0, 14.0, 254.0
    ends = [end for _, _, lead in found for end in (lead.low, lead.high)]
    scale = Axis(min(0.0, *ends), max(10.0, *ends), bottom, top)
    shapes: list[Shape | Group] = [*_draw_elo(scale, left, right)]
    gap = (right - left) / len(found)
    places = [
        (left + gap * (number + 0.5), scale.at(lead.elo)) for number, (*_, lead) in enumerate(found)
    ]
    shapes.append(Polyline(tuple(places[:many]), GREY, 1.5))
    every = math.ceil(many / MOST_LABELS)
    for number, ((x, y), (name, each, lead)) in enumerate(zip(places, found, strict=True)):
        fresh = number >= many
        colour = BLUE if fresh else GREY
        shapes.append(
            Group(
                f"{each.variant.name}: {_told(lead)}",
                (
                    *_interval(x, lead, scale, colour),
                    _diamond(x, y) if fresh else circle(x, y, 4.5, GREY, PAPER),
                ),
            )
        )
        if fresh or number % every == 0:
            shapes.append(Text(x, bottom + 20, name, 12, "middle", 600 if fresh else 400))
    middle = (places[0][0] + places[many - 1][0]) / 2
    shapes.append(Text(middle, bottom + 38, "best of generation", 12, "middle", colour=QUIET))
    about = "; ".join(f"{name}: {lead.elo:+.0f}" for name, _, lead in found)
    head = f"Elo points of the best above {tuned.task.bot.name}"
    return Drawing(WIDTH, bottom + 48, head, about, (*shapes,))


def against(generation: Generation, name: str) -> Drawing:
    """What each made of the number it has in this option, in Elo points above the first bot."""
    first, *others = sorted(generation.standings, key=lambda each: each.lead is not None)
    found = [
        (numbers(each.variant.bot, name)[0], each.variant.name, each.lead)
        for each in sorted(others, key=lambda each: numbers(each.variant.bot, name)[0])
        if each.lead is not None
    ]
    here = numbers(first.variant.bot, name)[0]
    left, right, top, bottom = 56.0, WIDTH - 20.0, 14.0, 254.0
    ends = [end for _, _, lead in found for end in (lead.low, lead.high)]
    scale = Axis(min(0.0, *ends), max(10.0, *ends), bottom, top)
    values = [here, *(value for value, _, _ in found)]
    low, high = min(values), max(values)
    whole = all(isinstance(value, int) for value in values) and high - low < WHOLE
    along = Axis(low, high, left + 12, right - 12, step=1 if whole else None)
    shapes: list[Shape | Group] = [
        *_draw_elo(scale, left, right),
        *along.draw_horizontal(top, bottom, "{:,.10g}".format),
    ]
    for value, who, lead in found:
        x = along.at(value)
        inside = (*_interval(x, lead, scale, GREY), circle(x, scale.at(lead.elo), 4.5, BLUE, PAPER))
        shapes.append(Group(f"{who}, {name}={value:g}: {_told(lead)}", inside))
    begun = circle(along.at(here), scale.at(0), 4.5, VERMILION, PAPER)
    shapes.append(Group(f"{first.variant.name}, {name}={here:g}", (begun,)))
    shapes.append(Text((left + right) / 2, bottom + 38, name, 12, "middle", colour=QUIET))
    about = "; ".join(f"{name}={value:g}: {lead.elo:+.0f}" for value, _, lead in found)
    head = f"Elo points above {first.variant.name}, by {name}"
    return Drawing(WIDTH, bottom + 48, head, about, (*shapes,))


def _draw_elo(axis: Axis, left: float, right: float) -> list[Shape]:
    """A line across for round numbers of Elo points, one in colour where nobody is ahead."""
    return axis.draw_vertical(
        left, right, lambda elo: f"{elo:+.0f}" if elo else "0", zero=VERMILION
    )


def _interval(x: float, lead: Lead, scale: Axis, colour: str) -> Iterator[Shape]:
    up, down = scale.at(lead.high), scale.at(lead.low)
    yield line(x, up, x, down, colour, 2)
    yield line(x - 5, up, x + 5, up, colour, 2)
    yield line(x - 5, down, x + 5, down, colour, 2)


def _told(lead: Lead) -> str:
    return f"{lead.elo:+.0f} Elo, {lead.low:+.0f} to {lead.high:+.0f}"


def _diamond(x: float, y: float) -> Shape:
    return Polygon(((x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)), BLUE, PAPER)


def board(
    name: str, before: Sequence[float], after: Sequence[float], columns: int, rows: int
) -> Drawing:
    """A table on its board; where a square's worth has moved, by how much, and a bar as long."""
    left, top = 26.0, 20.0
    most = max(abs(new - old) for old, new in zip(before, after, strict=True)) or 1
    shapes: list[Shape | Group] = []
    for square, (old, new) in enumerate(zip(before, after, strict=True)):
        row, column = divmod(square, columns)
        x, y, middle = left + column * CELL, top + row * CELL, left + (column + 0.5) * CELL
        change = new - old
        inside: list[Shape] = [
            Rect(x, y, CELL, CELL, "", LINE),
            Text(middle, y + 21, f"{new:.5g}", 15, "middle"),
        ]
        if change:
            colour = BLUE if change > 0 else VERMILION
            long = (CELL - 4) * abs(change) / most
            inside.append(Text(middle, y + 35, f"{change:+.4g}", 11, "middle", 600, colour))
            inside.append(Rect(middle - long / 2, y + CELL - 5, long, 3, colour))
        told = f"{LETTERS[column]}{row + 1}: {new:g}, before {old:g}"
        shapes.append(Group(told, tuple(inside)))
    for column in range(columns):
        x = left + (column + 0.5) * CELL
        shapes.append(Text(x, top - 6, LETTERS[column], 11, "middle", colour=QUIET))
    for row in range(rows):
        y = top + (row + 0.5) * CELL + 4
        shapes.append(Text(left - 12, y, str(row + 1), 11, "middle", colour=QUIET))
    about = f"What each square is worth in the {name} of the best, and how that differs from before"
    wide, high = columns * CELL + left + 4, rows * CELL + top + 4
    return Drawing(wide, high, name, about, (*shapes,))
