"""Leagues: a settings file and a folder of bots that are rated again whenever they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.league.league import (
        FILE as FILE,
        Changes as Changes,
        League as League,
        Run as Run,
        aligned as aligned,
        bots as bots,
        called as called,
        changes as changes,
        history as history,
        read as read,
        remember as remember,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "league": "Changes FILE League Run aligned bots called changes history read remember",
        },
    )
