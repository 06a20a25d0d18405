"""The explorer: what was played in a position, how it ended, and what each move is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.explorer.routes import SECTION
else:
    __getattr__ = export(__name__)
