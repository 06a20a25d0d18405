"""Fit the evaluation's weights for any board: python -m tools.othello.boards [GAMES]

The search plays itself on boards of several shapes, with some random moves. Positions are solved
near the end and searched a few plies before, and the weight of each feature is fitted to that, for
all shapes together. This is repeated a few times with the weights learned so far; the first round
knows only corners and mobility. The table printed at the end is that of
`parlour.kernels.othello.bitboard`.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import load, lowest, popcount, store
from parlour.kernels.othello.bitboard import (
    EMPTY_SHARES,
    FEATURE_WEIGHTS,
    LOGARITHMS,
    UNIT,
    WEIGHTS,
    board_table,
    empty_squares,
    evaluate_features,
    flips_of,
    moves_of,
    weights,
)
from parlour.kernels.othello.search import EXACT, search_root_on
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory
from parlour.rules.othello import Othello

SHAPES = ((5, 7), (6, 6), (7, 7), (8, 8), (9, 7), (10, 6))
ROUNDS = 3
FIRST_WEIGHTS = {"corner": 10.0, "moves doubled": 4.0}  # in discs
SOLVED, DEPTH = 13, 7  # up to this many empty squares positions are solved, else to this depth
RANDOM = 0.12  # of all moves after the opening
PLIES = 3  # at most, for the others
SAMPLED = 0.4  # of the positions
RIDGE = 30.0
ONE = uint64(1)
LEAST, MOST = int64(-65), int64(65)

Weights = dict[str, tuple[float, ...]]


@njit
def play(own, other, opening, plies, random, board, work, owns, others):
    """Play one game, and record its positions by the number of empty squares."""
    for ply in range(len(random) // 2):
        mask = moves_of(own, other, board)
        if not mask:
            own, other = other, own
            mask = moves_of(own, other, board)
            if not mask:
                return
        empties = popcount(empty_squares(own, other, board))
        owns[empties], others[empties] = own, other
        if ply < opening or random[2 * ply] < RANDOM:
            for _ in range(int64(random[2 * ply + 1] * popcount(mask))):
                mask &= mask - ONE
            square = lowest(mask)
        else:
            store(work, BEST_MOVE, uint64(NO_MOVE))
            search_root_on(own, other, LEAST, MOST, plies, EXACT, board, work)
            square = int64(load(work, BEST_MOVE))
        flipped = flips_of(own, other, square, board)
        own, other = other ^ flipped, own ^ flipped ^ ONE << uint64(square)


@njit
def label(owns, others, board, work, leads):
    """Write the mover's lead in every position, in discs."""
    for index in range(len(owns)):
        own, other = owns[index], others[index]
        empties = popcount(empty_squares(own, other, board))
        depth = empties if empties <= SOLVED else int64(DEPTH)
        store(work, BEST_MOVE, uint64(NO_MOVE))
        leads[index] = search_root_on(own, other, LEAST, MOST, depth, EXACT, board, work)


@njit
def evaluate(owns, others, board, values):
    """Write the evaluation of every position, in discs."""
    for index in range(len(owns)):
        own, other = owns[index], others[index]
        moves = moves_of(own, other, board), moves_of(other, own, board)
        empties = popcount(empty_squares(own, other, board))
        values[index] = evaluate_features(own, other, *moves, empties, board) / UNIT


class Board:
    """A shape, with the games played on it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.squares = columns * rows
        self.start = Othello(columns=columns, rows=rows).start()
        self.table = board_table(columns, rows)
        self.memory = Memory(64)
        self.stop = np.zeros(1, np.uint64)
        self.memory.begin(self.stop)

    def use_weights(self, features: Weights) -> None:
        """Evaluate with these weights from now on."""
        table = weights(self.columns, self.rows, features)
        self.table[WEIGHTS:LOGARITHMS] = table.ravel().view(np.uint64)

    def play_games(self, games: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return a sample of the positions of these games, as the discs of mover and opponent."""
        found = np.zeros((2, games, self.squares + 1), np.uint64)
        for game in range(games):
            opening, plies = rng.integers(1, self.squares // 3), rng.integers(1, PLIES + 1)
            drawn = rng.random(2 * self.squares)
            own, other = (np.uint64(discs) for discs in self.start[:2])
            address = self.table.ctypes.data, self.memory.address
            play(own, other, opening, plies, drawn, *address, found[0, game], found[1, game])
        kept = (found[0] | found[1] != 0) & (rng.random(found.shape[1:]) < SAMPLED)
        kept[:, :3] = False  # such positions are never evaluated
        return found[0][kept], found[1][kept]

    def leads(self, owns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the mover's final leads, exact or by a search."""
        leads = np.zeros(len(owns))
        label(owns, others, self.table.ctypes.data, self.memory.address, leads)
        return leads

    def count_features(self, owns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return each feature: the evaluation with all other weights at zero."""
        counts = np.zeros((len(FEATURE_WEIGHTS), len(owns)))
        for row, name in zip(counts, FEATURE_WEIGHTS, strict=True):
            self.use_weights(constant({name: 1.0}))
            evaluate(owns, others, self.table.ctypes.data, row)
        return counts.T

    def make_samples(
        self, games: int, features: Weights, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return each position's features by phase, and its lead."""
        self.use_weights(features)
        self.memory.forget()
        owns, others = self.play_games(games, rng)
        leads = self.leads(owns, others)
        open_ = np.abs(leads) < self.squares  # nothing is learned from a board all of one colour
        owns, others, leads = owns[open_], others[open_], leads[open_]
        empties = self.squares - np.bitwise_count(owns | others).astype(int)
        phases = np.stack(
            [
                np.interp(empties / self.squares, EMPTY_SHARES, row)
                for row in np.eye(len(EMPTY_SHARES))
            ]
        )
        counts = self.count_features(owns, others)
        return (counts[:, :, None] * phases.T[:, None, :]).reshape(len(leads), -1), leads


def constant(features: dict[str, float]) -> Weights:
    """Return the same weight in every phase, and zero for the other features."""
    return {name: (features.get(name, 0.0),) * len(EMPTY_SHARES) for name in FEATURE_WEIGHTS}


def main(games: str = "2000") -> None:
    """Fit the weights, and print the table."""
    began = time.monotonic()
    features = constant(FIRST_WEIGHTS)
    boards = [Board(*shape) for shape in SHAPES]
    for round_ in range(ROUNDS):
        squares, answers, number = 0.0, 0.0, 0
        for index, board in enumerate(boards):
            rng = np.random.default_rng((round_, index))
            counts, leads = board.make_samples(int(games), features, rng)
            squares, answers = squares + counts.T @ counts, answers + counts.T @ leads
            number += len(leads)
            spent = time.monotonic() - began
            print(f"round {round_ + 1}, {number} positions, {spent:.0f} s", file=sys.stderr)
        fitted = np.linalg.solve(squares + RIDGE * np.eye(len(answers)), answers)
        rows = fitted.reshape(len(FEATURE_WEIGHTS), -1).round(2).tolist()
        features = {name: tuple(row) for name, row in zip(FEATURE_WEIGHTS, rows, strict=True)}
    for name, row in features.items():
        print(f'    "{name}": {row},')


if __name__ == "__main__":
    if len(sys.argv) > 2 or not all(given.isdecimal() for given in sys.argv[1:]):
        sys.exit(__doc__)
    main(*sys.argv[1:])
