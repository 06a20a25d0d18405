"""The last five to seven empty squares: no hash, odd quadrants first, and stable discs as a bound.

All search a null window: the answer says truly whether the lead is above `alpha`, and is a bound on
it. It is the mover's lead in the end, the empty squares going to the winner.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels import kernel
from parlour.kernels.machine import load, lookup, lowest, popcount
from parlour.kernels.othello_hash import count_node
from parlour.kernels.othello_last import ZERO, odd_regions, settled, solve_4
from parlour.kernels.othello_lines import ONE, flips_of, moves_of
from parlour.kernels.othello_lists import NONE, next_move
from parlour.kernels.othello_order import CORNERS, list_leanly
from parlour.kernels.othello_stable import stable_discs

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
