"""From a typed line to what was meant: an intent with its slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.understand.intent import understand as understand
    from parlour.host.understand.meaning import Meaning as Meaning, Scene as Scene
    from parlour.host.understand.wishes import (
        Wish as Wish,
        counts as counts,
        game_named as game_named,
        wish as wish,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "intent": "understand",
            "meaning": "Meaning Scene",
            "wishes": "Wish counts game_named wish",
        },
    )
