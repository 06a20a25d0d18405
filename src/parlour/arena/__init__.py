"""Many games: plans, pairings, executors, results, ratings and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.entries import (
        SPEAKS_GTP as SPEAKS_GTP,
        distinct as distinct,
        entry as entry,
        is_file as is_file,
        program as program,
        python_file as python_file,
        strangers as strangers,
        words as words,
    )
    from parlour.arena.executors import ENGINES as ENGINES, cores as cores, crew as crew
    from parlour.arena.pairings import round_robin as round_robin
    from parlour.arena.plan import (
        KINDS as KINDS,
        PYTHON as PYTHON,
        Clock as Clock,
        Entry as Entry,
        Fixture as Fixture,
        Plan as Plan,
    )
    from parlour.arena.ratings import Meeting as Meeting, Ratings as Ratings, rate as rate
    from parlour.arena.report import render_report as render_report
    from parlour.arena.results import Ledger as Ledger, Played as Played
    from parlour.arena.runner import (
        Progress as Progress,
        planned as planned,
        run as run,
        tournament as tournament,
    )
    from parlour.arena.schedule import byes as byes, counted as counted
    from parlour.arena.standings import (
        Table as Table,
        halves as halves,
        lasting as lasting,
        ordered as ordered,
        plainly as plainly,
        table as table,
        text as text,
        to_csv as to_csv,
        to_json as to_json,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "entries": "SPEAKS_GTP distinct entry is_file program python_file strangers words",
            "executors": "ENGINES cores crew",
            "pairings": "round_robin",
            "plan": "Clock Entry Fixture KINDS PYTHON Plan",
            "ratings": "Meeting Ratings rate",
            "report": "render_report",
            "results": "Ledger Played",
            "runner": "Progress planned run tournament",
            "schedule": "byes counted",
            "standings": "Table halves lasting ordered plainly table text to_csv to_json",
        },
    )
