"""The charts of a report: ratings with their intervals, accuracy, and the history of ratings.

Each is a drawing with a description in words. A page shows it in its own colours, so that it reads
by day, by night and on paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from parlour.arena.standings import Row, Standings, clean_line, format_signed
from parlour.drawing import (
    BLUE,
    GREY,
    INK,
    LINE,
    PAPER,
    QUIET,
    VERMILION,
    Axis,
    Drawing,
    Group,
    Polyline,
    Rect,
    Shape,
    Text,
    circle,
    label_line,
    line,
    marker,
    spread,
    svg,
    text_width,
)

MAX_NAME = 190  # the width of a name
FONT_MARGIN = 1.2  # some fonts are wider than the one whose widths are known
AXIS = 400  # the length of an axis
ROW, LOW_ROW, MANY = 24, 18, 16  # how high a row is, and where there are many
TOP = 34  # where rows begin, under the numbers of the axis
APART = 19.0  # the least distance of two labels
MAX_LINES = 12  # players whose lines can be distinguished
COLOURS = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", GREY, INK)
TOKENS = {PAPER: "paper", INK: "ink", QUIET: "quiet", LINE: "line", BLUE: "win", VERMILION: "loss"}

Run = tuple[str, Mapping[str, tuple[float, float, float]]]  # a date, and elo, low, high by name


def inline(drawing: Drawing) -> str:
    """Return a drawing as SVG in the colours of the page, without a background of its own."""
    paper = f'height="100%" fill="{drawing.paper}"'
    text = svg(drawing).replace(paper, 'height="100%" fill="none"')
    for colour, token in TOKENS.items():
        text = text.replace(f'"{colour}"', f'"var(--{token})"')
    return text


def draw_ratings(table: Standings) -> Drawing:
    """Draw each rating as a dot on its confidence interval."""
    names = _name_width(row.name for row in table.rows)
    left = names + 20
    lowest, highest = min(row.low for row in table.rows), max(row.high for row in table.rows)
    scale = Axis(lowest, highest, left, left + AXIS)
    width = scale.end + 60
    row_high = _row_height(table.rows)
    bottom = TOP + row_high * len(table.rows)
    shapes: list[Shape | Group] = [*scale.draw_horizontal(TOP, bottom, format_signed, above=True)]
    for place, row in enumerate(table.rows):
        y = TOP + row_high * (place + 0.5)
        elo, low, high = (scale.at(value) for value in (row.elo, row.low, row.high))
        shapes.append(
            Group(
                _describe_rating(row),
                (
                    _draw_name(row, names, y),
                    line(low, y, high, y, BLUE, 2),
                    line(low, y - 4, low, y + 4, BLUE, 2),
                    line(high, y - 4, high, y + 4, BLUE, 2),
                    circle(elo, y, 5, BLUE, PAPER),
                    Text(width, y + 4.5, format_signed(row.elo), 13, "end"),
                ),
            )
        )
    described = "; ".join(map(_describe_rating, table.rows))
    return Drawing(width, bottom + 8, "Ratings in Elo points", f"{described}.", tuple(shapes))


def _describe_rating(row: Row) -> str:
    elo, low, high = map(format_signed, (row.elo, row.low, row.high))
    return f"{clean_line(row.name)} {elo}, between {low} and {high}"


def draw_accuracy(table: Standings) -> Drawing:
    """Draw two bars for each player: won positions kept, and points given away by a move."""
    rows = [row for row in table.rows if row.truths]
    most = max((row.truths.given_a_move for row in rows if row.truths), default=0.0)
    names = _name_width(row.name for row in rows)
    kept = Axis(0, 1, names + 20, names + 220, step=0.25)
    given = Axis(0, max(most, 0.01), kept.end + 60, kept.end + 220)
    row_high = _row_height(rows)
    bottom = TOP + row_high * len(rows)
    shapes: list[Shape | Group] = [
        *kept.draw_horizontal(TOP, bottom, "{:.0%}".format, above=True),
        *given.draw_horizontal(TOP, bottom, "{:g}".format, above=True),
        Text(kept.start, 12, "▲ won positions kept", 13),
        Text(given.start, 12, "▼ given away by a move", 13),
    ]
    described = []
    for place, row in enumerate(rows):
        y = TOP + row_high * (place + 0.5)
        found = row.truths
        if found is None:
            continue
        share = found.share_kept
        words = f"{clean_line(row.name)} kept {found.kept} of {found.won} won positions and gave "
        words += f"away {found.given_a_move:.3f} points by a move"
        described.append(words)
        bars: list[Shape] = [
            _draw_name(row, names, y),
            _bar(given, found.given_a_move, y, VERMILION),
        ]
        bars.append(
            Text(given.at(found.given_a_move) + 6, y + 4.5, f"{found.given_a_move:.3f}", 12)
        )
        if share is None:
            bars.append(Text(kept.start + 6, y + 4.5, "none was won", 12, colour=QUIET))
        else:
            bars.append(_bar(kept, share, y, BLUE))
            bars.append(Text(kept.at(share) + 6, y + 4.5, f"{share:.0%}", 12))
        shapes.append(Group(words, tuple(bars)))
    width = given.end + 50
    return Drawing(
        width, bottom + 8, "Play beside the truth", "; ".join(described) + ".", tuple(shapes)
    )


def _bar(scale: Axis, value: float, y: float, colour: str) -> Shape:
    return Rect(scale.start, y - 6, max(1.0, scale.at(value) - scale.start), 12, colour)


def draw_history(runs: Sequence[Run], names: Sequence[str]) -> Drawing:
    """Draw how the ratings of these players changed from run to run."""
    names = names[:MAX_LINES]
    seen = [run[name][0] for _, run in runs for name in names if name in run]
    left, right, top, bottom = 56.0, 56.0 + AXIS, 16.0, 316.0
    width = right + 40 + _name_width(names)
    scale = Axis(min(seen) - 10, max(seen) + 10, bottom, top)

    def place(run: int) -> float:
        return left + AXIS * run / max(1, len(runs) - 1)

    shapes: list[Shape | Group] = [*scale.draw_vertical(left, right, format_signed)]
    every = math.ceil(len(runs) / 4)
    days = {date[:10] for date, _ in runs}
    long = 10 if len(days) == len(runs) else 16  # with the time of day, where a day has several
    for number, (date, _) in enumerate(runs):
        x = place(number)
        shapes.append(line(x, top, x, bottom + 4, LINE))
        if number % every == 0:
            anchor = "start" if number == 0 else "middle"
            shapes.append(Text(x, bottom + 20, clean_line(date)[:long], 12, anchor, colour=QUIET))
    described, ends = [], []
    for number, name in enumerate(names):
        points = [
            (place(n), scale.at(run[name][0])) for n, (_, run) in enumerate(runs) if name in run
        ]
        elos = [run[name][0] for _, run in runs if name in run]
        colour = COLOURS[number % len(COLOURS)]
        words = f"{clean_line(name)} from {format_signed(elos[0])} to {format_signed(elos[-1])}"
        described.append(words)
        drawn = [
            Polyline(tuple(points), colour, 2),
            *(marker(number, *at, colour) for at in points),
        ]
        shapes.append(Group(words, tuple(drawn)))
        ends.append(points[-1][1])
    for number, (name, y, end) in enumerate(
        zip(names, spread(ends, top, bottom, APART), ends, strict=True)
    ):
        colour = COLOURS[number % len(COLOURS)]
        shapes += label_line(number, _shorten(name, MAX_NAME), right, end, y, colour)
    return Drawing(
        width, bottom + 28, "Ratings from run to run", "; ".join(described) + ".", tuple(shapes)
    )


def _row_height(rows: Sequence[Row]) -> float:
    return ROW if len(rows) <= MANY else LOW_ROW


def _name_width(names: Iterable[str]) -> float:
    """Return the width that names take."""
    return FONT_MARGIN * max(text_width(_shorten(name, MAX_NAME)) for name in names)


def _draw_name(row: Row, width: float, y: float) -> Text:
    return Text(width, y + 4.5, _shorten(row.name, MAX_NAME), 13, "end")


def _shorten(name: str, width: float) -> str:
    """Shorten a name to a width, keeping both ends, for names differ at either."""
    name = clean_line(name)
    head, tail = name[:-6], name[-6:]
    while head and text_width(name) > width:
        head = head[:-1]
        name = f"{head}…{tail}"
    return name
