"""Sums in a line, worked out exactly: `what is 17 times 3`, `3 + 4 * 5`, `a third of 14`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from fractions import Fraction

from parlour.host.language import Line, read_pairs

SPOKEN = read_pairs("talk/sums.txt")["spoken"]  # operations in words, as signs
NUMBER = r"-?\d+(?:\.\d+)?"
STEP = rf" ?([-+/*^%x×÷]) ?({NUMBER})"
SUM = re.compile(rf"(?<![\w.])(?<!\d )({NUMBER})((?:{STEP})+)(?![.\w]*\w)")
MAX_DIGITS, MAX_POWER = 15, 64
MAX_PARTS = 20
MAX_DECIMALS = 4
MAX_LETTERS = 40


def work_out(line: Line) -> str:
    """Return the result of the sum in a line, as one writes it; nothing if there is none."""
    spoken = line.plain
    for words, sign in SPOKEN.items():
        spoken = re.sub(rf"\b{words}(?!\w)", sign, spoken)
    found = SUM.search(line.text[:200]) or SUM.search(spoken)
    if found is None:
        return ""
    parts = [found[1], *(part for step in re.findall(STEP, found[2]) for part in step)]
    if len(parts) > MAX_PARTS or max(map(len, parts)) > MAX_DIGITS:
        return ""
    try:
        result = _write(_evaluate(parts))
    except (ValueError, ArithmeticError):  # it has no result, or one that is too large
        return ""
    return result if len(result) <= MAX_LETTERS else ""


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or not 0 <= exponent <= MAX_POWER:
        raise ValueError("this is too large")
    return Fraction(base ** int(exponent))


OPERATIONS: dict[str, tuple[int, Callable[[Fraction, Fraction], Fraction]]] = {
    "+": (1, operator.add), "-": (1, operator.sub),
    "*": (2, operator.mul), "x": (2, operator.mul), "×": (2, operator.mul),
    "/": (2, operator.truediv), "÷": (2, operator.truediv), "%": (2, operator.mod),
    "^": (3, _power),
}  # fmt: skip


def _evaluate(parts: list[str], least: int = 1) -> Fraction:
    """Work out numbers and signs from the left, as far as these bind so tightly; use them up."""
    value = Fraction(parts.pop(0))
    while parts and OPERATIONS[parts[0]][0] >= least:
        tight, apply = OPERATIONS[parts.pop(0)]
        value = apply(value, _evaluate(parts, tight + 1))
    return value


def _write(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    decimals = f"{float(value):.{MAX_DECIMALS}f}".rstrip("0")
    return decimals if Fraction(decimals) == value else f"{value}, about {float(value):.2f}"
