"""The weights of the plain judgement of Othello, for a board of any shape.

A judgement adds up what the mover has more of than the other: moves, corners, discs that stay and
the like. What one of each is worth depends on how much of the board is empty.
"""

from __future__ import annotations

import math

import numpy as np

WEIGHTS_ROOM = 16  # weights for each number of empty squares
TEMPO, MOVES, OPEN, CORNER, BESIDE, DIAGONAL, EDGE, STABLE, DISC = range(9)
BENDS = 65
BEND = 256
UNIT = 64  # of a judgement: so many to a disc
GRAIN = 1024  # and so many parts of a weight to a unit


def weights(columns, rows):
    """Rule of thumb."""
    squares = columns * rows
    table = np.zeros((65, WEIGHTS_ROOM), np.int64)
    for empties in range(squares + 1):
        left = empties / squares
        late = 1 - left
        row = {
            TEMPO: 2.0 if empties % 2 else -2.0,
            MOVES: 4.0 / BEND,
            OPEN: -0.7 * left - 0.1,
            CORNER: 5.0,
            BESIDE: -1.5,
            DIAGONAL: -3.5,
            EDGE: 0.4,
            STABLE: 1.2,
            DISC: -0.3 + 0.6 * late**3,
        }
        for place, discs in row.items():
            table[empties, place] = round(discs * UNIT * GRAIN)
    return table


def bends():
    """What so many moves are worth: each more is worth less."""
    return np.array([round(BEND * math.log2(moves + 1)) for moves in range(BENDS)], np.uint64)
