"""What a person says of themselves is kept as facts, and said back when they ask."""

from __future__ import annotations

import pytest

from parlour.host import Session, reply
from parlour.host.language import normalise
from parlour.host.session import Fact, Memories
from parlour.host.talk import answer_about_person, learn_facts
from tests.host.talking import read_rows


def tell(*lines: str, session: Session | None = None) -> Session:
    """A session in which these lines were typed, one a turn."""
    session = session or Session()
    for line in lines:
        session = learn_facts(session.replace(turn=session.turn + 1), normalise(line))
    return session


def facts(*lines: str) -> set[tuple[str, str, str]]:
    return {(each.whose, each.relation, each.value) for each in tell(*lines).memory.facts}


def ask(session: Session, question: str) -> str:
    session = tell(question, session=session)
    return " ".join(answer_about_person(session, normalise(question)) or ())


def is_right(answer: str, wanted: str) -> bool:
    if wanted in ("none", "untold"):
        return answer == "" if wanted == "none" else "not told" in answer
    found = [word.lower() in answer.lower() for word in wanted.split() if word[0] != "!"]
    return all(found) and not any(w[1:] in answer for w in wanted.split() if w[0] == "!")


def test_what_a_person_says_of_themselves_is_said_back():
    rows = read_rows("facts.txt")
    assert len(rows) > 80
    wrong = []
    for lines, question, wanted in rows:
        answer = ask(tell(*lines.split(" / ")), question)
        if not is_right(answer, wanted):
            wrong.append(f"{lines} | {question} | {wanted}: {answer}")
    assert not wrong, "\n".join(wrong)


def test_a_fact_has_an_owner_a_relation_a_value_and_a_turn():
    session = tell("hello", "my sister's dog is called Max")
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
    session = tell("I love cheese", "I hate cheese")
    assert (session.memory.likes, session.memory.dislikes) == ((), ("cheese",))


def test_a_correction_comes_in_time_or_not_at_all():
    assert facts("my dog is called Rex", "lovely weather", "just kidding") != set()


def test_a_pronoun_means_a_person_for_two_turns_and_not_for_ever():
    begin = ["my brother is a pilot", "nice weather", "yes"]
    assert ("you.brother", "lives", "in Oslo") in facts(*begin[:2], "he lives in Oslo")
    assert ("you.brother", "lives", "in Oslo") not in facts(*begin, "hm", "he lives in Oslo")
    assert ("you.brother", "age", "12") not in facts("my brother is a pilot", "she is 12")


NO_FACTS = """
if I had a dog I would call it Rex|is my dog called Rex?|"my dog is called Rex"|she has two cats
I wish I was a pilot|my mum says I am a genius|I am a fool|I am tired|I have two piles left
I have an idea|I take two from the last pile|I play d3|they say he lives in Rome
a man was called Bob|I will move to Rome|I want a dog|maybe I am 40|I have a question
you are called Benedict|I am winning
"""
OTHERS = """
what do I do now?|what is my best move?|do I have to take one?|how many coins do I have left?
am I winning?|what is a dog called?|where do whales live?|who is winning?|where do I go?
is it my turn?|do I have a chance?|what is my colour?|who is my opponent?
do you have a dog?|what is your name?
"""


def split(lines: str) -> list[str]:
    return lines.strip().replace("\n", "|").split("|")


def test_a_line_that_says_nothing_of_the_person_is_not_kept():
    assert {line: facts(line) for line in split(NO_FACTS) if facts(line)} == {}


def test_other_questions_are_left_to_others():
    session = tell("my dog is called Rex", "I live in Hull", "I am a baker")
    assert {line: ask(session, line) for line in split(OTHERS) if ask(session, line)} == {}


def test_forget_me_forgets_the_facts():
    session = reply(tell("my dog is called Rex"), "forget me").session
    assert session.memory == Memories()
    assert "Rex" not in session.to_json()


def test_facts_can_be_stored():
    session = tell("my dog is called Rex")
    assert Session.from_json(session.to_json()) == session
