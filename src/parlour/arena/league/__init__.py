"""Leagues: a settings file and a folder of bots that are rated again whenever they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.league.league import (
        FILE,
        Changes,
        League,
        Run,
        aligned,
        bots,
        called,
        changes,
        history,
        read,
        remember,
    )
else:
    __getattr__ = export(__name__)
