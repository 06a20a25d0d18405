"""Progress at a terminal: of compiling, of long work and of tournaments; none elsewhere."""

import io
import re
import sys

import pytest

from parlour.arena.runner import Progress
from parlour.core import Work
from parlour.faces.cli.tournament import format_progress
from parlour.faces.progress import CLEAR_LINE, Compilations, ProgressLine, format_done
from tests.terminal import open_terminal

__all__ = ["open_terminal"]

COUNTED = """
from parlour.faces.progress import Compilations, announce_compiling
Compilations.describe.__defaults__ = (0.0,)  # however fast the machine is
announce_compiling()
print("begun", flush=True)
from parlour.kernels import hats
hats.train.prepare()
print("done", flush=True)
"""


@pytest.mark.slow
def test_compiling_is_shown_with_progress_while_it_lasts_and_only_once(open_terminal, tmp_path):
    def compile_hats():
        terminal = open_terminal(program=COUNTED, PARLOUR_CACHE=str(tmp_path))
        assert terminal.exit_code() == 0
        return terminal.shown.replace(CLEAR_LINE, "\n").split()

    begun, *shown, done = compile_hats()
    assert (begun, done) == ("begun", "done")
    assert re.match(r"Getting the hats ready .*first time only\): \d+ %", " ".join(shown))
    assert compile_hats() == ["begun", "done"]


def test_progress_states_only_numbers_that_are_known():
    for done, total, text in [
        (0, 0, "40 s"),
        (0, 400, "40 s"),
        (1_200, 0, "1,200 games, 40 s"),
        (100, 400, "100 of 400 games (25 %), 40 s, about 2 min left"),
        (400, 400, "400 of 400 games (100 %), 40 s, about 0 s left"),
        (500, 400, "500 games, 40 s"),
        (7, 2**62, "7 games, 40 s"),
    ]:
        work = Work()
        work.done, work.total = done, total
        assert format_done(work, "games", 40.0) == text


def test_a_tournament_states_its_speed_once_there_is_one():
    for done, new, seconds, text in [
        (0, 0, 5.0, "0 of 40 games"),
        (20, 20, 4.0, "20 of 40 games, 5.0 per second, about 4 s left"),
        (30, 10, 60.0, "30 of 40 games, 10.0 per minute, about 60 s left"),
    ]:
        assert format_progress(Progress(done, 40, new, seconds)) == text


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


def test_the_longest_of_several_kernels_is_named_and_never_at_100_percent():
    now = Compilations()
    assert now.describe(0) == ""
    now.note("nim.solve", 0.5, finished=False)
    now.note("othello.search.search_root_8x8", 9.0, finished=False)
    assert re.fullmatch(r"Getting the Othello engine ready .*: 0 %", now.describe(0))
    now.note("othello.search.search_root_8x8", 9.0, finished=True)
    assert now.describe(0).startswith("Getting Nim ready")
    assert now.describe(patience=60) == ""
    now.note("nim.solve", 1e-9, finished=False)
    assert now.describe(0).endswith(": 99 %")
