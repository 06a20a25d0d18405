"""Compiling is told at once to whoever sits at a terminal, and only then."""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.faces.progress import COMPILING, ProgressLine

COUNTED = """
from parlour.faces.progress import announce_compiling
announce_compiling()
print("begun", flush=True)
import parlour.kernels.hats
print("done", flush=True)
"""


def copied(tmp_path):
    """A copy of the package in which nothing is compiled yet."""
    root = tmp_path / "copy"
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(parlour.__file__).parent, root / "parlour", ignore=skipped)
    return {"PYTHONPATH": str(root), "PATH": "", "HOME": str(root)}


def at_a_terminal(env):
    """What a person sees of it, line by line."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", COUNTED], env=env, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # nobody is at the other end any more
                break
            if not part:
                break
            seen += part
        assert process.wait() == 0
    os.close(ours)
    lines = seen.decode().replace("\r", "").splitlines()
    return [line.removeprefix("\x1b[K") for line in lines]


@pytest.mark.slow
def test_it_is_told_once_before_it_begins_and_never_again(tmp_path):
    env = copied(tmp_path)
    assert at_a_terminal(env) == ["begun", COMPILING, "done"]
    assert at_a_terminal(env) == ["begun", "done"]


@pytest.mark.slow
def test_a_program_hears_nothing_of_it(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COUNTED],
        env=copied(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["begun", "done"]


def test_a_long_line_loses_the_middle_of_what_is_done_and_never_the_progress(monkeypatch):
    written = io.StringIO()
    written.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setenv("COLUMNS", "60")
    ProgressLine().show(
        "12,345 of 400,000,000, 4 s", "player 1, who has a long name, is getting ready"
    )
    line = written.getvalue().removeprefix("\r").removeprefix("\x1b[K")
    assert re.fullmatch(r"player 1.*….*ready: 12,345 of 400,000,000, 4 s; Ctrl-C stops", line)
    assert len(line) < 60
