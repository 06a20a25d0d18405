"""Tuning: a bot's numbers improved by playing variants of it against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.tuning.report import render_report
    from parlour.arena.tuning.search import (
        MAX_VARIANTS,
        MIN_VARIANTS,
        Task,
        TuningResult,
        first_generation,
        plan_generation,
        tune,
    )
    from parlour.arena.tuning.summary import describe_best, format_summary, to_json
else:
    __getattr__ = export(__name__)
