"""Variants compared: the atlas of a game, and the variants one rule away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.variants.results import MARKS, Atlas, AtlasData, draw_atlas
    from parlour.truth.variants.sweep import LIMIT, atlas, find_neighbours
    from parlour.truth.variants.unusual import draw_variant
else:
    __getattr__ = export(__name__)
