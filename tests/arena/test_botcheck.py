"""A beginner's mistakes are explained with their line, their position and what to do about them."""

import ast
import random
import re
import shlex
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tests.test_documents import ROOT

from parlour.arena import botcheck
from parlour.arena.botcheck import (
    FirstMove,
    FirstMoveCache,
    check_bot,
    check_first_move,
    check_first_moves,
    check_source,
    explain_fault,
)
from parlour.arena.plan import Limits, Plan, file_entry, program_entry
from parlour.arena.results import Fault
from parlour.core import Clock, registry
from parlour.core.errors import ParlourError
from parlour.core.executors import make_executor
from parlour.core.options import values

pytestmark = pytest.mark.usefixtures("unconfined")

NIM = registry.game("nim")
LIMITS = Limits(memory=512, start=10.0, think=10.0)


@pytest.fixture
def bot(tmp_path):
    """A function that writes the file of a bot and returns its entry."""

    def write(text, name="dora.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
        quoted = shlex.quote(str(tmp_path / name))
        return file_entry(quoted) if name.endswith(".py") else program_entry(quoted, NIM)

    return write


def plan(game=NIM, **more):
    return Plan(game.name, (), options=values(game), limits=LIMITS, **more)


# Read without being run

MISTAKES = [
    # the file, the line of the mistake, and words of its explanation
    ("def choose(game, state)\n    return 1\n", 1, "expected ':'"),
    ("def choose(game, state):\nreturn 1\n", 2, "indented block"),
    ("x = 1\n\ndef Choose(game, state):\n    return 1\n", 3, "Choose"),
    ("def chose(game, state):\n    return 1\n", 1, "chose"),
    ("def move(game, state):\n    return 1\n", None, "no function choose"),
    ("def choose(state):\n    return 1\n", 1, "def choose(game, state):"),
    ("def choose(game, state, clock):\n    return 1\n", 1, "game, state, clock"),
    ("def choose(game, state, *, depth):\n    return 1\n", 1, "depth"),
    ("class A:\n    name = 'a'\n    def choose(game, state):\n        return 1\n", 3, "self"),
    ("async def choose(game, state):\n    return 1\n", 1, "async"),
    ("def main():\n    def choose(game, state):\n        return 1\n", 2, "left"),
    ("", None, "empty"),
    ("PK\x03\x04\x00\x00", None, "plain text"),
]
MAYBE_RIGHT = [
    "def choose(game, state):\n    return 1\n",
    "def choose(game, state, depth=3):\n    return 1\n",
    "def choose(*asked):\n    return 1\n",
    "choose = lambda game, state: 1\n",
    "from random import choice as choose\n",
    "class A:\n    name = 'a'\n    def choose(self, game, state):\n        return 1\n",
    "class A(dict):\n    name = 'a'\n",
]


def test_plain_mistakes_are_found_without_running_the_file(tmp_path):
    wrong = []
    for text, line, words in MISTAKES:
        (tmp_path / "dora.py").write_text(text)
        flaw = check_source(tmp_path / "dora.py")
        source = text.splitlines()[line - 1].strip() if line else ""
        if flaw is None or (flaw.line, flaw.source) != (line, source) or words not in str(flaw):
            wrong.append(f"{text!r}: {flaw}")
    for text in MAYBE_RIGHT:
        (tmp_path / "dora.py").write_text(text)
        if flaw := check_source(tmp_path / "dora.py"):
            wrong.append(f"{text!r} may be right: {flaw}")
    assert not wrong, "\n".join(wrong)


def test_no_bytes_crash_the_reader(tmp_path):
    chance = random.Random(7)
    for _ in range(60):
        text = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        (tmp_path / "dora.py").write_bytes(text)
        assert check_source(tmp_path / "dora.py") is not None
    (tmp_path / "dora.py").write_text("(" * 100_000)
    assert check_source(tmp_path / "dora.py") is not None


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ParlourError, match="cannot read"):
        check_source(tmp_path / "dora.py")


# Played

HEAD = "def choose(game, state):\n"
FAULTS_IN_PLAY = [
    # the file, the line at fault, words of the explanation and of the advice
    (f"{HEAD}    pass\n", None, "None", "return"),
    (f"{HEAD}    return '1 from 2'\n", None, "'1 from 2'", "not a text"),
    (f"{HEAD}    return game.moves(state)\n", None, "(0, 1), (0, 2)", "one of the moves"),
    (f"{HEAD}    return (0, 7)\n", None, "pile 1 has only 3 coins", "game.moves(state)"),
    (f"{HEAD}    yield game.moves(state)[0]\n", None, "a generator, which", "return"),
    (f"{HEAD}    x = 0\n    return 1 // x\n", 3, "ZeroDivisionError", "this line"),
    (f"{HEAD}    state[2] -= 1\n    return (0, 1)\n", 2, "TypeError", "game.play"),
    (f"{HEAD}    return choose(game, state)\n", 2, "RecursionError", "stop"),
    (f"{HEAD}    exit()\n", 2, "SystemExit", "exit()"),
    (f"import no_such_thing\n{HEAD}    return 1\n", 1, "no_such_thing", "numpy"),
    (f"x = 1 / 0\n{HEAD}    return 1\n", 1, "ZeroDivisionError", "this line"),
]


def test_a_fault_in_play_is_explained_with_its_line_and_position(bot):
    wrong = []
    for text, line, words, advice in FAULTS_IN_PLAY:
        entry = bot(text)
        flaw = check_bot(entry, plan(clock=Clock(each=60.0)), NIM, strong=True).flaw
        quick = check_first_move(entry, plan(clock=Clock(each=60.0)), NIM, strong=True)
        source = text.splitlines()[line - 1].strip() if line else ""
        if (flaw.line, flaw.source, str(flaw)) != (line, source, str(quick)):
            wrong.append(f"{text!r}: {flaw.line}, {flaw.source!r}, {flaw}, {quick}")
        if words not in flaw.text or advice not in flaw.advice or flaw.text[-1] != ".":
            wrong.append(f"{text!r}: {flaw}")
        if "start" in flaw.text:
            assert flaw.position == ""
        else:
            state = NIM.read(flaw.position)
            assert flaw.board == NIM.draw(state)
            assert ast.literal_eval(flaw.moves[0]) in NIM.moves(state)
    assert not wrong, "\n".join(wrong)


TRACEBACK = "Traceback (most recent call last):\n  File dora.py\n"
REPORTED = [
    # a fault as the sandbox reports it, and words of the advice
    (Fault("time", "took longer than 0.5 s for a move"), "fewer moves"),
    (Fault("memory", "used more than 512 MiB of memory"), "remember less"),
    (Fault("crash", "crashed: FileNotFoundError: /etc/passwd (line 2 of dora.py)"), "no file"),
    (Fault("crash", "crashed: EOFError (line 2 of dora.py)"), "input()"),
    (Fault("crash", "crashed: SystemExit (line 2 of dora.py)"), "exit()"),
    (Fault("crash", "crashed: URLError: unreachable (line 2 of dora.py)"), "no network"),
    (Fault("start", "was not ready after 0.4 s"), "outside functions"),
]


def test_faults_that_only_a_sandbox_reports_have_their_advice(bot):
    entry = bot(f"{HEAD}    return 1\n")
    flaws = [explain_fault(fault, NIM, NIM.start(), entry) for fault, _ in REPORTED]
    wrong = [
        f"{advice!r} is not in {flaw}"
        for flaw, (_, advice) in zip(flaws, REPORTED, strict=True)
        if advice not in flaw.advice
    ]
    assert not wrong, "\n".join(wrong)
    assert {flaw.line for flaw in flaws} == {None, 2}
    assert flaws[-1].text == "It was not ready after 0.4 s."
    late = explain_fault(REPORTED[-1][0], NIM, NIM.start(), bot("#!/usr/bin/perl\n", "dora"))
    assert "flush" in late.advice


def test_the_output_of_a_bot_is_shown_without_the_traceback(bot):
    entry = bot(f"{HEAD}    return 1\n")

    def wrote(fault):
        return explain_fault(fault, NIM, NIM.start(), entry).wrote

    assert wrote(Fault("crash", "crashed: oh", f"piles 3 4 5\n{TRACEBACK}")) == ("piles 3 4 5",)
    assert wrote(Fault("crash", "crashed: oh", TRACEBACK)) == ()
    assert wrote(Fault("illegal", "chose 1", "hm\n")) == ("hm",)


def test_a_fault_late_in_the_game_is_explained_with_that_position(bot):
    entry = bot(
        f"{HEAD}    moves = game.moves(state)\n    return moves[0 if len(moves) > 4 else 99]\n"
    )
    assert check_first_move(entry, plan(), NIM, strong=True) is None
    flaw = check_bot(entry, plan(), NIM, strong=True).flaw
    assert (flaw.line, flaw.source) == (3, "return moves[0 if len(moves) > 4 else 99]")
    assert len(NIM.moves(NIM.read(flaw.position))) <= 4


def test_a_good_bot_is_fine_and_measured():
    path = ROOT / "examples" / "league" / "bots" / "cleo.py"
    found = check_bot(file_entry(str(path)), plan(clock=Clock(each=60.0)), NIM, strong=True)
    assert (found.flaw, found.games, found.against) == (None, 20, 10)
    assert found.points >= 8  # one or two of the openings may be lost against luck
    assert found.accuracy.won == found.accuracy.kept > 0  # a nim-sum of 0 keeps every win
    assert found.accuracy.given == 0
    assert 0 <= found.slowest < 60
    careless = ROOT / "examples" / "league" / "bots" / "ann.py"  # takes the first move
    accuracy = check_bot(file_entry(str(careless)), plan(), NIM, strong=True).accuracy
    assert 0 < accuracy.kept < accuracy.won / 2


def test_a_bot_that_resigns_or_prints_is_not_at_fault(bot):
    text = "from parlour.core.protocol import Resigns\n"
    text += f"{HEAD}    print('thinking', state)\n    raise Resigns('too hard')\n"
    entry = bot(text)
    assert check_first_move(entry, plan(), NIM, strong=True) is None
    found = check_bot(entry, plan(), NIM, strong=True, brief=True)
    assert (found.flaw, found.games, found.points) == (None, 4, 0)


def test_a_game_too_short_for_openings_is_played_from_the_start(bot):
    tiny = registry.game("nim", piles=(1,))
    found = check_bot(bot(f"{HEAD}    return (0, 1)\n"), plan(tiny), tiny, strong=True)
    assert (found.flaw, found.games) == (None, 20)


READY = (
    f"#!{sys.executable} -S\nimport json, sys\n"
    "for line in sys.stdin:\n    asked = json.loads(line)\n"
)
PROGRAMS = [
    # a program, words of the explanation and of the advice
    ("#!/bin/sh\necho hello\ncat >/dev/null\n", "hello", "JSON"),
    ("#!/bin/sh\nexit 3\n", "code 3", "ready"),
    ("#!/no/such/program\n", "cannot be started", "#!"),
    ("#!/bin/sh\r\n", "cannot be started", "Unix line ends"),
    ("#!/usr/bin/env sh\r\n", "code 127", "Unix line ends"),
    ("#!/bin/sh\nread line\necho '? unknown command'\necho\ncat\n", "unknown", "'gtp: "),
    (
        f"{READY}    print('{{\"type\": \"ready\"}}' if asked['type'] == 'start' else "
        '\'{"type": "move", "move": "9 from 9"}\', flush=True)\n',
        "'9 from 9'",
        "you were sent",
    ),
    (
        f'{READY}    print(\'{{"type": "ready"}}\', flush=True)\n    break\n',
        "ended",
        "reading lines",
    ),
]


def test_a_program_is_advised_in_its_own_terms(bot):
    wrong = []
    for text, words, advice in PROGRAMS:
        flaw = check_first_move(bot(text, "dora"), plan(), NIM, strong=True)
        if not (words in flaw.text and advice in flaw.advice and re.match(r"It \w", flaw.text)):
            wrong.append(f"{text!r}: {flaw}")
        assert all(NIM.read_move(NIM.start(), move) for move in flaw.moves if move != "…")
    assert not wrong, "\n".join(wrong)


def test_the_last_lines_of_a_program_are_shown_to_its_author(bot):
    entry = bot("#!/bin/sh\nfor i in $(seq 40); do echo line $i >&2; done\nexit 3\n", "dora")
    flaw = check_first_move(entry, plan(), NIM, strong=True)
    assert flaw.wrote == tuple(f"line {number}" for number in range(26, 41))
    assert "What it wrote" in flaw.advice
    error = '{"type": "error", "why": "lost", "log": "one\\\\ntwo"}'
    entry = bot(f"#!/bin/sh\nread line\necho zero >&2\necho '{error}'\ncat >/dev/null\n", "dora")
    flaw = check_bot(entry, plan(), NIM, strong=True).flaw
    assert "lost" in flaw.text
    assert flaw.wrote == ("zero", "one", "two")


# All bots of a league


def test_a_bot_is_asked_again_only_if_it_failed_quickly_or_the_conditions_changed(
    bot, tmp_path, monkeypatch
):
    ann = bot(f"{HEAD}    return game.moves(state)[0]\n", "ann.py")
    bob = bot(f"1 / 0\n{HEAD}    return 1\n", "bob.py")
    cleo = bot(f"{HEAD}    retrun 1\n", "cleo.py")
    event = replace(plan(), entries=(ann, bob, cleo))
    results = tmp_path / "results"
    seconds, names = [0.0], []  # on a clock that only Bob makes go on

    def check(entry, *more, **others):
        names.append(entry.name)
        seconds[0] += 10.0 * (entry == bob)
        return check_first_move(entry, *more, **others)

    monkeypatch.setattr(botcheck, "check_first_move", check)
    monkeypatch.setattr(botcheck, "time", SimpleNamespace(monotonic=lambda: seconds[0]))

    def asked(event):
        names.clear()
        progress = []
        found = check_first_moves(
            event,
            FirstMoveCache(results, event, strong=True),
            make_executor("local", 1),
            strong=True,
            watch=lambda *counts: progress.append(counts),
        )
        assert found[ann] is None
        assert "ZeroDivisionError" in found[bob].text
        assert "cannot read" in found[cleo].text
        assert progress == sorted(progress)
        assert progress[-1] == (len(names), len(names))
        return list(names)

    assert asked(event) == ["ann", "bob", "cleo"]
    assert asked(event) == ["cleo"]  # which costs nothing
    assert asked(replace(event, games=40, openings=(("1 from 1",),))) == ["cleo"]
    assert asked(replace(event, clock=Clock(each=30.0))) == ["ann", "bob", "cleo"]
    (results / "checked.json").write_text('{"a": [{"text": 3}, null]}')
    assert asked(event) == ["ann", "bob", "cleo"]


def test_the_same_content_of_another_kind_is_another_bot(bot, tmp_path):
    text = f"{HEAD}    return game.moves(state)[0]\n"
    ann = bot(text, "ann.py")
    event = replace(plan(), entries=(ann,))
    cache = FirstMoveCache(tmp_path, event, strong=True)
    cache.add(ann, FirstMove(None, 0.1))
    assert cache.get(ann) == FirstMove(None, 0.1)
    assert cache.get(bot(text, "ann.pl")) is None
    assert cache.get(bot(text, "bob.py")) is None
    assert cache.get(bot(text + "#", "ann.py")) is None
    assert FirstMoveCache(tmp_path, event, strong=False).get(ann) is None
