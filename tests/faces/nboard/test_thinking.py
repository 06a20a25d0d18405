"""What ends the thinking of `parlour nboard`, and what does not."""

import re
from types import SimpleNamespace

import pytest

from parlour.faces import nboard as module
from parlour.faces.nboard import Session
from tests.faces.nboard.minds import Hasty, Plain, Tireless
from tests.faces.nboard.talk import PLAYED, Talk


def test_a_ping_ends_hints_and_its_pong_comes_after_all_their_lines():
    for line in ("hint 3", "analyze"):
        with Talk(Tireless) as talk:
            talk.send("set depth 20", line)
            talk.wait_for("status Thinking")
            talk.send("ping 7")
            assert talk.wait_for("pong 7")[-2] == "status"
            assert talk.mind.ended.is_set()
            assert talk.ask("hello") == []


def test_hints_grow_deeper_and_all_moves_of_a_hint_have_one_depth():
    with Talk(Tireless) as talk:
        talk.send("set depth 20", "hint 2")
        answers = [line for line in talk.wait_for("nodestats .*") if line.startswith("search")]
        answers += [line for line in talk.wait_for("nodestats .*") if line.startswith("search")]
        assert [line.split()[4] for line in answers] == ["1", "1", "2", "2"]


def test_every_command_ends_hints():
    lines = ["move F5", f"set game {PLAYED}", "set depth 3", "go", "hint 1", "learn", "nboard 2"]
    for line in (*lines, "quit", None):
        with Talk(Tireless) as talk:
            talk.send("hint 3")
            talk.wait_for("nodestats .*")
            talk.send(line, "quit")
            talk.wait_for("status")


def test_unknown_lines_end_nothing():
    with Talk(Tireless) as talk:
        talk.send("hint 3")
        talk.wait_for("nodestats .*")
        talk.send("", "hello", "\x00", "F5")
        answers = [line for _ in range(10) for line in talk.wait_for("nodestats .*")]
        assert "status" not in answers
        assert not talk.mind.ended.is_set()


def test_a_ping_has_a_move_answered_soon_and_then_itself(monkeypatch):
    talk = Talk(Tireless)
    own_clock = SimpleNamespace(monotonic=lambda: talk.mind.seconds if talk.mind else 0.0)
    monkeypatch.setattr(module, "time", own_clock)
    with talk:
        talk.send("go")
        talk.wait_for("search .* 5")
        talk.send("ping 1")
        answers = talk.wait_for("pong 1")
        assert re.fullmatch("=== E6/1.25/s", answers[-3])
        talk.send("go", "ping 2")  # which has come before the thinking begins
        answers = talk.wait_for("pong 2")
        assert answers[-3] == "=== E6/1.25/s"
        assert "search E6 1.25 0 5" in answers  # it was thought about all the same


def test_a_move_that_was_asked_for_is_thought_out_whatever_else_is_said():
    rest = ["set depth 5", "go", "move D3", "go", "learn", "nboard 2", "hello"]
    with Talk(Hasty) as talk:
        talk.send("go", *rest)
        moves = [line[:6] for line in talk.wait_for("learned") if line.startswith("=")]
        assert moves == ["=== D3", "=== D3", "=== C3"]


def test_the_end_of_the_input_ends_the_conversation_but_moves_are_still_answered(monkeypatch):
    monkeypatch.setattr(module, "LAST", 0.05)
    talk = Talk(Tireless)
    talk.send("go", "hint 3", "go", "ping 4", None)
    talk.session.run()
    answers = [line[:3] for line in talk.wait_for("pong 4")]
    assert [line for line in answers if line in ("===", "pon")] == ["===", "===", "pon"]
    talk = Talk(Tireless)
    talk.thread.start()
    talk.send("go")
    talk.wait_for("nodestats .*")
    talk.send(None)
    talk.wait_for("=== .*")
    talk.join()


def test_an_error_inside_is_reported_and_the_conversation_goes_on():
    class Broken(Plain):
        def analyse(self, state, **limits):
            raise ZeroDivisionError("no\nreason")

        analyse_moves = analyse

    with Talk(Broken) as talk:
        for line in ("go", "hint 3", "analyze"):
            talk.send(line)
            answers = talk.wait_for("status Something.*")
            assert answers[-1] == "status Something went wrong inside: ZeroDivisionError: no reason"
        assert talk.ask("learn") == ["learned"]


def test_the_conversation_ends_when_the_reader_has_gone():
    def say(line):
        raise BrokenPipeError

    session = Session(say, Plain)
    session.receive("nboard 2")
    with pytest.raises(BrokenPipeError):
        session.run()
