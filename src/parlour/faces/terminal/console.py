"""Printing and reading lines, for a person at a terminal and for a script in a pipe alike.

Exact values are printed as filled marks; estimates are outlined and carry `≈`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from parlour.core import Game, Move, State, protocol

MARKS = {"win": "▲", "draw": "●", "loss": "▼"}
OUTLINED = {"win": "△", "draw": "○", "loss": "▽"}

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


class Leave(Exception):
    """Raised where a person wants to stop."""


def ask_beside(prompt: str, commands: str, shown: Mapping[str, Callable[[], str]]) -> str:
    """Return what is typed, after the commands that only show something were obeyed.

    `commands` is what `help` shows; `Leave` is raised where somebody wants to stop.
    """
    while True:
        typed = ask(prompt).strip()
        word = typed.casefold()
        if word in ("quit", "exit", "leave", "stop"):
            raise Leave
        if word in ("help", "?", "h"):
            say(commands)
        elif word in shown:
            say(shown[word]())
        else:
            return typed


def list_moves(game: Game, state: State, moves: Sequence[Move], most: int) -> str:
    """List moves in the words of the variant, and say how many there are if they are too many."""
    text = ", ".join(protocol.describe_move(game, state, move) for move in moves[:most])
    return text + (f", … ({len(moves)} in all)" if len(moves) > most else "")


def mark(outcome: str, *, exact: bool = True) -> str:
    """Return the mark of an outcome."""
    return (MARKS if exact else OUTLINED)[outcome]


def format_score(score: float, *, exact: bool = True) -> str:
    """`+38`, `-2`, `0`; an estimate as `≈ +1`"""
    return ("" if exact else "≈ ") + (f"{score:+g}" if round(score, 6) else "0")


def clean(text: str) -> str:
    """Make a text printable, and shorten it to a readable length."""
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT - 1] + "…"
    return "".join(map(_clean_char, text))


def _clean_char(char: str) -> str:
    if char.isprintable() or char in JOINERS or char == "\n":
        return char
    return " " if char.isspace() else "�"
