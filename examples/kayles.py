"""Kayles: pins in a row; knock down one, or two that stand side by side. Who takes the last wins.

A whole game in one file. Try it:

    parlour play examples/kayles.py --pins 9 --seat human --seat random

A state is `(turn, pins)` with one bit for every pin that stands. A move is `(first, how many)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import parlour


@dataclass(frozen=True)
class Kayles:
    """A row of pins, and each throw knocks down one or two neighbours."""

    name: ClassVar[str] = "kayles"
    seats: ClassVar[int] = 2
    loops: ClassVar[str] = "never"  # pins do not stand up again
    impartial: ClassVar[bool] = True  # both may throw at the same pins

    pins: int = parlour.option(13, "how many pins stand in the row", low=1, high=60)

    def __post_init__(self) -> None:
        parlour.settle(self)

    def start(self):
        return (0, (1 << self.pins) - 1)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        """From left to right, one pin before two."""
        _, pins = state
        throws = [(first, many) for first in range(self.pins) for many in (1, 2)]
        return tuple(throw for throw in throws if pins & self.mask(throw) == self.mask(throw))

    def play(self, state, move):
        turn, pins = state
        return (1 - turn, pins & ~self.mask(move))

    def result(self, state):
        turn, pins = state
        if pins:
            return None
        return (1, -1) if turn == 1 else (-1, 1)  # whoever threw last has won

    def key(self, state):
        """Only the lengths of the unbroken rows matter, in any order."""
        return tuple(sorted(len(row) for row in self.row(state).split(".") if row))

    def size(self):
        return 2**self.pins

    def write_move(self, move):
        first, many = move
        return str(first + 1) if many == 1 else f"{first + 1}-{first + 2}"

    def read_move(self, state, text):
        """`4` knocks down pin 4; `4-5` knocks down both."""
        found = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", "".join(text.split()))
        if not found:
            raise parlour.BadText(f"{text[:20]!r} is no throw; name a pin, or two like 4-5")
        first, last = int(found[1]), int(found[2] or found[1])
        if last - first not in (0, 1):
            raise parlour.IllegalMove("only pins side by side fall together, like 4-5")
        move = (first - 1, last - first + 1)
        if move not in self.moves(state):
            raise parlour.IllegalMove(self.why_not(state))
        return move

    def write(self, state):
        """`||.||:1`, the pins and the seat to move."""
        return f"{self.row(state)}:{state[0] + 1}"

    def read(self, text):
        found = re.fullmatch(r"([|.]+):([12])", "".join(text.split()))
        if not found or len(found[1]) != self.pins:
            raise parlour.BadText(
                f"{text[:20]!r} is not a position; draw all {self.pins} pins as | or . and the "
                "seat to move, like ||.||:1"
            )
        return (int(found[2]) - 1, sum(1 << i for i, pin in enumerate(found[1]) if pin == "|"))

    def draw(self, state):
        numbers = " ".join(f"{pin:2}" for pin in range(1, self.pins + 1))
        return f"{numbers}\n{'  '.join(' ' + pin for pin in self.row(state))}".replace("   ", "  ")

    def mask(self, move):
        first, many = move
        return (1 << many) - 1 << first

    def row(self, state):
        return "".join("|" if state[1] >> pin & 1 else "." for pin in range(self.pins))

    def why_not(self, state):
        if not state[1]:
            return "the game is over"
        return "those pins do not stand; throw at " + ", ".join(
            self.write_move(move) for move in self.moves(state)
        )
