"""How the judgement of other boards was made: true leads, and counts that make up the judgement."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tools.othello.boards import Board, judge

from parlour.kernels.othello.anysize.board import EMPTY_SHARES, FEATURE_WEIGHTS
from parlour.rules.othello import Othello
from tests.slow_othello import value_of

SHAPES = ((5, 7), (6, 6), (9, 7))


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: "{}x{}".format(*shape))
def board(request):
    return Board(*request.param)


@pytest.fixture(scope="module")
def played(board):
    board.go_by(FEATURE_WEIGHTS)
    return board.played(30, np.random.default_rng(1))


def empties(board, played):
    return board.squares - np.bitwise_count(played[0] | played[1])


def test_positions_are_of_this_board_and_somebody_can_move(board, played):
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


def test_what_is_counted_times_what_it_is_worth_is_the_judgement(board, played):
    lots = random.Random(2)
    worth = {name: tuple(lots.uniform(-0.5, 0.5) for _ in EMPTY_SHARES) for name in FEATURE_WEIGHTS}
    left = empties(board, played) / board.squares
    counts = board.counted(*played)
    expected = sum(
        column * np.interp(left, EMPTY_SHARES, discs)
        for column, discs in zip(counts.T, worth.values(), strict=True)
    )
    board.go_by(worth)
    judged = np.zeros(len(left))
    judge(*played, board.table.ctypes.data, judged)
    assert np.abs(judged - expected).max() < 0.2
    assert judged.std() > 1
    discs = np.bitwise_count(played[0]).astype(int) - np.bitwise_count(played[1])
    assert np.abs(counts[:, list(FEATURE_WEIGHTS).index("disc")] - discs).max() < 0.05
