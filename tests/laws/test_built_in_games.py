"""Every built-in game obeys every law: one or two variants of each, or in a long run many."""

from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from parlour.rules import CLASS_ENDINGS, Chopsticks, Nim, Othello, Sticks, TicTacToe
from tests.variants import VARIANTS, label

FEW = [
    Nim(misere=True, endings=CLASS_ENDINGS),
    Nim(piles=(10**9, 5, 10**8)),
    Nim(seats=4, misere=True, endings=((1, 1),)),
    Sticks(),
    Chopsticks(),
    Chopsticks(rules="feathers"),
    TicTacToe(),
    TicTacToe(columns=7, rows=2, line=3, misere=True),
    Othello(columns=4, rows=4),
    Othello(opening="despacito"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [pytest.param(each, marks=[pytest.mark.long] * (each not in FEW)) for each in VARIANTS],
    ids=label,
)
def test_every_variant_is_lawful(game):
    assert parlour.laws.check(game) == []


def test_every_game_has_variants_among_those_checked():
    assert {game.name for game in FEW} == {game.name for game in VARIANTS} == set(parlour.games())


@pytest.mark.slow
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
    game = registry.find("games", Path(f"examples/{name}.py"))(**options)
    assert parlour.laws.check(game) == []
