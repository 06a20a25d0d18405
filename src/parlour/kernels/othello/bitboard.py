"""Othello in vectors, one lane for each of the four kinds of line, on boards of up to 64 squares.

A function takes its `board` as None for 8x8, whose shape is then compiled in, or as the address of
a table of words, which `board_table` makes: shifts, edges, rays, corners and the squares next to
them, quadrants, symmetries and the weights of an evaluation. numba compiles it for either.

Legal moves are found by running from the mover's discs over the opponent's, doubling the step.
Flips are found by addition: upwards, a carry ripples through the opponent's discs to the square
that closes the run; downwards, that square is the highest on the ray without an opposing disc.

The evaluation by a table knows no patterns. It counts features that matter on every shape, each
weighted by how much of the board is empty; on all shapes tried the weights came out much the same.
`python -m tools.othello.boards` fitted them.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import int64, types, uint64
from numba.extending import intrinsic

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import (
    COUNTS_LEADING_ZEROS,
    LANES,
    SMALL,
    TRUE,
    VECTOR,
    WORD,
    constant_table,
    declare,
    lanes,
    load,
    load_shared,
    load_vector,
    lowest,
    popcount,
    reduce_or,
    splat,
    spread_or,
    word,
)

ZERO = uint64(0)
ONE = uint64(1)
STEPS = ((1, 0), (0, 1), (-1, 1), (1, 1))  # column and row, towards higher squares
UNIT = int64(128)  # of a disc, in which positions are evaluated
STOP_DEPTH = int64(7)  # nearer the leaves `perft` does not poll the stop flag

inlined = helper(forceinline=True)


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


# The 8x8 board
FULL_8X8 = uint64(0xFFFFFFFFFFFFFFFF)
CORNERS_8X8 = uint64(0x8100000000000081)
INNER_8X8 = 0x7E7E7E7E7E7E7E7E  # a run across columns never flips an edge disc
LINES_8X8 = (
    lanes(1, 8, 7, 9),
    lanes(2, 16, 14, 18),
    lanes(INNER_8X8, int(FULL_8X8), INNER_8X8, INNER_8X8),
)
FOURFOLD_8X8 = lanes(4, 32, 28, 36)
UPWARDS_8X8, DOWNWARDS_8X8 = rays(1), rays(-1)

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
GRAIN = int64(512)  # of a unit: weights are stored this much finer
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
    empty = builder.not_(builder.or_(own, other))
    return empty if board.type != WORD else builder.and_(word_of(builder, board, FULL), empty)


def near_empty_corners(builder, empty, board, place):
    """Return those of the squares near each corner whose corner is empty."""
    corners = builder.and_(splat(builder, empty), vector_of(builder, board, word(CORNER)))
    taken = builder.icmp_unsigned("==", corners, ZEROS)
    near = vector_of(builder, board, word(place))
    return reduce_or(builder, builder.select(taken, ZEROS, near))


def build_moves(b, seeds, others, shifts, doubled, flippable, rounds):
    """Emit code for the squares beyond the far ends of runs of opposing discs, empty or not.

    The discs of either side are given in every lane.
    """
    through = b.and_(others, flippable)
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


def build_highest(b, squares):
    """Emit code for the highest square in each lane, some low one in an empty lane."""
    count = declare(b, "llvm.ctlz.v4i64", VECTOR, [VECTOR, ir.IntType(1)])
    zeros = b.call(count, [b.or_(squares, ONES), TRUE])
    return b.lshr(lanes(*[1 << 63] * LANES), zeros)


def build_highest_8x8(b, squares):
    """Do the same on lines of up to eight squares by shifts, with other squares not on the line."""
    step, doubled, _ = LINES_8X8
    below = b.lshr(squares, step)
    below = b.or_(below, b.lshr(below, step))
    below = b.or_(below, b.lshr(below, doubled))
    below = b.or_(below, b.lshr(below, FOURFOLD_8X8))
    return b.not_(below)


def build_flips(b, own, other, upwards, downwards, find_highest):
    """Emit code for the discs flipped in each lane, given the rays of the square played on.

    The discs of either side are given in every lane, as in `build_moves`.
    """
    # Upwards: of the squares of the ray without an opposing disc, their negative has the lowest
    # one only.
    stops = b.and_(upwards, b.not_(other))
    end = b.and_(b.sub(ZEROS, stops), b.and_(own, upwards))
    run = b.and_(upwards, b.sub(end, ONES))
    flipped = b.select(b.icmp_unsigned("!=", end, ZEROS), run, ZEROS)
    # Downwards: that square is the highest.
    highest = find_highest(b, b.and_(downwards, b.not_(other)))
    end = b.and_(highest, b.and_(own, downwards))
    run = b.and_(downwards, b.sub(ZEROS, b.shl(end, ONES)))
    return b.or_(flipped, run)


def build_moves_on(b, own, other, board):
    """Emit code for `build_moves` on the board of a type: None for 8x8, or the address of a table.

    The squares are those of all lanes together.
    """
    if board.type != WORD:
        return build_moves(b, own, other, *LINES_8X8, SHORT_ROUNDS)
    lines = [vector_of(b, board, word(place)) for place in (SHIFTS, DOUBLED, FLIPPABLE)]
    is_long = b.trunc(word_of(b, board, LONG), ir.IntType(1))
    with b.if_else(is_long) as (then, otherwise):
        with then:
            far = build_moves(b, own, other, *lines, LONG_ROUNDS)
            then_end = b.block
        with otherwise:
            near = build_moves(b, own, other, *lines, SHORT_ROUNDS)
            otherwise_end = b.block
    ends = b.phi(WORD)
    ends.add_incoming(far, then_end)
    ends.add_incoming(near, otherwise_end)
    return ends


def build_flips_on(b, own, other, square, board):
    """Emit code for `build_flips` on either kind of board."""
    if board.type != WORD:
        tables = (("othello.upwards", UPWARDS_8X8), ("othello.downwards", DOWNWARDS_8X8))
        lines = [load_vector(b, constant_table(b, *each), square) for each in tables]
        highest = build_highest if COUNTS_LEADING_ZEROS else build_highest_8x8
        return build_flips(b, own, other, *lines, highest)
    row = b.add(word(RAYS // LANES), b.shl(square, word(1)))
    lines = [vector_of(b, board, place) for place in (row, b.add(row, word(1)))]
    return build_flips(b, own, other, *lines, build_highest)


@intrinsic
def moves_of(_, own, other, board):
    """Return the legal moves of the owner of the first discs."""

    def build(context, builder, signature, args):
        own, other, board = args
        ends = build_moves_on(builder, splat(builder, own), splat(builder, other), board)
        return builder.and_(ends, empty_of(builder, own, other, board))

    return uint64(uint64, uint64, board), build


@intrinsic
def flips_of(_, own, other, square, board):
    """Return the discs flipped when the owner of the first discs plays on the empty square."""

    def build(context, builder, signature, args):
        own, other, square, board = args
        lines = build_flips_on(builder, splat(builder, own), splat(builder, other), square, board)
        return reduce_or(builder, lines)

    return uint64(uint64, uint64, int64, board), build


@intrinsic
def flips_and_replies(_, own, other, square, board):
    """Return the discs flipped by a legal move, and then the legal moves of the opponent.

    That is faster than one after the other, since the boards stay in vectors.
    """

    def build(context, builder, signature, args):
        own, other, square, board = args
        b = builder
        mine, yours = splat(b, own), splat(b, other)
        flipped = spread_or(b, build_flips_on(b, mine, yours, square, board))
        move = b.shl(word(1), square)
        mine, yours = b.xor(b.xor(mine, splat(b, move)), flipped), b.xor(yours, flipped)
        ends = build_moves_on(b, yours, mine, board)
        replies = b.and_(ends, empty_of(b, b.or_(own, move), other, board))
        first = b.extract_element(flipped, ir.Constant(SMALL, 0))
        return context.make_tuple(b, signature.return_type, [first, replies])

    return types.UniTuple(uint64, 2)(uint64, uint64, int64, board), build


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
def odd_quadrants_by_table(_, empty, board):
    """Do `odd_quadrants` on a board with a table."""

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
def stable_by_table(_, own, other, board):
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


@inlined
def empty_squares(own, other, board):
    """Return the squares without a disc."""
    return ~(own | other) & (FULL_8X8 if board is None else load(board, FULL))


@inlined
def squares_of(board):
    """Return the number of squares."""
    return int64(64) if board is None else int64(load(board, SQUARES))


@inlined
def corners_of(board):
    """Return the four corners."""
    return CORNERS_8X8 if board is None else load(board, CORNERS)


@helper
def final_score(own, other, board):
    """Return the mover's lead when the game is over; the empty squares go to the winner."""
    mine, yours = popcount(own), popcount(other)
    if mine > yours:
        return squares_of(board) - int64(2) * yours
    if mine < yours:
        return int64(2) * mine - squares_of(board)
    return int64(0)


@helper
def weighted_mobility(mask, board):
    """Return the number of moves, a corner counting double."""
    return popcount(mask) + popcount(mask & corners_of(board))


@inlined
def odd_quadrants(empty, board):
    """Return the quadrants of the board with an odd number of empty squares."""
    if board is not None:
        return odd_quadrants_by_table(empty, board)
    fold = empty ^ empty >> ONE
    fold ^= fold >> uint64(2)
    fold &= uint64(0x1111111111111111)
    fold ^= fold >> uint64(8)
    fold ^= fold >> uint64(16)
    return (fold & uint64(0x0000001100000011)) * uint64(0x0F0F0F0F)


@helper
def transform(discs, symmetry, board):
    """Return the discs under one of the symmetries of the board."""
    found = uint64(0)
    while discs:
        found |= ONE << load(board, MIRRORED + int64(64) * symmetry + lowest(discs))
        discs &= discs - ONE
    return found


@helper
def distinct_moves(own, other, mask, board):
    """Return one of each set of equivalent moves: a symmetric position has symmetric moves.

    On 8x8 that is not worth finding out.
    """
    kept = mask
    if board is None:
        return kept
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
def weigh(lead, feature, row, board):
    """Return what a lead in one feature is worth."""
    return lead * int64(load(board, row + feature))


@inlined
def lead_on(own, other, squares):
    """Return how many more discs the first side has on these squares."""
    return popcount(own & squares) - popcount(other & squares)


@helper
def evaluate_features(own, other, own_moves, other_moves, empties, board):
    """Return the mover's expected final lead in units; somebody must have a move."""
    empty = empty_squares(own, other, board)
    corners = corners_of(board)
    edges = load(board, EDGES) & ~corners
    beside = c_squares(empty, board)
    diagonal = x_squares(empty, board)
    mobility = int64(load(board, LOGARITHMS + popcount(own_moves)))
    mobility -= int64(load(board, LOGARITHMS + popcount(other_moves)))
    frontier = lead_on(neighbours(own, board), neighbours(other, board), empty)
    stable = popcount(stable_by_table(own, other, board)) - popcount(
        stable_by_table(other, own, board)
    )
    row = WEIGHTS + empties * WEIGHT_WORDS
    total = weigh(int64(1), LAST_MOVE, row, board)
    total += weigh(mobility, MOBILITY, row, board)
    total += weigh(frontier, FRONTIER, row, board)
    total += weigh(lead_on(own, other, corners), CORNER_DISC, row, board)
    total += weigh(lead_on(own, other, beside), C_SQUARE, row, board)
    total += weigh(lead_on(own, other, diagonal), X_SQUARE, row, board)
    total += weigh(lead_on(own, other, edges & ~beside), EDGE_DISC, row, board)
    total += weigh(stable, STABLE_DISC, row, board)
    total += weigh(popcount(own) - popcount(other), DISC, row, board)
    total += weigh(lead_on(own_moves, other_moves, corners), CORNER_MOVE, row, board)
    most = squares_of(board) * UNIT
    return min(max(total // GRAIN, -most), most) | int64(1)  # so never half a disc


@helper
def count_lines(own, other, depth, board, stop):
    """Do `perft` on a board that may be None."""
    mask = moves_of(own, other, board)
    if not mask:
        if depth == int64(1) or not moves_of(other, own, board):
            return int64(1)
        return count_lines(other, own, depth - int64(1), board, stop)
    if depth == int64(1):
        return popcount(mask)
    if depth >= STOP_DEPTH and load_shared(stop, int64(0)):
        return int64(0)
    leaves = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        flipped, replies = flips_and_replies(own, other, square, board)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        if depth == int64(2):  # not one call deeper, since most of the time is spent here
            leaves += max(popcount(replies), int64(1))
        else:
            leaves += count_lines(yours, mine, depth - int64(1), board, stop)
    return leaves


@kernel("int64(uint64, uint64, int64, int64, int64)")
def perft(own, other, depth, board, stop):
    """Count the lines of play to this depth; a pass is a move, a finished game one leaf.

    `board` is the address of a table, or 0 for the 8x8 board. The count is meaningless once the
    word at the address `stop` is set.
    """
    if board:
        return count_lines(own, other, depth, board, stop)
    return count_lines(own, other, depth, None, stop)
