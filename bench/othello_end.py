"""The endgame, solved exactly: the FFO positions 1 to 49, one thread, CPU seconds and nodes.

`python bench/othello_end.py FOLDER` reads fforum-1-19.obf and so on from the folder, as does the
variable PARLOUR_FFO. For 40 to 49 the peers are three engines in C as they were measured once on
the 2-core reference machine; where the variable EDAX names the program of an Edax, it solves the
same positions in the same run, by its own clock.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import parlour
from parlour.engine import OthelloEngine

MEGABYTES = 1000  # for the transposition table, rounded down to a power of two of entries
SETS = {"1-19": range(1, 20), "20-39": range(20, 40), "40-59": range(40, 50)}
EDAX_AVX = dict(
    enumerate((0.29, 0.48, 0.51, 1.93, 0.43, 5.85, 1.30, 0.50, 3.82, 7.34), start=40)
)  # seconds
PEERS = {"Edax-AVX": 22.4, "Edax 4.6": 27.3, "Zebra": 61.0}  # seconds for 40 to 49
EDAX_HASH = 24  # bits: 400 MB
EDAX_ROW = re.compile(r" *\d+\| *(\d+)(?:@ *(\d+)%)? +[<>=]? *([+-]\d+) +([\d:.]+) +(\d+)")


@dataclass(frozen=True)
class EdaxFound:
    """A line of the table that Edax prints."""

    depth: int
    certainty: int  # in percent
    score: int
    seconds: float
    nodes: int


def edax(positions: list[str], *options: str) -> list[EdaxFound]:
    """Return what the program that EDAX names finds, on one thread; nothing without one."""
    if not os.environ.get("EDAX"):
        return []
    program = Path(os.environ["EDAX"]).resolve()
    homes = [folder for folder in program.parents if (folder / "data" / "eval.dat").exists()]
    with tempfile.TemporaryDirectory() as scratch:
        problems = Path(scratch) / "problems.obf"
        problems.write_text("".join(f"{each}\n" for each in positions))
        command = [program, "-solve", problems, "-n-tasks", "1", "-verbose", "1", *options]
        command += ["-hash-table-size", str(EDAX_HASH)]
        home = (homes or program.parents)[0]
        try:
            run = subprocess.run(command, cwd=home, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as trouble:
            sys.exit(f"EDAX names no program that runs as Edax does: {trouble}")
    rows = [row for row in map(EDAX_ROW.match, run.stdout.splitlines()) if row]
    if len(rows) != len(positions):
        sys.exit(f"{program} printed {len(rows)} positions, not {len(positions)}, as Edax would.")
    return [
        EdaxFound(int(row[1]), int(row[2] or 100), int(row[3]), in_seconds(row[4]), int(row[5]))
        for row in rows
    ]


def in_seconds(clock: str) -> float:
    """`1:02.345` is 62.345"""
    seconds = 0.0
    for part in clock.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def make_engine(megabytes: int) -> OthelloEngine:
    """Return an engine with everything loaded, and every page of its table touched."""
    engine = OthelloEngine(parlour.game("othello"), megabytes=megabytes)
    for table in (engine._searcher.memory.table, engine._searcher.memory.end_table):
        table.fill(0)
    engine.analyse(engine.game.start(), plies=8)
    return engine


def positions_of(folder: Path, name: str) -> list[str]:
    """Return the lines of a set that are solved here."""
    lines = (folder / f"fforum-{name}.obf").read_text().splitlines()
    return [line for line in lines if line.strip()][: len(SETS[name])]


def solve_set(engine: OthelloEngine, folder: Path, name: str) -> bool:
    """Solve all of a set and print the times; return whether every score is right."""
    lines = positions_of(folder, name)
    theirs = edax([line.partition(";")[0] for line in lines], "-level", "60")
    spent = nodes = wrong = 0.0
    for place, (number, line) in enumerate(zip(SETS[name], lines, strict=True)):
        state = engine.game.read(line)
        began = time.process_time()
        found = engine.solve(state)
        seconds = time.process_time() - began
        spent, nodes = spent + seconds, nodes + found.nodes
        right = max(map(int, re.findall(r":([+-]?\d+)", line)))
        wrong += found.score != right
        note = "" if found.score == right else f" WRONG: it is {right:+d}"
        print(f"{number:>6} {found.depth:7} {found.score:+5.0f} {seconds:8.2f}", end="")
        print(f" {found.nodes / 1e6:8.1f} {found.nodes / seconds / 1e6:5.1f}", end="")
        measured = EDAX_AVX.get(number)
        print(f" {measured:8.2f} {measured / seconds:5.2f}" if measured else " " * 15, end="")
        if theirs:
            edax_found = theirs[place]
            print(f" {edax_found.seconds:8.2f} {edax_found.seconds / seconds:5.2f}", end="")
            note += "" if edax_found.score == right else f" EDAX IS WRONG: {edax_found.score:+d}"
        print(note, flush=True)
    print(f"{'in all':>6} {'':13} {spent:8.2f} {nodes / 1e6:8.1f} {nodes / spent / 1e6:5.1f}")
    peers = dict(PEERS) if name == "40-59" else {}
    if theirs:
        peers["EDAX"] = sum(found.seconds for found in theirs)
    for peer, seconds in peers.items():
        print(f"{peer:>20} {seconds:8.2f}, so ours is {seconds / spent:.2f} times as fast")
    return not wrong


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PARLOUR_FFO", ""))
    if not all((folder / f"fforum-{each}.obf").is_file() for each in SETS):
        print("Not measured: give the folder that holds fforum-1-19.obf, fforum-20-39.obf and")
        print("fforum-40-59.obf as the argument or in the variable PARLOUR_FFO.")
        return
    engine = make_engine(MEGABYTES)
    print(f"{'FFO':>6} {'empties':>7} {'score':>5} {'CPU s':>8} {'M nodes':>8} {'M/s':>5}", end="")
    print(f" {'Edax-AVX':>8} {'ratio':>5}", f"{'EDAX':>8} {'ratio':>5}" * ("EDAX" in os.environ))
    right = [solve_set(engine, folder, name) for name in SETS]
    if not all(right):
        sys.exit("Not every score is right.")


if __name__ == "__main__":
    main()
