"""The moves of one ply as the searches keep them, and what the hash knows about where they lead.

A list lies in the block of a search, a row for each number of empty squares: a key, the square and
what it turns for every move. Whatever the board, it is taken from it best first.

Move lists: found, judged, and taken one by one, the best first.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, lookup, lowest, popcount, store
from parlour.kernels.othello.evaluation import (
    UNIT,
    carry_views,
    mobility_value,
    patterns_after,
    patterns_here,
    swap_views,
    views_at,
    weights_at,
)
from parlour.kernels.othello.flips import (
    ONE,
    flips_of,
    moves_of,
    odd_regions,
    settled,
    weighted_mobility,
)
from parlour.kernels.othello.transposition import (
    LISTS,
    NOWHERE,
    ROOM,
    count_node,
    next_move,
    stopped,
)

ENDLESS = int64(1) << int64(30)  # beyond every value
FIRST_KEY = int64(1) << int64(30)  # key of a move to try before all others
REPLY = int64(256)  # what one reply of the opponent costs a judgement, in units
ODD = int64(64)  # what an odd quadrant adds to a quick judgement, half as much as a reply
STOP_DEPTH = int64(4)  # so far above the leaves the stop flag is looked at
VALUE = np.array(
    [
        18, 4, 16, 12, 12, 16, 4, 18,
        4, 2, 6, 8, 8, 6, 2, 4,
        16, 6, 14, 10, 10, 14, 6, 16,
        12, 8, 10, 0, 0, 10, 8, 12,
        12, 8, 10, 0, 0, 10, 8, 12,
        16, 6, 14, 10, 10, 14, 6, 16,
        4, 2, 6, 8, 8, 6, 2, 4,
        18, 4, 16, 12, 12, 16, 4, 18,
    ],
    np.int8,
)  # fmt: skip
square_value = lookup("othello.square_value", VALUE)


@njit
def list_moves(own, other, mask, empties, work):
    """Write the moves and what they turn into this ply's list; how many there are."""
    row = LISTS + empties * ROOM
    listed = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        store(work, row + int64(1), uint64(square))
        store(work, row + int64(2), flips_of(own, other, square))
        row += int64(4)
        listed += int64(1)
    return listed


@njit
def judge_quickly(own, other, listed, first, second, empties, work):
    """Keys by the opponent's mobility, parity, and the square."""
    row = LISTS + empties * ROOM
    odd = odd_regions(~(own | other))
    for _ in range(listed):
        square = int64(load(work, row + int64(1)))
        turned = load(work, row + int64(2))
        move = ONE << uint64(square)
        mine, yours = own ^ turned ^ move, other ^ turned
        if square == first:
            key = FIRST_KEY
        elif square == second:
            key = FIRST_KEY - int64(1)
        else:
            replies = moves_of(yours, mine)
            key = -weighted_mobility(replies) << int64(7)
            key += square_value(square)
            if odd & move:
                key += ODD
        store(work, row, uint64(key))
        row += int64(4)


@njit
def static_after(own, other, square, turned, empties, work):
    """The evaluation after a move, as the next mover sees it, in units of a disc."""
    move = ONE << uint64(square)
    mine, yours = own ^ turned ^ move, other ^ turned
    replies, own_next = popcount(moves_of(yours, mine)), popcount(moves_of(mine, yours))
    if replies == int64(0) and own_next == int64(0):
        return settled(yours, mine) * UNIT
    weights = weights_at(empties - int64(1), work)
    value = patterns_after(views_at(empties, work), square, turned, weights)
    return value + mobility_value(replies, own_next, weights)


@njit
def judge_statically(own, other, listed, first, second, empties, work):
    """Keys by the evaluation after the move and the opponent's mobility."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        square = int64(load(work, row + int64(1)))
        turned = load(work, row + int64(2))
        if square == first:
            key = FIRST_KEY
        elif square == second:
            key = FIRST_KEY - int64(1)
        else:
            move = ONE << uint64(square)
            replies = moves_of(other ^ turned, own ^ turned ^ move)
            key = -static_after(own, other, square, turned, empties, work)
            key -= REPLY * weighted_mobility(replies)
        store(work, row, uint64(key))
        row += int64(4)


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def glance(own, other, alpha, beta, depth, empties, work):
    """The value in units after so many plies, by the evaluation; its views must be written."""
    count_node(work)
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return settled(own, other) * UNIT
        swap_views(views_at(empties, work))
        return -glance(other, own, -beta, -alpha, depth, empties, work)
    if depth == int64(0):
        weights = weights_at(empties, work)
        value = patterns_here(views_at(empties, work), weights)
        return value + mobility_value(popcount(mask), popcount(moves_of(other, own)), weights)
    if depth >= STOP_DEPTH and stopped(work):
        return int64(0)
    best = -ENDLESS
    if depth == int64(1):
        while mask:
            square = lowest(mask)
            mask &= mask - ONE
            turned = flips_of(own, other, square)
            value = -static_after(own, other, square, turned, empties, work)
            if value > best:
                best = value
                if best >= beta:
                    return best
        return best
    listed = list_moves(own, other, mask, empties, work)
    if depth == int64(2):
        judge_quickly(own, other, listed, NOWHERE, NOWHERE, empties, work)
    else:
        judge_statically(own, other, listed, NOWHERE, NOWHERE, empties, work)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        carry_views(views_at(empties, work), square, turned, views_at(empties - int64(1), work))
        value = -glance(
            other ^ turned, own ^ turned ^ (ONE << uint64(square)), -beta, -max(alpha, best),
            depth - int64(1), empties - int64(1), work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


@njit
def judge_deeply(own, other, listed, first, second, depth, empties, work):
    """Keys by a search of so many plies after the move, and the opponent's mobility."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        square = int64(load(work, row + int64(1)))
        turned = load(work, row + int64(2))
        if square == first:
            key = FIRST_KEY
        elif square == second:
            key = FIRST_KEY - int64(1)
        else:
            move = ONE << uint64(square)
            mine, yours = own ^ turned ^ move, other ^ turned
            carry_views(views_at(empties, work), square, turned, views_at(empties - int64(1), work))
            key = -glance(yours, mine, -ENDLESS, ENDLESS, depth, empties - int64(1), work)
            key -= REPLY * weighted_mobility(moves_of(yours, mine))
        store(work, row, uint64(key))
        row += int64(4)
