"""The clocks that a form offers: seconds for the game and each move, or days for each move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from parlour.core import say


@dataclass(frozen=True)
class ClockChoice:
    """One clock of the list."""

    label: str
    clock: tuple[float, float] | None = None  # seconds for the game, and for each move
    days: int = 0  # for each move


class Clocked(Protocol):
    """A table, a set-up or a challenge."""

    @property
    def clock(self) -> tuple[float, float] | None: ...
    @property
    def days(self) -> int: ...


CLOCKS = {
    "": ClockChoice(say("No clocks")),
    "60+0": ClockChoice(say("1 minute each"), (60.0, 0.0)),
    "300+3": ClockChoice(say("5 minutes + 3 seconds per move"), (300.0, 3.0)),
    "600+5": ClockChoice(say("10 minutes + 5 seconds per move"), (600.0, 5.0)),
    "1d": ClockChoice(say("1 day a move"), days=1),
    "3d": ClockChoice(say("3 days a move"), days=3),
    "7d": ClockChoice(say("7 days a move"), days=7),
}


def read_clock(key: str) -> ClockChoice:
    """Return the clock that a form names, or none."""
    return CLOCKS.get(key, CLOCKS[""])


def clock_key(thing: Clocked) -> str:
    """Return the key of a clock in the list, or nothing."""
    found = (thing.clock, thing.days)
    return next((key for key, each in CLOCKS.items() if (each.clock, each.days) == found), "")


def list_clocks() -> list[tuple[str, str]]:
    """List key and label of every clock."""
    return [(key, each.label) for key, each in CLOCKS.items()]
