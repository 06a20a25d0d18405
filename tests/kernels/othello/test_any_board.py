"""The search for boards of any shape, held against plain minimax and the rules."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numba import njit

from parlour.kernels.othello import search as kernels
from parlour.kernels.othello.bitboard import board_table, stable_by_table
from parlour.kernels.othello.transposition import BEST_MOVE, Memory
from parlour.rules.othello import Othello, flips_anysize, moves_anysize
from tests.conftest import LONG
from tests.slow_othello import positions, value_of

ALL = 65  # more than any board has squares
SHAPES = [(8, 8), (6, 6), (9, 7), (7, 9), (16, 4), (4, 16), (5, 5), (4, 4), (12, 5), (7, 6)]
named = functools.partial(pytest.mark.parametrize, ids=lambda shape: "x".join(map(str, shape)))


class Searcher:
    """One board and the memory to search it in."""

    def __init__(self, columns, rows, **options):
        self.game = Othello(columns=columns, rows=rows, **options)
        self.table = board_table(columns, rows)
        self.board = self.table.ctypes.data
        self.memory = Memory(2)
        self.cells = np.zeros(3, np.int64)
        self.memory.begin(self.cells)

    def search(self, own, other, low=-ALL, high=ALL, depth=ALL):
        self.memory.block[BEST_MOVE] = kernels.NO_MOVE
        return kernels.search_root(
            own, other, low, high, depth, kernels.EXACT, self.board, self.memory.address
        )


def after(board, own, other):
    """Every position one move later, the next mover's discs first."""
    mask = moves_anysize(board, own, other)
    while mask:
        bit = mask & -mask
        mask ^= bit
        turned = flips_anysize(board, own, other, bit)
        yield other ^ turned, own ^ turned ^ bit


@named("shape", SHAPES)
def test_the_end_agrees_with_plain_minimax(shape):
    searcher = Searcher(*shape)
    signs, passes = set(), 0
    for empties in range(11 if LONG else 10 if shape in SHAPES[:3] else 8):
        number = 150 if LONG else 20 if empties < 8 else 6
        for own, other in positions(searcher.game, empties, number, seed=empties):
            known = value_of(searcher.game, own, other)
            assert searcher.search(own, other) == known
            signs.add((known > 0) - (known < 0))
            passes += not searcher.game.legal(own, other)
    assert {-1, 1} <= signs
    assert passes > 10


@named("shape", [(9, 7), (5, 5)])
def test_a_depth_is_plain_minimax_over_the_evaluation(shape):
    searcher = Searcher(*shape)
    board = searcher.game.board
    squares = len(board.bits)

    def ahead(own, other, depth):
        if depth == 0:
            return searcher.search(own, other, depth=0)
        values = [-ahead(*pair, depth - 1) for pair in after(board, own, other)]
        if values:
            return max(values)
        if moves_anysize(board, other, own):
            return -ahead(other, own, depth)
        return value_of(searcher.game, own, other)

    for own, other in positions(searcher.game, squares // 2, 6, seed=4):
        for depth in range(4):
            searcher.memory.forget()
            assert searcher.search(own, other, depth=depth) == ahead(own, other, depth)


@njit
def stable_discs(own, other, board):
    return stable_by_table(own, other, board)


def test_stable_discs_are_never_turned_whatever_is_played():
    found = 0
    for shape in SHAPES:
        searcher = Searcher(*shape)
        board = searcher.game.board

        def reachable(own, other, passed=False, *, board=board):
            """Every position that may come, with the first mover's discs first."""
            yield own, other
            played = False
            for yours, mine in after(board, own, other):
                played = True
                yield from ((a, b) for b, a in reachable(yours, mine, board=board))
            if not played and not passed:
                yield from ((a, b) for b, a in reachable(other, own, True, board=board))

        for empties in (1, 2, 4, 5):
            for own, other in positions(searcher.game, empties, 4, seed=0):
                stable = stable_discs(np.uint64(own), np.uint64(other), searcher.board)
                assert not stable & ~own
                found += stable.bit_count()
                assert all(not stable & ~later for later, _ in reachable(own, other))
    assert found > 500
