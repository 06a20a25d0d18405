"""Fit one phase of the evaluation: ridge regression by conjugate gradients.

A position is 46 patterns, two counts of moves, four quadrants and one entry for its number of empty
squares; its value is the sum of their weights. Sums are taken in a fixed order and without
fast-math, so that the same data give the same weights everywhere.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import popcount
from parlour.kernels.othello.bitboard import moves_of
from parlour.kernels.othello.evaluation import (
    BASES,
    COUNT,
    DIGITS,
    MOBILITY,
    PARAMETERS,
    PHASES,
    QUADRANT,
    QUADRANTS,
    quadrant_index,
)

ENTRIES = PARAMETERS + PHASES  # with one more for every number of empty squares
OWN_MOVES, OTHERS_MOVES = COUNT, COUNT + 1
FIRST_QUADRANT, PHASE, COLUMNS = COUNT + 2, COUNT + 6, COUNT + 7
MASKS = np.array(QUADRANTS, np.uint64)
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
        own_moves, other_moves = moves_of(mine, yours, None), moves_of(yours, mine, None)
        row[OWN_MOVES] = MOBILITY + popcount(own_moves)
        row[OTHERS_MOVES] = MOBILITY + 64 + popcount(other_moves)
        empty = ~(mine | yours)
        for place, mask in enumerate(MASKS):
            where = quadrant_index(empty, own_moves, other_moves, mask)
            row[FIRST_QUADRANT + place] = QUADRANT + where
        row[PHASE] = PARAMETERS + popcount(empty)


@njit
def values(entries, weights, out):
    """Write the value of every position: the sum of its weights."""
    for index in range(len(entries)):
        row = entries[index]
        first, second, third = np.float32(0), np.float32(0), weights[row[PHASE]]
        for lane in range(0, PHASE, 2):  # two independent chains of sums
            first += weights[row[lane]]
            second += weights[row[lane + 1]]
        out[index] = first + second + third


@njit
def gather(entries, amounts, out):
    """Add the amount of each position to all of its entries."""
    out[:] = 0
    for index in range(len(entries)):
        amount = amounts[index]
        for lane in range(COLUMNS):
            out[entries[index, lane]] += amount


@njit
def product(first, second):
    """Return the dot product."""
    total = 0.0
    for index in range(len(first)):
        total += first[index] * second[index]
    return total


def fit(entries, leads, trust, prior, ridge, rounds):
    """Return weights that fit the leads, weighted by trust; the ridge pulls them to the prior."""
    trust = trust.astype(np.float32)
    guess = np.zeros(len(leads), np.float32)
    values(entries, prior, guess)
    residual, seen = np.zeros(ENTRIES, np.float32), np.zeros(ENTRIES, np.float32)
    gather(entries, trust, seen)
    gather(entries, (leads - guess) * trust, residual)
    scale = 1 / (seen + np.float32(ridge))
    weights = prior.copy()
    preconditioned = scale * residual
    direction = preconditioned.copy()
    norm = product(residual, preconditioned)
    image = np.zeros(ENTRIES, np.float32)
    for _ in range(rounds):
        values(entries, direction, guess)
        gather(entries, guess * trust, image)
        image += np.float32(ridge) * direction
        step = np.float32(norm / product(direction, image))
        weights += step * direction
        residual -= step * image
        preconditioned = scale * residual
        before, norm = norm, product(residual, preconditioned)
        direction = preconditioned + np.float32(norm / before) * direction
    return weights
