"""Questions for the dictionary: facts that any would confirm, and questions that are not for it."""

from __future__ import annotations

import dataclasses
import re
import time

import pytest

from parlour.host import Session, reply
from parlour.host.language import dictionary, english, normalise
from parlour.host.session import Memories, TaughtWord
from parlour.host.talk import answer_word_question
from tests.host.talking import read_rows, talk

ROWS = read_rows("word_questions.txt")
BEFORE = {"chat": [], "nim": ["nim 3 4 5"], "othello": ["othello, I start"]}


def at(state: str, turn: int = 1) -> Session:
    session = Session(turn=turn)
    if state.startswith("talk"):
        topic = state.removeprefix("talk ")
        talk = dataclasses.replace(session.talk, topic=topic, trail=(topic,))
        return session.replace(mode="talk", talk=talk)
    return session if state == "chat" else session.replace(mode="game")


def ask(question: str, state: str = "chat", turn: int = 1) -> str:
    return "\n".join(answer_word_question(at(state, turn), normalise(question)) or ())


@pytest.mark.slow
def test_every_question_about_words_gets_the_right_answer():
    wrong = []
    for state, question, right in ROWS:
        if state.startswith("~"):
            answer = ask(question, state.removeprefix("~ "))
        else:
            topic = state.partition("talk ")[2]
            before = [f"let's talk about {topic}"] if topic else BEFORE[state]
            answer = str(talk(*before, question))
        if not re.search(right, answer, re.IGNORECASE | re.DOTALL):
            wrong.append(f"{state} | {question} | {right}: {answer}")
    assert not wrong, "\n".join(wrong)


OTHERS = """
what is my name?|who am i|what is the time?|what is your favourite food?|is it a draw?|hello|whale
what is the best move?|are you a robot?|who are you|what is nim?|what is misère?|what is a trap?
what is the nim-sum?|are whales big?|I have a whale|it is a verb|a whale is a fish|what is up
what is new?|take two from the last pile|what kind of things do you understand|rain tomorrow?
What is the weather like?|what a lovely cottage|who won the marathon?|when does the ferry leave?
the cooper makes barrels|what is on at the cinema?
"""


def test_other_lines_are_left_to_the_rest_of_him():
    lines = OTHERS.strip().replace("\n", "|").split("|")
    answers = {line: ask(line) or ask(line, "game") for line in lines}
    assert {line: text for line, text in answers.items() if text} == {}


@pytest.mark.parametrize("line", ["what is a move?", "what is the score", "what is normal?"])
def test_at_a_table_words_of_the_game_are_the_game_s(line):
    assert not ask(line, "game")


def test_rude_words_are_not_explained():
    assert "rather not" in ask("what does shit mean", turn=0)


def test_words_that_were_taught_count_too():
    memory = Memories(words=(TaughtWord("frindle", "noun", "pen"), TaughtWord("blorf", "verb")))
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


def test_no_only_where_a_thing_is_in_no_sense_the_other():
    for thing, kind in (("dolphin", "fish"), ("mercury", "metal"), ("bank", "slope")):
        assert re.search(r"\byes\b", ask(f"is a {thing} a {kind}?"), re.IGNORECASE)
    for thing, kind in (("spider", "insect"), ("shark", "mammal"), ("bat", "bird")):
        assert re.match(r"no\b", ask(f"is a {thing} a {kind}?"), re.IGNORECASE)


def test_a_thing_is_found_by_its_description():
    for words, name in (
        (("repairs", "shoes"), "cobbler"),
        (("measures", "temperature"), "thermometer"),
    ):
        assert name in str(dictionary.find_described(words, (), False))


def test_no_rude_word_is_defined():
    for line in english.unpack().decode().split("\n"):
        word, _, record = line.partition("\t")
        if record == "!":
            assert not dictionary.find_exactly(word), word


def test_long_lines_are_answered_without_trying_all_ways_to_read_them():
    begun = time.process_time()
    ask("is " + "a whale or " * 19 + "a fish")
    ask("what is the difference between " + "a " * 190 + "b and c")
    assert time.process_time() - begun < 2  # ways to read a line double with each word
