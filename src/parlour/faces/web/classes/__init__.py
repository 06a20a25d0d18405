"""Classes: a teacher, pupils who join with a code, and positions on everybody's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.classes.routes import SECTION
    from parlour.faces.web.classes.service import ClassesDep, ClassService
else:
    __getattr__ = export(__name__)
