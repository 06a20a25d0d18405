"""A review of what the person has played: one move, or the one that cost most.

It reads the record and changes nothing. A move is judged by its exact value before and after,
where the game is solved, and otherwise by the engine's estimate, which is said to be one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from parlour.core import Match, Move, State, count, describe_move
from parlour.host.language import Line, fill_lines, read_expressions
from parlour.host.session import Session, Table
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.players import GLANCE, estimate_moves, is_estimated

SHAPES = read_expressions("understand/expressions/reviews.txt")
DETAILS = partial(fill_lines, "table/lines/details.txt")
QUICK = 4  # plies for each move of a whole game
MARGIN = 1.0  # discs that an estimate must differ by to be called a cost


@dataclass(frozen=True)
class Played:
    """A move of the person's, with the position before it, and its number among their moves."""

    number: int
    state: State
    move: Move
    table: Table  # with everybody where they sat then


def asks_for_review(line: Line) -> bool:
    """Say whether a line asks what a move was worth, or where a mistake was."""
    return bool(SHAPES["review"].search(line.plain))


def review(session: Session, line: Line, match: Match | None) -> tuple[str, ...]:
    """Judge the person's last move, the one that is named, or the one that cost most."""
    table = session.table
    if match is None or table is None:
        return knowledge.LINES("no game")
    own = _list_own(table, match)
    if not own:
        return DETAILS("nothing to review")
    plain = f" {line.plain} "
    named = [each for each in own if _is_named(match.game, each.move, plain)]
    first = own[:1] if SHAPES["first move"].search(plain) else []
    if named or first or SHAPES["last move"].search(plain):
        played = (named or first or own)[-1]
        text = describe_move(match.game, played.state, played.move)
        return (*DETAILS("move reviewed", move=text), *_judge(match.game, played))
    return _find_mistake(match.game, own)


def _list_own(table: Table, match: Match) -> list[Played]:
    """Return the person's moves in order; a forced pass is not theirs."""
    own: list[Played] = []
    for at, (state, move) in enumerate(match.record.replay(match.game)):
        then = tables.restore_seats(table, at)
        mine = move is not None and tables.is_human(then, match.game.turn(state))
        if mine and match.game.write_move(move) != "pass":
            own.append(Played(len(own) + 1, state, move, then))
    return own


def _is_named(game: Any, move: Move, plain: str) -> bool:
    """Say whether a line names a move: `c4`, `2 from 3`, or `3` of those that were taken."""
    text = str(game.write_move(move))
    spoken = " ".join(re.findall("[a-z]+|[0-9]+", text))
    taken = text.partition(" ")[0]
    took = any(f" {verb} {taken} " in plain for verb in ("took", "taking", "taken"))
    return f" {spoken} " in plain or (taken.isdecimal() and took)


def _judge(game: Any, played: Played) -> tuple[str, ...]:
    """Say what a move was worth, and what would have been better."""
    lines = knowledge.explain_move(played.table, game, played.state, played.move)
    if not is_estimated(game, played.state):
        return tuple(lines) if game.seats == 2 else DETAILS("not judged")
    cost, best = _estimate_cost(game, played, GLANCE)
    if cost < MARGIN:
        return (*lines, *DETAILS("cost nothing"))
    return (*lines, *DETAILS("cost", discs=count(round(cost), "disc"), best=game.write_move(best)))


def _estimate_cost(game: Any, played: Played, plies: int) -> tuple[float, Move]:
    """Return how many discs a move cost by the engine's estimate, and its best move."""
    guess = estimate_moves(game, played.state, plies=plies, seconds=None)
    return guess.scores[guess.best] - guess.scores[cast(Any, played.move)], guess.best


def _find_mistake(game: Any, own: Sequence[Played]) -> tuple[str, ...]:
    """Name the move that cost most and judge it, or say that there was none, if that is sure."""
    costs = [_measure_cost(game, played) for played in own]
    known = [(cost, -at) for at, cost in enumerate(costs) if cost is not None]
    worst, at = max(known, default=((0, 0), 0))
    if worst > (0, 0):
        lines = DETAILS(
            "worst move", number=1 - at, move=describe_move(game, own[-at].state, own[-at].move)
        )
        return (*lines, *_judge(game, own[-at]))
    if len(known) < len(own):
        return DETAILS("not judged")
    if any(is_estimated(game, played.state) for played in own):
        return DETAILS("no mistake seen", moves=count(QUICK, "move"))
    value = tables.find_value(game, own[0].state)
    lost = value is not None and value.outcome == "loss"
    return DETAILS("lost from the start" if lost else "no mistake")


def _measure_cost(game: Any, played: Played) -> tuple[float, float] | None:
    """Return what a move gave away, in outcome or discs and then in plies; None if unknown."""
    state, move = played.state, played.move
    if is_estimated(game, state):
        cost, _ = _estimate_cost(game, played, QUICK)
        return (cost if cost >= MARGIN else 0, 0)
    solution = tables.find_solution(game, state) if game.seats == 2 else None
    if solution is None or not solution.is_proven(game.play(state, move)):
        return None
    before, after = solution.value(state), solution.after(state, move)
    given = before.rank[0] - after.rank[0]
    same = given or before.outcome == "draw"
    return (given, 0 if same else before.rank[1] - after.rank[1])
