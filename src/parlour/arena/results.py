"""A game that was played, and all that is kept of it beside the record.

What has been played, in a folder: one line a game, written as soon as it is over.

A game is found again by its identity, which depends on all that decides it. So a tournament goes on
from where it was, a league plays only what its changed bots make new, and a half-written last line,
left by a machine that was switched off, costs that one game.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.core import BadFile, Record


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


NAME = "played.jsonl"


class Ledger:
    """The games kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.kept: dict[str, Played] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            text = self.path.read_bytes() if self.path.exists() else b""
            whole = text.rfind(b"\n") + 1
            if whole < len(text):
                os.truncate(self.path, whole)
        except OSError as trouble:
            raise BadFile(f"cannot keep games in {folder}: {trouble.strerror}") from None
        for line in text[:whole].splitlines():
            with contextlib.suppress(KeyError, TypeError, ValueError):
                played = Played.from_json(line.decode())
                self.kept[played.id] = played

    def add(self, games: Iterable[Played]) -> None:
        """Keep these games too; one that is known already is not kept twice."""
        new = [each for each in games if each.id not in self.kept]
        if not new:
            return
        lines = "".join(f"{each.to_json()}\n" for each in new)
        try:
            with self.path.open("ab") as file:
                file.write(lines.encode())
        except OSError as trouble:
            raise BadFile(f"cannot write {self.path}: {trouble.strerror}") from None
        self.kept |= {each.id: each for each in new}
