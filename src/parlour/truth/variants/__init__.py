"""Variants compared: the atlas of a game, and the variants one rule away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.variants import sweep as sweep
    from parlour.truth.variants.neighbours import find_neighbours as find_neighbours
    from parlour.truth.variants.picture import draw_atlas as draw_atlas
    from parlour.truth.variants.sweep import (
        LIMIT as LIMIT,
        USUAL_CHOICES as USUAL_CHOICES,
        atlas as atlas,
    )
    from parlour.truth.variants.table import MARKS as MARKS, Atlas as Atlas
else:
    __getattr__ = export(
        __name__,
        {
            "neighbours": "find_neighbours",
            "picture": "draw_atlas",
            "sweep": "LIMIT USUAL_CHOICES atlas sweep",
            "table": "Atlas MARKS",
        },
    )
