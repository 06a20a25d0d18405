"""What a person at a terminal sees while waiting: how far long work has come.

Nothing is shown for work that takes less than half a second. Everything goes to standard error, and
only where that is a terminal. Ctrl-C stops the work at any time.
"""

from __future__ import annotations

import logging
import math
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from parlour.core import Game, Work

T = TypeVar("T")

PATIENCE = 0.5  # seconds before the first line
INTERVAL = 0.1  # seconds between two updates
MIN_MENTIONED = 100_000  # situations: smaller games are solved before anybody could read it
MAX_COUNTED = 10**15  # situations: a game larger than this is never listed
HINT = "; Ctrl-C stops"
CLEAR_LINE = "\r\x1b[K"
POLL = 0.05  # seconds between two looks at what is being compiled


class ProgressLine:
    """One line of a terminal that is rewritten in place, at most once per interval."""

    def __init__(self, interval: float = INTERVAL) -> None:
        self._interval = interval
        self._visible = False
        self._updated = -math.inf

    def show(self, progress: str, doing: str = "", *, whole: bool = False) -> None:
        """Replace the line, unless it was replaced a moment ago or something is being compiled.

        If it is too long, the middle of `doing` is left out, so that the progress can be read. A
        `whole` line is shown as it is.
        """
        now = time.monotonic()
        if _notice is not None and _notice.visible and not whole:
            return
        if sys.stderr.isatty() and now - self._updated >= self._interval:
            self._updated, self._visible = now, True
            room = shutil.get_terminal_size().columns - len(progress) - len(HINT) - 3
            if doing and len(doing) > room:
                half = max(room - 1, 2) // 2
                doing = f"{doing[:half]}…{doing[-half:]}"
            text = f"{doing}: {progress}{HINT}" if doing else f"{progress}{'' if whole else HINT}"
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


def wait_for_some(call: Callable[[Work], T], **how: Any) -> tuple[T, bool]:
    """Return what a call found, and whether Ctrl-C cut it short; it is raised if nothing was."""
    found: list[T] = []
    try:
        wait(lambda work: found.append(call(work)), **how)
    except KeyboardInterrupt:
        if not found:
            raise
        return found[0], True
    return found[0], False


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


# Kernels that are compiled, which happens once on a computer

READYING = "Getting {} ready for this computer (first time only)"
PURPOSES = {  # of kernels, by how their names begin
    "othello.board": "the rules of Othello",
    "othello.historic": "an Othello player",
    "othello.bitboard": "the rules of Othello",
    "othello": "the Othello engine",
    "nim": "Nim",
    "graph": "the solver",
    "tiers": "the solver",
    "geography": "the proof search",
    "hats": "the hats",
}
ALMOST = 0.99  # how far a kernel seems to be at most while it is being compiled
LOADING = 3.0  # seconds that the compiler itself takes to load, before its first kernel


class Compilations(logging.Handler):
    """The kernels being compiled at the moment, here or in the processes that report to here."""

    def __init__(self) -> None:
        super().__init__()
        self._began: dict[str, tuple[float, float]] = {}  # by kernel: when, and seconds expected
        self._loading = LOADING

    def emit(self, record: logging.LogRecord) -> None:
        self.note(*read_compilation(record))

    def note(self, kernel: str, seconds: float, finished: bool) -> None:
        """Note that a kernel begins to be compiled, or is."""
        if finished:
            self._began.pop(kernel, None)
            self._loading = 0.0
        else:
            self._began[kernel] = (time.monotonic(), seconds + self._loading)

    def describe(self, patience: float = PATIENCE) -> str:
        """`Getting the Othello engine ready for this computer (first time only): 40 %`

        It is the empty string while nothing has been compiled for longer than `patience`.
        """
        now = time.monotonic()
        found = [
            (seconds, now - began, kernel)
            for kernel, (began, seconds) in self._began.copy().items()
            if now - began >= patience
        ]
        if not found:
            return ""
        seconds, took, kernel = max(found)
        purpose = next(PURPOSES[name] for name in PURPOSES if kernel.startswith(name))
        # Half after half of the time, and then ever slower: some computers are.
        share = 1 - math.exp(-1.4 * (took - patience) / seconds)
        return f"{READYING.format(purpose)}: {100 * min(share, ALMOST):.0f} %"


def read_compilation(record: logging.LogRecord) -> tuple[str, float, bool]:
    """Return the kernel, the seconds it takes and whether it is compiled, from what it logs."""
    fields = record.__dict__
    return fields["kernel"], fields["seconds"], fields["finished"]


def watch_compiling(watcher: logging.Handler) -> None:
    """Let a handler receive what kernels log when they are compiled in this process."""
    log = logging.getLogger("parlour.kernels")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(watcher)


class _TerminalNotice(Compilations):
    """Shows on a line of the terminal what is being compiled, from a thread of its own.

    A kernel may be compiled while another one is, which needs it. The line is gone before anything
    else is printed: whoever reports the end of the last one clears it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._line = ProgressLine()
        self._display: Callable[[str], None] = self._show_line
        self.visible = False
        self._drawing = threading.RLock()
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        with self._drawing:
            super().emit(record)
            if not self._began:
                self._clear()
            elif self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="compiling", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Remove the line: nobody waits for the compiler any more."""
        with self._drawing:
            self._began.clear()
            self._clear()

    def show_in(self, display: Callable[[str], None] | None) -> None:
        """Show the text by calling this from now on, with "" where nothing is compiled any more."""
        with self._drawing:
            self._clear()
            self._display = display or self._show_line

    def _watch(self) -> None:
        while True:
            with self._drawing:
                if not self._began:
                    self._thread = None
                    return
                if text := self.describe():
                    self.visible = True
                    self._display(text)
            time.sleep(POLL)

    def _show_line(self, text: str) -> None:
        if text:
            self._line.show(text, whole=True)
        else:
            self._line.clear()

    def _clear(self) -> None:
        if self.visible:
            self._display("")
        self.visible = False


_notice: _TerminalNotice | None = None


def announce_compiling() -> None:
    """Show a person at a terminal which kernels have to be compiled from now on."""
    global _notice  # noqa: PLW0603 - a process has one terminal
    if _notice is None and sys.stderr is not None and sys.stderr.isatty():
        _notice = _TerminalNotice()
        watch_compiling(_notice)


def stop_announcing() -> None:
    """Remove what is shown of the kernels being compiled, as the program ends before they are."""
    if _notice is not None:
        _notice.stop()


@contextmanager
def compiling_shown_in(display: Callable[[str], None]) -> Iterator[None]:
    """Let something else on the terminal, such as a spinner, show what is being compiled."""
    if _notice is None:
        yield
        return
    _notice.show_in(display)
    try:
        yield
    finally:
        _notice.show_in(None)
