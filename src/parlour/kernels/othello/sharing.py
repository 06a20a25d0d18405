"""Which positions the threads of one search are at, so that they take different moves first.

This is simplified ABDADA: a thread that would search a move while another is searching the same
position to the same depth takes the other moves before it, and finds most of the work done when it
comes back. Only the order of moves changes, never what a search to the end proves. The table is
small and written without locks; an entry that is lost costs some work twice.
"""

from __future__ import annotations

from numba import int64, uint64

from parlour.kernels.compiler import helper
from parlour.kernels.intrinsics import load, load_shared, store_shared
from parlour.kernels.othello.transposition import (
    GOLDEN,
    HALF,
    INDEX_BITS,
    NO_VALUE,
    ONE,
    SHARED,
    SLOTS,
    STRIDE,
    best_key,
    cutoff,
    flips_at,
    index_of,
    move_at,
    probe,
    set_key,
    square_at,
    take_move,
)

SHARED_DEPTH = int64(6)  # nearer the leaves a position is searched too fast to be shared
SHARED_EMPTIES = int64(14)  # the same in a search to the end
SLOT_SHIFT = uint64(65 - SLOTS.bit_length())
DEFERRED = int64(-1) << int64(40)  # the key of a move that was left for later


@helper
def shared_at(depth, empties, work):
    """Return the address of the table if other threads share a search of this size, else 0."""
    if depth < SHARED_DEPTH or (depth >= empties and empties < SHARED_EMPTIES):
        return int64(0)
    return int64(load(work, SHARED))


@helper
def signature(own, other, depth):
    """Return a number, never 0, for a search of a position to a depth."""
    mixed = (own ^ (other << HALF | other >> HALF) * GOLDEN) * STRIDE
    return (mixed ^ mixed >> uint64(29)) * (GOLDEN + uint64(2 * depth)) | ONE


@helper
def enter(own, other, depth, shared):
    """Say that this thread is searching a position."""
    number = signature(own, other, depth)
    store_shared(shared, int64(number >> SLOT_SHIFT), number)


@helper
def leave(own, other, depth, shared):
    """Say that no thread is searching a position."""
    store_shared(shared, int64(signature(own, other, depth) >> SLOT_SHIFT), uint64(0))


@helper
def is_searched(own, other, depth, shared):
    """Return whether some thread is searching a position."""
    number = signature(own, other, depth)
    return load_shared(shared, int64(number >> SLOT_SHIFT)) == number


@helper
def cutoff_by_now(own, other, bucket, alpha, depth, selectivity, work):
    """Return a bound that another thread has found meanwhile, else NO_VALUE."""
    entry = probe(own, other, bucket, work)
    return cutoff(entry, alpha, alpha + int64(1), depth, selectivity) if entry else NO_VALUE


@helper
def pick_next(own, other, index, count, depth, empties, shared, work):
    """Pick the best of the remaining moves, if there is one, that no other thread is searching."""
    key = best_key(count, empties, work)
    if shared and index > int64(0):
        while key >> INDEX_BITS != DEFERRED:
            place = move_at(index_of(key), empties)
            flipped = flips_at(place, work)
            mine, yours = own ^ flipped ^ (ONE << uint64(square_at(place, work))), other ^ flipped
            if not is_searched(yours, mine, depth - int64(1), shared):
                break
            set_key(DEFERRED, index_of(key), empties, work)
            key = best_key(count, empties, work)
    return take_move(key, empties, work)
