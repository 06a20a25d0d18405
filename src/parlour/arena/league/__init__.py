"""Leagues: a settings file and a folder of bots that are rated again whenever they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.league.league import (
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
else:
    __getattr__ = export(__name__)
