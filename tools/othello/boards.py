"""What the plain judgement of any board goes by: python -m tools.othello.boards [GAMES]

The search plays games with itself on boards of several shapes, moves by lot among the others. Their
positions are solved near the end and searched some plies ahead before, and what each thing counted
is worth is fitted to that, for all shapes together. This is done a few times over, the search
going by what was learned before; it begins with nothing but corners and moves. What is printed at
the end is the table of `parlour.kernels.othello.anysize.board`.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import load, lowest, popcount, store
from parlour.kernels.othello.anysize.board import (
    EMPTY_SHARES,
    FEATURE_WEIGHTS,
    LOGARITHMS,
    UNIT,
    WEIGHTS,
    board_table,
    empties_on,
    evaluate_on,
    flips_on,
    moves_on,
    weights,
)
from parlour.kernels.othello.anysize.search import search_root
from parlour.kernels.othello.transposition import BEST_MOVE, NO_MOVE, Memory
from parlour.rules.othello import Othello

SHAPES = ((5, 7), (6, 6), (7, 7), (8, 8), (9, 7), (10, 6))
ROUNDS = 3
AT_FIRST = {"corner": 10.0, "moves doubled": 4.0}  # in discs
SOLVED, AHEAD = 13, 7  # up to so many empty squares positions are solved, else searched so far
BY_LOT = 0.12  # of all moves after the opening
PLIES = 3  # at most, that the others look ahead
KEPT = 0.4  # of the positions
RIDGE = 30.0
ONE = uint64(1)
LEAST, MOST = int64(-65), int64(65)

Worth = dict[str, tuple[float, ...]]


@njit
def play(own, other, opening, plies, lots, board, work, owns, others):
    """Play one game, and write down by the number of empty squares what each mover saw."""
    for ply in range(len(lots) // 2):
        mask = moves_on(own, other, board)
        if not mask:
            own, other = other, own
            mask = moves_on(own, other, board)
            if not mask:
                return
        empties = empties_on(own, other, board)
        owns[empties], others[empties] = own, other
        if ply < opening or lots[2 * ply] < BY_LOT:
            for _ in range(int64(lots[2 * ply + 1] * popcount(mask))):
                mask &= mask - ONE
            square = lowest(mask)
        else:
            store(work, BEST_MOVE, uint64(NO_MOVE))
            search_root(own, other, LEAST, MOST, plies, board, work)
            square = int64(load(work, BEST_MOVE))
        turned = flips_on(own, other, square, board)
        own, other = other ^ turned, own ^ turned ^ ONE << uint64(square)


@njit
def label(owns, others, board, work, leads):
    """Write the mover's lead in every position, in discs."""
    for index in range(len(owns)):
        own, other = owns[index], others[index]
        empties = empties_on(own, other, board)
        depth = empties if empties <= SOLVED else int64(AHEAD)
        store(work, BEST_MOVE, uint64(NO_MOVE))
        leads[index] = search_root(own, other, LEAST, MOST, depth, board, work)


@njit
def judge(owns, others, board, values):
    """Write the judgement of every position, in discs."""
    for index in range(len(owns)):
        own, other = owns[index], others[index]
        moves = moves_on(own, other, board), moves_on(other, own, board)
        values[index] = evaluate_on(own, other, *moves, empties_on(own, other, board), board) / UNIT


class Board:
    """A shape, with the games that are played on it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.squares = columns * rows
        self.start = Othello(columns=columns, rows=rows).start()
        self.table = board_table(columns, rows)
        self.memory = Memory(64)
        self.stop = np.zeros(1, np.uint64)
        self.memory.begin(self.stop)

    def go_by(self, worth: Worth) -> None:
        """Judge by these worths from now on."""
        table = weights(self.columns, self.rows, worth)
        self.table[WEIGHTS:LOGARITHMS] = table.ravel().view(np.uint64)

    def played(self, games: int, lots: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Some of the positions of so many games, as the discs of the mover and of the other."""
        found = np.zeros((2, games, self.squares + 1), np.uint64)
        for game in range(games):
            opening, plies = lots.integers(1, self.squares // 3), lots.integers(1, PLIES + 1)
            drawn = lots.random(2 * self.squares)
            own, other = (np.uint64(discs) for discs in self.start[:2])
            address = self.table.ctypes.data, self.memory.address
            play(own, other, opening, plies, drawn, *address, found[0, game], found[1, game])
        kept = (found[0] | found[1] != 0) & (lots.random(found.shape[1:]) < KEPT)
        kept[:, :3] = False  # such positions are never judged
        return found[0][kept], found[1][kept]

    def leads(self, owns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """What the mover leads by in the end, exactly or by a search."""
        leads = np.zeros(len(owns))
        label(owns, others, self.table.ctypes.data, self.memory.address, leads)
        return leads

    def counted(self, owns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """How much there is of each thing: a judgement by which nothing else is worth anything."""
        counts = np.zeros((len(FEATURE_WEIGHTS), len(owns)))
        for row, name in zip(counts, FEATURE_WEIGHTS, strict=True):
            self.go_by(even({name: 1.0}))
            judge(owns, others, self.table.ctypes.data, row)
        return counts.T

    def lessons(
        self, games: int, worth: Worth, lots: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each position what it has of each thing at each stage, and its lead."""
        self.go_by(worth)
        self.memory.forget()
        owns, others = self.played(games, lots)
        leads = self.leads(owns, others)
        open_ = np.abs(leads) < self.squares  # nothing is learned from a board all of one colour
        owns, others, leads = owns[open_], others[open_], leads[open_]
        empties = self.squares - np.bitwise_count(owns | others).astype(int)
        stages = np.stack(
            [
                np.interp(empties / self.squares, EMPTY_SHARES, row)
                for row in np.eye(len(EMPTY_SHARES))
            ]
        )
        counts = self.counted(owns, others)
        return (counts[:, :, None] * stages.T[:, None, :]).reshape(len(leads), -1), leads


def even(worth: dict[str, float]) -> Worth:
    """The same worth at every stage, and nothing for the rest."""
    return {name: (worth.get(name, 0.0),) * len(EMPTY_SHARES) for name in FEATURE_WEIGHTS}


def main(games: str = "2000") -> None:
    """Learn, and print the table."""
    began = time.monotonic()
    worth = even(AT_FIRST)
    boards = [Board(*shape) for shape in SHAPES]
    for round_ in range(ROUNDS):
        squares, answers, number = 0.0, 0.0, 0
        for index, board in enumerate(boards):
            lots = np.random.default_rng((round_, index))
            counts, leads = board.lessons(int(games), worth, lots)
            squares, answers = squares + counts.T @ counts, answers + counts.T @ leads
            number += len(leads)
            spent = time.monotonic() - began
            print(f"round {round_ + 1}, {number} positions, {spent:.0f} s", file=sys.stderr)
        fitted = np.linalg.solve(squares + RIDGE * np.eye(len(answers)), answers)
        rows = fitted.reshape(len(FEATURE_WEIGHTS), -1).round(2).tolist()
        worth = {name: tuple(row) for name, row in zip(FEATURE_WEIGHTS, rows, strict=True)}
    for name, row in worth.items():
        print(f'    "{name}": {row},')


if __name__ == "__main__":
    if len(sys.argv) > 2 or not all(given.isdecimal() for given in sys.argv[1:]):
        sys.exit(__doc__)
    main(*sys.argv[1:])
