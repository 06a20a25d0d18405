"""The report of a tournament: one HTML page that needs nothing from outside, to read or to print.

The templates hold the words and tables. Names and logs are the words of strangers: templates escape
whatever they print, and only printable characters reach them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from parlour.arena import plots
from parlour.arena.accuracy import describe_scope
from parlour.arena.plan import Fixture, Plan
from parlour.arena.results import GameResult
from parlour.arena.standings import (
    Standings,
    clean_line,
    describe_repeats,
    format_likelihood,
    format_margin,
    format_points,
    format_seconds,
    format_signed,
    sort_games,
)
from parlour.core import capital, count, options_of

MAX_GAMES = 500  # listed
MAX_LOG = 4000  # characters

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
    """Return the end of what a bot wrote, its lines kept."""
    import markupsafe

    printable = "".join(c for c in log if c.isprintable() or c in "\n\t").strip("\n")
    cut = f"…{printable[-MAX_LOG:]}" if len(printable) > MAX_LOG else printable
    return markupsafe.escape(cut)


def _embed(drawing: plots.Drawing) -> Any:
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
    history: Sequence[plots.Run] = (),
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
        ratings_chart=plots.draw_ratings(table),
        history_chart=plots.draw_history([*history, (date or "now", latest)]) if history else None,
        unplotted=len(table.rows) - plots.MAX_LINES,
        accuracy_chart=plots.draw_accuracy(table) if any(r.truths for r in table.rows) else None,
        scope=describe_scope(game),
        faults=_list_faults(plan, ordered),
        listed=_list_games(ordered),
        max_games=MAX_GAMES,
    )


def _list_faults(plan: Plan, games: Games) -> list[dict[str, Any]]:
    """List each fault once, with the games in which it happened and its author's log."""
    found: dict[tuple[int, str, str, str], list[int]] = {}
    for number, (fixture, game) in enumerate(games, start=1):
        if game.fault and game.at is not None:
            entry = (fixture.first, fixture.second)[game.at]
            found.setdefault((entry, game.fault, game.record.reason, game.log), []).append(number)
    return [
        {
            "name": plan.entries[entry].name,
            "fault": fault,
            "reason": reason,
            "log": log,
            "games": numbers,
        }
        for (entry, fault, reason, log), numbers in sorted(
            found.items(), key=lambda each: (each[0][0], each[1])
        )
    ]


def _list_games(games: Games) -> list[tuple[int, Fixture, GameResult]]:
    """List the games by their numbers: of very many the first, and those lost by a fault."""
    numbered = [(number, *each) for number, each in enumerate(games, start=1)]
    faulty = [each for each in numbered[MAX_GAMES:] if each[2].fault]
    return numbered[:MAX_GAMES] + faulty[:MAX_GAMES]
