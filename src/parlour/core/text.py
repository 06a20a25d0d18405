"""Parts of sentences: quotations, and numbers as people type and read them.

Input may be 100 kB of anything, so quoting shortens and escapes it, and reading a number never
fails on its length.
"""

from __future__ import annotations

from parlour.core.sentences import say

MAX_QUOTE = 40
MAX_ERROR = 200
MAX_DIGITS = 18  # more than any count in any game, and far below what int() refuses


def quote(value: object) -> str:
    """The value as it can stand in a sentence: on one line, escaped and short."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python writes out
        return say("a number that long")
    except RecursionError:
        return say("lists nested that deep")
    if len(shown) > MAX_QUOTE:
        shown = shown[: MAX_QUOTE - 1] + "…"
    return shown


def conjugate(verb: str, who: str) -> str:
    """`take` for I and you, `takes` for anybody else"""
    third = "has" if verb == "have" else verb + ("es" if verb[-1] in "sxo" else "s")
    return verb if who in ("I", "you") else third


def format_signed(number: float, digits: int = 0) -> str:
    """`+12`, `0`, or a negative number with a sign as wide as the plus."""
    rounded = round(number, digits)
    return f"{rounded:+g}".replace("-", "−") if rounded else "0"


def describe_error(error: BaseException) -> str:
    """An unexpected error on one line: `ZeroDivisionError: division by zero`"""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:MAX_ERROR]}".removesuffix(": ")


def whole(digits: str) -> int:
    """The number in these decimal digits; one of more than 18 digits becomes 10**18 - 1."""
    return int(digits) if len(digits) <= MAX_DIGITS else int("9" * MAX_DIGITS)
