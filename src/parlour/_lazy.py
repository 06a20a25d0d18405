"""Public interfaces that cost nothing: a package names what it exports and imports it on first use.

A package's `__init__.py` lists its public names twice: under `TYPE_CHECKING` for readers and type
checkers, and as a table for `export`. A test keeps the two lists equal.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def export(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    `homes` maps a module of the package to the public names it defines, separated by spaces. A
    module without names is public itself.
    """
    where = {name: module for module, names in homes.items() for name in names.split() or [module]}

    def load(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{where[name]}")
        value = module if name == where[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return load
