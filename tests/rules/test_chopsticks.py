"""Chopsticks: its moves by every rule set, notations, and loops that are barred."""

import pytest

import parlour
from parlour.rules.chopsticks import HIT, LEFT, OWN, RIGHT, SPLIT, Chopsticks


def texts(game, state):
    return [game.write_move(move) for move in game.moves(state)]


def test_moves_come_in_the_documented_order():
    game = Chopsticks(rules="feathers", loops="allowed")
    assert texts(game, game.read("2,3:1,4:1")) == [
        *("hit left left", "hit left right", "hit left own"),
        *("hit right left", "hit right right", "hit right own"),
        *("split 2 3", "split 3 2"),
    ]


def test_the_splits_the_seed_speaks_of():
    game = Chopsticks()
    three_one = texts(game, game.read("3,1:1,1:1"))
    assert {"split 2 2", "split 4 0"} <= set(three_one)
    assert "split 2 1" in texts(game, game.read("3,0:1,1:1"))
    assert not {"split 1 2", "split 2 1"} & set(texts(game, game.read("2,1:1,1:1")))
    for hands in ("0,1", "3,4", "4,4"):
        assert not any("split" in text for text in texts(game, game.read(f"{hands}:1,1:1")))


def test_a_hand_dies_or_wraps():
    for overflow, rest in (("dies", 0), ("wraps", 2)):
        game = Chopsticks(overflow=overflow)
        state = game.play(game.read("3,1:4,1:1"), (HIT, LEFT, LEFT))
        assert game.write(state) == f"3,1:{rest},1:2"
    wraps = Chopsticks(overflow="wraps")
    assert wraps.write(wraps.play(wraps.read("3,1:2,1:1"), (HIT, LEFT, LEFT))) == "3,1:0,1:2"


def test_one_may_hit_oneself_under_feather_rules():
    game = Chopsticks(rules="feathers", loops="allowed")
    state = game.read("2,3:1,1:1")
    assert game.write(game.play(state, (HIT, LEFT, OWN))) == "2,5:1,1:2"
    assert game.write(game.play(state, (HIT, RIGHT, OWN))) == "5,3:1,1:2"
    with pytest.raises(parlour.IllegalMove, match="may not hit your own other hand"):
        Chopsticks().play(Chopsticks().read("2,3:1,1:1"), (HIT, LEFT, OWN))


def test_both_hands_dead_has_lost():
    game = Chopsticks()
    state = game.play(game.read("4,0:0,1:1"), (HIT, LEFT, RIGHT))
    assert game.result(state) == (1, -1)
    assert game.moves(state) == ()


@pytest.mark.parametrize(
    ("text", "seat_one", "seat_two"),
    [
        ("A-C", (HIT, LEFT, LEFT), None),
        ("b - d", (HIT, RIGHT, RIGHT), None),
        ("A C", (HIT, LEFT, LEFT), None),
        ("C-A", None, (HIT, LEFT, LEFT)),
        ("d-a", None, (HIT, RIGHT, LEFT)),
        ("B-A", (HIT, RIGHT, OWN), None),
        ("C-D", None, (HIT, LEFT, OWN)),
        ("2-3", (SPLIT, 2, 3), (SPLIT, 2, 3)),
        ("Split 2 3", (SPLIT, 2, 3), (SPLIT, 2, 3)),
        ("HIT  left   RIGHT", (HIT, LEFT, RIGHT), (HIT, LEFT, RIGHT)),
        ("hit r own", (HIT, RIGHT, OWN), (HIT, RIGHT, OWN)),
    ],
)
def test_all_notations_are_read(text, seat_one, seat_two):
    game = Chopsticks(rules="feathers", loops="allowed")
    for seat, move in ((1, seat_one), (2, seat_two)):
        state = game.read(f"1,4:1,4:{seat}")
        if move is None:
            with pytest.raises(parlour.IllegalMove, match="is not yours"):
                game.read_move(state, text)
        else:
            assert game.read_move(state, text) == move


def test_refusals_speak_of_hands_or_boxes_as_the_rules_do():
    with pytest.raises(parlour.IllegalMove, match="your right hand is dead"):
        Chopsticks().read_move(Chopsticks().read("3,0:1,1:1"), "hit right left")
    feathers = Chopsticks(rules="feathers")
    with pytest.raises(parlour.IllegalMove, match="a dead box stays dead"):
        feathers.read_move(feathers.read("4,0:1,1:1"), "2-2")
    with pytest.raises(parlour.IllegalMove, match="a split leaves at least 2 feathers"):
        feathers.read_move(feathers.read("4,1:1,1:1"), "4-1")


# As the server of the feather game shows them; with revival only the splits differ.
FEATHER_BOX = """\
+-------------------------------------------------+
| Rules:                                          |
| This game is similar to the game Chopsticks:    |
|   en.wikipedia.org/wiki/Chopsticks_(hand_game)  |
|                                                 |
| * Each person starts with two boxes, with 1     |
|   feather.                                      |
| * If any box has at least 1 feather, it is live |
| * If any box has no feathers, it is dead        |
| * If any box contains more than 6 feathers, it  |
|   is dead, and has all its feathers taken out.  |
| * If a player has both boxes dead, the player   |
|   loses.                                        |
| * At each turn, a player can either:            |
|   * Attack: Add all feathers from one box to    |
|     another (their own or another player's)     |
|       * You can't attack to and from a dead box |
|   * Split: Split the feathers between their     |
|     own boxes.                                  |
|       * A split that results in one box having  |
|         one or zero feathers is not allowed.    |
|       * A split can only happen if both boxes   |
|         are live.                               |
| * Loops are disallowed                          |
|   * The game will prevent you from entering a   |
|     state already visited.                      |
+-------------------------------------------------+"""
SPLITS = """
|         one or zero feathers is not allowed.    |
|       * A split can only happen if both boxes   |
|         are live.                               |"""
REVIVING_SPLITS = """
|         zero feathers is not allowed.           |
|       * A split can happen if one of the boxes  |
|         is dead, meaning a split can revive a   |
|         box.                                    |"""


def test_the_box_of_the_feather_rules_is_shown_for_exactly_these():
    assert Chopsticks(rules="feathers").rules_box() == FEATHER_BOX
    reviving = FEATHER_BOX.replace(SPLITS, REVIVING_SPLITS)
    assert Chopsticks(rules="feathers-revive").rules_box() == reviving != FEATHER_BOX
    for other in (Chopsticks(), Chopsticks(rules="feathers", dies_at=6)):
        assert other.rules_box() == ""


def test_the_feather_rules_speak_of_boxes_by_their_letters():
    game = Chopsticks(rules="feathers")
    first, second = game.read("2,0:3,3:1"), game.read("2,0:3,3:2")
    with pytest.raises(parlour.BadText, match=r"not a move; you may play A-C, A-D$"):
        game.read_move(first, "hm")
    with pytest.raises(parlour.BadText, match=r"not a move; you may play C-A, "):
        game.read_move(second, "hm")
    with pytest.raises(parlour.IllegalMove, match=r"^your box B is dead; you may play A-C, A-D$"):
        game.read_move(first, "B-C")
    with pytest.raises(
        parlour.IllegalMove,
        match=r"^their box B is dead; you may play C-A, C-D, D-A, D-C, 2-4, 3-3, 4-2$",
    ):
        game.read_move(second, "C-B")
    for state in (first, second):  # and such a text can be typed
        for move in game.moves(state):
            assert game.read_move(state, game.describe_move(state, move)) == move
    assert "A  2" in game.draw(first)
    with pytest.raises(parlour.BadText, match="like '1,1:1,2:2'"):
        game.read("hm")


@pytest.mark.parametrize("text", ["1, 1 : 1, 2 : 2", " 1,1 :1,2: 2 "])
def test_reading_a_position_forgives_spaces(text):
    game = Chopsticks(rules="feathers")
    assert game.read(text) == game.read("1,1:1,2:2")
    assert game.read(f"{text} SEEN 1,1 : 1,1 : 1") == game.read("1,1:1,2:2 seen 1,1:1,1:1")


@pytest.mark.parametrize("hands", ["5,1:1,1", "1,5:1,1", "1,1:5,1", "1,1:1,5", "1,1:1,99"])
def test_no_hand_of_a_position_holds_a_dead_number(hands):
    with pytest.raises(parlour.BadText, match="each below 5"):
        Chopsticks().read(f"{hands}:1")
    barred = Chopsticks(loops="barred")
    with pytest.raises(parlour.BadText, match="each below 5"):
        barred.read(f"1,1:1,1:1 seen {hands}:2")


def test_the_size_can_be_written_out():
    """With barred loops it is about 2 to the number of situations: thousands of digits."""
    size = Chopsticks(dies_at=20, loops="barred").size()
    assert size > 10**50
    assert len(str(size)) < 200


def test_a_barred_loop_is_refused():
    game = Chopsticks(rules="feathers-revive")
    state = game.start()
    # Splitting 1 1 into 1 1 only hands over the turn; when both have, the start would come again.
    state = game.play(state, game.read_move(state, "1-1"))
    with pytest.raises(parlour.IllegalMove, match="no situation may come back"):
        game.read_move(state, "1-1")
    assert "split 1 1" not in texts(game, state)


def test_hands_are_unordered_in_situations_already_seen():
    game = Chopsticks(rules="feathers-revive")
    state = game.read("1,2:1,1:1 seen 1,2:1,1:2")
    with pytest.raises(parlour.IllegalMove, match="no situation may come back"):
        game.read_move(state, "2-1")


def test_a_player_without_a_move_loses():
    """One finger each and no split: the only hit leads to what was seen."""
    game = Chopsticks(dies_at=3, loops="barred", revive=False)
    state = game.read("1,0:1,0:1 seen 1,0:2,0:2")
    assert game.moves(state) == ()
    assert game.result(state) == (-1, 1)


def test_presets_fill_options_that_are_not_given():
    game = Chopsticks(rules="feathers", dies_at=9)
    assert (game.dies_at, game.hit_self, game.split_least, game.loops) == (9, True, 2, "barred")


@pytest.mark.parametrize("option", ["fingers", "split_least"])
def test_options_stay_below_dies_at(option):
    with pytest.raises(parlour.BadOption, match="below dies_at, which is 5"):
        Chopsticks(**{option: 5})
