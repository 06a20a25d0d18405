"""Exact values: closed forms, retrograde analysis, and proof search without repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.barred import BarredSolution
    from parlour.truth.graph import solve_graph
    from parlour.truth.impartial import grundy, is_sum_lost
    from parlour.truth.nim import NimClosed, NimTable, counted, nim_sum, positions, table
    from parlour.truth.solver import refuse, solve, solve_and_keep, solve_at
else:
    __getattr__ = export(__name__)
