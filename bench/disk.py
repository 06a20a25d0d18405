"""Solving on disk: beside memory and OpenSpiel, with one worker and two, killed, and looked up.

Without arguments it takes a few minutes. `python bench/disk.py FOLDER` measures the look-ups in a
solution of 5x4 with lines of 4 that lies in FOLDER, solving it there first if need be;
`python bench/disk.py memory` and `python bench/disk.py look FOLDER` measure one thing alone.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import parlour
from parlour.core import executors
from parlour.truth.disk import DiskSolution, Folder, open_solution, solve_on_disk

LARGE = parlour.game("tictactoe", columns=5, rows=4, line=4)
MIDDLE = parlour.game("tictactoe", columns=4, rows=4, line=4)
SMALL = parlour.game("tictactoe", columns=4, rows=3, line=3)
NIM = parlour.game("nim", piles=(20,) * 8, endings=((1, 2, 3), (2, 2, 2), (1, 1, 2, 2)))
KILLS = 20
LOOKUPS = 2000
ROUNDS = 5  # of which the best counts


def cpu() -> float:
    """Processor seconds of this process and of those it has waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(each)[:2]) for each in who)


def solve_here(game: Any, folder: Path) -> tuple[float, int]:
    """Processor seconds and positions of one process."""
    shutil.rmtree(folder, ignore_errors=True)
    began = cpu()
    found = solve_on_disk(game, Folder(folder))
    return cpu() - began, sum(found.counts.values())


def compare_with_memory(folder: Path) -> None:
    print("\npositions a second of one processor, on disk and in memory (bar: half)")
    for name, game in {"4x4, lines of 4": MIDDLE, "nim, 8 piles of 20": NIM}.items():
        parlour.solve(game)  # everything is compiled
        solve_here(game, folder / "memory")
        memory, disk = [], []
        for _ in range(ROUNDS):  # in turns, since other work comes and goes
            began = cpu()
            solution = parlour.solve(game)
            memory.append(cpu() - began)
            took, positions = solve_here(game, folder / "memory")
            disk.append(took)
        assert len(solution) == sum(open_solution(game, folder / "memory").counts().values())
        print(
            f"{name}: {positions:,} positions, disk {positions / min(disk):,.0f}/s, "
            f"memory {positions / min(memory):,.0f}/s, ratio {min(memory) / min(disk):.2f}"
        )


def compare_with_open_spiel(folder: Path) -> None:
    print("\nthe same game beside OpenSpiel's solver (bar: 50 times)")
    solver = MinimaxSolver("mnk(m=4,n=3,k=3)")
    began = cpu()
    table = solver.solve()
    theirs = cpu() - began
    solve_here(SMALL, folder / "peer")  # everything is loaded
    ours, positions = solve_here(SMALL, folder / "peer")
    assert open_solution(SMALL, folder / "peer").value(SMALL.start()).outcome == "win"
    print(
        f"4x3, lines of 3: ours {ours:.2f} s for {positions:,} positions, "
        f"OpenSpiel {theirs:.1f} s for {len(table):,}, ratio {theirs / ours:.0f}"
    )


def agree_with_open_spiel(solution: Any) -> None:
    peer = pyspiel.load_game("mnk(m=5,n=4,k=4)")
    chance, checked = random.Random(0), 0
    signs = {"win": 1, "draw": 0, "loss": -1}
    while checked < 300:
        state, theirs = LARGE.start(), peer.new_initial_state()
        while (moves := LARGE.moves(state)) and len(moves) > 7:
            move = chance.choice(moves)
            state = LARGE.play(state, move)
            theirs.apply_action(move[0] + 5 * move[1])
        if not moves:
            continue
        mover = theirs.current_player()
        value, _ = alpha_beta_search(peer, state=theirs, maximizing_player_id=mover)
        assert int(value) == signs[solution.value(state).outcome], LARGE.write(state)
        checked += 1
    print(f"\n{checked} late positions of 5x4 agree with OpenSpiel's solver")


def compare_workers(folder: Path) -> None:
    print("\ntwo workers beside one, 5x4 with lines of 4 (bar: 1.7 times)")
    seconds = {}
    for workers in (1, 2):
        shutil.rmtree(folder / "workers", ignore_errors=True)
        executor = executors.make_executor("local", workers)
        if workers == 2:  # they start and load before the clock does
            solve_on_disk(MIDDLE, Folder(folder / "start"), executor)
        began, busy = time.perf_counter(), cpu()
        found = solve_on_disk(LARGE, Folder(folder / "workers"), executor)
        seconds[workers] = time.perf_counter() - began
        executor.close()
        positions = sum(found.counts.values())
        print(
            f"{workers}: {seconds[workers]:.1f} s, {cpu() - busy:.1f} s of processors, "
            f"{positions / seconds[workers]:,.0f} positions/s, load {os.getloadavg()[0]:.1f}"
        )
    print(f"ratio {seconds[1] / seconds[2]:.2f}")


def read_all(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class Killing(executors.Executor):
    """Has the worker of one call killed."""

    def __init__(self, executor: executors.Executor, call: int, mark: Path) -> None:
        self.executor, self.left, self.mark = executor, call, mark

    @property
    def workers(self) -> int:
        return self.executor.workers

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        self.left -= 1
        if self.left == 0:
            return self.executor.submit(die_within, str(self.mark), call, *arguments, label=label)
        return self.executor.submit(call, *arguments, label=label)

    def recover(self) -> bool:
        return self.executor.recover()


def die_within(mark: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """Kill this process at a random moment of a call, the first time."""
    if not Path(mark).exists():
        Path(mark).touch()
        delay = random.SystemRandom().uniform(0, 0.05)
        subprocess.Popen(["/bin/sh", "-c", f"sleep {delay}; kill -9 {os.getpid()}"])
    found = call(*arguments)
    time.sleep(0.1 if not Path(f"{mark}.over").exists() else 0)
    Path(f"{mark}.over").touch()
    return found


def kill_at_random(folder: Path) -> None:
    print(f"\nkill -9 at {KILLS} random moments")
    clean = folder / "clean"
    began = time.perf_counter()
    command = [sys.executable, "-m", "parlour", "solve", "tictactoe", "--columns", "4"]
    command += ["--rows", "4", "--line", "4", "--workers", "1", "--disk"]
    subprocess.run([*command, str(clean)], check=True, stdout=subprocess.DEVNULL)
    whole, took = read_all(clean), time.perf_counter() - began
    chance = random.Random(1)
    once = folder / "killed"
    for _ in range(KILLS - 10):
        process = subprocess.Popen([*command, str(once)], stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, took))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (once / "manifest.json").exists() and b'"complete": true' in (
            once / "manifest.json"
        ).read_bytes():
            assert read_all(once) == whole
            shutil.rmtree(once)
    subprocess.run([*command, str(once)], check=True, stdout=subprocess.DEVNULL)
    assert read_all(once) == whole
    print(f"the process: {KILLS - 10} times, the same bytes")
    for engine, times in {"dask": 5, "ray": 5}.items():
        executor = executors.make_executor(engine, 2)
        for number in range(times):
            place = folder / f"{engine}{number}"
            killing = Killing(executor, chance.randrange(1, 15), folder / f"{engine}{number}.mark")
            solve_on_disk(MIDDLE, Folder(place), killing)
            assert read_all(place) == whole
        executor.close()
        print(f"a worker of {engine}: {times} times, the same bytes")


def states(solution: DiskSolution, count: int) -> Iterator[Any]:
    """Random positions, most of them in chunks that were not read before."""
    chance, game = random.Random(7), solution.game
    for _ in range(count):
        state = game.start()
        for _ in range(chance.randrange(6, 18)):
            if not (moves := game.moves(state)):
                break
            state = game.play(state, chance.choice(moves))
        yield state


def measure_look_ups(folder: Path) -> None:
    solution: Any = open_solution(LARGE, folder)
    some = list(states(solution, LOOKUPS))
    solution.value(some[0])
    warm = []
    for _ in range(2):  # the second time the files are in memory, the chunks mostly not
        solution._chunks.clear()
        solution._chunks.taken = 0
        warm = [timed(solution, state) for state in some]
    again = [timed(solution, state) for state in some[-200:]]
    cold = []
    for state in some[:200]:
        for path in folder.rglob("*.values"):
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        fresh: Any = DiskSolution(LARGE, solution.folder, solution.manifest)
        fresh.family = solution.family
        cold.append(timed(fresh, state))
    print("\na look-up in 5x4 with lines of 4: microseconds, the middle and the 99th of 100")
    for name, found in {"cold": cold, "warm": warm, "held": again}.items():
        found.sort()
        middle, most = found[len(found) // 2], found[len(found) * 99 // 100]
        print(f"{name}: {1e6 * middle:.0f}, {1e6 * most:.0f}")
    before = resident()
    for state in states(solution, 50_000):
        solution.value(state)
    print(
        f"50,000 look-ups: {(resident() - before) / 2**20:.1f} MiB more, "
        f"the cache holds {solution._chunks.taken / 2**20:.1f} MiB of {solution._chunks.room >> 20}"
    )


def timed(solution: Any, state: Any) -> float:
    began = time.perf_counter()
    solution.value(state)
    return time.perf_counter() - began


def resident() -> int:
    """Memory of this process alone: mapped files belong to the page cache."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(text.partition("RssAnon:")[2].split()[0]) * 1024


def main() -> None:
    if sys.argv[1:] == ["memory"]:
        with tempfile.TemporaryDirectory() as name:
            compare_with_memory(Path(name))
        return
    if sys.argv[1:2] == ["look"]:
        measure_look_ups(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_with_memory(folder)
        compare_with_open_spiel(folder)
        compare_workers(folder)
        large = Path(sys.argv[1]) if sys.argv[1:] else folder / "workers"
        agree_with_open_spiel(parlour.solve(LARGE, disk=large))
        measure_look_ups(large)
        kill_at_random(folder)


if __name__ == "__main__":
    main()
