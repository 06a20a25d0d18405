"""Move lists on any Othello board: found, judged, and taken one by one, the best first."""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, lowest, popcount, store
from parlour.kernels.othello.anysize.board import (
    CORNERS,
    FULL,
    flips_on,
    moves_on,
    odd_quarters,
    settled,
)
from parlour.kernels.othello.anysize.evaluation import DISC_UNITS, judged
from parlour.kernels.othello.flips import ONE
from parlour.kernels.othello.transposition import (
    LISTS,
    NOWHERE,
    ROOM,
    count_node,
    next_move,
    stopped,
)

ENDLESS = int64(1) << int64(30)  # beyond every value
FIRST_KEY = int64(1) << int64(30)  # of a move to try before all others
REPLY = int64(128)  # what a reply of the opponent costs a judged move, in units
STOP_DEPTH = int64(4)  # so far above the leaves the stop flag is looked at
ZERO = uint64(0)


@njit
def list_moves(own, other, mask, empties, board, work):
    """Write the moves and what they turn into this ply's list; how many there are."""
    row = LISTS + empties * ROOM
    listed = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        store(work, row + int64(1), uint64(square))
        store(work, row + int64(2), flips_on(own, other, square, board))
        row += int64(4)
        listed += int64(1)
    return listed


@njit
def weighted(replies, board):
    """How many moves, a corner counting double."""
    return popcount(replies) + popcount(replies & load(board, CORNERS))


@njit
def judge_quickly(own, other, listed, first, second, empties, board, work):
    """Keys by the opponent's replies, and for a square of an odd quarter half a reply less."""
    row = LISTS + empties * ROOM
    odd = odd_quarters(load(board, FULL) & ~(own | other), board)
    for _ in range(listed):
        square = int64(load(work, row + int64(1)))
        turned = load(work, row + int64(2))
        move = ONE << uint64(square)
        if square == first:
            key = FIRST_KEY
        elif square == second:
            key = FIRST_KEY - int64(1)
        else:
            replies = moves_on(other ^ turned, own ^ turned ^ move, board)
            key = int64(-2) * weighted(replies, board)
            if odd & move:
                key += int64(1)
        store(work, row, uint64(key))
        row += int64(4)


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)")
def glance(own, other, alpha, beta, depth, empties, board, work):
    """The value in units after so many plies, by the judgement alone."""
    count_node(work)
    mask = moves_on(own, other, board)
    if not mask:
        mask = moves_on(other, own, board)
        if not mask:
            return settled(own, other, board) * DISC_UNITS
        if depth == int64(0):
            return -judged(other, own, mask, ZERO, empties, board)
        return -glance(other, own, -beta, -alpha, depth, empties, board, work)
    if depth == int64(0):
        return judged(own, other, mask, moves_on(other, own, board), empties, board)
    if depth >= STOP_DEPTH and stopped(work):
        return int64(0)
    listed = list_moves(own, other, mask, empties, board, work)
    if depth > int64(1):
        judge_quickly(own, other, listed, NOWHERE, NOWHERE, empties, board, work)
    best = -ENDLESS
    for index in range(listed):
        here = LISTS + empties * ROOM + index * int64(4)
        if depth > int64(1):
            here = next_move(index, listed, empties, work)
        turned = load(work, here + int64(2))
        value = -glance(
            other ^ turned, own ^ turned ^ ONE << load(work, here + int64(1)),
            -beta, -max(alpha, best), depth - int64(1), empties - int64(1), board, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@njit
def judge_deeply(own, other, listed, first, second, depth, empties, board, work):
    """Keys by a look of so many plies after the move, and the opponent's replies."""
    row = LISTS + empties * ROOM
    left = empties - int64(1)
    for _ in range(listed):
        square = int64(load(work, row + int64(1)))
        turned = load(work, row + int64(2))
        if square == first:
            key = FIRST_KEY
        elif square == second:
            key = FIRST_KEY - int64(1)
        else:
            mine, yours = own ^ turned ^ ONE << uint64(square), other ^ turned
            key = -glance(yours, mine, -ENDLESS, ENDLESS, depth, left, board, work)
            key -= REPLY * weighted(moves_on(yours, mine, board), board)
        store(work, row, uint64(key))
        row += int64(4)
