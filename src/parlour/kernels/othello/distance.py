"""How soon an Othello can be won from near its end, on any board of up to 64 squares.

The search is alpha-beta, so written that a value is always the mover's and is negated on the way
up. The moves that leave the opponent the fewest replies go first, for they cut most.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.othello.board import ONE, count, flipped_discs, legal_moves

ENDLESS = int64(2**40)  # beyond every value
FAR = int64(1000)  # plies: more than any game has left
STOP_EMPTIES = int64(8)  # from so many on the stop flag is looked at


@njit
def fastest_first(full, width, inner, steps, own, other, mask, row):
    """Write the squares of the mask into the row, the fewest replies first; how many there are.

    An entry is a square and, in the bits above it, the replies it leaves.
    """
    listed = square = int64(0)
    while mask:
        while not mask & ONE:
            mask >>= ONE
            square += int64(1)
        mask ^= ONE
        move = ONE << uint64(square)
        turned = flipped_discs(own, other, move, width, inner, steps)
        replies = legal_moves(other ^ turned, own ^ turned ^ move, full, width, inner, steps)
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
def soonest(full, width, inner, steps, own, other, ply, alpha, beta, order, work):
    """FAR less the plies to the end if the mover wins, the negative if he loses, 0 for a draw.

    So the winner hurries and the loser delays; a pass is a ply. `ply` is how many came before,
    `order` room to sort moves in, a row for each number of empty squares. Once `work` is stopped,
    what comes back means nothing.
    """
    empties = count(full & ~(own | other))
    if empties >= STOP_EMPTIES and work[0]:
        return int64(0)
    work[1] += 1
    after = ply + int64(1)
    mask = legal_moves(own, other, full, width, inner, steps)
    if not mask:
        if legal_moves(other, own, full, width, inner, steps):
            return -soonest(
                full, width, inner, steps, other, own, after, -beta, -alpha, order, work
            )
        ahead = count(own) - count(other)
        if ahead == int64(0):
            return int64(0)
        return FAR - ply if ahead > int64(0) else ply - FAR
    row = order[empties]
    best = -ENDLESS
    for place in range(fastest_first(full, width, inner, steps, own, other, mask, row)):
        move = ONE << uint64(row[place] & int64(63))
        turned = flipped_discs(own, other, move, width, inner, steps)
        value = -soonest(
            full, width, inner, steps, other ^ turned, own ^ turned ^ move, after,
            -beta, -max(alpha, best), order, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best
