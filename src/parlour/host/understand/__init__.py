"""From a typed line to what was meant: an intent with its slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.understand.intent import understand
    from parlour.host.understand.meaning import Meaning, Scene
    from parlour.host.understand.wishes import Wish, counts, game_named, wish
else:
    __getattr__ = export(__name__)
