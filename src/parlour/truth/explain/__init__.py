"""Why a position is what it is: checkable facts, and the sentences phrased from them.

`explain` looks up the explainer of a game; each game's reasons live in a file of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.explain.explainer import (
        Explanation,
        count_plies,
        describe_value,
        format_score,
        format_source,
        value_move,
    )
    from parlour.truth.explain.explanation import explain
    from parlour.truth.explain.othello import Estimate, outcome_of
else:
    __getattr__ = export(__name__)
