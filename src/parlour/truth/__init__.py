"""Exact values: closed forms, retrograde analysis, and proof search without repetition.

`solve` finds the method for a game, `is_solved_soon` says whether that takes only a moment, and
`solve_at` covers a single position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.geography import BarredSolution
    from parlour.truth.graph import CompiledMethod, Method
    from parlour.truth.impartial import (
        NimTable,
        build_table,
        count_positions,
        grundy,
        is_sum_lost,
        nim_sum,
        reduce_piles,
    )
    from parlour.truth.opening import describe_proof, is_drawn, keeping_moves
    from parlour.truth.sampling import draw_states
    from parlour.truth.solver import (
        check_solvable,
        default_folder,
        find_method,
        find_stored,
        is_solved_soon,
        solve,
        solve_at,
        solve_once,
        solve_position,
        solve_soon,
    )
else:
    __getattr__ = export(__name__)
