"""The same bytes come out of every engine, whatever is killed on the way."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core import executors
from parlour.truth.disk import Folder, solve_on_disk
from tests.conftest import LONG
from tests.truth.disk.test_solutions import read_all

GAME = parlour.game("tictactoe", columns=4, rows=4)
SMALL = parlour.game("tictactoe")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    parlour.solve(GAME, disk=folder)
    return read_all(folder)


DYING = """
import os, signal, sys
from parlour.faces.cli import main

left, sync = int(sys.argv[1]), os.fsync

def die_in_time(file):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(file)

os.fsync = die_in_time
main(sys.argv[2:])
"""


@pytest.mark.slow
def test_a_killed_process_goes_on_where_it_was(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """It is killed while it writes its eighth file, or in a long run again and again."""
    command = ["solve", "tictactoe", "--columns", "4", "--rows", "4", "--disk", str(tmp_path)]
    values = []
    for files in (2, 6, 6) if LONG else (8,):
        program = [sys.executable, "-c", DYING, str(files), *command, "--workers", "1"]
        process = subprocess.run(program, check=False, stdout=subprocess.DEVNULL)
        assert process.returncode == -signal.SIGKILL
        values.append(len(list(tmp_path.rglob("*.values"))))
    assert values == sorted(set(values))
    parlour.solve(GAME, disk=tmp_path)
    assert read_all(tmp_path) == whole


class Losing(executors.Executor):
    """Runs calls at once; every so many of them take their worker down, and the others with it."""

    workers = 2

    def __init__(self, every: int) -> None:
        self.every, self.count, self.recovered = every, 0, 0

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        self.count += 1
        future: Future[Any] = Future()
        if self.count % self.every:
            future.set_result(call(*arguments))
        else:
            future.set_exception(BrokenExecutor("killed"))
        return future

    def recover(self) -> bool:
        self.recovered += 1
        return True


def test_the_same_bytes_come_out_when_workers_are_lost(tmp_path: Path) -> None:
    parlour.solve(SMALL, disk=tmp_path / "whole")
    executor = Losing(every=3)
    solve_on_disk(SMALL, Folder(tmp_path / "lost"), executor)
    assert executor.recovered > 2
    assert read_all(tmp_path / "lost") == read_all(tmp_path / "whole")


def test_a_task_that_always_loses_its_worker_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(parlour.ParlourError, match="was lost 5 times"):
        solve_on_disk(SMALL, Folder(tmp_path), Losing(every=1))
