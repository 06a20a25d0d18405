"""Misère Othello as seen from Python: one search of one position at a time, for the fewest discs.

The engine's search knows what is good for most discs, so misère has one of its own. It is exact
where it reaches the end of the game; before that it counts moves and corners, which is a guess and
is called one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from parlour import core
from parlour.core import Work
from parlour.engine.searcher import EXACT, Searcher, SearchResult, board_table, kernels
from parlour.rules import Othello

LIMIT = 128  # beyond every score
FAR = 64  # a depth that reaches the end
LISTS = 8 + 160 * 70  # words for the moves of all plies
WORDS = 4  # of an entry of the transposition table


class MisereSearcher:
    """Searches positions of one board as `Searcher` does, but for the fewest discs."""

    selectivities = (EXACT,)
    selective_empties = FAR
    solve_near_end, moves_near_end = 18, 10
    certainty: ClassVar = {EXACT: 0}
    threads = 1

    def __init__(self, game: Othello, megabytes: int) -> None:
        import numpy as np

        self.game = game
        entries = 1 << (megabytes * 2**20 // (8 * WORDS)).bit_length() - 1
        self._mask = entries - 1
        self._table = np.zeros(entries * WORDS, np.uint64)
        self._memory = np.zeros(LISTS, np.uint64)
        self._board = board_table(game.columns, game.rows)
        self.begin(Work())

    def begin(self, work: Work) -> None:
        """Start counting nodes from 0, and let this work stop the searches from now on."""
        import numpy as np

        self._work = work
        self._cells = np.frombuffer(work.cells, np.int64)
        self._memory[:2] = self._cells.ctypes.data, 0

    @contextmanager
    def working(self, work: Work) -> Iterator[None]:
        """Do a series of searches that this work can stop."""
        self.begin(work)
        yield

    def forget(self) -> None:
        """Empty the transposition table."""
        self._table.fill(0)

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        return int(self._memory[1])

    def empties(self, own: int, other: int) -> int:
        """Return the number of empty squares."""
        return (self.game.board.full & ~(own | other)).bit_count()

    def score(
        self, own: int, other: int, depth: int = FAR, low: int = -LIMIT, high: int = LIMIT
    ) -> int:
        """Return the mover's score, as far as it lies between two bounds."""
        score: int = kernels.misere.search_misere(
            *(own, other, low, high, depth, self._board.ctypes.data),
            *(self._table.ctypes.data, self._mask, self._memory.ctypes.data),
        )
        return score

    def search(
        self,
        own: int,
        other: int,
        depth: int,
        selectivity: int = EXACT,
        guess: int | None = None,
        first: int | None = None,
    ) -> SearchResult:
        """Search to a depth in plies; a `guess` and a move to search `first` are not needed."""
        score, found = self.score(own, other, depth), None
        for square, after in self._moves(own, other):
            if -self.score(*after, depth - 1, -score, -score + 1) >= score:
                found = square
                break
        if self._work.stopped:
            return SearchResult(score, first, complete=False)
        return SearchResult(score, found)

    def solve(self, own: int, other: int, work: Work | None = None) -> SearchResult:
        """Return the proven score, the fewer discs the better, and a best square."""
        self.begin(work or Work())
        result = self.search(own, other, FAR)
        core.refuse_stopped(self._work)
        return result

    def outcome(self, own: int, other: int, work: Work | None = None) -> int:
        """Prove whether the mover wins (1), draws (0) or loses (-1)."""
        self.begin(work or Work())
        score = self.score(own, other, low=-1, high=1)
        core.refuse_stopped(self._work)
        return (score > 0) - (score < 0)

    def hash_move(self, own: int, other: int) -> None:
        """Return no square: the transposition table is not asked for one."""

    def _moves(self, own: int, other: int) -> Iterator[tuple[int, tuple[int, int]]]:
        legal = self.game.legal(own, other)
        while legal:
            bit = legal & -legal
            legal ^= bit
            flipped = self.game.flips(own, other, bit)
            yield bit.bit_length() - 1, (other ^ flipped, own | flipped | bit)


def new_searcher(game: Othello, megabytes: int, threads: int = 1) -> Any:
    """Return a searcher for this variant, with so many threads where it can use them."""
    if game.misere:
        return MisereSearcher(game, megabytes)
    return Searcher(game, megabytes, threads)
