"""Misère Othello as seen from Python: searches for the fewest discs.

What the engine knows of good moves is for most discs, so misère has a search of its own. It is
exact where it reaches the end of the game; before that it counts moves and corners, which is a
guess and is called one.
"""

from __future__ import annotations

from typing import Any, ClassVar

from parlour.core import Work
from parlour.engine.searcher import EXACT, Helpers, Searcher, board_table, kernels
from parlour.rules import Othello

LISTS = 8 + 160 * 70  # words for the moves of all plies
WORDS = 4  # of an entry of the transposition table


class Memory:
    """The transposition table of a search, and the block that the compiled code works in."""

    def __init__(self, megabytes: int) -> None:
        import numpy as np

        entries = 1 << (megabytes * 2**20 // (8 * WORDS)).bit_length() - 1
        self.mask = entries - 1
        self.table = np.zeros(entries * WORDS, np.uint64)
        self.block = np.zeros(LISTS, np.uint64)

    def begin(self, cells: Any) -> None:
        """Start counting nodes from 0, and let these cells stop the search."""
        self.block[:2] = cells.ctypes.data, 0

    def forget(self) -> None:
        """Empty the transposition table."""
        self.table.fill(0)

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        return int(self.block[1])


class MisereSearcher(Searcher):
    """Searches positions of one board for the fewest discs, by one thread."""

    selectivities = (EXACT,)
    selective_empties = 99
    solve_near_end, moves_near_end = 18, 10
    certainty: ClassVar = {EXACT: 0}

    def __init__(self, game: Othello, megabytes: int) -> None:
        self.game, self.threads = game, 1
        self._full, self._legal = game.board.full, game.legal
        self._board = board_table(game.columns, game.rows).ctypes.data
        self.memory = Memory(megabytes)
        self._helpers = Helpers(self.memory, megabytes, 0)
        self.begin(Work())

    def final_score(self, own: int, other: int) -> int:
        """Return by how many discs the mover has fewer when the game is over."""
        return -super().final_score(own, other)

    def search_window(
        self,
        own: int,
        other: int,
        alpha: int,
        beta: int,
        depth: int,
        selectivity: int = EXACT,
        first: int | None = None,
    ) -> tuple[int, int | None]:
        """Search with one window; return the score and, if it lies within, a best square."""
        score = self._score(own, other, alpha, beta, depth)
        if not depth or not alpha < score < beta:
            return score, first
        state = own, other, 0
        for move in self.game.moves(state):
            after = self.game.play(state, move)
            if -self._score(*after[:2], -score, -score + 1, depth - 1) >= score:
                return score, move[0] + self.game.columns * move[1]
        return score, first

    def _score(self, own: int, other: int, alpha: int, beta: int, depth: int) -> int:
        memory = self.memory
        score: int = kernels.othello.misere.search_misere(
            *(own, other, alpha, beta, depth, self._board),
            *(memory.table.ctypes.data, memory.mask, memory.block.ctypes.data),
        )
        return score

    def hash_move(self, own: int, other: int) -> None:
        """Return no square: the transposition table is not asked for one."""


def new_searcher(game: Othello, megabytes: int, threads: int = 1) -> Searcher:
    """Return a searcher for this variant, with so many threads where it can use them."""
    if game.misere:
        return MisereSearcher(game, megabytes)
    return Searcher(game, megabytes, threads)
