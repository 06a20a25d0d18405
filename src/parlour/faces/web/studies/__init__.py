"""Studies on the site: written, shared by link, embedded, printed, and read as lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.studies.routes import SECTION
else:
    __getattr__ = export(__name__)
