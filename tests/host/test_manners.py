"""Manners and moods: met plainly in every state, and never by the menu."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.host import Reply, Session, reply
from parlour.host.language import normalise
from parlour.host.talk import answer_manners
from parlour.host.talk.arithmetic import work_out
from parlour.host.talk.draft import load_templates

STATES = {
    "chat": [],
    "offer": ["game"],
    "piles": ["nim"],
    "side": ["othello"],
    "nim": ["nim 3 4 5"],
    "sticks": ["sticks with 12"],
    "talk": ["let's talk", "whales"],
}
OFFER = re.compile(r"shall we play|a game\b|say game|which one:|nim, chopsticks", re.IGNORECASE)
MOODS = ("sad", "angry", "sorry", "praise", "thanks", "patience", "how", "noplay", "ask-self")


def hold(*lines: str, seed: int = 1) -> Reply:
    """The reply to the last of some lines."""
    found = Reply(Session(seed=seed), ())
    for line in lines:
        found = reply(found.session, line)
    return found


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("intent", MOODS)
def test_every_mood_is_answered_in_every_state_and_the_game_goes_on(state, intent):
    before = hold(*STATES[state]).session if STATES[state] else Session(seed=1)
    answer = answer_manners(before, intent, normalise("well, that is how things are"))
    assert answer is not None
    session, lines = answer
    assert lines
    assert "understand" not in " ".join(lines)
    assert session.table == before.table
    assert before.mode != "game" or session.mode == "game"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "grief", ["my wife died in March", "I miss my mum so much", "I am so lonely"]
)
def test_grief_is_met_with_sympathy_and_never_with_an_offer(state, grief):
    said = " ".join(hold(*STATES[state], grief).lines)
    assert "sorry" in said
    assert not OFFER.search(said)
    assert "understand" not in said


def test_grief_stays_serious_while_it_is_spoken_of():
    light = {line.text for name in ("any", "laugh", "yes-open") for line in load_templates()[name]}
    for seed in range(6):
        session = hold("my wife died in March", seed=seed).session
        for line in (
            "we were married for forty years",
            "she did the crossword",
            "I still miss her",
        ):
            answer = reply(session, line)
            session = answer.session
            assert not light & set(answer.lines)
            assert not OFFER.search(" ".join(answer.lines))


@pytest.mark.parametrize(
    "refusal",
    ["I don't want to play anything tonight", "no games please", "I'd rather not play"],
)
def test_who_does_not_want_to_play_is_not_offered_a_game_for_a_while(refusal):
    found = hold(refusal)
    assert not OFFER.search(" ".join(found.lines))
    for line in ("no", "yes", "qwrtz", "let's talk", "rain", "yes", "no", "done", "no"):
        found = reply(found.session, line)
        assert not OFFER.search(" ".join(found.lines)), line


@pytest.mark.parametrize(
    "text", ["I don't want to play nim but othello", "no nim, let's play othello"]
)
def test_one_game_refused_for_another_is_no_refusal_to_play(text):
    assert hold("hello", text).session.wished.get("game") == "othello"


def test_a_refusal_while_a_game_is_set_up_drops_the_set_up():
    session = hold("nim", "I don't feel like playing nim after all").session
    assert (session.mode, dict(session.wished)) == ("chat", {})


@pytest.mark.parametrize("state", STATES)
def test_hello_is_answered_everywhere(state):
    assert hold(*STATES[state], "hello").lines[0].startswith("Hello")


def test_a_set_up_asks_its_question_again_after_a_courtesy():
    question = "How many piles would you like?"
    assert hold("nim", "thank you").lines[-1] == question
    assert hold("no games please", "nim", "hello").lines == ("Hello", question)


def test_somebody_in_despair_is_sent_to_people_in_every_state():
    for lines in STATES.values():
        said = " ".join(hold(*lines, "I want to kill myself").lines)
        assert re.search(r"somebody|a friend|person near", said)


def test_an_angry_player_is_told_what_would_help():
    said = [hold("sticks with 12", "1", "you are so annoying", seed=s).lines for s in range(8)]
    assert all(re.search(r"undo|easier", " ".join(lines)) for lines in said)


# Sums


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("what is 17 times 3", "51"),
        ("whats 7 times 8 quick", "56"),
        ("is 3 plus 4 plus 5 twelve?", "12"),
        ("17*23", "391"),
        ("2 + 3 * 4", "14"),
        ("10 - 2 - 3", "5"),
        ("half of 9", "4.5"),
        ("17 percent of 43", "7.31"),
        ("a third of fourteen", "14/3, about 4.67"),
        ("what is 14 mod 4", "2"),
        ("ten divided by zero", ""),
        ("9^99", ""),
        ("I have 3 cats", ""),
        ("2 3/4", ""),
    ],
)
def test_sums_are_exact_or_not_answered(text, result):
    assert work_out(normalise(text)) == result


@given(st.lists(st.tuples(st.sampled_from("+-*"), st.integers(0, 999)), min_size=1, max_size=5))
def test_a_written_sum_is_what_python_makes_of_it(steps):
    text = "7" + "".join(f" {sign} {number}" for sign, number in steps)
    assert Fraction(work_out(normalise(text))) == eval(text)  # noqa: S307  # our own digits


# A short answer is one


@pytest.mark.parametrize(
    ("asked", "answer", "again"),
    [
        ("Who was with you?", "my sister", "our sister"),
        ("Where was that?", "in Whitby", "Whitby"),
        ("When was that?", "ten years ago", "ears ago"),
        ("Which do you prefer, tea or coffee?", "coffee", "offee"),
    ],
)
def test_a_short_answer_is_taken_as_the_answer(asked, answer, again):
    session = hold("let's talk", "trains").session
    talk = session.talk
    changed = type(talk)(
        topic="train", asked="shape-did.1|train|", recent=(asked,), trail=("train",)
    )
    found = reply(session.replace(talk=changed), answer)
    assert found.session.talk.topic == "train"
    assert again in " ".join(found.lines)


def test_a_bare_word_stays_a_topic():
    session = hold("let's talk", "trains").session
    assert reply(session, "bread").session.talk.topic == "bread"
