"""The terminal: text goes to the screen, lines come from the keyboard, or both through a pipe.

In a pipe everything is plain text. In the conversation with Benedict a terminal shows a little
colour and a spinner; it neither echoes nor swallows what is typed before the prompt appears or
while Benedict thinks, so no key is lost. Ctrl-C is a key like the others, except while Benedict
thinks, when it interrupts him. What others wrote is cleaned first: unprintable characters become
`�`, so that neither a typed line nor a reply can move the cursor or ring the bell.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.core import ParlourError

if TYPE_CHECKING:
    from parlour.faces.terminal.prompt import Prompt
    from parlour.host import Reply

LONGEST_TEXT = 20_000  # characters of one line or board
LONGEST_ECHO = 200  # characters of a line from a pipe
JOINERS = "\u200c\u200d"  # invisible, but some scripts need them

PROMPT = "> "
LONGEST = 2_000  # characters of a line; the rest is ignored
MOST_PASTED = 200  # lines at once
PASTE_CUT = f"That was a long paste; I read its first {MOST_PASTED} lines."
CHUNK = 65_536
GRACE = 0.6  # seconds after a long wait in which Ctrl-C was still meant to end it

WIDEST = 96  # columns; longer lines are hard to read
SGR = {
    "win": ("34", "38;5;32"),  # with 8 and with 256 colours
    "draw": ("37", "38;5;245"),
    "loss": ("31", "38;5;166"),
    "quiet": ("2", "2"),
}
MARKS = {"▲": "win", "●": "draw", "▼": "loss"}


def say(text: str = "") -> None:
    """Print a text at once, also to a reader at the other end of a pipe."""
    print(text, flush=True)


def at_terminal() -> bool:
    """Return whether somebody is typing; a closed standard input is None in Python."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(prompt: str) -> str:
    """Return the line typed at the prompt; `EOFError` when there are no more.

    In a pipe the line is echoed, so that a transcript reads like a session.
    """
    if at_terminal():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        print(flush=True)
        raise EOFError
    line = line.rstrip("\r\n")
    say(clean(line[:LONGEST_ECHO]))
    return line


def clean(text: str) -> str:
    """Make a text printable, and shorten it to a readable length."""
    if len(text) > LONGEST_TEXT:
        text = text[: LONGEST_TEXT - 1] + "…"
    return "".join(map(_clean_char, text))


def _clean_char(char: str) -> str:
    if char.isprintable() or char in JOINERS or char == "\n":
        return char
    return " " if char.isspace() else "�"


class Screen:
    """Where replies appear; `interactive` for a person at a terminal that can move its cursor."""

    def __init__(self) -> None:
        term = os.environ.get("TERM", "dumb")
        output = sys.stdout is not None and sys.stdout.isatty()
        self.interactive = at_terminal() and output and term != "dumb"
        self.coloured = self.interactive and not os.environ.get("NO_COLOR")
        self._has_256_colours = "256" in term or bool(os.environ.get("COLORTERM"))

    def show(self, reply: Reply) -> None:
        """Print the sentences of a reply, and the board under them."""
        for line in reply.lines:
            self._print_line(line)
        if reply.board:
            self._print_gap()
            say(clean(reply.board))
        self._print_gap()

    def note(self, text: str) -> None:
        """Print a sentence about the conversation itself."""
        say(self.colour(self._wrap(clean(text)), "quiet"))
        self._print_gap()

    def show_trouble(self, trouble: BaseException) -> None:
        """Say in one sentence what went wrong."""
        if isinstance(trouble, ParlourError):
            self.note(f"I could not do that: {trouble}.")
        else:
            self.note(
                "I lost my thread; everything is as it was (PARLOUR_TRACEBACK=1 shows where)."
            )

    def colour(self, text: str, what: str) -> str:
        """Colour a text, at terminals that show colours."""
        return f"\x1b[{SGR[what][self._has_256_colours]}m{text}\x1b[0m" if self.coloured else text

    def _print_line(self, line: str) -> None:
        for part in clean(line).split("\n"):
            text = self._wrap(part)
            for mark, what in MARKS.items():
                text = text.replace(mark, self.colour(mark, what))
            say(text)

    def _wrap(self, line: str) -> str:
        """Wrap a line to the terminal, between words; in a pipe it stays one line."""
        if not self.interactive:
            return line
        columns = os.get_terminal_size(sys.stdout.fileno()).columns or 80
        width = max(20, min(columns - 1, WIDEST))
        if len(line) <= width:
            return line
        import textwrap

        indent = line[: len(line) - len(line.lstrip())][: width // 2]
        return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)

    def _print_gap(self) -> None:
        if self.interactive:
            say()

    @contextmanager
    def spinner(self) -> Iterator[None]:
        """Show a spinner to a person who waits."""
        if not self.interactive:
            yield
            return
        from rich.console import Console

        text = "Benedict is thinking; Ctrl-C interrupts him"
        with Console().status(text, spinner="dots", spinner_style="green"):
            yield


class Keyboard:
    """The source of lines."""

    def __init__(self, screen: Screen, history: Path) -> None:
        self._screen = screen
        self._history = history
        self._prompt: Prompt | None = None
        self._original: list[object] | None = None  # the terminal's settings
        self._waited_until = -GRACE

    @contextmanager
    def quiet_terminal(self) -> Iterator[None]:
        """Turn off echo, line editing and signals, and restore the terminal afterwards."""
        if not self._screen.interactive:
            yield
            return
        try:
            import termios
        except ImportError:  # not a Unix system
            yield
            return
        original = termios.tcgetattr(sys.stdin)
        self._original = original
        try:
            self._configure(interrupts=False)
            yield
        finally:
            with contextlib.suppress(termios.error):  # the window may have been closed
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, original)

    def _configure(self, *, interrupts: bool) -> None:
        if self._original is None:
            return
        import termios

        iflag, oflag, cflag, lflag, ispeed, ospeed, cc = termios.tcgetattr(sys.stdin)
        iflag &= ~termios.ICRNL
        lflag &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
        if interrupts:
            lflag |= termios.ISIG
        new = [iflag, oflag, cflag, lflag, ispeed, ospeed, cc]
        termios.tcsetattr(sys.stdin, termios.TCSANOW, new)  # keeps what was typed already

    @contextmanager
    def interrupts(self) -> Iterator[list[bool]]:
        """Let Ctrl-C fill the list instead of raising an exception."""
        pressed: list[bool] = []
        original = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(True))
        try:
            self._configure(interrupts=True)
            yield pressed
        finally:
            self._configure(interrupts=False)
            signal.signal(signal.SIGINT, original)

    def ignore_late_interrupt(self) -> None:
        """Ignore a Ctrl-C pressed right now: it was meant to interrupt, not to leave."""
        self._waited_until = time.monotonic()

    def ask(self, choices: Sequence[str], *, store: bool) -> str:
        """Return the next line, which is stored in the history file if it may be.

        `EOFError` when there are no more lines, `KeyboardInterrupt` to leave.
        """
        if not self._screen.interactive:
            return _read_typed() if at_terminal() else _read_piped()
        if self._prompt is None:
            from parlour.faces.terminal.prompt import Prompt

            self._prompt = Prompt(
                self._history, LONGEST, MOST_PASTED, coloured=self._screen.coloured
            )
        until = self._waited_until + GRACE
        line = self._prompt.ask(PROMPT, choices, no_interrupt_until=until, store=store)
        if self._prompt.cut:
            self._screen.note(PASTE_CUT)
            self._prompt.cut = False
        return line

    def drop_pasted(self) -> None:
        """Drop pasted lines that were not answered yet."""
        if self._prompt is not None:
            self._prompt.drop_pasted()

    def forget(self) -> None:
        """Forget the lines typed so far, here and in the history file."""
        if self._prompt is not None:
            self._prompt.forget()
        self.delete_history()

    def delete_history(self) -> None:
        """Delete the history file."""
        with contextlib.suppress(OSError):
            self._history.unlink(missing_ok=True)


def _read_typed() -> str:
    try:
        return input(PROMPT)
    except (EOFError, KeyboardInterrupt):
        say()
        raise


def _read_piped() -> str:
    """Read the next line of a script, and echo it as if it had been typed."""
    print(PROMPT, end="", flush=True)
    try:
        line = "" if sys.stdin is None else sys.stdin.readline(LONGEST + 1)
        last = line
        while last and not last.endswith("\n"):  # a long line is never held whole
            last = sys.stdin.readline(CHUNK)
    except KeyboardInterrupt:
        say()
        raise
    if not line:
        say()
        raise EOFError
    line = line.rstrip("\r\n")
    say(clean(line[:LONGEST_ECHO]))
    return line
