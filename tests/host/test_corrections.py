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
