"""Playing and talking at the terminal, and in pipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.terminal import table
else:
    __getattr__ = export(__name__)
