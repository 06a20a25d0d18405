"""The last squares of an Othello game, solved exactly on demand.

Nothing is enumerated beforehand: one compiled search finds by how many discs a position is won and,
near the very end, another in how many plies. Both are exact, but they answer different questions:
the fastest win may be a smaller one.
"""

from __future__ import annotations

from parlour.core import Move, Solution, Unsolved, Value, Work, say
from parlour.engine.misere import new_searcher
from parlour.engine.searcher import Searcher, SearchResult, board_table, kernels
from parlour.rules import PASS, Othello, OthelloState, Square

MAX_EMPTIES = 18  # all moves take a few tenths of a second; each further square doubles that
MAX_EMPTIES_MISERE = 14  # its search knows less
MAX_EMPTIES_LISTED = 10  # on boards too large for the search, where every position is enumerated
MAX_EMPTIES_TIMED = 12  # up to here the number of plies to the end is found too
MEGABYTES = 16
MAX_SEARCHERS = 4  # boards whose searchers are kept, with their transposition tables

_searchers: dict[Othello, Searcher] = {}


def most_empties(game: Othello) -> int:
    """Return how many squares may be empty for a position of this board to be solved here."""
    if not game.is_compiled:
        return MAX_EMPTIES_LISTED
    return MAX_EMPTIES_MISERE if game.misere else MAX_EMPTIES


def empties(game: Othello, state: OthelloState) -> int:
    """Return the number of empty squares."""
    return len(game.board.bits) - (state[0] | state[1]).bit_count()


def refuse_empties(game: Othello, state: OthelloState) -> None:
    """Raise `Unsolved`, with the numbers, if too many squares are empty."""
    if empties(game, state) > most_empties(game):
        raise Unsolved(
            "{empties} squares are empty, and Othello is solved at once only when at most "
            "{most_empties} are",
            empties=empties(game, state),
            most_empties=most_empties(game),
        )


class EndSolution(Solution):
    """Every position of a board of up to 64 squares with few of them empty."""

    method = say("endgame search")
    game: Othello

    def __init__(self, game: Othello, work: Work) -> None:
        super().__init__(game)
        self.work = work
        self._values: dict[tuple[int, int], Value] = {}
        self._results: dict[tuple[int, int], SearchResult] = {}

    def value(self, state: OthelloState) -> Value:
        """Return the exact value, with its plies only where few squares are empty."""
        position = state[:2]
        if position not in self._values:
            refuse_empties(self.game, state)
            timed = self.is_timed(state)
            value = self._timed_value(state) if timed else _untimed_value(self.margin(state))
            self._values[position] = value
        return self._values[position]

    def after(self, state: OthelloState, move: Move) -> Value:
        if self.is_timed(state):
            return super().after(state, move)
        return _untimed_value(self.margin_after(state, move))

    def best(self, state: OthelloState) -> tuple[Move, ...]:
        """Return the best moves; where plies are not known, those with the largest margin."""
        return super().best(state) if self.is_timed(state) else self.most_discs(state)

    def is_timed(self, state: OthelloState) -> bool:
        """Return whether the end is near enough to know in how many plies it comes."""
        few = empties(self.game, state) <= MAX_EMPTIES_TIMED
        return few and not self.game.misere

    def margin(self, state: OthelloState) -> int:
        """Return by how many discs the seat to move wins when both play for discs.

        It is negative for a loss, and counts as `score` does: empty squares go to the winner. In
        misère play it is by how many fewer.
        """
        return self._solve(state).value

    def margin_after(self, state: OthelloState, move: Move) -> int:
        """Return the margin of the seat to move after one of its moves."""
        return -self.margin(self.game.play(state, move))

    def most_discs(self, state: OthelloState) -> tuple[Move, ...]:
        """Return the moves with the largest margin; none in a finished position."""
        left = {move: self.margin_after(state, move) for move in self.game.moves(state)}
        return tuple(move for move in left if left[move] == max(left.values()))

    def line(self, state: OthelloState) -> list[Square]:
        """Return one line to the end in which both play for discs."""
        moves: list[Square] = []
        while self.game.moves(state):
            square = self._solve(state).square
            columns = self.game.columns
            moves.append(PASS if square is None else (square % columns, square // columns))
            state = self.game.play(state, moves[-1])
        return moves

    def counts(self) -> dict[str, int]:
        raise Unsolved(
            say("positions are searched when they are asked for, not listed to be counted")
        )

    def _solve(self, state: OthelloState) -> SearchResult:
        """Return the margin and a move that keeps it.

        A searcher is taken out of the cache while it is used: two threads never share one.
        """
        position = state[:2]
        if position not in self._results:
            refuse_empties(self.game, state)
            searcher = _searchers.pop(self.game, None) or new_searcher(self.game, MEGABYTES)
            self._results[position] = searcher.solve(*position, self.work)
            if len(_searchers) >= MAX_SEARCHERS:
                _searchers.clear()
            _searchers[self.game] = searcher
        return self._results[position]

    def _timed_value(self, state: OthelloState) -> Value:
        """Return the outcome and its plies, when the winner hurries and the loser delays."""
        import numpy as np

        memory = kernels.othello.Memory(1)
        cells = np.frombuffer(self.work.cells, np.int64)
        memory.begin(cells)
        table = board_table(self.game.columns, self.game.rows)
        most = int(kernels.othello.endgame.MAX_PLIES)
        result: int = kernels.othello.endgame.solve_distance(
            *state[:2], -most, most, table.ctypes.data, memory.address
        )
        self.work.raise_if_stopped()
        if not result:
            return Value("draw")
        return Value("win" if result > 0 else "loss", most - abs(result))


def _untimed_value(margin: int) -> Value:
    """Return the value of a position with this margin, without its plies."""
    return Value("win" if margin > 0 else "loss" if margin else "draw")
