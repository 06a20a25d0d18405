"""Stable discs are never flipped, whatever is played, and bound the value; edges are all known."""

import itertools
import random

import numpy as np
import pytest
from numba import int64

from parlour.kernels.othello.endgame import stability_bound, stable_discs
from parlour.rules.othello import Othello
from tests.compiled import compiled
from tests.conftest import LONG
from tests.slow_othello import WAYS, reached, scattered, value_of

GAME = Othello()


@compiled("void(uint64[:, ::1], uint64[::1])")
def find_stable(positions, stable):
    for place, (own, other) in enumerate(positions):
        stable[place] = stable_discs(own, other)


@compiled("void(uint64, uint64, int64, int64[::1])")
def bounds_of(own, other, empties, bounds):
    """The bound that stable discs give for each lead in question, from -64 on."""
    for place in range(len(bounds)):
        bounds[place] = stability_bound(own, other, int64(place - 64), empties, None)


def stable_of(positions):
    stable = np.zeros(len(positions), np.uint64)
    find_stable(np.array(positions, np.uint64), stable)
    return stable.tolist()


def play_on(own, other, chance):
    """The discs of both after a move of either, or nothing when neither can move."""
    for mover, waiting in chance.sample([(own, other), (other, own)], 2):
        if moves := GAME.legal(mover, waiting):
            bit = 1 << chance.choice([square for square in range(64) if moves >> square & 1])
            turned = GAME.flips(mover, waiting, bit)
            moved = mover | turned | bit, waiting ^ turned
            return moved if mover == own else moved[::-1]
    return None


@pytest.mark.slow
def test_a_stable_disc_never_turns():
    chance = random.Random(1)
    found = [
        (reached, scattered)[number % 2](GAME, chance.randrange(2, 40), chance)[:2]
        for number in range(1500 if LONG else 400)
    ]
    mine, yours = stable_of(found), stable_of([position[::-1] for position in found])
    for (own, other), kept, lost in zip(found, mine, yours, strict=True):
        assert kept & ~own == lost & ~other == 0
        for _ in range(2):
            position = own, other
            while position := play_on(*position, chance):
                assert kept & ~position[0] == lost & ~position[1] == 0
    assert sum(map(int.bit_count, mine + yours)) > 8 * len(found)


def run_from(edge, square, step, colour):
    """The discs of the other colour next to a square, up to one of this colour."""
    run = []
    at = square + step
    while 0 <= at < 8 and edge[at] not in f"-{colour}":
        run.append(at)
        at += step
    return run if 0 <= at < 8 and edge[at] == colour else []


def after_moves(edge):
    """How an edge may lie after one more disc of either colour."""
    for square, colour in itertools.product(range(8), "XO"):
        if edge[square] == "-":
            turned = run_from(edge, square, 1, colour) + run_from(edge, square, -1, colour)
            changed = {square, *turned}
            yield "".join(colour if at in changed else edge[at] for at in range(8))


def never_turned():
    """For every edge the discs of X that are X's in all edges that can come of it."""
    edges = ["".join(cells) for cells in itertools.product("-XO", repeat=8)]
    following = {edge: set(after_moves(edge)) for edge in edges}
    kept = {}
    for edge in edges:
        seen, left = {edge}, [edge]
        while left:
            new = following[left.pop()] - seen
            seen |= new
            left += new
        kept[edge] = [square for square in range(8) if all(e[square] == "X" for e in seen)]
    return kept


@pytest.mark.slow
def test_on_an_edge_exactly_the_discs_are_stable_that_no_edge_moves_turn():
    kept = never_turned()
    sides = {
        "top": range(8),
        "bottom": range(56, 64),
        "left": range(0, 64, 8),
        "right": range(7, 64, 8),
    }
    for squares in sides.values():

        def laid(cells, squares=squares):
            return sum(1 << squares[at] for at in cells)

        positions = [
            tuple(laid([at for at in range(8) if edge[at] == mark]) for mark in "XO")
            for edge in kept
        ]
        assert stable_of(positions) == [laid(cells) for cells in kept.values()]


def in_full_lines(own, other):
    """The own discs that have no empty square on any of their lines."""
    empty = [(square % 8, square // 8) for square in range(64) if not (own | other) >> square & 1]
    open_ = set()
    for (column, row), (across, down) in itertools.product(empty, WAYS):
        open_ |= {(column + across * far, row + down * far) for far in range(1, 8)}
    return sum(
        1 << square
        for square in range(64)
        if own >> square & 1 and (square % 8, square // 8) not in open_
    )


def test_a_disc_is_stable_when_all_its_lines_are_full():
    chance = random.Random(2)
    found = [scattered(GAME, chance.randrange(6), chance)[:2] for _ in range(300)]
    for position, stable in zip(found, stable_of(found), strict=True):
        assert not in_full_lines(*position) & ~stable


def test_stable_discs_bound_the_value():
    chance = random.Random(3)
    bounds = np.zeros(129, np.int64)
    bounded = 0
    for number in range(200):
        empties = number % 8
        own, other, _ = (reached, scattered)[number // 8 % 2](GAME, empties, chance)
        bounds_of(own, other, 64 - (own | other).bit_count(), bounds)
        assert value_of(GAME, own, other) <= bounds.min()
        bounded += bounds.min() < 64
    assert bounded > 50
