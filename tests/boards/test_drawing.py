"""What the boards show: the state and the last move, drawn and in words."""

import itertools
import re
from pathlib import Path

import pytest

from parlour import boards
from parlour.boards import Mark, board, picture
from parlour.core import registry, sentences
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import PASS, Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.boards.reading import SVG, classed, parsed, positions, shown, some
from tests.variants import VARIANTS, label

STYLE = (Path(boards.__file__).parent / "static" / "boards.css").read_text()
ALL = [
    *VARIANTS,
    *(
        registry.find("games", Path(f"examples/{name}.py"))()
        for name in ("kayles", "hexapawn", "three_mens_morris")
    ),
]
NASTY = '<script>alert(\'x\')</script>" onclick="x" &amp; ]]>'


def labels(root, tag="button"):
    return {each.get("id"): each.get("aria-label") for each in root.iter(tag)}


@pytest.mark.slow
def test_markup_is_well_formed_without_style_or_script_and_ids_are_unique():
    for game, playable in itertools.product(ALL, (True, False)):
        for before, last, state in some(game, most=5):
            marks = {game.write_move(move): Mark("win", plies=3) for move in game.moves(state)[:50]}
            root = shown(game, state, before=before, last=last, playable=playable, marks=marks)
            ids = [each.get("id") for each in root.iter() if each.get("id")]
            assert len(ids) == len(set(ids)), label(game)
            for each in root.iter():
                assert each.tag not in ("script", "style", f"{SVG}script", f"{SVG}style")
                assert not [name for name in each.attrib if re.match("style$|on", name)]


def test_every_drawing_has_a_title_and_every_control_a_name():
    for game in ALL:
        for _, _, state in some(game, most=4):
            root = parsed(picture(game, state))
            assert (root.tag, root[0].tag) == (f"{SVG}svg", f"{SVG}title")
            assert root[0].text
            assert not list(root.iter("button"))
        root = shown(game, game.start(), playable=True)
        for svg in classed(root, "drawing"):
            assert svg[0].tag == f"{SVG}title"
            assert svg[0].text
        named = {each.get("for") for each in root.iter("label")}
        for control in (*root.iter("button"), *root.iter("input")):
            if control.get("type") != "hidden" and control.get("hidden") is None:
                words = control.get("aria-label") or "".join(control.itertext())
                assert words or control.get("id") in named


def test_every_square_names_its_piece():
    says = {"X": "black disc", "O": "white disc", "-": "empty", "*": "empty"}
    for game in (Othello(), Othello(columns=5, rows=7), TicTacToe(columns=7, rows=4)):
        for _, _, state in some(game):
            cells = game.write(state).split()[0]
            spoken = labels(shown(game, state))
            names = [game.board.write_square(square) for square in game.board.bits]
            assert len(spoken) == len(names)
            for name, cell in zip(names, cells, strict=True):
                what = says[cell] if game.name == "othello" else {"-": "empty"}.get(cell, cell)
                assert spoken[f"sq-{name}"] == f"{name}, {what}"
    spoken = labels(shown(Othello(), Othello().start(), playable=True))
    takes = {name for name, words in spoken.items() if words.endswith("empty: play here")}
    assert takes == {"sq-d3", "sq-c4", "sq-f5", "sq-e6"}


def test_squares_know_their_column_and_row():
    for button in shown(TicTacToe(columns=4, rows=3), TicTacToe().start()).iter("button"):
        column, row = int(button.get("data-column")), int(button.get("data-row"))
        assert button.get("id") == f"sq-{'abcd'[column - 1]}{row}"


def test_othello_shows_which_disc_was_placed_and_which_were_turned():
    for game in (Othello(), Othello(opening="despacito"), Othello(columns=4, rows=4)):
        for before, last, state in positions(game, games=1):
            if before is None:
                continue
            root = shown(game, state, before=before, last=last)
            gained = game.score(state) - game.score(before) if game.moves(state) else None
            placed, turned = len(classed(root, "is-new")), len(classed(root, "is-flipped"))
            assert placed == len(classed(root, "last")) == (last != "pass")
            assert sum("just placed" in words for words in labels(root).values()) == placed
            assert sum("just turned" in words for words in labels(root).values()) == turned
            if gained is not None:
                assert abs(gained) == placed + 2 * turned


def test_othello_hints_at_the_squares_that_may_be_taken():
    game = Othello()
    for _, _, state in some(game):
        moves = [move for move in game.moves(state) if move != PASS]
        assert len(classed(shown(game, state, playable=True), "hint")) == len(moves)
        assert not classed(shown(game, state), "hint")


def test_othello_counts_the_discs_in_words():
    (count,) = classed(shown(Othello(), Othello().start()), "count")
    assert "".join(count.itertext()) == "Black 2 White 2"


def test_a_finished_line_is_struck_through_and_no_other():
    for line in (1, 2, 3, 4):
        game = TicTacToe(columns=5, rows=4, line=line)
        for _, _, state in positions(game, games=6):
            assert bool(classed(shown(game, state), "struck")) == bool(state[3])


def test_the_stroke_goes_through_the_line_that_won():
    game = TicTacToe()
    root = shown(game, game.read("XX-XO-XOO O"))
    (struck,) = classed(root, "struck")
    crosses = [each.get("d") for each in classed(root, "cross")]
    (x,) = {re.match(r"M(\S+)", struck.get("d"))[1], re.search(r"L(\S+)", struck.get("d"))[1]}
    assert sum(re.match(rf"M{int(x) - 30} ", path) is not None for path in crosses) == 3


def test_nim_shows_every_object_and_what_was_taken():
    for game in (Nim(), Nim(piles=(60, 7), take=9), Nim(seats=3, piles=(4, 4))):
        for before, last, state in positions(game, games=2):
            root = shown(game, state, before=before, last=last)
            gone = len(classed(root, "is-gone"))
            assert len(classed(root, "counter")) - gone == sum(state[2:])
            assert gone == len(classed(root, "ghost"))
            assert gone == (sum(before[2:]) - sum(state[2:]) if before else 0)


def test_a_fresh_round_of_nim_shows_nothing_taken():
    for piles, text, move in (((2, 1), "1,0:1", (0, 1)), ((100,), "100:1", (0, 100))):
        game = Nim(piles=piles, misere=True, seats=3)
        before = game.read(text)
        state = game.play(before, move)
        assert state[2:] == piles
        last = game.write_move(move)
        assert not classed(shown(game, state, before=before, last=last), "is-gone")


def test_a_very_large_pile_is_a_block_with_its_number():
    game = Nim(piles=(10**9, 61, 60))
    root = shown(game, game.start(), playable=True)
    assert [block.text for block in classed(root, "number")] == ["1,000,000,000", "61"]
    assert [pile.get("aria-label") for pile in classed(root, "pile")] == [
        "pile 1, 1000000000 coins",
        "pile 2, 61 coins",
        "pile 3, 60 coins",
    ]
    after = game.play(game.start(), (0, 5))
    root = shown(game, after, before=game.start(), last="5 from 1")
    assert [taken.text for taken in classed(root, "taken")] == ["−5"]


def test_sticks_are_all_there():
    game = Sticks(sticks=37, take=5)
    for before, last, state in positions(game, games=1):
        root = shown(game, state, before=before, last=last)
        gone = len(classed(root, "is-gone"))
        assert len(classed(root, "stick")) - gone == state[2]
        assert gone == (before[2] - state[2] if before else 0)


def hands(root):
    return [each.get("aria-label") for each in root.iter(f"{SVG}g") if each.get("aria-label")]


def test_every_hand_names_its_fingers():
    game = Chopsticks()
    assert hands(shown(game, game.read("1,0:3,4:1"))) == [
        "Player 1, left hand, 1 finger",
        "Player 1, right hand, dead",
        "Player 2, left hand, 3 fingers",
        "Player 2, right hand, 4 fingers",
    ]
    game = Chopsticks(rules="feathers")
    assert hands(shown(game, game.read("1,6:0,2:1"))) == [
        "Player 1, box A, 1 feather",
        "Player 1, box B, 6 feathers",
        "Player 2, box C, dead",
        "Player 2, box D, 2 feathers",
    ]


def test_ones_own_hands_are_below():
    game = Chopsticks()
    for seat in (0, 1):
        *_, left, right = hands(shown(game, game.start(), viewer=seat))
        assert left.startswith("You, left")
        assert right.startswith("You, right")


def test_the_hands_are_those_of_people_with_names():
    game = Chopsticks()
    root = shown(game, game.start(), viewer=1, names=("Maximilian the <Great>", "You"))
    assert hands(root) == [
        "Maximilian the <Great>, left hand, 1 finger",
        "Maximilian the <Great>, right hand, 1 finger",
        "You, left hand, 1 finger",
        "You, right hand, 1 finger",
    ]
    drawn = [each.text for each in classed(root, "seat")]
    assert drawn == ["Maximilian th…", "You"]  # the captions of both hands stand beside it


def test_few_feathers_and_fingers_are_drawn_and_more_are_a_number():
    game = Chopsticks(rules="feathers")
    assert len(classed(shown(game, game.read("1,6:5,2:1")), "feather")) == 14
    game = Chopsticks(dies_at=20)
    root = shown(game, game.read("5,6:19,0:1"))
    assert [total.text for total in classed(root, "total")] == ["6", "19"]
    assert {"left 5", "right 6", "left 19", "right dead"} <= {
        each.text for each in classed(root, "caption")
    }


def test_a_hit_rings_the_hand_it_hit_and_a_split_both():
    game = Chopsticks()
    start = game.start()
    after = game.play(start, game.read_move(start, "hit left right"))
    assert len(classed(shown(game, after, before=start, last="hit left right"), "last")) == 1
    after = game.play(start, game.read_move(start, "split 2 0"))
    assert len(classed(shown(game, after, before=start, last="split 2 0"), "last")) == 2


@pytest.mark.parametrize(
    ("mark", "words", "figure"),
    [
        (Mark("win", plies=5), "win in 5", "5"),
        (Mark("loss"), "loss", ""),
        (Mark("draw"), "draw", ""),
        (Mark("loss", score=-12), "loss by 12", "−12"),
        (Mark("draw", score=0), "draw", "0"),
        (Mark("win", score=3.24, exact=False), "probably a win, by about 3.24", "≈+3"),
        (Mark("loss", score=-0.5, exact=False), "probably a loss, by about 0.5", "≈−0.5"),
        (Mark("draw", score=0.0, exact=False), "about even", "≈0"),
        (Mark("win", exact=False), "probably a win", "≈"),
    ],
)
def test_a_value_has_words_and_a_figure(mark, words, figure):
    assert (mark.words, mark.figure) == (words, figure)


def test_every_value_is_shown_with_its_move():
    for game in VARIANTS:
        state = game.start()
        moves = game.moves(state)[:9]
        marks = {game.write_move(move): Mark("loss", plies=40 + n) for n, move in enumerate(moves)}
        markup = board(game, state, marks=marks, playable=True)
        assert [mark.words for mark in marks.values() if mark.words not in markup] == []
        shapes = classed(parsed(markup), "shape")
        assert len(shapes) >= len(marks) + 3 * bool(marks)  # the legend has all three
        assert not classed(parsed(board(game, state, playable=True)), "shape")


def test_only_proven_values_are_filled():
    game = TicTacToe()
    marks = {"a1": Mark("win", plies=5), "b2": Mark("win", exact=False)}
    root = shown(game, game.start(), marks=marks)
    proven, guessed = (classed(badge, "is-guess") for badge in classed(root, "badge"))
    assert not proven
    assert guessed


class Nasty:
    """A game whose every text tries to get out of its place."""

    seats = 2

    def __init__(self, nasty):
        self.name = nasty

    def moves(self, state):
        return (0, 1)

    def write_move(self, move):
        return f"{self.name}{move}"

    def draw(self, state):
        return self.name


@pytest.mark.parametrize(
    "nasty", [NASTY, f"\x00\x1b\ud800\ufffe{NASTY}"], ids=["plain", "unprintable"]
)
def test_hostile_text_stays_text(nasty):
    marks = {f"{nasty}0": Mark(nasty, plies=1), "a1": Mark(nasty), "1 from 1": Mark(nasty)}
    stranger = Nasty(nasty)
    root = shown(stranger, 0, playable=True, action=nasty, marks=marks, last=nasty)
    assert [button.get("value") for button in root.iter("button")] == [f"{NASTY}0", f"{NASTY}1"]
    assert next(root.iter("form")).get("action") == NASTY
    assert next(root.iter("pre")).text == NASTY
    assert parsed(picture(stranger, 0))[0].text == NASTY
    for game in (Nim(), Nim(piles=(40,)), TicTacToe(), Othello(), Sticks(), Chopsticks()):
        marks["1"] = marks["hit left left"] = marks["d3"] = Mark(nasty)
        root = shown(game, game.start(), playable=True, action=nasty, marks=marks, last=nasty)
        assert not [each for each in root.iter() if each.tag == "script" or each.get("onclick")]
        assert next(root.iter("form")).get("action") == NASTY


def test_nothing_moves_where_less_motion_is_preferred():
    moving = r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}"
    quiet = re.sub(moving, "", STYLE, flags=re.DOTALL)
    assert "animation" in STYLE
    assert "animation" not in quiet
    assert "transition" not in quiet


def test_a_board_is_written_in_the_readers_language():
    class Loud(sentences.Language):
        def find(self, template, plural, number):
            return super().find(template, plural, number).replace("pile", "STAPEL")

    token = sentences.current_language.set(Loud())
    try:
        drawn = board(Nim(), Nim().start())
    finally:
        sentences.current_language.reset(token)
    assert "STAPEL 3 <b>5</b>" in drawn
    assert "Pile" not in drawn
    assert "Pile 3 <b>5</b>" in board(Nim(), Nim().start())
