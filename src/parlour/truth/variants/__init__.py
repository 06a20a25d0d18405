"""Variants compared: the atlas of a game, and the variants one rule away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.variants.results import MARKS, Atlas, AtlasData, draw_atlas
    from parlour.truth.variants.sweep import LIMIT, atlas, draw_variant, find_neighbours
else:
    __getattr__ = export(__name__)
