"""The block of memory a search works in, and the hash table it shares with others.

A search is given one address. The first words of the block are its settings and counters, then
comes a row of moves for each number of empty squares, then the pattern views. An entry of the hash
table is the whole position (two words) and one word of knowledge about it; two lie in a bucket. The
position is written mixed with the knowledge, so an entry half overwritten by another thread fits no
position and is not believed.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import length_of, load, load_shared, prefetch, store, store_shared

# Words at the start of the block
NODES = int64(0)  # positions looked at
STOP = int64(1)  # the address of a word that ends the search when it is set
TABLE = int64(2)  # the address of the first bucket, and how far a mixed position is shifted
TABLE_SHIFT = int64(3)
NEAR_TABLE = int64(4)  # the same for the small table of the last squares
NEAR_SHIFT = int64(5)
DATE = int64(6)  # the number of the search, by which older entries are known
SALT = int64(7)  # mixed into every position: with another salt nothing is recalled
WEIGHTS = int64(8)  # the address of the evaluation's weights
LEVEL_NOW = int64(9)  # how sure the search is to be, see `othello_search`
BEST = int64(10)  # the square that the root found best

LISTS = int64(64)  # where the lists of moves begin
ROOM = int64(4 * 64)  # words in the list of one ply: key, square, flips, for every square
VIEWS = LISTS + int64(65) * ROOM  # where the pattern views begin
VIEWS_ROOM = int64(24)  # words in the views of one ply
BLOCK = int(VIEWS + int64(65) * VIEWS_ROOM)

ENTRY = int64(3)  # words
ENTRIES = int64(2)  # in a bucket
BUCKET = int64(64)  # bytes, a line of the cache
NEAR = int64(10)  # up to so many empty squares the small table is used, which stays in the cache
NEAR_MEGABYTES = 16

# The bytes of an entry's knowledge; bounds are kept plus 64
BYTE = uint64(255)
LOWER, UPPER, FIRST, SECOND, DEPTH, LEVEL, AGE, COST = (uint64(8 * byte) for byte in range(8))
NOWHERE = int64(64)  # instead of a square
LAST_DATE = 255
DEAREST = int64(256)  # above every cost
ONE = uint64(1)
GOLDEN = uint64(0x9E3779B97F4A7C15)
STRIDE = uint64(0xD6E8FEB86659FD93)
HALF = uint64(32)


class Memory:
    """Holds the arrays that the addresses of one search point into.

    Several searches may work in the same `table`, each in a block of its own.
    """

    def __init__(self, megabytes, weights=None, shared=None):
        near = min(NEAR_MEGABYTES, max(1, megabytes // 4))
        self.table = shared.table if shared else _table(max(1, megabytes - near))
        self.near = _table(near)
        self.weights = weights
        self.block = np.zeros(BLOCK, np.uint64)
        for table, at in ((self.table, TABLE), (self.near, NEAR_TABLE)):
            self.block[at] = (table.ctypes.data + 63) // 64 * 64
            self.block[at + 1] = 64 - int(np.log2(table.nbytes // int(BUCKET)))
        if weights is not None:
            self.block[WEIGHTS] = weights.ctypes.data
        self.address = self.block.ctypes.data

    def begin(self, cells):
        """Start a new search, which ends when the first of these cells is set."""
        self.block[NODES] = 0
        self.block[STOP] = cells.ctypes.data
        if self.block[DATE] == LAST_DATE:  # what is older must not look as if it were of today
            _clear(self.table)
            _clear(self.near)
        self.block[DATE] = int(self.block[DATE]) % LAST_DATE + 1

    def join(self, lead, cells):
        """Work on the search that another block leads, until the first of these cells is set."""
        self.block[STOP] = cells.ctypes.data
        self.block[DATE], self.block[SALT] = lead.block[DATE], lead.block[SALT]

    def forget(self):
        """Recall nothing of what was found before."""
        self.block[SALT] = (int(self.block[SALT]) + int(GOLDEN)) % 2**64

    @property
    def nodes(self):
        """How many positions the search has looked at."""
        return int(self.block[NODES])


def _table(megabytes):
    """Room for a power of two of buckets, and to begin at the start of a cache line."""
    bits = int(np.log2(megabytes * 2**20 / int(BUCKET)))
    return np.zeros(2**bits * int(BUCKET) // 8 + 8, np.uint64)


def _clear(table):
    """Zeros everywhere; where the system takes pages back that is done at once."""
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


@njit
def stopped(work):
    """Whether the search was asked to end."""
    return load_shared(int64(load(work, STOP)), int64(0)) != uint64(0)


@njit
def count_node(work):
    """One more position looked at."""
    store(work, NODES, load(work, NODES) + uint64(1))


@njit
def bucket_of(own, other, empties, work):
    """The address of a position's bucket."""
    mixed = (own ^ (other << HALF | other >> HALF) * GOLDEN) * STRIDE
    mixed ^= mixed >> uint64(29)
    mixed *= GOLDEN
    if empties <= NEAR:
        return int64(load(work, NEAR_TABLE)) + int64(mixed >> load(work, NEAR_SHIFT)) * BUCKET
    return int64(load(work, TABLE)) + int64(mixed >> load(work, TABLE_SHIFT)) * BUCKET


@njit
def fetch(bucket):
    """Begin to bring a bucket near."""
    prefetch(bucket, int64(0))


@njit
def recall(own, other, bucket, work):
    """The knowledge of this position, or zero."""
    own ^= load(work, SALT)
    place = int64(0)
    for _ in range(ENTRIES):
        knowledge = load_shared(bucket, place + int64(2))
        if (
            load_shared(bucket, place) ^ knowledge == own
            and load_shared(bucket, place + int64(1)) ^ knowledge * GOLDEN == other
        ):
            return knowledge
        place += ENTRY
    return uint64(0)


@njit
def field(knowledge, name):
    """One byte of the knowledge."""
    return int64(knowledge >> name & BYTE)


@njit
def remember(own, other, bucket, alpha, beta, value, move, depth, level, cost, work):
    """Write down what a search with this window found, over the least useful entry.

    Entries of an older search go first, whatever they cost: what a search keeps must not depend on
    what was searched before. Then the cheapest goes.
    """
    own ^= load(work, SALT)
    date = load(work, DATE)
    lower = int64(0) if value <= alpha else value + int64(64)
    upper = int64(128) if value >= beta else value + int64(64)
    first, second = (move if value > alpha else NOWHERE), NOWHERE
    least = DEAREST
    place = target = int64(0)
    for _ in range(ENTRIES):
        old = load_shared(bucket, place + int64(2))
        if (
            load_shared(bucket, place) ^ old == own
            and load_shared(bucket, place + int64(1)) ^ old * GOLDEN == other
        ):
            target = place
            if field(old, DEPTH) == depth and field(old, LEVEL) == level:
                lower = max(lower, field(old, LOWER))
                upper = min(upper, field(old, UPPER))
            if first == NOWHERE:
                first, second = field(old, FIRST), field(old, SECOND)
            elif first != field(old, FIRST):
                second = field(old, FIRST)
            else:
                second = field(old, SECOND)
            break
        worth = field(old, COST) if field(old, AGE) == int64(date) else int64(-1)
        if worth < least:
            least = worth
            target = place
        place += ENTRY
    knowledge = uint64(lower) << LOWER | uint64(upper) << UPPER
    knowledge |= uint64(first) << FIRST | uint64(second) << SECOND
    knowledge |= uint64(depth) << DEPTH | uint64(level) << LEVEL
    knowledge |= date << AGE | uint64(cost) << COST
    store_shared(bucket, target, own ^ knowledge)
    store_shared(bucket, target + int64(1), other ^ knowledge * GOLDEN)
    store_shared(bucket, target + int64(2), knowledge)


NONE = int64(-127)  # below every value


@njit
def next_move(index, listed, empties, work):
    """Bring the best of the moves that are left to this place of the list; where it lies."""
    start = LISTS + empties * ROOM
    here = start + index * int64(4)
    best_key = int64(load(work, here))
    best = here
    place = here + int64(4)
    for _ in range(index + int64(1), listed):
        key = int64(load(work, place))
        if key > best_key:
            best_key = key
            best = place
        place += int64(4)
    if best != here:
        for word in range(int64(3)):
            kept = load(work, here + word)
            store(work, here + word, load(work, best + word))
            store(work, best + word, kept)
    return here


@njit
def fetch_children(own, other, listed, empties, work):
    """Begin to bring near what the hash knows of the children."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        turned = load(work, row + int64(2))
        mine, yours = own ^ turned ^ (ONE << load(work, row + int64(1))), other ^ turned
        fetch(bucket_of(yours, mine, empties - int64(1), work))
        row += int64(4)


@njit
def known_cut(own, other, listed, alpha, depth, empties, level, work):
    """A lower bound above alpha that the hash knows from one of the children, else NONE."""
    row = LISTS + empties * ROOM
    for _ in range(listed):
        move = ONE << load(work, row + int64(1))
        turned = load(work, row + int64(2))
        mine, yours = own ^ turned ^ move, other ^ turned
        known = recall(yours, mine, bucket_of(yours, mine, empties - int64(1), work), work)
        if known and field(known, LEVEL) >= level and field(known, DEPTH) >= depth - int64(1):
            bound = int64(64) - field(known, UPPER)
            if bound > alpha:
                return bound
        row += int64(4)
    return NONE


@njit
def cost_of(before, work):
    """A byte that grows with the nodes spent since."""
    return length_of(load(work, NODES) - before)
