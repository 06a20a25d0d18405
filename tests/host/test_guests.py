"""Games from elsewhere: a file dropped into the user's folder can be played in the dialogue."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.host import Session, reply

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _guests():
    registry.folder().mkdir(parents=True, exist_ok=True)
    for name in ("hexapawn.py", "three_mens_morris.py"):
        shutil.copy(EXAMPLES / name, registry.folder())


def talk(*typed):
    """The last reply after some lines."""
    session = Session(seed=1)
    for text in typed:
        answer = reply(session, text)
        session = answer.session
    return answer


def test_they_are_offered_and_set_up_by_name_or_title():
    assert "hexapawn and three mens morris too" in str(talk("game"))
    assert talk("let's play hexapawn").session.table.game == "hexapawn"
    for said in ("three mens morris", "shall we play Three Men's Morris?"):
        assert talk(said).session.table.game == "three_mens_morris"


@pytest.mark.parametrize("move", ["a3-a2", "I'll play a3-a2, please", "A3-A2!"])
def test_moves_are_typed_as_they_are_or_in_a_sentence(move):
    assert talk("hexapawn", move).session.table.moves[0] == "a3-a2"


def test_what_cannot_be_played_is_refused_with_the_reason():
    session = talk("hexapawn", "a3-a1").session
    assert session.table.moves == ()
    assert session.mode == "game"


def test_hint_why_what_if_and_who_is_winning_are_true():
    assert "I can win this, whatever you do: 6 plies at most, counting the moves of both." in str(
        talk("hexapawn", "who is winning?")
    )
    assert str(talk("hexapawn", "hint")).startswith("Play ")
    assert "Every move loses" in str(talk("hexapawn", "hint"))
    assert "I played b1xa2." in str(talk("hexapawn", "a3-a2", "why?"))
    assert "a3-a2 loses in 4 plies instead of 6" in str(talk("hexapawn", "what if a3-a2?"))
    assert "You can win this" in str(talk("three mens morris", "who is winning?"))
    assert "Only one move wins: b2." in str(talk("three mens morris", "hint"))


def test_who_wins_rules_undo_and_levels_work_as_in_his_own_games():
    assert "The second player wins hexapawn" in str(talk("who wins hexapawn?"))
    assert "far side wins" in str(talk("hexapawn", "rules"))
    assert "Taken back: 2 moves." in str(talk("hexapawn", "a3-a2", "undo"))
    assert "level 9" in str(talk("hexapawn", "easier"))
    assert str(talk("watch perfect against random at hexapawn")).count("plays") >= 2
    assert "I resign" not in str(talk("hexapawn", "resign"))
