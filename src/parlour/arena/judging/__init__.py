"""Judge an agent against the truth: how often it chooses rightly, and what its choices cost.

`judge` asks any agent in the situations of a game and returns a `Judgement`, or for checkpoints of
one training a `LearningCurve`; two judgements are compared by a test of significance.

An agent may report figures of its own, such as what it cost. If it has a method `report()`, that is
called once after its last answer, and returns a mapping from labels in words to figures: each a
number, a text, True, False or None, or a mapping of the same kind, which is shown as a table of its
own. `{"tokens": {"in": 18230, "out": 512}, "cost": "$0.04"}` is one. It stands under `report` in
`Judgement.to_dict()`, is the attribute `extra`, and has a section in the page.

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
