"""A plain judgement of an Othello position on any board.

It knows no board by heart. It counts what matters on every shape: moves, open squares beside the
discs, corners, squares next to empty corners, edges, discs that stay. What each is worth depends on
how much of the board is empty.
"""

from __future__ import annotations

from numba import int64, njit

from parlour.kernels.intrinsics import load, popcount
from parlour.kernels.othello.anysize.board import (
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
from parlour.kernels.othello.anysize.weights import (
    BESIDE,
    CORNER,
    DIAGONAL,
    DISC,
    EDGE,
    GRAIN,
    LAST,
    MOVES,
    OPEN,
    STABLE,
    TAKEN,
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
    corners = load(board, CORNERS)
    edges = load(board, EDGES) & ~corners
    beside = beside_empty(empty, board)
    diagonal = diagonal_to_empty(empty, board)
    bent = int64(load(board, BENT + popcount(own_moves)))
    bent -= int64(load(board, BENT + popcount(other_moves)))
    stable = popcount(stable_on(own, other, board)) - popcount(stable_on(other, own, board))
    row = WEIGHTS + empties * ROOM
    total = times(int64(1), LAST, row, board)
    total += times(bent, MOVES, row, board)
    total += times(lead_in(around(own, board), around(other, board), empty), OPEN, row, board)
    total += times(lead_in(own, other, corners), CORNER, row, board)
    total += times(lead_in(own, other, beside), BESIDE, row, board)
    total += times(lead_in(own, other, diagonal), DIAGONAL, row, board)
    total += times(lead_in(own, other, edges & ~beside), EDGE, row, board)
    total += times(stable, STABLE, row, board)
    total += times(popcount(own) - popcount(other), DISC, row, board)
    total += times(lead_in(own_moves, other_moves, corners), TAKEN, row, board)
    most = int64(load(board, SQUARES)) * DISC_UNITS
    return min(max(total // PARTS, -most), most) | int64(1)  # so never half a disc
