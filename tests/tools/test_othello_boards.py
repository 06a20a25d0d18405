"""How the evaluation of other boards was fitted: true leads, and features that make it up."""

import random

import numpy as np
import pytest
from tools.othello.boards import Board, evaluate

from parlour.kernels.othello.bitboard import EMPTY_SHARES, FEATURE_WEIGHTS
from parlour.rules.othello import Othello
from tests.slow_othello import value_of

pytestmark = pytest.mark.long
SHAPES = ((5, 7), (6, 6), (9, 7))


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: "{}x{}".format(*shape))
def board(request):
    return Board(*request.param)


@pytest.fixture(scope="module")
def played(board):
    board.use_weights(FEATURE_WEIGHTS)
    return board.play_games(30, np.random.default_rng(1))


def empties(board, played):
    return board.squares - np.bitwise_count(played[0] | played[1])


def test_positions_are_of_this_board_and_one_side_can_move(board, played):
    game = Othello(columns=board.columns, rows=board.rows)
    assert len(played[0]) > 200
    for own, other in zip(*(part.tolist() for part in played), strict=True):
        assert own & other == 0
        assert (own | other) >> board.squares == 0
        assert game.legal(own, other)


def test_leads_near_the_end_are_true(board, played):
    game = Othello(columns=board.columns, rows=board.rows)
    late = empties(board, played) <= 8
    own, other = played[0][late], played[1][late]
    assert len(own) > 20
    for mine, yours, lead in zip(
        own.tolist(), other.tolist(), board.leads(own, other), strict=True
    ):
        assert value_of(game, mine, yours) == lead


def test_features_times_weights_are_the_evaluation(board, played):
    source = random.Random(2)
    worth = {
        name: tuple(source.uniform(-0.5, 0.5) for _ in EMPTY_SHARES) for name in FEATURE_WEIGHTS
    }
    left = empties(board, played) / board.squares
    counts = board.count_features(*played)
    expected = sum(
        column * np.interp(left, EMPTY_SHARES, discs)
        for column, discs in zip(counts.T, worth.values(), strict=True)
    )
    board.use_weights(worth)
    values = np.zeros(len(left))
    evaluate(*played, board.table.ctypes.data, values)
    assert np.abs(values - expected).max() < 0.2
    assert values.std() > 1
    discs = np.bitwise_count(played[0]).astype(int) - np.bitwise_count(played[1])
    assert np.abs(counts[:, list(FEATURE_WEIGHTS).index("disc")] - discs).max() < 0.05
