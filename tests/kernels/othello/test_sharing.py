"""Threads of one search take different moves first, and leave none out."""

import random

import pytest

from parlour.kernels.othello.search import list_moves
from parlour.kernels.othello.sharing import (
    SHARED_DEPTH,
    SHARED_EMPTIES,
    enter,
    leave,
    pick_next,
    shared_at,
)
from parlour.kernels.othello.transposition import Memory, set_key, square_at
from parlour.rules.othello import Othello
from tests.compiled import compiled
from tests.slow_othello import reached

GAME = Othello()
DEPTH = 10


@compiled("int64(uint64, uint64, uint64, int64, int64)")
def list_all(own, other, mask, empties, work):
    return list_moves(own, other, mask, empties, None, work)


@compiled("void(int64, int64, int64, int64)")
def give(key, index, empties, work):
    set_key(key, index, empties, work)


@compiled("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)")
def take(own, other, index, count, depth, empties, shared, work):
    """The square of the next move."""
    return square_at(pick_next(own, other, index, count, depth, empties, shared, work), work)


@compiled("void(uint64, uint64, int64, int64, boolean)")
def mark(own, other, depth, shared, entering):
    if entering:
        enter(own, other, depth, shared)
    else:
        leave(own, other, depth, shared)


@compiled("int64(int64, int64, int64)")
def address(depth, empties, work):
    return shared_at(depth, empties, work)


class Node:
    """A position with a list of moves in a random order."""

    def __init__(self, chance):
        self.own, self.other, _ = reached(GAME, 40, chance)
        main = Memory(4)
        self.memory = Memory(4, shared=main)
        self.slots = self.memory.slots.ctypes.data
        mask = GAME.legal(self.own, self.other)
        self.count = list_all(self.own, self.other, mask, 40, self.memory.address)
        self.keys = chance.sample(range(-500, 500), self.count)
        for place, key in enumerate(self.keys):
            give(key, place, 40, self.memory.address)
        squares = [square for square in range(64) if mask >> square & 1]
        self.order = [square for _, square in sorted(zip(self.keys, squares, strict=True))[::-1]]

    def child(self, square):
        turned = GAME.flips(self.own, self.other, 1 << square)
        return self.other ^ turned, self.own ^ turned ^ 1 << square

    def search(self, squares, *, entering=True):
        """Say that another thread searches these moves, or does no longer."""
        for square in squares:
            mark(*self.child(square), DEPTH - 1, self.slots, entering)

    def taken(self, shared):
        """All moves in the order in which a thread takes them."""
        numbers = (self.count, DEPTH, 40, shared, self.memory.address)
        return [take(self.own, self.other, index, *numbers) for index in range(self.count)]


def nodes(many, seed):
    chance = random.Random(seed)
    made = (Node(chance) for _ in range(many))
    return [(node, chance) for node in made if node.count > 2]


@pytest.mark.slow
def test_alone_a_thread_takes_the_moves_by_their_keys():
    for node, _ in nodes(20, seed=1):
        node.search(node.order)
        assert node.taken(0) == node.order


def test_moves_that_another_thread_is_searching_come_last_and_none_is_left_out():
    for node, chance in nodes(40, seed=2):
        busy = chance.sample(node.order, chance.randrange(node.count + 1))
        node.search(busy)
        first, *rest = node.order  # the first is searched by all of them
        taken = node.taken(node.slots)
        assert taken[0] == first
        free = [square for square in rest if square not in busy]
        assert taken[1 : 1 + len(free)] == free
        assert sorted(taken) == sorted(node.order)


def test_a_move_that_was_searched_comes_in_its_turn_again():
    for node, _ in nodes(20, seed=3):
        node.search(node.order)
        node.search(node.order, entering=False)
        assert node.taken(node.slots) == node.order


def test_only_large_searches_of_several_threads_are_shared():
    main = Memory(4)
    deep, late = int(SHARED_DEPTH), int(SHARED_EMPTIES)
    assert not address(deep + 9, 50, main.address)
    Memory(4, shared=main)
    assert address(deep, 50, main.address) == main.slots.ctypes.data
    assert not address(deep - 1, 50, main.address)
    assert address(late, late, main.address)
    assert not address(late - 1, late - 1, main.address)
