"""A badly made package that is installed is named in one sentence and breaks nothing.

Each is really installed: a module and its metadata with an entry point, in a folder on the path.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import parlour
from parlour.core import registry
from parlour.faces.cli import main
from parlour.host import Session, reply
from tests.faces.web.house import opened_in

EXAMPLES = Path(__file__).parent.parent / "examples"
BUILT_IN = ["chopsticks", "nim", "othello", "sticks", "tictactoe"]
GOOD = (EXAMPLES / "kayles.py").read_text(encoding="utf-8").replace('"kayles"', '"mine"')
SHORT = (EXAMPLES / "short" / "hexapawn.py").read_text(encoding="utf-8").replace("Hexapawn", "Mine")
ENTRY = {"Kayles": GOOD, "Mine": SHORT}
# the name in the entry point, the text of its module, and the reason that is printed
BAD: dict[str, tuple[str, str, str]] = {
    "raises at import": ("Kayles", "1 / 0", "does not load: ZeroDivisionError: division by zero"),
    "leaves at import": ("Kayles", "raise SystemExit(3)", "does not load: SystemExit: 3"),
    "waits for ever": (
        "Kayles",
        "import threading, time\n"
        "thread = threading.current_thread()\n"
        "getattr(thread, 'waiting', set()).add(thread.name)\n"
        "time.sleep(600)",
        "does not load: no answer within 0.3 s",
    ),
    "lacks the class": ("Kayles", "", "does not load: AttributeError"),
    "is nothing": ("Kayles", "Kayles = None", "is None, which is not a class of games"),
    "is a function": ("Kayles", "def Kayles(): ...", "which is not a class of games"),
    "is another class": ("Kayles", "class Kayles: ...", "needs a class attribute: name"),
    "is another game": ("Kayles", GOOD.replace('"mine"', '"yours"'), "calls itself 'yours'"),
    "has a name of two words": ("Kayles", GOOD.replace('"mine"', '"my own"'), "name of one word"),
    "misses a verb": ("Kayles", GOOD.replace("def draw", "def drew"), "lacks draw"),
    "misses a verb of the short form": ("Mine", SHORT.replace("def play", "def go"), "lacks play"),
    "has a default out of bounds": (
        "Mine",
        SHORT.replace("low=3, high=6", "low=4, high=6"),
        "which fails: BadOption: n cannot be 3",
    ),
    "has an option of no known kind": (
        "Mine",
        SHORT.replace("n: int", "n: dict"),
        "is declared as dict",
    ),
    "has an option called as a method": (
        "Mine",
        SHORT.replace("n: int", "size: int"),
        "cannot have an option called size",
    ),
    "has a turn of no seat": (
        "Mine",
        SHORT.replace("def turn(self, state): return state[0]", "def turn(self, state): return 2"),
        "none whose turn it is",
    ),
    "cannot draw": (
        "Kayles",
        GOOD.replace("def draw(self, state):", "def draw(self, state):\n        1 / 0\n"),
        "which fails: ZeroDivisionError",
    ),
}


def install(site: Path, name: str, module: str, thing: str, text: str, kind: str = "games") -> None:
    """Install a module as pip does, with an entry point."""
    (site / f"{module}.py").write_text(text, encoding="utf-8")
    metadata = site / f"{module}-1.0.dist-info"
    metadata.mkdir()
    about = f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(about, encoding="utf-8")
    points = f"[parlour.{kind}]\n{name} = {module}:{thing}\n"
    (metadata / "entry_points.txt").write_text(points, encoding="utf-8")


class Loading(threading.Thread):
    """Loads a package; the wait for it begins once it hangs, however slow the machine."""

    waiting: ClassVar[set[str]] = set()

    def join(self, timeout: float | None = None) -> None:
        while self.is_alive() and self.name not in self.waiting:
            super().join(0.01)
        super().join(timeout)


def _forget() -> None:
    registry.list_installed.cache_clear()
    registry._load.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages."""
    found = tmp_path / "site"
    found.mkdir()
    monkeypatch.syspath_prepend(found)
    monkeypatch.setattr(registry, "PATIENCE", 0.3)
    monkeypatch.setattr(registry, "threading", SimpleNamespace(Thread=Loading))
    Loading.waiting.discard("load mine")  # others wait as long as the tests last
    _forget()
    before = set(sys.modules)
    yield found
    _forget()
    for name in set(sys.modules) - before:
        if name.startswith("third_party_"):
            del sys.modules[name]


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(list(arguments))
    return code, *capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_game_is_left_out_and_named_in_one_sentence(
    site: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    thing, text, why = BAD[kind]
    module = f"third_party_{list(BAD).index(kind)}"  # one may still be waiting for its import
    install(site, "mine", module, thing, text)
    install(site, "yours", "third_party_good", "Kayles", GOOD.replace('"mine"', '"yours"'))
    assert parlour.games() == sorted([*BUILT_IN, "yours"])
    code, out, err = run("games", capsys=capsys)
    assert code == 0
    assert [line.split()[0] for line in out.split("\n\n")[0].splitlines()] == parlour.games()
    (warning,) = err.splitlines()
    assert warning.startswith("parlour: left out: ")
    assert why in warning
    assert module in warning
    code, _, err = run("solve", "mine", capsys=capsys)
    assert code == 2
    assert why in err
    answer = str(reply(Session(seed=1), "what games do you know?"))
    assert "yours" in answer
    assert "mine" not in answer


def test_a_package_with_the_name_of_a_built_in_game_leaves_ours_in_place(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(site, "nim", "third_party_nim", "Kayles", GOOD.replace('"mine"', '"nim"'))
    install(site, "random", "third_party_bot", "choose", "def choose(game, state): ...", "bots")
    assert type(parlour.game("nim")).__module__ == "parlour.rules.nim"
    code, _, err = run("games", capsys=capsys)
    assert code == 0
    assert "third_party_nim:Kayles offers a game named 'nim', which is built in; rename it" in err
    assert "third_party_bot:choose offers a bot named 'random', which is built in; rename it" in err
    assert "random" in parlour.bots(parlour.game("nim"))


def test_two_packages_that_offer_one_name_leave_the_rest_in_place(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("third_party_one", "third_party_two"):
        install(site, "mine", module, "Kayles", GOOD)
    assert parlour.games() == BUILT_IN
    code, _, err = run("games", capsys=capsys)
    assert code == 0
    assert (
        "third_party_one:Kayles and the package at third_party_two:Kayles offer games named" in err
    )


@pytest.mark.parametrize(
    "text",
    ["1 / 0", "Bot = None", "class Bot: ...", "class Bot:\n    name = 'bad'\n    plays = 3\n"],
)
def test_a_bad_bot_breaks_no_list_of_bots(
    site: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install(site, "bad", "third_party_bot", "Bot", text, "bots")
    assert "random" in parlour.bots(parlour.game("nim"))
    assert "bad" not in parlour.bots(parlour.game("nim"))
    for command in (["bots"], ["bots", "nim"], ["games"]):
        assert run(*command, capsys=capsys)[0] == 0
    begun = reply(Session(seed=1), "play nim with 3 4 5 against random, I start")
    assert begun.session.table is not None


def install_all(site: Path) -> None:
    for number, (thing, text, _) in enumerate(BAD.values()):
        install(site, f"mine{number}", f"third_party_bad_{number}", thing, text)
    install(site, "nim", "third_party_nim", "Kayles", GOOD.replace('"mine"', '"nim"'))
    install(site, "yours", "third_party_good", "Kayles", GOOD.replace('"mine"', '"yours"'))
    install(site, "bad", "third_party_bot", "Bot", "1 / 0", "bots")


COMMANDS = [
    ["bots", "nim"],
    ["play", "nim", "--seat", "perfect", "--seat", "random"],
    ["solve", "yours", "--pins", "5"],
    ["explain", "nim"],
    ["perft", "yours", "--depth", "1"],
    ["atlas", "nim", "--piles", "1-2"],
    ["train", "yours", "--games", "5", "--seed", "1"],
    ["hats"],
    ["tournament", "yours", "--bots", "random", "perfect", "--workers", "1"],
    ["help", "play", "yours"],
    ["games", "--json"],
]


@pytest.mark.slow
def test_every_command_works_beside_all_of_them(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_all(site)
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        try:
            code, _, err = run(*command, capsys=capsys)
        except SystemExit as left:  # from --help
            code, err = int(left.code or 0), ""
        assert code == 0, (command, err)


@pytest.mark.slow
def test_benedict_talks_and_plays_beside_all_of_them(site: Path) -> None:
    install_all(site)
    session = Session(seed=1)
    for line in ("hello", "game", "how many games do you know?", "play yours, I start", "hint"):
        answer = reply(session, line)
        session = answer.session
    assert session.table is not None
    assert session.table.game == "yours"


@pytest.mark.slow
def test_every_page_works_beside_all_of_them(site: Path, tmp_path: Path) -> None:
    install_all(site)
    pages = ("/", "/new/nim", "/new/yours", "/lab", "/lab/yours", "/school", "/tournaments")
    with opened_in(tmp_path) as house:
        guest = house.browser()
        for page in (*pages, "/analyse", "/api/games"):
            answer = guest.get(page)
            assert answer.status == 200, (page, answer.said)
        for page in ("/new/mine0", "/lab/mine1", "/new/mine7"):
            answer = guest.get(page)
            assert 400 <= answer.status < 500, (page, answer.said)
        table: Any = house.table("yours", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
        assert house.sitting(table, 0).get(f"/tables/{table}").status == 200


def test_a_program_of_its_own_ends_though_a_package_waits_for_ever(site: Path) -> None:
    install(site, "mine", "third_party_bad", "Kayles", BAD["waits for ever"][1])
    started = "from parlour.core import registry; registry.PATIENCE = 0.2; "
    ended = subprocess.run(
        [sys.executable, "-c", started + "import parlour; print(*parlour.games())"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=True,
    )
    assert ended.stdout.split() == BUILT_IN
