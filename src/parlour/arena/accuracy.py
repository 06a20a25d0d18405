"""Accuracy: how the moves of a game compare with what is proven about it.

A move is judged by the value before it and after it; a game that is not quickly solved is not
judged. How quickly is decided by counting positions, never by the clock, so that the same game is
judged alike on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias, cast

from parlour.arena.results import Accuracy
from parlour.core import OUTCOMES, Game, Move, Record, Solution, State, Unsolved, Work
from parlour.engine import empties, make_searcher
from parlour.rules import COMPILED_SQUARES, Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth import BarredSolution, NimClosed, count_positions, solve, solve_graph

# The value of a position for the seat to move: 1 won, 0 drawn, -1 lost, None where it is not known.
Evaluate: TypeAlias = Callable[[State], int | None]

MAX_GAMES = 8  # whose values are kept
MAX_POSITIONS = 2**16  # kept for each: the same openings and endings come again and again
MAX_MOVES = 300_000  # tried to list the positions of any other game: seconds, once a process
MAX_LISTED = 2_000_000  # positions of a Nim with endings: a third of a second
MAX_SQUARES = 16  # of a tic-tac-toe: up to two seconds
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
    if isinstance(game, Othello) and empties(game, game.start()) > MAX_EMPTIES:
        return f"In Othello these are the moves with at most {MAX_EMPTIES} empty squares."
    return ""


# How each game is evaluated


@lru_cache(maxsize=MAX_GAMES)
def _evaluator(game: Game) -> Evaluate | None:
    if game.seats != 2:
        return None
    try:
        evaluate = EVALUATORS.get(type(game), _evaluate_by_listing)(game)
    except Exception:  # whatever is wrong with a third-party game, it is no reason to stop
        return None
    return evaluate and lru_cache(maxsize=MAX_POSITIONS)(evaluate)


def _evaluate_by(solution: Solution) -> Evaluate:
    def evaluate(state: State) -> int | None:
        try:
            return OUTCOMES.index(solution.value(state).outcome) - 1
        except Unsolved:
            return None

    return evaluate


@dataclass
class LimitedGame:
    """A game of which only a limited number of moves can be tried."""

    game: Any
    left: int

    def play(self, state: State, move: Move) -> State:
        """Return the next state, unless the limit is reached."""
        self.left -= 1
        if self.left < 0:
            raise Unsolved(f"{self.game.name} is not listed in {MAX_MOVES:,} moves")
        return self.game.play(state, move)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def _evaluate_by_listing(game: Any) -> Evaluate:
    return _evaluate_by(solve_graph(cast(Game, LimitedGame(game, MAX_MOVES)), Work()))


def _evaluate_nim(game: Nim) -> Evaluate | None:
    if not game.endings:  # who wins is known at any size; in how many plies is not asked
        return _evaluate_by(NimClosed(game))
    return _evaluate_by(solve(game)) if count_positions(game.piles) <= MAX_LISTED else None


def _evaluate_tictactoe(game: TicTacToe) -> Evaluate | None:
    return _evaluate_by(solve(game)) if len(game.board.bits) <= MAX_SQUARES else None


def _evaluate_chopsticks(game: Chopsticks) -> Evaluate | None:
    """With barred loops every position is searched; in these variants that takes a millisecond."""
    if game.loops == "allowed":
        return _evaluate_by(solve(game))
    largest = 5 if game.revive else 7
    quick = game.dies_at <= 4 or (game.overflow == "dies" and game.dies_at <= largest)
    return _evaluate_by(BarredSolution(game, Work())) if quick else None


def _evaluate_othello(game: Othello) -> Evaluate | None:
    """Near the end, who wins, not by how much, is known five times sooner."""
    if len(game.board.bits) > COMPILED_SQUARES:
        return None
    searcher = make_searcher(game, MEGABYTES)

    def evaluate(state: State) -> int | None:
        if empties(game, state) > MAX_EMPTIES:
            return None
        return searcher.outcome(state[0], state[1])

    return evaluate


EVALUATORS: Mapping[type, Callable[[Any], Evaluate | None]] = {
    Nim: _evaluate_nim,
    Sticks: lambda game: _evaluate_by(NimClosed(game.nim)),
    TicTacToe: _evaluate_tictactoe,
    Chopsticks: _evaluate_chopsticks,
    Othello: _evaluate_othello,
}
