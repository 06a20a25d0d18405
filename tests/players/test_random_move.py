"""The bot that plays at random: seeded, evenly, and any variant."""

from collections import Counter

import pytest

import parlour
from parlour.rules.nim import Nim
from tests.variants import VARIANTS, label


@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_it_plays_every_variant_to_the_end(game):
    record = parlour.match(game, [parlour.bot("random", seed=n) for n in range(game.seats)])
    assert record.result is not None
    assert "random" in parlour.bots(game)


def test_it_draws_evenly():
    game, bot = Nim(piles=(2, 2)), parlour.bot("random", seed=7)
    drawn = Counter(bot.choose(game, game.start()) for _ in range(4000))
    assert set(drawn) == set(game.moves(game.start()))
    assert all(abs(count - 1000) < 5 * 27.4 for count in drawn.values())  # 5 sigma


def test_a_seed_makes_it_draw_the_same_again():
    game = parlour.game("othello")
    first, second, other = (
        parlour.match(game, [parlour.bot("random", seed=seed)] * 2) for seed in (1, 1, 2)
    )
    assert first == second
    assert first.moves != other.moves
