"""The sandbox for untrusted bots: a process of its own, isolated by namespaces and limits.

`launcher` starts a bot from outside, `namespaces` builds and watches the sandbox around it, and
`referee_side` plays a game with it. The bot's own process runs `bot_side`, or any program.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    if sys.platform != "win32":
        from parlour.arena.sandbox import launcher
        from parlour.arena.sandbox.referee_side import start_bot
else:
    __getattr__ = export(__name__)
