"""A game within the conversation: setting it up, playing it, and talking about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.table import (
        knowledge as knowledge,
        playing as playing,
        refusals as refusals,
        rulebook as rulebook,
        set_up as set_up,
        state as state,
        who_wins as who_wins,
    )
    from parlour.host.table.playing import COMMANDS as COMMANDS
    from parlour.host.table.rulebook import (
        how_to_move as how_to_move,
        rules as rules,
        title as title,
    )
    from parlour.host.table.state import is_quick as is_quick
    from parlour.host.table.who_wins import PUBLISHED as PUBLISHED
else:
    __getattr__ = export(
        __name__,
        {
            "knowledge": "",
            "playing": "COMMANDS playing",
            "refusals": "",
            "rulebook": "how_to_move rules title rulebook",
            "set_up": "",
            "state": "is_quick state",
            "who_wins": "PUBLISHED who_wins",
        },
    )
