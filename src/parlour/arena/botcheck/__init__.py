"""Checks of a bot that explain to its author what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.botcheck.check import (
        LEGS,
        CheckResult,
        FirstMoveCache,
        check_bot,
        check_first_moves,
    )
    from parlour.arena.botcheck.flaws import Flaw, bot_file
else:
    __getattr__ = export(__name__)
