"""What a table says in words: a bot's move, how a game ended, a clock, and the curve of values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from parlour.core import OUTCOMES, Game, Match, capital, seat_name, sentence, sides
from parlour.faces.web.table.chart import Point, point
from parlour.faces.web.table.state import called
from parlour.players import Worth
from parlour.rules import Nim
from parlour.store import Table

Sentence = tuple[str, str]  # a name, or nothing, and the rest: the page may cut a long name short


def announced(table: Table, match: Match, mine: tuple[int, ...] = ()) -> Sentence:
    """Announce the last move."""
    name, text = called(table, match.movers[-1], mine), match.moves[-1]
    if isinstance(match.game, Nim):
        return name, f"takes {text.replace('from', 'from pile')}."
    return name, f"plays {text}."


def ended(table: Table, match: Match, mine: tuple[int, ...] = ()) -> Sentence | None:
    """Say who won; None while the game goes on."""
    if match.result is None:
        return None
    winners = [called(table, seat, mine) for seat, payoff in enumerate(match.result) if payoff > 0]
    if not winners:
        return "", "It is a draw."
    margin = ""
    if not match.reason and hasattr(match.game, "score"):
        margin = f" by {abs(match.game.score(match.state))}"
    wins = "wins" if len(winners) == 1 else "win"
    if winners == ["You"]:
        wins = "win"
    return " and ".join(winners), f"{wins}{margin}."


def end_reason(table: Table, match: Match, mine: tuple[int, ...] = ()) -> Sentence | None:
    """Say why the referee ended the game, with the player's own name: `Ann resigned.`"""
    if not match.reason:
        return None
    for seat in range(len(table.seats)):
        start = f"{seat_name(match.game, seat)} "
        if match.reason.startswith(start):
            rest = match.reason.removeprefix(start).removesuffix(".")
            return called(table, seat, mine), f"{rest}."
    return "", sentence(match.reason)


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
