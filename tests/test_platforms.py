"""What Windows lacks is used in the sandbox and the supervisor alone, or refused in a sentence."""

import json
import subprocess
import sys

import pytest

# Windows as far as Linux can play it: other people's packages are loaded first, as they are here.
WINDOWS = """
import contextlib, importlib, io, json, os, pkgutil, signal, socket, sys
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

def run(command):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    return code, out.getvalue(), err.getvalue()

print(json.dumps([run(command) for command in sys.argv[1:]]))
"""


@pytest.mark.slow
def test_every_module_works_without_what_only_unix_has_or_refuses_in_one_sentence(tmp_path):
    bot = "def choose(game, state):\n    return game.moves(state)[0]\n"
    (tmp_path / "my_bot.py").write_text(bot, encoding="utf-8")
    commands = ("solve nim --json", "web", "check-bot my_bot.py nim")
    call = [sys.executable, "-c", WINDOWS, *commands]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    (solved, printed, _), *refusals = json.loads(done.stdout)
    assert solved == 0
    assert json.loads(printed)["value"]["outcome"] == "win"  # 3, 4 and 5: the nim-sum is 2
    reasons = (
        "the web site runs on Linux and macOS, and on Windows in WSL",
        "bots that are files run on Linux and macOS; choose installed",
    )
    for (code, _, refusal), reason in zip(refusals, reasons, strict=True):
        assert code == 2
        assert reason in refusal
        assert refusal.count("\n") == 1
