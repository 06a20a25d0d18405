"""Games from elsewhere: a file dropped into the user's folder can be played in the dialogue."""

import shutil
from pathlib import Path

import pytest

from parlour.core import registry
from tests.host.talking import talk

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _guests():
    registry.folder().mkdir(parents=True, exist_ok=True)
    for name in ("hexapawn.py", "three_mens_morris.py", "kayles.py", "short/wythoff.py"):
        shutil.copy(EXAMPLES / name, registry.folder())


def test_they_are_offered_and_set_up_by_name_or_title():
    assert "hexapawn, kayles, three mens morris and wythoff too" in str(talk("game"))
    assert talk("let's play hexapawn").session.table.game == "hexapawn"
    for said in ("three mens morris", "shall we play Three Men's Morris?"):
        assert talk(said).session.table.game == "three_mens_morris"


def test_moves_are_typed_as_they_are_or_in_a_sentence():
    for move in ("a3-a2", "I'll play a3-a2, please", "A3-A2!"):
        assert talk("hexapawn", move).session.table.moves[0] == "a3-a2"


def test_what_cannot_be_played_is_refused_with_the_reason():
    session = talk("hexapawn", "a3-a1").session
    assert session.table.moves == ()
    assert session.mode == "game"


def test_hint_why_what_if_and_who_is_winning_are_true():
    assert "I can win this, whatever you do: 6 plies at most, counting the moves of both." in str(
        talk("hexapawn", "who is winning?")
    )
    assert str(talk("hexapawn", "hint")).startswith("Play ")
    assert "Every move loses" in str(talk("hexapawn", "hint"))
    assert "I played b1xa2." in str(talk("hexapawn", "a3-a2", "why?"))
    assert "a3-a2 loses in 4 plies instead of 6" in str(talk("hexapawn", "what if a3-a2?"))
    assert "You can win this" in str(talk("three mens morris", "who is winning?"))
    assert "Only one move wins: b2." in str(talk("three mens morris", "hint"))


def test_who_wins_rules_undo_and_levels_work_as_in_his_own_games():
    assert "The second player wins hexapawn" in str(talk("who wins hexapawn?"))
    assert "far side wins" in str(talk("hexapawn", "rules"))
    assert "Taken back: 2 moves." in str(talk("hexapawn", "a3-a2", "undo"))
    assert "level 9" in str(talk("hexapawn", "easier"))
    assert str(talk("watch perfect against random at hexapawn")).count("plays") >= 2
    assert "I resign" not in str(talk("hexapawn", "resign"))


def test_they_are_counted_and_named_among_his_own():
    for asked in ("how many games do you know?", "what games do you know?"):
        answer = str(talk(asked))
        assert answer.startswith(
            "Nim, chopsticks, othello, sticks, tic-tac-toe, hexapawn, kayles, "
        )
        assert "9 in all" in answer


def test_they_are_named_wherever_his_own_are():
    for line in ("help", "rules", "do you play chess?"):
        assert "hexapawn" in str(talk(line))


OPTIONS = [
    ("let's play hexapawn with 2 columns", {"columns": 2, "rows": 3}),
    ("hexapawn 2 by 5", {"columns": 2, "rows": 5}),
    ("hexapawn, 2x4, you start", {"columns": 2, "rows": 4}),
    ("kayles 20", {"pins": 20}),
    ("play kayles with 7 pins please", {"pins": 7}),
    ("wythoff 3 and 5", {"first": 3, "second": 5}),
    ("wythoff with 3 in the first pile and 5 in the second", {"first": 3, "second": 5}),
    ("three men's morris without the centre", {"slides": "lines", "centre": False}),
    ("hexapawn against minimax at level 2", {"columns": 3, "rows": 3}),
    ("let's play hexapawn 2 times", {"columns": 3, "rows": 3}),
]


def test_options_are_named_in_the_sentence():
    for line, options in OPTIONS:
        assert talk(line).session.table.options == options, line


REFUSED = [
    ("hexapawn with 40 columns", "How many columns?", "4", {"columns": 4, "rows": 3}),
    ("hexapawn 9 by 9", "What size shall the board be?", "3", {"columns": 3, "rows": 3}),
    ("kayles 99", "How many pins", "7 please", {"pins": 7}),
    ("wythoff 5000 5", "How many counters in the first pile?", "3", {"first": 3, "second": 5}),
    ("kayles 99", "How many pins", "as usual", {"pins": 13}),
]


def test_an_option_that_cannot_be_is_asked_for_again():
    for line, question, answer, options in REFUSED:
        refused = talk(line)
        assert refused.session.table is None
        assert question in str(refused)
        assert talk(line, answer).session.table.options == options


ANSWERS = [
    ("can you play hexapawn?", "Yes, I play hexapawn."),
    ("tell me about kayles", "A row of pins"),
    ("what are the options of hexapawn?", "Columns: columns of the board (2 to 6; 3 if"),
    ("which variants of three mens morris are there?", "Centre: "),
    ("who invented wythoff?", "I do not know"),
    ("is hexapawn solved?", "The second player wins hexapawn, in 6 plies"),
    ("can the first player win hexapawn?", "The second player wins hexapawn"),
    ("how do I win at wythoff?", "The first player wins wythoff"),
    ("is there a trick to hexapawn?", "ask me for a hint"),
    ("can hexapawn end in a draw?", "The second player wins hexapawn"),
    ("how long does hexapawn last?", "6 plies"),
    ("how many positions does wythoff have?", "Wythoff has 39 positions"),  # pairs up to 5, 8
    ("who goes first in hexapawn?", "You begin"),
]


def test_questions_about_them_are_answered_from_their_rules_and_values():
    answers = [(line, part, talk(line)) for line, part in ANSWERS]
    assert [row for row in answers if row[1] not in str(row[2]) or row[2].session.table] == []


def test_at_the_table_the_game_need_not_be_named():
    assert "Rows: rows of the board" in str(talk("hexapawn", "what are the options?"))
    assert "6 plies" in str(talk("hexapawn", "how long is a game of this?"))


def test_what_to_do_and_whether_it_was_good_come_from_the_solution():
    """Wythoff 5, 8: 0-5 leaves 5, 3, a pair of the golden ratio; 1-1 leaves 4, 7, another."""
    assert str(talk("wythoff", "what should I do?")).startswith("Play 0-5.")
    assert "Slower: 1-1 still wins" in str(talk("wythoff", "1-1", "was my move good?"))
    assert "Only one reply punishes it: 0-8." in str(talk("wythoff", "5-0", "was my move good?"))
