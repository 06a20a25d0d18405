"""Edax as a peer: the program that the variable EDAX names, run beside ours.

Its own clock is the time of day, so its processor seconds are those the system counts for it, less
what it takes to start and to clear its table. Without the variable there is no comparison.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HASH = 24  # bits: 450 MB with the two small tables
EXACT = ("-level", "60")
ROW = re.compile(r" *\d+\| *(\d+)(?:@ *(\d+)%)? +[<>=]? *([+-]\d+) +[\d:.]+ +(\d+)")
PERFT_ROW = re.compile(r" *(\d+), *(\d+), *\d+, *(\d+), *(\d+), *(\d+), .* (\d+):([\d.]+), ")
TRIVIAL = "OX" * 31 + "-X X"  # a position with one empty square
ROUNDS = 3


@dataclass(frozen=True)
class Found:
    """A line of the table that Edax prints."""

    depth: int
    certainty: int  # in percent
    score: int
    nodes: int


@dataclass(frozen=True)
class Edax:
    """A program that runs as Edax does."""

    program: Path
    overheads: dict[int, float] = field(default_factory=dict)  # by number of positions
    bits: int = HASH  # of its table, which it clears for every position

    def search(self, positions: list[str], *options: str) -> tuple[list[Found], float]:
        """Return what it finds about positions on one thread, and its processor seconds."""
        with tempfile.TemporaryDirectory() as scratch:
            problems = Path(scratch) / "problems.obf"
            problems.write_text("".join(f"{each}\n" for each in positions))
            text, seconds = self._run("-solve", str(problems), "-verbose", "1", *options)
        rows = [row for row in map(ROW.match, text.splitlines()) if row]
        if len(rows) != len(positions):
            sys.exit(f"{self.program} printed {len(rows)} positions, not {len(positions)}.")
        found = [Found(int(row[1]), int(row[2] or 100), int(row[3]), int(row[4])) for row in rows]
        return found, seconds

    def solve(self, positions: list[str]) -> tuple[list[Found], float]:
        """Return exact scores, and the processor seconds that solving alone took."""
        number = len(positions)
        if number not in self.overheads:
            runs = (self.search([TRIVIAL] * number, *EXACT)[1] for _ in range(ROUNDS))
            self.overheads[number] = min(runs)
        found, seconds = self.search(positions, *EXACT)
        return found, max(seconds - self.overheads[number], 0.001)

    def perft(self, depth: int) -> tuple[int, float]:
        """Return the number of leaves, and the processor seconds by its own clock."""
        with subprocess.Popen(
            self._command(),
            cwd=home_of(self.program),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            process.stdin.write(f"perft {depth}\n")
            process.stdin.flush()
            lines = list(iter_until(process.stdout, "Total"))
            process.communicate("quit\n")  # not earlier: it obeys that at once
        rows = {int(row[1]): row for row in map(PERFT_ROW.match, lines) if row}
        if depth not in rows:
            sys.exit(f"{self.program} printed no perft of depth {depth}.")
        ended = sum(int(each) for row in rows.values() for each in row.group(3, 4, 5))
        row = rows[depth]
        return int(row[2]) + ended, 60 * int(row[6]) + float(row[7])

    def _command(self, *arguments: str) -> list[str | Path]:
        return [self.program, *arguments, "-n-tasks", "1", "-hash-table-size", str(self.bits)]

    def _run(self, *arguments: str) -> tuple[str, float]:
        """Return what it prints, and its processor seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            run = subprocess.run(
                self._command(*arguments),
                cwd=home_of(self.program),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
            )
        except (OSError, subprocess.CalledProcessError) as trouble:
            sys.exit(f"EDAX names no program that runs as Edax does: {trouble}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return run.stdout, seconds


def iter_until(lines: Iterable[str], word: str) -> Iterator[str]:
    """Yield lines up to the one that begins with a word."""
    for line in lines:
        yield line
        if line.startswith(word):
            return


def find_edax() -> Edax | None:
    """Return the program that EDAX names, if any."""
    named = os.environ.get("EDAX")
    return Edax(Path(named).resolve()) if named else None


def home_of(program: Path) -> Path:
    """Return the folder in which it finds its weights."""
    weights = Path("data") / "eval.dat"
    return next((each for each in program.parents if (each / weights).exists()), program.parent)
