"""What the plain judgement of Othello counts, and what it is worth on a board of any shape.

What one of each is worth to the mover depends only on how much of the board is empty; on all shapes
tried it came out much the same. The numbers were fitted by least squares to positions of games the
search played against itself on six shapes from 5x7 to 9x7 with chance moves among the others, each
with its value: proven when it was near the end, else that of a search seven plies ahead.
"""

from __future__ import annotations

import numpy as np

LEFT = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85)  # how much of the board is empty
WORTH = {  # in discs
    "last move": (1.21, 0.82, 0.99, 1.46, 1.74, 1.75, 1.86, 1.69, 2.2),
    "moves doubled": (3.51, 4.79, 3.47, 5.64, 6.76, 5.95, 4.58, 3.16, 2.44),
    "open square beside": (0.88, 0.14, -0.54, -0.22, -0.11, -0.1, -0.23, -0.35, -0.25),
    "corner": (0.5, 0.88, 3.55, 6.94, 9.74, 9.72, 9.84, 10.64, 3.4),
    "beside an empty corner": (-0.31, -0.4, 0.02, -0.83, -1.28, -1.63, -2.3, -2.69, -4.31),
    "diagonal to an empty corner": (1.11, 1.38, 0.66, -0.61, -3.29, -4.15, -4.42, -4.2, -9.02),
    "edge": (-0.17, -0.34, 0.69, 0.8, 0.53, 0.53, 0.73, 0.86, 0.35),
    "stable disc": (1.0, 1.35, 1.58, 1.55, 1.49, 1.74, 1.89, 1.76, 2.67),
    "disc": (0.05, -0.09, -0.39, -0.38, -0.37, -0.48, -0.5, -0.41, 0.23),
    "corner to take": (3.25, 4.34, 6.48, 7.22, 6.07, 4.25, 2.62, 2.65, 0.07),
}
LAST, MOVES, OPEN, CORNER, BESIDE, DIAGONAL, EDGE, STABLE, DISC, TAKEN = range(len(WORTH))
WEIGHTS_ROOM = 16  # words, a row of weights
UNIT = 64  # of a judgement: so many to a disc
GRAIN = 1024  # so many parts of a weight make a unit
COUNTS = 65  # of moves
BEND = 256  # what doubling the moves adds to their bent number


def weights(columns, rows):
    """The weights for each number of empty squares."""
    squares = columns * rows
    table = np.zeros((COUNTS, WEIGHTS_ROOM), np.int64)
    empties = np.arange(squares + 1)
    for place, worth in enumerate(WORTH.values()):
        discs = np.interp(empties / squares, LEFT, worth)
        table[: squares + 1, place] = np.rint(discs * UNIT * GRAIN)
    table[::2, LAST] *= -1  # an even number of empty squares gives the last move to the other
    table[:, MOVES] //= BEND
    return table


def bent_moves():
    """A number for each number of moves: the first are worth more than the rest."""
    return np.rint(BEND * np.log2(np.arange(COUNTS) + 1)).astype(np.uint64)
