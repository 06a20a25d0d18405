"""Label positions with leads: exact near the end of the game, by a search before that.

A search of a few plies with the weights of later phases is more accurate than those weights alone,
so the weights of a phase are learned from those of the phases after it.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64
from tools.othello.positions import search

from parlour.kernels.intrinsics import store
from parlour.kernels.othello.bitboard import UNIT
from parlour.kernels.othello.search import EXACT, search_root_8x8
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory

ASPIRATION = int64(6)  # discs about the guess, at first


@njit
def solve(own, other, empties, work):
    """Return the mover's final lead, searched in a window about a guess that widens if needed."""
    guess = int64(0)
    if empties > int64(11):
        guess = search(own, other, int64(2), empties, work) // UNIT
    low, high = guess - ASPIRATION, guess + ASPIRATION
    while True:
        low, high = max(low, int64(-65)), min(high, int64(65))
        store(work, BEST_MOVE, uint64(NO_MOVE))
        value = search_root_8x8(own, other, low, high, empties, EXACT, work)
        if low < value < high:
            return value
        if value <= low:
            low, high = int64(-65), value + int64(1)
        else:
            low, high = value - int64(1), int64(65)


@njit
def label(own, other, depth, empties, work, leads):
    """Write the lead of every position, exact if the depth reaches the end of the game."""
    for index in range(len(own)):
        if depth >= empties:
            leads[index] = solve(own[index], other[index], empties, work)
        else:
            value = search(own[index], other[index], depth, empties, work) / UNIT
            leads[index] = max(-64.0, min(64.0, value))


class Labeller:
    """Labels positions with the weights it is given; they may change between two calls."""

    def __init__(self, weights: np.ndarray) -> None:
        self.memory = Memory(64, weights)
        self.stop = np.zeros(1, np.uint64)
        self.memory.begin(self.stop)

    def leads(self, own: np.ndarray, other: np.ndarray, empties: int, depth: int) -> np.ndarray:
        """Return the mover's leads by a search to this depth."""
        leads = np.zeros(len(own), np.float32)
        label(own, other, depth, empties, self.memory.address, leads)
        return leads
