"""The lab: change a rule and see at once who wins, in how many moves, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.lab.routes import SECTION
else:
    __getattr__ = export(__name__)
