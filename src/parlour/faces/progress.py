"""What a person at a terminal sees while waiting: how far long work has come.

Nothing is shown for work that takes less than half a second. Everything goes to standard error, and
only where that is a terminal. Ctrl-C stops the work at any time.
"""

from __future__ import annotations

import logging
import math
import shutil
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from parlour.core import Game, Work

T = TypeVar("T")

PATIENCE = 0.5  # seconds before the first line
INTERVAL = 0.1  # seconds between two updates
MIN_MENTIONED = 100_000  # situations: smaller games are solved before anybody could read it
MAX_COUNTED = 10**15  # situations: a game larger than this is never listed
HINT = "; Ctrl-C stops"
CLEAR_LINE = "\r\x1b[K"
COMPILING = "Compiling the inner loops, once only; this takes about half a minute."


class ProgressLine:
    """One line of a terminal that is rewritten in place, at most once per interval."""

    def __init__(self, interval: float = INTERVAL) -> None:
        self._interval = interval
        self._visible = False
        self._updated = -math.inf

    def show(self, progress: str, doing: str = "") -> None:
        """Replace the line, unless it was replaced a moment ago.

        If it is too long, the middle of `doing` is left out, so that the progress can be read.
        """
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._updated >= self._interval:
            self._updated, self._visible = now, True
            room = shutil.get_terminal_size().columns - len(progress) - len(HINT) - 3
            if doing and len(doing) > room:
                half = max(room - 1, 2) // 2
                doing = f"{doing[:half]}…{doing[-half:]}"
            text = f"{doing}: {progress}{HINT}" if doing else f"{progress}{HINT}"
            print(f"{CLEAR_LINE}{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._visible:
            self._visible = False
            print(CLEAR_LINE, end="", file=sys.stderr, flush=True)


def wait(
    call: Callable[[Work], T],
    *,
    doing: str,
    things: str = "",
    size: str = "",
    work: Work | None = None,
    status: Callable[[], str] | None = None,
) -> T:
    """Return `call(work)`, showing progress meanwhile; Ctrl-C stops the work and is raised.

    The progress is what `status` returns, or else how many `things` the work has counted. A `size`
    is printed once, above it.
    """
    work = work or Work()
    began, announced = time.monotonic(), False
    line = ProgressLine()

    def watch(work: Work) -> None:
        nonlocal announced
        seconds = time.monotonic() - began
        if seconds < PATIENCE:
            return
        if size and not announced:
            print(f"{doing}: {size}", file=sys.stderr, flush=True)
        announced = True
        line.show(
            f"{status()}, {seconds:.0f} s" if status else format_done(work, things, seconds), doing
        )

    try:
        return work.run(lambda: call(work), watch=watch if sys.stderr.isatty() else None)
    finally:
        line.clear()


def format_done(work: Work, things: str, seconds: float) -> str:
    """`120 of 400 games (30 %), 12 s, about 28 s left`; only what is known of it is stated."""
    done, total, took = work.done, work.total, format_duration(seconds)
    if not done:
        return took
    if not done <= total < MAX_COUNTED:
        return ", ".join([f"{done:,} {things}".rstrip(), took])
    left = format_duration(seconds * (total - done) / done)
    counted = f"{done:,} of {total:,} {things}".rstrip()
    return f"{counted} ({100 * done // total} %), {took}, about {left} left"


def format_duration(seconds: float) -> str:
    """`12 s`, `3 min`, `2.5 h`"""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def describe_size(game: Game) -> str:
    """Say how large a game is, if it knows and solving it may take a while."""
    bound = game.size() if hasattr(game, "size") else None
    if bound is None or bound < MIN_MENTIONED:
        return ""
    if bound > MAX_COUNTED:
        return "more situations than can be listed"
    return f"at most {bound:,} situations"


class _CompileNotice(logging.Handler):
    """Announces the first kernel that has to be compiled, and none after it."""

    def emit(self, record: logging.LogRecord) -> None:
        logging.getLogger(record.name).removeHandler(self)
        print(f"{CLEAR_LINE}{COMPILING}", file=sys.stderr, flush=True)


def announce_compiling() -> None:
    """Tell a person at a terminal if kernels have to be compiled from now on."""
    if sys.stderr is not None and sys.stderr.isatty():
        log = logging.getLogger("parlour.kernels")
        log.setLevel(logging.INFO)
        log.addHandler(_CompileNotice())
