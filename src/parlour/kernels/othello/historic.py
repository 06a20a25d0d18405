"""The searches of Othello's two historic bots: Benedict, and Despacito on boards small and large.

Both are negamax with alpha-beta. A cutoff never changes a value inside the window, so a caller with
an open window, or one wide enough to hold ties, chooses as plain minimax would. Boards of up to 64
squares are two bitboards, with `board` the address of their table; on larger ones Despacito walks
from square to square.
"""

from __future__ import annotations

import numpy as np
from numba import int8, int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import LANES, load, lowest, popcount
from parlour.kernels.othello.bitboard import (
    BORDERS,
    ONE,
    SHIFTS,
    corners_of,
    flips_of,
    moves_of,
    squares_of,
)

INFINITY = int64(2**40)  # beyond every value, and far from overflow
WON = int64(2**30 - 1)
LOST = int64(-(2**30))
LATE_BASE = int64(10_000)
STOP_LEVEL = int64(4)  # nearer the leaves the stop flag is not polled
BYTE = uint64(255)
BORDER = int8(2)  # neither side's disc, so every run ends there


@kernel("int64[::1](int64[::1])")
def byte_sums(table):
    """Return, for each byte of a board and each value of it, the sum of its squares' values."""
    sums = np.zeros(8 * 256, np.int64)
    for byte in range(8):
        for bits in range(1, 256):
            square = 8 * byte + lowest(uint64(bits))
            value = table[square] if square < len(table) else 0
            sums[256 * byte + bits] = sums[256 * byte + (bits & (bits - 1))] + value
    return sums


@helper
def table_sum(mask, sums):
    """Return the sum of the values of the squares of the mask."""
    total = int64(0)
    for byte in range(8):
        total += sums[256 * byte + int64(mask & BYTE)]
        mask >>= uint64(8)
    return total


@helper
def make_move(mover, waiter, square, board):
    """Return the discs of the mover and of the opponent after a move."""
    flipped = flips_of(mover, waiter, square, board)
    return mover ^ flipped ^ ONE << uint64(square), waiter ^ flipped


# Benedict


@kernel("int64(uint64, uint64, boolean, int64, int64, int64, int64[::1], int64[::1], int64)")
def benedict_search(mover, waiter, his, plies, alpha, beta, table, mobility_table, board):
    """Return the value of a position to the mover; `his` is whether that is Benedict.

    The plies alternate between him and the opponent whatever happens: without a move, one is
    skipped.
    """
    if plies <= int64(0):
        value = table_sum(mover, table) - table_sum(waiter, table)
        if not his:
            value += table_sum(moves_of(mover, waiter, board), mobility_table)
        return value
    mask = moves_of(mover, waiter, board)
    rest = plies - int64(1)
    if not mask:
        return -benedict_search(
            waiter, mover, not his, rest, -beta, -alpha, table, mobility_table, board
        )
    best = -INFINITY
    while mask:
        mine, yours = make_move(mover, waiter, lowest(mask), board)
        mask &= mask - ONE
        low = max(alpha, best)
        value = -benedict_search(
            yours, mine, not his, rest, -beta, -low, table, mobility_table, board
        )
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@kernel("int64(uint64, uint64, int64, int64[::1], int64[::1], int64)")
def benedict_best(own, other, plies, table, mobility_table, board):
    """Return the square Benedict plays on; -1 when there is none."""
    mask = moves_of(own, other, board)
    rest = plies - int64(1)
    best, choice = -INFINITY, int64(-1)
    for square in range(63, -1, -1):  # backwards, because of equal moves he takes the last
        if mask & ONE << uint64(square):
            mine, yours = make_move(own, other, square, board)
            value = -benedict_search(
                yours, mine, False, rest, -INFINITY, -best, table, mobility_table, board
            )
            if value > best:
                best, choice = value, int64(square)
    return choice


# Despacito's evaluation


@helper
def final_value(ahead):
    """Return the value of a finished game: beyond any other, and more by more discs."""
    if ahead > 0:
        return ahead + WON
    return ahead + LOST if ahead < 0 else int64(0)


@helper
def is_late(empties, squares):
    """Return whether the end is so near that only the discs count."""
    return empties <= squares // int64(10)


@helper
def boost(base, moves, corners, borders, discs, squares, weights, at):
    """Return the base, raised or lowered by the weighted mean of four ratios.

    The ratios come as (difference, total), borders as the difference over 4 times the squares; the
    weights to use begin at `at`. Everything is brought over one denominator, so that the rounding,
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
    change = above // below
    twice = int64(2) * (above - change * below)
    if twice > below or (twice == below and change & int64(1)):
        change += int64(1)
    return base + change


# Despacito on up to 64 squares


@helper
def count_in_runs(discs, line, shift):
    """Return how many discs on these edges have a neighbour of their own colour along the edge."""
    discs &= line
    return popcount(discs & ((discs << shift) | (discs >> shift)))


@helper
def despacito_value(own, other, sums, weights, board):
    """Return the value of a position to Despacito, the owner of the first discs."""
    own_moves = popcount(moves_of(own, other, board))
    other_moves = popcount(moves_of(other, own, board))
    own_discs, other_discs = popcount(own), popcount(other)
    ahead, taken = own_discs - other_discs, own_discs + other_discs
    if own_moves + other_moves == int64(0):
        return final_value(ahead)
    squares, corners = squares_of(board), corners_of(board)
    sides, ends = load(board, int64(LANES * BORDERS)), load(board, int64(LANES * BORDERS + 1))
    width = load(board, int64(LANES * SHIFTS + 1))
    columns = int64(width)
    own_corners, other_corners = popcount(own & corners), popcount(other & corners)
    along_rows = count_in_runs(own, ends, ONE) - count_in_runs(other, ends, ONE)
    along_columns = count_in_runs(own, sides, width) - count_in_runs(other, sides, width)
    at_the_end = is_late(squares - taken, squares)
    return boost(
        LATE_BASE if at_the_end else table_sum(own, sums) - table_sum(other, sums),
        (own_moves - other_moves, own_moves + other_moves),
        (own_corners - other_corners, own_corners + other_corners),
        along_rows * (squares // columns) + along_columns * columns,
        (ahead, taken),
        squares,
        weights,
        int64(4) if at_the_end else int64(0),
    )


@kernel(
    "int64(uint64, uint64, boolean, int64, int64, int64, int64[::1], int64[::1], int64[::1], int64)"
)
def despacito_search(mover, waiter, its, level, alpha, beta, sums, weights, work, board):
    """Return the value of a position to the mover; `its` is whether that is Despacito.

    A pass uses up no depth. `weights` are four for most of the game and four for its end. The value
    is meaningless once `work` is stopped.
    """
    if level == int64(0):
        if its:
            return despacito_value(mover, waiter, sums, weights, board)
        return -despacito_value(waiter, mover, sums, weights, board)
    if level >= STOP_LEVEL and work[0]:
        return int64(0)
    mask = moves_of(mover, waiter, board)
    if not mask:
        if not moves_of(waiter, mover, board):
            ahead = popcount(mover) - popcount(waiter)
            return final_value(ahead) if its else -final_value(-ahead)
        return -despacito_search(
            waiter, mover, not its, level, -beta, -alpha, sums, weights, work, board
        )
    best = -INFINITY
    while mask:
        mine, yours = make_move(mover, waiter, lowest(mask), board)
        mask &= mask - ONE
        low, rest = max(alpha, best), level - int64(1)
        value = -despacito_search(
            yours, mine, not its, rest, -beta, -low, sums, weights, work, board
        )
        if value > best:
            best = value
            if best >= beta:
                break
    return best


# Despacito on larger boards: `boards[level]` is the board with that many plies to go, framed by
# BORDER; 1 is a disc of the bot, -1 one of the opponent. `wide` is a row's length with the frame,
# and `order` the squares in move order.


@helper
def run_length(board, at, step, side):
    """Return how many discs a disc of this side would flip in one direction."""
    far = at + step
    while board[far] == -side:
        far += step
    return (far - at) // step - int64(1) if board[far] == side else int64(0)


@helper
def compass(wide):
    """Return the steps of the eight directions."""
    return (-wide - 1, -wide, -wide + 1, int64(-1), int64(1), wide - 1, wide, wide + 1)


@helper
def is_legal(board, at, wide, side):
    """Return whether a disc of this side may be placed here."""
    if board[at] != int8(0):
        return False
    for step in compass(wide):
        if board[at + step] == -side and run_length(board, at, step, side):
            return True
    return False


@helper
def make_large_move(board, at, wide, side):
    """Place a disc and flip what it encloses."""
    for step in compass(wide):
        for i in range(1, run_length(board, at, step, side) + 1):
            board[at + i * step] = side
    board[at] = side


@helper
def count_moves(board, wide):
    """Return the numbers of moves of the bot and of the opponent, counted in one pass."""
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


@helper
def edge_runs(board, first, step, length):
    """Return, along one edge, the bot's discs next to another of its own less the opponent's."""
    ahead = int64(0)
    for at in range(first, first + length * step, step):
        disc = board[at]
        if disc and (board[at - step] == disc or board[at + step] == disc):
            ahead += int64(disc)
    return ahead


@helper
def large_value(board, wide, table, weights):
    """Do `despacito_value` on a board of any size."""
    own_moves, other_moves = count_moves(board, wide)
    columns, rows = wide - 2, len(board) // wide - 2
    ahead = taken = base = int64(0)
    for at in range(wide + 1, len(board) - wide - 1):
        if board[at] != BORDER:
            ahead += int64(board[at])
            taken += int64(abs(board[at]))
            base += int64(board[at]) * table[at]
    if own_moves + other_moves == int64(0):
        return final_value(ahead)
    top, bottom = wide + 1, rows * wide + 1
    corner_lead = corners = int64(0)
    for at in (top, top + columns - 1, bottom, bottom + columns - 1):
        corner_lead += int64(board[at])
        corners += int64(abs(board[at]))
    along_rows = edge_runs(board, top, 1, columns) + edge_runs(board, bottom, 1, columns)
    along_columns = edge_runs(board, top, wide, rows)
    along_columns += edge_runs(board, top + columns - 1, wide, rows)
    squares = columns * rows
    at_the_end = is_late(squares - taken, squares)
    return boost(
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
    """Do `despacito_search` on a board of any size; `side` is the mover, 1 for Despacito."""
    board = boards[level]
    sign = int64(side)
    if level == int64(0):
        return sign * large_value(board, wide, table, weights)
    if level >= STOP_LEVEL - 1 and work[0]:  # slower boards poll more often
        return int64(0)
    best = -INFINITY
    for at in order:
        if is_legal(board, at, wide, side):
            after = boards[level - int64(1)]
            after[:] = board
            make_large_move(after, at, wide, side)
            value = -large_search(
                boards, wide, int8(-side), level - int64(1), -beta, -max(alpha, best),
                order, table, weights, work,
            )  # fmt: skip
            if value > best:
                best = value
                if best >= beta:
                    return best
    if best > -INFINITY:
        return best
    own_moves, other_moves = count_moves(board, wide)
    if own_moves + other_moves:
        return -large_search(
            boards, wide, int8(-side), level, -beta, -alpha, order, table, weights, work
        )
    return sign * large_value(board, wide, table, weights)
