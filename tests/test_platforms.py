"""What Windows lacks is used in the sandbox and the supervisor alone, or refused in a sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Windows as far as Linux can play it: other people's packages are loaded first, as they are here.
WINDOWS = """
import importlib, os, pkgutil, signal, socket, sys
import asyncio, concurrent.futures, ctypes, multiprocessing, subprocess, tempfile
import fastapi, jinja2, joblib.externals.loky, numba, PIL.Image, prompt_toolkit, sqlalchemy, uvicorn
import mcp, rich.console, rich.progress
import gymnasium.vector, multiprocessing.sharedctypes, pettingzoo
import parlour
from parlour.faces.cli import main

for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for module, names in {
    os: ("fork", "killpg", "nice", "set_blocking", "sched_getaffinity", "sysconf", "uname"),
    signal: ("SIGKILL", "SIGUSR1", "SIGCHLD"),
    socket: ("send_fds", "recv_fds"),
}.items():
    for name in names:
        vars(module).pop(name, None)
sys.platform = "win32"
apart = ("parlour.arena.sandbox.", "parlour.faces.web.serving.supervisor", "parlour.kernels.")
for each in pkgutil.walk_packages(parlour.__path__, "parlour."):
    if not each.name.startswith(apart) and not each.name.endswith("__main__"):
        importlib.import_module(each.name)
"""


def run_on_windows(*command: str) -> subprocess.CompletedProcess[str]:
    code = f"{WINDOWS}\nsys.exit(main({list(command)}))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.mark.slow
def test_every_module_can_be_imported_without_what_only_unix_has():
    run = run_on_windows("solve", "nim", "--json")
    assert run.returncode == 0, run.stderr
    assert '"outcome": "win"' in run.stdout  # 3, 4 and 5: the nim-sum is 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("web", "the web site runs on Linux and macOS, and on Windows in WSL"),
        ("check-bot my_bot.py nim", "bots that are files run on Linux and macOS; choose installed"),
    ],
)
def test_what_windows_cannot_do_is_refused_in_one_sentence(command, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(
        "def choose(game, state):\n    return game.moves(state)[0]\n"
    )
    run = run_on_windows(*command.split())
    assert run.returncode == 2
    assert reason in run.stderr
    assert run.stderr.count("\n") == 1
