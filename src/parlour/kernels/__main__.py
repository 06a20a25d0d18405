"""Compile every kernel now, so that nobody waits for it later: `python -m parlour.kernels`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from parlour import kernels


def main():
    """Load all modules, which compiles what is not in the cache, and say which is at work."""
    modules = [
        module.name.removeprefix("parlour.kernels.")
        for module in pkgutil.walk_packages(kernels.__path__, "parlour.kernels.")
        if not module.ispkg
    ]
    modules.remove("__main__")
    shown = sys.stderr.isatty()
    for place, name in enumerate(modules, 1):
        if shown:
            sys.stderr.write(f"\r\033[K{place} of {len(modules)}: {name}")
            sys.stderr.flush()
        importlib.import_module(f"parlour.kernels.{name}")
    if shown:
        sys.stderr.write("\r\033[K")


if __name__ == "__main__":
    main()
