"""Tables for pandas or polars, whichever is installed; Parlour itself needs neither."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.core.options import check_argument

LIBRARIES = ("pandas", "polars")


def make_frame(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Return columns as a DataFrame of this library, or else of the first that is installed.

    Raise `ImportError` where there is none.
    """
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
