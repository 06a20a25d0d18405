"""What a table says in words: a bot's move, how a game ended, a clock, and the curve of values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from parlour.core import OUTCOMES, Game, Match, capital, seat_name, sides
from parlour.faces.web.table.chart import Point, point
from parlour.faces.web.table.state import called
from parlour.players import Worth
from parlour.rules import Nim
from parlour.store import Table


def announced(table: Table, match: Match, mine: tuple[int, ...] = ()) -> str:
    """The last move, as it is announced."""
    name, text = called(table, match.movers[-1], mine), match.moves[-1]
    if isinstance(match.game, Nim):
        return f"{name} takes {text.replace('from', 'from pile')}."
    return f"{name} plays {text}."


def ended(table: Table, match: Match, mine: tuple[int, ...] = ()) -> str:
    """How it ended, in a sentence; nothing while it goes on."""
    if match.result is None:
        return ""
    why = f" ({_named(table, match, mine)})" if match.reason else ""
    winners = [called(table, seat, mine) for seat, payoff in enumerate(match.result) if payoff > 0]
    if not winners:
        return f"It is a draw{why}."
    margin = ""
    if not match.reason and hasattr(match.game, "score"):
        margin = f" by {abs(match.game.score(match.state))}"
    wins = "wins" if len(winners) == 1 else "win"
    if winners == ["You"]:
        wins = "win"
    return f"{' and '.join(winners)} {wins}{margin}{why}."


def _named(table: Table, match: Match, mine: tuple[int, ...]) -> str:
    """Why the referee ended it, with the player's own name: `Ann resigned`."""
    for seat in range(len(table.seats)):
        if match.reason.startswith(f"{seat_name(match.game, seat)} "):
            return called(table, seat, mine) + match.reason.removeprefix(
                seat_name(match.game, seat)
            )
    return match.reason


def as_seen(game: Game, lines: Iterable[str]) -> list[str]:
    """Sentences that call the seats as the board shows them: Othello's X is black here."""
    marks = getattr(game, "marks", ())
    if marks == sides(game):
        return list(lines)
    names: dict[str, str] = {}
    for seat, side in enumerate(sides(game)):
        name = seat_name(game, seat)
        names |= {name: side, capital(name): capital(side)}
        names |= {marks[seat]: side} if marks else {}
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))
    return [pattern.sub(lambda found: names[found[0]], line) for line in lines]


def clock_face(seconds: float) -> str:
    """`4:05`, and tenths in the last twenty seconds."""
    seconds = max(0.0, seconds)
    if seconds < 20:
        return f"{seconds:.1f}"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def series(match: Match, values: list[dict[str, Any]]) -> list[Point]:
    """The values of all positions so far, as the first seat sees them; None where not known."""
    points = [
        point(match.moves[number - 1] if number else "", seat, found.get("value"))
        for number, (seat, found) in enumerate(
            zip((*match.movers, match.turn), values, strict=False)
        )
    ]
    if match.result is not None and (match.reason or points[-1].worth is None):
        points[-1] = replace(points[-1], worth=Worth(OUTCOMES[match.result[0] + 1], 0))
    return points
