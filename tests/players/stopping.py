"""A bot that is stopped while it thinks, from another thread, as a clock or a person does it."""

from __future__ import annotations

import threading
from typing import Any


def choose_and_stop(bot: Any, game: Any, state: Any) -> Any:
    """Return the choice of a bot that would think for hours if it were not stopped."""
    chosen: list[Any] = []
    thread = threading.Thread(target=lambda: chosen.append(bot.choose(game, state)), daemon=True)
    thread.start()
    for _ in range(1200):  # a minute, to end a hang
        thread.join(0.05)
        if not thread.is_alive():
            break
        bot.stop()  # before it has begun there is nothing to stop
    return chosen[0]
