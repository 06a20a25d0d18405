"""Tuning: a bot's numbers improved by playing variants of it against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.tuning.report import (
        TuningData,
        describe_best,
        format_summary,
        render_report,
        to_dict,
    )
    from parlour.arena.tuning.search import (
        MAX_VARIANTS,
        MIN_VARIANTS,
        Task,
        TuningResult,
        choose_varied,
        first_generation,
        list_tunable,
        plan_generation,
        tune,
    )
else:
    __getattr__ = export(__name__)
