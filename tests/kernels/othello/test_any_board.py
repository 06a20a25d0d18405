"""The search for boards of any shape, held against plain minimax and the rules."""

import functools
import random
import threading

import numpy as np
import pytest
from numba import njit

from parlour.kernels.othello import search as kernels
from parlour.kernels.othello.bitboard import board_table, perft, stable_by_table
from parlour.kernels.othello.transposition import BEST_MOVE, Memory
from parlour.rules.othello import Othello, flips_anysize, moves_anysize
from tests.conftest import LONG
from tests.slow_othello import positions, value_of

ALL = 65  # more than any board has squares
SHAPES = [(8, 8), (6, 6), (9, 7), (7, 9), (16, 4), (4, 16), (5, 5), (4, 4), (12, 5), (7, 6)]
named = functools.partial(pytest.mark.parametrize, ids=lambda shape: "x".join(map(str, shape)))


class Searcher:
    """One board and the memory to search it in."""

    def __init__(self, columns, rows, **options):
        self.game = Othello(columns=columns, rows=rows, **options)
        self.table = board_table(columns, rows)
        self.board = self.table.ctypes.data
        self.memory = Memory(2)
        self.cells = np.zeros(3, np.int64)
        self.memory.begin(self.cells)

    def search(self, own, other, low=-ALL, high=ALL, depth=ALL):
        self.memory.block[BEST_MOVE] = kernels.NO_MOVE
        return kernels.search_root(
            own, other, low, high, depth, kernels.EXACT, self.board, self.memory.address
        )

    @property
    def best(self):
        """The move the last search found best."""
        square = int(self.memory.block[BEST_MOVE])
        return (square % self.game.columns, square // self.game.columns)


def after(board, own, other):
    """Every position one move later, the next mover's discs first."""
    mask = moves_anysize(board, own, other)
    while mask:
        bit = mask & -mask
        mask ^= bit
        turned = flips_anysize(board, own, other, bit)
        yield other ^ turned, own ^ turned ^ bit


@named("shape", [(9, 7), (4, 16), (5, 5)])
def test_perft_is_the_same_through_the_verbs(shape):
    searcher = Searcher(*shape)
    game = searcher.game
    states = [game.start()]
    for depth in range(1, 6):
        after = ([game.play(state, move) for move in game.moves(state)] for state in states)
        states = [state for each, old in zip(after, states, strict=True) for state in each or [old]]
        start = game.start()[:2]
        assert perft(*start, depth, searcher.board, searcher.cells.ctypes.data) == len(states)


@pytest.mark.slow
@named("shape", SHAPES)
def test_the_end_agrees_with_plain_minimax(shape):
    searcher = Searcher(*shape)
    signs, passes = set(), 0
    for empties in range(11 if LONG else 10 if shape in SHAPES[:3] else 8):
        number = 150 if LONG else 20 if empties < 8 else 6
        for own, other in positions(searcher.game, empties, number, seed=empties):
            known = value_of(searcher.game, own, other)
            assert searcher.search(own, other) == known
            signs.add((known > 0) - (known < 0))
            passes += not searcher.game.legal(own, other)
    assert {-1, 1} <= signs
    assert passes > 10


@pytest.mark.slow
@named("shape", [(6, 6), (9, 7)])
def test_a_window_may_cut_but_never_changes_a_value_inside_it(shape):
    searcher = Searcher(*shape)
    chance = random.Random(1)
    for own, other in positions(searcher.game, 8, 40, seed=2):
        exact = value_of(searcher.game, own, other)
        for _ in range(8):
            low = chance.randint(-ALL, ALL - 1)
            high = chance.randint(low + 1, ALL)
            searcher.memory.forget()
            found = searcher.search(own, other, low, high)
            if low < exact < high:
                assert found == exact
            elif exact <= low:
                assert exact <= found <= low
            else:
                assert high <= found <= exact


@named("shape", [(6, 6), (9, 7)])
def test_the_best_move_keeps_the_value(shape):
    searcher = Searcher(*shape)
    game = searcher.game
    for own, other in positions(game, 7, 40, seed=3):
        if game.legal(own, other):
            value = searcher.search(own, other)
            assert value_of(game, *game.play((own, other, 0), searcher.best)[:2]) == -value


def mirrored_positions(columns, rows, empties, many, seed):
    """Positions that are their own image when the board is turned by half or mirrored."""
    chance = random.Random(seed)
    squares = np.arange(columns * rows).reshape(rows, columns)
    images = [squares[:, ::-1], squares[::-1], squares[::-1, ::-1]]
    if columns == rows:
        images += [squares.T, squares[::-1, ::-1].T]
    for _ in range(many):
        image = chance.choice(images).ravel().tolist()
        pairs = list({frozenset(pair) for pair in enumerate(image)})
        chance.shuffle(pairs)
        own = other = 0
        for pair in pairs:
            if columns * rows - (own | other).bit_count() > empties:
                discs = sum(1 << square for square in pair)
                own, other = chance.choice(((own | discs, other), (own, other | discs)))
        yield own, other


@named("shape", [(6, 6), (9, 7)])
def test_a_position_that_mirrors_itself_has_its_true_value(shape):
    searcher = Searcher(*shape)
    alike = 0
    for own, other in mirrored_positions(*shape, empties=7, many=40, seed=8):
        assert searcher.search(own, other) == value_of(searcher.game, own, other)
        alike += searcher.game.legal(own, other).bit_count() > 2
    assert alike > 10


@named("shape", [(9, 7), (5, 5)])
def test_a_depth_is_plain_minimax_over_the_evaluation(shape):
    searcher = Searcher(*shape)
    board = searcher.game.board
    squares = len(board.bits)

    def ahead(own, other, depth):
        if depth == 0:
            return searcher.search(own, other, depth=0)
        values = [-ahead(*pair, depth - 1) for pair in after(board, own, other)]
        if values:
            return max(values)
        if moves_anysize(board, other, own):
            return -ahead(other, own, depth)
        return value_of(searcher.game, own, other)

    for own, other in positions(searcher.game, squares // 2, 6, seed=4):
        for depth in range(4):
            searcher.memory.forget()
            assert searcher.search(own, other, depth=depth) == ahead(own, other, depth)


def test_a_whole_game_has_one_value_whatever_is_asked_about_it():
    """Its sign, its value, and whether it is at least or at most that, each from nothing."""
    for shape in ((5, 4), (6, 4)):
        searcher = Searcher(*shape)
        start = searcher.game.start()[:2]
        value = searcher.search(*start)
        searcher.memory.forget()
        assert (searcher.search(*start, -1, 1) > 0) == (value > 0)
        searcher.memory.forget()
        assert searcher.search(*start, value - 1, value) >= value
        searcher.memory.forget()
        assert searcher.search(*start, value, value + 1) <= value


@njit
def stable_discs(own, other, board):
    return stable_by_table(own, other, board)


def test_stable_discs_are_never_turned_whatever_is_played():
    found = 0
    for shape in SHAPES:
        searcher = Searcher(*shape)
        board = searcher.game.board

        def reachable(own, other, passed=False, *, board=board):
            """Every position that may come, with the first mover's discs first."""
            yield own, other
            played = False
            for yours, mine in after(board, own, other):
                played = True
                yield from ((a, b) for b, a in reachable(yours, mine, board=board))
            if not played and not passed:
                yield from ((a, b) for b, a in reachable(other, own, True, board=board))

        for empties in (1, 2, 4, 5):
            for own, other in positions(searcher.game, empties, 4, seed=0):
                stable = stable_discs(np.uint64(own), np.uint64(other), searcher.board)
                assert not stable & ~own
                found += stable.bit_count()
                assert all(not stable & ~later for later, _ in reachable(own, other))
    assert found > 500


def test_a_corner_and_the_discs_it_holds_are_stable():
    searcher = Searcher(6, 6)
    text = "XXXX-- XXX--- XX---- X----- ------ ------".replace(" ", "")
    own = sum(1 << square for square, mark in enumerate(text) if mark == "X")
    assert stable_discs(np.uint64(own), np.uint64(0), searcher.board) == own
    assert stable_discs(np.uint64(own << 7), np.uint64(0), searcher.board) == 0


def test_entries_of_shallower_searches_are_never_taken_for_proven():
    for shape in ((6, 6), (9, 7)):
        searcher = Searcher(*shape)
        for own, other in positions(searcher.game, 12, 10, seed=5):
            searcher.memory.forget()
            exact = searcher.search(own, other)
            searcher.memory.forget()
            for depth in (3, 6, 9):
                searcher.search(own, other, depth=depth)
            assert searcher.search(own, other) == exact


def test_a_long_search_stops_when_asked():
    searcher = Searcher(9, 7)
    timer = threading.Timer(0.1, lambda: searcher.cells.__setitem__(0, 1))
    timer.start()
    searcher.search(*searcher.game.start()[:2])  # which else would take for ever
    timer.join()
    assert searcher.memory.nodes > 0
