"""How Othello's two historic bots look ahead: Benedict, and Despacito on boards small and large.

Both are minimax with alpha-beta, so written that a value is always the mover's and is negated on
the way up. A cut never changes a value that comes back inside the bounds, so whoever asks with the
bounds wide open, or wide enough to hold ties, chooses as plain minimax would. Boards of up to 64
squares are two sets of bits, as in `kernels/othello.py`; on larger ones Despacito walks from square
to square.
"""

from __future__ import annotations

import numpy as np
from numba import int8, int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.othello.board import ONE, count, flipped_discs, legal_moves

ENDLESS = int64(2**40)  # beyond every value, and as far from overflow below as above
WON = int64(2**30 - 1)
LOST = int64(-(2**30))
LATE_BASE = int64(10_000)
STOP_LEVEL = int64(4)  # so far above the leaves the stop flag is looked at
BYTE = uint64(255)
BORDER = int8(2)  # neither side's disc, so every run ends there


@kernel("int64[::1](int64[::1])")
def byte_sums(table):
    """For each byte of a board, what its squares are worth together, whichever bits are set."""
    sums = np.zeros(8 * 256, np.int64)
    for byte in range(8):
        for bits in range(1, 256):
            lowest = 0
            while not bits >> lowest & 1:
                lowest += 1
            square = 8 * byte + lowest
            worth = table[square] if square < len(table) else 0
            sums[256 * byte + bits] = sums[256 * byte + (bits & (bits - 1))] + worth
    return sums


@njit
def worth(mask, sums):
    """What the squares of the mask are worth together."""
    total = int64(0)
    for byte in range(8):
        total += sums[256 * byte + int64(mask & BYTE)]
        mask >>= uint64(8)
    return total


@njit
def played(mover, waiter, move, width, inner, steps):
    """The discs of the mover and of the other after the mover has taken a square."""
    turned = flipped_discs(mover, waiter, move, width, inner, steps)
    return mover ^ turned ^ move, waiter ^ turned


# Benedict


@kernel(
    "int64(uint64, uint64, uint64, int64, uint64, uint64, boolean, int64, int64, int64, "
    "int64[::1], int64[::1])"
)
def benedict_search(
    full, width, inner, steps, mover, waiter, his, plies, alpha, beta, table, mobility_table
):
    """What a board is worth to the mover, so many plies ahead; `his` is Benedict's own turn.

    The plies are his and the other's in turn whatever happens: one without a move is skipped.
    """
    if plies <= int64(0):
        value = worth(mover, table) - worth(waiter, table)
        if not his:
            mask = legal_moves(mover, waiter, full, width, inner, steps)
            value += worth(mask, mobility_table)
        return value
    mask = legal_moves(mover, waiter, full, width, inner, steps)
    rest = plies - int64(1)
    if not mask:
        return -benedict_search(
            full, width, inner, steps, waiter, mover, not his, rest, -beta, -alpha,
            table, mobility_table,
        )  # fmt: skip
    best = -ENDLESS
    while mask:
        move = mask & (~mask + ONE)
        mask ^= move
        mine, yours = played(mover, waiter, move, width, inner, steps)
        value = -benedict_search(
            full, width, inner, steps, yours, mine, not his, rest, -beta, -max(alpha, best),
            table, mobility_table,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


@kernel("int64(uint64, uint64, uint64, int64, uint64, uint64, int64, int64[::1], int64[::1])")
def benedict_best(full, width, inner, steps, own, other, plies, table, mobility_table):
    """The square Benedict takes, as a number; -1 when there is none."""
    mask = legal_moves(own, other, full, width, inner, steps)
    best, choice = -ENDLESS, int64(-1)
    for square in range(63, -1, -1):  # from the last, for of equals he takes the last
        move = ONE << uint64(square)
        if mask & move:
            mine, yours = played(own, other, move, width, inner, steps)
            value = -benedict_search(
                full, width, inner, steps, yours, mine, False, plies - int64(1), -ENDLESS, -best,
                table, mobility_table,
            )  # fmt: skip
            if value > best:
                best, choice = value, int64(square)
    return choice


# Despacito, what a board is worth


@njit
def finished(ahead):
    """A finished game: beyond any other value, and by how many discs."""
    if ahead > 0:
        return ahead + WON
    return ahead + LOST if ahead < 0 else int64(0)


@njit
def late(empties, squares):
    """Whether so few squares are empty that only the discs count."""
    return empties <= squares // int64(10)


@njit
def boosted(base, moves, corners, borders, discs, squares, weights, at):
    """The base, raised or lowered by the weighted mean of four ratios.

    The ratios come as (difference, total), borders as the difference over 4 times the squares; the
    weights to use stand from `at` on. All is brought over one denominator, so that the rounding,
    half to even, is exact and does not depend on the order of floating-point sums.
    """
    a, b, c, d = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
    all_moves, all_corners = max(moves[1], int64(1)), max(corners[1], int64(1))
    all_borders, all_discs = int64(4) * squares, max(discs[1], int64(1))
    whole = all_moves * all_corners * all_borders * all_discs
    above = a * moves[0] * (whole // all_moves) + b * corners[0] * (whole // all_corners)
    above += c * borders * (whole // all_borders) + d * discs[0] * (whole // all_discs)
    below = whole * (a + b + c + d)
    if below == int64(0):
        return base
    above *= abs(base)
    boost = above // below
    twice = int64(2) * (above - boost * below)
    if twice > below or (twice == below and boost & int64(1)):
        boost += int64(1)
    return base + boost


# Despacito on up to 64 squares


@njit
def in_runs(discs, line, shift):
    """How many discs on these edges have a neighbour of their own along the edge."""
    discs &= line
    return count(discs & ((discs << shift) | (discs >> shift)))


@njit
def despacito_value(full, width, inner, steps, own, other, sums, weights):
    """What a board is worth to Despacito, who owns the first discs; whose turn it is is all one."""
    own_moves = count(legal_moves(own, other, full, width, inner, steps))
    other_moves = count(legal_moves(other, own, full, width, inner, steps))
    own_discs, other_discs = count(own), count(other)
    ahead, taken = own_discs - other_discs, own_discs + other_discs
    if own_moves + other_moves == int64(0):
        return finished(ahead)
    squares = count(full)
    columns = int64(width)
    side_columns = full & ~inner
    end_rows = ((ONE << width) - ONE) | (full & ~(full >> width))
    corners = side_columns & end_rows
    own_corners, other_corners = count(own & corners), count(other & corners)
    along_rows = in_runs(own, end_rows, ONE) - in_runs(other, end_rows, ONE)
    along_columns = in_runs(own, side_columns, width) - in_runs(other, side_columns, width)
    at_the_end = late(squares - taken, squares)
    return boosted(
        LATE_BASE if at_the_end else worth(own, sums) - worth(other, sums),
        (own_moves - other_moves, own_moves + other_moves),
        (own_corners - other_corners, own_corners + other_corners),
        along_rows * (squares // columns) + along_columns * columns,
        (ahead, taken),
        squares,
        weights,
        int64(4) if at_the_end else int64(0),
    )


@kernel(
    "int64(uint64, uint64, uint64, int64, uint64, uint64, boolean, int64, int64, int64, "
    "int64[::1], int64[::1], int64[::1])"
)
def despacito_search(
    full, width, inner, steps, mover, waiter, its, level, alpha, beta, sums, weights, work
):
    """What a board is worth to the mover, so many moves ahead; `its` is Despacito's own turn.

    A pass uses up no depth. `weights` are the four of most of the game and the four of its end.
    Once `work` is stopped, what comes back means nothing.
    """
    if level == int64(0):
        if its:
            return despacito_value(full, width, inner, steps, mover, waiter, sums, weights)
        return -despacito_value(full, width, inner, steps, waiter, mover, sums, weights)
    if level >= STOP_LEVEL and work[0]:
        return int64(0)
    mask = legal_moves(mover, waiter, full, width, inner, steps)
    if not mask:
        if not legal_moves(waiter, mover, full, width, inner, steps):
            ahead = count(mover) - count(waiter)
            return finished(ahead) if its else -finished(-ahead)
        return -despacito_search(
            full, width, inner, steps, waiter, mover, not its, level, -beta, -alpha,
            sums, weights, work,
        )  # fmt: skip
    best = -ENDLESS
    while mask:
        move = mask & (~mask + ONE)
        mask ^= move
        mine, yours = played(mover, waiter, move, width, inner, steps)
        value = -despacito_search(
            full, width, inner, steps, yours, mine, not its, level - int64(1),
            -beta, -max(alpha, best), sums, weights, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


# Despacito on larger boards: `boards[level]` is the board with so many plies to go, framed by
# BORDER; 1 is a disc of the bot, -1 one of the other. `wide` is a row's length with the frame, and
# `order` the squares in the order in which moves are tried: the better they are, the more is cut.


@njit
def run_length(board, at, step, side):
    """How many discs a disc of this side would turn in one direction."""
    far = at + step
    while board[far] == -side:
        far += step
    return (far - at) // step - int64(1) if board[far] == side else int64(0)


@njit
def compass(wide):
    """The steps of the eight directions."""
    return (-wide - 1, -wide, -wide + 1, int64(-1), int64(1), wide - 1, wide, wide + 1)


@njit
def may_take(board, at, wide, side):
    """Whether a disc of this side may be placed here."""
    if board[at] != int8(0):
        return False
    for step in compass(wide):
        if board[at + step] == -side and run_length(board, at, step, side):
            return True
    return False


@njit
def take(board, at, wide, side):
    """Place a disc and turn what it encloses."""
    for step in compass(wide):
        for i in range(1, run_length(board, at, step, side) + 1):
            board[at + i * step] = side
    board[at] = side


@njit
def mobilities(board, wide):
    """How many squares the bot may take, and how many the other: one walk serves both."""
    own_moves = other_moves = int64(0)
    for at in range(wide + 1, len(board) - wide - 1):
        if board[at] != int8(0):
            continue
        own = other = False
        for step in compass(wide):
            disc = board[at + step]
            if disc == int8(0) or disc == BORDER or (other if disc > int8(0) else own):
                continue
            far = at + step + step
            while board[far] == disc:
                far += step
            if board[far] == -disc:
                own |= disc < int8(0)
                other |= disc > int8(0)
        own_moves += int64(own)
        other_moves += int64(other)
    return own_moves, other_moves


@njit
def edge_runs(board, first, step, length):
    """Along one edge, the bot's discs with a neighbour of their own less the other's."""
    ahead = int64(0)
    for at in range(first, first + length * step, step):
        disc = board[at]
        if disc and (board[at - step] == disc or board[at + step] == disc):
            ahead += int64(disc)
    return ahead


@njit
def large_value(board, wide, table, weights):
    """What `despacito_value` is, on a board of any size."""
    own_moves, other_moves = mobilities(board, wide)
    columns, rows = wide - 2, len(board) // wide - 2
    ahead = taken = base = int64(0)
    for at in range(wide + 1, len(board) - wide - 1):
        if board[at] != BORDER:
            ahead += int64(board[at])
            taken += int64(abs(board[at]))
            base += int64(board[at]) * table[at]
    if own_moves + other_moves == int64(0):
        return finished(ahead)
    top, bottom = wide + 1, rows * wide + 1
    corner_lead = corners = int64(0)
    for at in (top, top + columns - 1, bottom, bottom + columns - 1):
        corner_lead += int64(board[at])
        corners += int64(abs(board[at]))
    along_rows = edge_runs(board, top, 1, columns) + edge_runs(board, bottom, 1, columns)
    along_columns = edge_runs(board, top, wide, rows)
    along_columns += edge_runs(board, top + columns - 1, wide, rows)
    squares = columns * rows
    at_the_end = late(squares - taken, squares)
    return boosted(
        LATE_BASE if at_the_end else base,
        (own_moves - other_moves, own_moves + other_moves),
        (corner_lead, corners),
        along_rows * rows + along_columns * columns,
        (ahead, taken),
        squares,
        weights,
        int64(4) if at_the_end else int64(0),
    )


@kernel(
    "int64(int8[:, ::1], int64, int8, int64, int64, int64, "
    "int64[::1], int64[::1], int64[::1], int64[::1])"
)
def large_search(boards, wide, side, level, alpha, beta, order, table, weights, work):
    """What `despacito_search` is, on a board of any size; `side` is the mover, 1 for Despacito."""
    board = boards[level]
    sign = int64(side)
    if level == int64(0):
        return sign * large_value(board, wide, table, weights)
    if level >= STOP_LEVEL - 1 and work[0]:  # slower boards look more often
        return int64(0)
    best = -ENDLESS
    for at in order:
        if may_take(board, at, wide, side):
            after = boards[level - int64(1)]
            after[:] = board
            take(after, at, wide, side)
            value = -large_search(
                boards, wide, int8(-side), level - int64(1), -beta, -max(alpha, best),
                order, table, weights, work,
            )  # fmt: skip
            if value > best:
                best = value
                if best >= beta:
                    return best
    if best > -ENDLESS:
        return best
    own_moves, other_moves = mobilities(board, wide)
    if own_moves + other_moves:
        return -large_search(
            boards, wide, int8(-side), level, -beta, -alpha, order, table, weights, work
        )
    return sign * large_value(board, wide, table, weights)
