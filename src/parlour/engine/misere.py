"""Misère Othello as seen from Python: exact scores near the end, and estimates before.

The engine plays for most discs, so misère has a search of its own. It is exact where it reaches the
end of the game; before that it counts moves and corners, which is a guess and is called one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from parlour import core
from parlour.core import Work
from parlour.engine.analysis import Analysis
from parlour.engine.searcher import Searcher, SearchResult, board_table, kernels
from parlour.rules import PASS, Othello, OthelloState, Square

LIMIT = 128  # beyond every score
FAR = 64  # a depth that reaches the end
MAX_AHEAD = 14  # plies of the estimates before the end is searched
LISTS = 8 + 160 * 70  # words for the moves of all plies
WORDS = 4  # of an entry of the transposition table


class MisereSearcher:
    """Searches positions of one board for the fewest discs."""

    def __init__(self, game: Othello, megabytes: int) -> None:
        import numpy as np

        self.game = game
        entries = 1 << (megabytes * 2**20 // (8 * WORDS)).bit_length() - 1
        self._mask = entries - 1
        self._table = np.zeros(entries * WORDS, np.uint64)
        self._memory = np.zeros(LISTS, np.uint64)
        self._board = board_table(game.columns, game.rows)

    def search(
        self, own: int, other: int, depth: int, work: Work, low: int = -LIMIT, high: int = LIMIT
    ) -> int:
        """Return the mover's score, as far as it lies between two bounds."""
        import numpy as np

        cells = np.frombuffer(work.cells, np.int64)
        self._memory[0] = cells.ctypes.data
        score: int = kernels.misere.search_misere(
            *(own, other, low, high, depth, self._board.ctypes.data),
            *(self._table.ctypes.data, self._mask, self._memory.ctypes.data),
        )
        core.refuse_stopped(work)
        return score

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return int(self._memory[1])

    def solve(self, own: int, other: int, work: Work | None = None) -> SearchResult:
        """Return the proven score, the fewer discs the better, and a best square."""
        work = work or Work()
        score = self.search(own, other, FAR, work)
        for square, after in self._moves(own, other):
            if -self.search(*after, FAR, work, -score, -score + 1) >= score:
                return SearchResult(score, square)
        return SearchResult(score, None)

    def outcome(self, own: int, other: int, work: Work | None = None) -> int:
        """Prove whether the mover wins (1), draws (0) or loses (-1)."""
        score = self.search(own, other, FAR, work or Work(), -1, 1)
        return (score > 0) - (score < 0)

    def _moves(self, own: int, other: int) -> list[tuple[int, tuple[int, int]]]:
        found = []
        legal = self.game.legal(own, other)
        while legal:
            bit = legal & -legal
            legal ^= bit
            flipped = self.game.flips(own, other, bit)
            found.append((bit.bit_length() - 1, (other ^ flipped, own | flipped | bit)))
        return found

    def estimate(
        self, state: OthelloState, work: Work, seconds: float | None, plies: int | None
    ) -> tuple[int, dict[Square, float]]:
        """Return how many plies it looked ahead, and what each move seems to be worth.

        It looks further until half of the time is over; the next ply would take the rest.
        """
        began, found, depth = time.monotonic(), dict[Square, float](), 0
        empty = len(self.game.board.bits) - (state[0] | state[1]).bit_count()
        for ahead in range(1, min(plies or FAR, empty) + 1):
            scores = {
                move: -float(self.search(*self.game.play(state, move)[:2], ahead - 1, work))
                for move in self.game.moves(state)
            }
            found, depth = scores, ahead
            if seconds is not None and time.monotonic() - began > seconds / 2:
                break
        return depth, found


class MisereEngine:
    """Solves misère positions to the disc, as `OthelloEngine` does those of the usual game."""

    def __init__(self, game: Othello, *, megabytes: int = 64) -> None:
        self.game = game
        self._searcher = MisereSearcher(game, megabytes)

    def solve(
        self,
        state: OthelloState,
        *,
        work: Work | None = None,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Return the exact score and a best move; `on_progress` is called with estimates."""
        work, began = work or Work(), time.monotonic()
        own, other, _ = state
        empty = len(self.game.board.bits) - (own | other).bit_count()
        for ahead in range(2, min(empty, MAX_AHEAD) + 1, 2):
            score = self._searcher.search(own, other, ahead, work)
            found = self._analysis(state, score, ahead, began, exact=False)
            if on_progress is not None:
                on_progress(found)
        result = self._searcher.solve(own, other, work)
        return self._analysis(state, result.value, empty, began, square=result.square)

    def analyse_moves(
        self,
        state: OthelloState,
        *,
        work: Work | None = None,
        on_progress: Callable[[Mapping[Square, Analysis]], None] | None = None,
    ) -> dict[Square, Analysis]:
        """Return the exact score of every move."""
        work, began, found = work or Work(), time.monotonic(), dict[Square, Analysis]()
        empty = len(self.game.board.bits) - (state[0] | state[1]).bit_count()
        for move in self.game.moves(state):
            after = self.game.play(state, move)
            score = -self._searcher.search(*after[:2], FAR, work)
            seconds = time.monotonic() - began
            line = (move,)
            found[move] = Analysis(
                move, score, True, empty, 100, line, self._searcher.nodes, seconds
            )
        return found

    def _analysis(
        self,
        state: OthelloState,
        score: int,
        depth: int,
        began: float,
        *,
        exact: bool = True,
        square: int | None = None,
    ) -> Analysis:
        columns = self.game.columns
        move = self.game.moves(state)[0]
        if square is not None:
            move = (square % columns, square // columns)
        elif exact:
            move = PASS
        seconds = time.monotonic() - began
        certainty = 100 if exact else 0
        line = (move,)
        return Analysis(move, score, exact, depth, certainty, line, self._searcher.nodes, seconds)


def new_searcher(game: Othello, megabytes: int) -> Any:
    """Return a searcher for this variant."""
    return MisereSearcher(game, megabytes) if game.misere else Searcher(game, megabytes)
