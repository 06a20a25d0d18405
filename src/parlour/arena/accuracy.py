"""Truth-based marks: how the moves of a game stand beside what is proven about it.

A move is judged by what could be had before it and what was left after it; of a game that is not
soon solved nothing is said. How soon is told by counting and never by the clock, so that the same
game has the same marks on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, singledispatch
from itertools import pairwise
from typing import Any, TypeAlias, cast

from parlour.arena.results import Accuracy
from parlour.core import OUTCOMES, Game, Move, Record, Solution, State, Unsolved, Work
from parlour.engine import empties, make_searcher
from parlour.rules import COMPILED_SQUARES, Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth import BarredSolution, NimClosed, count_positions, solve, solve_graph

# What a position is worth to the seat to move: 1 won, 0 drawn, -1 lost, None where nobody knows.
Truth: TypeAlias = Callable[[State], int | None]

KEPT = 8  # games whose truth is remembered
REMEMBERED = 2**16  # positions of each: the same openings and endings come again and again
MOST_PLAYED = 300_000  # moves that may be tried to list somebody's game: seconds, once a process
MOST_LISTED = 2_000_000  # positions of a Nim with endings: a third of a second
MOST_SQUARES = 16  # of a tic-tac-toe: up to two seconds
MOST_EMPTIES = 16  # squares of an Othello: for all moves of a game 2 milliseconds
MEGABYTES = 16  # in which it is solved


@dataclass(frozen=True)
class JudgedMove:
    """A move that was judged: whose, its number in the game, and the worth before and after it."""

    seat: int
    number: int
    before: int
    after: int

    @property
    def given(self) -> float:
        """The points it gave away: 1 for a win turned into a loss, a half for a step of the two."""
        return (self.before - self.after) / 2


def measure_accuracy(game: Game, record: Record) -> tuple[Accuracy, ...]:
    """The marks of either seat for its moves after the opening; none without the truth.

    Where there was only one move, there was nothing to judge.
    """
    truth = _truth(cast(Hashable, game))
    if truth is None:
        return ()
    try:
        walk = list(record.replay(game))
    except Exception:  # somebody's game that does not read the moves it writes
        return ()
    judged = []
    for number, ((state, _), (following, _)) in enumerate(pairwise(walk), start=1):
        if number <= record.opening or len(game.moves(state)) == 1:
            continue
        before, after = truth(state), truth(following)
        if before is not None and after is not None:
            seat = game.turn(state)
            after = after if game.turn(following) == seat else -after
            judged.append(JudgedMove(seat, number, before, after))
    last = walk[-1][0]
    if record.result == (0, 0) and game.result(last) is None:
        judged = _called_off(judged, game.turn(last), truth(last))
    return _told(judged, 0), _told(judged, 1)


def _called_off(judged: Sequence[JudgedMove], mover: int, worth: int | None) -> list[JudgedMove]:
    """What comes of it when the referee calls a draw, for a position seen again and again.

    Whoever stood won kept the win with every move and yet never won: the last one gave it away. Or
    if the other had only just given it away, nothing came of that.
    """
    changed = list(judged)
    winner = mover if worth == 1 else 1 - mover
    for place, move in reversed(list(enumerate(judged))):
        if worth and (move.seat == winner or move.before >= 0):
            changed[place] = replace(move, after=0)
            break
    return changed


def _told(judged: Sequence[JudgedMove], seat: int) -> Accuracy:
    own = [move for move in judged if move.seat == seat]
    won = [move for move in own if move.before == 1]
    return Accuracy(
        judged=len(own),
        given=sum(move.given for move in own),
        won=len(won),
        kept=sum(move.after == 1 for move in won),
        mistake=next((move.number for move in own if move.given), None),
    )


# What is soon known, by game


@lru_cache(maxsize=KEPT)
def _truth(game: Game) -> Truth | None:
    if game.seats != 2:
        return None
    try:
        found = _found(game)
    except Exception:  # whatever is wrong with somebody's game, it is no reason to stop
        return None
    return found and lru_cache(maxsize=REMEMBERED)(found)


def _asked(solution: Solution) -> Truth:
    """The truth as a solution tells it."""

    def worth(state: State) -> int | None:
        try:
            return OUTCOMES.index(solution.value(state).outcome) - 1
        except Unsolved:
            return None

    return worth


@dataclass
class Tried:
    """A game of which only so many moves can be tried."""

    game: Any
    left: int

    def play(self, state: State, move: Move) -> State:
        """The next state, unless the last move is spent."""
        self.left -= 1
        if self.left < 0:
            raise Unsolved(f"{self.game.name} is not listed in {MOST_PLAYED:,} moves")
        return self.game.play(state, move)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


@singledispatch
def _found(game: Any) -> Truth | None:
    return _asked(solve_graph(cast(Game, Tried(game, MOST_PLAYED)), Work()))


@_found.register
def _(game: Nim) -> Truth | None:
    if not game.endings:  # who wins is known at any size; in how many plies is not asked
        return _asked(NimClosed(game))
    return _asked(solve(game)) if count_positions(game.piles) <= MOST_LISTED else None


@_found.register
def _(game: Sticks) -> Truth | None:
    return _asked(NimClosed(game.nim))


@_found.register
def _(game: TicTacToe) -> Truth | None:
    return _asked(solve(game)) if len(game.board.bits) <= MOST_SQUARES else None


@_found.register
def _(game: Chopsticks) -> Truth | None:
    """With barred loops every position is searched; in these variants that takes a millisecond."""
    if game.loops == "allowed":
        return _asked(solve(game))
    largest = 5 if game.revive else 7
    soon = game.dies_at <= 4 or (game.overflow == "dies" and game.dies_at <= largest)
    return _asked(BarredSolution(game, Work())) if soon else None


@_found.register
def _(game: Othello) -> Truth | None:
    """The last squares: who wins, not by how much, is known five times sooner."""
    if len(game.board.bits) > COMPILED_SQUARES:
        return None
    seeker = make_searcher(game, MEGABYTES)

    def worth(state: State) -> int | None:
        few = empties(game, state) <= MOST_EMPTIES
        return seeker.outcome(state[0], state[1]) if few else None

    return worth
