"""Questions for the dictionary: facts that any would confirm, and questions that are not for it."""

from __future__ import annotations

import dataclasses
import re
import time
from pathlib import Path

import pytest

from parlour.host import Session, reply
from parlour.host.language import dictionary, english, normalise, read_sections
from parlour.host.session import Memory, TaughtWord
from parlour.host.talk import answer_word_question
from parlour.host.talk.definitions import ANSWERS, LINES
from parlour.host.talk.word_questions import KINDS

QUESTIONS = Path(__file__).with_name("word_questions.txt").read_text(encoding="utf-8")
ROWS = [row.split(" | ") for row in QUESTIONS.splitlines() if row and row[0] != "#"]
GAP = re.compile(r"{(\w+)}").findall


def at(state: str, turn: int = 1) -> Session:
    session = Session(turn=turn)
    if state.startswith("talk"):
        topic = state.removeprefix("talk ")
        talk = dataclasses.replace(session.talk, topic=topic, trail=(topic,))
        return session.replace(mode="talk", talk=talk)
    return session if state == "chat" else session.replace(mode="game")


def ask(question: str, state: str = "chat", turn: int = 1) -> str:
    return "\n".join(answer_word_question(at(state, turn), normalise(question)) or ())


@pytest.mark.parametrize(("state", "question", "right"), ROWS, ids=lambda text: text[:30])
def test_a_question_is_answered_rightly_in_every_wording(state, question, right):
    for turn in (0, 1, 2):
        assert re.search(right, ask(question, state, turn), re.IGNORECASE | re.DOTALL)


@pytest.mark.parametrize(
    "line",
    [
        *("what is my name?", "who am i", "what is the time?", "what is your favourite food?"),
        *("is it a draw?", "what is the best move?", "are you a robot?", "who are you"),
        *("what is nim?", "what is misère?", "what is a trap?", "what is the nim-sum?"),
        *("are whales big?", "I have a whale", "it is a verb", "a whale is a fish"),
        *("what is up", "what is new?", "take two from the last pile", "hello", "whale"),
        *("what kind of things do you understand", "What is the weather like?"),
        *("what a lovely cottage", "who won the marathon?", "when does the ferry leave?"),
        *("the cooper makes barrels", "rain tomorrow?", "what is on at the cinema?"),
    ],
)
def test_other_lines_are_left_to_the_rest_of_him(line):
    assert not ask(line)
    assert not ask(line, "game")


@pytest.mark.parametrize("line", ["what is a move?", "what is the score", "what is normal?"])
def test_at_a_table_words_of_the_game_are_the_game_s(line):
    assert not ask(line, "game")


def test_rude_words_are_not_explained():
    assert "rather not" in ask("what does shit mean", turn=0)


def test_words_that_were_taught_count_too():
    memory = Memory(words=(TaughtWord("frindle", "noun", "pen"), TaughtWord("blorf", "verb")))
    session = Session(turn=1, memory=memory)

    def answer(question: str) -> str:
        return "\n".join(answer_word_question(session, normalise(question)) or ())

    assert "pen" in answer("what is a frindle?")
    assert answer("is a frindle a pen?").startswith("Yes")
    assert not answer("is a frindle a fish?").startswith("Yes")
    assert "taught" in answer("what does blorf mean?")
    assert "taught" in answer("what is the blorf?")
    for question in ("kinds of frindles", "opposite of blorf", "is a frindle part of a pen?"):
        assert "Yes" not in answer(question)


def test_a_game_goes_on_as_it_was():
    session = reply(Session(seed=1), "nim 3 4 5").session
    answer = reply(session, "is a whale a fish?")
    assert "mammal" in str(answer)
    assert answer.session.table == session.table
    assert answer.session.mode == "game"
    assert "nim-sum" in str(reply(session, "what is the nim-sum?")).lower()


def test_a_question_about_words_uses_up_the_question_before_it():
    session = reply(Session(seed=1), "let's talk about whales").session
    assert reply(session, "what is krill?").session.talk.asked == ""


def above(text: str) -> set[str]:
    first = dictionary.find_senses(text)[0]
    return {word for each in dictionary.list_above(first) for word in each.words}


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        *(
            ("whale", "mammal"),
            ("spider", "arachnid"),
            ("poodle", "dog"),
            ("dog", "domestic animal"),
        ),
        *(("Paris", "city"), ("Mozart", "composer"), ("run", "travel"), ("hexagon", "polygon")),
        *(("crepuscular", "dark"), ("copper", "metal"), ("sonnet", "poem")),
    ],
)
def test_meanings_lie_under_wider_ones(narrow, wide):
    assert wide in above(narrow)
    assert narrow.lower() not in above(wide)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("the run", "noun"), ("to run", "verb"), ("a light", "noun"), ("to light", "verb")),
        *(("mice", "noun"), ("went", "verb"), ("happier", "adjective")),
    ],
)
def test_the_word_before_tells_the_kind(text, kind):
    assert dictionary.find_senses(text)[0].kind == kind


@pytest.mark.parametrize("line", ["what does once in a blue moon mean?", "what rhymes with month?"])
@pytest.mark.parametrize("before", ["hello", "nim 3 4 5", "let's talk about whales"])
def test_what_he_cannot_answer_is_not_in_his_dictionary(line, before):
    session = reply(Session(seed=1), before).session
    answer = reply(session, line)
    assert re.search("my dictionary", str(answer), re.IGNORECASE)
    assert (answer.session.table, answer.session.mode) == (session.table, session.mode)


def test_no_only_where_a_thing_is_in_no_sense_the_other():
    for thing, kind in (("dolphin", "fish"), ("mercury", "metal"), ("bank", "slope")):
        assert re.search(r"\byes\b", ask(f"is a {thing} a {kind}?"), re.IGNORECASE)
    for thing, kind in (("spider", "insect"), ("shark", "mammal"), ("bat", "bird")):
        assert re.match(r"no\b", ask(f"is a {thing} a {kind}?"), re.IGNORECASE)


@pytest.mark.parametrize("line", ["1 from 2", "play against random", "swap sides", "2 from 3"])
def test_no_command_is_a_question_for_the_dictionary(line):
    session = reply(Session(seed=1), "nim 3 4 5").session
    assert "dictionary" not in str(reply(session, line))


def test_a_mention_of_grief_in_a_question_about_words_is_no_grief():
    for line in ("what is the opposite of lonely?", "what do you call a man whose wife has died?"):
        assert "sorry" not in str(reply(Session(seed=1), line))


def test_a_thing_is_found_by_its_description_in_time():
    dictionary.find_described(("bread",), (), False)  # unpacks
    begun = time.process_time()
    for words in (("repairs", "shoes"), ("measures", "temperature"), ("studies", "rocks")):
        assert dictionary.find_described(words, (), False)
    assert time.process_time() - begun < 3 * 0.1  # twenty milliseconds on a machine that is idle


def test_no_rude_word_is_defined():
    for line in english.unpack().decode().split("\n"):
        word, _, record = line.partition("\t")
        if record == "!":
            assert not dictionary.find_exactly(word), word


def test_every_shape_has_an_answer_and_every_line_its_gaps():
    known = {*"abc", "word", "gloss", "list", "form"}
    gaps = {g.lower() for rows in read_sections(LINES).values() for r in rows for g in GAP(r)}
    assert gaps <= known
    assert set(KINDS) == set(ANSWERS)


def test_answers_are_quick_and_long_lines_harmless():
    ask("what is a whale?")
    begun = time.process_time()
    for number in range(20):
        ask("is " + "a whale or " * number + "a fish", turn=number)
        ask("what is the difference between " + "a " * 10 * number + "b and c")
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("is stick a verb?", "noun and a verb"),
        ("what is the meaning of melancholy?", "sad"),
        ("what does misère mean?", "last move loses"),
        ("what is the plural of ox?", "oxen"),
    ],
)
def test_a_word_as_such_is_for_the_dictionary_and_a_term_for_the_games(line, right):
    for before in ("hello", "nim 3 4 5"):
        session = reply(Session(seed=1), before).session
        assert right in str(reply(session, line)).lower()
