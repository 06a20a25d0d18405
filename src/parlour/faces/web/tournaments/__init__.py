"""Tournaments of bots, and their tables as they fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.tournaments.routes import SECTION
    from parlour.faces.web.tournaments.service import Runner
else:
    __getattr__ = export(__name__)
