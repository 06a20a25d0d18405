"""Many games: plans, pairings, executors, results, ratings and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.entries import (
        SPEAKS_GTP,
        distinct,
        entry,
        is_file,
        program,
        python_file,
        strangers,
        words,
    )
    from parlour.arena.executors import ENGINES, cores, crew
    from parlour.arena.pairings import round_robin
    from parlour.arena.plan import KINDS, PYTHON, Entry, Fixture, Plan
    from parlour.arena.ratings import Meeting, Ratings, rate
    from parlour.arena.report import render_report
    from parlour.arena.results import Ledger, Played
    from parlour.arena.runner import Progress, planned, run, tournament
    from parlour.arena.schedule import byes, counted
    from parlour.arena.standings import (
        Table,
        halves,
        lasting,
        ordered,
        plainly,
        table,
        text,
        to_csv,
        to_json,
    )
else:
    __getattr__ = export(__name__)
