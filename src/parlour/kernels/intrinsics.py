"""What kernels share: bit tricks, raw memory and vectors.

The intrinsics are written in LLVM's own language, for what the processor can do and numba cannot
say. All but `extract` are generic: LLVM finds instructions for any processor, faster ones where it
has them; users of `extract` provide a fallback. A table is passed as an address, so that a call
hands on one number and not the seven of an array.
"""

from __future__ import annotations

import llvmlite.binding as llvm
from llvmlite import ir
from numba import config, int64, uint64, void
from numba.extending import intrinsic

from parlour.kernels.objects import SLOW_EXTRACT

WORD = ir.IntType(64)
SMALL = ir.IntType(32)
SHORT = ir.IntType(16)
BYTE = ir.IntType(8)
TRUE = ir.Constant(ir.IntType(1), 1)
FALSE = ir.Constant(ir.IntType(1), 0)
LANES = 4
VECTOR = ir.VectorType(WORD, LANES)  # one board for each of the four kinds of line


def _has(feature):
    """Return whether the processor compiled for is known to have a feature, as LLVM names it."""
    if config.CPU_FEATURES is not None:
        return f"+{feature}" in config.CPU_FEATURES.split(",")
    if config.CPU_NAME not in (None, llvm.get_host_cpu_name()):
        return False
    return bool(llvm.get_host_cpu_features().get(feature))


def _has_extract():
    """Return whether the processor compiled for packs bits fast."""
    slow = config.CPU_FEATURES is None and llvm.get_host_cpu_name() in SLOW_EXTRACT
    return _has("bmi2") and not slow


HAS_EXTRACT = _has_extract()
COUNTS_LEADING_ZEROS = _has("avx512cd") and _has("avx512vl")  # of every lane of a vector

# For writing intrinsics: each of these emits code.


def word(number):
    """Return a 64-bit constant."""
    return ir.Constant(WORD, number)


def lanes(*numbers):
    """Return a vector of constants, one for each lane."""
    return ir.Constant(VECTOR, [word(number) for number in numbers])


def declare(builder, name, result, arguments):
    """Return a function of LLVM by its name."""
    module = builder.module
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, arguments), name)


def splat(builder, value):
    """Return the same value in every lane."""
    undefined = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(SMALL, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(SMALL, LANES), None))


def reduce_or(builder, vector):
    """Return the union of the lanes."""
    together = declare(builder, "llvm.vector.reduce.or.v4i64", WORD, [VECTOR])
    return builder.call(together, [vector])


def spread_or(builder, vector):
    """Return the union of the lanes in every lane."""
    for order in ((2, 3, 0, 1), (1, 0, 3, 2)):
        places = [ir.Constant(SMALL, place) for place in order]
        mask = ir.Constant(ir.VectorType(SMALL, LANES), places)
        vector = builder.or_(vector, builder.shuffle_vector(vector, vector, mask))
    return vector


def constant_table(builder, name, array):
    """Return the address of a numpy array's data, stored as a constant in the compiled code."""
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


def load_vector(builder, table, index):
    """Load one vector of an aligned table."""
    rows = builder.bitcast(table, ir.PointerType(VECTOR))
    row = builder.load(builder.gep(rows, [index], inbounds=True))
    row.align = 32
    return row


def lookup(name, array, result=int64):
    """Return a compiled function that looks up an index in this array, a constant in the code."""
    kind = ir.IntType(8 * array.itemsize)

    @intrinsic
    def at(_, index):
        def build(context, builder, signature, args):
            table = builder.bitcast(constant_table(builder, name, array), ir.PointerType(kind))
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
    """Return the number of set bits."""
    return int64(uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def lowest(_, mask):
    """Return the index of the lowest set bit of a mask that is not empty."""
    return int64(uint64), lambda context, builder, signature, args: builder.cttz(args[0], TRUE)


@intrinsic
def bit_length(_, number):
    """Return the number of bits of a number, 0 for 0."""

    def build(context, builder, signature, args):
        return builder.sub(word(64), builder.ctlz(args[0], FALSE))

    return int64(uint64), build


@intrinsic
def extract(_, board, mask):
    """Return the bits of the board under the mask, packed together; see `HAS_EXTRACT`."""

    def build(context, builder, signature, args):
        pack = declare(builder, "llvm.x86.bmi.pext.64", WORD, [WORD, WORD])
        return builder.call(pack, args)

    return uint64(uint64, uint64), build


# Memory


def pointer_to(builder, kind, address, index):
    """Return a pointer to the number at this index after an address."""
    return builder.gep(builder.inttoptr(address, ir.PointerType(kind)), [index])


@intrinsic
def load(_, address, index):
    """Return the 64-bit word at this index after the address."""

    def build(context, builder, signature, args):
        return builder.load(pointer_to(builder, WORD, *args))

    return uint64(int64, int64), build


@intrinsic
def load_shared(_, address, index):
    """Return a word that another thread may be writing: the old or the new one, never torn."""

    def build(context, builder, signature, args):
        return builder.load_atomic(pointer_to(builder, WORD, *args), "monotonic", 8)

    return uint64(int64, int64), build


@intrinsic
def store_shared(_, address, index, value):
    """Write a 64-bit word that another thread may be reading."""

    def build(context, builder, signature, args):
        builder.store_atomic(args[2], pointer_to(builder, WORD, *args[:2]), "monotonic", 8)
        return context.get_dummy_value()

    return void(int64, int64, uint64), build


@intrinsic
def load_short(_, address, index):
    """Return the signed 16-bit number at this index after the address."""

    def build(context, builder, signature, args):
        return builder.sext(builder.load(pointer_to(builder, SHORT, *args)), WORD)

    return int64(int64, int64), build


@intrinsic
def store(_, address, index, value):
    """Write a 64-bit word."""

    def build(context, builder, signature, args):
        builder.store(args[2], pointer_to(builder, WORD, *args[:2]))
        return context.get_dummy_value()

    return void(int64, int64, uint64), build


@intrinsic
def store_short(_, address, index, value):
    """Write 16 bits."""

    def build(context, builder, signature, args):
        builder.store(builder.trunc(args[2], SHORT), pointer_to(builder, SHORT, *args[:2]))
        return context.get_dummy_value()

    return void(int64, int64, int64), build


@intrinsic
def prefetch(_, address, index):
    """Start loading the cache line of that word."""

    def build(context, builder, signature, args):
        pointer = ir.PointerType(BYTE)
        kinds = [pointer, SMALL, SMALL, SMALL]
        fetch = declare(builder, "llvm.prefetch.p0", ir.VoidType(), kinds)
        for_reading_and_keeping = [ir.Constant(SMALL, number) for number in (0, 3, 1)]
        place = builder.bitcast(pointer_to(builder, WORD, *args), pointer)
        builder.call(fetch, [place, *for_reading_and_keeping])
        return context.get_dummy_value()

    return void(int64, int64), build
