"""What is wrong with a bot, explained to whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.botcheck.check import (
        LEGS as LEGS,
        Checked as Checked,
        check_bot as check_bot,
    )
    from parlour.arena.botcheck.first_moves import (
        Memory as Memory,
        check_first_moves as check_first_moves,
    )
    from parlour.arena.botcheck.flaws import Flaw as Flaw, file_of as file_of
else:
    __getattr__ = export(
        __name__,
        {
            "check": "Checked LEGS check_bot",
            "first_moves": "Memory check_first_moves",
            "flaws": "Flaw file_of",
        },
    )
