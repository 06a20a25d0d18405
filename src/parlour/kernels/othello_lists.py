"""The moves of one ply as the searches keep them, and what the hash knows about where they lead.

A list lies in the block of a search, a row for each number of empty squares: a key, the square and
what it turns for every move. Whatever the board, it is taken from it best first.
"""

from __future__ import annotations

from numba import int64, njit

from parlour.kernels.machine import length_of, load, store
from parlour.kernels.othello_hash import (
    DEPTH,
    LEVEL,
    LISTS,
    NODES,
    ROOM,
    UPPER,
    bucket_of,
    fetch,
    field,
    recall,
)
from parlour.kernels.othello_lines import ONE

NONE = int64(-127)  # below every value


@njit
def next_move(index, listed, empties, work):
    """Bring the best of the moves that are left to this place of the list; where it lies."""
    start = LISTS + empties * ROOM
    here = start + index * int64(4)
    best_key = int64(load(work, here))
    best = here
    place = here + int64(4)
    for _ in range(index + int64(1), listed):
        key = int64(load(work, place))
        if key > best_key:
            best_key = key
            best = place
        place += int64(4)
    if best != here:
        for word in range(int64(3)):
            kept = load(work, here + word)
            store(work, here + word, load(work, best + word))
            store(work, best + word, kept)
    return here


@njit
def fetch_children(own, other, listed, empties, work):
    """Begin to bring near what the hash knows of the children."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        turned = load(work, row + int64(2))
        mine, yours = own ^ turned ^ (ONE << load(work, row + int64(1))), other ^ turned
        fetch(bucket_of(yours, mine, empties - int64(1), work))
        row += int64(4)


@njit
def known_cut(own, other, listed, alpha, depth, empties, level, work):
    """A lower bound above alpha that the hash knows from one of the children, else NONE."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        move = ONE << load(work, row + int64(1))
        turned = load(work, row + int64(2))
        mine, yours = own ^ turned ^ move, other ^ turned
        known = recall(yours, mine, bucket_of(yours, mine, empties - int64(1), work), work)
        if known and field(known, LEVEL) >= level and field(known, DEPTH) >= depth - int64(1):
            bound = int64(64) - field(known, UPPER)
            if bound > alpha:
                return bound
        row += int64(4)
    return NONE


@njit
def cost_of(before, work):
    """A byte that grows with the nodes spent since."""
    return length_of(load(work, NODES) - before)
