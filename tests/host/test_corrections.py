"""What he asks back, what a correction undoes, and lines that hold two acts."""

from __future__ import annotations

import pytest

from parlour.faces.terminal.memory import MemoryFile
from parlour.host import Memory, Session, reply
from parlour.host.session import LastLine


def talk(*lines, session=None):
    session = session or Session(seed=1)
    for line in lines:
        last = reply(session, line)
        session = last.session
    return last


NIM = ("nim 3 4 5, I start",)


def test_a_correction_takes_the_move_back_and_plays_the_one_that_was_meant():
    before = talk(*NIM, "one from the second pile")
    assert before.session.table.moves[0] == "1 from 2"
    after = talk("no, I meant one from the first pile", session=before.session)
    assert after.session.table.moves[0] == "1 from 1"


def test_a_correction_of_the_number_of_piles_asks_for_the_piles_anew():
    answer = talk("nim", "3", "no, I meant 2 piles")
    assert answer.session.wished["count"] == 2


def test_a_line_that_was_misheard_is_kept_with_what_he_made_of_it():
    memory = talk(*NIM, "one from the second pile", "no, I meant pile 1").session.memory
    assert [(each.text, each.state, each.intent) for each in memory.misheard] == [
        ("one from the second pile", "nim", "move")
    ]


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("undo that and take 2 from pile 1", "2 from 1"),
        ("take that back, then one from the third pile", "1 from 3"),
    ],
)
def test_two_acts_in_a_line_both_happen_in_order(line, moves):
    table = talk(*NIM, "1 from 2", line).session.table
    assert table.moves[0] == moves


@pytest.mark.parametrize(
    "line",
    [
        "my friend would resign here, I think",
        "there was once a king who forgot his name",
        "we said goodbye at the station and I cried",
        "undo button for my life when",
        "don't save anything, please",
        "my brother always takes two from the first pile",
    ],
)
def test_a_word_in_passing_changes_nothing_in_a_game(line):
    before = talk(*NIM).session
    after = talk(line, session=before).session
    assert (after.table, after.saved, after.mode, after.over) == (before.table, None, "game", False)


@pytest.mark.parametrize("answer", ["yes", "yes please", "no", "what a lovely day it is"])
def test_what_he_asks_back_is_done_only_by_a_yes_in_the_next_line(answer):
    before = talk(*NIM).session.replace(question="confirm resign", pending={})
    after = talk(answer, session=before).session
    assert (after.table.result is not None) == answer.startswith("yes")
    later = talk("yes", session=after).session
    assert answer.startswith("yes") or later.table.result is None


def test_what_he_misheard_is_written_beside_his_memory_only_with_consent(tmp_path):
    wrong = (LastLine("undo my shoe", "nim", "undo"),)
    for agreed in (None, False, True):
        session = Session(memory=Memory(name="Ann", misheard=wrong, agreed=agreed))
        MemoryFile(tmp_path / "benedict.json").save(session)
        assert (tmp_path / "misheard.tsv").exists() == (agreed is True)
    assert (tmp_path / "misheard.tsv").read_text() == "undo\tnim\tundo my shoe\n"
    file = MemoryFile(tmp_path / "benedict.json")
    known, _ = file.open(seed=1)
    file.save(known.replace(memory=Memory()))
    assert list(tmp_path.glob("*.tsv")) == []


# Answers that do not say so


@pytest.mark.parametrize(
    ("before", "line", "happened"),
    [
        (("game",), "the last but three would suit my mood, I dare say", None),
        ((*NIM, "resign"), "oh go on then, twist my arm", lambda s: s.mode == "game"),
        (("othello",), "age before beauty, so you have the honour", None),
    ],
)
def test_an_answer_that_does_not_say_so_changes_nothing_before_a_yes(before, line, happened):
    asked = talk(*before)
    after = talk(line, session=asked.session)
    assert after.session.table == asked.session.table
    assert after.session.wished == asked.session.wished
    if happened is not None:
        assert happened(talk("yes", session=after.session).session)


def test_a_yes_to_whether_that_was_a_yes_confirms_what_he_asked_first():
    before = talk(*NIM).session.replace(question="confirm resign", pending={})
    asked = talk("if you would be so kind, for I haven't the heart to do it myself", session=before)
    assert asked.session.table == before.table
    assert talk("no", session=asked.session).session.table == before.table
    assert talk("yes", session=asked.session).session.table.result == (-1, 1)


@pytest.mark.parametrize(
    "line", ["she certainly is a hard worker", "surely he was not there", "the first snow fell"]
)
def test_prose_does_not_confirm(line):
    before = talk(*NIM).session.replace(question="confirm resign", pending={})
    assert talk(line, session=before).session.table == before.table


# Farewells


@pytest.mark.parametrize(
    "line", ["thanks, that was lovely. goodbye", "Goodnight then.", "that is all I wanted, bye"]
)
def test_a_farewell_at_the_end_of_a_line_is_one(line):
    assert talk("let's talk about rivers", line).over


@pytest.mark.parametrize("line", ["he waved and said, goodbye", 'the song ends with "goodbye"'])
def test_a_farewell_that_is_told_of_is_none(line):
    assert not talk("let's talk about rivers", line).over


@pytest.mark.parametrize("line", ["the purple one", "number eleven", "17"])
def test_a_choice_that_is_not_on_offer_is_explained(line):
    answer = talk("game", line)
    assert answer.session.mode == "chat"
    assert "Say a name" in answer.lines[-1]


STICKS, CROSSES = "sticks with 14, I start", "tic-tac-toe, I start"


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (NIM[0], "after 2 from pile 1, what will you do"),
        (NIM[0], "how bad would five from the last pile be"),
        (NIM[0], "hypothetically 2 from 3, then what"),
        (STICKS, "so i take 3 again? why"),
        (CROSSES, "Assume c3. Does it then force a draw?"),
    ],
)
def test_a_move_that_is_only_asked_about_is_judged_and_not_played(game, line):
    answer = talk(game, line)
    assert answer.session.table.moves == ()
    assert "understand" not in answer.lines[0]


@pytest.mark.parametrize("line", ["b2!! the middle is mine", "b2. my gran taught me that"])
def test_a_move_with_a_remark_after_it_is_played(line):
    assert talk(CROSSES, line).session.table.moves[0] == "b2"


def test_the_last_question_is_asked_again_of_other_numbers():
    first = talk("who wins nim with 3, 5 and 7?", "and 7, 5, 2?")
    assert first.lines[0].startswith("The second player wins nim with 7, 5 and 2")  # nim-sum 0
    second = talk("who wins nim with 3, 5 and 7?", "and 7, 5, 2?", "what about 1, 2?")
    assert second.lines[0].startswith("The first player wins nim with 1 and 2")


@pytest.mark.parametrize("line", ["play on", "you decide", "keep going", "no ta"])
def test_what_does_not_confirm_leaves_the_game_on(line):
    answer = talk(*NIM, "ok fine you win, i give up", line)
    assert answer.session.mode == "game"
    assert "nothing has changed" in answer.lines[0]


def test_his_question_is_put_again_to_somebody_who_missed_it():
    missed = talk(*NIM, "ok fine you win, i give up", "sorry, what was the question?")
    assert missed.lines == ("Shall I resign for you?",)
    assert talk("yes", session=missed.session).session.mode == "chat"


@pytest.mark.parametrize("line", ["i tip over my king", "there is little point: I resign"])
def test_giving_up_in_other_words_is_asked_back(line):
    assert talk(*NIM, line).lines == ("Shall I resign for you?",)


@pytest.mark.parametrize(
    ("asked", "line", "wished"),
    [
        ("nim", "two, one for each of my hands", {"count": 2}),
        ("nim", "Three. I always say three.", {"count": 3}),
        ("nim", "she is holding up her whole hand, so five", {"count": 5}),
    ],
)
def test_a_number_is_taken_without_its_reasons(asked, line, wished):
    answer = talk(asked, line)
    assert answer.session.wished["count"] == wished["count"]
    assert answer.lines[-1] == "How many coins in pile 1?"


def test_a_sentence_that_answers_is_heard_whatever_follows():
    assert talk("othello", "Second. I'm always second, ask my brother.").lines[1] == "You are O."
    assert talk("game", "First one. I don't want to decide today.").session.wished["game"] == "nim"


def test_whoever_wants_neither_side_leaves_the_set_up():
    answer = talk("othello", "neither")
    assert answer.session.mode == "chat"
    assert not answer.session.wished


def test_a_number_beyond_the_offer_leaves_it_open():
    assert talk("game", "number eleven", "option 2").session.table.game == "chopsticks"
    assert talk("game", "the easy one").lines == ("Shall we play tic-tac-toe?",)


def test_a_greeting_with_an_uncommon_name_tells_it():
    assert talk("hi im jen").session.memory.name == "Jen"
    assert not talk("hi im tired").session.memory.name
