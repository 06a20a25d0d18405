"""A board in a cell of a notebook, to play a bot on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.notebook.opening import widget
else:
    __getattr__ = export(__name__)
