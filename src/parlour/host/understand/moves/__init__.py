"""Moves in plain words: `take two from the last pile`, `hit your right hand with my left`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.understand.moves.phrases import GOES_ON, move_text
    from parlour.host.understand.moves.unclear import Unclear
else:
    __getattr__ = export(__name__)
