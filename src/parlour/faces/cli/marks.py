"""The three marks of the house as a terminal shows them: a win, a draw and a loss.

What is proven is filled, an estimate is outlined; colours are for terminals that want them.
"""

from __future__ import annotations

import os
import sys

from parlour.truth.variants import MARKS

SIDE = {"win": "first", "loss": "second", "draw": "draw"}  # whose colour a value has
OUTLINED = {"win": "△", "loss": "▽", "draw": "○"}


def mark(outcome: str, *, exact: bool = True) -> str:
    """The mark of an outcome, in its colour at a terminal that shows colours."""
    shape, colour, _ = MARKS[SIDE[outcome]]
    if not exact:
        shape = OUTLINED[outcome]
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return shape
    red, green, blue = bytes.fromhex(colour[1:])
    return f"\033[38;2;{red};{green};{blue}m{shape}\033[0m"
