"""The report of a tournament: one page that needs nothing from outside, to read or to print.

It says what was played and how, who came out where and how sure that is, how everybody's moves
stand beside the truth, and what went wrong. Each picture stands beside the figures it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from parlour.arena import plots, report_games, report_tables
from parlour.arena.marks import MOST_EMPTIES
from parlour.arena.plan import Clock, Fixture, Plan
from parlour.arena.played import Played
from parlour.arena.plots import Run
from parlour.arena.report_tables import paragraph, section, told
from parlour.arena.table import ordered, repeated
from parlour.arena.table_rows import Table
from parlour.core.drawing import Drawing
from parlour.core.game import Game
from parlour.core.options import declared
from parlour.core.words import capital, count
from parlour.rules.othello import Othello
from parlour.truth.othello_end import empties

STYLE = Path(__file__).with_name("report.css")

KINDS = {
    "round-robin": "Everybody met everybody",
    "gauntlet": "The first player met all others",
    "swiss": "Round by round, those with like points met",
}


def report(
    plan: Plan,
    table: Table,
    games: Iterable[tuple[Fixture, Played]],
    *,
    title: str,
    date: str = "",
    history: Sequence[Run] = (),
    left_out: Sequence[str] = (),
) -> str:
    """The page.

    For a league, `history` are the ratings of earlier runs, each under its date, and `left_out`
    says of each bot that could not take part what is wrong with it.
    """
    game = plan.make_game()
    numbered = ordered(games)
    before = history[-1][1] if history else None
    parts = [
        _conditions(plan, table, game),
        section(
            "standings",
            "Standings",
            report_tables.standings(table, before),
            paragraph(repeated(table), "remark") if table.repeats else "",
        ),
        _left_out(left_out) if left_out else "",
        _verdicts(plan, table) if table.verdicts else "",
        section(
            "ratings",
            "How strong, and how sure",
            paragraph(
                "400 Elo points more mean ten points of eleven; the mean of all is 0. The line "
                "holds the true strength 95 times of 100: where two lines overlap much, it is not "
                "yet clear who is stronger, and more games would tell."
            ),
            _figure(plots.strengths(table)),
        ),
        _past(table, history, date) if history else "",
        section(
            "cross-table",
            "Who beat whom",
            paragraph(
                "Read along a row: the points of that player against the player of each number. "
                "Blue is won, vermilion lost."
            ),
            report_tables.crossed(table),
        ),
        _likelihoods(table),
        _truth(table, game),
        section("time", "Time used", report_tables.timed(table)),
        _faults(plan, table, numbered),
        _games(plan, numbered),
    ]
    lead = f"{count(len(table.rows), 'player')}, {count(table.games, 'game')}"
    return PAGE.format(
        title=told(title),
        style=STYLE.read_text(encoding="utf-8"),
        lead=" · ".join([told(capital(game.name)), lead, *([told(date)] if date else [])]),
        parts="\n".join(part for part in parts if part),
    )


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Parlour">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p class="lead">{lead}</p>
</header>
<main>
{parts}
</main>
</body>
</html>
"""


def _figure(drawing: Drawing) -> str:
    return f'<figure class="scroll" tabindex="0">\n{plots.inline(drawing)}</figure>'


# How it was played


def _conditions(plan: Plan, table: Table, game: Game) -> str:
    facts = {"Game": _options(game), "Played": _kind(plan), "Openings": _openings(plan)}
    facts["Time to think"] = _clock(plan.clock)
    if any(entry.apart for entry in plan.entries):
        limits = plan.limits
        facts["Bots of their own"] = (
            f"each in a process apart, with {limits.memory} MiB of memory, "
            f"{limits.start:g} s to start"
            + ("" if plan.clock else f" and {limits.think:g} s for a move")
        )
    facts["Seed"] = f"{plan.seed}; whoever uses the same plays the same games, clocks aside"
    lines = "\n".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in facts.items())
    return section("conditions", "What was played", f"<dl>\n{lines}\n</dl>")


def _options(game: Game) -> str:
    """The game and every option of it, with what it means."""
    known = declared(type(game))
    items = [
        f"<li>{told(name)} <strong>{told(opt.write(getattr(game, name)))}</strong>: "
        f"{told(opt.about)}</li>"
        for name, opt in known.items()
    ]
    listed = f"\n<ul>\n{chr(10).join(items)}\n</ul>" if items else ""
    return f"<strong>{told(game.name)}</strong>{listed}"


def _kind(plan: Plan) -> str:
    words = f"{KINDS[plan.kind]}, {count(plan.games, 'game')} for each two, half in either seating"
    if plan.decide is not None:
        words += (
            f", and fewer once it was clear whether one is stronger by {plan.decide:g} Elo points"
        )
    return words


def _openings(plan: Plan) -> str:
    openings = [each for each in plan.openings if each]
    if not openings:
        return "none: every game begins at the start"
    lengths = sorted({len(each) for each in openings})
    many = f"{lengths[0]} to {lengths[-1]} moves" if len(lengths) > 1 else count(lengths[0], "move")
    return (
        f"{count(len(plan.openings), 'opening')} of {many}, made before the players took over, "
        "each in both seatings"
    )


def _clock(clock: Clock | None) -> str:
    if clock is None:
        return "no clock"
    if clock.each is not None:
        return f"{clock.each:g} s for each move"
    added = f", and {clock.added:g} s more with each move" if clock.added else ""
    return f"{clock.total:g} s for the game{added}"


# What came of it


def _past(table: Table, history: Sequence[Run], date: str) -> str:
    now = {row.name: (row.elo, row.low, row.high) for row in table.rows}
    names = [row.name for row in table.rows]
    left = len(names) - plots.MOST_LINES
    return section(
        "past",
        "From run to run",
        paragraph(
            "Every run is set beside the last so that bots that did not change keep their mean; "
            "only differences mean anything."
            + (f" The {left} lowest are left out." if left > 0 else "")
        ),
        _figure(plots.past([*history, (date or "now", now)], names)),
    )


def _likelihoods(table: Table) -> str:
    if not 1 < len(table.rows) <= report_tables.MOST_COMPARED:
        return ""
    return section(
        "superiority",
        "Who is likely stronger",
        paragraph(
            "Read along a row: how likely that player is stronger than the player of each number, "
            "as far as these games can tell. 50 % is not knowing."
        ),
        report_tables.compared(table),
    )


def _truth(table: Table, game: Game) -> str:
    if not any(row.truths for row in table.rows):
        return section(
            "truth",
            "Beside the truth",
            paragraph("Here no move was judged: the truth is not known, or nobody had a choice."),
        )
    some = ""
    if isinstance(game, Othello) and empties(game, game.start()) > MOST_EMPTIES:
        some = f" In Othello these are the moves with at most {MOST_EMPTIES} empty squares."
    sayings = {
        "Moves judged": "those where there was a choice and the truth is known; openings are left "
        f"out.{some}",
        "Kept": "of the positions in which the player could force a win, the share in which it "
        "still could after its move. A perfect player keeps them all.",
        "Given away": "points lost by moves that were not best: 1 for a win turned into a loss, ½ "
        "for a win turned into a draw or a draw into a loss. A perfect player gives nothing away.",
        "First mistake": "the move of the game, counting both players’, with which it first gave "
        "something away: the one in the middle of all its games with a mistake.",
    }
    lines = "\n".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in sayings.items())
    return section(
        "truth",
        "Beside the truth",
        paragraph(
            "Points depend on who one meets; these marks do not. Every move is compared with what "
            "is proven about the position it was made in."
        ),
        _figure(plots.truths(table)),
        report_tables.judged(table),
        f"<dl>\n{lines}\n</dl>",
    )


def _verdicts(plan: Plan, table: Table) -> str:
    items = "".join(f"<li>{told(capital(str(each)))}.</li>\n" for each in table.verdicts)
    return section(
        "verdicts",
        "Decided",
        paragraph(
            f"Two stopped as soon as it was clear whether one is stronger by {plan.decide:g} Elo "
            "points. If one really is, the wrong one is named once in twenty times at most; of "
            "closer ones the answer is less sure. The intervals below are as wide as the few games "
            "leave them."
        ),
        f"<ul>\n{items}</ul>",
    )


def _left_out(wrong: Sequence[str]) -> str:
    items = "".join(f"<li>{told(each)}</li>\n" for each in wrong)
    return section("left-out", "Left out until they are mended", f"<ul>\n{items}</ul>")


def _faults(plan: Plan, table: Table, games: Sequence[tuple[Fixture, Played]]) -> str:
    if not table.errors:
        return section("faults", "Faults", paragraph("Nobody lost a game by a fault of its own."))
    return section(
        "faults",
        "Faults",
        paragraph(
            f"{count(table.errors, 'game')} of {table.games} ended because a player could not go "
            "on or broke the rules. It lost that game and no other."
        ),
        report_games.faults(plan, games),
    )


def _games(plan: Plan, games: Sequence[tuple[Fixture, Played]]) -> str:
    file = f" --game {plan.game}" if plan.game.endswith(".py") else ""
    return section(
        "games",
        "Games",
        paragraph(
            "To see a game again, with its number for N: "
            f"<code>parlour replay games.jsonl --number N{escape(file)}</code>. To walk through it "
            "with the worth of every move, open <code>parlour web</code>, go to Analyse, and paste "
            "line N of games.jsonl."
        ),
        report_games.listed(plan, games),
    )
