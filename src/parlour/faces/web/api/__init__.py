"""The JSON API, its documentation page, and the event streams for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.api.description import TAGS, VERSION, describe
    from parlour.faces.web.api.routes import SECTION
else:
    __getattr__ = export(__name__)
