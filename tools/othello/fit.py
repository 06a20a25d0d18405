"""Fitting one stage of the evaluation: ridge regression by conjugate gradients.

A position is 46 patterns, two counts of moves and one entry for its own number of empty squares;
its value is the sum of their weights. Sums are taken in a fixed order and without the liberties a
compiler takes when allowed, so that the same data give the same weights everywhere.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import popcount
from parlour.kernels.othello.board_8x8 import moves_of
from parlour.kernels.othello.evaluation import BASES, COUNT, DIGITS, PARAMETERS, PHASES, SIZE

ENTRIES = PARAMETERS + 2 * PHASES  # with two more for every number of empty squares
OWN_MOVES, OTHERS_MOVES, STAGE, COLUMNS = range(COUNT, COUNT + 4)
SPREAD = DIGITS.astype(np.int32)
BEGINS = BASES.astype(np.int32)


@njit
def features(own, other, same, entries):
    """Write the entries whose weights make up the value of each position."""
    for index in range(len(own)):
        mine, yours = own[index], other[index]
        row = entries[index]
        row[:COUNT] = BEGINS
        for square in range(64):
            bit = uint64(square)
            digit = int64(mine >> bit & uint64(1)) + 2 * int64(yours >> bit & uint64(1))
            if digit:
                for lane in range(COUNT):
                    row[lane] += digit * SPREAD[square, lane]
        for lane in range(COUNT):
            row[lane] = same[row[lane]]
        row[OWN_MOVES] = SIZE + popcount(moves_of(mine, yours))
        row[OTHERS_MOVES] = SIZE + 64 + popcount(moves_of(yours, mine))
        row[STAGE] = PARAMETERS + popcount(~(mine | yours))


@njit
def values(entries, weights, out):
    """The value of every position: the sum of its weights."""
    for index in range(len(entries)):
        row = entries[index]
        first, second, third = np.float32(0), np.float32(0), weights[row[STAGE]]
        for lane in range(0, STAGE, 2):  # two chains of sums, half the waiting
            first += weights[row[lane]]
            second += weights[row[lane + 1]]
        out[index] = first + second + third


@njit
def gather(entries, amounts, out):
    """What every entry gets when each position gives its amount to all of its entries."""
    out[:] = 0
    for index in range(len(entries)):
        amount = amounts[index]
        for lane in range(COLUMNS):
            out[entries[index, lane]] += amount


@njit
def product(first, second):
    """The scalar product."""
    total = 0.0
    for index in range(len(first)):
        total += first[index] * second[index]
    return total


def fit(entries, leads, trust, prior, ridge, rounds):
    """Weights that explain the leads, each trusted so far; the ridge draws them to the prior."""
    trust = trust.astype(np.float32)
    guess = np.zeros(len(leads), np.float32)
    values(entries, prior, guess)
    rest, seen = np.zeros(ENTRIES, np.float32), np.zeros(ENTRIES, np.float32)
    gather(entries, trust, seen)
    gather(entries, (leads - guess) * trust, rest)
    scale = 1 / (seen + np.float32(ridge))
    weights = prior.copy()
    slope = scale * rest
    way = slope.copy()
    steep = product(rest, slope)
    bent = np.zeros(ENTRIES, np.float32)
    for _ in range(rounds):
        values(entries, way, guess)
        gather(entries, guess * trust, bent)
        bent += np.float32(ridge) * way
        step = np.float32(steep / product(way, bent))
        weights += step * way
        rest -= step * bent
        slope = scale * rest
        before, steep = steep, product(rest, slope)
        way = slope + np.float32(steep / before) * way
    return weights
