"""The last squares of an Othello, played out exactly when they are asked for.

Nothing is listed beforehand: a compiled search finds the value of one position, and by how many
discs it is won. Both are exact, but they are two questions: whoever hurries may win by fewer discs.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from parlour.core.game import Move
from parlour.core.work import Work
from parlour.rules.othello import COMPILED_SQUARES, Othello, State
from parlour.truth.values import Solution, Unsolved, Value

MOST_EMPTIES = 12  # so many squares take hundredths of a second, and each further one twice as long
MOST_EMPTIES_LISTED = 10  # on boards too large for the search, where every position is listed


def most_empties(game: Othello) -> int:
    """How many squares may be empty for a position of this board to be solved here."""
    return MOST_EMPTIES if len(game.board.bits) <= COMPILED_SQUARES else MOST_EMPTIES_LISTED


def empties(game: Othello, state: State) -> int:
    """How many squares are empty."""
    return len(game.board.bits) - (state[0] | state[1]).bit_count()


def refuse_empties(game: Othello, state: State) -> None:
    """Raise, with the numbers, if too many squares are empty."""
    if empties(game, state) > most_empties(game):
        raise Unsolved(
            f"{empties(game, state)} squares are empty, and Othello is solved here only when at "
            f"most {most_empties(game)} are"
        )


class EndSolution(Solution):
    """Every position of a board of up to 64 squares with few of them empty."""

    method = "endgame search"

    def __init__(self, game: Othello, work: Work) -> None:
        super().__init__(game)
        self.othello = game
        self.work = work
        self._values: dict[tuple[int, int], Value] = {}
        self._margins: dict[tuple[int, int], int] = {}

    def value(self, state: State) -> Value:
        place = state[:2]
        if place not in self._values:
            from parlour.kernels import othello_end as kernels

            found = self._searched(kernels.soonest, state, 0)
            plies = int(kernels.FAR) - abs(found)
            outcome = "win" if found > 0 else "loss"
            self._values[place] = Value(outcome, plies) if found else Value("draw")
        return self._values[place]

    def margin(self, state: State) -> int:
        """By how many discs the seat to move wins when both play for discs; below 0 it loses.

        It is counted as `score` counts: the squares that stay empty go to the winner.
        """
        place = state[:2]
        if place not in self._margins:
            from parlour.kernels import othello_end as kernels

            self._margins[place] = self._searched(kernels.margin, state)
        return self._margins[place]

    def margin_after(self, state: State, move: Move) -> int:
        """The margin a move leaves to whoever makes it."""
        return -self.margin(self.othello.play(state, move))

    def counts(self) -> dict[str, int]:
        raise Unsolved("positions are searched when they are asked for, not listed to be counted")

    def _searched(self, search: Any, state: State, *ply: int) -> int:
        """What a compiled search answers with its bounds wide open."""
        import numpy as np

        refuse_empties(self.othello, state)
        board, (own, other, _) = self.othello.board, state
        endless = 2**40
        cells = np.frombuffer(self.work.cells, np.int64)
        found: int = search(
            board.full, *self.othello.geometry, own, other, *ply, -endless, endless, self._order,
            cells,
        )  # fmt: skip
        if self.work.stopped:
            raise Unsolved("stopped before the last squares were played out")
        return found

    @cached_property
    def _order(self) -> Any:
        """Room for the searches to sort moves in."""
        import numpy as np

        return np.zeros((MOST_EMPTIES + 1, MOST_EMPTIES), np.int64)
