"""A pseudo-terminal, with what a process or a thread of the test prints there."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pyte
import pytest

PARLOUR = [sys.executable, "-m", "parlour"]
PATIENCE = 120  # seconds; it only ends a hang
UNWANTED = ("NO_COLOR", "COLORTERM", "TERM", "PARLOUR_TRACEBACK")  # change what is shown
COLUMNS, ROWS = 80, 24  # of a new pseudo-terminal


class PseudoTerminal:
    """What was printed so far, how the screen looks, and the keyboard."""

    def __init__(self) -> None:
        self.keyboard, self.device = pty.openpty()
        self.settings = termios.tcgetattr(self.keyboard)  # as they were at first
        self.seen = self.shown = ""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)

    def open_files(self) -> tuple[TextIO, TextIO]:
        """Open standard input and output for a command of this process."""
        return os.fdopen(self.device, "r", closefd=False), os.fdopen(self.device, "w")

    @property
    def screen(self) -> str:
        """The screen as it looks now."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def expect(self, text: str, typing: str = "", again: str = "") -> None:
        """Type, and read until a text was printed; `again` is typed until it is."""
        self.type(typing)
        now = time.monotonic()
        deadline, due = now + PATIENCE, now
        while text not in self.seen and now < deadline:
            if again and now >= due:
                self.type(again)
                due = now + 2
            if select.select([self.keyboard], [], [], 0.05)[0] and not self.read():
                break
            now = time.monotonic()
        before, found, self.seen = self.seen.partition(text)
        assert found, f"{text!r} did not come; there is {before!r}"

    def read(self) -> bool:
        """Read what is there; False once the other side has gone."""
        try:
            new = os.read(self.keyboard, 65536).decode(errors="replace")
        except OSError:
            return False
        self.seen += new
        self.shown += new
        self._stream.feed(new)
        return True

    def read_rest(self) -> None:
        """Read what is there, without waiting for more."""
        while select.select([self.keyboard], [], [], 0)[0] and self.read():
            pass

    def type(self, text: str | bytes) -> None:
        """Press keys, reading what is printed meanwhile."""
        data = text.encode() if isinstance(text, str) else text
        while data:
            data = data[os.write(self.keyboard, data[:1024]) :]
            self.read_rest()


class Terminal(PseudoTerminal):
    """A process at a terminal of its own, as a person meets it."""

    def __init__(self, command: list[str], cwd: Path | None = None, **settings: str) -> None:
        super().__init__()
        plain = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        self.process = subprocess.Popen(
            command,
            preexec_fn=lambda: take_terminal(self.device),  # noqa: PLW1509  # for Ctrl-C
            cwd=cwd,
            env=plain | {"TERM": "xterm-256color"} | settings,
        )
        os.close(self.device)

    def exit_code(self) -> int:
        """Read until the process has ended, and return its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.keyboard], [], [], 0.05)[0]:
                self.read()
        code = self.process.wait(timeout=1)
        self.read_rest()
        return code

    def close(self) -> None:
        """End it, however far it has come."""
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)


def take_terminal(screen: int) -> None:
    """Make a terminal that of this process."""
    os.login_tty(screen)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may be under nohup


@pytest.fixture
def open_terminal() -> Iterator[Callable[..., Terminal]]:
    """Start `parlour`, or a program, with arguments at a terminal that ends with the test."""
    with contextlib.ExitStack() as stack:

        def start(*arguments: str, program: str = "", **settings: str) -> Terminal:
            command = [sys.executable, "-c", program] if program else PARLOUR
            terminal = Terminal([*command, *arguments], **settings)
            return stack.enter_context(contextlib.closing(terminal))

        yield start
