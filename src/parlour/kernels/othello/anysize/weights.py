"""What the plain judgement of Othello counts, and what it is worth on a board of any shape.

What one of each is worth to the mover depends only on how much of the board is empty; on all shapes
tried it came out much the same. `python -m tools.othello.boards` made the numbers.
"""

from __future__ import annotations

import numpy as np

LEFT = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85)  # how much of the board is empty
WORTH = {  # in discs
    "last move": (1.15, 0.8, 0.51, 0.63, 0.36, 0.04, 0.11, -0.25, 0.68),
    "moves doubled": (3.64, 5.26, 5.23, 6.16, 8.08, 7.18, 5.66, 3.49, 1.64),
    "open square beside": (0.88, 0.32, -0.21, -0.36, -0.38, -0.31, -0.25, -0.23, -0.05),
    "corner": (0.39, 1.24, 2.84, 5.54, 9.12, 12.46, 14.42, 16.21, 9.38),
    "beside an empty corner": (-0.66, -0.56, -0.16, -0.09, -0.88, -1.67, -2.34, -2.5, -3.19),
    "diagonal to an empty corner": (1.37, 1.39, 0.14, -1.0, -3.0, -5.45, -8.15, -9.62, -14.52),
    "edge": (-0.22, -0.21, -0.01, 0.58, 0.69, 0.9, 1.17, 1.44, 1.58),
    "stable disc": (1.03, 1.34, 1.58, 1.65, 1.56, 1.39, 1.43, 1.24, 5.69),
    "disc": (0.05, -0.15, -0.29, -0.5, -0.46, -0.51, -0.54, -0.44, -0.02),
    "corner to take": (2.86, 4.31, 5.54, 6.17, 5.91, 4.73, 3.33, 2.48, 0.66),
}
LAST, MOVES, OPEN, CORNER, BESIDE, DIAGONAL, EDGE, STABLE, DISC, TAKEN = range(len(WORTH))
WEIGHTS_ROOM = 16  # words, a row of weights
UNIT = 64  # of a judgement: so many to a disc
GRAIN = 1024  # so many parts of a weight make a unit
COUNTS = 65  # of moves
BEND = 256  # what doubling the moves adds to their bent number


def weights(columns, rows, worth=WORTH):
    """The weights for each number of empty squares."""
    squares = columns * rows
    table = np.zeros((COUNTS, WEIGHTS_ROOM), np.int64)
    empties = np.arange(squares + 1)
    for place, discs in enumerate(worth.values()):
        worths = np.interp(empties / squares, LEFT, discs)
        table[: squares + 1, place] = np.rint(worths * UNIT * GRAIN)
    table[::2, LAST] *= -1  # an even number of empty squares gives the last move to the other
    table[:, MOVES] //= BEND
    return table


def bent_moves():
    """A number for each number of moves: the first are worth more than the rest."""
    return np.rint(BEND * np.log2(np.arange(COUNTS) + 1)).astype(np.uint64)
