"""The 8x8 search held against plain minimax: true bounds, and the depth asked for."""

from __future__ import annotations

import random

import numpy as np
import pytest

from parlour.kernels.othello.evaluation import weights
from parlour.kernels.othello.search import EXACT, search_root
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory
from parlour.rules.othello import Othello
from tests.conftest import LONG
from tests.slow_othello import reached, scattered, value_of

GAME = Othello()
EXACTLY = int(EXACT)
WIDE = (-65, 65)


class Search:
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
            own, other, *window, min(depth, empties), selectivity, 0, self.memory.address
        )
        return value, int(self.memory.block[BEST_MOVE])

    def evaluate(self, own, other):
        """The static value."""
        return self.root(own, other, depth=0)[0]

    def null_window(self, own, other, lead, depth=64):
        return self.root(own, other, (lead, lead + 1), depth)[0]


@pytest.fixture
def search():
    return Search()


def after(own, other, square):
    """The position for the next mover."""
    turned = GAME.flips(own, other, 1 << square)
    return other ^ turned, own ^ turned ^ 1 << square


def squares(mask):
    return [square for square in range(64) if mask >> square & 1]


def positions(many, empties, seed, *, movable=False):
    """From random play and any discs at all, in turn."""
    rng = random.Random(seed)
    while many:
        own, other, _ = (reached, scattered)[many % 2](GAME, rng.choice(empties), rng)
        if not movable or GAME.legal(own, other):
            many -= 1
            yield own, other


def test_a_null_window_gives_a_true_bound_wherever_it_is(search):
    rng = random.Random(1)
    for own, other in positions(1500 if LONG else 300, range(9 if LONG else 8), seed=1):
        value = value_of(GAME, own, other)
        for lead in {value - 1, value, rng.randrange(-64, 64), *rng.choices((-64, 63), k=1)}:
            bound = search.null_window(own, other, lead)
            assert lead < bound <= value if value > lead else value <= bound <= lead


def test_the_value_is_exact_inside_the_window_and_a_bound_outside(search):
    rng = random.Random(2)
    empties = (1, 4, 6, 7, 8, 9) if LONG else (1, 4, 6, 7)
    for own, other in positions(500 if LONG else 200, empties, seed=2, movable=True):
        value = value_of(GAME, own, other)
        low = rng.randrange(-65, 64)
        high = low + rng.choice((1, 2, 5, 20))
        found, square = search.root(own, other, (low, high))
        if low < value < high:
            assert found == value
            assert -value_of(GAME, *after(own, other, square)) == value
        elif value <= low:
            assert value <= found <= low
        else:
            assert high <= found <= value
            assert -value_of(GAME, *after(own, other, square)) >= high


def by_plies(own, other, depth, search):
    """Plain minimax over the evaluation; a pass uses up no ply."""
    moves = squares(GAME.legal(own, other))
    if depth == 0 or not (moves or GAME.legal(other, own)):
        return search.evaluate(own, other)
    if not moves:
        return -by_plies(other, own, depth, search)
    return max(-by_plies(*after(own, other, square), depth - 1, search) for square in moves)


@pytest.mark.parametrize(("depth", "many"), [(1, 40), (2, 20), (3, 8)])
def test_a_depth_is_plain_minimax_over_the_evaluation(depth, many, search):
    """Up to the rounding of halves; with many squares empty, where passes are rare."""
    rng = random.Random(depth)
    for _ in range(many):
        own, other, _ = reached(GAME, rng.randrange(36, 61), rng)
        if GAME.legal(own, other):
            found, _ = search.root(own, other, depth=depth)
            assert abs(found - by_plies(own, other, depth, search)) <= 1
            search.memory.forget()  # a deeper search must not answer for a shallower one
