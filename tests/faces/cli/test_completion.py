"""TAB completes commands, games, bots and flags, in the shells themselves."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.faces.cli import main
from parlour.faces.cli.dispatch import COMMANDS
from tests.needs import need

ROOT = Path(__file__).parents[3]
LINES = {  # what was typed, and what may follow
    "parlour so": {"solve"},
    "parlour solve n": {"nim"},
    "parlour solve nim --mi": {"--misere"},
    "parlour play chopsticks --overflow ": {"dies", "wraps"},
    "parlour tournament nim --kind ": {"round-robin", "gauntlet", "swiss"},
    "parlour play examples/kayles.py --pi": {"--pins"},
    "parlour train tictactoe --ru": {"--rule"},
    "parlour completion ": {"bash", "zsh", "fish", "--help"},
    "parlour nonsense --x": set(),
}
BASH = """
eval "$(parlour completion bash)"
function=$(complete -p parlour | sed 's/.*-F \\([^ ]*\\).*/\\1/')
while IFS= read -r -d '|' COMP_LINE; do
    COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMPREPLY=()
    "$function" parlour
    (IFS=,; echo "${COMPREPLY[*]}")
done <<< "$1"
"""
ZSH = """
zmodload zsh/zpty
zpty shell 'PS1= zsh -f -i'
zpty -w shell 'autoload -U compinit && compinit -u -D; eval "$(parlour completion zsh)"'
zpty -w shell 'print -r set-$((1 + 1))'
zpty -r shell out '*set-2*'
zpty -w -n shell $'parlour so\\tn\\t--mis\\t\\x01print -r typed: \\nprint -r end-$((1 + 1))\\n'
zpty -r shell out '*end-2*'
print -r -- "$out"
"""


@pytest.fixture
def shell(tmp_path):
    """Run a script in a shell that knows `parlour` as a program."""
    program = tmp_path / "parlour"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m parlour "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"

    def call(name: str, script: str, *arguments: str) -> str:
        need(shutil.which(name), f"{name} is not installed")
        done = subprocess.run(
            [name, "-c", script, *([name] if name != "fish" else []), *arguments],
            env={**os.environ, "PATH": path, "HOME": str(tmp_path)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return done.stdout

    return call


def test_bash_completes(shell):
    lines = dict(itertools.islice(LINES.items(), 3))
    out = shell("bash", BASH, "|".join([*lines, ""]))
    found = [set(filter(None, map(str.strip, line.split(",")))) for line in out.splitlines()]
    assert dict(zip(lines, found, strict=True)) == lines


@pytest.mark.long
def test_fish_completes(shell):
    script = 'parlour completion fish | source\nfor line in $argv\ncomplete -C "$line"\necho .\nend'
    out = shell("fish", script, *LINES)
    found = [
        {line.partition("\t")[0] for line in part.splitlines() if line} for part in out.split(".\n")
    ]
    assert dict(zip(LINES, found[:-1], strict=True)) == LINES


@pytest.mark.long
def test_zsh_completes(shell):
    need(shutil.which("zsh"), "zsh is not installed")
    assert "\ntyped: parlour solve nim --misere\n" in shell("zsh", ZSH)


def test_without_a_command_all_are_offered_with_their_descriptions(tmp_path):
    """The program answers argcomplete, without a shell, and loads nothing slow for it."""
    answer = tmp_path / "answer"
    asked = {"COMP_LINE": "parlour ", "COMP_POINT": "8", "_ARGCOMPLETE": "1"}
    asked |= {"_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_DFS": "\t"}
    asked |= {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "parlour"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "argcomplete" in loaded
    assert not loaded & {"numba", "numpy", "asyncio", "rich", "prompt_toolkit"}
    lines = [line.split("\t") for line in answer.read_text().split("\n")]
    assert COMMANDS.items() <= dict(lines).items()


def test_only_the_three_shells_are_known(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "'tcsh'" in capsys.readouterr().err
