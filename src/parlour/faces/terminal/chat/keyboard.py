"""Lines from whoever is there: from a pipe, from a plain terminal, or from a keyboard.

At a keyboard the terminal is kept quiet from the first moment: it neither shows nor swallows what
is typed before the prompt is there or while Benedict thinks, so no key is lost. Ctrl-C is a key
like the others, except during a thought, when it interrupts.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.faces.terminal.chat.screen import Screen, clean
from parlour.faces.terminal.console import at_terminal, say

if TYPE_CHECKING:
    from parlour.faces.terminal.chat.prompt import Prompt

PROMPT = "> "
LONGEST = 2_000  # characters of a line; what follows them is not heard
MOST_ECHOED = 200
MOST_PASTED = 200  # lines at once
UNHEARD = f"That was a long paste; I read its first {MOST_PASTED} lines."
CHUNK = 65_536
GRACE = 0.6  # seconds after a long thought in which Ctrl-C was meant for it


class Keys:
    """Where lines come from."""

    def __init__(self, screen: Screen, history: Path) -> None:
        self._screen = screen
        self._history = history
        self._prompt: Prompt | None = None
        self._usual: list[object] | None = None
        self._thought_until = -GRACE

    @contextmanager
    def kept_quiet(self) -> Iterator[None]:
        """Take the terminal, and give it back as it was."""
        if not self._screen.lively:
            yield
            return
        try:
            import termios
        except ImportError:  # another system, which does without
            yield
            return
        usual = termios.tcgetattr(sys.stdin)
        self._usual = usual
        try:
            self._set(interrupts=False)
            yield
        finally:
            with contextlib.suppress(termios.error):  # its window may have been closed
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, usual)

    def _set(self, *, interrupts: bool) -> None:
        if self._usual is None:
            return
        import termios

        iflag, oflag, cflag, lflag, ispeed, ospeed, cc = termios.tcgetattr(sys.stdin)
        iflag &= ~termios.ICRNL
        lflag &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
        if interrupts:
            lflag |= termios.ISIG
        new = [iflag, oflag, cflag, lflag, ispeed, ospeed, cc]
        termios.tcsetattr(sys.stdin, termios.TCSANOW, new)  # what was typed already stays

    @contextmanager
    def interrupting(self) -> Iterator[list[bool]]:
        """While this lasts, Ctrl-C interrupts: it fills the list, and breaks nothing off."""
        pressed: list[bool] = []
        usual = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(True))
        try:
            self._set(interrupts=True)
            yield pressed
        finally:
            self._set(interrupts=False)
            signal.signal(signal.SIGINT, usual)

    def thought_was_long(self) -> None:
        """A Ctrl-C that comes right now was meant to interrupt, and does not part."""
        self._thought_until = time.monotonic()

    def ask(self, choices: Sequence[str], *, kept: bool) -> str:
        """The next line, which may be `kept` for other days.

        `EOFError` when there are no more, `KeyboardInterrupt` to go.
        """
        if not self._screen.lively:
            return _typed() if at_terminal() else _piped()
        if self._prompt is None:
            from parlour.faces.terminal.chat.prompt import Prompt

            self._prompt = Prompt(
                self._history, LONGEST, MOST_PASTED, coloured=self._screen.coloured
            )
        until = self._thought_until + GRACE
        line = self._prompt.ask(PROMPT, choices, deaf_until=until, kept=kept)
        if self._prompt.unheard:
            self._screen.note(UNHEARD)
            self._prompt.unheard = False
        return line

    def drop_pasted(self) -> None:
        """Lines that were pasted and not answered yet are not wanted any more."""
        if self._prompt is not None:
            self._prompt.drop_pasted()

    def forget(self) -> None:
        """Lines typed so far do not come back, today or another day."""
        if self._prompt is not None:
            self._prompt.forget()
        self.remove_lines()

    def remove_lines(self) -> None:
        """No line is kept for other days."""
        with contextlib.suppress(OSError):
            self._history.unlink(missing_ok=True)


def _typed() -> str:
    try:
        return input(PROMPT)
    except (EOFError, KeyboardInterrupt):
        say()
        raise


def _piped() -> str:
    """The next line of a script, shown as if it had been typed."""
    print(PROMPT, end="", flush=True)
    try:
        line = "" if sys.stdin is None else sys.stdin.readline(LONGEST + 1)
        last = line
        while last and not last.endswith("\n"):  # however long it is, it is never held whole
            last = sys.stdin.readline(CHUNK)
    except KeyboardInterrupt:
        say()
        raise
    if not line:
        say()
        raise EOFError
    line = line.rstrip("\r\n")
    say(clean(line[:MOST_ECHOED]))
    return line
