"""Modules made from the `.py` files of users, named so that another process can import them too.

The name of such a module tells where its file is and what it held. So what the file defines can be
pickled like anything else: whoever reads the pickle imports `parlour.core.user_files.NAME`, and the
finder below opens the file again. A file that has changed since is refused: it may be another game.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from parlour.core.errors import BadFile
from parlour.core.files import explain_errors
from parlour.core.sentences import describe_error

__path__: list[str] = []  # modules can be imported from here, as from a package
PREFIX = f"{__name__}."
SETTLED = 2_000_000_000  # nanoseconds after which another change shows in the time of a file
_NAMES: dict[tuple[bytes, int, int, int], str] = {}  # by place and times: every list asks again


def load_module(path: Path) -> Any:
    """Return the module in a file, loaded again only when its content has changed."""
    name = _name_module(path)
    if name in sys.modules:
        return sys.modules[name]
    if path.suffix != ".py":
        raise BadFile(f"{path} is not a Python file")
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise BadFile(f"{path} does not load: {describe_error(error)}") from None


def _name_module(path: Path) -> str:
    place = os.fsencode(path.absolute())
    with explain_errors("read", path):
        now = path.stat()
        stamp = (place, now.st_mtime_ns, now.st_size, now.st_ino)
        if stamp in _NAMES:
            return _NAMES[stamp]
        content = path.read_bytes()
    name = f"{PREFIX}{hashlib.sha256(place + content).hexdigest()[:16]}_{place.hex()}"
    if time.time_ns() - now.st_mtime_ns > SETTLED:
        _NAMES[stamp] = name
    return name


class _Finder:
    """Finds the file of a module by its name."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module of ours; None for all others."""
        if not name.startswith(PREFIX):
            return None
        file = Path(os.fsdecode(bytes.fromhex(name.rpartition("_")[2])))
        try:
            same = _name_module(file) == name
        except BadFile as error:
            raise ImportError(str(error)) from None
        if not same:
            raise ImportError(f"{file} has changed since this was pickled")
        return importlib.util.spec_from_file_location(name, file)


sys.meta_path.append(_Finder)
