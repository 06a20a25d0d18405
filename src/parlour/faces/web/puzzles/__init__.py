"""Puzzles on the site: asked, answered, and asked again when it is time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.puzzles.routes import SECTION, PuzzlesDep, puzzle_page, read_answer
    from parlour.faces.web.puzzles.service import PuzzleService
else:
    __getattr__ = export(__name__)
