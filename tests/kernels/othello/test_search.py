"""The compiled search of the usual board beside plain minimax: bounds that are true, plies that
are counted, and a stop that is heard."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from parlour.kernels.othello.evaluation import weights
from parlour.kernels.othello.search import (
    EXACT,
    evaluate,
    hash_move,
    search_null_window,
    search_root,
)
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory
from parlour.rules.othello import Othello
from tests.slow_othello import reached, scattered, value_of

GAME = Othello()
EXACTLY = int(EXACT)
WIDE = (-65, 65)


class Desk:
    """The memory of a search, and the cell that stops it."""

    def __init__(self):
        self.memory = Memory(4, weights())
        self.cells = np.zeros(3, np.int64)
        self.memory.begin(self.cells)

    def root(self, own, other, window=WIDE, depth=64, first=NO_MOVE, selectivity=EXACTLY):
        """The value and the best square."""
        empties = 64 - (own | other).bit_count()
        self.memory.block[BEST_MOVE] = first
        value = search_root(
            own, other, *window, min(depth, empties), selectivity, self.memory.address
        )
        return value, int(self.memory.block[BEST_MOVE])

    def ask(self, own, other, lead, depth=64):
        depth = min(depth, 64 - (own | other).bit_count())
        return search_null_window(own, other, lead, depth, EXACTLY, self.memory.address)


@pytest.fixture
def desk():
    return Desk()


def after(own, other, square):
    """The position for the next mover."""
    turned = GAME.flips(own, other, 1 << square)
    return other ^ turned, own ^ turned ^ 1 << square


def squares(mask):
    return [square for square in range(64) if mask >> square & 1]


def positions(many, empties, seed, *, movable=False):
    """From random play and any discs at all, in turn."""
    lots = random.Random(seed)
    while many:
        own, other, _ = (reached, scattered)[many % 2](GAME, lots.choice(empties), lots)
        if not movable or GAME.legal(own, other):
            many -= 1
            yield own, other


def test_to_ask_for_a_lead_gives_a_true_bound_whatever_the_lead(desk):
    lots = random.Random(1)
    for own, other in positions(1500, range(9), seed=1):
        value = value_of(GAME, own, other)
        for lead in {value - 1, value, lots.randrange(-64, 64), *lots.choices((-64, 63), k=1)}:
            bound = desk.ask(own, other, lead)
            assert lead < bound <= value if value > lead else value <= bound <= lead


def test_the_value_is_exact_inside_the_window_and_a_bound_outside(desk):
    lots = random.Random(2)
    for own, other in positions(500, (1, 4, 6, 7, 8, 9), seed=2, movable=True):
        value = value_of(GAME, own, other)
        low = lots.randrange(-65, 64)
        high = low + lots.choice((1, 2, 5, 20))
        found, square = desk.root(own, other, (low, high))
        if low < value < high:
            assert found == value
            assert -value_of(GAME, *after(own, other, square)) == value
        elif value <= low:
            assert value <= found <= low
        else:
            assert high <= found <= value
            assert -value_of(GAME, *after(own, other, square)) >= high


def test_the_square_found_is_legal_and_worth_the_value_whatever_was_to_be_looked_at_first(desk):
    lots = random.Random(3)
    for own, other in positions(600, range(1, 9), seed=3, movable=True):
        first = lots.choice((int(NO_MOVE), lots.randrange(64), *squares(GAME.legal(own, other))))
        found, square = desk.root(own, other, first=first)
        assert square in squares(GAME.legal(own, other))
        assert found == value_of(GAME, own, other) == -value_of(GAME, *after(own, other, square))
        assert hash_move(own, other, desk.memory.address) == square


def by_plies(own, other, depth, work):
    """Plain minimax over the evaluation; a pass uses up no ply."""
    moves = squares(GAME.legal(own, other))
    if depth == 0 or not (moves or GAME.legal(other, own)):
        return evaluate(own, other, work)
    if not moves:
        return -by_plies(other, own, depth, work)
    return max(-by_plies(*after(own, other, square), depth - 1, work) for square in moves)


@pytest.mark.parametrize(("depth", "many"), [(1, 40), (2, 40), (3, 15), (4, 3)])
def test_so_many_plies_are_what_plain_minimax_over_the_evaluation_says(depth, many, desk):
    """Up to the rounding of halves; with many squares empty, where hardly anybody passes."""
    lots = random.Random(depth)
    for _ in range(many):
        own, other, _ = reached(GAME, lots.randrange(36, 61), lots)
        if GAME.legal(own, other):
            found, _ = desk.root(own, other, depth=depth)
            assert abs(found - by_plies(own, other, depth, desk.memory.address)) <= 1
            desk.memory.forget()  # a deeper search must not answer for a shallower one


def test_who_must_pass_is_worth_what_the_other_is_not(desk):
    lots = random.Random(6)
    looked = 0
    while looked < 60:
        own, other, _ = scattered(GAME, lots.randrange(8, 24), lots)
        if GAME.legal(own, other) or not GAME.legal(other, own):
            continue
        looked += 1
        for depth in (3, 4, 5):
            lead = evaluate(own, other, desk.memory.address) + lots.randrange(-3, 4)
            for each in (lead - 1, lead, lead + 1):
                desk.memory.forget()
                more = desk.ask(own, other, each, depth) > each
                desk.memory.forget()
                assert more == (-desk.ask(other, own, -each - 1, depth) > each)


def test_asking_for_so_many_plies_says_the_same_as_searching_them(desk):
    lots = random.Random(4)
    for _ in range(60):
        own, other, _ = reached(GAME, lots.randrange(24, 50), lots)
        if not GAME.legal(own, other):
            continue
        depth = lots.randrange(1, 7)
        value, _ = desk.root(own, other, depth=depth)
        desk.memory.forget()
        assert desk.ask(own, other, value - 1, depth) >= value
        desk.memory.forget()
        assert desk.ask(own, other, value, depth) <= value


@pytest.mark.parametrize("depth", [20, 30, 64])
def test_a_search_that_was_stopped_before_it_began_does_nothing_and_writes_nothing(depth, desk):
    lots = random.Random(5)
    for empties in (12, 20, 30, 40, 50, 60):
        own, other, _ = reached(GAME, empties, lots)
        before = desk.memory.table.copy(), desk.memory.end_table.copy()
        desk.cells[0] = 1
        begun = time.process_time()
        desk.root(own, other, depth=depth)
        desk.ask(own, other, 0, depth)
        assert time.process_time() - begun < 0.02
        assert np.array_equal(before[0], desk.memory.table)
        assert np.array_equal(before[1], desk.memory.end_table)
