"""What is to be played: who takes part, at which game, and under which conditions.

A plan is nothing but names and numbers, so that it can be written down, sent to another machine and
compared. Whoever has the same plan plays the same games: every game has its own seed, drawn from
the plan's and from who meets whom.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from parlour.core import (
    BadFile,
    BadOption,
    Clock,
    Game,
    ParlourError,
    describe,
    one_of,
    quote,
    registry,
    values,
)

KINDS = ("round-robin", "gauntlet", "swiss")
HOUSE, PYTHON, PROGRAM, GTP = "house", "python", "program", "gtp"
MOST_GAMES, MOST_ROUNDS, MOST_ELO = 100_000, 1000, 2000
LEAST_MEMORY = 64  # MiB, of which Python itself takes the half
Opening = tuple[str, ...]  # moves made before the players take over


@dataclass(frozen=True)
class Entry:
    """Somebody who takes part.

    A bot of the house is known by its name and options; anybody else runs apart, in a process of
    its own: a Python file, a program that speaks our line protocol, or one that speaks GTP.
    """

    name: str  # in tables and records
    kind: str  # house, python, program or gtp
    what: str  # the bot with its options; the path of the file; the command
    digest: str = ""  # of the file's content: another content is another player

    @property
    def apart(self) -> bool:
        """Whether it runs in a process of its own."""
        return self.kind != HOUSE


@dataclass(frozen=True)
class Limits:
    """What a bot that runs apart may use up."""

    memory: int = 1024  # MiB, all its processes together
    start: float = 20.0  # seconds until it is ready to play
    think: float = 60.0  # seconds for a move where there is no clock
    processes: int = 32  # threads counted too

    def __post_init__(self) -> None:
        if self.memory < LEAST_MEMORY:
            raise BadOption("memory", self.memory, f"it must be {LEAST_MEMORY} MiB or more")


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played."""

    game: str  # its name, or the file that defines it
    entries: tuple[Entry, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "round-robin"
    games: int = 2  # of any two who meet, half of them in either seating
    rounds: int = 0  # of a swiss; 0 for as many as it takes to find one winner
    openings: tuple[Opening, ...] = ((),)
    clock: Clock | None = None
    limits: Limits = Limits()
    decide: float | None = None  # Elo: two stop once it is clear who is so much stronger
    seed: int = 0
    rules: str = ""  # a digest of the file that defines the game: other rules are another game

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadOption("kind", self.kind, f"it must be {one_of(map(quote, KINDS))}")
        if not 2 <= self.games <= MOST_GAMES or self.games % 2:
            why = f"it must be an even number up to {MOST_GAMES:,}, for both seatings equally often"
            raise BadOption("games", self.games, why)
        if self.rounds and self.kind != "swiss":
            why = "only a swiss has rounds; elsewhere games says how many"
            raise BadOption("rounds", self.rounds, why)
        if not 0 <= self.rounds <= MOST_ROUNDS:
            raise BadOption("rounds", self.rounds, f"it must be 1 to {MOST_ROUNDS}")
        if self.decide is not None and not 1 <= self.decide <= MOST_ELO:
            raise BadOption("decide", self.decide, f"it must be 1 to {MOST_ELO} Elo points")
        if self.decide is not None and self.kind == "swiss":
            raise BadOption("decide", self.decide, "all rounds of a swiss are played")

    @classmethod
    def of(cls, game: Game, entries: Iterable[Entry], **conditions: Any) -> Plan:
        """The plan to have these play this game."""
        if game.seats != 2:
            raise ParlourError(
                f"bots meet in games between two, and {describe(game)} has {game.seats} seats"
            )
        file = registry.file_of(type(game))
        if not file:
            return cls(game.name, tuple(entries), values(game), **conditions)
        path = Path(file).resolve()
        rules = hashlib.sha256(path.read_bytes()).hexdigest()
        return cls(str(path), tuple(entries), values(game), rules=rules, **conditions)

    def make_game(self) -> Game:
        """The game that is played."""
        cls = registry.typed("games", self.game)
        if self.rules and hashlib.sha256(Path(self.game).read_bytes()).hexdigest() != self.rules:
            raise BadFile(f"{self.game} has changed since the tournament began; begin it again")
        made: Game = registry.made(cls, self.game, self.options)
        return made

    def to_json(self) -> str:
        """The plan on one line."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, line: str) -> Plan:
        """The plan on such a line."""
        data = json.loads(line)
        data["entries"] = tuple(Entry(**each) for each in data["entries"])
        data["openings"] = tuple(tuple(each) for each in data["openings"])
        data["clock"] = Clock(**data["clock"]) if data["clock"] else None
        data["limits"] = Limits(**data["limits"])
        return cls(**{each.name: data[each.name] for each in fields(cls)})


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played: who sits first, who second, and the how-manieth of the two.

    Meetings come in twos: games 0 and 1 of a pair have the same opening and the seats exchanged.
    """

    first: int  # numbers of entries
    second: int
    leg: int  # from 0; both games of a meeting have the same

    @property
    def pair(self) -> tuple[int, int]:
        """The two, the smaller number first."""
        return min(self.first, self.second), max(self.first, self.second)


def identity(plan: Plan, fixture: Fixture) -> str:
    """A name for a game that depends on all that decides it, and on nothing else.

    So a game that was played once need not be played again, also when others joined or left.
    """
    seats = [
        [entry.name, entry.kind, entry.what if not entry.digest else "", entry.digest]
        for entry in (plan.entries[fixture.first], plan.entries[fixture.second])
    ]
    told = [
        plan.rules or plan.game,
        plan.options,
        seats,
        opening(plan, fixture),
        fixture.leg,
        None if plan.clock is None else asdict(plan.clock),
        asdict(plan.limits) if any(plan.entries[e].apart for e in fixture.pair) else None,
        plan.seed,
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:20]


def opening(plan: Plan, fixture: Fixture) -> Opening:
    """The moves that are made before this game's players take over."""
    return plan.openings[fixture.leg % len(plan.openings)]


def seed_of(game: str, seat: int) -> int:
    """The seed of a player in a game: its own lots in every game, and the same ones everywhere."""
    return int.from_bytes(hashlib.sha256(f"{game} {seat}".encode()).digest()[:6])
