"""A game that is asked for is set up as it was said, and what cannot be is not made possible."""

from __future__ import annotations

import pytest

import parlour
from parlour.core.errors import BadOption
from parlour.host.hearing import heard
from parlour.host.wishes import wish


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("nim with 3, 4 and 5", {"piles": (3, 4, 5)}),
        ("nim 3-4-5", {"piles": (3, 4, 5)}),
        ("nim against one-at-a-time", {}),
        ("nim with 3 4 5 against one-at-a-time", {"piles": (3, 4, 5)}),
        ("nim for 1 player", {"seats": 1}),
        ("two player nim with 3 4 5", {"seats": 2, "piles": (3, 4, 5)}),
        ("nim with one pile of ten", {"piles": (10,)}),
        ("nim, one pile of three and one pile of four", {"piles": (3, 4)}),
        ("nim with a pile of 3 and one of 4", {"piles": (3, 4)}),
        ("nim with three piles of 5", {"piles": (5, 5, 5)}),
        ("nim with 3 piles: 3, 4 and 5", {"piles": (3, 4, 5)}),
        ("nim with 2 heaps, 7 coins in each", {"piles": (7, 7)}),
        ("nim for three with 3 4 5", {"seats": 3, "piles": (3, 4, 5)}),
        ("nim for 3 4 5", {"piles": (3, 4, 5)}),
        ("nim for three", {"seats": 3}),
        ("sticks with 30, at most 4", {"sticks": 30, "take": 4}),
        ("tic tac toe 4 by 5, 4 in a row", {"columns": 4, "rows": 5, "line": 4}),
    ],
)
def test_a_sentence_sets_the_options_it_speaks_of(said, options):
    asked = wish(heard(said))
    assert asked.options == options
    parlour.game(asked.game, **asked.options)


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("nim with 3 -4 5", {"piles": (3, -4, 5)}),
        ("nim with 3, minus 4 and 5", {"piles": (3, -4, 5)}),
        ("nim with 2.5 and 4", {"piles": (2.5, 4)}),
        ("nim with -3 piles of 5", {"piles": (-3, 5)}),
        ("nim with 99999999999999", {"piles": (99999999999999,)}),
        ("nim with 3 4 5 for -2 players", {"piles": (3, 4, 5), "seats": -2}),
        ("nim with 3 4 5, at most -2", {"piles": (3, 4, 5), "take": -2}),
        ("sticks with minus five", {"sticks": -5}),
        ("sticks with 12.5 sticks", {"sticks": 12.5}),
        ("chopsticks where a hand dies at -4", {"dies_at": -4}),
        ("tic tac toe 3 by -4", {"columns": 3, "rows": -4}),
    ],
)
def test_an_impossible_number_is_kept_so_that_the_game_refuses_it(said, options):
    asked = wish(heard(said))
    assert asked.options == options
    with pytest.raises(BadOption):
        parlour.game(asked.game, **asked.options)


def test_a_number_in_the_name_of_a_bot_is_part_of_its_name():
    assert wish(heard("nim against one-at-a-time")).against == "one-at-a-time"
