"""Which games are solved at once: one answer for the table, the arena and the web."""

import pytest

from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth import is_solved_soon, solve_soon
from tests.countdown import Countdown
from tests.oracle import oracle

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


@pytest.mark.slow
@pytest.mark.parametrize("game", QUICK, ids=repr)
def test_a_quick_game_is_solved_soon(game):
    assert is_solved_soon(game)
    assert solve_soon(game).value(game.start()).outcome in ("win", "loss", "draw")


@pytest.mark.parametrize("game", SLOW, ids=repr)
def test_a_slow_or_unsolvable_game_is_not_solved_soon(game):
    assert not is_solved_soon(game)
    assert solve_soon(game) is None


def test_a_game_without_a_size_is_tried():
    assert solve_soon(Countdown()).value((0, 9)).outcome == oracle(Countdown()).values[0, 9][0]
    assert not is_solved_soon(Countdown(top=10**6))
