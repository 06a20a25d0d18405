"""Misère Othello, in which the fewest discs win: one search, to the end or to a depth.

A score is by how many discs the mover has fewer at the end, the empty squares counting against the
side with more. It is the score of the usual game with its sign changed, for both sides, so nothing
that the engine knows of good moves helps here. Moves are tried in the order of the replies they
leave; the best move of an earlier search comes first.

The transposition table has an entry of four words for each position: both boards, bounds and move.
"""

from __future__ import annotations

from numba import int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import load, load_shared, lowest, popcount, store
from parlour.kernels.othello.bitboard import (
    ONE,
    corners_of,
    empty_squares,
    final_score,
    flips_and_replies,
    flips_of,
    moves_of,
    squares_of,
    stable_by_table,
)

FAR = int64(64)  # a depth that always reaches the end
LIMIT = int64(128)  # beyond every score
NO_MOVE = int64(127)
TABLE_EMPTIES = int64(6)  # with fewer empty squares the table costs more than it saves
ORDER_EMPTIES = int64(3)
STABLE_EMPTIES = int64(10)
STOP_EMPTIES = int64(10)
PROBE_EMPTIES = int64(9)  # from here the table is asked about all moves before one is tried
SORT_EMPTIES = int64(8)  # from here moves are tried in the order of a search of a few plies
SORT_STEP, SORT_MOST = int64(2), int64(6)  # a ply more for so many empty squares, at most so many
PER_PLY = int64(160)  # words of the list of moves of one ply
WORDS = int64(4)

# What the features of a position are worth while the end is out of sight, in discs
MOBILITY, REPLIES, CORNER, DISCS = 1.2, -0.9, -4.4, -0.4


@helper
def is_stopped(memory):
    """Return whether the search was asked to stop."""
    return load_shared(int64(load(memory, int64(0))), int64(0)) != uint64(0)


@helper
def place_of(own, other, mask):
    """Return where in the table a position belongs."""
    mixed = own * uint64(0x9E3779B97F4A7C15) ^ other * uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> uint64(29)
    return int64(mixed * uint64(0xBF58476D1CE4E5B9) >> uint64(20)) & mask


@helper
def estimate(own, other, replies, board):
    """Return by how many discs the mover may have fewer at the end."""
    mine, yours = popcount(moves_of(own, other, board)), popcount(replies)
    corners = corners_of(board)
    value = MOBILITY * mine + REPLIES * yours + DISCS * (popcount(own) - popcount(other))
    value += CORNER * (popcount(own & corners) - popcount(other & corners))
    return int64(max(min(value, 40.0), -40.0))


@helper
def find_score(own, other, alpha, beta, depth, board, table, mask, ply, memory):
    """Return the score between alpha and beta, or a bound on it beyond them.

    `memory` begins with the address of the stop flag and the number of positions searched; the
    lists of moves follow.
    """
    store(memory, int64(1), load(memory, int64(1)) + ONE)
    moves = moves_of(own, other, board)
    if not moves:
        replies = moves_of(other, own, board)
        if not replies:
            return -final_score(own, other, board)
        return -find_score(other, own, -beta, -alpha, depth, board, table, mask, ply, memory)
    if depth <= int64(0):
        return estimate(own, other, moves_of(other, own, board), board)
    empties = popcount(empty_squares(own, other, board))
    if empties <= ORDER_EMPTIES:
        best = -LIMIT
        while moves:
            square = lowest(moves)
            moves &= moves - ONE
            flipped = flips_of(own, other, square, board)
            yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
            value = -find_score(
                yours, mine, -beta, -max(alpha, best), depth - int64(1), board, table, mask,
                ply + int64(1), memory,
            )  # fmt: skip
            if value > best:
                best = value
                if best >= beta:
                    break
        return best
    if empties >= STOP_EMPTIES and is_stopped(memory):
        return int64(0)
    if empties >= STABLE_EMPTIES and alpha >= int64(4):
        most = squares_of(board) - int64(2) * popcount(stable_by_table(own, other, board))
        if most <= alpha:
            return most
    first = NO_MOVE
    reaches = FAR if depth >= empties else depth
    at = int64(0)
    if empties >= TABLE_EMPTIES:
        at = place_of(own, other, mask) * WORDS
        if load(table, at) == own and load(table, at + int64(1)) == other:
            packed = int64(load(table, at + int64(2)))
            first = packed & int64(127)
            if (packed >> int64(24)) == reaches:
                low = ((packed >> int64(7)) & int64(255)) - LIMIT
                high = ((packed >> int64(15)) & int64(511)) - LIMIT
                if low >= beta:
                    return low
                if high <= alpha:
                    return high
                alpha, beta = max(alpha, low), min(beta, high)
                if alpha >= beta:
                    return low
    base = int64(8) + ply * PER_PLY
    count = int64(0)
    rest = moves
    while rest:
        square = lowest(rest)
        rest &= rest - ONE
        flipped, replies = flips_and_replies(own, other, square, board)
        if empties >= PROBE_EMPTIES and reaches == FAR:  # a reply may be known to be enough
            yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
            there = place_of(yours, mine, mask) * WORDS
            if load(table, there) == yours and load(table, there + int64(1)) == mine:
                packed = int64(load(table, there + int64(2)))
                most = ((packed >> int64(15)) & int64(511)) - LIMIT
                if (packed >> int64(24)) == FAR and -most >= beta:
                    return -most
        rank = popcount(replies) * int64(4) + popcount(replies & corners_of(board))
        if square == first:
            rank = int64(-1)
        elif empties >= SORT_EMPTIES and depth > int64(6):
            yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
            ahead = min((empties - SORT_EMPTIES) // SORT_STEP, SORT_MOST)
            rank += int64(8) * (LIMIT + find_score(
                yours, mine, -LIMIT, LIMIT, ahead, board, table, mask, ply + int64(1), memory
            ))  # fmt: skip
        store(memory, base + count * int64(2), uint64((rank + int64(1)) << int64(8) | square))
        store(memory, base + count * int64(2) + int64(1), flipped)
        count += int64(1)
    best, best_move, low = -LIMIT, NO_MOVE, alpha
    for i in range(count):
        least = i
        for j in range(i + 1, count):
            if load(memory, base + j * int64(2)) < load(memory, base + least * int64(2)):
                least = j
        word = load(memory, base + least * int64(2))
        flipped = load(memory, base + least * int64(2) + int64(1))
        if least != i:
            store(memory, base + least * int64(2), load(memory, base + i * int64(2)))
            above = load(memory, base + i * int64(2) + int64(1))
            store(memory, base + least * int64(2) + int64(1), above)
        square = int64(word & uint64(255))
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        left, after = depth - int64(1), ply + int64(1)
        if i > 0 and beta - low > int64(1):
            value = -find_score(
                yours, mine, -low - int64(1), -low, left, board, table, mask, after, memory
            )
            if low < value < beta:
                value = -find_score(
                    yours, mine, -beta, -value, left, board, table, mask, after, memory
                )
        else:
            value = -find_score(yours, mine, -beta, -low, left, board, table, mask, after, memory)
        if value > best:
            best, best_move = value, square
            low = max(low, best)
            if best >= beta:
                break
    if empties >= TABLE_EMPTIES and not is_stopped(memory):
        least = best if best > alpha else -LIMIT + int64(1)
        most = best if best < beta else LIMIT
        packed = best_move | (least + LIMIT) << int64(7) | (most + LIMIT) << int64(15)
        store(table, at, own)
        store(table, at + int64(1), other)
        store(table, at + int64(2), uint64(packed | reaches << int64(24)))
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64, int64)", seconds=8)
def search_misere(own, other, alpha, beta, depth, board, table, mask, memory):
    """Return the mover's score between alpha and beta, or a bound on it beyond them.

    `board`, `table` and `memory` are addresses, `mask` the number of entries of the table less 1.
    A search to a depth of at least the empty squares is exact. The value is meaningless once the
    search is stopped.
    """
    return find_score(own, other, alpha, beta, depth, board, table, mask, int64(0), memory)
