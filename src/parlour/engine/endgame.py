"""The last squares of an Othello, played out exactly when they are asked for.

Nothing is listed beforehand: a compiled search finds by how many discs one position is won and,
near the very end, another in how many plies. Both are exact, but they are two questions: whoever
hurries may win by fewer discs.
"""

from __future__ import annotations

from typing import Any

from parlour.core import Move, Solution, Unsolved, Value, Work
from parlour.engine.searcher import Found, Seeker, seeker_for
from parlour.rules import COMPILED_SQUARES, PASS, Othello, OthelloState, Square

MOST_EMPTIES = (
    18  # all moves take a few tenths of a second, and with each further square twice that
)
MOST_EMPTIES_LISTED = 10  # on boards too large for the search, where every position is listed
MOST_TIMED = 12  # in how many plies it ends is found out from here on
MEGABYTES = 16
KEPT = 4  # boards whose seekers stay at hand, with what they remember

_seekers: dict[Othello, Seeker] = {}


def most_empties(game: Othello) -> int:
    """How many squares may be empty for a position of this board to be solved here."""
    return MOST_EMPTIES if len(game.board.bits) <= COMPILED_SQUARES else MOST_EMPTIES_LISTED


def empties(game: Othello, state: OthelloState) -> int:
    """How many squares are empty."""
    return len(game.board.bits) - (state[0] | state[1]).bit_count()


def refuse_empties(game: Othello, state: OthelloState) -> None:
    """Raise, with the numbers, if too many squares are empty."""
    if empties(game, state) > most_empties(game):
        raise Unsolved(
            f"{empties(game, state)} squares are empty, and Othello is solved at once only when at "
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
        self._found: dict[tuple[int, int], Found] = {}

    def value(self, state: OthelloState) -> Value:
        """The exact value; how soon it ends only where few squares are empty."""
        place = state[:2]
        if place not in self._values:
            refuse_empties(self.othello, state)
            timed = self.is_timed(state)
            self._values[place] = self._timed(state) if timed else _untimed(self.margin(state))
        return self._values[place]

    def after(self, state: OthelloState, move: Move) -> Value:
        if self.is_timed(state):
            return super().after(state, move)
        return _untimed(self.margin_after(state, move))

    def best(self, state: OthelloState) -> tuple[Move, ...]:
        """The best moves; where it is not known how soon they win, those with most discs."""
        return super().best(state) if self.is_timed(state) else self.most_discs(state)

    def is_timed(self, state: OthelloState) -> bool:
        """Whether it is near enough to the end to know how soon that comes."""
        return empties(self.othello, state) <= MOST_TIMED

    def margin(self, state: OthelloState) -> int:
        """By how many discs the seat to move wins when both play for discs; below 0 it loses.

        It is counted as `score` counts: the squares that stay empty go to the winner.
        """
        return self._solved(state).value

    def margin_after(self, state: OthelloState, move: Move) -> int:
        """The margin a move leaves to whoever makes it."""
        return -self.margin(self.othello.play(state, move))

    def most_discs(self, state: OthelloState) -> tuple[Move, ...]:
        """The moves that leave the largest margin; none in an ended position."""
        left = {move: self.margin_after(state, move) for move in self.othello.moves(state)}
        return tuple(move for move in left if left[move] == max(left.values()))

    def line(self, state: OthelloState) -> list[Square]:
        """One way to the end in which both play for discs."""
        moves: list[Square] = []
        while self.othello.moves(state):
            square = self._solved(state).square
            columns = self.othello.columns
            moves.append(PASS if square is None else (square % columns, square // columns))
            state = self.othello.play(state, moves[-1])
        return moves

    def counts(self) -> dict[str, int]:
        raise Unsolved("positions are searched when they are asked for, not listed to be counted")

    def _solved(self, state: OthelloState) -> Found:
        """The margin and a move that keeps it.

        A seeker is nobody else's while it is used: two threads never meet in one.
        """
        place = state[:2]
        if place not in self._found:
            refuse_empties(self.othello, state)
            seeker = _seekers.pop(self.othello, None) or seeker_for(self.othello, MEGABYTES)
            self._found[place] = seeker.solve(*place, self.work)
            if len(_seekers) >= KEPT:
                _seekers.clear()
            _seekers[self.othello] = seeker
        return self._found[place]

    def _timed(self, state: OthelloState) -> Value:
        """The outcome, and in how many plies, when the winner hurries and the loser delays."""
        import numpy as np

        from parlour.kernels.othello import distance as kernels

        soonest: Any = kernels.soonest
        own, other, _ = state
        endless = 2**40
        found: int = soonest(
            self.othello.board.full, *self.othello.geometry, own, other, 0, -endless, endless,
            np.zeros((MOST_TIMED + 1, MOST_TIMED), np.int64),
            np.frombuffer(self.work.cells, np.int64),
        )  # fmt: skip
        if self.work.stopped:
            raise Unsolved("stopped before the last squares were played out")
        if not found:
            return Value("draw")
        return Value("win" if found > 0 else "loss", int(kernels.FAR) - abs(found))


def _untimed(margin: int) -> Value:
    """The value of a position that is won by so many discs, without the time it takes."""
    return Value("win" if margin > 0 else "loss" if margin else "draw")
