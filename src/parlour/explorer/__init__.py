"""What was played in a position: the games of an archive, and those of the house.

An `Archive` is a file in which every position of many Othello games is found at once. `situation`
names a position of any game so that a database can count it. Both give a `Tally` for every move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.explorer.archive import Archive, ArchiveGame, build_archive, list_game_files
    from parlour.explorer.survey import MoveRow, Survey, survey_position
    from parlour.explorer.tally import (
        Choice,
        Tally,
        Trap,
        add_up,
        find_trap,
        list_choices,
        situation,
        tally_choices,
    )
else:
    __getattr__ = export(__name__)
