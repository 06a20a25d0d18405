"""A good spread of variants of every game, for properties that all of them must have."""

from __future__ import annotations

from parlour import Game
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe

VARIANTS: list[Game] = [
    Nim(),
    Nim(misere=True),
    Nim(misere=True, endings=CLASS_ENDINGS),
    Nim(piles=(1, 2, 3, 4), endings=CLASS_ENDINGS),
    Nim(piles=(0, 7, 0, 2)),
    Nim(piles=(10**9, 5, 10**8)),
    Nim(piles=(1,) * 64),
    Nim(piles=(9, 9, 9), take=4, misere=True),
    Nim(seats=1),
    Nim(seats=3),
    Nim(seats=4, misere=True, endings=((1, 1),)),
    Nim(seats=10, misere=True, piles=(2, 3)),
    Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS),
    Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS, misere=True),
    Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS, misere=True, seats=3),
    Sticks(),
    Sticks(sticks=100, take=7),
    Sticks(sticks=10, take=1),
    Chopsticks(),
    Chopsticks(split_least=1),
    Chopsticks(overflow="wraps", hit_self=True, split_same=True),
    Chopsticks(dies_at=2),
    Chopsticks(dies_at=20, fingers=19, loops="barred"),
    Chopsticks(rules="feathers"),
    Chopsticks(rules="feathers-revive"),
    Chopsticks(rules="feathers", loops="allowed"),
    Chopsticks(rules="feathers-revive", split_same=False, overflow="wraps"),
    TicTacToe(),
    TicTacToe(misere=True),
    TicTacToe(columns=5, rows=4, line=4),
    TicTacToe(columns=1, rows=1, line=1),
    TicTacToe(columns=20, rows=20, line=5),
    TicTacToe(columns=7, rows=2, line=3, misere=True),
    Othello(),
    Othello(opening="benedict"),
    Othello(opening="despacito"),
    Othello(columns=4, rows=4),
    Othello(columns=6, rows=6),
    Othello(columns=5, rows=7),
    Othello(columns=16, rows=4),
    Othello(columns=4, rows=16),
    Othello(columns=10, rows=9, opening="benedict"),
    Othello(columns=16, rows=16),
]


def label(game: Game) -> str:
    """A short name for a variant in the list of tests."""
    from parlour.core.options import describe

    return describe(game).replace(" ", "-")[:70]
