"""Why a position is what it is: checkable facts, and the sentences made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.explain.explanation import explain as explain
    from parlour.truth.explain.facts import (
        Explanation as Explanation,
        opening as opening,
        plies as plies,
        verdict as verdict,
    )
    from parlour.truth.explain.othello import (
        Estimate as Estimate,
        about as about,
        outcome_of as outcome_of,
        source as source,
    )
    from parlour.truth.explain.solved import after as after
else:
    __getattr__ = export(
        __name__,
        {
            "explanation": "explain",
            "facts": "Explanation opening plies verdict",
            "othello": "Estimate about outcome_of source",
            "solved": "after",
        },
    )
