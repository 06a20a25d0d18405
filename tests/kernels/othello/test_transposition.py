"""What a search remembers: kept as it was found, never half of one thing and half of another."""

from __future__ import annotations

import itertools
import random
import threading

import numpy as np
import pytest
from numba import int64, njit, uint64

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
from tests.slow_othello import scattered

GAME = Othello()
EMPTIES = 20
EXACTLY = (-65, 65)  # a window that no value lies outside of


@njit("int64(uint64, uint64, int64, int64)")
def place_of(own, other, empties, work):
    return bucket_of(own, other, empties, work)


@njit("uint64(uint64, uint64, int64, int64)")
def recalled(own, other, bucket, work):
    return probe(own, other, bucket, work)


@njit(
    "void(uint64, uint64, int64, int64, int64, int64, int64, int64, int64, int64, int64)",
    nogil=True,
)
def write_down(own, other, bucket, alpha, beta, value, move, depth, selectivity, cost, work):
    save(own, other, bucket, alpha, beta, value, move, depth, selectivity, cost, work)


@njit("int64(uint64[:, ::1], int64, int64, int64, int64)", nogil=True)
def scribble(positions, seed, times, bucket, work):
    """Write and read in one bucket; how often something was recalled that nobody wrote.

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
        known = probe(own, other, bucket, work)
        if known != uint64(0):
            expected = time % len(positions)
            wrong += field(known, FIRST) != expected or field(known, LOWER) != expected + 64
    return wrong


class Told:
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


class Drawer:
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
        return Told(knowledge) if knowledge else None

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
def drawer():
    return Drawer()


def test_what_was_written_is_recalled_and_nothing_else(drawer):
    assert drawer.get(position(1)) is None
    drawer.put(position(1), value=-12, move=44, depth=17, selectivity=3)
    told = drawer.get(position(1))
    assert (told.bounds, told.moves) == ((-12, -12), (44, int(NO_MOVE)))
    assert (told.depth, told.selectivity) == (17, 3)
    own, other = position(1)
    assert drawer.get((other, own)) is None
    assert drawer.get(position(2)) is None


def test_a_value_outside_the_window_is_only_a_bound(drawer):
    drawer.put(position(1), value=8, window=(3, 4), move=10)
    assert drawer.get(position(1)).bounds == (8, 64)
    drawer.put(position(2), value=2, window=(3, 4), move=10)
    told = drawer.get(position(2))
    assert told.bounds == (-64, 2)
    assert told.moves == (int(NO_MOVE),) * 2  # of moves that all fail none is known to be best


def test_bounds_of_equal_searches_are_joined_and_others_replace_them(drawer):
    drawer.put(position(1), value=4, window=(3, 4), move=10)
    drawer.put(position(1), value=12, window=(19, 20), move=11)
    assert drawer.get(position(1)).bounds == (4, 12)
    drawer.put(position(1), value=9, window=(8, 9), move=12)
    assert drawer.get(position(1)).bounds == (9, 12)
    drawer.put(position(1), value=30, window=(29, 30), move=12, depth=12)
    assert drawer.get(position(1)).bounds == (30, 64)
    drawer.put(position(1), value=20, window=(25, 26), move=12, depth=12, selectivity=2)
    assert drawer.get(position(1)).bounds == (-64, 20)


def test_the_two_best_moves_are_kept_the_last_one_first(drawer):
    drawer.put(position(1), value=4, window=(3, 4), move=10)
    drawer.put(position(1), value=4, window=(3, 4), move=20)
    assert drawer.get(position(1)).moves == (20, 10)
    drawer.put(position(1), value=4, window=(3, 4), move=20)
    assert drawer.get(position(1)).moves == (20, 10)
    drawer.put(position(1), value=2, window=(3, 4), move=30)  # no move was better than that
    assert drawer.get(position(1)).moves == (20, 10)


def test_nothing_is_recalled_once_it_is_forgotten(drawer):
    for _ in range(300):  # more often than there are dates
        for number in range(2):
            drawer.put(position(number), value=number, cost=60)
        assert drawer.keeps(0, 1) == {0, 1}
        drawer.memory.forget()
        assert drawer.keeps(0, 1) == set()
        drawer.memory.begin(drawer.cells)
        assert drawer.keeps(*range(4)) == set()


def test_without_forgetting_the_next_search_recalls_what_the_last_one_found(drawer):
    drawer.put(position(1), value=6)
    drawer.memory.begin(drawer.cells)
    assert drawer.get(position(1)).bounds == (6, 6)


def test_an_entry_half_overwritten_is_not_believed(drawer):
    """Every mix of the three words of two entries, of one position or of two."""
    lots = random.Random(1)
    for _ in range(300):
        entries = {}
        here = lots.randrange(1000)
        for where in (here, lots.choice((here, here + 1))):
            drawer.words[:] = 0
            drawer.put(
                position(where), lots.randrange(-64, 65), lots.randrange(64),
                window=lots.choice((EXACTLY, (-1, 0), (20, 21))), depth=lots.randrange(21),
                selectivity=lots.randrange(1, 6), cost=lots.randrange(64),
            )  # fmt: skip
            assert drawer.get(position(where))
            entries[tuple(drawer.words[:3].tolist())] = where
        if len(entries) < 2:
            continue
        for mix in itertools.product(*zip(*entries, strict=True)):
            drawer.words[:3] = mix
            believed = {where for where in (here, here + 1) if drawer.get(position(where))}
            assert believed == ({entries[mix]} if mix in entries else set())


def test_threads_that_write_in_the_same_place_never_recall_what_nobody_wrote():
    drawers = [Drawer(), Drawer()]
    drawers[1].memory.join(drawers[0].memory, drawers[1].cells)
    positions = np.array([position(number) for number in range(6)], np.uint64)
    wrong = []

    def scribbling(seed):
        work = drawers[seed].memory.address
        wrong.append(scribble(positions, seed, 1_000_000, drawers[0].bucket, work))

    threads = [threading.Thread(target=scribbling, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [0, 0]


def test_the_cheapest_of_a_search_gives_way_and_the_costly_stay(drawer):
    for costs in itertools.permutations((10, 20)):
        drawer.memory.forget()
        drawer.memory.begin(drawer.cells)
        for cost in costs:
            drawer.put(position(cost), cost=cost)
        drawer.put(position(5), cost=1)
        assert drawer.keeps(5, 10, 20) == {5, 20}
        drawer.put(position(6), cost=15)
        assert drawer.keeps(5, 6, 20) == {6, 20}
        drawer.put(position(7), cost=30)
        assert drawer.keeps(6, 7, 20) == {7, 20}


def test_what_older_searches_found_gives_way_first_whatever_it_cost(drawer):
    for number in range(2):
        drawer.put(position(number), cost=60)
    drawer.memory.begin(drawer.cells)
    for number in range(2, 4):
        drawer.put(position(number), cost=1)
    assert drawer.keeps(*range(4)) == {2, 3}


@pytest.mark.parametrize("searches", [1, 2, 254, 255, 256, 257])
def test_however_long_ago_an_old_search_stands_in_nobody_s_way(searches, drawer):
    for number in range(2):
        drawer.put(position(number), cost=60)
    for _ in range(searches):
        drawer.memory.forget()
        drawer.memory.begin(drawer.cells)
    for number in range(2, 4):
        drawer.put(position(number), cost=1)
    assert drawer.keeps(*range(4)) == {2, 3}


def test_what_a_search_keeps_does_not_depend_on_what_was_searched_before(drawer):
    lots = random.Random(2)
    for _ in range(300):
        costs = [lots.randrange(1, 4) for _ in range(12)]
        kept = []
        for _ in range(2):
            drawer.memory.forget()
            drawer.memory.begin(drawer.cells)
            for number, cost in enumerate(costs):
                drawer.put(position(number), cost=cost)
            kept.append(drawer.keeps(*range(12)))
            drawer.memory.forget()
            drawer.memory.begin(drawer.cells)
            for number in range(20, 20 + lots.randrange(9)):
                drawer.put(position(number), cost=lots.randrange(1, 9))
        assert kept[0] == kept[1]


def test_every_word_is_wiped_when_the_dates_begin_again():
    memory, cells = Memory(8), np.zeros(3, np.int64)
    memory.block[GENERATION] = MAX_GENERATION
    memory.table[:] = memory.end_table[:] = 7
    memory.begin(cells)
    assert not memory.table.any()
    assert not memory.end_table.any()


@pytest.mark.parametrize("megabytes", [4, 5, 64, 100])
def test_tables_are_as_large_as_said_and_every_bucket_lies_within(megabytes):
    memory = Memory(megabytes)
    assert (
        megabytes / 4 < (memory.table.nbytes + memory.end_table.nbytes) / 2**20 <= megabytes + 0.01
    )
    lots = random.Random(3)
    for empties, table in (
        (int(END_EMPTIES), memory.end_table),
        (int(END_EMPTIES) + 1, memory.table),
    ):
        start, end = table.ctypes.data, table.ctypes.data + table.nbytes
        places = {
            place_of(*scattered(GAME, empties, lots)[:2], empties, memory.address)
            for _ in range(500)
        }
        assert all(start <= place <= end - BUCKET_BYTES for place in places)
        assert len({place % BUCKET_BYTES for place in places}) == 1
        assert len(places) > 450  # out of thousands, so few meet
