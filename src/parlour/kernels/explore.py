"""All positions of a family of games with whole-number codes, and which leads to which.

A family is one compiled function: given a code and the options, it writes the codes that follow and
returns how many, or says how the game has ended. Found codes are kept in an open hash table that
grows; positions are numbered as they are found.
"""

from __future__ import annotations

import numpy as np
from numba import int8, int32, int64, njit, types, uint64

from parlour.kernels import kernel

ENDED = int64(-10)  # a function returns ENDED + LOSS, DRAW or WIN for a mover whose game is over
SUCCESSORS = types.FunctionType(int64(int64, int64[::1], int64[::1]))


@njit
def slot_of(code, mask):
    """Where to look first for a code."""
    return int64((uint64(code) * uint64(0x9E3779B97F4A7C15)) >> uint64(17)) & mask


@njit
def grown(codes, found, size):
    """A larger table with the same codes; its size is a power of two, as all are."""
    table = np.full(size, -1, np.int32)
    mask = int64(table.size - 1)
    for number in range(found):
        slot = slot_of(codes[number], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = number
    return table


@kernel(
    types.Tuple((int64[::1], int64[::1], int32[::1], int8[::1]))(
        SUCCESSORS, int64[::1], int64, int64, int64, int64[::1]
    )
)
def explore(successors, options, start, most_moves, most_positions, work):
    """Codes, first edges, edges and ends of all positions that can be reached from the start.

    Gives up, with fewer edges than `first` says, when there are more than `most_positions` or when
    it is told to stop.
    """
    codes = np.empty(1024, np.int64)
    first = np.zeros(1025, np.int64)
    ends = np.zeros(1024, np.int8)
    edges = np.empty(4096, np.int32)
    table = np.full(4096, -1, np.int32)
    mask = int64(table.size - 1)
    out = np.empty(most_moves, np.int64)
    codes[0] = start
    table[slot_of(start, mask)] = int32(0)
    found, written = int64(1), int64(0)
    position = int64(0)
    while position < found:
        if position & int64(0xFFF) == 0:
            work[1] = position
            if work[0] or found > most_positions:
                break
        many = successors(codes[position], options, out)
        if many < 0:
            ends[position] = int8(many - ENDED)
            many = int64(0)
        if written + many > edges.size:
            more = np.empty(2 * (edges.size + many), np.int32)
            more[:written] = edges[:written]
            edges = more
        for i in range(many):
            code = out[i]
            slot = slot_of(code, mask)
            while table[slot] >= 0 and codes[table[slot]] != code:
                slot = (slot + 1) & mask
            if table[slot] < 0:
                if found == codes.size:
                    wider = np.empty(2 * found, np.int64)
                    wider[:found] = codes
                    codes = wider
                    longer = np.zeros(2 * found + 1, np.int64)
                    longer[: first.size] = first
                    first = longer
                    later = np.zeros(2 * found, np.int8)
                    later[:found] = ends
                    ends = later
                codes[found] = code
                table[slot] = int32(found)
                found += 1
                edges[written] = int32(2 * (found - 1))
                if 2 * found > table.size:
                    table = grown(codes, found, 2 * table.size)
                    mask = int64(table.size - 1)
            else:
                edges[written] = int32(2 * table[slot])
            written += 1
        position += 1
        first[position] = written
    work[1] = position
    return (
        codes[:found].copy(),
        first[: position + 1].copy(),
        edges[:written].copy(),
        ends[:found].copy(),
    )
