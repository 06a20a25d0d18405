"""The last one to four empty squares, each number with its own function.

All search a null window: the answer is exact enough to say whether it is above `alpha`. A value is
the mover's final lead in discs, the empty squares going to the winner.

The last five to seven empty squares: no hash, odd quadrants first, and stable discs as a bound.

All search a null window: the answer says truly whether the lead is above `alpha`, and is a bound on
it. It is the mover's lead in the end, the empty squares going to the winner.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import HAS_EXTRACT, extract, load, lookup, lowest, popcount, store
from parlour.kernels.othello.flips import (
    CORNERS,
    ONE,
    STEPS,
    ZERO,
    flips_of,
    inlined,
    moves_of,
    odd_regions,
    ray,
    settled,
    weighted_mobility,
)
from parlour.kernels.othello.stability import stable_discs
from parlour.kernels.othello.transposition import LISTS, NONE, ROOM, count_node, next_move

ONE_REPLY = int64(1)


def _line(square, step):
    return ray(square, step, 1) | ray(square, step, -1) | 1 << square


def _turned_on_line(own, place, length):
    """Discs turned on a line with one empty place, twice their number."""
    turned = 0
    for step in (1, -1):
        here = place + step
        while 0 <= here < length and not own >> here & 1:
            here += step
        if 0 <= here < length:
            turned += abs(here - place) - 1
    return 2 * turned


def _tables():
    """For each square and each kind of line: the squares of it, and where its counts begin."""
    counts = np.array(
        [[_turned_on_line(own, place, 8) for own in range(256)] for place in range(8)], np.uint8
    )  # serves shorter lines too: what is beyond them never closes a run
    masks = np.zeros((4, 64), np.uint64)
    rows = np.zeros((4, 64), np.uint16)
    for kind, step in enumerate(STEPS):
        for square in range(64):
            mask = _line(square, step)
            masks[kind, square] = mask
            place = (mask & ((1 << square) - 1)).bit_count()
            rows[kind, square] = place * 256
    return counts, masks, rows


COUNTS, MASKS, ROWS = _tables()
turned_twice = lookup("othello.turned", COUNTS)
line_0, line_1, line_2, line_3 = (
    lookup(f"othello.line{kind}", MASKS[kind], uint64) for kind in range(4)
)
row_0, row_1, row_2, row_3 = (lookup(f"othello.row{kind}", ROWS[kind]) for kind in range(4))


if HAS_EXTRACT:

    @inlined
    def last_turned(own, square):
        """Twice the discs turned on the last empty square."""
        turned = turned_twice(row_0(square) + int64(extract(own, line_0(square))))
        turned += turned_twice(row_1(square) + int64(extract(own, line_1(square))))
        turned += turned_twice(row_2(square) + int64(extract(own, line_2(square))))
        return turned + turned_twice(row_3(square) + int64(extract(own, line_3(square))))

else:

    @inlined
    def last_turned(own, square):
        """Twice the discs turned on the last empty square."""
        other = ~own & ~(ONE << uint64(square))
        return int64(2) * popcount(flips_of(own, other, square))


@inlined
def solve_1(own, alpha, square):
    """One empty square: the mover takes it, or else the other, or nobody."""
    lead = int64(2) * popcount(own) - int64(64)
    turned = last_turned(own, square)
    if turned:
        return lead + turned + int64(2)
    if lead >= int64(0):
        if lead + int64(2) <= alpha:
            return lead + int64(2)
        turned = last_turned(~own ^ (ONE << uint64(square)), square)
        return lead - turned if turned else lead + int64(2)
    if lead <= alpha:
        return lead
    return lead - last_turned(~own ^ (ONE << uint64(square)), square)


@njit
def solve_2(own, other, alpha, first, second, work):
    """Two empty squares."""
    count_node(work)
    best = NONE
    turned = flips_of(own, other, first)
    if turned:
        best = -solve_1(other ^ turned, -alpha - int64(1), second)
        if best > alpha:
            return best
    turned = flips_of(own, other, second)
    if turned:
        value = -solve_1(other ^ turned, -alpha - int64(1), first)
        return max(best, value)
    if best > NONE:
        return best
    turned = flips_of(other, own, first)
    if turned:
        best = solve_1(own ^ turned, alpha, second)
        if best <= alpha:
            return best
    turned = flips_of(other, own, second)
    if turned:
        value = solve_1(own ^ turned, alpha, first)
        return value if best == NONE else min(best, value)
    if best > NONE:
        return best
    return settled(own, other)


@inlined
def try_3(own, other, alpha, first, second, third, work):
    """The best of the moves with three empty squares, NONE when there is none."""
    best = NONE
    below = -alpha - int64(1)
    turned = flips_of(own, other, first)
    if turned:
        best = -solve_2(
            other ^ turned, own ^ turned ^ (ONE << uint64(first)), below, second, third, work
        )
        if best > alpha:
            return best
    turned = flips_of(own, other, second)
    if turned:
        value = -solve_2(
            other ^ turned, own ^ turned ^ (ONE << uint64(second)), below, first, third, work
        )
        if value > alpha:
            return value
        best = max(best, value)
    turned = flips_of(own, other, third)
    if turned:
        value = -solve_2(
            other ^ turned, own ^ turned ^ (ONE << uint64(third)), below, first, second, work
        )
        best = max(best, value)
    return best


@njit
def solve_3(own, other, alpha, first, second, third, work):
    """Three empty squares, in the order to try them."""
    count_node(work)
    best = try_3(own, other, alpha, first, second, third, work)
    if best > NONE:
        return best
    best = try_3(other, own, -alpha - int64(1), first, second, third, work)
    if best > NONE:
        return -best
    return settled(own, other)


@inlined
def solve_3_sorted(own, other, alpha, empty, work):
    """Three empty squares; one alone in its quadrant goes first."""
    odd = empty & odd_regions(empty)
    if odd & (odd - ONE) == ZERO:  # two share a quadrant, and one has its own
        first = lowest(odd)
        rest = empty ^ odd
    else:
        first = lowest(empty)
        rest = empty & (empty - ONE)
    second = lowest(rest)
    third = lowest(rest & (rest - ONE))
    return solve_3(own, other, alpha, first, second, third, work)


@inlined
def try_4(own, other, alpha, mask, empty, work):
    """The best of these moves with four empty squares."""
    best = NONE
    below = -alpha - int64(1)
    todo = mask & odd_regions(empty)
    rest = mask ^ todo
    while True:
        while todo:
            square = lowest(todo)
            todo &= todo - ONE
            move = ONE << uint64(square)
            turned = flips_of(own, other, square)
            value = -solve_3_sorted(other ^ turned, own ^ turned ^ move, below, empty ^ move, work)
            if value > best:
                best = value
                if best > alpha:
                    return best
        if not rest:
            return best
        todo = rest
        rest = ZERO


@inlined
def solve_4(own, other, alpha, work):
    """Four empty squares, those in odd quadrants first."""
    count_node(work)
    empty = ~(own | other)
    mask = moves_of(own, other)
    if mask:
        return try_4(own, other, alpha, mask, empty, work)
    mask = moves_of(other, own)
    if mask:
        return -try_4(other, own, -alpha - int64(1), mask, empty, work)
    return settled(own, other)


PLAIN = int64(5)  # up to so many empty squares moves are not sorted


def _thresholds():
    """Only with so large a lead in question may stable discs decide, by empty squares."""
    late, middle = (
        [2 * empties + 6 for empties in range(9)],
        [2 * empties for empties in range(9, 24)],
    )
    early = [min(62, 48 + (empties - 24) // 2 * 2) for empties in range(24, 65)]
    return np.array(late + middle + early, np.int8)


threshold = lookup("othello.threshold", _thresholds())


@njit
def stable_bound(own, other, alpha, empties):
    """No more than this can be had, for the opponent's stable discs; 64 if not worth a look."""
    if alpha < threshold(empties) or not other & CORNERS:
        return int64(64)
    if int64(64) - int64(2) * popcount(other) > alpha:
        return int64(64)
    return int64(64) - int64(2) * popcount(stable_discs(other, own))


@njit
def list_leanly(own, other, mask, empties, work):
    """Moves with keys by the opponent's mobility and parity alone, for the many small searches."""
    row = LISTS + empties * ROOM
    odd = odd_regions(~(own | other))
    listed = int64(0)
    while mask:
        square = lowest(mask)
        move = mask & (~mask + ONE)
        mask ^= move
        turned = flips_of(own, other, square)
        key = -weighted_mobility(moves_of(other ^ turned, own ^ turned ^ move))
        if odd & move:
            key += ONE_REPLY
        store(work, row, uint64(key))
        store(work, row + int64(1), uint64(square))
        store(work, row + int64(2), turned)
        row += int64(4)
        listed += int64(1)
    return listed


@kernel("int64(uint64, uint64, int64, int64, int64)")
def fill(own, other, alpha, empties, work):
    """At most five empty squares: corners first, then the odd quadrants."""
    if empties == int64(4):
        return solve_4(own, other, alpha, work)
    count_node(work)
    bound = stable_bound(own, other, alpha, empties)
    if bound <= alpha:
        return bound
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return settled(own, other)
        return -fill(other, own, -alpha - int64(1), empties, work)
    best = NONE
    below = -alpha - int64(1)
    todo = mask & odd_regions(~(own | other))
    rest = mask ^ todo
    if not todo:
        todo = rest
        rest = ZERO
    while True:
        corner = todo & CORNERS
        square = lowest(corner if corner else todo)
        move = ONE << uint64(square)
        todo ^= move
        turned = flips_of(own, other, square)
        value = -fill(other ^ turned, own ^ turned ^ move, below, empties - int64(1), work)
        if value > best:
            best = value
            if best > alpha:
                return best
        if not todo:
            if not rest:
                return best
            todo = rest
            rest = ZERO


@kernel("int64(uint64, uint64, int64, int64, int64)")
def few(own, other, alpha, empties, work):
    """At most seven empty squares, the moves that leave the fewest replies first."""
    if empties <= PLAIN:
        return fill(own, other, alpha, empties, work)
    count_node(work)
    bound = stable_bound(own, other, alpha, empties)
    if bound <= alpha:
        return bound
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return settled(own, other)
        return -few(other, own, -alpha - int64(1), empties, work)
    best = NONE
    below = -alpha - int64(1)
    listed = list_leanly(own, other, mask, empties, work)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        move = ONE << load(work, here + int64(1))
        turned = load(work, here + int64(2))
        value = -few(other ^ turned, own ^ turned ^ move, below, empties - int64(1), work)
        if value > best:
            best = value
            if best > alpha:
                break
    return best
