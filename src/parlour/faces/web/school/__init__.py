"""The school: classes of hats that learn while people watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.school import routes as routes
    from parlour.faces.web.school.service import (
        School as School,
        drawn_from as drawn_from,
        playing as playing,
    )
    from parlour.faces.web.school.tasks import THOUGHTS as THOUGHTS
else:
    __getattr__ = export(
        __name__,
        {
            "routes": "",
            "service": "School drawn_from playing",
            "tasks": "THOUGHTS",
        },
    )
