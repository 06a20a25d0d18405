"""The fastest win from near the end of an Othello game, on any board of up to 64 squares.

This is negamax with alpha-beta. The moves that leave the opponent the fewest replies go first,
since they cut off most.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.othello.board import ONE, count, flipped_discs, legal_moves

INFINITY = int64(2**40)  # beyond every value
MAX_PLIES = int64(1000)  # more than any game has left
STOP_EMPTIES = int64(8)  # with fewer the stop flag is not polled


@njit
def order_by_mobility(full, width, inner, steps, own, other, mask, row):
    """Write the squares of the mask into the row, the fewest replies first; return their number.

    An entry is a square and, in the bits above it, the number of replies it leaves.
    """
    listed = square = int64(0)
    while mask:
        while not mask & ONE:
            mask >>= ONE
            square += int64(1)
        mask ^= ONE
        move = ONE << uint64(square)
        flipped = flipped_discs(own, other, move, width, inner, steps)
        replies = legal_moves(other ^ flipped, own ^ flipped ^ move, full, width, inner, steps)
        entry = count(replies) << int64(6) | square
        place = listed
        while place > int64(0) and row[place - 1] > entry:
            row[place] = row[place - 1]
            place -= int64(1)
        row[place] = entry
        listed += int64(1)
    return listed


@kernel(
    "int64(uint64, uint64, uint64, int64, uint64, uint64, int64, int64, int64, int64[:, ::1], "
    "int64[::1])"
)
def solve_distance(full, width, inner, steps, own, other, ply, alpha, beta, order, work):
    """Return MAX_PLIES less the plies to the end for a win, its negative for a loss, 0 for a draw.

    So the winner hurries and the loser delays; a pass is a ply. `ply` is the number of plies so
    far, `order` a row to order moves in for each number of empty squares. The value is meaningless
    once `work` is stopped.
    """
    empties = count(full & ~(own | other))
    if empties >= STOP_EMPTIES and work[0]:
        return int64(0)
    work[1] += 1
    after = ply + int64(1)
    mask = legal_moves(own, other, full, width, inner, steps)
    if not mask:
        if legal_moves(other, own, full, width, inner, steps):
            return -solve_distance(
                full, width, inner, steps, other, own, after, -beta, -alpha, order, work
            )
        ahead = count(own) - count(other)
        if ahead == int64(0):
            return int64(0)
        return MAX_PLIES - ply if ahead > int64(0) else ply - MAX_PLIES
    row = order[empties]
    best = -INFINITY
    for place in range(order_by_mobility(full, width, inner, steps, own, other, mask, row)):
        move = ONE << uint64(row[place] & int64(63))
        flipped = flipped_discs(own, other, move, width, inner, steps)
        value = -solve_distance(
            full, width, inner, steps, other ^ flipped, own ^ flipped ^ move, after,
            -beta, -max(alpha, best), order, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best
