"""The host's page: tables, tournaments, names and addresses; hide, rename, delete and bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.admin.routes import SECTION
else:
    __getattr__ = export(__name__)
