"""The last few squares of any Othello board, without hash.

All search a null window: the answer says truly whether the lead is above `alpha`, and is a bound on
it. It is the mover's lead in the end, the empty squares going to the winner.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, lowest, popcount
from parlour.kernels.othello.anysize.board import (
    CORNERS,
    FULL,
    SQUARES,
    flips_on,
    moves_on,
    odd_quarters,
    settled,
    stable_on,
)
from parlour.kernels.othello.anysize.ordering import ZERO, judge_quickly, list_moves
from parlour.kernels.othello.flips import ONE
from parlour.kernels.othello.transposition import NONE, NOWHERE, count_node, next_move

PLAIN = int64(5)  # up to so many empty squares moves are not sorted
STABLE_FROM = int64(4)  # from so many on stable discs are looked for,
STABLE_LEAD = int64(4)  # when so large a lead is in question
inlined = njit(forceinline=True)


@inlined
def fill_1(own, other, alpha, square, board):
    """One empty square: the mover takes it, or else the other, or nobody."""
    lead = popcount(own) - popcount(other)
    turned = flips_on(own, other, square, board)
    if turned:
        return lead + int64(2) * popcount(turned) + int64(1)
    kept = lead + int64(lead > int64(0)) - int64(lead < int64(0))
    if kept <= alpha:
        return kept
    turned = flips_on(other, own, square, board)
    return lead - int64(2) * popcount(turned) - int64(1) if turned else kept


@inlined
def try_2(own, other, alpha, first, second, board):
    """The better of the moves with two empty squares, NONE when there is none."""
    best = NONE
    below = -alpha - int64(1)
    turned = flips_on(own, other, first, board)
    if turned:
        best = -fill_1(other ^ turned, own ^ turned ^ ONE << uint64(first), below, second, board)
        if best > alpha:
            return best
    turned = flips_on(own, other, second, board)
    if turned:
        value = -fill_1(other ^ turned, own ^ turned ^ ONE << uint64(second), below, first, board)
        best = max(best, value)
    return best


@njit
def fill_2(own, other, alpha, first, second, board, work):
    """Two empty squares."""
    count_node(work)
    best = try_2(own, other, alpha, first, second, board)
    if best > NONE:
        return best
    best = try_2(other, own, -alpha - int64(1), first, second, board)
    if best > NONE:
        return -best
    return settled(own, other, board)


@njit
def stable_bound(own, other, alpha, board):
    """No more than this can be had, for the opponent's stable discs; all if not worth a look."""
    squares = int64(load(board, SQUARES))
    if alpha < STABLE_LEAD or not other & load(board, CORNERS):
        return squares
    if squares - int64(2) * popcount(other) > alpha:
        return squares
    return squares - int64(2) * popcount(stable_on(other, own, board))


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def fill(own, other, alpha, empties, board, work):
    """A handful of empty squares: corners first, then the odd quarters."""
    empty = load(board, FULL) & ~(own | other)
    if empties == int64(2):
        return fill_2(own, other, alpha, lowest(empty), lowest(empty & empty - ONE), board, work)
    if empties == int64(1):
        return fill_1(own, other, alpha, lowest(empty), board)
    count_node(work)
    if empties >= STABLE_FROM:
        bound = stable_bound(own, other, alpha, board)
        if bound <= alpha:
            return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return settled(own, other, board)
        return -fill(other, own, -alpha - int64(1), empties, board, work)
    best = NONE
    below = -alpha - int64(1)
    todo = mask & odd_quarters(empty, board)
    rest = mask ^ todo
    if not todo:
        todo = rest
        rest = ZERO
    while True:
        corner = todo & load(board, CORNERS)
        square = lowest(corner if corner else todo)
        move = ONE << uint64(square)
        todo ^= move
        turned = flips_on(own, other, square, board)
        value = -fill(other ^ turned, own ^ turned ^ move, below, empties - int64(1), board, work)
        if value > best:
            best = value
            if best > alpha:
                return best
        if not todo:
            if not rest:
                return best
            todo = rest
            rest = ZERO


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def few(own, other, alpha, empties, board, work):
    """A few more, the moves that leave the fewest replies first."""
    if empties <= PLAIN:
        return fill(own, other, alpha, empties, board, work)
    count_node(work)
    bound = stable_bound(own, other, alpha, board)
    if bound <= alpha:
        return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return settled(own, other, board)
        return -few(other, own, -alpha - int64(1), empties, board, work)
    best = NONE
    below = -alpha - int64(1)
    listed = list_moves(own, other, mask, empties, board, work)
    judge_quickly(own, other, listed, NOWHERE, NOWHERE, empties, board, work)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        move = ONE << load(work, here + int64(1))
        turned = load(work, here + int64(2))
        value = -few(other ^ turned, own ^ turned ^ move, below, empties - int64(1), board, work)
        if value > best:
            best = value
            if best > alpha:
                break
    return best
