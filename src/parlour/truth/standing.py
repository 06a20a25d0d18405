"""A position solved where it stands, even if the game as it starts never comes there.

That is what somebody wants who pastes a position: the Nim that begins with these piles, the hands
as they are, the last squares of an Othello.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, cast

from parlour.core.game import Game, State
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import COMPILED_SQUARES, Othello
from parlour.rules.sticks import Sticks
from parlour.truth.barred import BarredSolution
from parlour.truth.graph import solve_chopsticks, solve_graph
from parlour.truth.nim import NimTable
from parlour.truth.othello_end import EndSolution, refuse_empties
from parlour.truth.solve import solve, solve_and_keep
from parlour.truth.values import Solution, Unsolved


def solve_at(
    game: Game, state: State, solution: Solution | None = None, *, work: Work | None = None
) -> Solution:
    """A solution that covers this position; the one at hand, if it does."""
    return _solved(game, state, solution, work or Work())


@dataclass(frozen=True)
class StartingAt:
    """A game that starts from another position and is the same in all else."""

    game: Any
    state: State

    def start(self) -> State:
        return self.state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


@singledispatch
def _solved(game: Any, state: State, solution: Solution | None, work: Work) -> Solution:
    return solution or solve_and_keep(game, work=work)


@_solved.register
def _(game: Nim, state: State, solution: Solution | None, work: Work) -> Solution:
    if isinstance(solution, NimTable) and solution.numbers.of(state[2:]) is None:
        solution = None
    piles = tuple(state[2:]) if any(state[2:]) else game.piles
    return solution or solve(replace(game, piles=piles), work=work)


@_solved.register
def _(game: Sticks, state: State, solution: Solution | None, work: Work) -> Solution:
    if state[2] > game.sticks:
        return solve(replace(game, sticks=state[2]), work=work)
    return solution or solve_and_keep(game, work=work)


@_solved.register
def _(game: Chopsticks, state: State, solution: Solution | None, work: Work) -> Solution:
    solution = solution or solve_and_keep(game, work=work)
    if isinstance(solution, BarredSolution):
        solution.work = work  # a position off the proof is searched for whoever asks now
        return solution
    try:
        solution.value(state)
    except Unsolved:
        return solve_chopsticks(cast(Chopsticks, StartingAt(game, state)), work)
    return solution


@_solved.register
def _(game: Othello, state: State, solution: Solution | None, work: Work) -> Solution:
    if solution:
        return solution
    refuse_empties(game, state)
    if len(game.board.bits) <= COMPILED_SQUARES:
        return EndSolution(game, work)
    return solve_graph(cast(Game, StartingAt(game, state)), work)
