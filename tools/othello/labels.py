"""What positions are worth: exactly near the end of the game, by a search before that.

A search of a few plies with the weights of later stages is a better judge than those weights
alone, so the weights of a stage are learned from what the stages after it say.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import store
from parlour.kernels.othello.evaluation import UNIT, set_indices
from parlour.kernels.othello.search import EXACT, INFINITY, search_root, shallow_search
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory

REACH = int64(6)  # discs about the guess, at first


@njit
def looked(own, other, depth, empties, work):
    """The mover's lead after so many plies, in discs."""
    set_indices(own, other, empties, work)
    return shallow_search(own, other, -INFINITY, INFINITY, depth, empties, work) / UNIT


@njit
def solved(own, other, empties, work):
    """The mover's final lead, searched in a window about a guess that widens until it holds."""
    guess = int64(looked(own, other, int64(2), empties, work)) if empties > int64(11) else int64(0)
    low, high = guess - REACH, guess + REACH
    while True:
        low, high = max(low, int64(-65)), min(high, int64(65))
        store(work, BEST_MOVE, uint64(NO_MOVE))
        value = search_root(own, other, low, high, empties, EXACT, work)
        if low < value < high:
            return value
        if value <= low:
            low, high = int64(-65), value + int64(1)
        else:
            low, high = value - int64(1), int64(65)


@njit
def label(own, other, depth, empties, work, leads):
    """Write the lead of every position, to the end of the game if the depth reaches it."""
    for index in range(len(own)):
        if depth >= empties:
            leads[index] = solved(own[index], other[index], empties, work)
        else:
            value = looked(own[index], other[index], depth, empties, work)
            leads[index] = max(-64.0, min(64.0, value))


class Judge:
    """Labels positions with the weights it is given; they may change between two calls."""

    def __init__(self, weights: np.ndarray) -> None:
        self.memory = Memory(64, weights)
        self.stop = np.zeros(1, np.uint64)
        self.memory.begin(self.stop)

    def leads(self, own: np.ndarray, other: np.ndarray, empties: int, depth: int) -> np.ndarray:
        """The mover's leads, by a search of so many plies."""
        leads = np.zeros(len(own), np.float32)
        label(own, other, depth, empties, self.memory.address, leads)
        return leads
