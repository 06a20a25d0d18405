"""Accuracy: how the moves of a game compare with what is proven about it.

A move is judged by the value before it and after it; a game that is not quickly solved is not
judged. How quickly is decided by counting positions, never by the clock, so that the same game is
judged alike on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, cast

from parlour.arena.results import Accuracy
from parlour.core import OUTCOMES, Game, Record, State, Unsolved, extra
from parlour.engine import empties, new_searcher
from parlour.rules import Othello
from parlour.truth import solve_soon

# The value of a position for the seat to move: 1 won, 0 drawn, -1 lost, None where it is not known.
Evaluate: TypeAlias = Callable[[State], int | None]

MAX_GAMES = 8  # whose values are kept
MAX_POSITIONS = 2**16  # kept for each: the same openings and endings come again and again
MAX_EMPTIES_MISERE = 12
MAX_EMPTIES = 16  # squares of an Othello: 2 milliseconds for all moves of a game
MEGABYTES = 16  # of transposition table


@dataclass(frozen=True)
class JudgedMove:
    """A move, its number in the game, and the value before and after it for its seat."""

    seat: int
    number: int
    before: int
    after: int

    @property
    def given(self) -> float:
        """The points it gave away: 1 for a win turned into a loss, a half for a step of the two."""
        return (self.before - self.after) / 2


def measure_accuracy(game: Game, record: Record) -> tuple[Accuracy, ...]:
    """Judge the moves of either seat after the opening; empty where the values are not known.

    A forced move is not judged.
    """
    evaluate = _evaluator(cast(Hashable, game))
    if evaluate is None:
        return ()
    try:
        steps = list(record.replay(game))
    except Exception:  # a third-party game that does not read the moves it writes
        return ()
    judged = []
    for number, ((state, _), (following, _)) in enumerate(pairwise(steps), start=1):
        if number <= record.opening or len(game.moves(state)) == 1:
            continue
        before, after = evaluate(state), evaluate(following)
        if before is not None and after is not None:
            seat = game.turn(state)
            after = after if game.turn(following) == seat else -after
            judged.append(JudgedMove(seat, number, before, after))
    last = steps[-1][0]
    if record.result == (0, 0) and game.result(last) is None:
        judged = _judge_called_draw(judged, game.turn(last), evaluate(last))
    return _summarize(judged, 0), _summarize(judged, 1)


def _judge_called_draw(
    judged: Sequence[JudgedMove], mover: int, value: int | None
) -> list[JudgedMove]:
    """Judge a game that the referee called a draw because a position was repeated.

    A player who stood won kept the win with every move and yet never won: the last one gave it
    away. If the opponent had only just given it to them, nothing came of that mistake.
    """
    changed = list(judged)
    winner = mover if value == 1 else 1 - mover
    for place, move in reversed(list(enumerate(judged))):
        if value and (move.seat == winner or move.before >= 0):
            changed[place] = replace(move, after=0)
            break
    return changed


def _summarize(judged: Sequence[JudgedMove], seat: int) -> Accuracy:
    own = [move for move in judged if move.seat == seat]
    won = [move for move in own if move.before == 1]
    return Accuracy(
        judged=len(own),
        given=sum(move.given for move in own),
        won=len(won),
        kept=sum(move.after == 1 for move in won),
        mistake=next((move.number for move in own if move.given), None),
    )


def describe_scope(game: Game) -> str:
    """Say which moves of a game can be judged, where it is not all of them."""
    own: Evaluator | None = extra(game, "evaluator")
    evaluate = _evaluator(cast(Hashable, game))
    return own.scope if own and evaluate and evaluate(game.start()) is None else ""


# How games are evaluated


class Evaluator(NamedTuple):
    """How a game that is too large to be solved is evaluated, and which moves of it are."""

    make: Callable[[Any], Evaluate | None]  # of a game, what evaluates its states
    scope: str


@lru_cache(maxsize=MAX_GAMES)
def _evaluator(game: Game) -> Evaluate | None:
    if game.seats != 2:
        return None
    try:
        own: Evaluator | None = extra(game, "evaluator")
        evaluate = own.make(game) if own else _evaluate_solved(game)
    except Exception:  # a third-party game may raise anything, and the tournament goes on
        return None
    return evaluate and lru_cache(maxsize=MAX_POSITIONS)(evaluate)


def _evaluate_solved(game: Game) -> Evaluate | None:
    """Evaluate a game that is solved soon."""
    solution = solve_soon(game)

    def evaluate(state: State) -> int | None:
        try:
            return OUTCOMES.index(solution.value(state).outcome) - 1 if solution else None
        except Unsolved:
            return None

    return evaluate if solution else None


def _evaluate_othello(game: Othello) -> Evaluate | None:
    """Evaluate the last squares; who wins is known five times sooner than by how much."""
    if not game.is_compiled:
        return None
    searcher = new_searcher(game, MEGABYTES)
    most = MAX_EMPTIES_MISERE if game.misere else MAX_EMPTIES

    def evaluate(state: State) -> int | None:
        if empties(game, state) > most:
            return None
        outcome: int = searcher.outcome(state[0], state[1])
        return outcome

    return evaluate


OTHELLO = Evaluator(
    _evaluate_othello,
    f"In Othello these are the moves with at most {MAX_EMPTIES} empty squares, "
    f"{MAX_EMPTIES_MISERE} in misère play.",
)
