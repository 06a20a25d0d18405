"""The graph of all positions of a game, solved by retrograde analysis.

A family of games is one compiled function: given the code of a position and the options, it writes
the codes of the successors and returns their number, or says how the game has ended. Here are those
of chopsticks and tic-tac-toe; both encode a position as its mover sees it, so that one code stands
for all states of one key. Codes are kept in an open hash table that grows; positions are numbered
as they are found.

Where a bot of chopsticks looks only some plies ahead, `look_ahead` computes that for all positions.

Retrograde analysis takes the positions in the order of their distance. A position is won as soon as
one move leads to a position lost for the opponent, at one ply more; it is lost once all its moves
are known to lead to positions won for the opponent, at one ply more than the last of them. What is
never decided is drawn: either side can go round for ever, or no further than a drawn end.
"""

from __future__ import annotations

import numpy as np
from numba import int8, int16, int32, int64, types, uint64

from parlour.kernels.compiler import helper, kernel

ENDED = int64(-10)  # a function returns ENDED + LOSS, DRAW or WIN for a mover whose game is over
SUCCESSORS = types.FunctionType(int64(int64, int64[::1], int64[::1]))


@helper
def slot_of(code, mask):
    """Return the slot to look in first for a code."""
    return int64((uint64(code) * uint64(0x9E3779B97F4A7C15)) >> uint64(17)) & mask


@helper
def rehash(codes, found, size):
    """Return a larger table with the same codes; sizes are powers of two."""
    table = np.full(size, -1, np.int32)
    mask = int64(table.size - 1)
    for number in range(found):
        slot = slot_of(codes[number], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = number
    return table


@helper
def lengthen(values, size):
    """Return a copy of an array of this size, with zeros at the end."""
    longer = np.zeros(size, values.dtype)
    longer[: values.size] = values
    return longer


@kernel(
    types.Tuple((int64[::1], int64[::1], int32[::1], int8[::1]))(
        SUCCESSORS, int64[::1], int64, int64, int64, int64[::1]
    ),
    seconds=3,
)
def explore(successors, options, start, most_moves, most_positions, work):
    """Return codes, first edges, edges and ends of all positions reachable from the start.

    Give up, with fewer edges than `first` says, when there are more than `most_positions` or when
    `work` is stopped.
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
        count = successors(codes[position], options, out)
        if count < 0:
            ends[position] = int8(count - ENDED)
            count = int64(0)
        if written + count > edges.size:
            edges = lengthen(edges, 2 * (edges.size + count))
        for i in range(count):
            code = out[i]
            slot = slot_of(code, mask)
            while table[slot] >= 0 and codes[table[slot]] != code:
                slot = (slot + 1) & mask
            if table[slot] < 0:
                if found == codes.size:
                    codes = lengthen(codes, 2 * found)
                    first = lengthen(first, 2 * found + 1)
                    ends = lengthen(ends, 2 * found)
                codes[found] = code
                table[slot] = int32(found)
                found += 1
                edges[written] = int32(2 * (found - 1))
                if 2 * found > table.size:
                    table = rehash(codes, found, 2 * table.size)
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


LOSS, DRAW, WIN = 1, 2, 3


@helper
def parents(first, successors):
    """Return for each position its predecessors, and whether the same seat moves there again."""
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
def solve_retrograde(first, successors, outcome, plies, work):
    """Fill in `outcome` and `plies` of all positions that are won or lost.

    Finished ones must be given, and all others as drawn: were they only unknown, a last loop would
    store bytes under a condition, and for Intel's AVX-512 LLVM makes code that stores too many.

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
            if outcome[origin] != DRAW:
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
    work[1] = positions


ONE = int64(1)

# Options of chopsticks, in this order
DIES_AT, WRAPS, HIT_SELF, SPLIT_LEAST, REVIVE, SPLIT_SAME = 0, 1, 2, 3, 4, 5


@helper
def hands_code(a, b, c, d):
    """Encode both pairs of hands, each in order, as one number, the mover's first."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    return ((a * int64(32) + b) * int64(32) + c) * int64(32) + d


@helper
def add_fingers(hand, target, options):
    """Return the fingers of the target after a hit."""
    fingers = hand + target
    if fingers < options[DIES_AT]:
        return fingers
    return fingers - options[DIES_AT] if options[WRAPS] else int64(0)


@kernel("int64(int64, int64[::1], int64[::1])")
def chopsticks_successors(code, options, out):
    """Write the positions after each move, as the opponent sees them."""
    d = code & int64(31)
    c = (code >> int64(5)) & int64(31)
    b = (code >> int64(10)) & int64(31)
    a = code >> int64(15)
    if a == 0 and b == 0:
        return ENDED + int64(LOSS)
    if c == 0 and d == 0:
        return ENDED + int64(WIN)
    count = int64(0)
    for hand in range(2):
        mine = a if hand == 0 else b
        other = b if hand == 0 else a
        if mine == 0:
            continue
        if c > 0:
            out[count] = hands_code(add_fingers(mine, c, options), d, a, b)
            count += ONE
        if d > 0:
            out[count] = hands_code(c, add_fingers(mine, d, options), a, b)
            count += ONE
        if options[HIT_SELF] and other > 0:
            out[count] = hands_code(c, d, mine, add_fingers(mine, other, options))
            count += ONE
    if options[REVIVE] or (a > 0 and b > 0):
        total = a + b
        least = max(options[SPLIT_LEAST], total - options[DIES_AT] + ONE)
        for left in range(least, total // int64(2) + ONE):  # the other half is the same, swapped
            if not options[SPLIT_SAME] and (left == a or left == b):
                continue
            out[count] = hands_code(c, d, left, total - left)
            count += ONE
    return count


@kernel("int16[::1](int64, int64[::1])")
def look_ahead(depth, options):
    """Return, by code, what the mover of chopsticks can reach in this many plies.

    1000 and -1000 are a win and a loss; others are the mover's fingers less the opponent's. There
    are far fewer positions than lines of play, so each depth is computed for all of them from the
    depth below, and one more ply costs no more than the one before.
    """
    hands = options[DIES_AT]
    values = np.zeros(32**4, np.int16)
    out = np.empty(4 * hands + 8, np.int64)
    for ahead in range(depth + ONE):
        below = values.copy()
        for b in range(hands):
            for a in range(b + ONE):
                for d in range(hands):
                    for c in range(d + ONE):
                        code = hands_code(a, b, c, d)
                        count = chopsticks_successors(code, options, out)
                        value = int64(-1000)
                        if count < 0:
                            value = int64(1000) * (count - ENDED - int64(DRAW))
                        elif ahead == 0:
                            value = a + b - c - d
                        else:
                            for i in range(count):
                                value = max(value, -int64(below[out[i]]))
                        values[code] = int16(value)
    return values


# Options of tic-tac-toe: squares, symmetries, misère, lines, then the lines as masks, then for each
# symmetry and each byte of the board where its 256 patterns go.
HEAD = 4


@helper
def transform(mask, options, table, squares):
    """Return the mask under the symmetry whose tables begin there."""
    result = int64(0)
    at = table
    for shift in range(0, squares, 8):
        result |= options[at + ((mask >> shift) & int64(255))]
        at += int64(256)
    return result


@helper
def board_code(own, other, options):
    """Return the least code over all symmetries of the board."""
    squares, symmetries, lines = options[0], options[1], options[3]
    tables = HEAD + lines
    size = int64(256) * ((squares + int64(7)) // int64(8))
    best = (own << squares) | other
    for symmetry in range(1, symmetries):  # the first is the identity
        table = tables + symmetry * size
        mine = transform(own, options, table, squares)
        code = (mine << squares) | transform(other, options, table, squares)
        best = min(best, code)
    return best


@kernel("int64(int64, int64[::1], int64[::1])")
def tictactoe_successors(code, options, out):
    """Write the positions after each move, as the opponent sees them."""
    squares, misere, lines = options[0], options[2], options[3]
    full = (ONE << squares) - ONE
    own, other = code >> squares, code & full
    for line in range(HEAD, HEAD + lines):
        if other & options[line] == options[line]:
            return ENDED + (int64(WIN) if misere else int64(LOSS))
    free = full & ~(own | other)
    if free == 0:
        return ENDED + int64(DRAW)
    count = int64(0)
    while free:
        square = free & -free
        free ^= square
        out[count] = board_code(other, own | square, options)
        count += ONE
    return count
