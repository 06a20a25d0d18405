"""The 8x8 search held against plain minimax: true bounds, the depth asked for, stops that work."""

import random

import numpy as np
import pytest

from parlour.kernels.othello.evaluation import weights
from parlour.kernels.othello.search import EXACT, hash_move, search_root
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


def test_the_square_found_is_legal_and_worth_the_value_whatever_is_searched_first(search):
    rng = random.Random(3)
    for own, other in positions(200, range(1, 8), seed=3, movable=True):
        first = rng.choice((int(NO_MOVE), rng.randrange(64), *squares(GAME.legal(own, other))))
        found, square = search.root(own, other, first=first)
        assert square in squares(GAME.legal(own, other))
        assert found == value_of(GAME, own, other) == -value_of(GAME, *after(own, other, square))
        empties = 64 - (own | other).bit_count()
        assert hash_move(own, other, empties, search.memory.address) == square


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


def test_a_pass_negates_the_value_of_the_opponent(search):
    rng = random.Random(6)
    looked = 0
    while looked < 30:
        own, other, _ = scattered(GAME, rng.randrange(8, 24), rng)
        if GAME.legal(own, other) or not GAME.legal(other, own):
            continue
        looked += 1
        for depth in (3, 4, 5):
            lead = search.evaluate(own, other) + rng.randrange(-3, 4)
            for each in (lead - 1, lead, lead + 1):
                search.memory.forget()
                more = search.null_window(own, other, each, depth) > each
                search.memory.forget()
                assert more == (-search.null_window(other, own, -each - 1, depth) > each)


def test_null_windows_agree_with_the_search_of_the_root(search):
    rng = random.Random(4)
    for _ in range(60):
        own, other, _ = reached(GAME, rng.randrange(24, 50), rng)
        if not GAME.legal(own, other):
            continue
        depth = rng.randrange(1, 7)
        value, _ = search.root(own, other, depth=depth)
        search.memory.forget()
        assert search.null_window(own, other, value - 1, depth) >= value
        search.memory.forget()
        assert search.null_window(own, other, value, depth) <= value


@pytest.mark.parametrize("depth", [20, 30, 64])
def test_a_search_that_was_stopped_before_it_began_does_nothing_and_writes_nothing(depth, search):
    rng = random.Random(5)
    for empties in (12, 20, 30, 40, 50, 60):
        own, other, _ = reached(GAME, empties, rng)
        before = search.memory.table.copy(), search.memory.end_table.copy()
        search.cells[0] = 1
        search.root(own, other, depth=depth)
        search.null_window(own, other, 0, depth)
        assert search.memory.nodes < 1000
        assert np.array_equal(before[0], search.memory.table)
        assert np.array_equal(before[1], search.memory.end_table)
