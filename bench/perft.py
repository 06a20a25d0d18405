"""Perft: every line of play from the start, counted; the last ply without making its moves.

The peer is OpenSpiel's Othello (PyPI `open_spiel`), a Python loop over its C++ states, at a depth
it can reach; ours goes on to depth 12.
"""

from __future__ import annotations

import time

import numpy as np
import pyspiel

import parlour
from parlour.kernels import othello as kernels

LEAVES = {9: 3005288, 10: 24571284, 11: 212258800, 12: 1939886636}
PEER_DEPTH = 7


def ours(depth: int) -> int:
    game = parlour.game("othello")
    own, other, _ = game.start()
    cells = np.zeros(3, np.int64)
    return int(kernels.perft(game.board.full, *game.geometry, own, other, depth, cells))


def theirs(state: pyspiel.State, depth: int) -> int:
    if state.is_terminal():
        return 1
    if depth == 1:
        return len(state.legal_actions())
    return sum(theirs(state.child(action), depth - 1) for action in state.legal_actions())


def rate(call, leaves: int) -> float:
    began = time.process_time()
    assert call() == leaves
    return leaves / (time.process_time() - began) / 1e6


def main() -> None:
    ours(5)
    peer = rate(lambda: theirs(pyspiel.load_game("othello").new_initial_state(), PEER_DEPTH), 55092)
    print(f"{'perft 8x8':>12} {'leaves':>12} {'M leaves/s':>11} {'ratio':>8}")
    print(f"{'peer, 7':>12} {55092:12} {peer:11.3f}")
    for depth, leaves in LEAVES.items():
        mine = rate(lambda depth=depth: ours(depth), leaves)
        print(f"{f'ours, {depth}':>12} {leaves:12} {mine:11.1f} {mine / peer:8.0f}")


if __name__ == "__main__":
    main()
