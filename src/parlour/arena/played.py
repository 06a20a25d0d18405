"""A game that was played, and all that is kept of it beside the record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from parlour.core.record import Record


@dataclass(frozen=True)
class Marks:
    """How one seat's moves of one game stand beside the truth."""

    judged: int = 0  # moves that could be judged, forced ones left out
    given: float = 0.0  # points given away in all: a win for a loss is 1, for a draw a half
    won: int = 0  # moves made in a won position
    kept: int = 0  # those of them that kept it won
    mistake: int | None = None  # the first move that gave something away, by its number in the game


@dataclass(frozen=True)
class Played:
    """A game that is over.

    `fault` says in a word how a player lost against itself: `time`, `illegal`, `crash`, `garbage`,
    `memory`, `processes`, `start`, `output`; `log` what its author should see.
    """

    id: str
    record: Record
    margin: float | None = None  # of the first seat, in discs, where the game counts any
    fault: str = ""
    at: int | None = None  # the seat whose fault it was
    log: str = ""
    thought: tuple[float, ...] = ()  # seconds, by seat
    marks: tuple[Marks, ...] = ()  # by seat; none where the truth is not known

    @property
    def points(self) -> tuple[float, float]:
        """1, a half or 0 for either seat."""
        one, other = self.record.result or (0, 0)
        return (1 + one) / 2, (1 + other) / 2

    def to_json(self) -> str:
        """The game on one line of ASCII, its record last."""
        told: dict[str, Any] = vars(self) | {"marks": [vars(each) for each in self.marks]}
        told["record"] = vars(self.record)  # by hand, for asdict takes ten times as long
        return json.dumps(told)

    @classmethod
    def from_json(cls, line: str) -> Played:
        """The game on such a line; `BadText` or `KeyError` for any other."""
        told = json.loads(line)
        told["record"] = Record.from_json(json.dumps(told["record"]))
        told["marks"] = tuple(Marks(**each) for each in told["marks"])
        told["thought"] = tuple(told["thought"])
        return cls(**told)
