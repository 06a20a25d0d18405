"""What a person tells of themselves is kept as facts, and told back when they ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.host import Session, reply
from parlour.host.language import normalise
from parlour.host.session import Fact, Memory
from parlour.host.talk import answer_about_person, learn_facts

ROWS = [
    tuple(part.strip() for part in row.split(" | "))
    for row in (Path(__file__).parent / "facts.txt").read_text(encoding="utf-8").splitlines()
    if row and not row.startswith("#")
]


def told(*lines: str, session: Session | None = None) -> Session:
    """A session in which these lines were typed, one a turn."""
    session = session or Session()
    for line in lines:
        session = learn_facts(session.replace(turn=session.turn + 1), normalise(line))
    return session


def facts(*lines: str) -> set[tuple[str, str, str]]:
    return {(each.whose, each.relation, each.value) for each in told(*lines).memory.facts}


def asked(session: Session, question: str) -> str:
    session = told(question, session=session)
    return " ".join(answer_about_person(session, normalise(question)) or ())


def is_right(answer: str, wanted: str) -> bool:
    if wanted in ("none", "untold"):
        return answer == "" if wanted == "none" else "not told" in answer
    found = [word.lower() in answer.lower() for word in wanted.split() if word[0] != "!"]
    return all(found) and not any(w[1:] in answer for w in wanted.split() if w[0] == "!")


def test_there_are_more_than_eighty_pairs():
    assert len(ROWS) > 80


@pytest.mark.parametrize(("lines", "question", "wanted"), ROWS)
def test_what_was_told_is_told_back(lines, question, wanted):
    answer = asked(told(*lines.split(" / ")), question)
    assert is_right(answer, wanted), answer


@pytest.mark.parametrize("before", [(), ("let's talk",), ("nim 3 4 5",), ("nim", "3")])
def test_facts_are_learnt_and_told_in_every_state(before):
    session = Session()
    for line in (*before, "my dog is called Rex", "what is my dog called?"):
        answer = reply(session, line)
        session = answer.session
    assert answer.lines == ("Your dog is called Rex.",)


def test_a_fact_is_whose_what_value_and_when():
    session = told("hello", "my sister's dog is called Max")
    assert session.memory.facts == (Fact("you.sister.dog", "name", "Max", turn=2),)


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        (["I live in Rome", "I moved to Oslo"], {("you", "lives", "in Oslo")}),
        (["my dog is called Rex", "my dog is not called Rex"], set()),
        (["I have two dogs", "I have three dogs"], {("you", "has", "three dogs")}),
        (["I have a dog", "I don't have a dog"], {("you", "has", "no dog")}),
        (["my son likes tea", "he hates tea"], {("you.son", "dislikes", "tea")}),
        (["my dog is called Rex", "no, I meant Max"], {("you.dog", "name", "Max")}),
        (["my dog is called Rex", "no, I meant my cat"], {("you.cat", "name", "Rex")}),
    ],
)
def test_later_facts_correct_earlier_ones(lines, known):
    assert facts(*lines) == known


def test_likes_and_dislikes_cancel_each_other():
    session = told("I love cheese", "I hate cheese")
    assert (session.memory.likes, session.memory.dislikes) == ((), ("cheese",))


def test_a_correction_comes_in_time_or_not_at_all():
    assert facts("my dog is called Rex", "lovely weather", "just kidding") != set()


def test_a_pronoun_means_somebody_for_two_turns_and_not_for_ever():
    begin = ["my brother is a pilot", "nice weather", "yes"]
    assert ("you.brother", "lives", "in Oslo") in facts(*begin[:2], "he lives in Oslo")
    assert ("you.brother", "lives", "in Oslo") not in facts(*begin, "hm", "he lives in Oslo")
    assert ("you.brother", "age", "12") not in facts("my brother is a pilot", "she is 12")


@pytest.mark.parametrize(
    "line",
    """
if I had a dog I would call it Rex|is my dog called Rex?|"my dog is called Rex"|she has two cats
I wish I was a pilot|my mum says I am a genius|I am a fool|I am tired|I have two piles left
I have an idea|I take two from the last pile|I play d3|they say he lives in Rome
a man was called Bob|I will move to Rome|I want a dog|maybe I am 40|I have a question
you are called Benedict|I am winning
""".strip()
    .replace("\n", "|")
    .split("|"),
)
def test_nothing_is_kept_of_what_tells_nothing(line):
    assert facts(line) == set()


@pytest.mark.parametrize(
    "line",
    """
what do I do now?|what is my best move?|do I have to take one?|how many coins do I have left?
am I winning?|what is a dog called?|where do whales live?|who is winning?|where do I go?
is it my turn?|do I have a chance?|what is my colour?|who is my opponent?
do you have a dog?|what is your name?
""".strip()
    .replace("\n", "|")
    .split("|"),
)
def test_other_questions_are_left_to_others(line):
    session = told("my dog is called Rex", "I live in Hull", "I am a baker")
    assert asked(session, line) == ""


def test_forget_me_forgets_the_facts():
    session = reply(told("my dog is called Rex"), "forget me").session
    assert session.memory == Memory()
    assert "Rex" not in session.to_json()


def test_facts_can_be_stored_and_a_session_without_any_opens():
    session = told("my dog is called Rex")
    assert Session.from_json(session.to_json()) == session
    data = json.loads(Session(memory=Memory(name="Ada")).to_json())
    del data["memory"]["facts"]
    assert Session.from_json(json.dumps(data)).memory == Memory(name="Ada")


@pytest.mark.parametrize(
    "line",
    ["Yes please, I would like that.", "yes u can remember", "yeah go on then, remember away"],
)
def test_a_clear_yes_in_the_next_line_is_consent(line):
    session = Session(seed=1)
    for text in ("let's talk about whales", "my name is Ann", line):
        session = reply(session, text).session
    assert session.memory.agreed


def test_a_name_is_asked_for_by_a_pronoun():
    session = Session(seed=1)
    for text in ("my grandmother died last week", "her name was Rosa", "do you remember her name?"):
        answer = reply(session, text)
        session = answer.session
    assert "Rosa" in answer.lines[0]
