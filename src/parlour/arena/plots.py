"""The pictures of a report: how strong everybody is and how sure that is, the truth, and the past.

Each is a drawing in the house's colours that says in words what it shows. A page sets it in its own
colours, so that it reads by day, by night and on paper.
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

LONGEST_NAME = 190  # as wide as names may be
ROOM = 1.2  # some fonts are wider than the one that widths are known of
AXIS = 400  # from the least to the most
ROW, LOW_ROW, MANY = 24, 18, 16  # how high a row is, and where there are many
TOP = 34  # where rows begin, under the numbers of the axis
APART = 19.0  # the least distance of two labels
MOST_LINES = 12  # players whose past can be told apart
COLOURS = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", GREY, INK)
TOKENS = {PAPER: "paper", INK: "ink", QUIET: "quiet", LINE: "line", BLUE: "win", VERMILION: "loss"}

Run = tuple[str, Mapping[str, tuple[float, float, float]]]  # a date, and elo, low, high by name


def inline(drawing: Drawing) -> str:
    """The picture in a page's own colours, on no paper of its own."""
    told = svg(drawing).replace(
        f'height="100%" fill="{drawing.paper}"', 'height="100%" fill="none"'
    )
    for colour, token in TOKENS.items():
        told = told.replace(f'"{colour}"', f'"var(--{token})"')
    return told


def strengths(table: Standings) -> Drawing:
    """Everybody's rating as a dot on the interval that holds the true strength."""
    names = _names(row.name for row in table.rows)
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
                _strength(row),
                (
                    _name(row, names, y),
                    line(low, y, high, y, BLUE, 2),
                    line(low, y - 4, low, y + 4, BLUE, 2),
                    line(high, y - 4, high, y + 4, BLUE, 2),
                    circle(elo, y, 5, BLUE, PAPER),
                    Text(width, y + 4.5, format_signed(row.elo), 13, "end"),
                ),
            )
        )
    said = "; ".join(map(_strength, table.rows))
    return Drawing(width, bottom + 8, "Ratings in Elo points", f"{said}.", tuple(shapes))


def _strength(row: Row) -> str:
    elo, low, high = map(format_signed, (row.elo, row.low, row.high))
    return f"{clean_line(row.name)} {elo}, between {low} and {high}"


def truths(table: Standings) -> Drawing:
    """Two bars for each player: won positions kept, and points given away by a move."""
    rows = [row for row in table.rows if row.truths]
    most = max((row.truths.given_a_move for row in rows if row.truths), default=0.0)
    names = _names(row.name for row in rows)
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
    said = []
    for place, row in enumerate(rows):
        y = TOP + row_high * (place + 0.5)
        told = row.truths
        if told is None:
            continue
        share = told.share_kept
        words = f"{clean_line(row.name)} kept {told.kept} of {told.won} won positions and gave "
        words += f"away {told.given_a_move:.3f} points by a move"
        said.append(words)
        bars: list[Shape] = [_name(row, names, y), _bar(given, told.given_a_move, y, VERMILION)]
        bars.append(Text(given.at(told.given_a_move) + 6, y + 4.5, f"{told.given_a_move:.3f}", 12))
        if share is None:
            bars.append(Text(kept.start + 6, y + 4.5, "none was won", 12, colour=QUIET))
        else:
            bars.append(_bar(kept, share, y, BLUE))
            bars.append(Text(kept.at(share) + 6, y + 4.5, f"{share:.0%}", 12))
        shapes.append(Group(words, tuple(bars)))
    width = given.end + 50
    return Drawing(width, bottom + 8, "Play beside the truth", "; ".join(said) + ".", tuple(shapes))


def _bar(scale: Axis, value: float, y: float, colour: str) -> Shape:
    return Rect(scale.start, y - 6, max(1.0, scale.at(value) - scale.start), 12, colour)


def past(runs: Sequence[Run], names: Sequence[str]) -> Drawing:
    """How the ratings of these players went from run to run."""
    names = names[:MOST_LINES]
    seen = [run[name][0] for _, run in runs for name in names if name in run]
    left, right, top, bottom = 56.0, 56.0 + AXIS, 16.0, 316.0
    width = right + 40 + _names(names)
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
    said, ends = [], []
    for number, name in enumerate(names):
        points = [
            (place(n), scale.at(run[name][0])) for n, (_, run) in enumerate(runs) if name in run
        ]
        elos = [run[name][0] for _, run in runs if name in run]
        colour = COLOURS[number % len(COLOURS)]
        words = f"{clean_line(name)} from {format_signed(elos[0])} to {format_signed(elos[-1])}"
        said.append(words)
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
        shapes += label_line(number, _short(name, LONGEST_NAME), right, end, y, colour)
    return Drawing(
        width, bottom + 28, "Ratings from run to run", "; ".join(said) + ".", tuple(shapes)
    )


def _row_height(rows: Sequence[Row]) -> float:
    return ROW if len(rows) <= MANY else LOW_ROW


def _names(names: Iterable[str]) -> float:
    """How much room names take."""
    return ROOM * max(text_width(_short(name, LONGEST_NAME)) for name in names)


def _name(row: Row, width: float, y: float) -> Text:
    return Text(width, y + 4.5, _short(row.name, LONGEST_NAME), 13, "end")


def _short(name: str, width: float) -> str:
    """A name in so much room; both its ends are kept, for names differ at either."""
    name = clean_line(name)
    head, tail = name[:-6], name[-6:]
    while head and text_width(name) > width:
        head = head[:-1]
        name = f"{head}…{tail}"
    return name
