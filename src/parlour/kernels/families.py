"""The compiled families: what follows a position of chopsticks or of tic-tac-toe.

Both see a position as its mover does, so that one code stands for all states of one key.
"""

from __future__ import annotations

from numba import int64, njit

from parlour.kernels import kernel
from parlour.kernels.explore import ENDED
from parlour.kernels.retrograde import DRAW, LOSS, WIN

ONE = int64(1)

# Options of chopsticks, in this order
DIES_AT, WRAPS, HIT_SELF, SPLIT_LEAST, REVIVE, SPLIT_SAME = 0, 1, 2, 3, 4, 5


@njit
def hands_code(a, b, c, d):
    """Both pairs of hands, each in order, as one number: the mover's first."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    return ((a * int64(32) + b) * int64(32) + c) * int64(32) + d


@njit
def added(hand, target, options):
    """What a hit leaves on the target."""
    fingers = hand + target
    if fingers < options[DIES_AT]:
        return fingers
    return fingers - options[DIES_AT] if options[WRAPS] else int64(0)


@kernel("int64(int64, int64[::1], int64[::1])")
def after_chopsticks(code, options, out):
    """The positions after each move, as the other side sees them."""
    d = code & int64(31)
    c = (code >> int64(5)) & int64(31)
    b = (code >> int64(10)) & int64(31)
    a = code >> int64(15)
    if a == 0 and b == 0:
        return ENDED + int64(LOSS)
    if c == 0 and d == 0:
        return ENDED + int64(WIN)
    many = int64(0)
    for hand in range(2):
        mine = a if hand == 0 else b
        other = b if hand == 0 else a
        if mine == 0:
            continue
        if c > 0:
            out[many] = hands_code(added(mine, c, options), d, a, b)
            many += ONE
        if d > 0:
            out[many] = hands_code(c, added(mine, d, options), a, b)
            many += ONE
        if options[HIT_SELF] and other > 0:
            out[many] = hands_code(c, d, mine, added(mine, other, options))
            many += ONE
    if options[REVIVE] or (a > 0 and b > 0):
        total = a + b
        least = max(options[SPLIT_LEAST], total - options[DIES_AT] + ONE)
        for left in range(least, total // int64(2) + ONE):  # the other half is the same, swapped
            if not options[SPLIT_SAME] and (left == a or left == b):
                continue
            out[many] = hands_code(c, d, left, total - left)
            many += ONE
    return many


# Options of tic-tac-toe: squares, ways to turn the board, misère, lines, then the lines as masks,
# then for each way and each byte of the board where its 256 patterns go.
HEAD = 4


@njit
def turned(mask, options, table, squares):
    """The mask with the board turned in the way whose tables begin there."""
    result = int64(0)
    at = table
    for shift in range(0, squares, 8):
        result |= options[at + ((mask >> shift) & int64(255))]
        at += int64(256)
    return result


@njit
def board_code(own, other, options):
    """The least code of all ways to turn the board."""
    squares, ways, lines = options[0], options[1], options[3]
    tables = HEAD + lines
    size = int64(256) * ((squares + int64(7)) // int64(8))
    best = (own << squares) | other
    for way in range(1, ways):  # the first leaves the board as it is
        table = tables + way * size
        mine = turned(own, options, table, squares)
        code = (mine << squares) | turned(other, options, table, squares)
        best = min(best, code)
    return best


@kernel("int64(int64, int64[::1], int64[::1])")
def after_tictactoe(code, options, out):
    """The positions after each move, as the other side sees them."""
    squares, misere, lines = options[0], options[2], options[3]
    full = (ONE << squares) - ONE
    own, other = code >> squares, code & full
    for line in range(HEAD, HEAD + lines):
        if other & options[line] == options[line]:
            return ENDED + (int64(WIN) if misere else int64(LOSS))
    free = full & ~(own | other)
    if free == 0:
        return ENDED + int64(DRAW)
    many = int64(0)
    while free:
        square = free & -free
        free ^= square
        out[many] = board_code(other, own | square, options)
        many += ONE
    return many
