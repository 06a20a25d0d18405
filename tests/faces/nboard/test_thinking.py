"""What ends the thinking of `parlour nboard`, and what does not."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace

import pytest

from parlour.faces import nboard as module
from parlour.faces.nboard import Session
from tests.faces.nboard.minds import Hasty, Plain, Tireless
from tests.faces.nboard.talk import PLAYED, Talk


def test_a_ping_ends_hints_and_its_pong_comes_after_all_that_was_said_about_them():
    for asked in ("hint 3", "analyze"):
        with Talk(Tireless) as talk:
            talk.tell("set depth 20", asked)
            talk.wait_for("status Thinking")
            time.sleep(0.02)
            talk.tell("ping 7")
            assert talk.wait_for("pong 7")[-2] == "status"
            assert talk.mind.ended.is_set()
            time.sleep(0.05)
            assert talk.said == []


def test_hints_grow_deeper_and_all_moves_of_a_hint_are_told_at_one_depth():
    with Talk(Tireless) as talk:
        talk.tell("set depth 20", "hint 2")
        told = [line for line in talk.wait_for("nodestats .*") if line.startswith("search")]
        told += [line for line in talk.wait_for("nodestats .*") if line.startswith("search")]
        assert [line.split()[4] for line in told] == ["1", "1", "2", "2"]


@pytest.mark.parametrize(
    "line",
    [
        "move F5",
        f"set game {PLAYED}",
        "set depth 3",
        "go",
        "hint 1",
        "learn",
        "nboard 2",
        "quit",
        None,
    ],
)
def test_every_command_ends_hints(line):
    with Talk(Tireless) as talk:
        talk.tell("hint 3")
        talk.wait_for("nodestats .*")
        talk.tell(line, "quit")
        talk.wait_for("status")


def test_what_is_no_command_ends_nothing():
    with Talk(Tireless) as talk:
        talk.tell("hint 3")
        talk.wait_for("status Thinking")
        talk.wait_for("nodestats .*")
        talk.tell("", "hello", "\x00", "F5")
        time.sleep(0.05)
        assert "status" not in talk.said
        assert not talk.mind.ended.is_set()


def test_a_ping_has_a_move_answered_soon_and_then_itself(monkeypatch):
    talk = Talk(Tireless)
    own_clock = SimpleNamespace(monotonic=lambda: talk.mind.seconds if talk.mind else 0.0)
    monkeypatch.setattr(module, "time", own_clock)
    with talk:
        talk.tell("go")
        talk.wait_for("search .* 5")
        talk.tell("ping 1")
        told = talk.wait_for("pong 1")
        assert re.fullmatch("=== E6/1.25/s", told[-3])
        talk.tell("go", "ping 2")  # which has come before the thinking begins
        told = talk.wait_for("pong 2")
        assert told[-3] == "=== E6/1.25/s"
        assert "search E6 1.25 0 5" in told  # it was thought about all the same


def test_a_move_that_was_asked_for_is_thought_out_whatever_else_is_said():
    rest = ["set depth 5", "go", "move D3", "go", "learn", "nboard 2", "hello"]
    with Talk(Hasty) as talk:
        talk.tell("go", *rest)
        moves = [line[:6] for line in talk.wait_for("learned") if line.startswith("=")]
        assert moves == ["=== D3", "=== D3", "=== C3"]


def test_the_end_of_the_input_ends_the_conversation_but_moves_are_still_answered(monkeypatch):
    monkeypatch.setattr(module, "LAST", 0.05)
    talk = Talk(Tireless)
    talk.tell("go", "hint 3", "go", "ping 4", None)
    talk.session.run()
    assert [line[:3] for line in talk.said if line[:3] in ("===", "pon")] == ["===", "===", "pon"]
    talk = Talk(Tireless)
    talk.thread.start()
    talk.tell("go")
    talk.wait_for("nodestats .*")
    talk.tell(None)
    talk.wait_for("=== .*")
    talk.thread.join(60)
    assert not talk.thread.is_alive()


def test_whatever_goes_wrong_inside_is_told_and_the_conversation_goes_on():
    class Broken(Plain):
        def analyse(self, state, **limits):
            raise ZeroDivisionError("nobody\nknows")

        analyse_moves = analyse

    with Talk(Broken) as talk:
        for asked in ("go", "hint 3", "analyze"):
            talk.tell(asked)
            told = talk.wait_for("status Something.*")
            assert told[-1] == "status Something went wrong inside: ZeroDivisionError: nobody knows"
        assert talk.ask("learn") == ["learned"]


def test_nobody_goes_on_when_nobody_reads():
    def say(line):
        raise BrokenPipeError

    session = Session(say, Plain)
    session.receive("nboard 2")
    with pytest.raises(BrokenPipeError):
        session.run()
