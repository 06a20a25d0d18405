"""Judge an agent against the truth: how often it chooses rightly, and what its choices cost.

`judge` asks any agent in the situations of a game and returns a `Judgement`, or for checkpoints of
one training a `LearningCurve`; two judgements are compared by a test of significance.

What an agent raises says what went wrong: `IllegalMove` is an illegal choice, `TimeoutError` or
`OutOfTime` a late one, `Resigns` a game given up, and anything else a crash. All of them count as a
wrong choice, as costly as a loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.judging import results
    from parlour.arena.judging.results import Comparison, Judgement, LearningCurve
    from parlour.arena.judging.runner import judge
else:
    __getattr__ = export(__name__)
