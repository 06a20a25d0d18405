"""Public interfaces that cost nothing until they are used.

A package's `__init__.py` imports what it offers under `if TYPE_CHECKING:`, where readers, editors
and type checkers find it and nothing is loaded. `__getattr__ = export(__name__)` then imports each
of those names when it is first used.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

IMPORT = re.compile(r"^ {4,8}from ([\w.]+) import (?:\(([^)]*)\)|(.+))$", re.MULTILINE)


class Package(ModuleType):
    """A package, which can be pickled and copied like everything public."""

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (self.__name__,)


def export(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which imports its public names on first use."""
    homes: dict[str, str] = {}
    sys.modules[package].__class__ = Package

    def load(name: str) -> Any:
        if not homes:
            homes.update(public_names(package))
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        if home == package:
            return importlib.import_module(f"{package}.{name}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


def public_names(package: str) -> dict[str, str]:
    """Return the names a package offers, each with the module that defines it.

    A module that is offered whole stands with the package itself.
    """
    loader: Any = importlib.import_module(package).__loader__
    source = loader.get_source(package)
    found = IMPORT.findall(source.partition("if TYPE_CHECKING:\n")[2])
    return {
        name: home
        for home, several, single in found
        for name in re.findall(r"\w+", several or single)
    }
