"""A game that is asked for is set up as it was said, and what cannot be is not made possible."""

from __future__ import annotations

import pytest

import parlour
from parlour.core.errors import BadOption
from parlour.host.language.line import normalise
from parlour.host.understand.wishes import find_counts, read_wish
from parlour.rules import CLASS_ENDINGS


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
    asked = read_wish(normalise(said).words)
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
    asked = read_wish(normalise(said).words)
    assert asked.options == options
    with pytest.raises(BadOption):
        parlour.game(asked.game, **asked.options)


@pytest.mark.parametrize(
    ("said", "endings", "misere"),
    [
        ("where leaving 1 1 1 also wins", [(1, 1, 1)], False),
        ("where leaving 1, 1 and 1 loses", [(1, 1, 1)], True),
        ("with the extra ending 2,2", [(2, 2)], None),
        ("whoever leaves two piles of two loses", [(2, 2)], True),
        ("it also ends at 2,2 and at 1,1,1", [(2, 2), (1, 1, 1)], None),
        ("with endings 2,2 and 1,1,1", [(2, 2), (1, 1, 1)], None),
        ("ending at 1, 2 and 13", [(1, 2, 13)], None),
        ("the game also ends when 1 2 is left", [(1, 2)], None),
        ("where you lose if you leave 2 2", [(2, 2)], True),
        ("where the player who leaves three ones wins", [(1, 1, 1)], False),
        ("where 2 2 also ends the game", [(2, 2)], None),
        ("with the class endings and an extra ending at 1,1", [*CLASS_ENDINGS, (1, 1)], None),
        ("where leaving two piles of 2 and a pile of 1 wins", [(2, 2, 1)], False),
    ],
)
def test_endings_can_be_said(said, endings, misere):
    """Digits by runs, as typed anywhere; all endings win or, misère, lose, like the last coin."""
    asked = read_wish(normalise(f"nim 3 4 5, {said}").words)
    assert asked.options.pop("misere", None) == misere
    assert asked.options == {"piles": (3, 4, 5), "endings": tuple(endings)}
    assert find_counts(normalise(said).words) == []


@pytest.mark.parametrize("said", ["nim with no extra endings", "start over with 3 4 5 at nim"])
def test_what_only_sounds_like_an_ending_is_none(said):
    assert "endings" not in read_wish(normalise(said).words).options


def test_a_number_in_the_name_of_a_bot_is_part_of_its_name():
    assert read_wish(normalise("nim against one-at-a-time").words).against == "one-at-a-time"


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("othello first", "me"),
        ("othello second", "you"),
        ("tic-tac-toe second", "you"),
        ("othello on a 6 by 6 board, second please", "you"),
        ("play me at tictactoe, you're X", "you"),
        ("tic tac toe, you are O", "me"),
        ("tic tac toe, I'm O", "you"),
        ("tic tac toe as X", "me"),
        ("othello as white", "you"),
        ("othello, you second", "me"),
        ("let's play nim first", ""),
        ("I want to play x and o", ""),
        ("chopsticks", ""),
    ],
)
def test_who_begins_is_heard_in_a_word_or_a_colour(said, begins):
    assert read_wish(normalise(said).words).begins == begins


@pytest.mark.parametrize(
    ("said", "misere"),
    [
        ("nim 3 4 5, loser takes last", True),
        ("nim 3 4 5, loser taking the last coin", True),
        ("nim 3 4 5, the loser is whoever takes the last coin", True),
        ("nim 3 4 5, winner takes last", False),
        ("nim 3 4 5, loser begins, the last coin wins", False),
    ],
)
def test_who_takes_the_last_coin_is_told_in_many_ways(said, misere):
    assert read_wish(normalise(said).words).options == {"piles": (3, 4, 5), "misere": misere}


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("hardest othello", 10),
        ("chopsticks at the hardest level", 10),
        ("easiest othello", 1),
        ("othello level 4", 4),
        ("othello", None),
    ],
)
def test_the_hardest_and_the_easiest_are_the_ends_of_the_levels(said, level):
    assert read_wish(normalise(said).words).level == level


@pytest.mark.parametrize("said", ["tik tak toe", "tic tac", "tick tack toe", "tik tac toe"])
def test_tic_tac_toe_is_known_however_it_is_spelt(said):
    assert read_wish(normalise(f"play {said} with me").words).game == "tictactoe"


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("3 4 5", [3, 4, 5]),
        ("at most 3 at a time", []),
        ("3 piles, at most 2", [3]),
        ("for 3 players", []),
        ("level 7", []),
        ("against one-at-a-time", []),
    ],
)
def test_only_what_counts_piles_or_coins_is_taken_for_them(said, numbers):
    assert find_counts(normalise(said).words) == numbers
