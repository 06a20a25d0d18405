"""Othello search for boards of any shape with at most 64 squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.kernels.othello.anysize import board, search
    from parlour.kernels.othello.anysize.board import board_table
else:
    __getattr__ = export(__name__)
