"""The conversation with Benedict at a terminal, or by a script in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.terminal.chat.conversation import Conversation
    from parlour.faces.terminal.chat.model import Model
else:
    __getattr__ = export(__name__)
