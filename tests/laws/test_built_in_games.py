"""Every built-in game, in a good spread of variants, obeys every law."""

from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from tests.variants import VARIANTS, label


@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_every_variant_is_lawful(game):
    assert parlour.laws.check(game) == []


def test_every_game_has_variants_among_those_checked():
    assert {game.name for game in VARIANTS} == set(parlour.games())


def test_the_example_game_is_lawful():
    kayles = registry.from_file("games", Path("examples/kayles.py"))
    assert parlour.laws.check(kayles()) == []
    assert parlour.laws.check(kayles(pins=1)) == []
