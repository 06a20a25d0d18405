"""Every built-in game, in a good spread of variants, obeys every law."""

from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from parlour.rules import Chopsticks, Othello, TicTacToe
from tests.variants import VARIANTS, label

# Checking them takes from four to fifteen seconds each.
LARGE = [
    Chopsticks(dies_at=20, fingers=19, loops="barred"),
    Chopsticks(rules="feathers-revive", split_same=False, overflow="wraps"),
    TicTacToe(columns=20, rows=20, line=5),
    Othello(columns=10, rows=9, opening="benedict"),
    Othello(columns=16, rows=16),
]


@pytest.mark.parametrize(
    "game",
    [pytest.param(each, marks=[pytest.mark.long] * (each in LARGE)) for each in VARIANTS],
    ids=label,
)
@pytest.mark.slow
def test_every_variant_is_lawful(game):
    assert parlour.laws.check(game) == []


def test_every_game_has_variants_among_those_checked():
    assert {game.name for game in VARIANTS} == set(parlour.games())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kayles", {}),
        ("kayles", {"pins": 1}),
        ("hexapawn", {"columns": 2, "rows": 6}),
        ("hexapawn", {"columns": 6, "rows": 3}),
        ("three_mens_morris", {"slides": "anywhere", "centre": False}),
    ],
)
def test_the_example_games_are_lawful(name, options):
    game = registry.from_file("games", Path(f"examples/{name}.py"))(**options)
    assert parlour.laws.check(game) == []
