"""Live pages: who watches what, and the WebSocket that sends changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.live.hub import Hub, Page
    from parlour.faces.web.live.socket import GONE, held, live
else:
    __getattr__ = export(__name__)
