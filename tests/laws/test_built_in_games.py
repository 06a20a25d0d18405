"""Every built-in game, in a good spread of variants, obeys every law."""

from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from tests.variants import VARIANTS, label


def takes_long(game):
    is_large = getattr(game, "columns", 0) > 9 or getattr(game, "fingers", 0) > 9
    return is_large or getattr(game, "rules", "") == "feathers-revive"


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.slow] * takes_long(game)) for game in VARIANTS],
    ids=label,
)
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
