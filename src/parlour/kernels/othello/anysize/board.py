"""Any Othello board of at most 64 squares, as one table of numbers that compiled code reads.

Lines are followed as on the usual board, but the steps, the edges and the rays come from the table,
so that one compiled search serves every shape. Beside them lies what a search asks about a shape:
its corners and the squares next to them, its quarters, its mirror images, the weights of its
judgement.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import int64, njit, uint64
from numba.extending import intrinsic

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import (
    LANES,
    VECTOR,
    WORD,
    function_of,
    lanes,
    load,
    load_shared,
    lowest,
    popcount,
    spread,
    union,
    word,
)
from parlour.kernels.othello.anysize.weights import COUNTS, WEIGHTS_ROOM, bent_moves, weights
from parlour.kernels.othello.flips import ONE, STEPS, STOP_DEPTH, build_flips, build_moves, rays

# The table begins with vectors: what differs between the four kinds of line or the four corners.
SHIFTS, DOUBLED, TURNING, BORDERS, QUARTERS, CORNER, BESIDE, DIAGONAL = range(8)
ARRIVING = 8  # the squares one may come to by 1, 2, 4 and 8 steps up,
LEAVING = 12  # and down
DOUBLINGS = 4
# Then come words.
FULL, SQUARES, CORNERS, EDGES, LONG, IMAGES = (int64(64 + place) for place in range(6))
RAYS = 72  # up and down from each square, eight words
WEIGHTS = int64(RAYS + 64 * 8)  # of the judgement, by the number of empty squares
BENT = WEIGHTS + int64(COUNTS * WEIGHTS_ROOM)  # a bent number for each number of moves
MIRRORED = BENT + int64(COUNTS)  # where each square goes in each of the board's images of itself
WORDS = int(MIRRORED) + 7 * 64
CACHE_LINE = 8  # words

SHORT_LINE = 8  # squares that can be crossed with SHORT_ROUNDS doubled steps
SHORT_ROUNDS, LONG_ROUNDS = 2, 6
HOLDING_ROUNDS = 6  # of finding stable discs beside stable ones; more would find hardly any
NOTHING = lanes(0, 0, 0, 0)
SINGLE = lanes(1, 1, 1, 1)
FARTHEST = lanes(63, 63, 63, 63)  # a word shifted by more is undefined; nothing is left by then


def board_table(columns, rows):
    """What a search needs to know of a board. Hand on the address of it, and keep the array."""
    raw = np.zeros(WORDS + CACHE_LINE, np.uint64)
    start = -raw.ctypes.data // 8 % CACHE_LINE
    table = raw[start : start + WORDS]
    last, bottom = columns - 1, rows - 1

    def where(chosen):
        """The squares whose column and row are chosen."""
        squares = ((square % columns, square // columns) for square in range(columns * rows))
        return sum(1 << square for square, place in enumerate(squares) if chosen(*place))

    full = where(lambda column, row: True)
    sides = where(lambda column, row: column in {0, last})
    ends = where(lambda column, row: row in {0, bottom})
    table[FULL] = full
    table[SQUARES] = columns * rows
    table[CORNERS] = sides & ends
    table[EDGES] = sides | ends
    table[LONG] = max(columns, rows) > SHORT_LINE

    vectors = table[:FULL].reshape(-1, LANES)
    for lane, (across, down) in enumerate(STEPS):
        shift = across + columns * down
        vectors[SHIFTS, lane] = shift
        vectors[DOUBLED, lane] = 2 * shift
        vectors[TURNING, lane] = full & ~sides if across else full
        vectors[BORDERS, lane] = (sides if across else 0) | (ends if down else 0)
        arriving = where(lambda column, row, across=across: 0 <= column - across <= last)
        leaving = where(lambda column, row, across=across: 0 <= column + across <= last)
        for doubling in range(DOUBLINGS):
            vectors[ARRIVING + doubling, lane] = arriving
            vectors[LEAVING + doubling, lane] = leaving
            arriving &= arriving << (shift << doubling) & full
            leaving &= leaving >> (shift << doubling)
    for lane, (x, y) in enumerate(((0, 0), (last, 0), (0, bottom), (last, bottom))):
        vectors[QUARTERS, lane] = where(
            lambda column, row, x=x, y=y: (
                (column < columns // 2) == (x == 0) and (row < rows // 2) == (y == 0)
            )
        )
        vectors[CORNER, lane] = 1 << columns * y + x
        vectors[BESIDE, lane] = where(
            lambda column, row, x=x, y=y: abs(column - x) + abs(row - y) == 1
        )
        vectors[DIAGONAL, lane] = where(
            lambda column, row, x=x, y=y: abs(column - x) == abs(row - y) == 1
        )

    lines = table[RAYS:WEIGHTS].reshape(64, 2, LANES)
    lines[: columns * rows, 0] = rays(1, columns, rows)
    lines[: columns * rows, 1] = rays(-1, columns, rows)
    table[WEIGHTS:BENT] = weights(columns, rows).ravel().view(np.uint64)
    table[BENT:MIRRORED] = bent_moves()
    images = mirror_images(columns, rows)
    table[IMAGES] = len(images)
    for image, squares in enumerate(images):
        table[MIRRORED + 64 * image :][: columns * rows] = squares
    return table


def mirror_images(columns, rows):
    """Where each square goes when the board is turned or mirrored so that it lies as before."""
    squares = np.arange(columns * rows).reshape(rows, columns)
    images = [squares[:, ::-1], squares[::-1], squares[::-1, ::-1]]
    if columns == rows:
        images += [squares.T, squares.T[:, ::-1], squares.T[::-1], squares.T[::-1, ::-1]]
    return [image.ravel() for image in images]


# For the intrinsics below: each of these adds to the code that is being built.


def vector_of(builder, board, place):
    """One of the vectors of a board's table."""
    row = builder.gep(builder.inttoptr(board, ir.PointerType(VECTOR)), [place])
    vector = builder.load(row)
    vector.align = 8
    return vector


def word_of(builder, board, place):
    """One of the words of a board's table."""
    words = builder.inttoptr(board, ir.PointerType(WORD))
    return builder.load(builder.gep(words, [word(place)]))


def empty_of(builder, own, other, board):
    """The squares without a disc."""
    return builder.and_(word_of(builder, board, FULL), builder.not_(builder.or_(own, other)))


def beside_open(builder, empty, board, place):
    """Of the squares near each corner the ones whose corner is empty."""
    corners = builder.and_(spread(builder, empty), vector_of(builder, board, word(CORNER)))
    taken = builder.icmp_unsigned("==", corners, NOTHING)
    near = vector_of(builder, board, word(place))
    return union(builder, builder.select(taken, NOTHING, near))


@intrinsic
def moves_on(_, own, other, board):
    """Every square of the board that the owner of the first discs may take."""

    def build(context, builder, signature, args):
        own, other, board = args
        lines = [vector_of(builder, board, word(place)) for place in (SHIFTS, DOUBLED, TURNING)]
        is_long = builder.trunc(word_of(builder, board, LONG), ir.IntType(1))
        with builder.if_else(is_long) as (then, otherwise):
            with then:
                far = build_moves(builder, own, other, *lines, LONG_ROUNDS)
                then_end = builder.block
            with otherwise:
                near = build_moves(builder, own, other, *lines, SHORT_ROUNDS)
                otherwise_end = builder.block
        ends = builder.phi(WORD)
        ends.add_incoming(far, then_end)
        ends.add_incoming(near, otherwise_end)
        return builder.and_(ends, empty_of(builder, *args))

    return uint64(uint64, uint64, int64), build


@intrinsic
def flips_on(_, own, other, square, board):
    """The discs that turn when the owner of the first discs takes the empty square."""

    def build(context, builder, signature, args):
        own, other, square, board = args
        row = builder.add(word(RAYS // LANES), builder.shl(square, word(1)))
        upwards = vector_of(builder, board, row)
        downwards = vector_of(builder, board, builder.add(row, word(1)))
        return build_flips(builder, own, other, upwards, downwards)

    return uint64(uint64, uint64, int64, int64), build


@intrinsic
def around(_, discs, board):
    """The squares next to any of these."""

    def build(context, builder, signature, args):
        discs, board = spread(builder, args[0]), args[1]
        shifts = vector_of(builder, board, word(SHIFTS))
        up = builder.and_(builder.shl(discs, shifts), vector_of(builder, board, word(ARRIVING)))
        down = builder.and_(builder.lshr(discs, shifts), vector_of(builder, board, word(LEAVING)))
        return union(builder, builder.or_(up, down))

    return uint64(uint64, int64), build


@intrinsic
def odd_quarters(_, empty, board):
    """The quarters of the board in which the number of empty squares is odd."""

    def build(context, builder, signature, args):
        quarters = vector_of(builder, args[1], word(QUARTERS))
        count = function_of(builder, "llvm.ctpop.v4i64", VECTOR, [VECTOR])
        inside = builder.call(count, [builder.and_(spread(builder, args[0]), quarters)])
        odd = builder.icmp_unsigned("!=", builder.and_(inside, SINGLE), NOTHING)
        return union(builder, builder.select(odd, quarters, NOTHING))

    return uint64(uint64, int64), build


@intrinsic
def beside_empty(_, empty, board):
    """The edge squares next to an empty corner."""

    def build(context, builder, signature, args):
        return beside_open(builder, *args, BESIDE)

    return uint64(uint64, int64), build


@intrinsic
def diagonal_to_empty(_, empty, board):
    """The squares diagonally next to an empty corner."""

    def build(context, builder, signature, args):
        return beside_open(builder, *args, DIAGONAL)

    return uint64(uint64, int64), build


@intrinsic
def stable_on(_, own, other, board):
    """Discs of the first owner that nobody can ever turn, though not all of them are found.

    Such a disc is safe in each kind of line: the line is full, or ends with it, or one that is
    stable and of its colour lies beside it.
    """

    def build(context, builder, signature, args):
        own, _, board = args
        shifts = vector_of(builder, board, word(SHIFTS))
        up = down = spread(builder, empty_of(builder, *args))
        step = shifts
        lesser = function_of(builder, "llvm.umin.v4i64", VECTOR, [VECTOR, VECTOR])
        for doubling in range(DOUBLINGS):  # from the empty squares to all that shares their lines
            arriving = vector_of(builder, board, word(ARRIVING + doubling))
            leaving = vector_of(builder, board, word(LEAVING + doubling))
            up = builder.or_(up, builder.and_(builder.shl(up, step), arriving))
            down = builder.or_(down, builder.and_(builder.lshr(down, step), leaving))
            step = builder.call(lesser, [builder.shl(step, SINGLE), FARTHEST])
        full = builder.not_(builder.or_(up, down))
        safe = builder.or_(full, vector_of(builder, board, word(BORDERS)))
        meet = function_of(builder, "llvm.vector.reduce.and.v4i64", WORD, [VECTOR])
        stable = builder.and_(own, builder.call(meet, [safe]))
        for _ in range(HOLDING_ROUNDS):
            known = spread(builder, stable)
            beside = builder.or_(builder.shl(known, shifts), builder.lshr(known, shifts))
            stable = builder.and_(own, builder.call(meet, [builder.or_(safe, beside)]))
        return stable

    return uint64(uint64, uint64, int64), build


@njit
def empties_on(own, other, board):
    """How many squares are empty."""
    return popcount(load(board, FULL) & ~(own | other))


@njit
def settled(own, other, board):
    """The lead when nobody can move: the empty squares go to the winner."""
    mine, yours = popcount(own), popcount(other)
    if mine == yours:
        return int64(0)
    squares = int64(load(board, SQUARES))
    return squares - int64(2) * yours if mine > yours else int64(2) * mine - squares


@njit
def mirrored(discs, image, board):
    """The same discs in one of the board's images of itself."""
    found = uint64(0)
    while discs:
        found |= ONE << load(board, MIRRORED + int64(64) * image + lowest(discs))
        discs &= discs - ONE
    return found


@njit
def unlike(own, other, mask, board):
    """One of each kind of these moves: where the position mirrors itself, its moves do too."""
    kept = mask
    for image in range(int64(load(board, IMAGES))):
        if mirrored(own, image, board) == own and mirrored(other, image, board) == other:
            rest = mask
            while rest:
                square = lowest(rest)
                rest &= rest - ONE
                if int64(load(board, MIRRORED + int64(64) * image + square)) < square:
                    kept &= ~(ONE << uint64(square))
    return kept


@kernel("int64(uint64, uint64, int64, int64, int64)")
def perft(own, other, depth, board, stop):
    """How many lines of play there are to this depth; a pass is a move, an ended game one leaf.

    Once the word at the address `stop` is set, what comes back means nothing.
    """
    mask = moves_on(own, other, board)
    if not mask:
        if depth == int64(1) or not moves_on(other, own, board):
            return int64(1)
        return perft(other, own, depth - int64(1), board, stop)
    if depth == int64(1):
        return popcount(mask)
    if depth >= STOP_DEPTH and load_shared(stop, int64(0)):
        return int64(0)
    leaves = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        turned = flips_on(own, other, square, board)
        mine = own ^ turned ^ ONE << uint64(square)
        leaves += perft(other ^ turned, mine, depth - int64(1), board, stop)
    return leaves
