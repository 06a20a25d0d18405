"""Many games: plans, pairings, executors, results, ratings and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.entries import (
        GTP_PREFIX,
        number_duplicates,
        program_entry,
        python_entry,
        read_entry,
        split_command,
    )
    from parlour.arena.executors import ENGINES, count_cores, make_executor
    from parlour.arena.plan import KINDS, PYTHON, Entry, Fixture, Plan, is_file
    from parlour.arena.ratings import Meeting, Ratings, rate
    from parlour.arena.report import render_report
    from parlour.arena.results import GameResult, ResultsLog
    from parlour.arena.runner import Progress, find_untrusted, make_plan, run, tournament
    from parlour.arena.schedule import bye_points, round_robin, scored_games
    from parlour.arena.standings import (
        Standings,
        clean_line,
        compute_standings,
        format_points,
        format_seconds,
        format_standings,
        sort_games,
        to_csv,
        to_json,
    )
else:
    __getattr__ = export(__name__)
