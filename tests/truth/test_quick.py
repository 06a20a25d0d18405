"""Which games are solved at once: one answer for the table, the arena and the web."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth import is_solved_soon, solve_soon

QUICK = [
    Nim(),
    Nim(piles=(10**9, 3)),
    Nim(misere=True, endings=CLASS_ENDINGS),
    Sticks(),
    Chopsticks(),
    Chopsticks(rules="feathers"),
    TicTacToe(),
    TicTacToe(columns=4, rows=4),
]
SLOW = [
    Nim(seats=3),
    Nim(piles=(100, 100, 100, 100), endings=((1, 2),)),
    Chopsticks(rules="feathers-revive"),
    TicTacToe(columns=5, rows=5),
    Othello(),
    Othello(columns=4, rows=4),
]


@dataclass(frozen=True)
class Counting:
    """Players add 1 or 2; whoever reaches the end wins. It has no `size`."""

    end: int = 10
    name: ClassVar[str] = "counting"
    seats: ClassVar[int] = 2

    def start(self):
        return (0, 0)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return tuple(n for n in (1, 2) if state[1] + n <= self.end)

    def play(self, state, move):
        return (1 - state[0], state[1] + move)

    def result(self, state):
        if state[1] < self.end:
            return None
        return (-1, 1) if state[0] == 0 else (1, -1)


@pytest.mark.parametrize("game", QUICK, ids=repr)
def test_a_quick_game_is_solved_soon(game):
    assert is_solved_soon(game)
    assert solve_soon(game).value(game.start()).outcome in ("win", "loss", "draw")


@pytest.mark.parametrize("game", SLOW, ids=repr)
def test_a_slow_or_unsolvable_game_is_not_solved_soon(game):
    assert not is_solved_soon(game)
    assert solve_soon(game) is None


def test_a_game_without_a_size_is_tried():
    assert is_solved_soon(Counting())
    assert solve_soon(Counting(end=9)).value((0, 0)).outcome == "loss"  # a multiple of 3
    assert not is_solved_soon(Counting(end=10**6))
