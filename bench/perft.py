"""Perft: every line of play from the start, counted; the last ply without making its moves.

One peer is OpenSpiel's Othello (PyPI `open_spiel`), a Python loop over its C++ states, at a depth
it can reach. Where the variable EDAX names the program of an Edax, its `perft` counts the same
leaves in the same run, in turns with ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pyspiel
from othello.edax import find_edax
from othello.machine import processor

import parlour
from parlour.kernels.othello import perft

LEAVES = {11: 212258800, 12: 1939886636}
PEER_DEPTH, PEER_LEAVES = 7, 55092
ROUNDS = 3


def ours(depth: int) -> int:
    own, other, _ = parlour.game("othello").start()
    stop = np.zeros(1, np.int64)
    return int(perft(own, other, depth, 0, stop.ctypes.data))


def theirs(state: pyspiel.State, depth: int) -> int:
    if state.is_terminal():
        return 1
    if depth == 1:
        return len(state.legal_actions())
    return sum(theirs(state.child(action), depth - 1) for action in state.legal_actions())


def count_timed(call: Callable[[], int]) -> tuple[int, float]:
    """Return what a call returns, and its processor seconds."""
    began = time.process_time()
    return call(), time.process_time() - began


def rates(leaves: int, *calls: Callable[[], tuple[int, float]]) -> list[float]:
    """Return million leaves a processor second of each call, the best of several runs in turns."""
    best = [0.0] * len(calls)
    for _ in range(ROUNDS):
        for place, call in enumerate(calls):
            counted, seconds = call()
            assert counted == leaves
            best[place] = max(best[place], leaves / seconds / 1e6)
    return best


def main() -> None:
    ours(5)
    edax = find_edax()
    start = pyspiel.load_game("othello").new_initial_state()
    [peer] = rates(PEER_LEAVES, lambda: count_timed(lambda: theirs(start, PEER_DEPTH)))
    print(processor())
    print(f"{'perft 8x8':>12} {'leaves':>12} {'M leaves/s':>11} {'OpenSpiel':>10}", end="")
    print(f" {'Edax M/s':>10} {'ratio':>6}" if edax else "")
    print(f"{f'OpenSpiel, {PEER_DEPTH}':>12} {PEER_LEAVES:12} {peer:11.3f} {1:10}")
    for depth, leaves in LEAVES.items():
        calls = [lambda depth=depth: count_timed(lambda: ours(depth))]
        if edax:
            calls.append(lambda depth=depth: edax.perft(depth))
        mine, *edaxes = rates(leaves, *calls)
        print(f"{f'ours, {depth}':>12} {leaves:12} {mine:11.1f} {mine / peer:10.0f}", end="")
        print("".join(f" {each:10.1f} {mine / each:6.2f}" for each in edaxes), flush=True)


if __name__ == "__main__":
    main()
