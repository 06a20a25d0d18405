"""Othello's usual board along its four kinds of line at once, one to a lane of a vector.

Moves are found by following the own discs over the opposing ones, doubling the step. What a move
turns is found by adding: a carry runs up through the opposing discs to the square that closes the
run, and on the way down that square is the highest that is not theirs.
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
    frozen,
    function_of,
    lanes,
    load_shared,
    lowest,
    popcount,
    spread,
    union,
    vector_at,
)

ZERO = uint64(0)
ONE = uint64(1)
CORNERS = uint64(0x8100000000000081)
inlined = njit(forceinline=True)
STEPS = ((1, 0), (0, 1), (-1, 1), (1, 1))  # column and row, towards higher squares
INNER = 0x7E7E7E7E7E7E7E7E
FULL = 0xFFFFFFFFFFFFFFFF
SHIFTS = lanes(1, 8, 7, 9)
DOUBLED = lanes(2, 16, 14, 18)
TURNING = lanes(INNER, FULL, INNER, INNER)  # a run across columns never turns at the edge
ROUNDS = 2  # of doubled steps, to cross the board
STOP_DEPTH = int64(7)  # so far above the leaves the stop flag is looked at


def ray(square, step, sign, columns=8, rows=8):
    """The squares from this one, without it, to the edge."""
    mask = 0
    column, row = square % columns + sign * step[0], square // columns + sign * step[1]
    while 0 <= column < columns and 0 <= row < rows:
        mask |= 1 << (columns * row + column)
        column, row = column + sign * step[0], row + sign * step[1]
    return mask


def rays(sign, columns=8, rows=8):
    """The rays of all squares, a row of four for each."""
    squares = range(columns * rows)
    table = [[ray(square, step, sign, columns, rows) for step in STEPS] for square in squares]
    return np.array(table, np.uint64)


UPWARDS, DOWNWARDS = rays(1), rays(-1)


def build_moves(b, own, other, shifts, doubled, turning, rounds):
    """Add code for the squares beyond the far ends of runs of opposing discs, taken or not."""
    seeds = spread(b, own)
    through = b.and_(spread(b, other), turning)
    up = b.and_(through, b.shl(seeds, shifts))
    down = b.and_(through, b.lshr(seeds, shifts))
    up = b.or_(up, b.and_(through, b.shl(up, shifts)))
    down = b.or_(down, b.and_(through, b.lshr(down, shifts)))
    pairs_up = b.and_(through, b.shl(through, shifts))
    pairs_down = b.lshr(pairs_up, shifts)
    for _ in range(rounds):
        up = b.or_(up, b.and_(pairs_up, b.shl(up, doubled)))
        down = b.or_(down, b.and_(pairs_down, b.lshr(down, doubled)))
    return union(b, b.or_(b.shl(up, shifts), b.lshr(down, shifts)))


def build_flips(b, own, other, upwards, downwards):
    """Add code for the discs that turn, given the rays of the empty square that is taken."""
    own, other = spread(b, own), spread(b, other)
    ones, zeros = lanes(*[1] * LANES), lanes(*[0] * LANES)
    # Upwards: add one to the opposing discs and all that is off the ray; the carry stops at the
    # first square of the ray that is not theirs.
    carried = b.add(b.or_(other, b.not_(upwards)), ones)
    end = b.and_(carried, b.and_(own, upwards))
    run = b.and_(upwards, b.sub(end, ones))
    turned = b.select(b.icmp_unsigned("!=", end, zeros), run, zeros)
    # Downwards: that square is the highest of the ray that is not theirs.
    stops = b.or_(b.and_(downwards, b.not_(other)), ones)
    count = function_of(b, "llvm.ctlz.v4i64", VECTOR, [VECTOR, ir.IntType(1)])
    highest = b.lshr(lanes(*[1 << 63] * LANES), b.call(count, [stops, TRUE]))
    end = b.and_(highest, b.and_(own, downwards))
    run = b.and_(downwards, b.sub(zeros, b.shl(end, ones)))
    return union(b, b.or_(turned, run))


@intrinsic
def moves_of(_, own, other):
    """Every square the owner of the first board may take."""

    def build(context, builder, signature, args):
        ends = build_moves(builder, *args, SHIFTS, DOUBLED, TURNING, ROUNDS)
        return builder.and_(ends, builder.not_(builder.or_(*args)))

    return uint64(uint64, uint64), build


@intrinsic
def flips_of(_, own, other, square):
    """The discs that turn when the owner of the first board takes the empty square."""

    def build(context, builder, signature, args):
        own, other, square = args
        upwards = vector_at(builder, frozen(builder, "othello.upwards", UPWARDS), square)
        downwards = vector_at(builder, frozen(builder, "othello.downwards", DOWNWARDS), square)
        return build_flips(builder, own, other, upwards, downwards)

    return uint64(uint64, uint64, int64), build


@njit
def settled(own, other):
    """The lead when nobody can move."""
    mine, yours = popcount(own), popcount(other)
    if mine > yours:
        return int64(64) - int64(2) * yours
    if mine < yours:
        return int64(2) * mine - int64(64)
    return int64(0)


@njit
def weighted_mobility(mask):
    """How many moves, a corner counting double."""
    return popcount(mask) + popcount(mask & CORNERS)


@inlined
def odd_regions(empty):
    """The quadrants of the board in which the number of empty squares is odd."""
    fold = empty ^ empty >> ONE
    fold ^= fold >> uint64(2)
    fold &= uint64(0x1111111111111111)
    fold ^= fold >> uint64(8)
    fold ^= fold >> uint64(16)
    return (fold & uint64(0x0000001100000011)) * uint64(0x0F0F0F0F)


@kernel("int64(uint64, uint64, int64, int64)")
def perft(own, other, depth, stop):
    """How many lines of play there are to this depth; a pass is a move, an ended game one leaf.

    Once the word at the address `stop` is set, what comes back means nothing.
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
    if depth == int64(2):  # here and not one call deeper, for most of the time is spent here
        while mask:
            square = lowest(mask)
            mask &= mask - ONE
            turned = flips_of(own, other, square)
            replies = popcount(moves_of(other ^ turned, own ^ turned ^ ONE << uint64(square)))
            leaves += max(replies, int64(1))
        return leaves
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        turned = flips_of(own, other, square)
        mine = own ^ turned ^ ONE << uint64(square)
        leaves += perft(other ^ turned, mine, depth - int64(1), stop)
    return leaves
