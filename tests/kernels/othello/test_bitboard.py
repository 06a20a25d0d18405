"""The vector moves, flips and counts of lines, held against the plain rules."""

import random

import numpy as np
import pytest
from numba import int64, njit, uint64

from parlour.kernels.othello import bitboard
from parlour.kernels.othello.bitboard import flips_and_replies, flips_of, moves_of, perft
from parlour.rules.othello import Othello, flips_anysize, moves_anysize
from tests.conftest import LONG
from tests.slow_othello import reached, scattered

GAME = Othello()
BOARD = GAME.board


def moves_and_flips(positions, moves, flips, replies):
    """What each position's mover may take, what taking any empty square would turn, and then."""
    for place, (own, other) in enumerate(positions):
        moves[place] = moves_of(own, other, None)
        for square in range(64):
            if not (own | other) >> uint64(square) & uint64(1):
                flips[place, square] = flips_of(own, other, int64(square), None)
                turned, after = flips_and_replies(own, other, int64(square), None)
                replies[place, square] = after if turned == flips[place, square] else uint64(0)


def lines_from(own, other, depth, stop=0):
    return perft(own, other, depth, 0, np.array([stop], np.int64).ctypes.data)


def walked(state, depth):
    """The same by the verbs of the game; a pass is a move, an ended game one line."""
    if depth == 0 or not GAME.moves(state):
        return 1
    return sum(walked(GAME.play(state, move), depth - 1) for move in GAME.moves(state))


def test_passes_and_ended_games_are_counted_as_the_rules_say():
    chance = random.Random(1)
    passes = ends = 0
    for number in range(200):
        state = (reached, scattered)[number % 2](GAME, number % 9, chance)
        for depth in (1, 2, 3, 4):
            assert lines_from(*state[:2], depth) == walked(state, depth)
        passes += len(GAME.moves(state)) == 1 and not GAME.legal(*state[:2])
        ends += not GAME.moves(state)
    assert min(passes, ends) > 5


@pytest.mark.slow
@pytest.mark.parametrize("counts_zeros", [True, False])
def test_moves_and_flips_are_those_of_the_plain_rules_on_any_processor(counts_zeros, monkeypatch):
    monkeypatch.setattr(bitboard, "COUNTS_LEADING_ZEROS", counts_zeros)
    chance = random.Random(2)
    found = [
        (reached, scattered)[number % 2](GAME, chance.randrange(61), chance)[:2]
        for number in range(2000 if LONG else 600)
    ]
    moves = np.zeros(len(found), np.uint64)
    flips, replies = np.zeros((2, len(found), 64), np.uint64)
    njit(moves_and_flips)(np.array(found, np.uint64), moves, flips, replies)
    for place, (own, other) in enumerate(found):
        assert moves[place] == moves_anysize(BOARD, own, other)
        turned = [flips_anysize(BOARD, own, other, 1 << square) for square in range(64)]
        assert flips[place].tolist() == turned
        for square in (square for square in range(64) if moves[place] >> np.uint64(square) & 1):
            mine, yours = own ^ turned[square] ^ 1 << square, other ^ turned[square]
            assert replies[place, square] == moves_anysize(BOARD, yours, mine)


def test_the_count_ends_when_it_is_asked_to():
    own, other, _ = GAME.start()
    lines_from(own, other, 40, stop=1)  # which else would take for ever
