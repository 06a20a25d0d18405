"""What a person says is stored only after a bare yes to that question, in the very next line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.intents.examples import read_examples

from parlour.faces.terminal.memory import MemoryFile
from parlour.host import Session, reply
from parlour.host.language import normalise
from parlour.host.talk import answer_consent
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


def type_lines(file: MemoryFile, *lines: str, session: Session | None = None) -> Session:
    """Type lines as at the terminal, which stores what it may after each."""
    session = session or file.open(1)[0]
    for line in lines:
        answer = reply(session, line)
        session, _ = file.save(answer.session)
    return session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "benedict.json"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session in which he has asked, and has not been answered yet."""
    return type_lines(MemoryFile(tmp_path_factory.mktemp("asked") / "benedict.json"), *TOLD)


def test_a_bare_yes_to_the_question_is_consent_and_a_bare_no_is_none(path, asked):
    for agreed, answers in ((True, BARE), (False, NO)):
        for answer in each(answers):
            session = type_lines(MemoryFile(path), answer, session=asked)
            assert session.memory.agreed is agreed, answer
            assert path.exists() == agreed
            assert not agreed or "Rex" in path.read_text()
            path.unlink(missing_ok=True)


def test_anything_else_is_no_consent_and_closes_the_question(path, asked):
    for answer in each(NEITHER):
        session = type_lines(MemoryFile(path), answer, "yes", "yes please", session=asked)
        assert session.memory.agreed is None, answer
        assert not path.exists()


def test_a_yes_to_something_else_is_no_consent_in_any_state(path, asked):
    for between in each(ELSEWHERE):
        session = type_lines(MemoryFile(path), between, "yes", "yes", "sure", session=asked)
        assert session.memory.agreed is None, between
        assert not path.exists()


def test_the_states_are_all_there_are():
    assert STATES.keys() | {"consent"} == {example.state for example in read_examples()}


@pytest.mark.parametrize("state", STATES)
def test_a_yes_in_any_state_after_the_question_stores_nothing(path, asked, state):
    before = type_lines(MemoryFile(path), *STATES[state], session=asked)
    for answer in ("yes", "Yes please!", "of course you may"):
        session = type_lines(MemoryFile(path), answer, session=before)
        assert session.last.state == ("nim" if state == "confirm" else state)  # asked at a table
        session = type_lines(MemoryFile(path), "yes", session=session)
        assert session.memory.agreed is None
    assert not any(path.parent.iterdir())


def test_a_yes_to_another_question_stores_nothing_that_was_said_before(path):
    said = ("my dog is called Rex", "is a dog an animal?", "yes", "sure")
    for state, lines in STATES.items():
        session = type_lines(MemoryFile(path), *lines, *said)
        assert any("Rex" in fact.value for fact in session.memory.facts), state
        assert session.memory.agreed is None, state
        assert not any(b"Rex" in stored.read_bytes() for stored in path.parent.iterdir()), state
        path.unlink(missing_ok=True)


def test_he_asks_and_nothing_is_stored_before(path):
    session = type_lines(MemoryFile(path), TOLD[0])
    assert reply(session, TOLD[1]).lines[-1] == QUESTION
    type_lines(MemoryFile(path), *TOLD)
    assert not path.exists()


def test_a_person_who_asks_to_be_remembered_is_asked_again(path, asked):
    session = type_lines(MemoryFile(path), "cats", session=asked)
    answer = reply(session, "remember me")
    assert answer.lines[-1].endswith(QUESTION)
    assert reply(answer.session, "yes").session.memory.agreed is True


def test_a_why_puts_the_question_again(path, asked):
    session = type_lines(MemoryFile(path), "why?", session=asked)
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
