"""A program that is told to end does so in good order: it gives the terminal back, and keeps.

By default SIGTERM, and SIGHUP when the window closes, end a program before any `finally` can run.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

NAMES = ("SIGTERM", "SIGHUP")  # the second is not known everywhere
SIGNALS = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]


class Ended(SystemExit):
    """Somebody told the program to end."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number  # as a shell tells it
        super().__init__(self.status)


@contextmanager
def told_to_end() -> Iterator[None]:
    """While this lasts, the first such signal raises `Ended`, and more of them nothing."""
    usual = {each: signal.getsignal(each) for each in SIGNALS}
    heard = {each: old for each, old in usual.items() if old is signal.SIG_DFL}  # not under nohup

    def end(number: int, frame: FrameType | None) -> None:
        for each in heard:
            signal.signal(each, signal.SIG_IGN)
        raise Ended(number)

    try:
        for each in heard:
            signal.signal(each, end)
        yield
    finally:
        for each, old in heard.items():
            signal.signal(each, old)
