"""The reports: each one HTML page that needs nothing from outside, to read or to print.

The templates hold the words and tables. Names and logs are the words of strangers: templates escape
whatever they print, and only printable characters reach them. A chart is a drawing with a
description in words; the page shows it in its own colours, so that it reads by day, by night and on
paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from parlour import boards
from parlour.arena import charts, standings
from parlour.arena.accuracy import describe_scope
from parlour.arena.judging import Comparison, Judgement, LearningCurve, results
from parlour.arena.plan import Fixture, Plan
from parlour.arena.results import GameResult
from parlour.boards import clean_line
from parlour.core import Game, State, capital, count, format_signed, options_of, protocol
from parlour.drawing import BLUE, INK, LINE, PAPER, QUIET, VERMILION, Drawing, svg

MAX_GAMES = 500  # listed
PICTURES = 12  # positions of a judgement that are drawn
MAX_LISTED = 200  # positions in its table
MAX_LOG = 4000  # characters

MAX_LINES = 12  # players whose lines can be distinguished
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
    environment.globals |= {"capital": capital, "count": count, "board": _draw_board}
    environment.filters |= {
        "bound": standings.format_bound,
        "likelihood": standings.format_likelihood,
        "log": _clean_log,
        "margin": standings.format_margin,
        "points": standings.format_points,
        "seconds": standings.format_seconds,
        "signed": format_signed,
        "svg": _embed,
    }
    return environment


def _clean(value: object) -> object:
    """Remove control characters from texts that are not markup yet."""
    return clean_line(value) if type(value) is str else value


def _clean_log(log: str) -> Markup:
    """Return the last lines of the output of a bot."""
    printable = "".join(c for c in log if c.isprintable() or c in "\n\t").strip("\n")
    cut = f"…{printable[-MAX_LOG:]}" if len(printable) > MAX_LOG else printable
    return escape(cut)


def _embed(drawing: Drawing) -> Markup:
    """Return a drawing as SVG in the colours of the page, without a background of its own."""
    paper = f'height="100%" fill="{drawing.paper}"'
    text = svg(drawing).replace(paper, 'height="100%" fill="none"')
    for colour, token in TOKENS.items():
        text = text.replace(f'"{colour}"', f'"var(--{token})"')
    return Markup(text)  # noqa: S704 - our own SVG, escaped


def _draw_board(game: Game, state: State) -> Markup:
    drawn = boards.Picture(game, state).to_svg()
    return Markup(drawn)  # noqa: S704 - our own SVG, escaped


def render_report(
    plan: Plan,
    table: standings.Standings,
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
    ordered = standings.sort_games(games)
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
        repeats=standings.describe_repeats(table),
        left_out=left_out,
        ratings_chart=draw_ratings(table),
        history_chart=draw_history([*history, (date or "now", latest)]) if history else None,
        unplotted=len(table.rows) - MAX_LINES,
        accuracy_charts=draw_accuracy(table) if any(r.accuracy for r in table.rows) else [],
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


# Judgements


def render_judgement(
    found: Judgement | Comparison | LearningCurve, *, date: str = "", site: str = ""
) -> str:
    """Return the page of a judgement, of a comparison, or of a learning curve.

    `site` is the address of a web site, such as `http://127.0.0.1:8000`, on which the positions are
    opened.
    """
    judgements = results.list_judgements(found)
    curve = found if isinstance(found, LearningCurve) else None
    detailed = judgements[-1:] if curve else judgements
    first = detailed[0]
    title = f"{len(curve)} checkpoints" if curve else " and ".join(each.agent for each in detailed)
    return render_page(
        "judgement.html",
        title=f"{title} judged",
        lead=[capital(protocol.full_title(first.game)), *([date] if date else [])],
        detailed=detailed,
        first=first,
        comparison=found if isinstance(found, Comparison) else None,
        curve=curve,
        table=results.tabulate_figures(judgements),
        curve_charts=[curve.chart(), curve.chart_regret()] if curve else [],
        kinds_chart=results.chart_kinds(detailed) if first.by_kind else None,
        courses=_draw_courses(detailed),
        mistakes=[
            (each, [each.describe_finding(one) for one in each.mistakes[:MAX_LISTED]])
            for each in detailed
        ],
        pictures=PICTURES,
        site=site.rstrip("/"),
        results=results,
    )


def _draw_courses(judgements: Sequence[Judgement]) -> list[Any]:
    return [
        results.chart_course(judgements, by)
        for by, groups in (("depth", judgements[0].by_depth), ("plies", judgements[0].by_distance))
        if any(figures.critical for figures in groups.values())
    ]


# Charts


def draw_ratings(table: standings.Standings) -> Drawing:
    """Draw each rating as a dot on its confidence interval."""
    points = []
    for row in table.rows:
        elo, low, high = map(format_signed, (row.elo, row.low, row.high))
        about = f"{clean_line(row.name)} {elo}, between {low} and {high}"
        points.append(charts.Point(row.name, row.elo, (row.low, row.high), about, elo))
    return charts.draw_rows("Ratings in Elo points", [charts.Series("", points)], charts.ELO)


def draw_accuracy(table: standings.Standings) -> list[Drawing]:
    """Draw the share of won positions that each player kept, and the points it gave away."""
    kept, given = [], []
    for row in table.rows:
        if row.accuracy is None:
            continue
        share, lost, name = row.accuracy.share_kept, row.accuracy.given_per_move, row.name
        about = f"{clean_line(name)} kept {row.accuracy.kept} of {row.accuracy.won} won positions"
        beside = "" if share is None else f"{share:.0%}"
        kept.append(charts.Point(name, share, None, about, beside))
        about = f"{clean_line(name)} gave away {lost:.3f} points per move"
        given.append(charts.Point(name, lost, None, about, f"{lost:.3f}"))
    return [
        charts.draw_rows("Won positions kept", [charts.Series("", kept)], charts.SHARE),
        charts.draw_rows("Given away per move", [charts.Series("", given, 1)], charts.AMOUNT),
    ]


def draw_history(runs: Sequence[Run]) -> Drawing:
    """Draw how the ratings of the players of the last run changed from run to run."""
    days = {date[:10] for date, _ in runs}
    long = 10 if len(days) == len(runs) else 16  # with the time of day, where a day has several
    latest = {clean_line(date)[:long]: run for date, run in runs}  # the last of each minute
    series = []
    for number, name in enumerate(list(runs[-1][1])[:MAX_LINES]):
        points = [
            charts.Point(when, run[name][0] if name in run else None)
            for when, run in latest.items()
        ]
        elos = [format_signed(point.value) for point in points if point.value is not None]
        about = f"{clean_line(name)} from {elos[0]} to {elos[-1]}"
        series.append(charts.Series(name, points, number, about))
    return charts.draw_lines("Ratings from run to run", series, charts.ELO)
