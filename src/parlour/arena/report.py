"""The tables of a report as HTML: the standings, who beat whom, the truth, and the time.

Every cell that is coloured says the same in figures. Names are strangers' words: whatever is not
ours goes through `told`, and comes out as nothing but text.

The games of a report: those that were lost by a fault, with what its author should see; and all.

Long lists are folded away, and say how much of them is left out.

The report of a tournament: one page that needs nothing from outside, to read or to print.

It says what was played and how, who came out where and how sure that is, how everybody's moves
stand beside the truth, and what went wrong. Each picture stands beside the figures it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from parlour.arena import plots
from parlour.arena.accuracy import MOST_EMPTIES
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
from parlour.core import Clock, Game, Record, capital, count, declared
from parlour.drawing import Drawing
from parlour.engine import empties
from parlour.rules import Othello

MOST_COMPARED = 12  # players for whom all likelihoods are shown
MANY = 16  # rows above which a table is set small, and each against each on a wide page
SHADES = 8  # from all lost to all won


def told(words: object) -> str:
    """Anybody's words, as text of a page and nothing else."""
    return escape(clean_line(str(words)))


def section(name: str, title: str, *parts: str) -> str:
    """A part of the report under a heading."""
    body = "\n".join(part for part in parts if part)
    return f'<section id="{name}">\n<h2>{title}</h2>\n{body}\n</section>'


def paragraph(words: str, kind: str = "") -> str:
    """A sentence or two, told already."""
    return f'<p class="{kind}">{words}</p>' if kind else f"<p>{words}</p>"


def grid(
    caption: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], kind: str
) -> str:
    """A table that scrolls where it is too wide: heads, then rows of a row's head and its cells.

    A cell that begins with `<td` is taken as it is.
    """
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    lines = []
    for head, cells in rows:
        inside = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{head}</th>{inside}</tr>')
    size = "many" if len(rows) > MANY else "few"
    return "\n".join(
        [
            f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">',
            f'<table class="{kind} {size}"><caption>{caption}</caption>',
            f"<thead><tr>{top}</tr></thead>",
            "<tbody>",
            *lines,
            "</tbody></table>",
            "</div>",
        ]
    )


def ranked(table: Standings) -> Iterable[tuple[str, Row]]:
    """Every row under its place and name."""
    for place, row in enumerate(table.rows, start=1):
        name = f"<span>{told(row.name)}</span>"
        yield f'<span class="who"><span class="place">{place}</span> {name}</span>', row


def standings(table: Standings, before: Mapping[str, tuple[float, float, float]] | None) -> str:
    """The points, and how strong that makes everybody; and what changed since the last run."""
    measured = any(row.margin is not None for row in table.rows)
    byes = any(row.bye for row in table.rows)
    heads = ["Player", "Points", "Elo", "95 % interval", *["Since last"] * (before is not None)]
    heads += ["Won / drawn / lost", "As first", "As second", *["Bye"] * byes]
    heads += ["Margin"] * measured + ["Faults"] * bool(table.errors)
    rows = []
    for head, row in ranked(table):
        cells = [
            f"<td><strong>{format_points(row.points)}</strong>/{row.games + round(row.bye)}</td>"
        ]
        cells.append(f"<td><strong>{format_signed(row.elo)}</strong></td>")
        cells.append(f"{format_signed(row.low)} to {format_signed(row.high)}")
        if before is not None:
            cells.append(_change(row, before))
        cells.append(f"{row.wins} / {row.draws} / {row.losses}")
        cells += [f"{format_points(each.points)}/{each.games}" for each in (row.first, row.second)]
        cells += [format_points(row.bye)] * byes
        if measured:
            cells.append("–" if row.margin is None else f"{row.margin:+.1f}".replace("-", "−"))
        if table.errors:
            cells.append(str(len(row.faults)))
        rows.append((head, cells))
    return grid("Standings", heads, rows, "standings")


def _change(row: Row, before: Mapping[str, tuple[float, float, float]]) -> str:
    if row.name not in before:
        return "new"
    by = round(row.elo - before[row.name][0])
    kind, mark = ("win", "▲") if by > 0 else ("loss", "▼") if by < 0 else ("draw", "●")
    return f'<span class="{kind}">{mark}</span> {format_signed(by)}'


def crossed(table: Standings) -> str:
    """The points of each against each."""
    played = {cell.games for row in table.rows for cell in row.against if cell}
    rows = []
    for head, row in ranked(table):
        cells = []
        for other, cell in zip(table.rows, row.against, strict=True):
            if cell is None:
                cells.append('<td class="self">' + ("" if other is row else "–") + "</td>")
                continue
            games = f"/{cell.games}" if len(played) > 1 else ""
            shade = round(cell.share * SHADES)
            cells.append(f'<td class="h{shade}">{format_points(cell.points)}{games}</td>')
        rows.append((head, [*cells, f'<td class="sum">{format_points(row.points)}</td>']))
    heads = ["Player", *map(str, range(1, len(table.rows) + 1)), "Sum"]
    return grid("Points of each against each", heads, rows, "cross")


def compared(table: Standings) -> str:
    """How likely each is stronger than each."""
    rows = []
    for head, row in ranked(table):
        cells = [
            '<td class="self"></td>' if chance is None else _likely(chance)
            for chance in row.superior
        ]
        rows.append((head, cells))
    heads = ["Player", *map(str, range(1, len(table.rows) + 1))]
    return grid("How likely each is the stronger", heads, rows, "cross")


def _likely(chance: float) -> str:
    shown = min(max(round(chance * 100), 1), 99)  # nothing is certain
    return f'<td class="h{round(chance * SHADES)}">{shown} %</td>'


def judged(table: Standings) -> str:
    """The marks in figures."""
    heads = ["Player", "Moves judged", "Won positions", "Kept", "Given away", "A move"]
    heads += ["Games with a mistake", "First mistake"]
    rows = []
    for head, row in ranked(table):
        if (truths := row.truths) is None:
            rows.append((head, ["0", *["–"] * 6]))
            continue
        share = truths.share_kept
        first = truths.first_mistake
        cells = [f"{truths.judged:,}", f"{truths.won:,}", "–" if share is None else f"{share:.0%}"]
        cells += [f"{truths.given:g}", f"{truths.given_a_move:.3f}"]
        cells += [f"{truths.spoilt} of {truths.games}", "–" if first is None else f"move {first:g}"]
        rows.append((head, cells))
    return grid("Marks beside the truth", heads, rows, "figures")


def timed(table: Standings) -> str:
    """How long everybody thought."""
    rows = []
    for head, row in ranked(table):
        times = row.times
        each = format_seconds(times.a_move) if times.moves else "–"
        slowest = format_seconds(times.slowest) if times.slowest else "–"
        rows.append((head, [f"{times.moves:,}", format_seconds(times.seconds), each, slowest]))
    return grid("Time used", ["Player", "Moves", "In all", "A move", "Slowest"], rows, "figures")


MOST_GAMES = 500  # listed
MOST_FAULTS = 100  # told apart
MOST_NAMED = 12  # games in which one thing happened again
LONGEST_LOG = 4000  # letters
LONGEST_MOVES = 600

Games = Sequence[tuple[Fixture, GameResult]]


def faults(plan: Plan, games: Games) -> str:
    """Each fault once, with the games in which it happened and what its author should see."""
    found: dict[tuple[int, str, str, str], list[int]] = {}
    for number, (fixture, game) in enumerate(games, start=1):
        if game.fault and game.at is not None:
            entry = (fixture.first, fixture.second)[game.at]
            reason = game.record.reason
            found.setdefault((entry, game.fault, reason, game.log), []).append(number)
    told_of = sorted(found.items(), key=lambda each: (each[0][0], each[1]))
    items = []
    for (entry, fault, reason, log), numbers in told_of[:MOST_FAULTS]:
        named = ", ".join(map(str, numbers[:MOST_NAMED]))
        more = f" and {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else ""
        where = f"game{'s' * (len(numbers) > 1)} {named}{more}"
        items.append(
            f"<li><strong>{told(plan.entries[entry].name)}</strong>, {told(fault)}, {where}: "
            f"{told(reason)}{_log(log)}</li>"
        )
    left = len(told_of) - MOST_FAULTS
    more = paragraph(f"{left} others are left out here.") if left > 0 else ""
    return "\n".join(['<ul class="faults">', *items, "</ul>", more])


def _log(log: str) -> str:
    """What a bot wrote before it failed, folded on a screen and open on paper."""
    kept = "".join(c for c in log if c.isprintable() or c in "\n\t").strip("\n")
    if not kept:
        return ""
    if len(kept) > LONGEST_LOG:
        kept = f"…{kept[-LONGEST_LOG:]}"
    return (
        '\n<details class="log"><summary>What it wrote</summary>'
        f"<pre>{escape(kept)}</pre></details>"
    )


def _moves(record: Record) -> str:
    """The moves, those of the opening told apart: they were nobody's."""
    made = ", ".join(record.moves[record.opening :])
    if not record.opening:
        return made
    begun = f"opening: {', '.join(record.moves[: record.opening])}"
    return f"{begun}; then {made}" if made else begun


def listed(plan: Plan, games: Games) -> str:
    """The games one by one: of very many the first, and those lost by a fault."""
    numbered = list(enumerate(games, start=1))
    faulty = [each for each in numbered[MOST_GAMES:] if each[1][1].fault]
    shown = numbered[:MOST_GAMES] + faulty[:MOST_GAMES]
    rows = []
    for number, (fixture, game) in shown:
        one, other = game.points
        record = game.record
        moves = _moves(record)
        if len(moves) > LONGEST_MOVES:
            moves = f"{moves[:LONGEST_MOVES]} …"
        reason = f"<p>{told(record.reason)}</p>" if record.reason else ""
        rows.append(
            (
                str(number),
                [
                    told(plan.entries[fixture.first].name),
                    told(plan.entries[fixture.second].name),
                    f'<td class="result">{format_points(one)}–{format_points(other)}</td>',
                    str(len(record.moves)),
                    f'<td class="moves">{told(moves)}{reason}</td>',
                ],
            )
        )
    heads = ["Game", "First", "Second", "Result", "Moves", "Played"]
    said = f"All {count(len(games), 'game')}"
    if len(shown) < len(games):
        said = f"{len(shown)} of {count(len(games), 'game')}: the first {MOST_GAMES}"
        said += " and those lost by a fault" if faulty else ""
    body = grid("Games", heads, rows, "games")
    return f"<details><summary>{said}</summary>\n{body}\n</details>"


STYLE = Path(__file__).with_name("report.css")

KINDS = {
    "round-robin": "Everybody met everybody",
    "gauntlet": "The first player met all others",
    "swiss": "Round by round, those with like points met",
}


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
    """The page.

    For a league, `history` are the ratings of earlier runs, each under its date, and `left_out`
    says of each bot that could not take part what is wrong with it.
    """
    game = plan.make_game()
    numbered = sort_games(games)
    before = history[-1][1] if history else None
    parts = [
        _conditions(plan, table, game),
        section(
            "standings",
            "Standings",
            standings(table, before),
            paragraph(describe_repeats(table), "remark") if table.repeats else "",
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
            crossed(table),
        ),
        _likelihoods(table),
        _truth(table, game),
        section("time", "Time used", timed(table)),
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


def _conditions(plan: Plan, table: Standings, game: Game) -> str:
    facts = {"Game": _options(game), "Played": _kind(plan), "Openings": _openings(plan)}
    facts["Time to think"] = _clock(plan.clock)
    if any(entry.sandboxed for entry in plan.entries):
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


def _past(table: Standings, history: Sequence[Run], date: str) -> str:
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


def _likelihoods(table: Standings) -> str:
    if not 1 < len(table.rows) <= MOST_COMPARED:
        return ""
    return section(
        "superiority",
        "Who is likely stronger",
        paragraph(
            "Read along a row: how likely that player is stronger than the player of each number, "
            "as far as these games can tell. 50 % is not knowing."
        ),
        compared(table),
    )


def _truth(table: Standings, game: Game) -> str:
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
        judged(table),
        f"<dl>\n{lines}\n</dl>",
    )


def _verdicts(plan: Plan, table: Standings) -> str:
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


def _faults(plan: Plan, table: Standings, games: Sequence[tuple[Fixture, GameResult]]) -> str:
    if not table.errors:
        return section("faults", "Faults", paragraph("Nobody lost a game by a fault of its own."))
    return section(
        "faults",
        "Faults",
        paragraph(
            f"{count(table.errors, 'game')} of {table.games} ended because a player could not go "
            "on or broke the rules. It lost that game and no other."
        ),
        faults(plan, games),
    )


def _games(plan: Plan, games: Sequence[tuple[Fixture, GameResult]]) -> str:
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
        listed(plan, games),
    )
