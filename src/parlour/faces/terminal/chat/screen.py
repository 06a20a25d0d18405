"""What a conversation looks like: plain text in a pipe, a little colour and a spinner for a person.

Nothing reaches a terminal as it came: whatever is no printable character is shown as `�`, so that
neither a typed line nor a reply can move the cursor or ring the bell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.core import ParlourError
from parlour.faces.terminal.console import at_terminal, say
from parlour.host import Reply

MOST_SHOWN = 20_000  # characters of one line or board
WIDEST = 96  # columns a sentence may fill; more is hard to read
JOINERS = "\u200c\u200d"  # invisible, and needed to write some alphabets
SGR = {
    "win": ("34", "38;5;32"),  # the blue, grey and vermilion of every face
    "draw": ("37", "38;5;245"),
    "loss": ("31", "38;5;166"),
    "quiet": ("2", "2"),
}
MARKS = {"▲": "win", "●": "draw", "▼": "loss"}


def clean(text: str) -> str:
    """The text as it can be shown: printable, and of a length that can be read."""
    if len(text) > MOST_SHOWN:
        text = text[: MOST_SHOWN - 1] + "…"
    return "".join(map(_shown, text))


def _shown(char: str) -> str:
    if char.isprintable() or char in JOINERS or char == "\n":
        return char
    return " " if char.isspace() else "�"


class Screen:
    """Where he speaks; `lively` when a person sits at a terminal that can do more than print."""

    def __init__(self) -> None:
        term = os.environ.get("TERM", "dumb")
        shown = sys.stdout is not None and sys.stdout.isatty()
        self.lively = at_terminal() and shown and term != "dumb"
        self.coloured = self.lively and not os.environ.get("NO_COLOR")
        self._rich = "256" in term or bool(os.environ.get("COLORTERM"))

    def show(self, reply: Reply) -> None:
        """His sentences, and the board under them."""
        for line in reply.lines:
            self._sentence(line)
        if reply.board:
            self._gap()
            say(clean(reply.board))
        self._gap()

    def note(self, text: str) -> None:
        """One sentence about the conversation itself."""
        say(self.ink(self._folded(clean(text)), "quiet"))
        self._gap()

    def trouble(self, trouble: BaseException) -> None:
        """What went wrong inside, in one sentence."""
        if isinstance(trouble, ParlourError):
            self.note(f"I could not do that: {trouble}.")
        else:
            self.note("I lost my thread; all is as it was (PARLOUR_TRACEBACK=1 shows where).")

    def ink(self, text: str, what: str) -> str:
        """The text in a colour, where there are any."""
        return f"\x1b[{SGR[what][self._rich]}m{text}\x1b[0m" if self.coloured else text

    def _sentence(self, line: str) -> None:
        for part in clean(line).split("\n"):
            shown = self._folded(part)
            for mark, what in MARKS.items():
                shown = shown.replace(mark, self.ink(mark, what))
            say(shown)

    def _folded(self, line: str) -> str:
        """The line in lines that fit, broken between words; in a pipe it stays one."""
        if not self.lively:
            return line
        columns = os.get_terminal_size(sys.stdout.fileno()).columns or 80
        wide = max(20, min(columns - 1, WIDEST))
        if len(line) <= wide:
            return line
        import textwrap

        indent = line[: len(line) - len(line.lstrip())][: wide // 2]
        return textwrap.fill(line, wide, subsequent_indent=indent, break_on_hyphens=False)

    def _gap(self) -> None:
        if self.lively:
            say()

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """A spinner, for a person who waits."""
        if not self.lively:
            yield
            return
        from rich.console import Console

        text = "Benedict is thinking; Ctrl-C interrupts him"
        with Console().status(text, spinner="dots", spinner_style="green"):
            yield
