"""How soon an Othello is won, held against plain minimax over the plain rules."""

import functools
import threading

import numpy as np
import pytest

from parlour.kernels.othello import endgame as kernels
from parlour.kernels.othello.bitboard import board_table
from parlour.kernels.othello.transposition import Memory
from parlour.rules.othello import Othello, flips_anysize, moves_anysize
from tests.slow_othello import positions

MOST = int(kernels.MAX_PLIES)
SHAPES = [(8, 8), (9, 7), (4, 16), (5, 7)]


@functools.cache
def tables(columns, rows):
    """The board's table, and the memory to search in."""
    return board_table(columns, rows), Memory(1)


def soonest(game, own, other, *, bounds=(-MOST, MOST), cells=None):
    table, memory = tables(game.columns, game.rows)
    memory.begin(np.zeros(3, np.int64) if cells is None else cells)
    found = kernels.solve_distance(own, other, *bounds, table.ctypes.data, memory.address)
    if (game.columns, game.rows) == (8, 8):
        assert kernels.solve_distance(own, other, *bounds, 0, memory.address) == found
    return found


def judge(board):
    """Plain minimax: the outcome for the mover with its distance."""

    def after(own, other):
        mask = moves_anysize(board, own, other)
        while mask:
            bit = mask & -mask
            mask ^= bit
            turned = flips_anysize(board, own, other, bit)
            yield other ^ turned, own ^ turned ^ bit

    def over(own, other):
        return not any(moves_anysize(board, *pair) for pair in ((own, other), (other, own)))

    @functools.cache
    def outcome(own, other):
        """(1, -plies) for a win, (0, 0) for a draw, (-1, plies) for a loss: larger is better."""
        if over(own, other):
            ahead = own.bit_count() - other.bit_count()
            return ((ahead > 0) - (ahead < 0), 0)
        return max(before(*pair) for pair in list(after(own, other)) or [(other, own)])

    def before(own, other):
        sign, far = outcome(own, other)
        plies = abs(far) + 1
        return (1, -plies) if sign < 0 else (-1, plies) if sign > 0 else (0, 0)

    return outcome


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_it_agrees_with_plain_minimax(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    outcome = judge(game.board)
    signs, passes = set(), 0
    for empties, many in ((0, 4), (1, 20), (2, 20), (3, 20), (4, 20), (5, 10), (6, 6)):
        for own, other in positions(game, empties, many, seed=empties):
            sign, far = outcome(own, other)
            assert soonest(game, own, other) == sign * (MOST - abs(far))
            signs.add(sign)
            passes += not moves_anysize(game.board, own, other)
    assert {-1, 1} <= signs  # and draws, but hardly ever with an odd number of squares
    assert passes > 5


def test_a_window_may_cut_but_never_changes_a_value_inside_it():
    game = Othello(columns=6, rows=6)
    for own, other in positions(game, 7, 15, seed=1):
        exact = soonest(game, own, other)
        for low in (-1000, -992, -1, 0, 991, 995):
            found = soonest(game, own, other, bounds=(low, low + 8))
            if low < exact < low + 8:
                assert found == exact
            else:
                assert (found <= low) == (exact <= low)


def test_a_long_search_stops_when_asked():
    game = Othello(columns=9, rows=7)
    cells = np.zeros(3, np.int64)
    timer = threading.Timer(0.1, lambda: cells.__setitem__(0, 1))
    timer.start()
    soonest(game, *game.start()[:2], cells=cells)  # which else would take for ever
    timer.join()
    assert tables(9, 7)[1].nodes > 0
