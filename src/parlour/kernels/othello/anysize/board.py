"""Any Othello board of at most 64 squares as one table of words, and its evaluation.

Moves and flips are found as on the 8x8 board, but shifts, edges and rays come from the table, so
that one compiled search serves every shape. The table also holds what a search asks about a shape:
its corners and the squares next to them, its quadrants, its symmetries, the evaluation's weights.

The evaluation knows no patterns. It counts features that matter on every shape, each weighted by
how much of the board is empty; on all shapes tried the weights came out much the same.
`python -m tools.othello.boards` fitted them.
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
    declare,
    lanes,
    load,
    load_shared,
    lowest,
    popcount,
    reduce_or,
    splat,
    word,
)
from parlour.kernels.othello.board_8x8 import (
    ONE,
    STEPS,
    STOP_DEPTH,
    build_flips,
    build_moves,
    inlined,
    rays,
)

# The features of the evaluation and their weights in discs, by the share of empty squares
EMPTY_SHARES = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85)
FEATURE_WEIGHTS = {
    "last move": (1.15, 0.8, 0.51, 0.63, 0.36, 0.04, 0.11, -0.25, 0.68),
    "moves doubled": (3.64, 5.26, 5.23, 6.16, 8.08, 7.18, 5.66, 3.49, 1.64),
    "open square beside": (0.88, 0.32, -0.21, -0.36, -0.38, -0.31, -0.25, -0.23, -0.05),
    "corner": (0.39, 1.24, 2.84, 5.54, 9.12, 12.46, 14.42, 16.21, 9.38),
    "beside an empty corner": (-0.66, -0.56, -0.16, -0.09, -0.88, -1.67, -2.34, -2.5, -3.19),
    "diagonal to an empty corner": (1.37, 1.39, 0.14, -1.0, -3.0, -5.45, -8.15, -9.62, -14.52),
    "edge": (-0.22, -0.21, -0.01, 0.58, 0.69, 0.9, 1.17, 1.44, 1.58),
    "stable disc": (1.03, 1.34, 1.58, 1.65, 1.56, 1.39, 1.43, 1.24, 5.69),
    "disc": (0.05, -0.15, -0.29, -0.5, -0.46, -0.51, -0.54, -0.44, -0.02),
    "corner to take": (2.86, 4.31, 5.54, 6.17, 5.91, 4.73, 3.33, 2.48, 0.66),
}
(
    LAST_MOVE, MOBILITY, FRONTIER, CORNER_DISC, C_SQUARE, X_SQUARE, EDGE_DISC, STABLE_DISC, DISC,
    CORNER_MOVE,
) = (int64(feature) for feature in range(len(FEATURE_WEIGHTS)))  # fmt: skip
WEIGHT_WORDS = int64(16)  # a row of weights
UNIT = int64(64)  # of a disc
GRAIN = int64(1024)  # of a unit: weights are stored this much finer
COUNTS = 65  # of moves
DOUBLING = 256  # what doubling the number of moves adds to its logarithm

# The table begins with vectors: what differs between the four kinds of line or the four corners.
SHIFTS, DOUBLED, FLIPPABLE, BORDERS, QUADRANTS, CORNER, BESIDE, DIAGONAL = range(8)
ARRIVING = 8  # the squares that can be reached by 1, 2, 4 and 8 steps up,
LEAVING = 12  # and down
DOUBLINGS = 4
# Then come words.
FULL, SQUARES, CORNERS, EDGES, LONG, SYMMETRIES = (int64(64 + place) for place in range(6))
RAYS = 72  # up and down from each square, eight words
WEIGHTS = int64(RAYS + 64 * 8)  # of the evaluation, by the number of empty squares
LOGARITHMS = WEIGHTS + int64(COUNTS) * WEIGHT_WORDS  # one for each number of moves
MIRRORED = LOGARITHMS + int64(COUNTS)  # where each symmetry of the board takes each square
WORDS = int(MIRRORED) + 7 * 64
CACHE_LINE = 8  # words

SHORT_LINE = 8  # squares that can be crossed with SHORT_ROUNDS doubled steps
SHORT_ROUNDS, LONG_ROUNDS = 2, 6
STABLE_ROUNDS = 6  # of finding stable discs beside stable ones; more would find hardly any
ZEROS = lanes(0, 0, 0, 0)
ONES = lanes(1, 1, 1, 1)
MAX_SHIFT = lanes(63, 63, 63, 63)  # a word shifted by more is undefined; nothing is left by then


def board_table(columns, rows):
    """Return what a search needs to know of a board; pass on its address, and keep the array."""
    raw = np.zeros(WORDS + CACHE_LINE, np.uint64)
    start = -raw.ctypes.data // 8 % CACHE_LINE
    table = raw[start : start + WORDS]
    last, bottom = columns - 1, rows - 1

    def where(chosen):
        """Return the squares whose column and row are chosen."""
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
        vectors[FLIPPABLE, lane] = full & ~sides if across else full
        vectors[BORDERS, lane] = (sides if across else 0) | (ends if down else 0)
        arriving = where(lambda column, row, across=across: 0 <= column - across <= last)
        leaving = where(lambda column, row, across=across: 0 <= column + across <= last)
        for doubling in range(DOUBLINGS):
            vectors[ARRIVING + doubling, lane] = arriving
            vectors[LEAVING + doubling, lane] = leaving
            arriving &= arriving << (shift << doubling) & full
            leaving &= leaving >> (shift << doubling)
    for lane, (x, y) in enumerate(((0, 0), (last, 0), (0, bottom), (last, bottom))):
        vectors[QUADRANTS, lane] = where(
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
    table[WEIGHTS:LOGARITHMS] = weights(columns, rows).ravel().view(np.uint64)
    table[LOGARITHMS:MIRRORED] = np.rint(DOUBLING * np.log2(np.arange(COUNTS) + 1))
    maps = symmetries(columns, rows)
    table[SYMMETRIES] = len(maps)
    for symmetry, squares in enumerate(maps):
        table[MIRRORED + 64 * symmetry :][: columns * rows] = squares
    return table


def weights(columns, rows, features=FEATURE_WEIGHTS):
    """Return the weights for each number of empty squares."""
    squares = columns * rows
    table = np.zeros((COUNTS, int(WEIGHT_WORDS)), np.int64)
    empties = np.arange(squares + 1)
    for place, discs in enumerate(features.values()):
        values = np.interp(empties / squares, EMPTY_SHARES, discs)
        table[: squares + 1, place] = np.rint(values * int(UNIT * GRAIN))
    table[::2, LAST_MOVE] *= -1  # with an even number of empty squares the opponent moves last
    table[:, MOBILITY] //= DOUBLING
    return table


def symmetries(columns, rows):
    """Return where each square goes under each rotation and reflection of the board."""
    squares = np.arange(columns * rows).reshape(rows, columns)
    maps = [squares[:, ::-1], squares[::-1], squares[::-1, ::-1]]
    if columns == rows:
        maps += [squares.T, squares.T[:, ::-1], squares.T[::-1], squares.T[::-1, ::-1]]
    return [each.ravel() for each in maps]


# For the intrinsics below: each of these emits code.


def vector_of(builder, board, place):
    """Load one of the vectors of a board's table."""
    row = builder.gep(builder.inttoptr(board, ir.PointerType(VECTOR)), [place])
    vector = builder.load(row)
    vector.align = 8
    return vector


def word_of(builder, board, place):
    """Load one of the words of a board's table."""
    words = builder.inttoptr(board, ir.PointerType(WORD))
    return builder.load(builder.gep(words, [word(place)]))


def empty_of(builder, own, other, board):
    """Return the squares without a disc."""
    return builder.and_(word_of(builder, board, FULL), builder.not_(builder.or_(own, other)))


def near_empty_corners(builder, empty, board, place):
    """Return those of the squares near each corner whose corner is empty."""
    corners = builder.and_(splat(builder, empty), vector_of(builder, board, word(CORNER)))
    taken = builder.icmp_unsigned("==", corners, ZEROS)
    near = vector_of(builder, board, word(place))
    return reduce_or(builder, builder.select(taken, ZEROS, near))


@intrinsic
def moves_on(_, own, other, board):
    """Return the legal moves of the owner of the first discs."""

    def build(context, builder, signature, args):
        own, other, board = args
        lines = [vector_of(builder, board, word(place)) for place in (SHIFTS, DOUBLED, FLIPPABLE)]
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
    """Return the discs flipped when the owner of the first discs plays on the empty square."""

    def build(context, builder, signature, args):
        own, other, square, board = args
        row = builder.add(word(RAYS // LANES), builder.shl(square, word(1)))
        upwards = vector_of(builder, board, row)
        downwards = vector_of(builder, board, builder.add(row, word(1)))
        return build_flips(builder, own, other, upwards, downwards)

    return uint64(uint64, uint64, int64, int64), build


@intrinsic
def neighbours(_, discs, board):
    """Return the squares next to any of these."""

    def build(context, builder, signature, args):
        discs, board = splat(builder, args[0]), args[1]
        shifts = vector_of(builder, board, word(SHIFTS))
        up = builder.and_(builder.shl(discs, shifts), vector_of(builder, board, word(ARRIVING)))
        down = builder.and_(builder.lshr(discs, shifts), vector_of(builder, board, word(LEAVING)))
        return reduce_or(builder, builder.or_(up, down))

    return uint64(uint64, int64), build


@intrinsic
def odd_quadrants_on(_, empty, board):
    """Return the quadrants of the board with an odd number of empty squares."""

    def build(context, builder, signature, args):
        quadrants = vector_of(builder, args[1], word(QUADRANTS))
        count = declare(builder, "llvm.ctpop.v4i64", VECTOR, [VECTOR])
        inside = builder.call(count, [builder.and_(splat(builder, args[0]), quadrants)])
        odd = builder.icmp_unsigned("!=", builder.and_(inside, ONES), ZEROS)
        return reduce_or(builder, builder.select(odd, quadrants, ZEROS))

    return uint64(uint64, int64), build


@intrinsic
def c_squares(_, empty, board):
    """Return the C-squares: the edge squares next to an empty corner."""

    def build(context, builder, signature, args):
        return near_empty_corners(builder, *args, BESIDE)

    return uint64(uint64, int64), build


@intrinsic
def x_squares(_, empty, board):
    """Return the X-squares: those diagonally next to an empty corner."""

    def build(context, builder, signature, args):
        return near_empty_corners(builder, *args, DIAGONAL)

    return uint64(uint64, int64), build


@intrinsic
def stable_on(_, own, other, board):
    """Return stable discs of the first owner, though not all of them are found.

    A disc is stable when it is safe in each kind of line: the line is full, or ends there, or a
    neighbour on it is stable and of the same colour.
    """

    def build(context, builder, signature, args):
        own, _, board = args
        shifts = vector_of(builder, board, word(SHIFTS))
        up = down = splat(builder, empty_of(builder, *args))
        step = shifts
        lesser = declare(builder, "llvm.umin.v4i64", VECTOR, [VECTOR, VECTOR])
        for doubling in range(DOUBLINGS):  # from the empty squares to all that shares their lines
            arriving = vector_of(builder, board, word(ARRIVING + doubling))
            leaving = vector_of(builder, board, word(LEAVING + doubling))
            up = builder.or_(up, builder.and_(builder.shl(up, step), arriving))
            down = builder.or_(down, builder.and_(builder.lshr(down, step), leaving))
            step = builder.call(lesser, [builder.shl(step, ONES), MAX_SHIFT])
        full = builder.not_(builder.or_(up, down))
        safe = builder.or_(full, vector_of(builder, board, word(BORDERS)))
        meet = declare(builder, "llvm.vector.reduce.and.v4i64", WORD, [VECTOR])
        stable = builder.and_(own, builder.call(meet, [safe]))
        for _ in range(STABLE_ROUNDS):
            known = splat(builder, stable)
            beside = builder.or_(builder.shl(known, shifts), builder.lshr(known, shifts))
            stable = builder.and_(own, builder.call(meet, [builder.or_(safe, beside)]))
        return stable

    return uint64(uint64, uint64, int64), build


@njit
def empties_on(own, other, board):
    """Return the number of empty squares."""
    return popcount(load(board, FULL) & ~(own | other))


@njit
def final_score_on(own, other, board):
    """Return the mover's lead when the game is over; the empty squares go to the winner."""
    mine, yours = popcount(own), popcount(other)
    if mine == yours:
        return int64(0)
    squares = int64(load(board, SQUARES))
    return squares - int64(2) * yours if mine > yours else int64(2) * mine - squares


@njit
def transform(discs, symmetry, board):
    """Return the discs under one of the symmetries of the board."""
    found = uint64(0)
    while discs:
        found |= ONE << load(board, MIRRORED + int64(64) * symmetry + lowest(discs))
        discs &= discs - ONE
    return found


@njit
def distinct_moves(own, other, mask, board):
    """Return one of each set of equivalent moves: a symmetric position has symmetric moves."""
    kept = mask
    for symmetry in range(int64(load(board, SYMMETRIES))):
        if transform(own, symmetry, board) == own and transform(other, symmetry, board) == other:
            rest = mask
            while rest:
                square = lowest(rest)
                rest &= rest - ONE
                if int64(load(board, MIRRORED + int64(64) * symmetry + square)) < square:
                    kept &= ~(ONE << uint64(square))
    return kept


@inlined
def weighted(lead, feature, row, board):
    """Return what a lead in one feature is worth."""
    return lead * int64(load(board, row + feature))


@inlined
def lead_on(own, other, squares):
    """Return how many more discs the first side has on these squares."""
    return popcount(own & squares) - popcount(other & squares)


@njit
def evaluate_on(own, other, own_moves, other_moves, empties, board):
    """Return the mover's expected final lead in units; somebody must have a move."""
    empty = load(board, FULL) & ~(own | other)
    corners = load(board, CORNERS)
    edges = load(board, EDGES) & ~corners
    beside = c_squares(empty, board)
    diagonal = x_squares(empty, board)
    mobility = int64(load(board, LOGARITHMS + popcount(own_moves)))
    mobility -= int64(load(board, LOGARITHMS + popcount(other_moves)))
    frontier = lead_on(neighbours(own, board), neighbours(other, board), empty)
    stable = popcount(stable_on(own, other, board)) - popcount(stable_on(other, own, board))
    row = WEIGHTS + empties * WEIGHT_WORDS
    total = weighted(int64(1), LAST_MOVE, row, board)
    total += weighted(mobility, MOBILITY, row, board)
    total += weighted(frontier, FRONTIER, row, board)
    total += weighted(lead_on(own, other, corners), CORNER_DISC, row, board)
    total += weighted(lead_on(own, other, beside), C_SQUARE, row, board)
    total += weighted(lead_on(own, other, diagonal), X_SQUARE, row, board)
    total += weighted(lead_on(own, other, edges & ~beside), EDGE_DISC, row, board)
    total += weighted(stable, STABLE_DISC, row, board)
    total += weighted(popcount(own) - popcount(other), DISC, row, board)
    total += weighted(lead_on(own_moves, other_moves, corners), CORNER_MOVE, row, board)
    most = int64(load(board, SQUARES)) * UNIT
    return min(max(total // GRAIN, -most), most) | int64(1)  # so never half a disc


@kernel("int64(uint64, uint64, int64, int64, int64)")
def perft(own, other, depth, board, stop):
    """Count the lines of play to this depth, as `board_8x8.perft` does."""
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
        flipped = flips_on(own, other, square, board)
        mine = own ^ flipped ^ ONE << uint64(square)
        leaves += perft(other ^ flipped, mine, depth - int64(1), board, stop)
    return leaves
