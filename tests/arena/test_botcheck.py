"""Whatever a beginner gets wrong is told with its line, its position and what to do."""

from __future__ import annotations

import ast
import random
import re
import shlex
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tests.needs import need
from tests.test_documents import ROOT

from parlour.arena import botcheck
from parlour.arena.botcheck import (
    FirstMove,
    FirstMoveCache,
    check_bot,
    check_first_move,
    check_first_moves,
    check_source,
)
from parlour.arena.plan import Limits, Plan, program_entry, python_entry
from parlour.arena.sandbox import launcher as sandbox
from parlour.core import Clock, registry
from parlour.core import executors as crews
from parlour.core.errors import ParlourError
from parlour.core.options import values

pytestmark = pytest.mark.sandbox

NIM = registry.game("nim")
LIMITS = Limits(memory=512, start=10.0, think=10.0)


@pytest.fixture(scope="module")
def locked():
    """Real bots run here, so they have to be shut in."""
    need(not sandbox.why_unavailable(), sandbox.why_unavailable())


@pytest.fixture
def bot(tmp_path, locked):
    """Somebody's bot, as a file."""

    def write(text, name="dora.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
        quoted = shlex.quote(str(tmp_path / name))
        return python_entry(quoted) if name.endswith(".py") else program_entry(quoted, NIM)

    return write


def plan(game=NIM, **more):
    return Plan(game.name, (), options=values(game), limits=LIMITS, **more)


# Read without being run


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
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
    ],
)
def test_what_is_plainly_wrong_is_told_without_running_it(tmp_path, text, line, told):
    (tmp_path / "dora.py").write_text(text)
    flaw = check_source(tmp_path / "dora.py")
    assert flaw.line == line
    assert told in str(flaw)
    assert flaw.source == (text.splitlines()[line - 1].strip() if line else "")


@pytest.mark.parametrize(
    "text",
    [
        "def choose(game, state):\n    return 1\n",
        "def choose(game, state, depth=3):\n    return 1\n",
        "def choose(*asked):\n    return 1\n",
        "choose = lambda game, state: 1\n",
        "from random import choice as choose\n",
        "class A:\n    name = 'a'\n    def choose(self, game, state):\n        return 1\n",
        "class A(dict):\n    name = 'a'\n",
    ],
)
def test_what_may_be_right_is_not_held_against_it(tmp_path, text):
    (tmp_path / "dora.py").write_text(text)
    assert check_source(tmp_path / "dora.py") is None


def test_bytes_of_any_kind_are_told_and_never_crash_the_reader(tmp_path):
    lots = random.Random(7)
    for _ in range(300):
        text = bytes(lots.randrange(256) for _ in range(lots.randrange(40)))
        (tmp_path / "dora.py").write_bytes(text)
        assert check_source(tmp_path / "dora.py") is not None
    (tmp_path / "dora.py").write_text("(" * 100_000)
    assert check_source(tmp_path / "dora.py") is not None


def test_every_example_reads_well():
    for path in (ROOT / "examples").rglob("*.py"):
        if "choose" in {
            getattr(node, "name", "") for node in ast.parse(path.read_text(encoding="utf-8")).body
        }:
            assert check_source(path) is None


# Played


HEAD = "def choose(game, state):\n"


@pytest.mark.parametrize(
    ("text", "line", "told", "advice"),
    [
        (f"{HEAD}    pass\n", None, "None", "return"),
        (f"{HEAD}    return '1 from 2'\n", None, "'1 from 2'", "not a text"),
        (f"{HEAD}    return game.moves(state)\n", None, "(0, 1), (0, 2)", "one of the moves"),
        (f"{HEAD}    return (0, 7)\n", None, "pile 1 has only 3 coins", "game.moves(state)"),
        (f"{HEAD}    yield game.moves(state)[0]\n", None, "a generator, which", "return"),
        (f"{HEAD}    x = 0\n    return 1 // x\n", 3, "ZeroDivisionError", "this line"),
        (f"{HEAD}    state[2] -= 1\n    return (0, 1)\n", 2, "TypeError", "game.play"),
        (f"{HEAD}    return choose(game, state)\n", 2, "RecursionError", "stop"),
        (f"{HEAD}    return open('/etc/passwd').read()\n", 2, "/etc/passwd", "no file"),
        (f"{HEAD}    return input('Which? ')\n", 2, "EOFError", "input()"),
        (f"{HEAD}    exit()\n", 2, "SystemExit", "exit()"),
        (f"import no_such_thing\n{HEAD}    return 1\n", 1, "no_such_thing", "numpy"),
        (f"x = 1 / 0\n{HEAD}    return 1\n", 1, "ZeroDivisionError", "this line"),
        (f"{HEAD}    while True: pass\n", None, "longer than 0.5 s", "fewer moves"),
        (f"{HEAD}    return [0] * 10**10\n", None, "512 MiB of memory", "remember less"),
        (
            f"import urllib.request\n{HEAD}    urllib.request.urlopen('http://127.0.0.1:9')\n",
            3,
            "URLError",
            "no network",
        ),
    ],
)
def test_what_goes_wrong_in_play_is_told_with_line_and_position(bot, text, line, told, advice):
    entry = bot(text)
    flaw = check_bot(entry, plan(clock=Clock(each=0.5)), NIM, strong=True).flaw
    assert flaw.line == line
    assert flaw.source == (text.splitlines()[line - 1].strip() if line else "")
    assert told in flaw.text
    assert advice in flaw.advice
    assert flaw.text.endswith(".")
    assert "\n" not in str(flaw)
    at_start = "start" in flaw.text
    assert (flaw.position == "") is at_start
    if not at_start:
        state = NIM.read(flaw.position)
        assert flaw.board == NIM.draw(state)
        assert ast.literal_eval(flaw.moves[0]) in NIM.moves(state)
    quick = check_first_move(entry, plan(clock=Clock(each=0.5)), NIM, strong=True)
    assert str(quick) == str(flaw)


def test_what_happens_only_later_in_the_game_is_told_with_that_position(bot):
    entry = bot(
        f"{HEAD}    moves = game.moves(state)\n    return moves[0 if len(moves) > 4 else 99]\n"
    )
    assert check_first_move(entry, plan(), NIM, strong=True) is None
    flaw = check_bot(entry, plan(), NIM, strong=True).flaw
    assert (flaw.line, flaw.source) == (3, "return moves[0 if len(moves) > 4 else 99]")
    assert len(NIM.moves(NIM.read(flaw.position))) <= 4


def test_a_good_bot_is_fine_and_measured(bot):
    path = ROOT / "examples" / "league" / "bots" / "cleo.py"
    told = check_bot(python_entry(str(path)), plan(clock=Clock(each=5.0)), NIM, strong=True)
    assert told.flaw is None
    assert told.games == 20
    assert told.against == 10
    assert told.points >= 8  # one or two of the openings may be lost against luck
    assert told.accuracy.won == told.accuracy.kept > 0  # a nim-sum of 0 keeps every win
    assert told.accuracy.given == 0
    assert 0 <= told.slowest < 5


def test_a_bot_that_makes_the_first_move_keeps_few_of_its_wins(bot):
    path = ROOT / "examples" / "league" / "bots" / "ann.py"
    accuracy = check_bot(python_entry(str(path)), plan(), NIM, strong=True).accuracy
    assert 0 < accuracy.kept < accuracy.won / 2


def test_one_who_gives_up_or_prints_is_not_at_fault(bot):
    text = "from parlour.core.protocol import Resigns\n"
    text += f"{HEAD}    print('thinking', state)\n    raise Resigns('too hard')\n"
    entry = bot(text)
    assert check_first_move(entry, plan(), NIM, strong=True) is None
    told = check_bot(entry, plan(), NIM, strong=True, brief=True)
    assert (told.flaw, told.games, told.points) == (None, 4, 0)


def test_a_game_too_short_for_openings_is_played_from_the_start(bot):
    tiny = registry.game("nim", piles=(1,))
    told = check_bot(bot(f"{HEAD}    return (0, 1)\n"), plan(tiny), tiny, strong=True)
    assert (told.flaw, told.games) == (None, 20)


PROGRAM = (
    f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n"
)


@pytest.mark.parametrize(
    ("text", "told", "advice"),
    [
        ("#!/bin/sh\necho hello\ncat >/dev/null\n", "hello", "JSON"),
        ("#!/bin/sh\nexit 3\n", "code 3", "ready"),
        ("#!/no/such/program\n", "cannot be started", "#!"),
        ("#!/bin/sh\r\n", "cannot be started", "Unix line ends"),
        ("#!/usr/bin/env sh\r\n", "code 127", "Unix line ends"),
        ("#!/bin/sh\nread line\necho '? unknown command'\necho\ncat\n", "unknown", "'gtp: "),
        (
            f"{PROGRAM}    print('{{\"type\": \"ready\"}}' if asked['type'] == 'start' else "
            '\'{"type": "move", "move": "9 from 9"}\', flush=True)\n',
            "'9 from 9'",
            "you were sent",
        ),
        (
            f'{PROGRAM}    print(\'{{"type": "ready"}}\', flush=True)\n    break\n',
            "ended",
            "reading lines",
        ),
    ],
)
def test_a_program_is_told_in_its_own_words(bot, text, told, advice):
    flaw = check_first_move(bot(text, "dora"), plan(), NIM, strong=True)
    assert told in flaw.text
    assert advice in flaw.advice
    assert re.match(r"It \w", flaw.text)
    assert all(NIM.read_move(NIM.start(), move) for move in flaw.moves if move != "…")


def test_what_a_program_wrote_is_shown_to_its_author(bot):
    entry = bot("#!/bin/sh\nfor i in $(seq 40); do echo line $i >&2; done\nexit 3\n", "dora")
    flaw = check_first_move(entry, plan(), NIM, strong=True)
    assert flaw.wrote == tuple(f"line {number}" for number in range(26, 41))
    assert "What it wrote" in flaw.advice
    said = '{"type": "error", "why": "lost", "log": "one\\\\ntwo"}'
    entry = bot(f"#!/bin/sh\nread line\necho zero >&2\necho '{said}'\ncat >/dev/null\n", "dora")
    flaw = check_bot(entry, plan(), NIM, strong=True).flaw
    assert "lost" in flaw.text
    assert flaw.wrote == ("zero", "one", "two")


def test_what_a_python_bot_printed_is_shown_without_what_python_says(bot):
    entry = bot(f"{HEAD}    print('piles', *state[2:])\n    return 1 / 0\n")
    assert check_first_move(entry, plan(), NIM, strong=True).wrote == ("piles 3 4 5",)
    entry = bot(f"{HEAD}    print('hm')\n    return (7, 7)\n")
    assert check_bot(entry, plan(), NIM, strong=True).flaw.wrote == ("hm",)
    entry = bot(f"{HEAD}    return choose(game, state)\n")
    assert check_first_move(entry, plan(), NIM, strong=True).wrote == ()


def test_one_who_is_never_ready_is_told_of_the_usual_reason(bot):
    soon = replace(plan(), limits=Limits(memory=512, start=0.4))
    never = bot('#!/usr/bin/perl\nwhile (<STDIN>) { print qq({"type": "ready"}\\n); }\n', "dora")
    flaw = check_first_move(never, soon, NIM, strong=True)
    assert flaw.text == "It was not ready after 0.4 s."
    assert "flush" in flaw.advice
    loop = check_first_move(bot(f"while True: pass\n{HEAD}    return 1\n"), soon, NIM, strong=True)
    assert loop.text == "It was not ready after 0.4 s."
    assert "outside functions" in loop.advice


def test_a_link_is_checked_under_its_own_name(bot, tmp_path):
    bot(f"{HEAD}    return 1 / 0\n", "emil.py")
    (tmp_path / "link.py").symlink_to("emil.py")
    entry = python_entry(shlex.quote(str(tmp_path / "link.py")))
    assert entry.name == "link"
    flaw = check_first_move(entry, plan(), NIM, strong=True)
    assert (flaw.line, flaw.source) == (2, "return 1 / 0")


# All bots of a league


def counting(crew):
    """The names of those who are asked by a crew."""
    asked, submit = [], crew.submit

    def noted(call, line, *more):
        asked.extend(entry.name for entry in Plan.from_json(line).entries)
        return submit(call, line, *more)

    crew.submit = noted
    return asked


def test_nobody_is_asked_twice_who_was_fine_or_kept_others_waiting(bot, tmp_path, monkeypatch):
    ann = bot(f"{HEAD}    return game.moves(state)[0]\n", "ann.py")
    bob = bot(f"1 / 0\n{HEAD}    return 1\n", "bob.py")
    cleo = bot(f"{HEAD}    retrun 1\n", "cleo.py")
    event = replace(plan(), entries=(ann, bob, cleo))
    results = tmp_path / "results"
    seconds = [0.0]  # on a clock that only Bob makes go on

    def check(entry, *more, **others):
        seconds[0] += 10.0 * (entry == bob)
        return check_first_move(entry, *more, **others)

    monkeypatch.setattr(botcheck, "check_first_move", check)
    monkeypatch.setattr(botcheck, "time", SimpleNamespace(monotonic=lambda: seconds[0]))

    def asked(event, strong=True):
        crew = crews.make_executor("local", 1)
        names = counting(crew)
        told = check_first_moves(
            event, FirstMoveCache(results, event, strong=strong), crew, strong=strong
        )
        assert told[ann] is None
        assert "ZeroDivisionError" in told[bob].text
        assert "cannot read" in told[cleo].text
        return names

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


def test_several_bots_are_asked_at_once_and_progress_is_told(bot, tmp_path):
    lazy = f"import time\ntime.sleep(600)\n{HEAD}    return 1\n"
    names = [f"bot{number}.py" for number in range(5)]
    event = replace(plan(), entries=tuple(bot(lazy, name) for name in names))
    event = replace(event, limits=Limits(memory=512, start=0.3))
    told: list[tuple[int, int]] = []
    crew = crews.make_executor("local", 2)
    try:
        cache = FirstMoveCache(tmp_path, event, strong=True)
        found = check_first_moves(
            event, cache, crew, strong=True, watch=lambda *progress: told.append(progress)
        )
    finally:
        crew.close()
    assert all("not ready after 0.3 s" in flaw.text for flaw in found.values())
    assert sorted(each.name for each in found) == [name[:-3] for name in names]
    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, 5), (5, 5))
    again = FirstMoveCache(tmp_path, event, strong=True)
    assert all(again.get(entry) == cache.get(entry) is not None for entry in event.entries)


def test_the_perl_example_is_fine(locked):
    entry = program_entry(str(ROOT / "examples" / "line_bot.pl"), NIM)
    told = check_bot(entry, plan(), NIM, strong=True, brief=True)
    assert (told.flaw, told.games) == (None, 4)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ParlourError, match="cannot read"):
        check_source(tmp_path / "dora.py")
