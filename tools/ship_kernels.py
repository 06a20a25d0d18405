"""Compile all kernels for the levels of processors, to be shipped in a wheel for this platform.

    python tools/ship_kernels.py build/compiled
    PARLOUR_COMPILED=build/compiled pip wheel --no-deps --wheel-dir dist .

`make wheel` does both. The wheel serves one version of Python and of numba; with any other its
kernels are compiled on first use, as those of a plain wheel are. What is compiled already is kept
in the folder `build`, so that a second run goes on where the first was stopped.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from parlour.kernels import list_kernels, objects

CACHE = Path("build") / "kernels"


def main() -> None:
    """Start a process for each level, because numba compiles for one processor at a time."""
    match sys.argv[1:]:
        case [folder]:
            for level in objects.LEVELS[platform.machine()]:
                settings = {
                    "NUMBA_CPU_NAME": level,
                    "NUMBA_CPU_FEATURES": objects.features_of(level),
                    "PARLOUR_CACHE": str(CACHE.absolute()),
                }
                command = [sys.executable, __file__, folder, level]
                subprocess.run(command, env={**os.environ, **settings}, check=True)
        case [folder, level]:
            ship(Path(folder), level)


def ship(folder: Path, level: str) -> None:
    """Compile every kernel for the level that this process is set to, and copy it."""
    for kernel in list_kernels():
        kernel.prepare(own=True)
        data = objects.read_object(kernel.module, kernel.name, own=True)
        assert data is not None, f"{kernel.name} was not kept"  # noqa: S101 - of the file system
        place = folder / objects.folder_name(kernel.module, level)
        place.mkdir(parents=True, exist_ok=True)
        objects.write_file(place / f"{kernel.name}{objects.SUFFIX}", data)
        print(f"{level}: {kernel.module}.{kernel.name}, {len(data):,} bytes", flush=True)


if __name__ == "__main__":
    main()
