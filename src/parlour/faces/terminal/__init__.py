"""Playing and talking at a terminal, or in a pipe.

`table` seats people and bots and replays records, `sticks` holds the conversation of the Game of
Sticks, and `chat` the one with Benedict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.terminal import console, table
    from parlour.faces.terminal.chat import Conversation
    from parlour.faces.terminal.model import Model
    from parlour.faces.terminal.sticks import SticksConversation
else:
    __getattr__ = export(__name__)
