"""The end of Othello, searched to the last disc, on any board of up to 64 squares.

Both searches are alpha-beta, so written that a value is always the mover's and is negated on the
way up: `margin` finds by how many discs he wins, `soonest` in how many plies. While more than a few
squares are empty, the moves that leave the opponent the fewest replies go first, for they cut most;
the last few are tried as they come, and the very last is only counted.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels import kernel
from parlour.kernels.othello import ONE, count, flipped_discs, legal_moves

ENDLESS = int64(2**40)  # beyond every value
FAR = int64(1000)  # plies: more than any game has left
FEW = int64(4)  # so many empty squares are tried as they come
STOP_EMPTIES = int64(8)  # from so many on the stop flag is looked at


@njit
def settled(own, other, full):
    """By how many discs the owner of the first leads in the end; the winner has the empties."""
    ahead = count(own) - count(other)
    empties = count(full & ~(own | other))
    if ahead > int64(0):
        return ahead + empties
    return ahead - empties if ahead < int64(0) else ahead


@njit
def beside(other, width, inner):
    """The squares next to a disc that can be turned from there; no other can be a move."""
    side = other & inner  # a run across columns never turns at the edge
    near = side << ONE | side >> ONE | other << width | other >> width
    near |= side << (width + ONE) | side >> (width + ONE)
    return near | side << (width - ONE) | side >> (width - ONE)


# By how many discs


@njit
def fill_last(full, width, inner, steps, own, other, square):
    """The margin with one empty square: the mover takes it, or else the other, or nobody."""
    ahead = count(own) - count(other)
    turned = flipped_discs(own, other, square, width, inner, steps)
    if turned:
        return ahead + int64(2) * count(turned) + int64(1)
    turned = flipped_discs(other, own, square, width, inner, steps)
    if turned:
        return ahead - int64(2) * count(turned) - int64(1)
    return settled(own, other, full)


@kernel("int64(uint64, uint64, uint64, int64, uint64, uint64, int64, int64)")
def fill_few(full, width, inner, steps, own, other, alpha, beta):
    """The margin with a few empty squares."""
    empty = full & ~(own | other)
    if empty & (empty - ONE) == uint64(0):
        if empty:
            return fill_last(full, width, inner, steps, own, other, empty)
        return settled(own, other, full)
    best = -ENDLESS
    mask = empty & beside(other, width, inner)
    while mask:
        move = mask & (~mask + ONE)
        mask ^= move
        turned = flipped_discs(own, other, move, width, inner, steps)
        if turned:
            value = -fill_few(
                full, width, inner, steps, other ^ turned, own ^ turned ^ move,
                -beta, -max(alpha, best),
            )  # fmt: skip
            if value > best:
                best = value
                if best >= beta:
                    return best
    if best > -ENDLESS:
        return best
    if legal_moves(other, own, full, width, inner, steps):
        return -fill_few(full, width, inner, steps, other, own, -beta, -alpha)
    return settled(own, other, full)


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
    "int64(uint64, uint64, uint64, int64, uint64, uint64, int64, int64, int64[:, ::1], int64[::1])"
)
def margin(full, width, inner, steps, own, other, alpha, beta, order, work):
    """By how many discs the mover wins, exactly if that lies between the bounds.

    `order` is room to sort moves in, a row for each number of empty squares. Once `work` is
    stopped, what comes back means nothing.
    """
    empties = count(full & ~(own | other))
    if empties <= FEW:
        return fill_few(full, width, inner, steps, own, other, alpha, beta)
    if empties >= STOP_EMPTIES and work[0]:
        return int64(0)
    work[1] += 1
    mask = legal_moves(own, other, full, width, inner, steps)
    if not mask:
        if legal_moves(other, own, full, width, inner, steps):
            return -margin(full, width, inner, steps, other, own, -beta, -alpha, order, work)
        return settled(own, other, full)
    row = order[empties]
    best = -ENDLESS
    for place in range(fastest_first(full, width, inner, steps, own, other, mask, row)):
        move = ONE << uint64(row[place] & int64(63))
        turned = flipped_discs(own, other, move, width, inner, steps)
        value = -margin(
            full, width, inner, steps, other ^ turned, own ^ turned ^ move,
            -beta, -max(alpha, best), order, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


# How soon


@kernel(
    "int64(uint64, uint64, uint64, int64, uint64, uint64, int64, int64, int64, int64[:, ::1], "
    "int64[::1])"
)
def soonest(full, width, inner, steps, own, other, ply, alpha, beta, order, work):
    """FAR less the plies to the end if the mover wins, the negative if he loses, 0 for a draw.

    So the winner hurries and the loser delays; a pass is a ply. `ply` is how many came before, and
    the rest is as in `margin`.
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
