"""A game is set up in a dialogue: what is said in it is kept, and no game on the table is lost."""

from __future__ import annotations

import pytest

from parlour.core import registry
from parlour.host import Reply, Session, reply
from parlour.host.table.setup import watch
from parlour.host.table.state import list_opponents
from parlour.host.understand.grammar import Meaning


def talk(*lines, session=None):
    """The last reply after these lines."""
    last = Reply(session or Session(seed=1), ())
    for line in lines:
        last = reply(last.session, line)
    return last


# Questions and answers


@pytest.mark.parametrize(
    ("said", "option", "value"),
    [
        ("misere", "misere", True),
        ("misère", "misere", True),
        ("last coin loses", "misere", True),
        ("the player who takes the last coin loses", "misere", True),
        ("at most 3 at a time", "take", 3),
        ("for 3 players", "seats", 3),
    ],
)
@pytest.mark.parametrize("before", [[], ["2"], ["2", "6"]])
def test_a_rule_said_between_two_answers_is_kept_and_the_question_asked_again(
    said, option, value, before
):
    asked = talk("nim", *before)
    kept = talk(said, session=asked.session)
    assert kept.session.mode == "setup"
    assert kept.lines[-1].endswith(asked.lines[-1])
    rest = ["2", "6", "7"][len(before) :]
    table = talk(*rest, session=kept.session).session.table
    assert table.options["piles"] == [6, 7]
    assert table.options[option] == value


@pytest.mark.parametrize(
    ("said", "person"), [("you start", 1), ("I start", 0), ("second", 1), ("first", 0)]
)
def test_who_begins_may_be_said_before_the_piles(said, person):
    # 5 and 5 is lost for who begins, 5 and 6 is won: unasked, he would begin only at the second.
    for piles in ("5 5", "5 6"):
        assert talk("nim", said, piles).session.table.players[person] == "human"


def test_what_was_said_first_remains_to_the_end():
    last = talk("nim, misère, at most 2", "against minimax", "level 3", "2", "4", "5")
    assert last.session.table.options["misere"] is True
    assert last.session.table.options["take"] == 2
    assert "minimax depth=3" in last.session.table.players
    assert talk("nim, misère", "nim with 3 4 5").session.table.options["misere"] is True


@pytest.mark.parametrize("line", ["what if 3", "why 3", "how 3", "who has 3", "if 3"])
@pytest.mark.parametrize("before", [["nim"], ["nim", "3"], ["nim", "3", "4"]])
def test_a_question_is_no_answer(before, line):
    session = talk(*before).session
    after = talk(line, session=session).session
    assert (after.mode, after.wished) == (session.mode, session.wished)


def test_a_proposal_is_an_answer():
    assert talk("nim", "how about 3 4 5").session.table.options["piles"] == [3, 4, 5]
    assert talk("othello", "what if I go first").session.mode == "setup"


@pytest.mark.parametrize("line", ["at most 0", "for 1 player", "minus 2"])
def test_what_cannot_be_is_refused_and_the_rest_is_kept(line):
    last = talk("nim, misère", line)
    assert last.session.mode == "setup"
    assert last.lines[0] != "I don't understand"
    assert talk("3 4 5", session=last.session).session.table.options["misere"] is True


def test_help_tells_what_is_asked():
    last = talk("othello", "help")
    assert "first or second" in last.lines[0]
    assert "piles" not in last.lines[0]
    assert last.session.mode == "setup"
    assert "3 4 5" in talk("nim", "help").lines[0]


def test_a_number_that_is_a_level_or_a_size_does_not_say_who_begins():
    session = talk("othello", "level 2", "on a 6 by 6 board").session
    assert session.mode == "setup"
    table = talk("second", session=session).session.table
    assert table.players == ("engine level=2", "human")
    assert table.options["columns"] == 6


@pytest.mark.parametrize("line", ["nim for 1 player", "nim with 3 4 5 for 1 player"])
def test_nobody_wins_alone(line):
    last = talk(line)
    assert last.lines[0].startswith("It takes two to play; ")
    assert last.session.table is None
    assert last.session.wished["asked"] == ["seats"]


# What was refused is asked again


@pytest.mark.parametrize(
    ("line", "answer", "options"),
    [
        ("nim with piles 3 5 10000000001, misère, you start", "7", {"piles": [3, 5, 7]}),
        ("nim with 3, -5 and 7, misère, you start", "make it 5", {"piles": [3, 5, 7]}),
        ("nim with 3, 2.5 and 7, misère, you start", "3 5 7", {"piles": [3, 5, 7]}),
        ("nim with 3 5 7 for 20 players, misère, you start", "2 please", {"seats": 2}),
        ("nim with 3 5 7, at most 0, misère, you start", "4 then", {"take": 4}),
    ],
)
def test_a_refused_number_is_asked_for_and_all_else_is_kept(line, answer, options):
    asked = talk(f"{line}, against random")
    assert asked.lines[-1].endswith("?")
    table = talk(answer, session=asked.session).session.table
    assert table.players == ("random", "human")
    expected = {"misere": True, "piles": [3, 5, 7], **options}
    assert {name: table.options[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("line", "answer", "options"),
    [
        ("sticks with 500", "30", {"sticks": 30}),
        ("sticks with 12, at most 0", "3", {"sticks": 12, "take": 3}),
        ("othello 40x40, I start", "8", {"columns": 8, "rows": 8}),
        ("othello 40x40, I start", "6 by 8", {"columns": 6, "rows": 8}),
        ("othello 40x6, I start", "8", {"columns": 8, "rows": 6}),
        ("chopsticks with 40 fingers", "3", {"fingers": 3}),
        ("chopsticks where a hand dies at 100", "7", {"dies_at": 7}),
        ("tic tac toe 4x4 with 9 in a row", "3", {"columns": 4, "line": 3}),
    ],
)
def test_every_game_asks_again_for_what_it_refused(line, answer, options):
    table = talk(line, answer).session.table
    assert {name: table.options[name] for name in options} == options


def test_another_impossible_number_is_refused_again():
    last = talk("sticks with 500", "-3", "400", "two hundred", "5.5")
    assert last.lines[0].startswith("The Game of Sticks is played with 10 to 100 sticks.")
    assert talk("20", session=last.session).session.table.options["sticks"] == 20


def test_the_limit_that_is_told_is_the_one_that_holds_here():
    assert "1 to 4" in talk("chopsticks with 40 fingers").lines[0]  # a hand dies at 5
    assert "longer than 3" in talk("tic tac toe with 40 in a row").lines[0]


def test_after_a_refusal_there_may_come_anything_else():
    asked = talk("nim with 3 5 10000000001, misère").session
    assert talk("cancel", session=asked).session.mode == "chat"
    assert talk("nim with 4 4", session=asked).session.table.options["misere"] is True
    assert talk("sticks with 12", session=asked).session.table.game == "sticks"
    noted = talk("you start", session=asked)
    assert noted.lines[-1] == "Noted. How many coins in pile 3?"
    assert talk("7", session=noted.session).session.table.players[1] == "human"
    assert talk("what is a whale", session=asked).session.wished == asked.wished


@pytest.mark.parametrize(
    ("answer", "piles"),
    [
        ("make pile 3 seven", [3, 5, 7]),
        ("7 in pile 3", [3, 5, 7]),
        ("no, 7", [3, 5, 7]),
        ("just 3 and 5", [3, 5]),
        ("two piles of 4", [4, 4]),
    ],
)
def test_a_pile_may_be_named_in_the_answer_and_other_piles_replace_all(answer, piles):
    table = talk("nim with 3 5 10000000001", answer).session.table
    assert table.options["piles"] == piles


@pytest.mark.parametrize("answer", ["you choose", "the usual", "whatever", "I don't mind"])
def test_what_was_refused_may_be_left_as_usual(answer):
    assert talk("sticks with 500, you start", answer).session.table.options["sticks"] == 20
    assert talk("chopsticks with 40 fingers", answer).session.table.options["fingers"] == 1


def test_a_pile_is_refused_when_it_is_named():
    asked = talk("nim", "3", "4", "10000000001")
    assert asked.lines[-1].endswith("How many coins in pile 2?")
    assert talk("5", "6", session=asked.session).session.table.options["piles"] == [4, 5, 6]


def test_a_bot_that_does_not_play_is_asked_for_again():
    last = talk("nim with 3 4 5 against despacito, misère", "random")
    assert set(last.session.table.players) == {"human", "random"}
    assert last.session.table.options["misere"] is True


def test_a_refused_setup_can_be_stored_and_resumed():
    asked = talk("nim with 3 5 10000000001, also ending at 2 2").session
    again = Session.from_json(asked.to_json())
    table = talk("7", session=again).session.table
    assert table.options["endings"] == [[2, 2]]
    assert table.options["piles"] == [3, 5, 7]


# Endings


def test_endings_are_repeated_and_hold():
    last = talk("nim 3 4 5 where leaving 1 1 1 also loses")
    assert "It also ends at 1,1,1: whoever moves there loses." in last.lines
    assert last.session.table.options["misere"] is True
    won = talk("nim 2 2 with the extra ending 1,2, I start", "1 from 1")
    assert won.lines[0] == "You win; the extra ending 1,2 was reached."


def test_endings_are_added_in_the_dialogue_and_a_second_time_adds_nothing():
    first = talk("nim", "it also ends at 2,2")
    assert first.lines == ("Noted: it also ends at 2,2. How many piles would you like?",)
    again = talk("whoever leaves two piles of two wins", session=first.session)
    assert again.lines[0].startswith("That ending is there already.")
    last = talk("also ending at 1 1 1", "3", "3 4 5", session=again.session)
    assert last.session.table.options["endings"] == [[2, 2], [1, 1, 1]]


def test_an_ending_without_piles_is_asked_for():
    asked = talk("nim 3 4 5 with an extra ending")
    assert asked.session.table is None
    table = talk("1, 2 and 2", session=asked.session).session.table
    assert table.options["endings"] == [[1, 2, 2]]


def test_endings_and_the_last_coin_both_win_or_both_lose():
    for lines in (
        ["nim 3 4 5 misère where leaving 1 1 1 wins"],
        ["nim, misère", "leaving 1 1 1 wins", "3 4 5"][:2],
    ):
        asked = talk(*lines)
        assert asked.lines[-1].endswith("Shall it win or lose?")
        assert talk("it loses", session=asked.session).session.wished.get("asked") is None


# Hello


@pytest.mark.parametrize(
    ("before", "answer", "game"),
    [
        (["nim"], "3 4 5", "nim"),
        (["nim", "2", "3"], "4", "nim"),
        (["othello"], "first", "othello"),
        (["sticks with 500"], "30", "sticks"),
        (["sticks with 12", "resign"], "yes", "sticks"),
    ],
)
@pytest.mark.parametrize("hello", ["hello", "Hello!", "hi Benedict"])
def test_hello_is_answered_and_the_question_stays(before, hello, answer, game):
    said = talk(*before, hello)
    assert said.lines[0] == "Hello"
    table = talk(answer, session=said.session).session.table
    assert table.game == game
    assert table.result is None


def test_hello_in_a_game_and_in_a_talk_changes_nothing():
    for before in (["sticks with 12"], ["let's talk", "whales"], ["watch perfect against random"]):
        session = talk(*before).session
        said = talk("hello", session=session)
        assert said.lines == ("Hello",)
        assert said.session.replace(turn=0, last=session.last) == session.replace(turn=0)


# In one sentence


@pytest.mark.parametrize(
    ("line", "person"),
    [
        ("othello first", 0),
        ("othello second", 1),
        ("tic-tac-toe second", 1),
        ("play me at tictactoe, you're X", 1),
        ("tik tak toe, I'm O", 1),
        ("tic tac", 0),
    ],
)
def test_a_seat_that_is_asked_for_is_had(line, person):
    assert talk(line).session.table.players.index("human") == person


@pytest.mark.parametrize("game", ["othello", "chopsticks", "sticks", "tic tac toe 5 by 5"])
def test_the_hardest_is_the_top_of_the_ladder_and_the_easiest_its_foot(game):
    for said, step in (("hardest", -1), ("easiest", 0)):
        table = talk(f"{said} {game}, I start").session.table
        steps = list_opponents(registry.game(table.game, **table.options))
        assert table.players == ("human", steps[step])


def test_the_levels_of_othello_are_the_engines_1_to_10():
    steps = list_opponents(registry.game("othello"))
    assert [step for step in steps if "engine" in step] == [
        f"engine level={level}" for level in range(1, 11)
    ]
    assert {"random", "benedict", "despacito"} <= set(steps)
    for said, level in (("level 4", 4), ("level 10", 10), ("level 40", 10)):
        table = talk(f"othello, {said}, I start").session.table
        assert table.players == ("human", f"engine level={level}")
    large = list_opponents(
        registry.game("othello", columns=10, rows=10)
    )  # the engine has 64 squares
    assert large[0] == "random"
    assert all("despacito" in step for step in large[1:])


def test_again_at_the_hardest_level_climbs_the_ladder():
    session = talk("sticks with 12, level 3", "resign").session
    table = talk("play again at the hardest level", session=session).session.table
    assert table.players == ("human", "perfect")


def test_a_level_is_said_not_to_apply_to_hats():
    last = talk("sticks against the hats, level 3")
    assert sum("level" in line for line in last.lines) == 1
    assert last.session.table.players == ("human", "hats")
    assert not any("level" in line for line in talk("sticks against the hats").lines)


# Looking on


def test_the_options_of_a_watched_game_are_kept():
    table = talk("watch perfect against minimax at nim 5 6 7 misère").session.table
    assert table.players == ("perfect", "minimax")
    assert table.options["piles"] == [5, 6, 7]
    assert table.options["misere"] is True
    table = talk("watch minimax against random at chopsticks with feathers").session.table
    assert table.options["rules"] == "feathers"
    table = talk("watch perfect level 3 against minimax level 2 at nim 5 6").session.table
    assert table.players == ("perfect level=3", "minimax depth=2")
    assert table.options["piles"] == [5, 6]
    last = talk("watch perfect against random at sticks with 500", "14")
    assert last.session.table.players == ("perfect", "random")
    assert last.session.table.options["sticks"] == 14


def test_that_two_bots_play_says_nothing_of_the_sticks():
    assert talk("watch two bots play sticks").session.table.options["sticks"] == 20
    assert talk("watch two bots play sticks with 12").session.table.options["sticks"] == 12


def test_a_watched_game_again_is_watched_again():
    last = talk("watch perfect against random at sticks", "again")
    assert last.session.table.players == ("perfect", "random")
    assert last.session.table.result is not None
    assert "Your move." not in last.lines


def test_who_looked_on_may_take_a_seat():
    last = talk("watch perfect against random at sticks", "again, I start")
    assert last.session.table.players == ("human", "perfect")


@pytest.mark.parametrize(
    ("slots", "game", "players"),
    [
        ({}, "nim", ("perfect", "minimax")),
        ({"game": ""}, "nim", ("perfect", "minimax")),
        ({"game": "sticks", "first": "random"}, "sticks", ("random", "perfect")),
        ({"game": "tictactoe", "first": "perfect"}, "tictactoe", ("perfect", "minimax")),
        ({"game": "chopsticks"}, "chopsticks", ("perfect", "minimax")),
        ({"game": "othello"}, "othello", ("engine level=3", "benedict")),
        ({"game": "othello", "first": "benedict"}, "othello", ("benedict", "engine level=3")),
    ],
)
def test_who_is_not_named_for_a_watched_game_is_chosen(slots, game, players):
    table = watch(Session(seed=1), Meaning("watch", slots)).session.table
    assert table.game == game
    assert table.players == players


# A game that is on


@pytest.mark.parametrize(
    "line",
    [
        *("nim", "othello", "tic tac toe", "nim with 3 4 5"),
        "watch perfect against random at sticks",
        "watch perfect against random at nim",
    ],
)
def test_a_game_that_is_on_is_put_aside_for_another(line):
    on = talk("sticks with 12", "2").session
    last = talk(line, session=on)
    assert last.session.saved == on.table
    assert "resume" in last.lines[0]


def test_the_same_game_anew_puts_nothing_aside():
    last = talk("sticks with 12", "2", "start over")
    assert last.session.table.moves == ()
    assert last.session.saved is None


@pytest.mark.parametrize(
    "line", ["tic tac toe 3 by -4", "nim with 0 and 0", "othello against standard, I start"]
)
def test_a_game_that_is_on_goes_on_where_another_cannot_be(line):
    on = talk("sticks with 12", "2").session
    after = talk(line, session=on).session
    assert (after.mode, after.table, after.saved) == (on.mode, on.table, on.saved)


def test_a_number_said_with_a_reason_is_one_number():
    assert talk("nim", "seven, like the seven dwarfs").session.wished["count"] == 7


def test_what_is_left_to_him_keeps_the_piles_that_were_named():
    table = talk("nim", "4", "6", "2", "you choose the rest").session.table
    assert table.options["piles"][:2] == [6, 2]
    assert len(table.options["piles"]) == 4
