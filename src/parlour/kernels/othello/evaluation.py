"""The evaluation: pattern indices kept in vectors and carried from move to move.

The indices of a position are 48 lanes of 16 bits, twice: as the mover sees it and as the other
does. A move on m turning f changes them by the digits of those squares alone: what the mover sees
after it is the other's old view + 2 m + f, what the other sees is the mover's old view + m - f.
"""

from __future__ import annotations

from llvmlite import ir
from numba import int64, njit, uint64, void
from numba.extending import intrinsic

from parlour.kernels.intrinsics import (
    SHORT,
    SMALL,
    TRUE,
    WORD,
    frozen,
    load,
    load_short,
    lookup,
    store_short,
    word,
)
from parlour.kernels.othello.patterns import BASES, COUNT, DIGITS, PARAMETERS, SIZE, WIDTH
from parlour.kernels.othello.transposition import VIEWS, VIEWS_ROOM, WEIGHTS

PARTS = 3
SHORTS = ir.VectorType(SHORT, 16)
VIEW = WIDTH * 2  # bytes of one view
UNIT = int64(128)  # of a disc
STAGE = int64(PARAMETERS * 2)  # bytes of the weights for one number of empty squares


def _vectors(builder, address, offset=0):
    """The three vectors of a view at this address."""
    start = builder.inttoptr(builder.add(address, word(offset)), ir.PointerType(SHORTS))
    rows = [builder.load(builder.gep(start, [word(part)])) for part in range(PARTS)]
    for row in rows:
        row.align = 8
    return rows


def _write(builder, rows, address, offset=0):
    start = builder.inttoptr(builder.add(address, word(offset)), ir.PointerType(SHORTS))
    for part, row in enumerate(rows):
        builder.store(row, builder.gep(start, [word(part)])).align = 8


def _digits(builder, square):
    """What a disc of the mover on this square adds to each index."""
    table = frozen(builder, "othello.digits", DIGITS)
    table = builder.bitcast(table, ir.PointerType(SHORTS))
    start = builder.mul(square, word(PARTS))
    rows = [
        builder.load(builder.gep(table, [builder.add(start, word(part))])) for part in range(PARTS)
    ]
    for row in rows:
        row.align = 32
    return rows


def _add(builder, rows, others):
    return [builder.add(row, other) for row, other in zip(rows, others, strict=True)]


def _sum_of_digits(builder, mask):
    """The digits of all squares of a mask that is not empty, added up."""
    b = builder
    before, again = b.block, b.append_basic_block("digits")
    after = b.append_basic_block("digits.done")
    b.branch(again)
    b.position_at_end(again)
    rest = b.phi(WORD)
    sums = [b.phi(SHORTS) for _ in range(PARTS)]
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


def _weigh(builder, indices, weights):
    """The sum of the weights at the indices, read from memory."""
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
def patterns_after(_, views, square, turned, weights):
    """The pattern sum after a move, as the next mover sees it; nothing is changed."""

    def build(context, builder, signature, args):
        views, square, turned, weights = args
        b = builder
        with b.goto_entry_block():
            room = b.alloca(ir.ArrayType(SHORTS, PARTS))
            room.align = 32
        indices = _add(b, _vectors(b, views, VIEW), _sum_of_digits(b, turned))
        digits = _digits(b, square)
        indices = _add(b, _add(b, indices, digits), digits)
        for part, row in enumerate(indices):
            b.store(row, b.gep(room, [word(0), word(part)])).align = 32
        return _weigh(b, room, weights)

    return int64(int64, int64, uint64, int64), build


@intrinsic
def patterns_here(_, views, weights):
    """The pattern sum of a position as its mover sees it."""

    def build(context, builder, signature, args):
        start = builder.inttoptr(args[0], ir.PointerType(SHORTS))
        return _weigh(builder, start, args[1])

    return int64(int64, int64), build


@intrinsic
def carry_views(_, views, square, turned, after):
    """Write both views after a move."""

    def build(context, builder, signature, args):
        views, square, turned, after = args
        b = builder
        mine, yours = _vectors(b, views), _vectors(b, views, VIEW)
        flipped = _sum_of_digits(b, turned)
        digits = _digits(b, square)
        _write(b, _add(b, _add(b, _add(b, yours, flipped), digits), digits), after)
        seen = [
            b.sub(b.add(row, digit), flip)
            for row, digit, flip in zip(mine, digits, flipped, strict=True)
        ]
        _write(b, seen, after, VIEW)
        return context.get_dummy_value()

    return void(int64, int64, uint64, int64), build


@intrinsic
def swap_views(_, views):
    """After a pass."""

    def build(context, builder, signature, args):
        mine, yours = _vectors(builder, args[0]), _vectors(builder, args[0], VIEW)
        _write(builder, yours, args[0])
        _write(builder, mine, args[0], VIEW)
        return context.get_dummy_value()

    return void(int64), build


digit = lookup("othello.digits", DIGITS)


@njit
def views_at(empties, work):
    """Where the views of the position with so many empty squares lie."""
    return work + int64(8) * (VIEWS + empties * VIEWS_ROOM)


@njit
def weights_at(empties, work):
    """Where the weights of that stage begin."""
    return int64(load(work, WEIGHTS)) + empties * STAGE


@njit
def set_views(own, other, empties, work):
    """Write both views of a position from nothing."""
    views = views_at(empties, work)
    for lane in range(int64(WIDTH)):
        mine = int64(0)
        yours = int64(0)
        for square in range(int64(64)):
            if own >> uint64(square) & uint64(1):
                mine += digit(square * int64(WIDTH) + lane)
            if other >> uint64(square) & uint64(1):
                yours += digit(square * int64(WIDTH) + lane)
        store_short(views, lane, mine + int64(2) * yours)
        store_short(views, int64(WIDTH) + lane, yours + int64(2) * mine)


@njit
def mobility_value(mine, yours, weights):
    """The part of the value that counts moves."""
    return load_short(weights, int64(SIZE) + mine) + load_short(weights, int64(SIZE + 64) + yours)
