"""Exact values: closed forms, retrograde analysis, and proof search without repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.barred import BarredSolution as BarredSolution
    from parlour.truth.graph import solve_graph as solve_graph
    from parlour.truth.impartial import grundy as grundy, is_sum_lost as is_sum_lost
    from parlour.truth.nim import (
        NimClosed as NimClosed,
        NimTable as NimTable,
        counted as counted,
        nim_sum as nim_sum,
        positions as positions,
        table as table,
    )
    from parlour.truth.solver import (
        refuse as refuse,
        solve as solve,
        solve_and_keep as solve_and_keep,
        solve_at as solve_at,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "barred": "BarredSolution",
            "graph": "solve_graph",
            "impartial": "grundy is_sum_lost",
            "nim": "NimClosed NimTable counted nim_sum positions table",
            "solver": "refuse solve solve_and_keep solve_at",
        },
    )
