"""The clocks of a game as NBoard tells them: what each side began with, less what each move took.

`TI[5:00]` in the game is the time a side has for all its moves, and in `B[F5/1.5/2.4]` the last
number is the seconds that one took. A game without `TI` is not timed.
"""

from __future__ import annotations

import re

SECONDS = r"[0-9]{1,6}(?:\.[0-9]{0,20})?"
TOTAL = re.compile(r"(?<![A-Z])TI\[((?:[0-9]{1,4}:){1,2}[0-9]{1,4})")
SPENT = re.compile(rf"(?<![A-Z])([BW])\[[^\]/]*/[^\]/]*/({SECONDS})\]")
SOLVED = 6  # moves at the end that take no time, as the first of them has already been thought out
FEWEST = 3  # parts into which what is left is cut even so
LEAST = 0.5  # seconds for a move when nothing is left: people look at games longer than they say


def read_clocks(ggf: str) -> list[float] | None:
    """The seconds that black and white have left at the end of this game; None if not timed."""
    total = TOTAL.search(ggf)
    if total is None:
        return None
    seconds = 0.0
    for part in total[1].split(":"):
        seconds = 60 * seconds + int(part)
    left = [seconds, seconds]
    for side, spent in SPENT.findall(ggf):
        left["BW".index(side)] -= float(spent)
    return left


def share(left: float, empties: int) -> float:
    """How much of what a side has left its next move may take."""
    to_come = (empties + 1) // 2
    return max(LEAST, left / max(FEWEST, to_come - SOLVED))
