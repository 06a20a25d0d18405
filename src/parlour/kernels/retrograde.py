"""Who wins from every position of a graph, and how fast: one pass backwards from the ends.

Positions are settled in the order of their distance. A position is won as soon as one move leads to
a position lost for the opponent, at one ply more; it is lost once all its moves are known to lead
to positions won for the opponent, at one ply more than the last of them. What is never settled is
drawn: either side can go round for ever, or no further than a drawn end.
"""

from __future__ import annotations

import numpy as np
from numba import int8, int32, int64, njit

from parlour.kernels import kernel

UNKNOWN, LOSS, DRAW, WIN = 0, 1, 2, 3
GOES_ON = -1


@njit
def parents(first, successors):
    """For each position those that lead to it, and whether the same seat moves there again."""
    counts = np.zeros(first.size, np.int64)
    for edge in successors:
        counts[(edge >> 1) + 1] += 1
    for i in range(1, counts.size):
        counts[i] += counts[i - 1]
    filled = counts.copy()
    origins = np.empty(successors.size, np.int32)
    for position in range(first.size - 1):
        for e in range(first[position], first[position + 1]):
            edge = successors[e]
            origins[filled[edge >> 1]] = int32(position * 2 + (edge & 1))
            filled[edge >> 1] += 1
    return counts, origins


@kernel("void(int64[::1], int32[::1], int8[::1], int32[::1], int64[::1])")
def settle(first, successors, outcome, plies, work):
    """Fill `outcome` and `plies` of all positions; those of ended ones come filled in.

    `successors[first[p]:first[p + 1]]` are the positions after p, each doubled, with 1 added where
    the same seat moves again.
    """
    positions = first.size - 1
    back, origins = parents(first, successors)
    waiting = np.empty(positions, np.int32)
    queue = np.empty(positions, np.int32)
    ready = int64(0)
    for p in range(positions):
        waiting[p] = int32(first[p + 1] - first[p])
        if outcome[p] == WIN or outcome[p] == LOSS:
            queue[ready] = p
            ready += 1
    done = int64(0)
    while done < ready:
        if done & int64(0xFFFF) == 0 and work[0]:
            return
        p = int64(queue[done])
        done += 1
        for e in range(back[p], back[p + 1]):
            origin = int64(origins[e] >> 1)
            if outcome[origin] != UNKNOWN:
                continue
            again = origins[e] & 1
            if (outcome[p] == LOSS) != (again == 1):
                outcome[origin] = int8(WIN)
            else:
                waiting[origin] -= int32(1)
                if waiting[origin] > 0:
                    continue
                outcome[origin] = int8(LOSS)
            plies[origin] = plies[p] + int32(1)
            queue[ready] = origin
            ready += 1
    for p in range(positions):
        if outcome[p] == UNKNOWN:
            outcome[p] = int8(DRAW)
            plies[p] = int32(-1)
    work[1] = positions
