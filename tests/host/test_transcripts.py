"""Golden dialogues: each state, each game and each way to go wrong, replayed exactly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.host import Session, reply

FOLDER = Path(__file__).parent.parent / "transcripts" / "benedict"
FILES = sorted(FOLDER.glob("*.txt"))
SLOW = ("chopsticks_variants",)  # one of them is proven first


def test_there_are_at_least_forty():
    assert len(FILES) >= 40


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem in SLOW))
        for path in FILES
    ],
)
def test_the_dialogue_goes_as_it_is_written(path):
    text = path.read_text(encoding="utf-8")
    head, *parts = text.rstrip("\n").split("\n\n> ")
    assert head.startswith("# ")
    session = Session(seed=1)
    for part in parts:
        typed, _, expected = part.partition("\n")
        answer = reply(session, typed)
        session = answer.session
        assert str(answer).rstrip() == expected.rstrip(), typed


def test_the_talks_in_the_book_came_out_as_they_are_printed():
    """Thirty turns each, in which no line of his comes back within ten and he remembers."""
    text = (FOLDER.parent.parent.parent / "docs" / "talks.md").read_text(encoding="utf-8")
    talks = re.findall(r"Seed (\d+)\.\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(talks) == 3
    for seed, talk in talks:
        session, said = Session(seed=int(seed)), []
        for part in talk.rstrip("\n").removeprefix("> ").split("\n> "):
            typed, _, expected = part.partition("\n")
            answer = reply(session, typed)
            session = answer.session
            assert "\n".join(answer.lines) == expected
            assert expected not in said[-10:]
            said.append(expected)
        assert len(said) == 30
        recalls = re.compile("(?i)not forgotten that|you told me|you said")
        assert any(map(recalls.search, said))
