"""Many games: plans, schedules, executors, results, ratings, reports and leagues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena import tuning
    from parlour.arena.accuracy import Evaluator
    from parlour.arena.botcheck import (
        CheckResult,
        FirstMoveCache,
        Flaw,
        bot_file,
        check_bot,
        check_first_moves,
    )
    from parlour.arena.judging import (
        Comparison,
        ComparisonData,
        Judgement,
        JudgementData,
        LearningCurve,
        format_chosen,
        format_reported,
        format_value,
        judge,
        list_judgements,
        tabulate_figures,
    )
    from parlour.arena.league import (
        LEAGUE_FILE,
        Changes,
        League,
        Run,
        align_ratings,
        bot_name,
        find_bots,
        find_changes,
        read_history,
        read_league,
        write_history,
    )
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
        read_entries,
        read_entry,
    )
    from parlour.arena.playing import TOO_SLOW, load_plan, play_game, play_games, read_plan
    from parlour.arena.ratings import ELO_SCALE, NORMAL_95, Meeting, Rating, default_games, rate
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
