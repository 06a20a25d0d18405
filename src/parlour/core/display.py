"""How games, solutions and records show themselves in a notebook, and as a table.

They are defined below the package that draws, which may import them and not they it. So they only
name it, as an entry point names a game, and it is imported when a notebook first asks. See
docs/decisions/0025. A table is one of pandas or polars, whichever is installed; Parlour itself
needs neither.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.core.extras import load_code
from parlour.core.options import check_argument

DRAWN_BY = "parlour.boards:to_html"
LIBRARIES = ("pandas", "polars")


def repr_html(self: object) -> str:
    """The HTML that Jupyter, marimo and VS Code show where a cell ends with such an object."""
    return str(load_code(DRAWN_BY)(self))


def make_frame(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Return columns as a DataFrame of this library, or of the first of both that is installed."""
    library = check_argument("library", library, str, choices=LIBRARIES, optional=True)
    for name in LIBRARIES if library is None else (library,):
        try:
            return importlib.import_module(name).DataFrame(dict(columns))
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
    wanted = library or " or ".join(LIBRARIES)
    install = "polars" if library == "polars" else "'parlour[frames]'"
    raise ImportError(f"to_frame() needs {wanted}; pip install {install}")
