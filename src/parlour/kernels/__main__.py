"""Compile every kernel now, so that nobody waits for it later: `python -m parlour.kernels`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from parlour import kernels

PREFIX = "parlour.kernels."


def modules():
    """Return the names of all kernel modules, as in `othello.search`."""
    found = pkgutil.walk_packages(kernels.__path__, PREFIX)
    names = [module.name.removeprefix(PREFIX) for module in found if not module.ispkg]
    return [name for name in names if name != "__main__"]


def main():
    """Load all modules, which compiles those not in the cache, and show progress on a terminal."""
    names = modules()
    progress = sys.stderr.isatty()
    for number, name in enumerate(names, start=1):
        if progress:
            sys.stderr.write(f"\r\033[K{number} of {len(names)}: {name}")
            sys.stderr.flush()
        importlib.import_module(PREFIX + name)
    if progress:
        sys.stderr.write("\r\033[K")


if __name__ == "__main__":
    main()
