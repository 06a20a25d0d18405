"""Playing and talking at a terminal, or in a pipe.

`table` seats people and bots and replays records, `sticks` holds the conversation of the Game of
Sticks, `chat` the one with Benedict, `puzzles` asks puzzles, and `explorer` goes through games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.terminal import table
    from parlour.faces.terminal.chat import Conversation
    from parlour.faces.terminal.console import format_score, list_moves, mark
    from parlour.faces.terminal.explorer import explore
    from parlour.faces.terminal.model import Model
    from parlour.faces.terminal.puzzles import solve_puzzles
    from parlour.faces.terminal.sticks import SticksConversation
else:
    __getattr__ = export(__name__)
