"""The engine's weights: well-formed, the same whichever way the board lies, and wise."""

from __future__ import annotations

import random

import numpy as np
import pytest

from parlour.kernels.othello.evaluation import (
    BASES,
    FILE,
    FIRST,
    INSTANCES,
    PARAMETERS,
    SIZE,
    pack,
    transform,
    unpack,
    weights,
)
from parlour.rules.othello import Othello
from tests.slow_othello import value_of

GAME = Othello()
MEGABYTE = 2**20


def value(own, other):
    """The mover's expected lead, summed up pattern by pattern as the layout says."""
    row = weights()[64 - (own | other).bit_count()]
    total = 0
    for squares, base in zip(INSTANCES, BASES, strict=True):
        digits = [(own >> square & 1) + 2 * (other >> square & 1) for square in squares]
        total += int(row[base + sum(digit * 3**place for place, digit in enumerate(digits))])
    mine, yours = GAME.legal(own, other).bit_count(), GAME.legal(other, own).bit_count()
    return (total + int(row[SIZE + mine]) + int(row[SIZE + 64 + yours])) / 128


def turned(discs, way):
    return sum(1 << transform(square, way) for square in range(64) if discs >> square & 1)


def by_lot(empties, seed):
    """A position of a game by lot, the mover of which has a move."""
    lots = random.Random(seed)
    while True:
        state = GAME.start()
        while GAME.moves(state) and 64 - (state[0] | state[1]).bit_count() > empties:
            state = GAME.play(state, lots.choice(GAME.moves(state)))
        if GAME.legal(*state[:2]) and 64 - (state[0] | state[1]).bit_count() == empties:
            return state[0], state[1]


def test_there_is_a_row_of_short_numbers_for_every_number_of_empty_squares():
    rows = weights()
    assert rows.shape == (65, PARAMETERS)
    assert rows.dtype == np.int16
    assert rows.flags.c_contiguous
    assert rows.any(axis=1).all()


def test_the_file_is_small():
    assert FILE.stat().st_size < 8 * MEGABYTE


def test_what_is_unpacked_was_packed():
    lots = np.random.default_rng(1)
    rows = np.zeros((3, PARAMETERS), np.int16)
    rows[:, :] = weights()[[FIRST, 30, 50]]
    rows[:, SIZE:] = lots.integers(-32768, 32767, (3, PARAMETERS - SIZE))
    assert (unpack(pack(rows)) == rows).all()


@pytest.mark.parametrize("empties", [8, 17, 30, 44, 58])
def test_a_position_turned_or_mirrored_is_worth_the_same(empties):
    own, other = by_lot(empties, seed=empties)
    assert {value(turned(own, way), turned(other, way)) for way in range(8)} == {value(own, other)}


def test_the_four_first_moves_are_worth_the_same():
    start = GAME.start()
    assert len({value(*GAME.play(start, move)[:2]) for move in GAME.moves(start)}) == 1


@pytest.mark.parametrize("empties", [8, 9, 10])
def test_the_winner_of_perfect_play_is_seen_before_the_end(empties):
    """Counting the discs tells much less."""
    positions = [by_lot(empties, seed) for seed in range(200)]
    leads = np.array([value_of(GAME, *position) for position in positions])
    judged = np.array([value(*position) for position in positions])
    counted = np.array([own.bit_count() - other.bit_count() for own, other in positions])
    assert np.sqrt(((judged - leads) ** 2).mean()) < 0.7 * np.sqrt(((counted - leads) ** 2).mean())
    seen, told = ((np.sign(guess) == np.sign(leads)).mean() for guess in (judged, counted))
    assert seen > told + 0.1


@pytest.mark.parametrize("empties", [20, 30, 40, 50])
def test_a_corner_is_worth_more_than_the_square_diagonal_to_it(empties):
    """The first rule every player learns; of discs that turn nothing else, over many positions."""
    corner, diagonal, gains = 1 << 0, 1 << 9, []
    for seed in range(100):
        own, other = by_lot(empties + 1, seed)
        if not (own | other) & (corner | diagonal):
            gains.append(value(own | corner, other) - value(own | diagonal, other))
    assert len(gains) > 10
    assert np.mean(gains) > 3
