"""The games of a report: those that were lost by a fault, with what its author should see; and all.

Long lists are folded away, and say how much of them is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from parlour.arena.plan import Fixture, Plan
from parlour.arena.played import Played
from parlour.arena.report_tables import grid, paragraph, told
from parlour.arena.table import halves
from parlour.core.record import Record
from parlour.core.words import count

MOST_GAMES = 500  # listed
MOST_FAULTS = 100  # told apart
MOST_NAMED = 12  # games in which one thing happened again
LONGEST_LOG = 4000  # letters
LONGEST_MOVES = 600

Games = Sequence[tuple[Fixture, Played]]


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
                    f'<td class="result">{halves(one)}–{halves(other)}</td>',
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
