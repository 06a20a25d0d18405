"""The lobby: the games, a quick way into each, and the open tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.lobby.routes import SECTION
else:
    __getattr__ = export(__name__)
