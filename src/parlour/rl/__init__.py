"""Environments for training agents on any game, and players made from what was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rl.batches import Batch, batch
    from parlour.rl.encoding import MAX_ACTIONS, Encoding
else:
    __getattr__ = export(__name__)
