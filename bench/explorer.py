"""The explorer's archive: how long its index takes to make, its size, and how fast it answers.

`python bench/explorer.py FOLDER`, where `FOLDER` holds games of Othello, such as the WTHOR archive.
The index is made anew in a temporary folder. Then positions are drawn at random from its games and
looked up one after the other, with the moves that were played there and how they ended.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from parlour.lessons import Archive, build_archive
from parlour.rules import Othello

NUMBER = 10_000
SEED = 1
GAME = Othello()


def draw_positions(archive: Archive, number: int) -> list[tuple[int, ...]]:
    """Return positions of games of the archive, one of each game, in which somebody moves."""
    chance = random.Random(SEED)
    found: list[tuple[int, ...]] = []
    for line in archive.draw_lines(chance):
        states = [state for state in line[:-1] if GAME.moves(state)]
        if states:
            found.append(chance.choice(states))
        if len(found) == number:
            break
    return found


def time_lookups(archive: Archive, states: list[tuple[int, ...]]) -> list[float]:
    """Return the milliseconds of each look-up, in order; each position was played."""
    taken = []
    for state in states:
        began = time.perf_counter()
        found = archive.find(GAME, state)
        taken.append(1000 * (time.perf_counter() - began))
        assert found
    return sorted(taken)


def read_memory() -> dict[str, int]:
    """Return the memory of this process in MB: its own, and pages of files, which are shared."""
    rows = (line.split() for line in Path("/proc/self/status").read_text("ascii").splitlines())
    held = {row[0].rstrip(":"): int(row[1]) // 1000 for row in rows if row[-1] == "kB"}
    return {name: held[name] for name in ("RssAnon", "RssFile", "VmHWM")}


def main() -> None:
    """Make the index, look positions up, and print a row for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with games of Othello")
    parser.add_argument("--number", type=int, default=NUMBER, help="positions that are looked up")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        began, cpu = time.perf_counter(), time.process_time()
        path = build_archive([given.folder], folder=home)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        archive = Archive(path)
        size = path.stat().st_size
        print(f"index: {archive.games:,} games in {wall:.1f} s ({cpu:.1f} s of CPU)")
        print(f"size: {size / 1e6:.0f} MB, {size / archive.games:.0f} bytes a game")
        print(f"memory while it was made: {read_memory()['VmHWM']} MB at most")
        states = draw_positions(archive, given.number)
        before = read_memory()["RssAnon"]
        taken = time_lookups(archive, states)
        last = taken[int(0.99 * len(taken))]
        print(
            f"look-up of {len(taken):,} positions: median {statistics.median(taken):.2f} ms, "
            f"99th percentile {last:.2f} ms, slowest {taken[-1]:.1f} ms"
        )
        start = time_lookups(archive, [GAME.start()])[0]
        print(f"the first position, which all games share: {start:.1f} ms")
        held = read_memory()
        grown = held["RssAnon"] - before
        print(
            f"memory afterwards: {held['RssAnon']} MB of its own, {grown} MB more than before the "
            f"look-ups; {held['RssFile']} MB of files, which processes share"
        )


if __name__ == "__main__":
    main()
