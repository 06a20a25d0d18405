"""The NBoard protocol, by which Othello boards talk to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.nboard.session import LONGEST_LINE, Session
else:
    __getattr__ = export(__name__)
