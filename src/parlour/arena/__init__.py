"""Many games: plans, schedules, executors, results, ratings, reports and leagues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena import botcheck, judging, league, tuning
    from parlour.arena.accuracy import Evaluator
    from parlour.arena.objects import Objects
    from parlour.arena.plan import (
        GTP_PREFIX,
        HOUSE,
        KINDS,
        MODEL,
        OBJECT,
        PYTHON,
        Entry,
        Fixture,
        Limits,
        Plan,
        file_entry,
        game_id,
        is_file,
        make_plan,
        needs_trust,
        number_duplicates,
        read_entry,
    )
    from parlour.arena.playing import TOO_SLOW, load_plan, play_game, play_games, read_plan
    from parlour.arena.ratings import ELO_SCALE, NORMAL_95, Meeting, default_games, rate
    from parlour.arena.report import render_judgement, render_report
    from parlour.arena.results import GameResult, ProcessLost, Results, ResultsLog
    from parlour.arena.runner import Progress, run, standings_of, tournament
    from parlour.arena.sandbox_player import SandboxPlayer, find_untrusted
    from parlour.arena.schedule import all_fixtures, pair_swiss_round, scored_games
    from parlour.arena.standings import (
        Standings,
        clean_line,
        compute_standings,
        format_points,
        format_seconds,
        sort_games,
    )
else:
    __getattr__ = export(__name__)
