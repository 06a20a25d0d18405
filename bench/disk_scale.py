"""What larger boards would cost: the real scheduler over simulated workers, in simulated time.

The seconds and bytes of a number are those measured on 5x4 with lines of 4, see `bench/disk.py`.
Blocks take up to a fifth more or less, by lot, and each has to read what its rows lead to.
"""

from __future__ import annotations

import heapq
import random
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import parlour
from parlour.core import Work, executors
from parlour.truth.disk import dispatch, numbering
from parlour.truth.disk.tasks import BLOCK, Task

SECONDS = 1.05e-7  # of a processor for a number: 17 to 19 s for 187 million
BYTES = 0.156  # on disk for a number: 29.2 MB
READING = 0.25  # seconds for a block to read and unpack its part of the next tier, if that is large
LARGE_TIER = 512 * 2**20  # numbers in a tier that no worker holds whole
START = 0.02  # seconds to hand a task to a worker and take its answer

numbering.MAX_BOARD = 30  # they are only counted here


class Simulated(executors.Executor):
    """Workers that take simulated time."""

    def __init__(self, workers: int, seed: int = 0) -> None:
        self.free = [0.0] * workers
        self.now, self.busy = 0.0, 0.0
        self.running: list[tuple[float, int, Future[Any]]] = []
        self.chance = random.Random(seed)
        self.count = 0

    @property
    def workers(self) -> int:
        return len(self.free)

    def submit(self, call: Any, *arguments: Any, label: str = "") -> Future[Any]:
        seconds = (arguments[0] * self.chance.uniform(0.8, 1.2)) + START
        begins = max(self.now, heapq.heappop(self.free))
        heapq.heappush(self.free, begins + seconds)
        self.busy += seconds
        future: Future[Any] = Future()
        self.count += 1
        heapq.heappush(self.running, (begins + seconds, self.count, future))
        return future

    def wait(self, futures: Any, **how: Any) -> Any:
        """Let time pass until the next task is done."""
        self.now, _, future = heapq.heappop(self.running)
        future.set_result({})
        return SimpleNamespace(done={future})


def simulate(sizes: list[int], workers: int) -> tuple[float, float, int]:
    """Return seconds from begin to end, seconds of all workers, and blocks."""
    executor = Simulated(workers)
    blocks = 0
    for at in range(len(sizes) - 1, -1, -1):
        later = sizes[at + 1] if at + 1 < len(sizes) else 0
        tasks = []
        for block in range(-(-sizes[at] // BLOCK)):
            tasks.append(Task("values", at, block))
        blocks += len(tasks)

        def submit(task: Task, size: int = sizes[at], later: int = later) -> Future[Any]:
            numbers = min(BLOCK, size - task.block * BLOCK)
            reading = READING if later > LARGE_TIER else 0.0
            return executor.submit(None, numbers * SECONDS + reading)

        done = sum(
            1
            for _ in dispatch(
                tasks, submit, executor, Work(), lambda name: None, wait=executor.wait
            )
        )
        assert done == len(tasks)
    return executor.now, executor.busy, blocks


def main() -> None:
    print(
        "board, numbers, bytes, blocks; then for 1, 16 and 256 workers: time, and share of it used"
    )
    for columns, rows, line in ((5, 4, 4), (5, 5, 4), (5, 5, 5), (6, 5, 4)):
        game = parlour.game("tictactoe", columns=columns, rows=rows, line=line)
        sizes = list(numbering.Boards(game).sizes.values())
        total = sum(sizes)
        shrink = max(1, total // (BLOCK * 20_000))  # for 6x5 a part stands for the whole
        found = []
        for workers in (1, 16, 256):
            seconds, busy, blocks = simulate([-(-size // shrink) for size in sizes], workers)
            used = busy / seconds / workers
            found.append(f"{seconds * shrink / 3600:,.2f} h ({100 * used:.0f} %)")
        print(
            f"{columns}x{rows} lines of {line}: {total:,}, {total * BYTES / 1e9:,.2f} GB, "
            f"{-(-total // BLOCK):,} blocks ({blocks:,} simulated): {', '.join(found)}"
        )
    even = [10_000 * BLOCK // 20] * 20
    for workers in (1, 16, 256):
        seconds, busy, blocks = simulate(even, workers)
        print(f"{blocks:,} blocks in 20 tiers, {workers} workers: {busy / seconds:.1f} times one")


if __name__ == "__main__":
    main()
