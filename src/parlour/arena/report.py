"""The report of a tournament: one HTML page that needs nothing from outside, to read or to print.

The templates hold the words and tables. Names and logs are the words of strangers: templates escape
whatever they print, and only printable characters reach them. A chart is a drawing with a
description in words; the page shows it in its own colours, so that it reads by day, by night and on
paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from parlour.arena.accuracy import describe_scope
from parlour.arena.plan import Fixture, Plan
from parlour.arena.results import GameResult
from parlour.arena.standings import (
    Row,
    Standings,
    describe_repeats,
    format_bound,
    format_likelihood,
    format_margin,
    format_points,
    format_seconds,
    sort_games,
)
from parlour.boards import clean_line, shorten
from parlour.core import capital, count, format_signed, options_of
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
    TextLine,
    circle,
    label_line,
    line,
    marker,
    spread,
    svg,
    text_width,
)

MAX_GAMES = 500  # listed
MAX_LOG = 4000  # characters

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
Games = Sequence[tuple[Fixture, GameResult]]


def render_page(template: str, **values: Any) -> str:
    """Fill in one of the templates."""
    return str(_environment().get_template(template).render(**values))


@cache
def _environment() -> Any:
    import jinja2  # not needed before a report is written

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("parlour.arena"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    environment.globals |= {"capital": capital, "count": count}
    environment.filters |= {
        "bound": format_bound,
        "likelihood": format_likelihood,
        "log": _clean_log,
        "margin": format_margin,
        "points": format_points,
        "seconds": format_seconds,
        "signed": format_signed,
        "svg": _embed,
    }
    return environment


def _clean(value: object) -> object:
    """Remove control characters from texts that are not markup yet."""
    return clean_line(value) if type(value) is str else value


def _clean_log(log: str) -> Any:
    """Return the last lines of the output of a bot."""
    import markupsafe

    printable = "".join(c for c in log if c.isprintable() or c in "\n\t").strip("\n")
    cut = f"…{printable[-MAX_LOG:]}" if len(printable) > MAX_LOG else printable
    return markupsafe.escape(cut)


def _embed(drawing: Drawing) -> Any:
    """Return a drawing as SVG in the colours of the page, without a background of its own."""
    import markupsafe

    paper = f'height="100%" fill="{drawing.paper}"'
    text = svg(drawing).replace(paper, 'height="100%" fill="none"')
    for colour, token in TOKENS.items():
        text = text.replace(f'"{colour}"', f'"var(--{token})"')
    return markupsafe.Markup(text)  # noqa: S704 - our own SVG, escaped


def render_report(
    plan: Plan,
    table: Standings,
    games: Iterable[tuple[Fixture, GameResult]],
    *,
    title: str,
    date: str = "",
    history: Sequence[Run] = (),
    left_out: Sequence[str] = (),
) -> str:
    """Return the page.

    For a league, `history` holds the ratings of earlier runs, each under its date, and `left_out`
    says of each bot that could not take part what is wrong with it.
    """
    game = plan.make_game()
    ordered = sort_games(games)
    lead = f"{count(len(table.rows), 'player')}, {count(table.games, 'game')}"
    latest = {row.name: (row.elo, row.low, row.high) for row in table.rows}
    return render_page(
        "tournament.html",
        title=title,
        lead=[capital(game.name), lead, *([date] if date else [])],
        plan=plan,
        game=game,
        options=options_of(type(game)),
        table=table,
        before=history[-1][1] if history else None,
        repeats=describe_repeats(table),
        left_out=left_out,
        ratings_chart=draw_ratings(table),
        history_chart=draw_history([*history, (date or "now", latest)]) if history else None,
        unplotted=len(table.rows) - MAX_LINES,
        accuracy_chart=draw_accuracy(table) if any(r.accuracy for r in table.rows) else None,
        scope=describe_scope(game),
        faults=_list_faults(ordered),
        listed=_list_games(ordered),
        max_games=MAX_GAMES,
    )


def _list_faults(games: Games) -> list[tuple[tuple[int, str, str, str], list[int]]]:
    """List each fault once: whose it is, its name, reason and log, and the games it happened in."""
    found: dict[tuple[int, str, str, str], list[int]] = {}
    for number, (fixture, game) in enumerate(games, start=1):
        if game.fault and game.faulty_seat is not None:
            entry = (fixture.first, fixture.second)[game.faulty_seat]
            found.setdefault((entry, game.fault, game.record.reason, game.log), []).append(number)
    return sorted(found.items(), key=lambda each: (each[0][0], each[1]))


def _list_games(games: Games) -> list[tuple[int, Fixture, GameResult]]:
    """List the games by their numbers: of very many the first, and those lost by a fault."""
    numbered = [(number, *each) for number, each in enumerate(games, start=1)]
    faulty = [each for each in numbered[MAX_GAMES:] if each[2].fault]
    return numbered[:MAX_GAMES] + faulty[:MAX_GAMES]


# Charts


def draw_ratings(table: Standings) -> Drawing:
    """Draw each rating as a dot on its confidence interval."""
    names = _name_width(row.name for row in table.rows)
    lowest, highest = min(row.low for row in table.rows), max(row.high for row in table.rows)
    scale = Axis(lowest, highest, names + 20, names + 20 + AXIS)
    width = scale.end + 60
    heights, bottom = _place_rows(table.rows)
    groups = []
    for row, y in zip(table.rows, heights, strict=True):
        elo, low, high = map(format_signed, (row.elo, row.low, row.high))
        shapes = (
            _draw_name(row, names, y),
            *draw_interval(scale, row.low, row.high, y, BLUE),
            circle(scale.at(row.elo), y, 5, BLUE, PAPER),
            TextLine(width, y + 4.5, elo, 13, "end"),
        )
        groups.append(Group(f"{clean_line(row.name)} {elo}, between {low} and {high}", shapes))
    axis = scale.draw_horizontal(TOP, bottom, format_signed, above=True)
    return describe_drawing(width, bottom + 8, "Ratings in Elo points", axis, groups)


def draw_interval(
    scale: Axis, low: float, high: float, at: float, colour: str, *, upright: bool = False
) -> list[Shape]:
    """Draw an interval of a scale as a line with its ends marked; `at` is its other coordinate."""
    low, high = scale.at(low), scale.at(high)
    ends = [(low, at, high, at), (low, at - 4, low, at + 4), (high, at - 4, high, at + 4)]
    if upright:
        ends = [(y1, x1, y2, x2) for x1, y1, x2, y2 in ends]
    return [line(*each, colour, 2) for each in ends]


def draw_accuracy(table: Standings) -> Drawing:
    """Draw two bars for each player: won positions kept, and points given away per move."""
    judged = [(row, row.accuracy) for row in table.rows if row.accuracy]
    rows = [row for row, _ in judged]
    most = max((found.given_per_move for _, found in judged), default=0.0)
    names = _name_width(row.name for row in rows)
    kept = Axis(0, 1, names + 20, names + 220, step=0.25)
    given = Axis(0, max(most, 0.01), kept.end + 60, kept.end + 220)
    heights, bottom = _place_rows(rows)
    groups = []
    for (row, found), y in zip(judged, heights, strict=True):
        shapes = [_draw_name(row, names, y)]
        lost = found.given_per_move
        shapes += _draw_bar(given, lost, y, VERMILION, f"{lost:.3f}")
        if found.share_kept is None:
            shapes.append(TextLine(kept.start + 6, y + 4.5, "never winning", 12, colour=QUIET))
        else:
            shapes += _draw_bar(kept, found.share_kept, y, BLUE, f"{found.share_kept:.0%}")
        about = f"{clean_line(row.name)} kept {found.kept} of {found.won} won positions and gave "
        about += f"away {lost:.3f} points per move"
        groups.append(Group(about, tuple(shapes)))
    axes = [
        *kept.draw_horizontal(TOP, bottom, "{:.0%}".format, above=True),
        *given.draw_horizontal(TOP, bottom, "{:g}".format, above=True),
        TextLine(kept.start, 12, "▲ won positions kept", 13),
        TextLine(given.start, 12, "▼ given away per move", 13),
    ]
    return describe_drawing(given.end + 50, bottom + 8, "Accuracy", axes, groups)


def _draw_bar(scale: Axis, value: float, y: float, colour: str, label: str) -> list[Shape]:
    length = max(1.0, scale.at(value) - scale.start)
    return [
        Rect(scale.start, y - 6, length, 12, colour),
        TextLine(scale.at(value) + 6, y + 4.5, label, 12),
    ]


def draw_history(runs: Sequence[Run]) -> Drawing:
    """Draw how the ratings of the players of the last run changed from run to run."""
    names = list(runs[-1][1])[:MAX_LINES]
    seen = [run[name][0] for _, run in runs for name in names if name in run]
    left, right, top, bottom = 56.0, 56.0 + AXIS, 16.0, 316.0
    scale = Axis(min(seen) - 10, max(seen) + 10, bottom, top)
    across = [left + AXIS * number / max(1, len(runs) - 1) for number in range(len(runs))]
    shapes = scale.draw_vertical(left, right, format_signed)
    every = math.ceil(len(runs) / 4)
    days = {date[:10] for date, _ in runs}
    long = 10 if len(days) == len(runs) else 16  # with the time of day, where a day has several
    for number, (x, (date, _)) in enumerate(zip(across, runs, strict=True)):
        shapes.append(line(x, top, x, bottom + 4, LINE))
        if number % every == 0:
            anchor = "start" if number == 0 else "middle"
            shapes.append(
                TextLine(x, bottom + 20, clean_line(date)[:long], 12, anchor, colour=QUIET)
            )
    groups, ends = [], []
    for number, name in enumerate(names):
        elos = [(x, run[name][0]) for x, (_, run) in zip(across, runs, strict=True) if name in run]
        points = [(x, scale.at(elo)) for x, elo in elos]
        colour = COLOURS[number % len(COLOURS)]
        first, last = format_signed(elos[0][1]), format_signed(elos[-1][1])
        markers = [marker(number, *at, colour) for at in points]
        drawn = (Polyline(tuple(points), colour, 2), *markers)
        groups.append(Group(f"{clean_line(name)} from {first} to {last}", drawn))
        ends.append(points[-1][1])
    labels: list[Shape] = []
    for number, (end, y) in enumerate(zip(ends, spread(ends, top, bottom, APART), strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        labels += label_line(number, _shorten(names[number]), right, end, y, colour)
    width = right + 40 + _name_width(names)
    return describe_drawing(width, bottom + 28, "Ratings from run to run", shapes, groups, labels)


def describe_drawing(
    width: float,
    height: float,
    title: str,
    below: Sequence[Shape],
    groups: Sequence[Group],
    above: Sequence[Shape] = (),
) -> Drawing:
    """Return a drawing that is described by its groups."""
    about = "; ".join(each.about for each in groups)
    return Drawing(width, height, title, f"{about}.", (*below, *groups, *above))


def _place_rows(rows: Sequence[Row]) -> tuple[list[float], float]:
    """Return the middles of the rows of a chart, and where the last one ends."""
    height = ROW if len(rows) <= MANY else LOW_ROW
    return [TOP + height * (place + 0.5) for place in range(len(rows))], TOP + height * len(rows)


def _name_width(names: Iterable[str]) -> float:
    """Return the width that names take."""
    return FONT_MARGIN * max(text_width(_shorten(name)) for name in names)


def _draw_name(row: Row, width: float, y: float) -> Shape:
    return TextLine(width, y + 4.5, _shorten(row.name), 13, "end")


def _shorten(name: str) -> str:
    return shorten(clean_line(name), MAX_NAME, text_width)
