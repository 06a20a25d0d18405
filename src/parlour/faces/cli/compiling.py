"""Compiling, told to whoever waits for it.

The hot loops are compiled once and then kept, which takes long enough for somebody at a terminal to
wonder. The kernels log it; here that becomes one line.
"""

from __future__ import annotations

import logging
import sys

NOTICE = "Compiling the hot loops, once; this takes half a minute."
CLEARED = "\r\x1b[K"  # the line may hold a spinner, or how far somebody is


class Notice(logging.Handler):
    """Says it of the first kernel that has to be compiled, and nothing of the others."""

    def emit(self, record: logging.LogRecord) -> None:
        logging.getLogger(record.name).removeHandler(self)
        print(f"{CLEARED}{NOTICE}", file=sys.stderr, flush=True)


def tell_compiling() -> None:
    """Let people at a terminal know, if anything has to be compiled from now on."""
    if sys.stderr is not None and sys.stderr.isatty():
        log = logging.getLogger("parlour.kernels")
        log.setLevel(logging.INFO)
        log.addHandler(Notice())
