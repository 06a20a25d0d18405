"""Othello on bitboards: move generation, evaluation, and the searches of the engine.

The modules here serve the usual board of 8x8 squares and rely on its shape; `anysize` has the same
parts for any other board of up to 64 squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.kernels.othello import board, board_8x8, distance, historic, search
    from parlour.kernels.othello.evaluation import weights
    from parlour.kernels.othello.transposition import BEST_MOVE, NODES, Memory
else:
    __getattr__ = export(__name__)
