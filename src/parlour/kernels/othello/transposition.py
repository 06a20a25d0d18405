"""The memory a search works in: counters, move lists, and the transposition table.

A search is given the address of one block. Its first words are settings and counters; then come a
move list for each number of empty squares and the pattern indices of each ply. A table entry is the
whole position (two words) and one word of data; two entries share a bucket. The position is stored
XORed with the data, so an entry torn by another thread's write matches no position.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np
from numba import int64, uint64

from parlour.kernels.compiler import helper
from parlour.kernels.intrinsics import bit_length, load, load_shared, prefetch, store, store_shared

# Words at the start of the block
NODES = int64(0)  # positions searched
STOP = int64(1)  # the address of a word that stops the search when it is set
TABLE = int64(2)  # the address of the first bucket, and how far a hash is shifted to index one
TABLE_SHIFT = int64(3)
END_TABLE = int64(4)  # the same for the small table used near the end
END_TABLE_SHIFT = int64(5)
GENERATION = int64(6)  # the number of the search, by which older entries are recognised
SALT = int64(7)  # XORed into every position: with a new salt the table is empty
WEIGHTS = int64(8)  # the address of the evaluation's weights
SELECTIVITY = int64(9)  # of the search under way, see `search`
BEST_MOVE = int64(10)  # the square that the root found best
SHARED = int64(11)  # the address of the slots of a search by several threads, or 0
FEW_MOVES = int64(12)  # a ply with at most so many moves costs no depth, see `search`

MOVE_LISTS = int64(64)  # where the move lists begin
LIST_KEYS = int64(64)  # a list begins with the keys of its moves
MOVE_WORDS = int64(4)  # square, flips and replies of one move
LIST_WORDS = LIST_KEYS + int64(64) * MOVE_WORDS  # of one ply
PATTERNS = MOVE_LISTS + int64(65) * LIST_WORDS  # where the pattern indices begin
PATTERN_WORDS = int64(24)  # of one ply
BLOCK_WORDS = int(PATTERNS + int64(65) * PATTERN_WORDS)

ENTRY_WORDS = int64(3)
BUCKET_ENTRIES = int64(2)
BUCKET_BYTES = int64(64)  # a cache line
END_EMPTIES = int64(10)  # up to here the small table is used, which stays in the cache
END_MEGABYTES = 4
SLOTS = 1 << 12  # in which threads say what they are searching, see `sharing`

# The bytes of an entry's data; bounds are stored plus 64
BYTE = uint64(255)
LOWER, UPPER, FIRST, SECOND, DEPTH, LEVEL, AGE, COST = (uint64(8 * byte) for byte in range(8))
NO_MOVE = int64(64)
NO_VALUE = int64(-127)  # below every score
HASH_MOVE_KEY = int64(1) << int64(30)  # the ordering key of the move to try first
INDEX_BITS = int64(6)  # of a move in its list
LAST_INDEX = (int64(1) << INDEX_BITS) - int64(1)
TAKEN = int64(-1) << int64(62)  # below every key
MAX_GENERATION = 255
MAX_COST = int64(256)  # above every cost
ONE = uint64(1)
GOLDEN = uint64(0x9E3779B97F4A7C15)
STRIDE = uint64(0xD6E8FEB86659FD93)
HALF = uint64(32)


class Memory:
    """Holds the arrays that the addresses of one search point into.

    Several searches may share one `table`, each with a block of its own.
    """

    def __init__(self, megabytes, weights=None, shared=None):
        small = min(END_MEGABYTES, max(1, megabytes // 4))
        self.table = shared.table if shared else _allocate(max(1, megabytes - small))
        self.end_table = _allocate(small)
        self.slots = shared.slots if shared else np.zeros(SLOTS, np.uint64)
        self.weights = weights
        self.block = np.zeros(BLOCK_WORDS, np.uint64)
        for table, at in ((self.table, TABLE), (self.end_table, END_TABLE)):
            self.block[at] = (table.ctypes.data + 63) // 64 * 64
            self.block[at + 1] = 64 - int(np.log2(table.nbytes // int(BUCKET_BYTES)))
        if weights is not None:
            self.block[WEIGHTS] = weights.ctypes.data
        self.address = self.block.ctypes.data
        if shared:
            for block in (shared.block, self.block):
                block[SHARED] = self.slots.ctypes.data

    def begin(self, cells):
        """Start a new search, which stops when the first of these cells is set."""
        self.block[NODES] = 0
        self.block[STOP] = cells.ctypes.data
        if self.block[GENERATION] == MAX_GENERATION:  # old entries must not look recent again
            _clear(self.table)
            _clear(self.end_table)
        self.block[GENERATION] = int(self.block[GENERATION]) % MAX_GENERATION + 1

    def join(self, main, cells):
        """Take part in the search of another block until the first of these cells is set."""
        self.block[STOP] = cells.ctypes.data
        for word in (GENERATION, SALT, FEW_MOVES):
            self.block[word] = main.block[word]

    def forget(self):
        """Make every stored entry unreachable."""
        self.block[SALT] = (int(self.block[SALT]) + int(GOLDEN)) % 2**64

    @property
    def nodes(self):
        """The number of positions searched."""
        return int(self.block[NODES])


def _allocate(megabytes):
    """Return room for a power of two of buckets, and to align the first to a cache line."""
    bits = int(np.log2(megabytes * 2**20 / int(BUCKET_BYTES)))
    return np.zeros(2**bits * int(BUCKET_BYTES) // 8 + 8, np.uint64)


def _clear(table):
    """Fill with zeros; instantly where the system can take the pages back."""
    if sys.platform != "linux":
        table[:] = 0
        return
    first = -table.ctypes.data % mmap.PAGESIZE // 8
    pages = (table.nbytes - 8 * first) // mmap.PAGESIZE
    start, size = table.ctypes.data + 8 * first, pages * mmap.PAGESIZE
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    if madvise(start, size, mmap.MADV_DONTNEED):
        table[:] = 0
    table[:first] = 0
    table[first + size // 8 :] = 0


@helper
def is_stopped(work):
    """Return whether the search has been asked to stop."""
    return load_shared(int64(load(work, STOP)), int64(0)) != uint64(0)


@helper
def count_node(work):
    """Count one more position."""
    store(work, NODES, load(work, NODES) + uint64(1))


# The transposition table


@helper
def bucket_of(own, other, empties, work):
    """Return the address of a position's bucket."""
    mixed = (own ^ (other << HALF | other >> HALF) * GOLDEN) * STRIDE
    mixed ^= mixed >> uint64(29)
    mixed *= GOLDEN
    if empties <= END_EMPTIES:
        shift = load(work, END_TABLE_SHIFT)
        return int64(load(work, END_TABLE)) + int64(mixed >> shift) * BUCKET_BYTES
    return int64(load(work, TABLE)) + int64(mixed >> load(work, TABLE_SHIFT)) * BUCKET_BYTES


@helper
def prefetch_bucket(bucket):
    """Start loading a bucket into the cache."""
    prefetch(bucket, int64(0))


@helper
def probe(own, other, bucket, work):
    """Return the data of this position's entry, or zero."""
    own ^= load(work, SALT)
    place = int64(0)
    for _ in range(BUCKET_ENTRIES):
        data = load_shared(bucket, place + int64(2))
        if (
            load_shared(bucket, place) ^ data == own
            and load_shared(bucket, place + int64(1)) ^ data * GOLDEN == other
        ):
            return data
        place += ENTRY_WORDS
    return uint64(0)


@helper
def field(data, name):
    """Return one byte of an entry's data."""
    return int64(data >> name & BYTE)


@helper
def cutoff(data, alpha, beta, depth, selectivity):
    """Return the bound of an entry that settles this window, else NO_VALUE."""
    if field(data, LEVEL) >= selectivity and field(data, DEPTH) >= depth:
        lower, upper = field(data, LOWER) - int64(64), field(data, UPPER) - int64(64)
        if lower == upper or lower >= beta:
            return lower
        if upper <= alpha:
            return upper
    return NO_VALUE


@helper
def save(own, other, bucket, alpha, beta, value, move, depth, selectivity, cost, work):
    """Store what a search with this window found, over the least useful entry.

    Entries of an older search are replaced first, whatever they cost, so that what a search keeps
    does not depend on earlier ones; then the cheapest is.
    """
    own ^= load(work, SALT)
    generation = load(work, GENERATION)
    lower = int64(0) if value <= alpha else value + int64(64)
    upper = int64(128) if value >= beta else value + int64(64)
    first, second = (move if value > alpha else NO_MOVE), NO_MOVE
    least = MAX_COST
    place = target = int64(0)
    for _ in range(BUCKET_ENTRIES):
        old = load_shared(bucket, place + int64(2))
        if (
            load_shared(bucket, place) ^ old == own
            and load_shared(bucket, place + int64(1)) ^ old * GOLDEN == other
        ):
            target = place
            if field(old, DEPTH) == depth and field(old, LEVEL) == selectivity:
                lower = max(lower, field(old, LOWER))
                upper = min(upper, field(old, UPPER))
            if first == NO_MOVE:
                first, second = field(old, FIRST), field(old, SECOND)
            elif first != field(old, FIRST):
                second = field(old, FIRST)
            else:
                second = field(old, SECOND)
            break
        worth = field(old, COST) if field(old, AGE) == int64(generation) else int64(-1)
        if worth < least:
            least = worth
            target = place
        place += ENTRY_WORDS
    data = uint64(lower) << LOWER | uint64(upper) << UPPER
    data |= uint64(first) << FIRST | uint64(second) << SECOND
    data |= uint64(depth) << DEPTH | uint64(selectivity) << LEVEL
    data |= generation << AGE | uint64(cost) << COST
    store_shared(bucket, target, own ^ data)
    store_shared(bucket, target + int64(1), other ^ data * GOLDEN)
    store_shared(bucket, target + int64(2), data)


@helper
def cost_since(before, work):
    """Return a byte that grows with the nodes searched since then."""
    return bit_length(load(work, NODES) - before)


# Move lists


@helper
def list_at(empties):
    """Return where the move list of this ply begins in the block."""
    return MOVE_LISTS + empties * LIST_WORDS


@helper
def move_at(index, empties):
    """Return the place of a move of this ply's list."""
    return list_at(empties) + LIST_KEYS + index * MOVE_WORDS


@helper
def square_at(place, work):
    """Return the square of the move at this place."""
    return int64(load(work, place))


@helper
def flips_at(place, work):
    """Return the discs flipped by the move at this place."""
    return load(work, place + int64(1))


@helper
def replies_at(place, work):
    """Return the opponent's legal moves after the move at this place."""
    return load(work, place + int64(2))


@helper
def add_move(place, square, flipped, replies, work):
    """Write a move without its key."""
    store(work, place, uint64(square))
    store(work, place + int64(1), flipped)
    store(work, place + int64(2), replies)


@helper
def set_key(key, index, empties, work):
    """Set the key of a move; of equal keys the earlier move is the better one."""
    store(work, list_at(empties) + index, uint64(key << INDEX_BITS | LAST_INDEX - index))


@helper
def best_key(count, empties, work):
    """Return the key, with its index, of the best move that was not yet taken.

    It is a maximum, which is found without branches that cannot be predicted. The keys are loaded
    one by one, as they were stored just before: a vector of them would have to wait.
    """
    keys = list_at(empties)
    best = TAKEN
    for index in range(count):
        best = max(best, int64(load_shared(work, keys + index)))
    return best


@helper
def index_of(key):
    """Return the index of the move that has this key."""
    return LAST_INDEX - (key & LAST_INDEX)


@helper
def take_move(key, empties, work):
    """Return the place of the move that has this key, which is not found again."""
    index = index_of(key)
    store(work, list_at(empties) + index, uint64(TAKEN))
    return move_at(index, empties)


@helper
def pick_move(count, empties, work):
    """Take the best of the remaining moves; return its place."""
    return take_move(best_key(count, empties, work), empties, work)


@helper
def hash_move_key(square, first, second):
    """Return the key of a move that the table proposes, 0 for any other."""
    if square == first:
        return HASH_MOVE_KEY
    return HASH_MOVE_KEY - int64(1) if square == second else int64(0)


@helper
def prefetch_children(own, other, count, empties, work):
    """Start loading the buckets of the positions after each listed move."""
    place = move_at(int64(0), empties)
    for _ in range(count):
        flipped = flips_at(place, work)
        mine, yours = own ^ flipped ^ (ONE << uint64(square_at(place, work))), other ^ flipped
        prefetch_bucket(bucket_of(yours, mine, empties - int64(1), work))
        place += MOVE_WORDS


@helper
def child_cutoff(own, other, count, alpha, rest, empties, selectivity, work):
    """Return a lower bound above alpha from a child's entry of at least this depth, or NO_VALUE.

    This is enhanced transposition cutoff: every child is probed before any is searched.
    """
    place = move_at(int64(0), empties)
    for _ in range(count):
        flipped = flips_at(place, work)
        mine, yours = own ^ flipped ^ (ONE << uint64(square_at(place, work))), other ^ flipped
        data = probe(yours, mine, bucket_of(yours, mine, empties - int64(1), work), work)
        if data and field(data, LEVEL) >= selectivity and field(data, DEPTH) >= rest:
            bound = int64(64) - field(data, UPPER)
            if bound > alpha:
                return bound
        place += MOVE_WORDS
    return NO_VALUE
