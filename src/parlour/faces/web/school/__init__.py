"""The school: classes of hats that learn while people watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.school.routes import SECTION, list_learnable
    from parlour.faces.web.school.service import School
else:
    __getattr__ = export(__name__)
