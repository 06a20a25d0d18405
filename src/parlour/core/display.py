"""How games, solutions and records show themselves in a notebook.

They are defined below the package that draws, which may import them and not they it. So they only
name it, as an entry point names a game, and it is imported when a notebook first asks. See
docs/decisions/0025.
"""

from __future__ import annotations

import importlib

DRAWN_BY = "parlour.boards"


def repr_html(self: object) -> str:
    """The HTML that Jupyter, marimo and VS Code show where a cell ends with such an object."""
    return str(importlib.import_module(DRAWN_BY).to_html(self))
