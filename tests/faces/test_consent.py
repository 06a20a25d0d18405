"""What a person says is stored only after a bare yes to that question, in the very next line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.intents.examples import read_examples

from parlour.faces.terminal.memory import MemoryFile
from parlour.host import Session, reply
from parlour.host.conversation import _find_scene as find_scene
from parlour.host.language import normalise
from parlour.host.talk import answer_consent
from parlour.host.understand import name_state
from tests.faces.web.house import opened

QUESTION = "May I remember what you tell me, for the next time you come?"
TOLD = ("let's talk about dogs", "I have a dog called Rex")  # after which he asks
BARE = """
yes|Yes!|yes please|sure, you may|go on then|yeah|of course|by all means|please do|yes, you can
you may, dear|certainly|okay|go ahead|yes, remember it
"""
NO = "no|nope|no thanks|rather not|I'd rather you didn't|please don't|no, that's private"
NEITHER = """
yes, whales are great|yes but only the dog|I guess|maybe|yes?|yes and no|I love saying yes
if you must|suit yourself|yes my dog is brown|is that a yes|no wait yes|he said yes|yes to whales
"""
ELSEWHERE = """
hello|help|game|whales|done|nim|nim with 3 4 5|sticks|othello|tic-tac-toe|chopsticks|rules of nim
who invented nim?|what is my dog called?|my name is Tom|thanks||what is a whale?|resume
"""
ASKED_BACK = '"Call me Ishmael." Call me a taxi, more like'
STATES = {  # lines that lead to each state of `tools/intents`, where a yes means something else
    "chat": ["done"],
    "offer": ["game"],
    "piles": ["nim"],
    "coins": ["nim", "3"],
    "side": ["othello"],
    "nim": ["nim with 3 4 5, I start"],
    "sticks": ["sticks"],
    "chopsticks": ["chopsticks"],
    "tictactoe": ["tic tac toe"],
    "othello": ["othello", "first"],
    "again": ["sticks with 10", "resign"],
    "talk": ["whales"],
    "confirm": ["nim with 3 4 5, I start", "ok fine you win, i give up"],
}


def each(text: str) -> list[str]:
    return text.strip().replace("\n", "|").split("|")


def type_lines(file: MemoryFile, *lines: str) -> Session:
    """Type lines as at the terminal, which stores what it may after each."""
    session, _ = file.open(1)
    for line in lines:
        answer = reply(session, line)
        session, _ = file.save(answer.session)
    return session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "benedict.json"


@pytest.mark.parametrize("answer", each(BARE))
def test_a_bare_yes_to_the_question_is_consent(path, answer):
    session = type_lines(MemoryFile(path), *TOLD, answer)
    assert session.memory.agreed is True
    assert "Rex" in path.read_text()


@pytest.mark.parametrize("answer", each(NO))
def test_a_bare_no_is_a_no(path, answer):
    assert type_lines(MemoryFile(path), *TOLD, answer).memory.agreed is False
    assert not path.exists()


@pytest.mark.parametrize("answer", each(NEITHER))
def test_anything_else_is_no_consent_and_closes_the_question(path, answer):
    session = type_lines(MemoryFile(path), *TOLD, answer, "yes", "yes please")
    assert session.memory.agreed is None
    assert not path.exists()


@pytest.mark.parametrize("between", each(ELSEWHERE))
def test_a_yes_to_something_else_is_no_consent_in_any_state(path, between):
    session = type_lines(MemoryFile(path), *TOLD, between, "yes", "yes", "sure")
    assert session.memory.agreed is None
    assert not path.exists()


def test_the_states_are_all_there_are():
    assert STATES.keys() | {"consent"} == {example.state for example in read_examples()}


@pytest.mark.parametrize("state", STATES)
def test_a_yes_in_any_state_after_the_question_stores_nothing(path, state):
    session = type_lines(MemoryFile(path), *TOLD, *STATES[state])
    assert name_state(session, find_scene(session)) == state
    for answer in ("yes", "Yes please!", "of course you may"):
        session = type_lines(MemoryFile(path), *TOLD, *STATES[state], answer, "yes")
        assert session.memory.agreed is None
    assert not any(path.parent.iterdir())


@pytest.mark.parametrize("state", STATES)
def test_a_yes_to_what_was_asked_in_between_stores_nothing_that_was_told_in_any_state(path, state):
    told = [*STATES[state], "my dog is called Rex"]
    for between in ("hello there", "what is a whale?", "nim", "is a dog an animal?"):
        session = type_lines(MemoryFile(path), *told, between, "yes", "sure")
        assert any("Rex" in fact.value for fact in session.memory.facts)
        assert session.memory.agreed is None
    assert not any(b"Rex" in file.read_bytes() for file in path.parent.iterdir())


def test_he_asks_and_nothing_is_stored_before(path):
    file = MemoryFile(path)
    session, _ = file.open(1)
    for line in TOLD:
        answer = reply(session, line)
        session, _ = file.save(answer.session)
    assert answer.lines[-1] == QUESTION
    assert not path.exists()


def test_whoever_asks_to_be_remembered_is_asked_again(path):
    file = MemoryFile(path)
    session = type_lines(file, *TOLD, "cats")
    answer = reply(session, "remember me")
    assert answer.lines[-1].endswith(QUESTION)
    assert reply(answer.session, "yes").session.memory.agreed is True


def test_a_why_puts_the_question_again(path):
    session = type_lines(MemoryFile(path), *TOLD, "why?")
    assert session.memory.agreed is None
    assert reply(session, "yes").session.memory.agreed is True


def test_a_yes_is_consent_only_when_he_has_asked():
    assert answer_consent(Session(turn=3, mode="talk"), normalise("yes")) is None


@pytest.mark.server
def test_the_web_stores_what_was_said_only_after_consent(tmp_path):
    def stored() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    with opened(f"sqlite:///{tmp_path}/parlour.sqlite") as house:
        guest = house.browser()
        for line in (*TOLD, "cats", "yes", "I live in Zanzibar", "done", ASKED_BACK):
            guest.send("/chat", {"text": line})
            assert not any(word in stored() for word in (b"Rex", b"Zanzibar", b"cats", b"Ishmael"))
        assert "Rex" in guest.get("/").text  # he knows it while the server runs
        assert "Is Ishmael your name?" in guest.get("/").text
        assert stored() != b""
        guest.send("/chat", {"text": "remember me"})
        guest.send("/chat", {"text": "yes"})
        assert b"Zanzibar" in stored()
        guest.send("/chat", {"text": "forget me"})
        assert "Zanzibar" not in str(house.store.talks.find())
