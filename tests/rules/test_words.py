"""Every variant is named and explained in plain words, made from its options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import pytest

import parlour
from parlour.core.options import options_of, values
from parlour.core.protocol import full_title, grid, how_to_move, rules_text, sides, squares, title
from parlour.core.registry import find
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import PASS, Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.variants import VARIANTS, label


def spoken_rules(game, *, general=False):
    return (*rules_text(game, general=general), how_to_move(game))


# Titles


TITLES = [
    (Nim(), "Nim"),
    (Nim(misere=True), "Misère nim with 3, 4 and 5 coins"),
    (Nim(piles=(7,)), "Nim with one pile of 7 coins"),
    (Nim(piles=(1,) * 9), "Nim with 9 piles of coins"),
    (Nim(piles=(4, 4), endings=CLASS_ENDINGS), "Nim with 4 and 4 coins and the class endings"),
    (Nim(endings=((1, 1), (2, 3))), "Nim with extra endings at 1,1 and 2,3"),
    (Nim(endings=tuple((n, n) for n in range(1, 6))), "Nim with 5 extra endings"),
    (
        Nim(endings=(*CLASS_ENDINGS, (5, 5))),
        "Nim with the class endings and an extra ending at 5,5",
    ),
    (Nim(seats=3), "Nim for 3 players"),
    (Nim(take=4), "Nim, at most 4 at a time"),
    (Nim(take=1), "Nim, at most 1 at a time"),
    (Sticks(sticks=12), "The Game of Sticks with 12 sticks"),
    (Chopsticks(), "Chopsticks"),
    (Chopsticks(rules="feathers-revive"), "Chopsticks by the feather rules with revival"),
    (
        Chopsticks(dies_at=7, overflow="wraps"),
        "Chopsticks in which hands wrap at 7",
    ),
    (
        Chopsticks(fingers=2, hit_self=True),
        "Chopsticks in which there are 2 fingers on each hand at first and you may hit your own "
        "other hand",
    ),
    (
        Chopsticks(rules="feathers", split_least=3),
        "Chopsticks by the feather rules, in which a split leaves at least 3 feathers in each box",
    ),
    (Chopsticks(revive=False), "Chopsticks in which a dead hand stays dead"),
    (Chopsticks(loops="barred"), "Chopsticks in which no situation may come back"),
    (TicTacToe(columns=4, rows=4, line=4), "Tic-tac-toe on 4x4, 4 in a line"),
    (TicTacToe(misere=True), "Misère tic-tac-toe"),
    (TicTacToe(line=2), "Tic-tac-toe, 2 in a line"),
    (Othello(columns=6, rows=6), "Othello on 6x6"),
    (Othello(opening="benedict"), "Othello with Benedict's opening"),
    (Othello(opening="despacito"), "Othello on 9x7 with the despacito opening"),
]


def test_a_variant_is_named_in_plain_words():
    wrong = [f"{title(game)} is not {name}" for game, name in TITLES if title(game) != name]
    assert not wrong, "\n".join(wrong)


OTHER_VALUES = {
    "nim": {"piles": (1, 2), "misere": True, "endings": ((1, 1),), "seats": 3, "take": 2},
    "sticks": {"sticks": 30, "take": 5},
    "chopsticks": {
        "rules": "feathers", "fingers": 2, "dies_at": 6, "overflow": "wraps", "hit_self": True,
        "split_least": 1, "revive": False, "split_same": True, "loops": "barred",
    },
    "tictactoe": {"columns": 4, "rows": 4, "line": 2, "misere": True},
    "othello": {"columns": 6, "rows": 6, "opening": "benedict", "misere": True},
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_every_option_shows_in_the_title_and_the_rules(name):
    assert OTHER_VALUES[name].keys() == options_of(find("games", name)).keys()
    usual = parlour.game(name)
    for option, value in OTHER_VALUES[name].items():
        other = parlour.game(name, **{option: value})
        for describe in (title, full_title, spoken_rules):
            assert describe(other) != describe(usual), option


# Rules


def test_the_rules_in_general_promise_no_piles_and_no_board():
    def general(game):
        return spoken_rules(game, general=True)

    assert general(Nim())[0] == "There are piles of coins, usually 3, 4 and 5."
    assert "or loses when it is played misère" in general(Nim())[2]
    assert general(Sticks())[0] == "There are sticks on the table, usually 20."
    assert general(TicTacToe())[0] == "The board usually has 3 columns and 3 rows."
    assert general(Othello())[0] == "The board usually has 8 columns and 8 rows."
    assert general(Chopsticks()) == spoken_rules(Chopsticks())
    assert spoken_rules(Nim())[0] == "There are 3 piles, of 3, 4 and 5 coins."


@pytest.mark.parametrize("kind", ["feathers", "feathers-revive"])
def test_boxes_have_feathers_in_them_and_moves_in_letters(kind):
    game = Chopsticks(rules=kind)
    text = " ".join((*spoken_rules(game), title(game)))
    assert "on each" not in text
    assert "in each" in text
    assert "hit left" not in text
    assert "split 2" not in text


@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_every_variant_has_its_title_and_its_rules_in_a_few_short_sentences(game):
    for text in (title(game), full_title(game)):  # no option's name is in them
        assert not re.search(r"[_=()]|misere|dies_at|benedict|feathers-|None|True|False", text)
        assert not text.endswith(".")
    sentences = spoken_rules(game)
    assert 3 <= len(sentences) <= 8
    for text in sentences:
        assert text[0].isupper() or text[0].isdigit(), text
        assert text.endswith("."), text
        assert "  " not in text, text
        assert len(text.split()) <= 40, text
        assert not re.search(r"(?<!or )\b1 (coins|sticks|fingers|feathers|columns|rows)", text)
    assert ("misère" in " ".join(sentences)) == bool(values(game).get("misere"))
    assert ("isère" in full_title(game)) == bool(values(game).get("misere"))
    examples = re.findall(r"'([^']+)'(?= to|,|\.)", how_to_move(game))
    assert bool(examples) == bool(game.moves(game.start()))
    for example in examples:
        assert game.read_move(game.start(), example) in game.moves(game.start())


def test_the_rules_follow_the_options():
    def says(game, *parts):
        text = " ".join(spoken_rules(game))
        return [part for part in parts if part not in text] == []

    assert says(Nim(take=3), "1, 2 or 3 coins from one pile", "last coin wins")
    assert says(Nim(take=1), "takes 1 coin from one pile")
    assert says(Nim(piles=(7,)), "one pile, of 7 coins")
    assert says(Nim(piles=(1,)), "one pile, of 1 coin.")
    assert says(Nim(endings=CLASS_ENDINGS), "2, 2 and 2; 1, 2 and 3; 1, 1, 2 and 2", "there wins")
    assert says(Nim(endings=((2, 2),), misere=True), "Whoever moves there loses")
    assert says(Nim(endings=tuple((n, n, n) for n in range(1, 30))), "29 other positions")
    assert says(Nim(seats=3, misere=True), "3 play", "last one left wins")
    assert says(Nim(seats=1), "before the first move", "no move to make")
    assert says(Sticks(sticks=30, take=4), "30 sticks", "1 to 4 sticks", "last stick loses")
    assert says(TicTacToe(columns=7, rows=2), "7 columns and 2 rows", "3 in a line, across, wins")
    assert says(TicTacToe(), "across, down or diagonally", "is a draw")
    assert says(TicTacToe(line=1), "A single mark wins")
    assert says(Othello(opening="benedict"), "X is on d4 and e5, O on e4 and d5")
    assert says(Othello(opening="despacito"), "9 columns and 7 rows", "X is on e4 and d5")


@dataclass(frozen=True)
class Coins:
    """Take one coin or two
    from a row. Whoever takes the last coin wins.

    A state is the number of coins.
    """

    name: ClassVar[str] = "coin_row"
    seats: ClassVar[int] = 2

    most_coins: int = parlour.option(5, "the coins in the row", low=1, high=9)

    def start(self):
        return (self.most_coins, 0)

    def turn(self, state):
        return state[1]

    def moves(self, state):
        return tuple(range(1, min(2, state[0]) + 1))

    def write_move(self, move):
        return f"take {move}"


@dataclass(frozen=True)
class Bare(Coins):
    loops: ClassVar[str] = "never"


def test_a_third_partys_game_is_explained_by_its_own_words():
    assert rules_text(Coins()) == (
        "Take one coin or two from a row. Whoever takes the last coin wins.",
        "It is a game for 2 players.",
        "When the same position comes up for the third time it is a draw.",
    )
    assert rules_text(Bare()) == ("It is a game for 2 players.",)
    assert how_to_move(Coins()) == "Type a move as it is written, like 'take 1'."
    assert title(Coins()) == full_title(Coins()).capitalize() == "Coin row"
    assert title(Coins(most_coins=7)) == "Coin row, most coins 7"
    assert (grid(Coins(), (5, 0)), squares(Coins(), 1), sides(Coins())) == (None, (), ())


def test_a_board_of_squares_is_described_row_by_row_from_the_top():
    game = TicTacToe(columns=4, rows=2, line=2)
    state = game.play(game.play(game.start(), (3, 0)), (1, 1))
    assert grid(game, state) == (("", "", "", "X"), ("", "O", "", ""))
    assert squares(game, (3, 0)) == ((3, 0),)
    assert sides(game) == ("X", "O")
    othello = Othello(columns=4, rows=4)
    assert grid(othello, othello.start())[1] == ("", "O", "X", "")
    assert squares(othello, PASS) == ()
    assert sides(othello) == ("black", "white")
    assert grid(Nim(), Nim().start()) is None
