"""Review: paste a game or set up a position, go through it, and see every mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.review.routes import SECTION
else:
    __getattr__ = export(__name__)
