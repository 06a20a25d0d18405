"""A plain judgement of an Othello position on any board.

It knows no board by heart. It counts what matters on every shape: moves, open squares beside the
discs, corners, squares next to empty corners, edges, discs that stay. What each is worth depends on
how much of the board is empty.
"""

from __future__ import annotations

from numba import int64, njit

from parlour.kernels.machine import load, popcount
from parlour.kernels.othello_any_board import (
    BENT,
    CORNERS,
    EDGES,
    FULL,
    SQUARES,
    WEIGHTS,
    around,
    beside_empty,
    diagonal_to_empty,
    stable_on,
)
from parlour.kernels.othello_any_weights import (
    BESIDE,
    CORNER,
    DIAGONAL,
    DISC,
    EDGE,
    GRAIN,
    MOVES,
    OPEN,
    STABLE,
    TEMPO,
    UNIT,
    WEIGHTS_ROOM,
)

ROOM = int64(WEIGHTS_ROOM)
PARTS = int64(GRAIN)
DISC_UNITS = int64(UNIT)
inlined = njit(forceinline=True)


@inlined
def times(lead, weight, row, board):
    """What a lead in one thing is worth."""
    return lead * int64(load(board, row + int64(weight)))


@inlined
def lead_in(own, other, squares):
    """How many more discs the first has on these squares."""
    return popcount(own & squares) - popcount(other & squares)


@njit
def judged(own, other, own_moves, other_moves, empties, board):
    """What the mover's lead may be in the end, in units; somebody must have a move."""
    empty = load(board, FULL) & ~(own | other)
    row = WEIGHTS + empties * ROOM
    beside = beside_empty(empty, board)
    total = times(int64(1), TEMPO, row, board)
    bent = int64(load(board, BENT + popcount(own_moves)))
    bent -= int64(load(board, BENT + popcount(other_moves)))
    total += times(bent, MOVES, row, board)
    total += times(lead_in(around(own, board), around(other, board), empty), OPEN, row, board)
    total += times(lead_in(own, other, load(board, CORNERS)), CORNER, row, board)
    total += times(lead_in(own, other, beside), BESIDE, row, board)
    total += times(lead_in(own, other, diagonal_to_empty(empty, board)), DIAGONAL, row, board)
    total += times(lead_in(own, other, load(board, EDGES) & ~beside), EDGE, row, board)
    stable = popcount(stable_on(own, other, board)) - popcount(stable_on(other, own, board))
    total += times(stable, STABLE, row, board)
    total += times(popcount(own) - popcount(other), DISC, row, board)
    most = int64(load(board, SQUARES)) * DISC_UNITS
    return min(max(total // PARTS, -most), most)
