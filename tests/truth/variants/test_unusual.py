"""Unusual variants: a seed draws the same one for everybody, and a choice in them matters."""

import pytest

import parlour
from parlour.core import ParlourError, extra, options_of, protocol, registry
from parlour.truth.variants import draw_variant
from tests.countdown import Countdown

SOLVED = ("nim", "sticks", "chopsticks", "tictactoe")
SEEDS = range(3)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SOLVED, "othello"])
def test_a_seed_draws_the_same_variant_of_the_family_everywhere(name):
    for seed in SEEDS:
        drawn = draw_variant(name, seed)
        assert drawn == draw_variant(type(drawn), seed)
        assert drawn != type(drawn)()
        assert protocol.is_zero_sum(drawn)
    assert len({draw_variant(name, seed) for seed in SEEDS}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_it_is_in_the_atlas_and_several_options_are_changed(name):
    for seed in SEEDS:
        drawn = draw_variant(name, seed)
        for option, choices in extra(registry.find("games", name), "choices").items():
            assert getattr(drawn, option) in choices
        usual = type(drawn)()
        known = options_of(type(drawn))
        assert sum(getattr(drawn, each) != getattr(usual, each) for each in known) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_a_random_player_goes_wrong_in_it(name):
    found = parlour.judge(draw_variant(name, 1), "random", sample=200)
    assert 0 < found.right < 1


def test_a_game_without_a_family_is_refused():
    with pytest.raises(ParlourError, match="not of countdown; choose its options"):
        draw_variant(Countdown(), 1)
