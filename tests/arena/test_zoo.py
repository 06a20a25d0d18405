"""Bots that misbehave: each loses its own game, for the right reason, and leaves nothing behind."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import sys
import time
from pathlib import Path
from textwrap import indent

import pytest
from tests.needs import need

import parlour
from parlour.arena.plan import OBJECT, PYTHON, Entry, Fixture, Limits, Plan
from parlour.arena.playing import play_game
from parlour.arena.results import GameResult
from parlour.arena.sandbox import launcher, namespaces

pytestmark = pytest.mark.sandbox

ZOO = Path(__file__).parent / "zoo"
SHORT_BOTS = {  # the bodies of their functions
    "stubborn": """import signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True: time.sleep(0.01)""",
    "flood": "import sys\nwhile True: sys.stderr.write('woe ' * 10_000)",
    "thread_bomb": """import threading, time
while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()""",
    "memory_hog": "held = []\nwhile True: held.append(bytearray(1 << 20))",
    "memory_shared": """import mmap, time
held = mmap.mmap(-1, 512 << 20)
for place in range(0, len(held), mmap.PAGESIZE): held[place] = 1
time.sleep(60)""",
    "hangs_up": "import os, time\nos.closerange(0, 100)\ntime.sleep(60)",
    "leaves": "import os\nos._exit(3)",
    "pretends": f"import os\nos._exit({namespaces.RAN_WHILE_PAUSED})",
    "garbage": r"""import contextlib, os
for stream in range(3, 20):
    with contextlib.suppress(OSError): os.write(stream, b'\x00\xff hello \x1b[2J\n')
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
}
LIMITS = Limits(memory=200, start=60, think=60, processes=12)
SHORT = Limits(memory=200, start=60, think=0.5, processes=12)  # for those that never answer


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


class House:
    """Takes a coin from the first pile it can, while the bot is paused."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def choose(self, game, state):
        time.sleep(self.seconds)
        return game.moves(state)[0]


def play(file: Path, *options: str, limits: Limits = LIMITS, pause: float = 0) -> GameResult:
    bot = Entry(file.stem, PYTHON, shlex.join([str(file), *options]))
    entries = (bot, Entry("house", OBJECT, "house"))
    plan = Plan("nim", entries, options={"piles": (1, 2, 3)}, limits=limits)
    house = {"house": House(pause)}
    return play_game(plan, plan.make_game(), Fixture(0, 1, 0), objects=house)


LATE = ("time", "took longer than 0.5 s for a move")
FULL = ("memory", "used more than 200 MiB of memory")
DEFAULT = {"memory_hog.py", "leaves.py"}  # tests that do not take long, of two kinds
FAULTS = [
    ("stubborn.py", *LATE),
    ("flood.py", *LATE),
    ("hangs_up.py", "output", "closed its output"),
    ("thread_bomb.py", "processes", "had more than 12 processes"),
    ("memory_hog.py", *FULL),
    ("memory_shared.py", *FULL),
    ("leaves.py", "crash", "ended with code 3"),
    ("pretends.py", "crash", f"ended with code {namespaces.OTHER_CODE}"),
    ("garbage.py", "garbage", "printed '\\x00� hello \\x1b[2J', which is not an answer"),
]


@pytest.mark.parametrize(
    ("name", "fault", "reason"),
    [
        pytest.param(*case, id=case[0], marks=() if case[0] in DEFAULT else pytest.mark.long)
        for case in FAULTS
    ],
)
def test_a_bot_that_misbehaves_loses_its_own_game_for_the_right_reason(league, name, fault, reason):
    game = play(league / name, limits=SHORT if (fault, reason) == LATE else LIMITS)
    assert (game.fault, game.record.reason) == (fault, f"player 1 {reason}")
    assert game.record.result == (-1, 1)


def test_no_bot_can_call_anything_on_the_network(league, tmp_path):
    bot = tmp_path / "caller.py"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        call = f"    socket.create_connection({listener.getsockname()})\n"
        bot.write_text(f"import socket\ndef choose(game, state):\n{call}", encoding="ascii")
        game = play(bot)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert game.record.reason == (
        "player 1 crashed: OSError: [Errno 101] Network is unreachable (line 3 of caller.py)"
    )


def test_a_private_file_and_the_bot_of_another_can_be_neither_read_nor_written_beside(
    league, home, monkeypatch
):
    places = [home / "secret.txt", league / "tamperer.py", Path.home() / "secret.txt"]
    game = play(league / "private_reader.py", f"secrets={':'.join(map(str, places))}")
    assert game.record.reason == (
        "player 1 crashed: PermissionError: there is nothing to be read "
        "(line 26 of private_reader.py)"
    )
    written = [place.with_name("left_behind") for place in places]
    assert not any(place.exists() for place in written)
    # Outside it finds and writes something, so that it is not for want of trying.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # here nothing keeps Python from it
    nim = parlour.game("nim")
    bot = parlour.core.registry.bot(f"{league / 'private_reader.py'} secrets={home / 'secret.txt'}")
    assert bot.choose(nim, nim.start()) == (0, 1)
    assert written[0].exists()
    written[0].unlink()


@pytest.mark.long
@pytest.mark.parametrize("name", ["daemon.py", "killer.py"])
def test_other_misdeeds_do_not_keep_a_bot_from_playing(league, name):
    game = play(league / name)
    assert (game.fault, game.record.reason) == ("", "")


@pytest.mark.long
def test_no_bot_thinks_in_the_opponents_time(league):
    game = play(league / "thinks_in_your_time.py", pause=1)  # it resigns if it could
    assert (game.fault, game.record.reason) == ("", "")


@pytest.mark.long
def test_a_bot_changes_no_rules_but_its_own(league):
    game = play(league / "tamperer.py")
    assert game.record.reason == (
        "player 1 chose '99 from 1', which is not a legal move: pile 1 has only 1 coin; take 1"
    )
    assert parlour.game("nim").start() == (0, 3, 3, 4, 5)
    assert parlour.game("nim").result(parlour.game("nim").start()) is None
    assert game.record.result == (-1, 1)
