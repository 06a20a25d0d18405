"""Bots that misbehave: each loses its own game, for the right reason, and leaves nothing behind."""

# ruff: noqa: S108 - what a bot writes to its own /tmp must not be in ours
from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.needs import need

import parlour
from parlour.arena.plan import PROGRAM, PYTHON, Entry, Limits, Plan
from parlour.arena.results import Fault
from parlour.arena.sandbox import (
    launcher as sandbox,
)
from parlour.arena.sandbox import (
    namespaces,
)
from parlour.arena.sandbox import (
    referee_side as apart,
)
from parlour.core.protocol import Resigns
from parlour.core.referee import Match

pytestmark = pytest.mark.sandbox

ZOO = Path(__file__).parent / "zoo"
QUICK = Limits(memory=200, start=60, think=0.5, processes=12)  # for those that never answer
CALM = Limits(memory=200, start=60, think=60, processes=12)


@dataclass
class Played:
    """A game that is over, and whose fault that was."""

    match: Match
    fault: str = ""
    log: str = ""


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """A home that nobody else has, with all the bots in it: the mark of their processes."""
    need(not sandbox.why_unavailable(), f"no bot can be shut in here: {sandbox.why_unavailable()}")
    place = tmp_path_factory.mktemp("zoo")
    shutil.copytree(ZOO, place / "league", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "secret.txt").write_text("the marks of the class", encoding="ascii")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(place))
        sandbox.open_servers.cache_clear()
        yield place
        sandbox.open_servers.cache_clear()


@pytest.fixture
def league(ground):
    """The folder of the bots; nothing may be left behind, there or anywhere."""
    before = files(ground)
    yield ground / "league"
    assert not processes(ground)
    assert files(ground) == before


def files(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def processes(mark: Path) -> list[bytes]:
    """The processes that bear this mark, the fork server itself left out."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line, told = [(process / name).read_bytes() for name in ("cmdline", "environ")]
            parent = int((process / "stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:  # just ended
            continue
        is_server = parent == os.getpid() and b"parlour.arena.sandbox.bot_side" in line
        if os.fsencode(mark) in line + told and not is_server:
            found.append(line)
    return found


def play(
    file: Path, *options: str, limits: Limits = CALM, pause: float = 0, seed: int = 7
) -> Played:
    """A game of nim of the bot against one that takes a coin from the first pile it can."""
    what = shlex.join([str(file), *options])
    entry = Entry(file.stem, PYTHON if file.suffix == ".py" else PROGRAM, what)
    plan = Plan("nim", (entry,), options={"piles": (1, 2, 3)}, limits=limits)
    game = plan.make_game()
    played = Played(Match(game, [file.stem, "house"]))
    match, bot = played.match, None
    try:
        bot = apart.start_bot(entry, plan, game, 0, seed, match.players, strong=True)
        while not match.over:
            if match.turn == 0:
                match.play(bot.choose(game, match.state))
            else:
                time.sleep(pause)
                match.play(game.moves(match.state)[0])
    except Fault as fault:
        played.fault, played.log = fault.fault, fault.log
        match.stop(0, str(fault))
    except Resigns as why:
        match.stop(0, f"resigned: {why}")
    finally:
        if bot is not None:
            bot.close()
    return played


LOST = [
    ("endless_loop.py", "time", "took longer than 0.5 s for a move"),
    ("late.py", "time", "took longer than 0.5 s for a move"),
    ("stubborn.py", "time", "took longer than 0.5 s for a move"),
    ("flood.py", "time", "took longer than 0.5 s for a move"),
    ("hangs_up.py", "output", "closed its output"),
    ("hangs_up.sh", "output", "closed its output"),
    ("endless_line.py", "output", "wrote more than 1,048,576 characters without a new line"),
    ("fork_bomb.py", "processes", "had more than 12 processes"),
    ("thread_bomb.py", "processes", "had more than 12 processes"),
    ("bomb.sh", "processes", "had more than 12 processes"),
    ("memory_hog.py", "memory", "used more than 200 MiB of memory"),
    ("memory_spread.py", "memory", "used more than 200 MiB of memory"),
    ("memory_shared.py", "memory", "used more than 200 MiB of memory"),
    (
        "illegal.py",
        "illegal",
        "chose (9, 9), which is not a legal move: there is no pile 10; choose pile 1, 2 or 3",
    ),
    (
        "nothing.py",
        "illegal",
        "chose None, which is not a legal move: "
        "None is not a move; a move is a pile and an amount, like (0, 1)",
    ),
    (
        "tamperer.py",
        "illegal",
        "chose '99 from 1', which is not a legal move: pile 1 has only 1 coin; take 1",
    ),
    (
        "crash_on_load.py",
        "start",
        "could not start: NameError: name 'rnage' is not defined (line 3 of crash_on_load.py)",
    ),
    (
        "crash_on_move.py",
        "crash",
        "crashed: ZeroDivisionError: integer division or modulo by zero "
        "(line 9 of crash_on_move.py)",
    ),
    ("segfault.py", "crash", "was ended by SIGSEGV"),
    ("leaves.py", "crash", "ended with code 3"),
    ("gives_up.pl", "crash", "ended with code 3"),
    ("says_goodbye.py", "crash", "crashed: SystemExit: bye (line 7 of says_goodbye.py)"),
    (
        "disk_eater.py",
        "crash",
        "crashed: OSError: [Errno 28] No space left on device (line 9 of disk_eater.py)",
    ),
    ("garbage.py", "garbage", "printed '\\x00� hello \\x1b[2J', which is not an answer"),
    (
        "two_answers.py",
        "garbage",
        'printed \'{"type": "move", "move": "1 from 1"}\' without being asked',
    ),
    ("hello.sh", "garbage", "printed 'hello', which is not an answer"),
]
NEVER_ANSWER = {"endless_loop.py", "late.py", "stubborn.py", "flood.py"}


@pytest.mark.parametrize(("name", "fault", "reason"), LOST, ids=[name for name, _, _ in LOST])
def test_it_loses_its_own_game_for_the_right_reason(league, name, fault, reason):
    played = play(league / name, limits=QUICK if name in NEVER_ANSWER else CALM)
    assert (played.fault, played.match.reason) == (fault, f"player 1 {reason}")
    assert played.match.result == (-1, 1)


@pytest.mark.parametrize("name", ["printer.py", "daemon.py", "killer.py", "two_of_a_kind.py"])
def test_what_it_does_besides_does_not_keep_it_from_playing(league, name):
    played = play(league / name)
    assert not played.fault
    assert not played.match.reason
    assert played.match.over


def test_nobody_thinks_in_the_opponents_time(league):
    """It would have counted all the time that the opponent takes."""
    played = play(league / "thinks_in_your_time.py", pause=0.4)
    assert not played.match.reason
    assert played.match.over


def test_an_order_that_is_forged_is_not_obeyed(league):
    played = play(league / "forger.py", pause=1)
    assert not played.match.reason
    assert played.match.over


def test_who_cannot_be_brought_to_a_stand_loses(league):
    """Each of its processes wakes all the others as fast as they can be stopped."""
    played = play(league / "wakers.py", pause=1)
    reasons = {"player 1 went on thinking in the opponent's time": "time", "": ""}
    assert reasons[played.match.reason] == played.fault


@pytest.mark.parametrize(
    "code",
    [
        namespaces.RAN_WHILE_PAUSED,
        namespaces.OUT_OF_MEMORY,
        namespaces.TOO_MANY_PROCESSES,
        namespaces.NO_SANDBOX,
        namespaces.NOT_STARTED,
    ],
)
def test_who_ends_as_if_it_had_been_ended_has_crashed(league, code):
    played = play(league / "pretends.py", f"code={code}")
    told = code if code == namespaces.NOT_STARTED else namespaces.OTHER_CODE
    assert (played.fault, played.match.reason) == ("crash", f"player 1 ended with code {told}")


def test_the_processes_of_a_bot_can_be_found_while_it_plays(league, ground):
    plan = Plan("nim", (Entry("daemon", PYTHON, str(league / "daemon.py")),), limits=CALM)
    game = plan.make_game()
    bot = apart.start_bot(plan.entries[0], plan, game, 0, 7, ("daemon", "house"), strong=True)
    try:
        bot.choose(game, game.start())
        found = len(processes(ground))
    finally:
        bot.close()
    assert found in (3, 4)  # supervisor, bot, what it left behind, and init where we may see it


def test_nobody_can_be_called(league):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        played = play(league / "network_user.py", f"port={listener.getsockname()[1]}")
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert played.match.reason == (
        "player 1 crashed: OSError: [Errno 101] Network is unreachable (line 15 of network_user.py)"
    )


def test_a_private_file_and_another_ones_bot_cannot_be_read(league, ground):
    places = [ground / "secret.txt", league / "illegal.py", Path.home() / "secret.txt"]
    played = play(league / "private_reader.py", f"secrets={':'.join(map(str, places))}")
    assert played.match.reason == (
        "player 1 crashed: PermissionError: there is nothing to be read "
        "(line 22 of private_reader.py)"
    )


def test_a_reader_who_is_not_shut_in_finds_something(league, ground, monkeypatch):
    """So that what it does not find when shut in is not for want of trying."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # here nothing keeps Python from it
    game = parlour.game("nim")
    bot = parlour.core.registry.read_bot(
        f"{league / 'private_reader.py'} secrets={ground / 'secret.txt'}", files=True
    )
    assert bot.choose(game, game.start()) == (0, 1)


def test_whatever_a_bot_draws_by_lot_is_decided_by_its_seed(league):
    drawn = [play(league / "numpy_user.py", seed=seed).match.reason for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1]
    ours, theirs = (re.findall(r"0\.\d+", each) for each in drawn[1:])
    assert len(set(ours + theirs)) == 14  # seven numbers of either seed, no two alike
    assert "['1', '1', '1', '1']" in drawn[0]


def test_nothing_can_be_written_but_to_a_scratch_folder(league, ground):
    mine = f"parlour-{os.getpid()}"
    outside = [ground, league, Path.home(), Path.home() / ".config" / mine, sandbox.PACKAGE]
    outside += [Path("/", mine), Path("/usr", mine), Path("/etc"), Path("/var/tmp"), Path("/proc")]
    own = [Path("/tmp", mine), Path("/dev/shm", mine)]
    places = ":".join(map(str, (*outside, *own)))
    played = play(league / "outside_writer.py", f"places={places}")
    written = re.findall(r"'(.*?)'", played.log.splitlines()[-1])
    assert set(map(str, own)) <= set(written)
    assert all(place.startswith(("/tmp/", "/dev/shm/")) for place in written)
    for place in (*outside, *own):
        assert not (place / "left_behind").exists(), place


def test_what_it_changes_is_not_the_referees(league):
    played = play(league / "tamperer.py")
    assert played.match.game == parlour.game("nim", piles=(1, 2, 3))
    assert played.match.game.start() == (0, 3, 1, 2, 3)
    assert parlour.game("nim").result(parlour.game("nim").start()) is None
    assert played.match.result == (-1, 1)


def test_its_author_is_shown_his_own_lines(league):
    log = play(league / "crash_on_move.py").log
    assert "in best\n    return moves[1 // 0]" in log
    assert "bot_side.py" not in log
    assert "I do not know this position" in play(league / "gives_up.pl").log


def test_what_is_no_python_says_where(league, ground, tmp_path):
    misspelt = tmp_path / "misspelt.py"
    misspelt.write_text("x = 1\ndef choose(game, state)\n    return None\n", encoding="ascii")
    played = play(misspelt)
    assert played.fault == "start"
    assert played.match.reason == (
        "player 1 could not start: SyntaxError: expected ':' (line 2 of misspelt.py)"
    )
