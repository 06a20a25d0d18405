"""Tuning: a bot's numbers improved by playing variants of it against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.tuning.report import render_report as render_report
    from parlour.arena.tuning.search import (
        FEWEST as FEWEST,
        MOST as MOST,
        Task as Task,
        Tuned as Tuned,
        beginning as beginning,
        plan_of as plan_of,
        tune as tune,
    )
    from parlour.arena.tuning.summary import best as best, text as text, to_json as to_json
else:
    __getattr__ = export(
        __name__,
        {
            "report": "render_report",
            "search": "FEWEST MOST Task Tuned beginning plan_of tune",
            "summary": "best text to_json",
        },
    )
