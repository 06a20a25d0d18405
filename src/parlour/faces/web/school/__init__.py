"""The school: classes of hats that learn while people watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.school import routes
    from parlour.faces.web.school.routes import school_topic
    from parlour.faces.web.school.service import School
    from parlour.faces.web.school.tasks import TASKS
else:
    __getattr__ = export(__name__)
