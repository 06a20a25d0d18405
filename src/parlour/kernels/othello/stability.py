"""Discs that can never be turned again: a bound on the score.

A disc is stable when in each of the four kinds of line it is safe: the line is full, or it ends at
the edge, or a neighbour on that line is stable and the same colour. Edges are looked up.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import lookup


def _edge_table():
    """For each pair of edge bytes (own, other): the own discs no sequence of edge moves turns.

    Any square of an edge may be filled by either side at any time, turning what it encloses.
    """
    stable = {}

    def place(own, other, square):
        turned = 0
        for step in (1, -1):
            run, here = 0, square + step
            while 0 <= here < 8 and other >> here & 1:
                run |= 1 << here
                here += step
            if 0 <= here < 8 and own >> here & 1:
                turned |= run
        return own | turned | 1 << square, other & ~turned

    def solve(own, other):
        """Discs (of both) that stay as they are in every continuation."""
        key = own << 8 | other
        if key in stable:
            return stable[key]
        kept = own | other
        for square in range(8):
            if (own | other) >> square & 1:
                continue
            mine, yours = place(own, other, square)
            kept &= solve(mine, yours) & ((own & mine) | (other & yours))
            yours, mine = place(other, own, square)
            kept &= solve(mine, yours) & ((own & mine) | (other & yours))
        stable[key] = kept
        return kept

    table = np.zeros((256, 256), np.uint8)
    for own in range(256):
        for other in range(256):
            if not own & other:
                table[own, other] = solve(own, other) & own
    return table


def _columns():
    """A byte laid along the first column."""
    return np.array(
        [sum((byte >> row & 1) << 8 * row for row in range(8)) for byte in range(256)], np.uint64
    )


edge = lookup("othello.edge", _edge_table())
column = lookup("othello.column", _columns(), uint64)


@njit
def gather_column(board):
    """The first column as a byte."""
    return int64((board & uint64(0x0101010101010101)) * uint64(0x0102040810204080) >> uint64(56))


@njit
def stable_edges(own, other):
    """The own discs on the four edges that edge moves cannot turn."""
    low, high = uint64(255), uint64(56)
    found = uint64(edge(int64((own & low) << uint64(8) | other & low)))
    found |= uint64(edge(int64((own >> high) << uint64(8) | other >> high))) << high
    found |= column(edge(gather_column(own) << int64(8) | gather_column(other)))
    one = uint64(7)
    found |= (
        column(edge(gather_column(own >> one) << int64(8) | gather_column(other >> one))) << one
    )
    return found


@njit
def full_lines(disc):
    """The squares whose row, column and two diagonals are full, one mask for each."""
    row = disc & disc >> uint64(1)
    row &= row >> uint64(2)
    row &= row >> uint64(4)
    row = (row & uint64(0x0101010101010101)) * uint64(255)
    col = disc & (disc >> uint64(8) | disc << uint64(56))
    col &= col >> uint64(16) | col << uint64(48)
    col &= col >> uint64(32) | col << uint64(32)
    # diagonals: full as far as the edge, the step doubled each time
    l9, r9, l7, r7 = disc, disc, disc, disc
    border_high = uint64(0xFF80808080808080)
    border_low = uint64(0x01010101010101FF)
    border_7h = uint64(0xFF01010101010101)
    border_7l = uint64(0x80808080808080FF)
    l9 &= border_high | l9 >> uint64(9)
    r9 &= border_low | r9 << uint64(9)
    l7 &= border_7h | l7 >> uint64(7)
    r7 &= border_7l | r7 << uint64(7)
    two_h = border_high | border_high >> uint64(9)
    two_l = border_low | border_low << uint64(9)
    two_7h = border_7h | border_7h >> uint64(7)
    two_7l = border_7l | border_7l << uint64(7)
    l9 &= two_h | l9 >> uint64(18)
    r9 &= two_l | r9 << uint64(18)
    l7 &= two_7h | l7 >> uint64(14)
    r7 &= two_7l | r7 << uint64(14)
    four_h = two_h | two_h >> uint64(18)
    four_l = two_l | two_l << uint64(18)
    four_7h = two_7h | two_7h >> uint64(14)
    four_7l = two_7l | two_7l << uint64(14)
    l9 &= four_h | l9 >> uint64(36)
    r9 &= four_l | r9 << uint64(36)
    l7 &= four_7h | l7 >> uint64(28)
    r7 &= four_7l | r7 << uint64(28)
    return row, col, l9 & r9, l7 & r7


@njit
def stable_discs(own, other):
    """Discs of the first board's owner that certainly stay his; there may be more."""
    row, col, rising, falling = full_lines(own | other)
    sides = uint64(0x8181818181818181)
    ends = uint64(0xFF000000000000FF)
    border = sides | ends
    stable = stable_edges(own, other) | row & col & rising & falling & own
    inner = own & ~border
    if not stable:
        return stable
    while True:
        safe = stable << uint64(1) | stable >> uint64(1) | row
        safe &= stable << uint64(8) | stable >> uint64(8) | col
        safe &= stable << uint64(9) | stable >> uint64(9) | rising
        safe &= stable << uint64(7) | stable >> uint64(7) | falling
        grown = stable | safe & inner
        if grown == stable:
            return stable
        stable = grown
