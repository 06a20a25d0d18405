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
from parlour.arena.runner import Progress
from parlour.core import DONE, Work
from parlour.faces.cli.tournament import format_progress
from parlour.faces.progress import COMPILING, ProgressLine, format_done

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


@pytest.mark.parametrize(
    ("done", "total", "said"),
    [
        (0, 0, "40 s"),
        (0, 400, "40 s"),
        (1_200, 0, "1,200 games, 40 s"),
        (100, 400, "100 of 400 games (25 %), 40 s, about 2 min left"),
        (400, 400, "400 of 400 games (100 %), 40 s, about 0 s left"),
        (500, 400, "500 games, 40 s"),
        (7, 2**62, "7 games, 40 s"),
    ],
)
def test_progress_states_only_numbers_that_are_known(done, total, said):
    work = Work()
    work.cells[DONE], work.total = done, total
    assert format_done(work, "games", 40.0) == said


@pytest.mark.parametrize(
    ("done", "new", "seconds", "said"),
    [
        (0, 0, 5.0, "0 of 40 games"),
        (20, 20, 4.0, "20 of 40 games, 5.0 per second, about 4 s left"),
        (30, 10, 60.0, "30 of 40 games, 10.0 per minute, about 60 s left"),
    ],
)
def test_a_tournament_states_its_speed_once_there_is_one(done, new, seconds, said):
    assert format_progress(Progress(done, 40, new, seconds)) == said


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
