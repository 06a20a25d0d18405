"""Lines out and lines in, for a person at a terminal and for a script in a pipe alike."""

from __future__ import annotations

import sys


def say(text: str = "") -> None:
    """Show a text at once, also to a reader at the other end of a pipe."""
    print(text, flush=True)


def at_terminal() -> bool:
    """Whether somebody types; a closed input is None in Python, and there is nobody."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(prompt: str) -> str:
    """The line typed at the prompt; `EOFError` when there are no more.

    In a pipe nobody sees what is typed, so it is shown, and a transcript reads like a session.
    """
    if at_terminal():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        print(flush=True)
        raise EOFError
    line = line.rstrip("\r\n")
    say("".join(char if char.isprintable() else "�" for char in line[:200]))
    return line
