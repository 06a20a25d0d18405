"""The report of a tournament: one HTML page that needs nothing from outside, to read or to print.

The templates hold the words, the functions here the figures. Names and logs are the words of
strangers: templates escape whatever they print, and only printable characters reach them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from parlour.arena import plots
from parlour.arena.accuracy import describe_scope
from parlour.arena.plan import Fixture, Plan
from parlour.arena.plots import Run
from parlour.arena.results import GameResult
from parlour.arena.standings import (
    Row,
    Standings,
    clean_line,
    describe_repeats,
    format_points,
    format_seconds,
    format_signed,
    sort_games,
)
from parlour.core import Clock, Record, capital, count, options_of

MAX_COMPARED = 12  # players for whom all likelihoods are shown
MAX_GAMES = 500  # listed
MAX_FAULTS = 100
MAX_NUMBERS = 12  # of games in which the same fault happened
MAX_LOG = 4000  # characters
MAX_MOVES = 600
SHADES = 8  # of a cell, from all lost to all won
KINDS = {
    "round-robin": "Everybody met everybody",
    "gauntlet": "The first player met all others",
    "swiss": "Round by round, those with like points met",
}

Games = Sequence[tuple[Fixture, GameResult]]


@dataclass(frozen=True)
class Cell:
    """A cell of a table that is more than plain text."""

    text: str = ""
    css: str = ""  # its class
    strong: str = ""  # before the text, in bold
    mark: tuple[str, str] | None = None  # a class and a sign before the text
    remark: str = ""  # below the text


@dataclass(frozen=True)
class GridRow:
    """A row of a table: its place in a ranking, its head, and its cells."""

    place: int | None
    head: str
    cells: Sequence[str | Cell]


@dataclass(frozen=True)
class Grid:
    """A table of a report; `kind` is its class."""

    caption: str
    kind: str
    heads: Sequence[str]
    rows: Sequence[GridRow]


def render_page(template: str, **values: Any) -> str:
    """Fill in one of the templates."""
    return str(_environment().get_template(template).render(**values))


@cache
def _environment() -> Any:
    import jinja2  # not needed before a report is written

    return jinja2.Environment(
        loader=jinja2.PackageLoader("parlour.arena"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )


def _clean(value: object) -> object:
    """Remove control characters from texts that are not markup yet."""
    return clean_line(value) if type(value) is str else value


def draw(drawing: plots.Drawing) -> Any:
    """Return a drawing as markup in the colours of the page."""
    import markupsafe

    return markupsafe.Markup(plots.inline(drawing))  # noqa: S704 - our own SVG, escaped


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
    judged = any(row.truths for row in table.rows)
    few = 1 < len(table.rows) <= MAX_COMPARED
    faults = _list_faults(plan, ordered)
    return render_page(
        "tournament.html",
        title=title,
        lead=[capital(game.name), lead, *([date] if date else [])],
        game=game,
        game_file=plan.game if plan.game.endswith(".py") else "",
        options=[
            {"name": name, "value": opt.write(getattr(game, name)), "about": opt.about}
            for name, opt in options_of(type(game)).items()
        ],
        conditions=_describe_conditions(plan),
        standings=_standings_grid(table, history[-1][1] if history else None),
        repeats=describe_repeats(table) if table.repeats else "",
        left_out=left_out,
        verdicts=[capital(str(each)) for each in table.verdicts],
        decide=f"{plan.decide:g}" if plan.decide else "",
        ratings_chart=draw(plots.draw_ratings(table)),
        history_chart=_draw_history(table, history, date) if history else None,
        unplotted=len(table.rows) - plots.MAX_LINES,
        cross_table=_cross_grid(table),
        likelihoods=_likelihood_grid(table) if few else None,
        accuracy=_accuracy_grid(table) if judged else None,
        accuracy_chart=draw(plots.draw_accuracy(table)) if judged else None,
        scope=describe_scope(game),
        times=_time_grid(table),
        errors=count(table.errors, "game") if table.errors else "",
        faults=faults[:MAX_FAULTS],
        hidden_faults=len(faults) - MAX_FAULTS,
        all_games=ordered,
        **_list_games(plan, ordered),
    )


# Conditions


def _describe_conditions(plan: Plan) -> dict[str, str]:
    conditions = {
        "Played": _describe_kind(plan),
        "Openings": _describe_openings(plan),
        "Time to think": _describe_clock(plan.clock),
    }
    if any(entry.sandboxed for entry in plan.entries):
        limits = plan.limits
        think = "" if plan.clock else f" and {limits.think:g} s for a move"
        conditions["Bots of their own"] = (
            f"each in a process apart, with {limits.memory} MiB of memory, "
            f"{limits.start:g} s to start{think}"
        )
    conditions["Seed"] = f"{plan.seed}; whoever uses the same plays the same games, clocks aside"
    return conditions


def _describe_kind(plan: Plan) -> str:
    words = f"{KINDS[plan.kind]}, {count(plan.games, 'game')} for each two, half in either seating"
    if plan.decide is None:
        return words
    early = f"and fewer once it was clear whether one is stronger by {plan.decide:g} Elo points"
    return f"{words}, {early}"


def _describe_openings(plan: Plan) -> str:
    openings = [each for each in plan.openings if each]
    if not openings:
        return "none: every game begins at the start"
    lengths = sorted({len(each) for each in openings})
    long = f"{lengths[0]} to {lengths[-1]} moves" if len(lengths) > 1 else count(lengths[0], "move")
    return (
        f"{count(len(plan.openings), 'opening')} of {long}, made before the players took over, "
        "each in both seatings"
    )


def _describe_clock(clock: Clock | None) -> str:
    if clock is None:
        return "no clock"
    if clock.each is not None:
        return f"{clock.each:g} s for each move"
    added = f", and {clock.added:g} s more with each move" if clock.added else ""
    return f"{clock.total:g} s for the game{added}"


# Tables


def _rank(table: Standings, cells: Iterable[Sequence[str | Cell]]) -> list[GridRow]:
    """Return the rows of a table, each under its place and name."""
    return [
        GridRow(place, row.name, each)
        for place, (row, each) in enumerate(zip(table.rows, cells, strict=True), start=1)
    ]


def _standings_grid(
    table: Standings, before: Mapping[str, tuple[float, float, float]] | None
) -> Grid:
    """The points and ratings, and how the ratings changed since the last run."""
    measured = any(row.margin is not None for row in table.rows)
    byes = any(row.bye for row in table.rows)
    heads = ["Player", "Points", "Elo", "95 % interval", *["Since last"] * (before is not None)]
    heads += ["Won / drawn / lost", "As first", "As second", *["Bye"] * byes]
    heads += ["Margin"] * measured + ["Faults"] * bool(table.errors)

    def cells(row: Row) -> Iterator[str | Cell]:
        yield Cell(f"/{row.games + round(row.bye)}", strong=format_points(row.points))
        yield Cell(strong=format_signed(row.elo))
        yield f"{format_signed(row.low)} to {format_signed(row.high)}"
        if before is not None:
            yield _change_cell(row, before)
        yield f"{row.wins} / {row.draws} / {row.losses}"
        for score in (row.first, row.second):
            yield f"{format_points(score.points)}/{score.games}"
        if byes:
            yield format_points(row.bye)
        if measured:
            yield "–" if row.margin is None else f"{row.margin:+.1f}".replace("-", "−")
        if table.errors:
            yield str(len(row.faults))

    return Grid("Standings", "standings", heads, _rank(table, map(list, map(cells, table.rows))))


def _change_cell(row: Row, before: Mapping[str, tuple[float, float, float]]) -> str | Cell:
    if row.name not in before:
        return "new"
    by = round(row.elo - before[row.name][0])
    mark = ("win", "▲") if by > 0 else ("loss", "▼") if by < 0 else ("draw", "●")
    return Cell(format_signed(by), mark=mark)


def _cross_grid(table: Standings) -> Grid:
    """The points of each against each."""
    varies = len({cell.games for row in table.rows for cell in row.against if cell}) > 1

    def cells(row: Row) -> Iterator[Cell]:
        for other, score in zip(table.rows, row.against, strict=True):
            if score is None:
                yield Cell("" if other is row else "–", "self")
            else:
                games = f"/{score.games}" if varies else ""
                yield Cell(format_points(score.points) + games, _shade(score.share))
        yield Cell(format_points(row.points), "sum")

    heads = ["Player", *map(str, range(1, len(table.rows) + 1)), "Sum"]
    rows = _rank(table, map(list, map(cells, table.rows)))
    return Grid("Points of each against each", "cross", heads, rows)


def _likelihood_grid(table: Standings) -> Grid:
    """How likely each is stronger than each."""

    def cell(chance: float | None) -> Cell:
        if chance is None:
            return Cell(css="self")
        percent = min(max(round(chance * 100), 1), 99)  # nothing is certain
        return Cell(f"{percent} %", _shade(chance))

    heads = ["Player", *map(str, range(1, len(table.rows) + 1))]
    rows = _rank(table, ([cell(chance) for chance in row.superior] for row in table.rows))
    return Grid("How likely each is the stronger", "cross", heads, rows)


def _shade(share: float) -> str:
    return f"h{round(share * SHADES)}"


def _accuracy_grid(table: Standings) -> Grid:
    heads = ["Player", "Moves judged", "Won positions", "Kept", "Given away", "A move"]
    heads += ["Games with a mistake", "First mistake"]

    def cells(row: Row) -> list[str]:
        if (found := row.truths) is None:
            return ["0", *["–"] * 6]
        share, first = found.share_kept, found.first_mistake
        return [
            f"{found.judged:,}",
            f"{found.won:,}",
            "–" if share is None else f"{share:.0%}",
            f"{found.given:g}",
            f"{found.given_a_move:.3f}",
            f"{found.spoilt} of {found.games}",
            "–" if first is None else f"move {first:g}",
        ]

    return Grid("Accuracy", "figures", heads, _rank(table, map(cells, table.rows)))


def _time_grid(table: Standings) -> Grid:
    def cells(row: Row) -> list[str]:
        times = row.times
        each = format_seconds(times.a_move) if times.moves else "–"
        slowest = format_seconds(times.slowest) if times.slowest else "–"
        return [f"{times.moves:,}", format_seconds(times.seconds), each, slowest]

    heads = ["Player", "Moves", "In all", "A move", "Slowest"]
    return Grid("Time used", "figures", heads, _rank(table, map(cells, table.rows)))


def _draw_history(table: Standings, history: Sequence[Run], date: str) -> Any:
    now = {row.name: (row.elo, row.low, row.high) for row in table.rows}
    names = [row.name for row in table.rows]
    return draw(plots.draw_history([*history, (date or "now", now)], names))


# Games


def _list_faults(plan: Plan, games: Games) -> list[dict[str, Any]]:
    """List each fault once, with the games in which it happened and its author's log."""
    found: dict[tuple[int, str, str, str], list[int]] = {}
    for number, (fixture, game) in enumerate(games, start=1):
        if game.fault and game.at is not None:
            entry = (fixture.first, fixture.second)[game.at]
            found.setdefault((entry, game.fault, game.record.reason, game.log), []).append(number)
    listed = []
    for (entry, fault, reason, log), numbers in sorted(
        found.items(), key=lambda each: (each[0][0], each[1])
    ):
        some = ", ".join(map(str, numbers[:MAX_NUMBERS]))
        more = f" and {len(numbers) - MAX_NUMBERS} more" if len(numbers) > MAX_NUMBERS else ""
        listed.append(
            {
                "name": plan.entries[entry].name,
                "fault": fault,
                "where": f"game{'s' * (len(numbers) > 1)} {some}{more}",
                "reason": reason,
                "log": _clean_log(log),
            }
        )
    return listed


def _clean_log(log: str) -> Any:
    """Return the end of what a bot wrote, its lines kept."""
    import markupsafe

    printable = "".join(c for c in log if c.isprintable() or c in "\n\t").strip("\n")
    cut = f"…{printable[-MAX_LOG:]}" if len(printable) > MAX_LOG else printable
    return markupsafe.escape(cut)


def _list_games(plan: Plan, games: Games) -> dict[str, Any]:
    """List the games one by one: of very many the first, and those lost by a fault."""
    numbered = list(enumerate(games, start=1))
    faulty = [each for each in numbered[MAX_GAMES:] if each[1][1].fault]
    shown = numbered[:MAX_GAMES] + faulty[:MAX_GAMES]
    summary = f"All {count(len(games), 'game')}"
    if len(shown) < len(games):
        summary = f"{len(shown)} of {count(len(games), 'game')}: the first {MAX_GAMES}"
        summary += " and those lost by a fault" if faulty else ""
    heads = ["Game", "First", "Second", "Result", "Moves", "Played"]
    rows = [GridRow(None, str(number), _game_cells(plan, *each)) for number, each in shown]
    return {"games": Grid("Games", "games", heads, rows), "games_summary": summary}


def _game_cells(plan: Plan, fixture: Fixture, game: GameResult) -> list[str | Cell]:
    moves = _write_moves(game.record)
    if len(moves) > MAX_MOVES:
        moves = f"{moves[:MAX_MOVES]} …"
    return [
        plan.entries[fixture.first].name,
        plan.entries[fixture.second].name,
        Cell("–".join(map(format_points, game.points)), "result"),
        str(len(game.record.moves)),
        Cell(moves, "moves", remark=game.record.reason),
    ]


def _write_moves(record: Record) -> str:
    """Write the moves, and say which were the opening and nobody's."""
    moves = ", ".join(record.moves[record.opening :])
    if not record.opening:
        return moves
    opening = f"opening: {', '.join(record.moves[: record.opening])}"
    return f"{opening}; then {moves}" if moves else opening
