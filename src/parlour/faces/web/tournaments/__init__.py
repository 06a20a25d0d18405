"""Tournaments of bots, and their tables as they fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.tournaments import routes
    from parlour.faces.web.tournaments.routes import tournament_topic
    from parlour.faces.web.tournaments.service import Runner
    from parlour.faces.web.tournaments.tasks import TASKS
else:
    __getattr__ = export(__name__)
