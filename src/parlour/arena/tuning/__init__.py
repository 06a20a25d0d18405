"""Tuning: a bot's numbers improved by playing variants of it against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.tuning.report import render_report
    from parlour.arena.tuning.search import FEWEST, MOST, Task, Tuned, beginning, plan_of, tune
    from parlour.arena.tuning.summary import best, text, to_json
else:
    __getattr__ = export(__name__)
