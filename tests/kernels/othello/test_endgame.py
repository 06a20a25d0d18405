"""Stable discs are never flipped, whatever is played, and bound the value."""

from __future__ import annotations

import random

import numpy as np
from numba import int64

from parlour.kernels.othello.endgame import stability_bound, stable_discs
from parlour.rules.othello import Othello
from tests.compiled import compiled
from tests.conftest import LONG
from tests.slow_othello import reached, scattered, value_of

GAME = Othello()


@compiled("void(uint64[:, ::1], uint64[::1])")
def find_stable(positions, stable):
    for place, (own, other) in enumerate(positions):
        stable[place] = stable_discs(own, other)


@compiled("void(uint64, uint64, int64, int64[::1])")
def bounds_of(own, other, empties, bounds):
    """The bound that stable discs give for each lead in question, from -64 on."""
    for place in range(len(bounds)):
        bounds[place] = stability_bound(own, other, int64(place - 64), empties, None)


def stable_of(positions):
    stable = np.zeros(len(positions), np.uint64)
    find_stable(np.array(positions, np.uint64), stable)
    return stable.tolist()


def play_on(own, other, chance):
    """The discs of both after a move of either, or nothing when neither can move."""
    for mover, waiting in chance.sample([(own, other), (other, own)], 2):
        if moves := GAME.legal(mover, waiting):
            bit = 1 << chance.choice([square for square in range(64) if moves >> square & 1])
            turned = GAME.flips(mover, waiting, bit)
            moved = mover | turned | bit, waiting ^ turned
            return moved if mover == own else moved[::-1]
    return None


def test_a_stable_disc_never_turns():
    chance = random.Random(1)
    found = [
        (reached, scattered)[number % 2](GAME, chance.randrange(2, 40), chance)[:2]
        for number in range(1500 if LONG else 400)
    ]
    mine, yours = stable_of(found), stable_of([position[::-1] for position in found])
    for (own, other), kept, lost in zip(found, mine, yours, strict=True):
        assert kept & ~own == lost & ~other == 0
        for _ in range(2):
            position = own, other
            while position := play_on(*position, chance):
                assert kept & ~position[0] == lost & ~position[1] == 0
    assert sum(map(int.bit_count, mine + yours)) > 8 * len(found)


def test_stable_discs_bound_the_value():
    chance = random.Random(3)
    bounds = np.zeros(129, np.int64)
    bounded = 0
    for number in range(200):
        empties = number % 8
        own, other, _ = (reached, scattered)[number // 8 % 2](GAME, empties, chance)
        bounds_of(own, other, 64 - (own | other).bit_count(), bounds)
        assert value_of(GAME, own, other) <= bounds.min()
        bounded += bounds.min() < 64
    assert bounded > 50
