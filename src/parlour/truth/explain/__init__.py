"""Why a position is what it is: checkable facts, and the sentences made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.explain.explanation import explain
    from parlour.truth.explain.facts import Explanation, opening, plies, verdict
    from parlour.truth.explain.othello import Estimate, about, outcome_of, source
    from parlour.truth.explain.solved import after
else:
    __getattr__ = export(__name__)
