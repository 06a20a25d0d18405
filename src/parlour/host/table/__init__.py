"""A game within the conversation: setting it up, playing it, and talking about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.table import knowledge, playing, refusals, set_up, state, who_wins, words
    from parlour.host.table.playing import COMMANDS
    from parlour.host.table.who_wins import PUBLISHED
else:
    __getattr__ = export(__name__)
