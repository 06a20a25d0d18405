"""Compiled functions on integers and arrays.

Each module is a namespace of kernels for one purpose; importing one loads numba. Nothing here knows
the rest of Parlour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.kernels import geography, graph, hats, nim, othello, tictactoe, tiers
    from parlour.kernels.compiler import list_kernels
    from parlour.kernels.objects import cache_folder
else:
    __getattr__ = export(__name__)
