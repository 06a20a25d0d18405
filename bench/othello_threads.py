"""How much faster two threads are than one, by the clock on the wall, in the middle and at the end.

In the middle of ten games the engine looks 20 plies ahead; of FFO it solves 45, 48 and 49. One
thread and two take turns, and the best of several rounds counts. Both processors must be free: the
load of the machine is printed first.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from statistics import median

from othello.engine import make_engine
from othello.machine import processor
from othello.positions import GAMES, add_folder, read_set, state_after, why_missing

from parlour.engine import Analysis, OthelloEngine

MEGABYTES = 512
PLIES = 20
MIDDLE = GAMES[:7]  # with more than 30 empty squares, so that 20 plies are not the end
FFO = ("45", "48", "49")
ROUNDS = 5


def measure(
    engines: list[OthelloEngine], search: Callable[[OthelloEngine], Analysis], rounds: int
) -> list[float]:
    """Return the seconds of each engine, the best of several rounds."""
    best = [float("inf")] * len(engines)
    for _ in range(rounds):
        for place, engine in enumerate(engines):
            began = time.perf_counter()
            search(engine)
            best[place] = min(best[place], time.perf_counter() - began)
    return best


def show(name: str, seconds: list[float]) -> float:
    """Print a row and return how many times as fast the second is."""
    ratio = seconds[0] / seconds[1]
    print(f"{name:>10} {seconds[0]:9.3f} {seconds[1]:9.3f} {ratio:6.2f}", flush=True)
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    given = parser.parse_args()
    engines = [make_engine(MEGABYTES, threads) for threads in (1, 2)]
    game = engines[0].game
    print(f"{processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"{'empties':>10} {'1 thread':>9} {'2 threads':>9} {'ratio':>6}")
    ratios = []
    for line in MIDDLE:
        state = state_after(game, line)
        empties = 64 - (state[0] | state[1]).bit_count()
        best = measure(engines, lambda engine, s=state: engine.analyse(s, plies=PLIES), ROUNDS)
        ratios.append(show(f"{empties}", best))
    print(f"{'median':>10} {'':19} {median(ratios):6.2f}")
    if why := why_missing(given.folder, "ffo-40-49"):
        print(f"FFO is not measured: {why}.")
        return
    for problem in read_set(given.folder, "ffo-40-49"):
        if problem.name in FFO:
            best = measure(engines, lambda engine, s=problem.state: engine.solve(s), 2)
            show(f"FFO {problem.name}", best)


if __name__ == "__main__":
    main()
