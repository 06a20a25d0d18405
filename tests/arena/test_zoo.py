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
from textwrap import indent

import pytest
from tests.needs import need

import parlour
from parlour.arena.plan import PROGRAM, PYTHON, Entry, Limits, Plan
from parlour.arena.results import Fault
from parlour.arena.sandbox import launcher, namespaces, referee_side
from parlour.core.protocol import Resigns
from parlour.core.referee import Match

pytestmark = pytest.mark.sandbox

ZOO = Path(__file__).parent / "zoo"
STREAMS = """import contextlib, os
for stream in range(3, 20):
    with contextlib.suppress(OSError):
        os.write(stream, ANSWER)
return game.moves(state)[0]"""
SHORT_BOTS = {  # the bodies of their functions
    "endless_loop": "while True: game.moves(state)",
    "stubborn": """import signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True: time.sleep(0.01)""",
    "flood": "import sys\nwhile True: sys.stderr.write('woe ' * 10_000)",
    "fork_bomb": "import os\nwhile True: os.fork()",
    "thread_bomb": """import threading, time
while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()""",
    "memory_hog": "held = []\nwhile True: held.append(bytearray(1 << 20))",
    "memory_shared": """import mmap, time
held = mmap.mmap(-1, 512 << 20)
for place in range(0, len(held), mmap.PAGESIZE): held[place] = 1
time.sleep(60)""",
    "hangs_up": "import os, time\nos.closerange(0, 100)\ntime.sleep(60)",
    "leaves": "import os\nos._exit(3)",
    "garbage": STREAMS.replace("ANSWER", r"b'\x00\xff hello \x1b[2J\n'"),
    "two_answers": STREAMS.replace("ANSWER", r"""b'{"type": "move", "move": "1 from 1"}\n' * 2"""),
    "printer": """import sys
print('{"type": "move", "move": "9 from 9"}')
print('x' * 200_000, file=sys.stderr)
return game.moves(state)[0]""",
    "daemon": """import os, time
if not os.fork():
    os.setsid()
    if not os.fork(): time.sleep(60)
    os._exit(0)
os.wait()
return game.moves(state)[0]""",
    "killer": """import contextlib, os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.killpg(0, signal.SIGTERM)
for victim in {-1, *range(1, 2000)} - {os.getpid()}:
    for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        with contextlib.suppress(OSError): os.kill(victim, number)
return game.moves(state)[0]""",
    "two_of_a_kind": "import os\nos.fork()\nreturn game.moves(state)[0]",
}
LIMITS = Limits(memory=200, start=60, think=60, processes=12)
SHORT = Limits(memory=200, start=60, think=0.5, processes=12)  # for those that never answer


@dataclass
class Outcome:
    """A game that is over, and the fault of the bot."""

    match: Match
    fault: str = ""
    log: str = ""

    @property
    def reason(self) -> str:
        return self.match.reason


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with all the bots in it, whose name marks their processes."""
    need(not launcher.why_unavailable(), f"there is no sandbox: {launcher.why_unavailable()}")
    place = tmp_path_factory.mktemp("zoo")
    shutil.copytree(ZOO, place / "league", ignore=shutil.ignore_patterns("__pycache__"))
    for name, body in SHORT_BOTS.items():
        text = f"def choose(game, state):\n{indent(body, '    ')}\n"
        (place / "league" / f"{name}.py").write_text(text, encoding="ascii")
    (place / "secret.txt").write_text("the marks of the class", encoding="ascii")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(place))
        launcher.open_servers.cache_clear()
        yield place
        launcher.open_servers.cache_clear()


@pytest.fixture
def league(home):
    """The folder of the bots; nothing may be left behind, there or anywhere."""
    before = read_files(home)
    yield home / "league"
    assert not find_processes(home)
    assert read_files(home) == before


def read_files(place: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def find_processes(mark: Path) -> list[bytes]:
    """The processes that bear this mark, the fork server itself left out."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line, environment = [(process / name).read_bytes() for name in ("cmdline", "environ")]
            parent = int((process / "stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:  # just ended
            continue
        is_server = parent == os.getpid() and b"parlour.arena.sandbox.bot_side" in line
        if os.fsencode(mark) in line + environment and not is_server:
            found.append(line)
    return found


def play(
    file: Path, *options: str, limits: Limits = LIMITS, pause: float = 0, seed: int = 7
) -> Outcome:
    """A game of nim of the bot against one that takes a coin from the first pile it can."""
    command = shlex.join([str(file), *options])
    entry = Entry(file.stem, PYTHON if file.suffix == ".py" else PROGRAM, command)
    plan = Plan("nim", (entry,), options={"piles": (1, 2, 3)}, limits=limits)
    game = plan.make_game()
    outcome = Outcome(Match(game, [file.stem, "house"]))
    match, bot = outcome.match, None
    try:
        bot = referee_side.start_bot(entry, plan, game, 0, seed, match.players, strong=True)
        while not match.over:
            if match.turn == 0:
                match.play(bot.choose(game, match.state))
            else:
                time.sleep(pause)  # in which the bot is paused
                match.play(game.moves(match.state)[0])
    except Fault as fault:
        outcome.fault, outcome.log = fault.fault, fault.log
        match.stop(0, str(fault))
    except Resigns as why:
        match.stop(0, f"resigned: {why}")
    finally:
        if bot is not None:
            bot.close()
    return outcome


LATE = ("time", "took longer than 0.5 s for a move")
FULL = ("memory", "used more than 200 MiB of memory")
CROWDED = ("processes", "had more than 12 processes")
DEFAULT = {"memory_hog.py", "leaves.py"}  # tests that do not take long, of two kinds
FAULTS = [
    ("endless_loop.py", *LATE),
    ("stubborn.py", *LATE),
    ("flood.py", *LATE),
    ("hangs_up.py", "output", "closed its output"),
    ("fork_bomb.py", *CROWDED),
    ("thread_bomb.py", *CROWDED),
    ("memory_hog.py", *FULL),
    ("memory_shared.py", *FULL),
    ("leaves.py", "crash", "ended with code 3"),
    ("garbage.py", "garbage", "printed '\\x00� hello \\x1b[2J', which is not an answer"),
    (
        "two_answers.py",
        "garbage",
        'printed \'{"type": "move", "move": "1 from 1"}\' without being asked',
    ),
]


@pytest.mark.parametrize(
    ("name", "fault", "reason"),
    [
        pytest.param(*case, id=case[0], marks=() if case[0] in DEFAULT else pytest.mark.long)
        for case in FAULTS
    ],
)
def test_a_bot_that_misbehaves_loses_its_own_game_for_the_right_reason(league, name, fault, reason):
    outcome = play(league / name, limits=SHORT if (fault, reason) == LATE else LIMITS)
    assert (outcome.fault, outcome.reason) == (fault, f"player 1 {reason}")
    assert outcome.match.result == (-1, 1)


def test_no_bot_can_call_anything_on_the_network(league):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        outcome = play(league / "network_user.py", f"port={listener.getsockname()[1]}")
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert outcome.reason == (
        "player 1 crashed: OSError: [Errno 101] Network is unreachable (line 15 of network_user.py)"
    )


def test_a_private_file_and_the_bot_of_another_can_be_neither_read_nor_written_beside(
    league, home, monkeypatch
):
    places = [home / "secret.txt", league / "tamperer.py", Path.home() / "secret.txt"]
    outcome = play(league / "private_reader.py", f"secrets={':'.join(map(str, places))}")
    assert outcome.reason == (
        "player 1 crashed: PermissionError: there is nothing to be read "
        "(line 26 of private_reader.py)"
    )
    written = [place.with_name("left_behind") for place in places]
    assert not any(place.exists() for place in written)
    # Outside it finds and writes something, so that it is not for want of trying.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # here nothing keeps Python from it
    game = parlour.game("nim")
    bot = parlour.core.registry.read_bot(
        f"{league / 'private_reader.py'} secrets={home / 'secret.txt'}", files=True
    )
    assert bot.choose(game, game.start()) == (0, 1)
    assert written[0].exists()
    written[0].unlink()


@pytest.mark.long
@pytest.mark.parametrize("name", ["printer.py", "daemon.py", "killer.py", "two_of_a_kind.py"])
def test_other_misdeeds_do_not_keep_a_bot_from_playing(league, name):
    outcome = play(league / name)
    assert (outcome.fault, outcome.reason) == ("", "")
    assert outcome.match.over


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options"), [("thinks_in_your_time.py", ()), ("works_on.py", ("way=forge",))]
)
def test_no_bot_thinks_in_the_opponents_time(league, name, options):
    """It resigns if it could; even a forged order to go on is not obeyed."""
    outcome = play(league / name, *options, pause=1)
    assert outcome.reason == ""
    assert outcome.match.over


@pytest.mark.long
def test_a_bot_that_cannot_be_stopped_loses(league):
    """Each of its processes wakes all the others as fast as they can be stopped."""
    outcome = play(league / "works_on.py", "children=8", pause=1)
    reasons = {"player 1 went on thinking in the opponent's time": "time", "": ""}
    assert reasons[outcome.reason] == outcome.fault


@pytest.mark.long
def test_a_bot_that_ends_as_if_the_sandbox_had_ended_it_has_crashed(league):
    for code in range(namespaces.RAN_WHILE_PAUSED, namespaces.NOT_STARTED + 1):
        outcome = play(league / "pretends.py", f"code={code}")
        shown = code if code == namespaces.NOT_STARTED else namespaces.OTHER_CODE
        assert (outcome.fault, outcome.reason) == ("crash", f"player 1 ended with code {shown}")


@pytest.mark.long
def test_the_processes_of_a_bot_can_be_found_while_it_plays(league, home):
    plan = Plan("nim", (Entry("daemon", PYTHON, str(league / "daemon.py")),), limits=LIMITS)
    game = plan.make_game()
    names = ("daemon", "house")
    bot = referee_side.start_bot(plan.entries[0], plan, game, 0, 7, names, strong=True)
    try:
        bot.choose(game, game.start())
        found = len(find_processes(home))
    finally:
        bot.close()
    assert found in (3, 4)  # supervisor, bot, its leftover, and init where we may see it


@pytest.mark.long
def test_every_random_number_of_a_bot_is_decided_by_its_seed(league):
    drawn = [play(league / "numpy_user.py", seed=seed).reason for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1]
    ours, theirs = (re.findall(r"0\.\d+", each) for each in drawn[1:])
    assert len(set(ours + theirs)) == 14  # seven numbers of either seed, no two alike
    assert "['1', '1', '1', '1']" in drawn[0]


@pytest.mark.long
def test_nothing_can_be_written_but_to_a_scratch_folder(league, home):
    mine = f"parlour-{os.getpid()}"
    outside = [home, league, Path.home(), Path.home() / ".config" / mine, launcher.PACKAGE]
    outside += [Path("/", mine), Path("/usr", mine), Path("/etc"), Path("/var/tmp"), Path("/proc")]
    own = [Path("/tmp", mine), Path("/dev/shm", mine)]
    places = ":".join(map(str, (*outside, *own)))
    outcome = play(league / "outside_writer.py", f"places={places}")
    written = re.findall(r"'(.*?)'", outcome.log.splitlines()[-1])
    assert set(map(str, own)) <= set(written)
    assert all(place.startswith(("/tmp/", "/dev/shm/")) for place in written)
    for place in (*outside, *own):
        assert not (place / "left_behind").exists(), place


@pytest.mark.long
def test_a_bot_changes_no_rules_but_its_own(league):
    outcome = play(league / "tamperer.py")
    assert outcome.reason == (
        "player 1 chose '99 from 1', which is not a legal move: pile 1 has only 1 coin; take 1"
    )
    assert outcome.match.game == parlour.game("nim", piles=(1, 2, 3))
    assert outcome.match.game.start() == (0, 3, 1, 2, 3)
    assert parlour.game("nim").result(parlour.game("nim").start()) is None
    assert outcome.match.result == (-1, 1)
