"""Waiting for long work: how large it is, how far it has come, and Ctrl-C at any time.

Nothing is said about what takes less than half a second. Progress is for people, so it goes to
standard error, and only where that is a terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from parlour.core import Game, Work

T = TypeVar("T")

PATIENCE = 0.5  # seconds before anything is said
EVERY = 0.1  # seconds between two looks
FEWEST_TOLD = 100_000  # situations: fewer are solved before they are told
MOST_LISTED = 10**15  # situations: above, no list is made


def wait(
    call: Callable[[Work], T],
    *,
    doing: str,
    size: str = "",
    work: Work | None = None,
    so_far: Callable[[], str] | None = None,
) -> T:
    """What `call(work)` returns; Ctrl-C stops the work and goes on up.

    How far it has come is what `so_far` says, or else what the work has counted.
    """
    work = work or Work()
    began = time.monotonic()
    said, shown = 0.0, 0

    def watch(work: Work) -> None:
        nonlocal said, shown
        now = time.monotonic()
        if now - began < PATIENCE or now - said < EVERY:
            return
        if not said and size:
            print(f"{doing}: {size}", file=sys.stderr, flush=True)
        said = now
        line = f"{doing}: {so_far() if so_far else _done(work)}, {now - began:.0f} s; Ctrl-C stops"
        print(f"\r{line:{shown}}", end="", file=sys.stderr, flush=True)
        shown = len(line)

    try:
        return work.run(lambda: call(work), watch=watch if sys.stderr.isatty() else None)
    finally:
        if shown:
            print(f"\r{'':{shown}}\r", end="", file=sys.stderr, flush=True)


def _done(work: Work) -> str:
    done, total = work.done, work.total
    return f"{done:,} of {total:,}" if done <= total < MOST_LISTED else f"{done:,}"


def size_of(game: Game) -> str:
    """How large a game is, as far as it says."""
    bound = game.size() if hasattr(game, "size") else None
    if bound is None or bound < FEWEST_TOLD:
        return ""
    if bound > MOST_LISTED:
        return "more situations than can be listed"
    return f"at most {bound:,} situations"
