"""Printing and reading lines, for a person at a terminal and for a script in a pipe alike."""

from __future__ import annotations

import sys

MAX_TEXT = 20_000  # characters of one line or board
MAX_ECHO = 200  # characters of a line from a pipe
JOINERS = "\u200c\u200d"  # invisible, but some scripts need them


def say(text: str = "") -> None:
    """Print a text at once, also to a reader at the other end of a pipe."""
    print(text, flush=True)


def at_terminal() -> bool:
    """Return whether somebody is typing; a closed standard input is None in Python."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(prompt: str) -> str:
    """Return the line typed at the prompt; `EOFError` when there are no more.

    In a pipe the line is echoed, so that a transcript reads like a session, and the end of a very
    long one is dropped.
    """
    if at_terminal():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = last = "" if sys.stdin is None else sys.stdin.readline(MAX_TEXT)
    while last and not last.endswith("\n"):  # a long line is never held whole
        last = sys.stdin.readline(MAX_TEXT)
    if not line:
        print(flush=True)
        raise EOFError
    line = line.rstrip("\r\n")
    say(clean(line[:MAX_ECHO]))
    return line


def clean(text: str) -> str:
    """Make a text printable, and shorten it to a readable length."""
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT - 1] + "…"
    return "".join(map(_clean_char, text))


def _clean_char(char: str) -> str:
    if char.isprintable() or char in JOINERS or char == "\n":
        return char
    return " " if char.isspace() else "�"
