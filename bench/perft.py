"""Perft: every line of play from the start, counted; the last ply without making its moves.

The peer in this run is OpenSpiel's Othello (PyPI `open_spiel`), a Python loop over its C++ states,
at a depth it can reach. Beside it stand the rates of two engines in C and C++, as they were
measured once on the 2-core reference machine.
"""

from __future__ import annotations

import time

import numpy as np
import pyspiel

import parlour
from parlour.kernels.othello import perft

LEAVES = {11: 212258800, 12: 1939886636}
PEERS = {"Egaroucid": {11: 321, 12: 519}, "Edax": {11: 389, 12: 423}}  # million leaves a second
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


def rate(call, leaves: int) -> float:
    """Million leaves a CPU second, the best of several runs."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        assert call() == leaves
        best = max(best, leaves / (time.process_time() - began) / 1e6)
    return best


def main() -> None:
    ours(5)
    start = pyspiel.load_game("othello").new_initial_state()
    peer = rate(lambda: theirs(start, PEER_DEPTH), PEER_LEAVES)
    print(f"{'perft 8x8':>12} {'leaves':>12} {'M leaves/s':>11} {'OpenSpiel':>10}", end="")
    print("".join(f" {name:>10} {'ratio':>6}" for name in PEERS))
    print(f"{f'OpenSpiel, {PEER_DEPTH}':>12} {PEER_LEAVES:12} {peer:11.3f} {1:10}")
    for depth, leaves in LEAVES.items():
        mine = rate(lambda depth=depth: ours(depth), leaves)
        print(f"{f'ours, {depth}':>12} {leaves:12} {mine:11.1f} {mine / peer:10.0f}", end="")
        print("".join(f" {of[depth]:10} {mine / of[depth]:6.2f}" for of in PEERS.values()))


if __name__ == "__main__":
    main()
