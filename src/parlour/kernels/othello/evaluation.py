"""The evaluation: weights of patterns, mobility and quadrants; pattern indices follow the moves.

A pattern is a short list of squares, used in up to eight orientations of the board; each square is
a ternary digit (0 empty, 1 the mover's, 2 the opponent's). `DIGITS[square]` holds what a disc of
the mover on that square adds to the index of each oriented pattern.

The indices of a position are 48 lanes of 16 bits, twice: as the mover sees it and as the opponent
does. A move on m flipping f changes them by the digits of those squares alone: the next mover's
indices are the opponent's old ones + 2 m + f, those of the side that moved the mover's + m - f.

Patterns do not see which squares are legal moves. So the moves of either side are counted, on the
whole board and in each quadrant, there together with its empty squares: whether their number is odd
decides who moves last.

A phase of the game is a number of empty squares. The file of weights, which
`python -m tools.othello.train` made, holds one row for each phase from `FIRST` on, as differences
from row to row: most are zero, which compresses well. Of two mirrored entries only one is stored.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import numpy as np
from llvmlite import ir
from numba import int64, uint64, void
from numba.extending import intrinsic

from parlour.kernels.compiler import helper
from parlour.kernels.intrinsics import (
    SHORT,
    SMALL,
    TRUE,
    WORD,
    constant_table,
    load,
    load_short,
    lookup,
    popcount,
    store_short,
    word,
)
from parlour.kernels.othello.bitboard import inlined
from parlour.kernels.othello.transposition import PATTERN_WORDS, PATTERNS, WEIGHTS

# Patterns

LANES = 48  # kept for the indices of one side; the last few are unused
NAMES = {
    "edge": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "corner": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "block": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "a2 b3 c4 d5 e6 f7 g8",
    "diagonal 6": "a3 b4 c5 d6 e7 f8",
    "diagonal 5": "a4 b5 c6 d7 e8",
    "diagonal 4": "a5 b6 c7 d8",
}


def _square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def transform(square, symmetry):
    """Return the square in one of the eight orientations of the board."""
    column, row = square % 8, square // 8
    if symmetry & 1:
        column = 7 - column
    if symmetry & 2:
        row = 7 - row
    if symmetry & 4:
        column, row = row, column
    return column + 8 * row


def _layout():
    instances, bases, families = [], [], []
    total = 0
    for name, text in NAMES.items():
        squares = [_square(word) for word in text.split()]
        seen = {}
        mirror = None
        for symmetry in range(8):
            oriented = [transform(square, symmetry) for square in squares]
            key = frozenset(oriented)
            if key in seen:
                # the same squares in another order: the table is symmetric under this exchange
                if seen[key] == squares:
                    mirror = [oriented.index(square) for square in squares]
                continue
            seen[key] = oriented
            instances.append(oriented)
            bases.append(total)
        families.append((name, total, len(squares), mirror))
        total += 3 ** len(squares)
    digits = np.zeros((64, LANES), np.int16)
    for lane, squares in enumerate(instances):
        for place, square in enumerate(squares):
            digits[square, lane] = 3**place
    return instances, np.array(bases, np.int64), families, total, digits


INSTANCES, BASES, FAMILIES, SIZE, DIGITS = _layout()
COUNT = len(INSTANCES)
# After the patterns come two tables for the moves of either side, and one for the quadrants.
MOBILITY = SIZE
QUADRANT = MOBILITY + 2 * 64
MOST_EMPTY, MOST_MOVES = 7, 4  # counted in a quadrant; more are taken for as many
QUADRANT_SIZE = (MOST_EMPTY + 1) * (MOST_MOVES + 1) ** 2
PARAMETERS = QUADRANT + QUADRANT_SIZE
QUADRANTS = (0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32)
UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT = (uint64(mask) for mask in QUADRANTS)


def find_shared_entries():
    """Return the entry that each entry shares its weight with; only patterns share any."""
    same = np.arange(PARAMETERS, dtype=np.int32)
    for _, base, length, mirror in FAMILIES:
        if mirror is None:
            continue
        indices = np.arange(3**length)
        mirrored = np.zeros_like(indices)
        for place in range(length):
            mirrored += indices // 3**place % 3 * 3 ** mirror[place]
        same[base : base + 3**length] = base + np.minimum(indices, mirrored)
    return same


# Weights

FILE = Path(__file__).with_name("weights.bin")
FIRST = 1  # without an empty square nothing is evaluated
PHASES = 65  # 0 to 64 empty squares
PHASE_BYTES = int64(PARAMETERS * 2)


def pack(rows):
    """Return the bytes of the file for these rows, which begin at the phase `FIRST`."""
    same = find_shared_entries()
    kept = rows.astype(np.int16)[:, same == np.arange(PARAMETERS)]
    steps = np.diff(kept, axis=0, prepend=np.int16(0)).T
    return zlib.compress(np.stack([steps & 0xFF, steps >> 8]).astype(np.uint8).tobytes(), 9)


def unpack(data):
    """Return the rows that were packed."""
    same = find_shared_entries()
    kept = same == np.arange(PARAMETERS)
    low, high = np.frombuffer(zlib.decompress(data), np.uint8).reshape(
        2, np.count_nonzero(kept), -1
    )
    steps = (high.astype(np.int16) << 8 | low).T
    rows = np.cumsum(steps, axis=0, dtype=np.int16)
    return rows[:, (np.cumsum(kept) - 1)[same]]


@cache
def weights():
    """Return the weights of every phase, in 128ths of a disc."""
    rows = unpack(FILE.read_bytes())
    phases = np.clip(np.arange(PHASES), FIRST, FIRST + len(rows) - 1) - FIRST
    return np.ascontiguousarray(rows[phases])


# Indices, in three vectors for each side

VECTORS = 3
SHORTS = ir.VectorType(SHORT, 16)
SIDE = LANES * 2  # bytes of one side's indices


def _read(builder, address, offset=0):
    """Load the vectors of one side's indices."""
    start = builder.inttoptr(builder.add(address, word(offset)), ir.PointerType(SHORTS))
    rows = [builder.load(builder.gep(start, [word(part)])) for part in range(VECTORS)]
    for row in rows:
        row.align = 8
    return rows


def _write(builder, rows, address, offset=0):
    start = builder.inttoptr(builder.add(address, word(offset)), ir.PointerType(SHORTS))
    for part, row in enumerate(rows):
        builder.store(row, builder.gep(start, [word(part)])).align = 8


def _digits(builder, square):
    """Load what a disc of the mover on this square adds to each index."""
    table = constant_table(builder, "othello.digits", DIGITS)
    table = builder.bitcast(table, ir.PointerType(SHORTS))
    start = builder.mul(square, word(VECTORS))
    places = [builder.add(start, word(part)) for part in range(VECTORS)]
    rows = [builder.load(builder.gep(table, [place])) for place in places]
    for row in rows:
        row.align = 32
    return rows


def _add(builder, rows, others):
    return [builder.add(row, other) for row, other in zip(rows, others, strict=True)]


def _sum_digits(builder, mask):
    """Add up the digits of all squares of a mask that is not empty."""
    b = builder
    before, again = b.block, b.append_basic_block("digits")
    after = b.append_basic_block("digits.done")
    b.branch(again)
    b.position_at_end(again)
    rest = b.phi(WORD)
    sums = [b.phi(SHORTS) for _ in range(VECTORS)]
    rest.add_incoming(mask, before)
    rows = _digits(b, b.cttz(rest, TRUE))
    totals = _add(b, sums, rows)
    for sum_, total in zip(sums, totals, strict=True):
        sum_.add_incoming(ir.Constant(SHORTS, None), before)
        sum_.add_incoming(total, again)
    less = b.and_(rest, b.sub(rest, word(1)))
    rest.add_incoming(less, again)
    b.cbranch(b.icmp_unsigned("!=", less, word(0)), again, after)
    b.position_at_end(after)
    return totals


def _sum_weights(builder, indices, weights):
    """Add up the weights at these indices, which are read from memory."""
    b = builder
    start = b.bitcast(indices, ir.PointerType(SHORT))
    weights = b.inttoptr(weights, ir.PointerType(SHORT))
    sums = [ir.Constant(SMALL, 0)] * 4
    for lane in range(COUNT):
        index = b.zext(b.load(b.gep(start, [word(lane)])), WORD)
        place = b.gep(b.gep(weights, [word(int(BASES[lane]))]), [index])
        sums[lane % 4] = b.add(sums[lane % 4], b.sext(b.load(place), SMALL))
    return b.sext(b.add(b.add(sums[0], sums[1]), b.add(sums[2], sums[3])), WORD)


@intrinsic
def pattern_sum(_, indices, weights):
    """Return the sum of the pattern weights of a position for its mover."""

    def build(context, builder, signature, args):
        start = builder.inttoptr(args[0], ir.PointerType(SHORTS))
        return _sum_weights(builder, start, args[1])

    return int64(int64, int64), build


@intrinsic
def pattern_sum_after(_, indices, square, flipped, weights):
    """Return the pattern sum after a move, for the next mover, without updating the indices."""

    def build(context, builder, signature, args):
        indices, square, flipped, weights = args
        b = builder
        with b.goto_entry_block():
            scratch = b.alloca(ir.ArrayType(SHORTS, VECTORS))
            scratch.align = 32
        rows = _add(b, _read(b, indices, SIDE), _sum_digits(b, flipped))
        digits = _digits(b, square)
        rows = _add(b, _add(b, rows, digits), digits)
        for part, row in enumerate(rows):
            b.store(row, b.gep(scratch, [word(0), word(part)])).align = 32
        return _sum_weights(b, scratch, weights)

    return int64(int64, int64, uint64, int64), build


@intrinsic
def update_indices(_, indices, square, flipped, after):
    """Write the indices of both sides after a move."""

    def build(context, builder, signature, args):
        indices, square, flipped, after = args
        b = builder
        mine, yours = _read(b, indices), _read(b, indices, SIDE)
        flips = _sum_digits(b, flipped)
        digits = _digits(b, square)
        _write(b, _add(b, _add(b, _add(b, yours, flips), digits), digits), after)
        moved = [
            b.sub(b.add(row, digit), flip)
            for row, digit, flip in zip(mine, digits, flips, strict=True)
        ]
        _write(b, moved, after, SIDE)
        return context.get_dummy_value()

    return void(int64, int64, uint64, int64), build


@intrinsic
def swap_indices(_, indices):
    """Exchange the indices of the two sides, for a pass."""

    def build(context, builder, signature, args):
        mine, yours = _read(builder, args[0]), _read(builder, args[0], SIDE)
        _write(builder, yours, args[0])
        _write(builder, mine, args[0], SIDE)
        return context.get_dummy_value()

    return void(int64), build


digit = lookup("othello.digits", DIGITS)


@helper
def indices_at(empties, work):
    """Return the address of the pattern indices of this ply."""
    return work + int64(8) * (PATTERNS + empties * PATTERN_WORDS)


@helper
def weights_at(empties, work):
    """Return the address of the weights of this phase."""
    return int64(load(work, WEIGHTS)) + empties * PHASE_BYTES


@helper
def set_indices(own, other, empties, work):
    """Write the indices of a position from scratch."""
    indices = indices_at(empties, work)
    for lane in range(int64(LANES)):
        mine = int64(0)
        yours = int64(0)
        for square in range(int64(64)):
            if own >> uint64(square) & uint64(1):
                mine += digit(square * int64(LANES) + lane)
            if other >> uint64(square) & uint64(1):
                yours += digit(square * int64(LANES) + lane)
        store_short(indices, lane, mine + int64(2) * yours)
        store_short(indices, int64(LANES) + lane, yours + int64(2) * mine)


@inlined
def quadrant_index(empty, own_moves, other_moves, quadrant):
    """Return the entry of a quadrant, by its empty squares and the moves there."""
    empties = min(popcount(empty & quadrant), int64(MOST_EMPTY))
    mine = min(popcount(own_moves & quadrant), int64(MOST_MOVES))
    yours = min(popcount(other_moves & quadrant), int64(MOST_MOVES))
    return (empties * int64(MOST_MOVES + 1) + mine) * int64(MOST_MOVES + 1) + yours


@inlined
def quadrant_weight(empty, own_moves, other_moves, quadrant, weights):
    """Return the weight of a quadrant."""
    index = quadrant_index(empty, own_moves, other_moves, quadrant)
    return load_short(weights, int64(QUADRANT) + index)


@helper
def moves_value(empty, own_moves, other_moves, weights):
    """Return the part of the evaluation that depends on the legal moves of both sides."""
    value = load_short(weights, int64(MOBILITY) + popcount(own_moves))
    value += load_short(weights, int64(MOBILITY + 64) + popcount(other_moves))
    value += quadrant_weight(empty, own_moves, other_moves, UPPER_LEFT, weights)
    value += quadrant_weight(empty, own_moves, other_moves, UPPER_RIGHT, weights)
    value += quadrant_weight(empty, own_moves, other_moves, LOWER_LEFT, weights)
    return value + quadrant_weight(empty, own_moves, other_moves, LOWER_RIGHT, weights)
