"""What a solution on disk takes of a web server's memory: `python bench/disk_server.py FOLDER`.

The workers of a server look up random positions of tic-tac-toe 5x4 with lines of 4, solved in
FOLDER, as if they were asked by people. Counted is the memory that the processes have of their own,
before the first position and after the last: mapped files belong to the page cache, which the
system takes back when it needs the room.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import parlour
from parlour.core import values
from parlour.faces.web.workers import WorkerPool
from parlour.truth import default_folder
from parlour.truth.disk import solution

GAME = parlour.game("tictactoe", columns=5, rows=4, line=4)
POSITIONS = 10_000
WARM_UP = 100
AT_ONCE = 8


def positions(count: int) -> Iterator[str]:
    """Random positions with 6 to 17 marks."""
    chance = random.Random(11)
    while count:
        state = GAME.start()
        for _ in range(chance.randrange(6, 18)):
            if not (moves := GAME.moves(state)):
                break
            state = GAME.play(state, chance.choice(moves))
        if GAME.moves(state):
            count -= 1
            yield GAME.write(state)


def measure_memory() -> dict[int, tuple[float, float]]:
    """MiB of this process and of all below it: of its own, and with its share of mapped files."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (path / "stat").read_text(encoding="utf-8")
            parents[int(path.name)] = int(text.rpartition(")")[2].split()[1])
    found = {}
    for process in parents:
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
            sizes = {line.split(":")[0]: line.split() for line in text.splitlines()[1:]}
            found[process] = int(sizes["Pss_Anon"][1]) / 1024, int(sizes["Pss"][1]) / 1024
    return found


async def look_up(pool: WorkerPool, texts: list[str]) -> int:
    """Have the workers say what positions are worth; return how many came from the solution."""
    ahead, found = iter(texts), [0]

    async def ask() -> None:
        for text in ahead:
            payload = {"game": "tictactoe", "options": values(GAME), "position": text}
            told: Any = await pool.run("solve", payload, 60.0, patient=True)
            found[0] += told["method"] == "tiers on disk"

    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    return found[0]


async def measure() -> None:
    pool = WorkerPool("parlour.faces.web.tasks")
    await pool.start()
    texts = list(positions(WARM_UP + POSITIONS))
    await look_up(pool, texts[:WARM_UP])
    before = measure_memory()
    found = await look_up(pool, texts[WARM_UP:])
    after = measure_memory()
    await pool.close()
    room = solution.MAX_CACHED / 2**20
    print(f"{found:,} of {POSITIONS:,} look-ups were answered from the solution")
    for process in sorted(before.keys() & after.keys()):
        own, whole = (
            one - other for one, other in zip(after[process], before[process], strict=True)
        )
        print(f"process {process}: {own:+.1f} MiB of its own, {whole:+.1f} with mapped files")
    print(f"each may hold {room:.0f} MiB of a solution")


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    parlour.solve(GAME, disk=folder)
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_DATA_HOME"] = name
        place = default_folder(GAME)
        place.parent.mkdir(parents=True)
        place.symlink_to(folder)
        asyncio.run(measure())


if __name__ == "__main__":
    main()
