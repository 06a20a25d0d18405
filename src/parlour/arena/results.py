"""The results of a tournament: the data of each game besides its record, and the file they are in.

A game is found again by its identity, which depends on everything that decides it. So a tournament
resumes where it stopped, a league plays only the games that its changed bots make new, and a
half-written last line, left by a machine that was switched off, costs that one game.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from parlour.arena.plan import Fixture, Plan, game_id
from parlour.core import ParlourError, Record, answers, files, say

FILE = "played.jsonl"
STORED_KEYS = {"accuracy": "marks", "faulty_seat": "at"}  # those that differ from the attributes
MAX_REASON = 300  # characters
MAX_LOG = 8_000

FaultKind: TypeAlias = Literal[
    "time", "illegal", "crash", "garbage", "memory", "processes", "start", "output"
]


class Fault(ParlourError):
    """How a bot lost through its own error; the text follows `player 2 (O) ` in a record."""

    def __init__(
        self, fault: FaultKind, reason: str, log: str = "", choice: str = "", refusal: str = ""
    ) -> None:
        super().__init__(fault, reason, log, choice, refusal)
        self.fault: FaultKind = fault
        self.log = "\n".join(map(printable, log.splitlines()))[-MAX_LOG:]
        self.choice = choice  # the illegal move as text
        self.refusal = refusal  # why it is illegal

    @classmethod
    def illegal(cls, choice: str, refusal: str, log: str = "") -> Fault:
        """Return the fault of a bot that chose an illegal move."""
        reason = say(
            "chose {choice}, which is not a legal move: {refusal}", choice=choice, refusal=refusal
        )
        return cls("illegal", reason, log, choice, refusal)

    @property
    def text(self) -> str:
        """Why it lost, as given; whatever could break a line or a file is replaced in it."""
        reason: str = self.args[1]
        said = clean_reason(reason)
        return reason if reason == said else said

    def __str__(self) -> str:
        return str(self.text)


def printable(text: str) -> str:
    """Replace what would control a terminal or break a file by question marks."""
    return "".join(each if each.isprintable() else "?" for each in text.expandtabs())


def clean_reason(text: str) -> str:
    """Put a reason on one line of printable characters, and cut it to a length."""
    return printable(" ".join(text.split()))[:MAX_REASON]


class ProcessLost(RuntimeError):
    """A process of ours that a bot needs has died, which is not the bot's fault."""


@dataclass(frozen=True)
class Accuracy:
    """How one seat's moves of one game compare with the exact values."""

    judged: answers.Natural = 0  # moves that could be judged, without forced ones
    given: float = 0.0  # points given away in all: a win for a loss is 1, for a draw a half
    won: answers.Natural = 0  # moves made in a won position
    kept: answers.Natural = 0  # those of them that kept it won
    # The first move that gave something away, by its number in the game
    mistake: answers.Natural | None = None

    def __add__(self, other: Accuracy) -> Accuracy:
        """Return the counts of two games together."""
        return Accuracy(
            judged=self.judged + other.judged,
            given=self.given + other.given,
            won=self.won + other.won,
            kept=self.kept + other.kept,
        )


@dataclass(frozen=True)
class GameResult:
    """A game that is over.

    `fault` says how a player lost through its own error, and `log` is what its author should see.
    If it was an illegal move, `choice` and `refusal` are as in `Fault`.
    """

    id: str
    record: Record
    margin: float | None = None  # of the first seat, in discs, where the game counts any
    fault: FaultKind | Literal[""] = ""
    faulty_seat: int | None = None
    log: str = ""
    choice: str = ""
    refusal: str = ""
    why: str = ""  # what the record says after the name of the seat at fault
    thought: tuple[float, ...] = ()  # seconds, by seat
    accuracy: tuple[Accuracy, ...] = ()  # by seat; empty where the values are not known
    movers: tuple[int, ...] = ()  # by ply; empty where the seats moved in turn

    @property
    def points(self) -> tuple[float, float]:
        """1, a half or 0 for either seat."""
        one, other = self.record.result or (0, 0)
        return (1 + one) / 2, (1 + other) / 2

    def plies_of(self, seat: int) -> Sequence[int]:
        """Return the plies at which a seat moved, without those of the opening."""
        start, end = self.record.opening, len(self.record.moves)
        if self.movers:
            return [ply for ply in range(start, end) if self.movers[ply] == seat]
        return range(start + (start + seat) % 2, end, 2)

    def to_json(self) -> str:
        """Write the game on one line of ASCII, its record last."""
        data: dict[str, Any] = {STORED_KEYS.get(name, name): v for name, v in vars(self).items()}
        data["marks"] = [vars(each) for each in self.accuracy]
        data["record"] = vars(self.record)  # asdict would take ten times as long
        if not self.movers:
            del data["movers"]
        return json.dumps(data)

    @classmethod
    def from_json(cls, line: str) -> GameResult:
        """Read the game on such a line; `BadText` or `KeyError` for any other."""
        data = json.loads(line)
        data["record"] = Record.from_json(json.dumps(data["record"]))
        data["accuracy"] = tuple(Accuracy(**each) for each in data.pop("marks"))
        data["faulty_seat"] = data.pop("at")
        data["thought"] = tuple(data["thought"])
        data["movers"] = tuple(data.get("movers", ()))
        return cls(**data)


class Results:
    """The results of a tournament, in memory; kept elsewhere, several processes may share them."""

    is_paused = False  # whether no more games should be played for now

    def __init__(self) -> None:
        self.games: dict[str, GameResult] = {}

    def find(self, plan: Plan, fixtures: Sequence[Fixture]) -> Mapping[Fixture, GameResult]:
        """Return the results of those games that are over."""
        ids = {game_id(plan, fixture): fixture for fixture in fixtures}
        return {ids[each]: self.games[each] for each in ids.keys() & self.games.keys()}

    def claim(self, fixtures: Collection[Fixture], number: int) -> list[Fixture]:
        """Choose up to this number of games that nobody else plays, for this process to play."""
        return list(islice(fixtures, number))

    def release(self, fixtures: Sequence[Fixture]) -> None:
        """Give back games that were claimed and not played."""

    def add(self, games: Mapping[Fixture, GameResult]) -> None:
        """Keep these results."""
        self.games |= {each.id: each for each in games.values()}

    def fail(self, fixture: Fixture, error: ParlourError) -> GameResult:
        """Raise the error of a game that cannot be played, or note it where the others go on."""
        raise error


class ResultsLog(Results):
    """The results in a folder: one line per game, written as soon as it is over."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / FILE
        with files.explain_errors("keep games in", folder):
            folder.mkdir(parents=True, exist_ok=True)
            text = self.path.read_bytes() if self.path.exists() else b""
            complete = text.rfind(b"\n") + 1
            if complete < len(text):
                os.truncate(self.path, complete)
        for line in text[:complete].splitlines():
            with contextlib.suppress(KeyError, TypeError, ValueError):
                game = GameResult.from_json(line.decode())
                self.games[game.id] = game

    def add(self, games: Mapping[Fixture, GameResult]) -> None:
        """Keep these results; a game that is known already is not kept twice."""
        new = [each for each in games.values() if each.id not in self.games]
        lines = "".join(f"{each.to_json()}\n" for each in new)
        with files.explain_errors("write", self.path), self.path.open("ab") as file:
            file.write(lines.encode())
        super().add(games)
