"""What the boards can send: every legal move by exactly one control, and nothing else."""

from collections import Counter
from pathlib import Path

import pytest

from parlour.boards import board, move_text
from parlour.core import registry
from parlour.rules.chopsticks import HIT, OWN, SIDES, SPLIT, Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import PASS, Othello
from tests.boards.reading import classed, positions, sent, shown, some
from tests.variants import VARIANTS, label

THIRD_PARTY = [
    registry.find("games", Path(f"examples/{name}.py"))()
    for name in ("kayles", "hexapawn", "three_mens_morris")
]
ALL = [*VARIANTS, *THIRD_PARTY]


def readable(game, state, forms, *, mouse=False):
    """The moves that the forms can send, as the game reads them."""
    return [
        game.read_move(state, move_text(fields))
        for form in forms
        for fields in sent(form, mouse=mouse)
    ]


def test_every_legal_move_has_exactly_one_control_and_nothing_else_can_be_sent():
    for game in ALL:
        for _, _, state in some(game):
            root = shown(game, state, playable=True)
            forms = [form for form in root.iter("form") if "hands" not in form.get("class").split()]
            found = Counter(readable(game, state, forms))
            legal = game.moves(state)
            assert set(found.values()) <= {1}, label(game)
            if len(legal) <= 1000:
                assert set(found) == set(legal), label(game)
            else:
                assert all(move in legal for move in found)
                assert {legal[0], legal[-1]} <= set(found)


@pytest.mark.parametrize("game", [game for game in ALL if isinstance(game, Chopsticks)], ids=label)
def test_every_move_can_be_made_by_pressing_the_hands_it_is_about(game):
    """A hit by the hand that hits and the one it hits; a split by either hand, then the other."""
    for _, _, state in some(game):
        root = shown(game, state, playable=True, viewer=0)
        sources = {source[0].get("value"): source for source in classed(root, "source")}
        for side, source in sources.items():
            places = {}
            for button in source.iter("button"):
                if button.get("name") == "move":
                    places[game.read_move(state, button.get("value"))] = button
            wanted = {
                move for move in game.moves(state) if move[0] == SPLIT or SIDES[move[1]] == side
            }
            assert set(places) == wanted
            for move, button in places.items():
                if move[0] == HIT and move[2] != OWN and button.get("data-row"):
                    row = 1 if state[0] == 0 else 2  # the viewer's own are below
                    assert button.get("data-row") == str(row)
                    assert button.get("data-column") == str(move[2] + 1)
        pressed = {
            side for move in game.moves(state) if move[0] == HIT for side in [SIDES[move[1]]]
        }
        assert pressed <= set(sources)


def test_every_form_says_where_it_goes_and_after_how_many_moves():
    for game in ALL:
        root = shown(game, game.start(), playable=True, at=17, action="/tables/x/move")
        forms = list(root.iter("form"))
        assert bool(forms) == bool(game.moves(game.start())), label(game)
        for form in forms:
            assert form.get("method") == "post"
            assert form.get("action") == "/tables/x/move"
            assert form.get("data-send") is not None
            both = [*sent(form), *sent(form, mouse=True)]
            assert {fields["at"] for fields in both} == {"17"}


def test_nothing_can_be_sent_out_of_turn_or_once_it_is_over():
    for game in ALL:
        for before, last, state in some(game, most=4):
            root = shown(game, state, before=before, last=last)
            assert list(root.iter("form")) == []
            assert list(sent(root)) == list(sent(root, mouse=True)) == []
        assert game.result(state) is not None
        assert "<form" not in board(game, state, playable=True)


def test_a_board_that_is_only_looked_at_has_no_controls():
    """At a table they are only disabled, so that nothing jumps between two turns."""
    for game in map(registry.game, ("nim", "sticks", "chopsticks")):
        assert not list(shown(game, game.start()).iter("button"))
        assert list(shown(game, game.start(), action="/move").iter("button"))


@pytest.mark.parametrize("game", [Nim(), Nim(piles=(9, 30, 2), take=4), Nim(piles=(31, 2))])
def test_a_click_on_a_counter_takes_it_and_all_after_it(game):
    for _, _, state in some(game):
        root = shown(game, state, playable=True)
        for number, pile in enumerate(classed(root, "pile")):
            size = state[2 + number]
            counters = [place for form in classed(pile, "objects") for place in form][1:]
            assert len(counters) == (size if size <= 30 and game.moves(state) else 0)
            for place, counter in enumerate(counters):
                if counter.tag == "button":
                    move = game.read_move(state, counter.get("value"))
                    assert move == (number, size - place)
                else:
                    assert size - place > game.take
        mouse = readable(game, state, root.iter("form"), mouse=True)
        assert set(mouse) == {move for move in game.moves(state) if state[2 + move[0]] <= 30}


def test_enter_in_the_field_of_a_pile_takes_its_number():
    """A browser presses the first button of the form, so that no counter may be in it."""
    for form in classed(shown(Nim(), Nim().start(), playable=True), "take"):
        (button,) = form.iter("button")
        assert button.get("name") is None


def test_a_forced_pass_is_a_button():
    found = 0
    for seed in range(8):
        for _, _, state in positions(Othello(columns=4, rows=4), games=1, seed=seed):
            game = Othello(columns=4, rows=4)
            passes = [
                button.get("value")
                for button in shown(game, state, playable=True).iter("button")
                if button.get("id") == "move-pass"
            ]
            assert passes == (["pass"] if game.moves(state)[:1] == (PASS,) else [])
            found += len(passes)
    assert found


def test_chopsticks_says_its_moves_in_words():
    game = Chopsticks(hit_self=True, overflow="wraps", split_least=1)
    texts = {
        button.get("value"): "".join(button.itertext())
        for button in shown(game, game.read("1,3:2,4:1"), playable=True).iter("button")
    }
    assert texts["hit right left"] == "Right hits their left"
    assert texts["hit left own"] == "Left hits own right"
    assert texts["split 2 2"] == "Split: left 2, right 2"
    boxes = Chopsticks(rules="feathers")
    texts = {
        button.get("value"): "".join(button.itertext())
        for button in shown(boxes, boxes.read("2,3:2,4:2"), playable=True).iter("button")
    }
    assert texts["hit right left"] == "D hits A"
    assert texts["hit left own"] == "C hits D"
    assert texts["split 3 3"] == "Split: C 3, D 3"


def test_the_fields_of_a_form_mean_a_move():
    assert move_text({"pile": "2", "amount": "3", "at": "0"}) == "3 from 2"
    assert move_text({"move": "1 from 1"}) == "1 from 1"
    assert move_text({"amount": "2"}) == "2"
    assert move_text({"move": "d3"}) == "d3"
    assert move_text({}) == ""


class Endless:
    """A game of somebody else's, with more moves than can be listed."""

    name = "endless"
    seats = 2

    def moves(self, state):
        return range(10**12)

    def write_move(self, move):
        return f"number {move}"

    def draw(self, state):
        return "·"


def test_of_very_many_moves_the_first_are_buttons_and_any_can_be_typed():
    root = shown(Endless(), 0, playable=True)
    buttons, typed = root.iter("form")
    texts = [move_text(fields) for fields in sent(buttons)]
    assert texts == [f"number {move}" for move in range(len(texts))]
    assert len(texts) >= 20
    (field,) = [field for field in typed.iter("input") if field.get("type") != "hidden"]
    assert field.get("name") == "move"


# Boards of squares of any game


def test_a_piece_offers_the_squares_it_can_go_to():
    hexapawn = THIRD_PARTY[1]
    root = shown(hexapawn, hexapawn.start(), playable=True)
    sources = classed(root, "source")
    assert [source[0].get("aria-label") for source in sources] == [
        f"{square}, white: pick up" for square in ("a3", "b3", "c3")
    ]
    for source in sources:
        piece, *targets = source
        assert piece.get("type") == "radio"
        assert {target.get("class") for target in targets} == {"target"}
        square = piece.get("value")
        for target in targets:
            assert target.get("aria-label").endswith(f"empty: move {square} here")


def test_a_click_on_an_empty_square_places_a_piece():
    morris = THIRD_PARTY[2]
    root = shown(morris, morris.start(), playable=True)
    labels = [button.get("aria-label") for button in root.iter("button") if button.get("name")]
    assert len(labels) == 9
    assert all(label.endswith(", empty: play here") for label in labels)


class Ambiguous:
    """A game with two moves on the same square, and one on none."""

    name, seats, marks = "ambiguous", 2, ("A", "B")

    def moves(self, state):
        return ("small", "large", "wait", "b1")

    def write_move(self, move):
        return move

    def result(self, state):
        return None

    def turn(self, state):
        return 0

    def grid(self, state):
        return (("", ""), ("A", "?"))

    def squares(self, move):
        return {"wait": (), "b1": ((1, 0),)}.get(move, ((0, 0),))


def test_moves_that_a_click_cannot_tell_apart_have_buttons():
    root = shown(Ambiguous(), 0, playable=True)
    on_board, buttons = root.iter("form")
    assert [move_text(fields) for fields in sent(on_board)] == ["b1"]
    assert {move_text(fields) for fields in sent(buttons)} == {"small", "large", "wait"}
