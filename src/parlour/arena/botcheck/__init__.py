"""What is wrong with a bot, explained to whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.botcheck.check import LEGS, CheckResult, check_bot
    from parlour.arena.botcheck.first_moves import FirstMoveCache, check_first_moves
    from parlour.arena.botcheck.flaws import Flaw, bot_file
else:
    __getattr__ = export(__name__)
