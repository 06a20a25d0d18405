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
    assert last.session.mode == "chat"


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
        ({"game": "othello"}, "othello", ("engine", "benedict")),
        ({"game": "othello", "first": "benedict"}, "othello", ("benedict", "engine")),
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
