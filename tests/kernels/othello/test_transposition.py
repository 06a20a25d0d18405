"""The memory of a search: kept as it was found, never half of one entry and half of another."""

import itertools
import random
import threading

import numpy as np
import pytest
from numba import int64, uint64

from parlour.kernels.othello.transposition import (
    BUCKET_BYTES,
    DEPTH,
    END_EMPTIES,
    FIRST,
    GENERATION,
    LEVEL,
    LOWER,
    MAX_GENERATION,
    NO_MOVE,
    SECOND,
    UPPER,
    Memory,
    bucket_of,
    field,
    probe,
    save,
)
from parlour.rules.othello import Othello
from tests.compiled import compiled
from tests.conftest import LONG
from tests.slow_othello import scattered

GAME = Othello()
EMPTIES = 20
EXACTLY = (-65, 65)  # a window that no value lies outside of


@compiled("int64(uint64, uint64, int64, int64)")
def place_of(own, other, empties, work):
    return bucket_of(own, other, empties, work)


@compiled("uint64(uint64, uint64, int64, int64)")
def recalled(own, other, bucket, work):
    return probe(own, other, bucket, work)


@compiled(
    "void(uint64, uint64, int64, int64, int64, int64, int64, int64, int64, int64, int64)",
    nogil=True,
)
def write_down(own, other, bucket, alpha, beta, value, move, depth, selectivity, cost, work):
    save(own, other, bucket, alpha, beta, value, move, depth, selectivity, cost, work)


@compiled("int64(uint64[:, ::1], int64, int64, int64, int64)", nogil=True)
def scribble(positions, seed, times, bucket, work):
    """Write and read in one bucket; count the entries recalled that were never written.

    Position number n is always written with the value and the move n, at changing depths.
    """
    wrong = int64(0)
    for time in range(times):
        seed = (seed * int64(1103515245) + int64(12345)) & int64(0x7FFFFFFF)
        number = (seed >> int64(8)) % len(positions)
        own, other = positions[number]
        depth = seed >> int64(16) & int64(31)
        save(
            own, other, bucket, int64(-65), int64(65), number, number, depth, int64(5), depth, work
        )
        own, other = positions[time % len(positions)]
        data = probe(own, other, bucket, work)
        if data != uint64(0):
            expected = time % len(positions)
            wrong += field(data, FIRST) != expected or field(data, LOWER) != expected + 64
    return wrong


class Entry:
    """The knowledge of one position, its bytes by name."""

    def __init__(self, knowledge):
        for name, at in (
            ("lower", LOWER),
            ("upper", UPPER),
            ("first", FIRST),
            ("second", SECOND),
            ("depth", DEPTH),
            ("selectivity", LEVEL),
        ):
            setattr(self, name, int(knowledge) >> int(at) & 255)
        self.bounds = (self.lower - 64, self.upper - 64)
        self.moves = (self.first, self.second)


class Bucket:
    """One bucket of a small memory, in which all positions of a test are put."""

    def __init__(self):
        self.memory = Memory(4)
        self.cells = np.zeros(3, np.int64)
        self.memory.begin(self.cells)
        self.bucket = place_of(*position(0), EMPTIES, self.memory.address)

    def put(self, where, value=0, move=1, *, window=EXACTLY, depth=10, selectivity=5, cost=7):
        work = self.memory.address
        write_down(*where, self.bucket, *window, value, move, depth, selectivity, cost, work)

    def get(self, where):
        knowledge = recalled(*where, self.bucket, self.memory.address)
        return Entry(knowledge) if knowledge else None

    def keeps(self, *numbers):
        """Which of the numbered positions are still known."""
        return {number for number in numbers if self.get(position(number))}

    @property
    def words(self):
        """The eight words of the bucket, of which two entries take six."""
        start = (self.bucket - self.memory.table.ctypes.data) // 8
        return self.memory.table[start : start + 8]


def position(number):
    return scattered(GAME, EMPTIES, random.Random(number))[:2]


@pytest.fixture
def bucket_of_two():
    return Bucket()


@pytest.mark.slow
def test_a_saved_entry_is_found_and_nothing_else(bucket_of_two):
    assert bucket_of_two.get(position(1)) is None
    bucket_of_two.put(position(1), value=-12, move=44, depth=17, selectivity=3)
    entry = bucket_of_two.get(position(1))
    assert (entry.bounds, entry.moves) == ((-12, -12), (44, int(NO_MOVE)))
    assert (entry.depth, entry.selectivity) == (17, 3)
    own, other = position(1)
    assert bucket_of_two.get((other, own)) is None
    assert bucket_of_two.get(position(2)) is None


def test_a_value_outside_the_window_is_only_a_bound(bucket_of_two):
    bucket_of_two.put(position(1), value=8, window=(3, 4), move=10)
    assert bucket_of_two.get(position(1)).bounds == (8, 64)
    bucket_of_two.put(position(2), value=2, window=(3, 4), move=10)
    entry = bucket_of_two.get(position(2))
    assert entry.bounds == (-64, 2)
    assert entry.moves == (int(NO_MOVE),) * 2  # of moves that all fail none is known to be best


def test_bounds_of_equal_searches_are_joined_and_others_replace_them(bucket_of_two):
    bucket_of_two.put(position(1), value=4, window=(3, 4), move=10)
    bucket_of_two.put(position(1), value=12, window=(19, 20), move=11)
    assert bucket_of_two.get(position(1)).bounds == (4, 12)
    bucket_of_two.put(position(1), value=9, window=(8, 9), move=12)
    assert bucket_of_two.get(position(1)).bounds == (9, 12)
    bucket_of_two.put(position(1), value=30, window=(29, 30), move=12, depth=12)
    assert bucket_of_two.get(position(1)).bounds == (30, 64)
    bucket_of_two.put(position(1), value=20, window=(25, 26), move=12, depth=12, selectivity=2)
    assert bucket_of_two.get(position(1)).bounds == (-64, 20)


def test_the_two_best_moves_are_kept_the_last_one_first(bucket_of_two):
    bucket_of_two.put(position(1), value=4, window=(3, 4), move=10)
    bucket_of_two.put(position(1), value=4, window=(3, 4), move=20)
    assert bucket_of_two.get(position(1)).moves == (20, 10)
    bucket_of_two.put(position(1), value=4, window=(3, 4), move=20)
    assert bucket_of_two.get(position(1)).moves == (20, 10)
    bucket_of_two.put(position(1), value=2, window=(3, 4), move=30)  # no move was better than that
    assert bucket_of_two.get(position(1)).moves == (20, 10)


def test_nothing_is_found_after_forgetting(bucket_of_two):
    for _ in range(300):  # more often than there are dates
        for number in range(2):
            bucket_of_two.put(position(number), value=number, cost=60)
        assert bucket_of_two.keeps(0, 1) == {0, 1}
        bucket_of_two.memory.forget()
        assert bucket_of_two.keeps(0, 1) == set()
        bucket_of_two.memory.begin(bucket_of_two.cells)
        assert bucket_of_two.keeps(*range(4)) == set()


def test_without_forgetting_the_next_search_finds_the_entries_of_the_last(bucket_of_two):
    bucket_of_two.put(position(1), value=6)
    bucket_of_two.memory.begin(bucket_of_two.cells)
    assert bucket_of_two.get(position(1)).bounds == (6, 6)


def test_a_torn_entry_matches_no_position(bucket_of_two):
    """Every mix of the three words of two entries, of one position or of two."""
    chance = random.Random(1)
    for _ in range(300):
        entries = {}
        here = chance.randrange(1000)
        for where in (here, chance.choice((here, here + 1))):
            bucket_of_two.words[:] = 0
            bucket_of_two.put(
                position(where), chance.randrange(-64, 65), chance.randrange(64),
                window=chance.choice((EXACTLY, (-1, 0), (20, 21))), depth=chance.randrange(21),
                selectivity=chance.randrange(1, 6), cost=chance.randrange(64),
            )  # fmt: skip
            assert bucket_of_two.get(position(where))
            entries[tuple(bucket_of_two.words[:3].tolist())] = where
        if len(entries) < 2:
            continue
        for mix in itertools.product(*zip(*entries, strict=True)):
            bucket_of_two.words[:3] = mix
            believed = {where for where in (here, here + 1) if bucket_of_two.get(position(where))}
            assert believed == ({entries[mix]} if mix in entries else set())


def test_threads_that_share_a_bucket_never_find_a_torn_entry():
    drawers = [Bucket(), Bucket()]
    drawers[1].memory.join(drawers[0].memory, drawers[1].cells)
    positions = np.array([position(number) for number in range(6)], np.uint64)
    wrong = []

    def scribbling(seed):
        work = drawers[seed].memory.address
        times = 1_000_000 if LONG else 200_000
        wrong.append(scribble(positions, seed, times, drawers[0].bucket, work))

    threads = [threading.Thread(target=scribbling, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [0, 0]


def test_the_cheapest_entry_of_a_search_is_replaced(bucket_of_two):
    for costs in itertools.permutations((10, 20)):
        bucket_of_two.memory.forget()
        bucket_of_two.memory.begin(bucket_of_two.cells)
        for cost in costs:
            bucket_of_two.put(position(cost), cost=cost)
        bucket_of_two.put(position(5), cost=1)
        assert bucket_of_two.keeps(5, 10, 20) == {5, 20}
        bucket_of_two.put(position(6), cost=15)
        assert bucket_of_two.keeps(5, 6, 20) == {6, 20}
        bucket_of_two.put(position(7), cost=30)
        assert bucket_of_two.keeps(6, 7, 20) == {7, 20}


def test_entries_of_older_searches_are_replaced_first_whatever_they_cost(bucket_of_two):
    for number in range(2):
        bucket_of_two.put(position(number), cost=60)
    bucket_of_two.memory.begin(bucket_of_two.cells)
    for number in range(2, 4):
        bucket_of_two.put(position(number), cost=1)
    assert bucket_of_two.keeps(*range(4)) == {2, 3}


@pytest.mark.parametrize("searches", [1, 255, 256])
def test_entries_of_old_searches_are_recognised_however_old(searches, bucket_of_two):
    for number in range(2):
        bucket_of_two.put(position(number), cost=60)
    for _ in range(searches):
        bucket_of_two.memory.forget()
        bucket_of_two.memory.begin(bucket_of_two.cells)
    for number in range(2, 4):
        bucket_of_two.put(position(number), cost=1)
    assert bucket_of_two.keeps(*range(4)) == {2, 3}


def test_the_entries_kept_do_not_depend_on_earlier_searches(bucket_of_two):
    chance = random.Random(2)
    for _ in range(100):
        costs = [chance.randrange(1, 4) for _ in range(12)]
        kept = []
        for _ in range(2):
            bucket_of_two.memory.forget()
            bucket_of_two.memory.begin(bucket_of_two.cells)
            for number, cost in enumerate(costs):
                bucket_of_two.put(position(number), cost=cost)
            kept.append(bucket_of_two.keeps(*range(12)))
            bucket_of_two.memory.forget()
            bucket_of_two.memory.begin(bucket_of_two.cells)
            for number in range(20, 20 + chance.randrange(9)):
                bucket_of_two.put(position(number), cost=chance.randrange(1, 9))
        assert kept[0] == kept[1]


def test_the_tables_are_cleared_when_generations_start_over():
    memory, cells = Memory(8), np.zeros(3, np.int64)
    memory.block[GENERATION] = MAX_GENERATION
    memory.table[:] = memory.end_table[:] = 7
    memory.begin(cells)
    assert not memory.table.any()
    assert not memory.end_table.any()


@pytest.mark.parametrize("megabytes", [5, 64])
def test_tables_are_as_large_as_requested_and_hold_every_bucket(megabytes):
    memory = Memory(megabytes)
    assert (
        megabytes / 4 < (memory.table.nbytes + memory.end_table.nbytes) / 2**20 <= megabytes + 0.01
    )
    chance = random.Random(3)
    for empties, table in (
        (int(END_EMPTIES), memory.end_table),
        (int(END_EMPTIES) + 1, memory.table),
    ):
        start, end = table.ctypes.data, table.ctypes.data + table.nbytes
        places = {
            place_of(*scattered(GAME, empties, chance)[:2], empties, memory.address)
            for _ in range(500)
        }
        assert all(start <= place <= end - BUCKET_BYTES for place in places)
        assert len({place % BUCKET_BYTES for place in places}) == 1
        assert len(places) > 450  # out of thousands, so few meet
