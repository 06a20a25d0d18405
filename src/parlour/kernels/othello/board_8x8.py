"""The 8x8 board in vectors: one lane for each of the four kinds of line.

Legal moves are found by running from the mover's discs over the opponent's, doubling the step.
Flips are found by addition: upwards, a carry ripples through the opponent's discs to the square
that closes the run; downwards, that square is the highest on the ray without an opposing disc.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import int64, njit, uint64
from numba.extending import intrinsic

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import (
    LANES,
    TRUE,
    VECTOR,
    constant_table,
    declare,
    lanes,
    load_shared,
    load_vector,
    lowest,
    popcount,
    reduce_or,
    splat,
)

ZERO = uint64(0)
ONE = uint64(1)
CORNERS = uint64(0x8100000000000081)
STEPS = ((1, 0), (0, 1), (-1, 1), (1, 1))  # column and row, towards higher squares
INNER = 0x7E7E7E7E7E7E7E7E
FULL = 0xFFFFFFFFFFFFFFFF
SHIFTS = lanes(1, 8, 7, 9)
DOUBLED = lanes(2, 16, 14, 18)
FLIPPABLE = lanes(INNER, FULL, INNER, INNER)  # a run across columns never flips an edge disc
ROUNDS = 2  # of doubled steps, to cross the board
STOP_DEPTH = int64(7)  # nearer the leaves the stop flag is not polled

inlined = njit(forceinline=True)


def ray(square, step, sign, columns=8, rows=8):
    """Return the squares from this one to the edge, without this one."""
    mask = 0
    column, row = square % columns + sign * step[0], square // columns + sign * step[1]
    while 0 <= column < columns and 0 <= row < rows:
        mask |= 1 << (columns * row + column)
        column, row = column + sign * step[0], row + sign * step[1]
    return mask


def rays(sign, columns=8, rows=8):
    """Return the rays of all squares, a row of four for each."""
    squares = range(columns * rows)
    table = [[ray(square, step, sign, columns, rows) for step in STEPS] for square in squares]
    return np.array(table, np.uint64)


UPWARDS, DOWNWARDS = rays(1), rays(-1)


def build_moves(b, own, other, shifts, doubled, flippable, rounds):
    """Emit code for the squares beyond the far ends of runs of opposing discs, empty or not."""
    seeds = splat(b, own)
    through = b.and_(splat(b, other), flippable)
    up = b.and_(through, b.shl(seeds, shifts))
    down = b.and_(through, b.lshr(seeds, shifts))
    up = b.or_(up, b.and_(through, b.shl(up, shifts)))
    down = b.or_(down, b.and_(through, b.lshr(down, shifts)))
    pairs_up = b.and_(through, b.shl(through, shifts))
    pairs_down = b.lshr(pairs_up, shifts)
    for _ in range(rounds):
        up = b.or_(up, b.and_(pairs_up, b.shl(up, doubled)))
        down = b.or_(down, b.and_(pairs_down, b.lshr(down, doubled)))
    return reduce_or(b, b.or_(b.shl(up, shifts), b.lshr(down, shifts)))


def build_flips(b, own, other, upwards, downwards):
    """Emit code for the discs flipped, given the rays of the empty square played on."""
    own, other = splat(b, own), splat(b, other)
    ones, zeros = lanes(*[1] * LANES), lanes(*[0] * LANES)
    # Upwards: add one to the opposing discs and everything off the ray; the carry stops at the
    # first square of the ray without an opposing disc.
    carried = b.add(b.or_(other, b.not_(upwards)), ones)
    end = b.and_(carried, b.and_(own, upwards))
    run = b.and_(upwards, b.sub(end, ones))
    flipped = b.select(b.icmp_unsigned("!=", end, zeros), run, zeros)
    # Downwards: that square is the highest of the ray without an opposing disc.
    stops = b.or_(b.and_(downwards, b.not_(other)), ones)
    count = declare(b, "llvm.ctlz.v4i64", VECTOR, [VECTOR, ir.IntType(1)])
    highest = b.lshr(lanes(*[1 << 63] * LANES), b.call(count, [stops, TRUE]))
    end = b.and_(highest, b.and_(own, downwards))
    run = b.and_(downwards, b.sub(zeros, b.shl(end, ones)))
    return reduce_or(b, b.or_(flipped, run))


@intrinsic
def moves_of(_, own, other):
    """Return the legal moves of the owner of the first board."""

    def build(context, builder, signature, args):
        ends = build_moves(builder, *args, SHIFTS, DOUBLED, FLIPPABLE, ROUNDS)
        return builder.and_(ends, builder.not_(builder.or_(*args)))

    return uint64(uint64, uint64), build


@intrinsic
def flips_of(_, own, other, square):
    """Return the discs flipped when the owner of the first board plays on the empty square."""

    def build(context, builder, signature, args):
        own, other, square = args
        upwards = load_vector(builder, constant_table(builder, "othello.upwards", UPWARDS), square)
        downwards = load_vector(
            builder, constant_table(builder, "othello.downwards", DOWNWARDS), square
        )
        return build_flips(builder, own, other, upwards, downwards)

    return uint64(uint64, uint64, int64), build


@njit
def final_score(own, other):
    """Return the mover's lead when the game is over; the empty squares go to the winner."""
    mine, yours = popcount(own), popcount(other)
    if mine > yours:
        return int64(64) - int64(2) * yours
    if mine < yours:
        return int64(2) * mine - int64(64)
    return int64(0)


@njit
def weighted_mobility(mask):
    """Return the number of moves, a corner counting double."""
    return popcount(mask) + popcount(mask & CORNERS)


@inlined
def odd_quadrants(empty):
    """Return the quadrants of the board with an odd number of empty squares."""
    fold = empty ^ empty >> ONE
    fold ^= fold >> uint64(2)
    fold &= uint64(0x1111111111111111)
    fold ^= fold >> uint64(8)
    fold ^= fold >> uint64(16)
    return (fold & uint64(0x0000001100000011)) * uint64(0x0F0F0F0F)


@kernel("int64(uint64, uint64, int64, int64)")
def perft(own, other, depth, stop):
    """Count the lines of play to this depth; a pass is a move, a finished game one leaf.

    The count is meaningless once the word at the address `stop` is set.
    """
    mask = moves_of(own, other)
    if not mask:
        if depth == int64(1) or not moves_of(other, own):
            return int64(1)
        return perft(other, own, depth - int64(1), stop)
    if depth == int64(1):
        return popcount(mask)
    if depth >= STOP_DEPTH and load_shared(stop, int64(0)):
        return int64(0)
    leaves = int64(0)
    if depth == int64(2):  # not one call deeper, since most of the time is spent here
        while mask:
            square = lowest(mask)
            mask &= mask - ONE
            flipped = flips_of(own, other, square)
            replies = popcount(moves_of(other ^ flipped, own ^ flipped ^ ONE << uint64(square)))
            leaves += max(replies, int64(1))
        return leaves
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        flipped = flips_of(own, other, square)
        mine = own ^ flipped ^ ONE << uint64(square)
        leaves += perft(other ^ flipped, mine, depth - int64(1), stop)
    return leaves
