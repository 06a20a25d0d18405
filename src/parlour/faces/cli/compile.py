"""`parlour compile`: compile everything ahead, so that nobody waits for it later."""

from __future__ import annotations

import time

from parlour.core import count
from parlour.faces.cli.command import Parser
from parlour.faces.progress import format_duration


def run(parser: Parser, arguments: list[str]) -> int:
    """Compile every kernel that is not compiled for this processor yet."""
    parser.epilog = (
        "The hot loops are otherwise compiled when they are first needed. Ctrl-C stops it; what is "
        "done is kept, and the next time it goes on from there. A folder of its own for what is "
        "compiled can be given in the environment variable PARLOUR_CACHE."
    )
    parser.parse(arguments)
    from parlour.kernels import cache_folder, list_kernels  # it loads numba

    began = time.monotonic()
    missing = [kernel for kernel in list_kernels() if not kernel.is_kept_for_this_processor]
    missing.sort(key=lambda kernel: kernel.seconds)
    total = sum(kernel.seconds for kernel in missing)
    done = 0.0
    for number, kernel in enumerate(missing, start=1):
        share = 100 * done / total
        name = f"{kernel.module}.{kernel.name}"
        print(f"{number} of {len(missing)} ({share:.0f} %): {name}", flush=True)
        kernel.prepare(own=True)
        done += kernel.seconds
    if missing:
        took = format_duration(time.monotonic() - began)
        print(f"{count(len(missing), 'function')} compiled in {took}, kept in {cache_folder()}")
    else:
        print(f"Everything is compiled already, and kept in {cache_folder()}")
    return 0
