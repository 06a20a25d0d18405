"""Why a position is what it is: checkable facts, and the sentences phrased from them.

An `Explainer` explains any game; a game with reasons of its own has an explainer of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.explain.explainer import Explainer, Explanation, fact, value_move
    from parlour.truth.explain.nim import NimExplainer, describe_nim_sum
    from parlour.truth.explain.othello import Estimate, OthelloExplainer, outcome_of, phrase_bounds
    from parlour.truth.explain.sentences import (
        OUTCOME_NAMES,
        Wording,
        count_plies,
        describe_value,
        format_score,
        format_source,
    )
else:
    __getattr__ = export(__name__)
