"""A sentence that is a move in the making: it wants one, and cannot have it as it was said.

It names no pile, or all of them; half a stick; a hit without a hand. It is answered with a reason
instead of being played as the nearest move that is one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unclear:
    """Why a sentence is not played, in one sentence without a full stop."""

    reason: str
