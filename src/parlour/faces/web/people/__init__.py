"""A person: their games, what is kept of them and how they delete it, and their other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.people.routes import SECTION
else:
    __getattr__ = export(__name__)
