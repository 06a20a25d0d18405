"""Othello on bitboards: move generation, evaluation, and the searches of the engine.

`board` is for callers in Python and for simple searches; `bitboard` and what builds on it, the
engine's search, know the shape of the 8x8 board and take that of any other from a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.kernels.othello import batch, board, endgame, historic, misere, search
    from parlour.kernels.othello.bitboard import board_table, perft
    from parlour.kernels.othello.evaluation import weights
    from parlour.kernels.othello.transposition import BEST_MOVE, FEW_MOVES, NODES, Memory
else:
    __getattr__ = export(__name__)
