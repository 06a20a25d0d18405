"""What the processor can do and numba cannot say: one-instruction bit tricks, raw memory, vectors.

Each intrinsic here is written in the compiler's own language. All but `extract` is generic: the
compiler finds instructions for any processor, only faster ones where the processor has them; who
uses `extract` has another way beside it. A table is passed as an address, so that a call hands on
one number and not the seven of an array.
"""

from __future__ import annotations

import llvmlite.binding as llvm
from llvmlite import ir
from numba import config, int64, uint64, void
from numba.extending import intrinsic

WORD = ir.IntType(64)
SMALL = ir.IntType(32)
SHORT = ir.IntType(16)
BYTE = ir.IntType(8)
TRUE = ir.Constant(ir.IntType(1), 1)
FALSE = ir.Constant(ir.IntType(1), 0)
LANES = 4
VECTOR = ir.VectorType(WORD, LANES)  # one board, seen along the four kinds of line
SLOW_EXTRACT = ("znver1", "znver2")  # processors that have it, but not as one instruction


def _has_extract():
    """Whether code is compiled for a processor that packs bits in one instruction."""
    host = llvm.get_host_cpu_name()
    if config.CPU_FEATURES is not None:
        return "+bmi2" in config.CPU_FEATURES
    if config.CPU_NAME not in (None, host) or host in SLOW_EXTRACT:
        return False
    return bool(llvm.get_host_cpu_features().get("bmi2"))


HAS_EXTRACT = _has_extract()

# For those who write intrinsics: each of these adds to the code that is being built.


def word(number):
    """A 64-bit constant."""
    return ir.Constant(WORD, number)


def lanes(*numbers):
    """A vector of constants, one for each lane."""
    return ir.Constant(VECTOR, [word(number) for number in numbers])


def function_of(builder, name, result, arguments):
    """A function of the compiler by its name."""
    module = builder.module
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, arguments), name)


def spread(builder, value):
    """The same value in every lane."""
    nothing = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(SMALL, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(SMALL, LANES), None))


def union(builder, vector):
    """The union of the lanes."""
    together = function_of(builder, "llvm.vector.reduce.or.v4i64", WORD, [VECTOR])
    return builder.call(together, [vector])


def frozen(builder, name, array):
    """The address of a numpy array's numbers, as a constant in the compiled code."""
    module = builder.module
    if name in module.globals:
        return module.globals[name]
    raw = array.tobytes()
    table = ir.GlobalVariable(module, ir.ArrayType(BYTE, len(raw)), name)
    table.linkage = "internal"
    table.global_constant = True
    table.align = 64
    table.initializer = ir.Constant(table.value_type, bytearray(raw))
    return table


def vector_at(builder, table, index):
    """One vector of a table of them that begins at an even address."""
    rows = builder.bitcast(table, ir.PointerType(VECTOR))
    row = builder.load(builder.gep(rows, [index], inbounds=True))
    row.align = 32
    return row


def lookup(name, array, result=int64):
    """A compiled function from an index to a number of this array, kept in the compiled code."""
    kind = ir.IntType(8 * array.itemsize)

    @intrinsic
    def at(_, index):
        def build(context, builder, signature, args):
            table = builder.bitcast(frozen(builder, name, array), ir.PointerType(kind))
            value = builder.load(builder.gep(table, [args[0]], inbounds=True))
            if kind == WORD:
                return value
            widen = builder.sext if array.dtype.kind == "i" else builder.zext
            return widen(value, WORD)

        return result(int64), build

    return at


# Bits


@intrinsic
def popcount(_, mask):
    """How many bits are set."""
    return int64(uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def lowest(_, mask):
    """The number of the lowest set bit of a mask that is not empty."""
    return int64(uint64), lambda context, builder, signature, args: builder.cttz(args[0], TRUE)


@intrinsic
def length_of(_, number):
    """How many bits a number has, 0 for 0."""

    def build(context, builder, signature, args):
        return builder.sub(word(64), builder.ctlz(args[0], FALSE))

    return int64(uint64), build


@intrinsic
def extract(_, board, mask):
    """The bits of the board on the squares of the mask, packed together; see `HAS_EXTRACT`."""

    def build(context, builder, signature, args):
        pack = function_of(builder, "llvm.x86.bmi.pext.64", WORD, [WORD, WORD])
        return builder.call(pack, args)

    return uint64(uint64, uint64), build


# Memory


def place_of(builder, kind, address, index):
    """A pointer to the number so many of its kind after an address."""
    return builder.gep(builder.inttoptr(address, ir.PointerType(kind)), [index])


@intrinsic
def load(_, address, index):
    """The 64-bit word so many words after the address."""

    def build(context, builder, signature, args):
        return builder.load(place_of(builder, WORD, *args))

    return uint64(int64, int64), build


@intrinsic
def load_shared(_, address, index):
    """The same where another thread may be writing: an old word or a new one, but a whole one."""

    def build(context, builder, signature, args):
        return builder.load_atomic(place_of(builder, WORD, *args), "monotonic", 8)

    return uint64(int64, int64), build


@intrinsic
def store_shared(_, address, index, value):
    """Write a 64-bit word where another thread may be reading."""

    def build(context, builder, signature, args):
        builder.store_atomic(args[2], place_of(builder, WORD, *args[:2]), "monotonic", 8)
        return context.get_dummy_value()

    return void(int64, int64, uint64), build


@intrinsic
def load_short(_, address, index):
    """The signed 16-bit number so many of them after the address."""

    def build(context, builder, signature, args):
        return builder.sext(builder.load(place_of(builder, SHORT, *args)), WORD)

    return int64(int64, int64), build


@intrinsic
def store(_, address, index, value):
    """Write a 64-bit word."""

    def build(context, builder, signature, args):
        builder.store(args[2], place_of(builder, WORD, *args[:2]))
        return context.get_dummy_value()

    return void(int64, int64, uint64), build


@intrinsic
def store_short(_, address, index, value):
    """Write 16 bits."""

    def build(context, builder, signature, args):
        builder.store(builder.trunc(args[2], SHORT), place_of(builder, SHORT, *args[:2]))
        return context.get_dummy_value()

    return void(int64, int64, int64), build


@intrinsic
def prefetch(_, address, index):
    """Begin to bring near the memory around that word."""

    def build(context, builder, signature, args):
        pointer = ir.PointerType(BYTE)
        kinds = [pointer, SMALL, SMALL, SMALL]
        fetch = function_of(builder, "llvm.prefetch.p0", ir.VoidType(), kinds)
        to_read_and_keep = [ir.Constant(SMALL, number) for number in (0, 3, 1)]
        place = builder.bitcast(place_of(builder, WORD, *args), pointer)
        builder.call(fetch, [place, *to_read_and_keep])
        return context.get_dummy_value()

    return void(int64, int64), build
