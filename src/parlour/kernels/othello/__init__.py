"""Othello on bitboards: move generation, evaluation, and the searches of the engine.

The modules here serve the usual board of 8x8 squares and rely on its shape; `anysize` has the same
parts for any other board of up to 64 squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.kernels.othello import (
        board as board,
        distance as distance,
        flips as flips,
        historic as historic,
        search as search,
        transposition as transposition,
    )
    from parlour.kernels.othello.patterns import weights as weights
    from parlour.kernels.othello.transposition import BEST as BEST, NODES as NODES
else:
    __getattr__ = export(
        __name__,
        {
            "board": "",
            "distance": "",
            "flips": "",
            "historic": "",
            "patterns": "weights",
            "search": "",
            "transposition": "BEST NODES transposition",
        },
    )
