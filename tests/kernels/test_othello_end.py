"""The compiled end of Othello beside plain minimax over the plain rules, and the FFO scores."""

from __future__ import annotations

import functools
import random
import threading
import time

import numpy as np
import pytest

from parlour.kernels import othello_end as kernels
from parlour.rules import plain_othello
from parlour.rules.othello import Othello

ENDLESS = 2**40
SHAPES = [(8, 8), (9, 7), (7, 9), (6, 6), (5, 7), (16, 4), (4, 16), (4, 4), (12, 5), (10, 6)]


def searched(search, game, own, other, *, bounds=(-ENDLESS, ENDLESS), cells=None):
    squares = len(game.board.bits)
    ply = (0,) if search is kernels.soonest else ()
    return search(
        game.board.full, *game.geometry, own, other, *ply, *bounds,
        np.zeros((squares + 1, squares), np.int64),
        np.zeros(3, np.int64) if cells is None else cells,
    )  # fmt: skip


def positions(game, empties, many, seed):
    """Half of them from random play, half any discs at all, where passes and early ends abound."""
    lots = random.Random(seed)
    board = game.board
    found = []
    while len(found) < many:
        if len(found) % 2:
            squares = lots.sample(sorted(board.bits.values()), len(board.bits) - empties)
            share = lots.choice((0.1, 0.5, 0.9))
            own = sum(bit for bit in squares if lots.random() < share)
            found.append((own, sum(squares) ^ own))
            continue
        state = game.start()
        while game.moves(state) and len(board.bits) - (state[0] | state[1]).bit_count() > empties:
            state = game.play(state, lots.choice(game.moves(state)))
        found.append(state[:2])
    return found


def judge(board):
    """Plain minimax: the best margin for the mover, and his outcome with its distance."""

    def after(own, other):
        mask = plain_othello.moves(board, own, other)
        while mask:
            bit = mask & -mask
            mask ^= bit
            turned = plain_othello.flips(board, own, other, bit)
            yield other ^ turned, own ^ turned ^ bit

    def over(own, other):
        return not any(plain_othello.moves(board, *pair) for pair in ((own, other), (other, own)))

    @functools.cache
    def margin(own, other):
        if over(own, other):
            ahead = own.bit_count() - other.bit_count()
            empties = len(board.bits) - (own | other).bit_count()
            return ahead + empties * ((ahead > 0) - (ahead < 0))
        return max(-margin(*pair) for pair in list(after(own, other)) or [(other, own)])

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

    return margin, outcome


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_both_searches_agree_with_plain_minimax(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    margin, outcome = judge(game.board)
    signs, passes = set(), 0
    for empties, many in ((0, 4), (1, 30), (2, 30), (3, 30), (4, 30), (5, 30), (6, 16), (7, 6)):
        for own, other in positions(game, empties, many, seed=empties):
            assert searched(kernels.margin, game, own, other) == margin(own, other)
            sign, far = outcome(own, other)
            found = searched(kernels.soonest, game, own, other)
            assert found == sign * (kernels.FAR - abs(far))
            signs.add(sign)
            passes += not plain_othello.moves(game.board, own, other)
    assert {-1, 1} <= signs  # and draws, but hardly ever with an odd number of squares
    assert passes > 10


def test_bounds_may_cut_but_never_change_what_lies_between_them():
    game = Othello(columns=6, rows=6)
    for own, other in positions(game, 8, 20, seed=1):
        exact = searched(kernels.margin, game, own, other)
        for low in range(-36, 36, 6):
            found = searched(kernels.margin, game, own, other, bounds=(low, low + 6))
            if low < exact < low + 6:
                assert found == exact
            else:
                assert (found <= low) == (exact <= low)


FFO = {  # numbers 1, 5 and 20 of the forum's endgame positions: the score of every legal move
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X": "g8 18 h1 12 h7 6 a2 6 "
    "a3 4 b1 -4 a4 -22 g2 -24",
    "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X": "g8 32 g2 12 b2 -20 "
    "g6 -26 g1 -32 g7 -34",
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X": "h5 6 g6 -2 f6 -4 h6 -10",
}


@pytest.mark.parametrize("position", FFO)
def test_the_scores_long_agreed_in_the_field(position):
    game = Othello()
    state = game.read(position)
    words = FFO[position].split()
    known = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    found = {
        game.write_move(move): -searched(kernels.margin, game, *game.play(state, move)[:2])
        for move in game.moves(state)
    }
    assert found == known


@pytest.mark.parametrize("search", [kernels.margin, kernels.soonest])
def test_a_search_without_end_stops_when_it_is_asked_to(search):
    game = Othello()
    cells = np.zeros(3, np.int64)
    timer = threading.Timer(0.1, lambda: cells.__setitem__(0, 1))
    begun = time.monotonic()
    timer.start()
    searched(search, game, *game.start()[:2], cells=cells)
    timer.join()
    assert time.monotonic() - begun < 2
    assert cells[1] > 0
