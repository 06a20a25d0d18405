"""The things that are kept: tables, set-ups, talks, trainings, tournaments and their pairings.

Each is a frozen value with an id, a version that counts its changes, and the time of the last one.
None holds a live object: a table is its record and who sits where, and everything else replays from
that. Lists become tuples when a thing is made, so that what is read back equals what was put away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.core import Record

NESTED = frozenset({tuple, list, dict})


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person, who owns the seat, or a bot, or nobody yet."""

    kind: str  # "person", "bot" or "open"
    name: str = ""
    bot: str = ""  # a bot and its options, as the registry reads them
    owner: str = ""


@dataclass(frozen=True, kw_only=True)
class Thing:
    """What all things have; version and time are the shelf's to set."""

    id: str
    version: int = 0
    changed: float = 0.0  # seconds since the epoch

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if type(value) in NESTED:
                object.__setattr__(self, name, _tuples(value))


def _tuples(value: Any) -> Any:
    """The same with tuples for lists, however deep."""
    if isinstance(value, dict):
        return {name: _tuples(item) for name, item in value.items()}
    if type(value) in NESTED:
        return tuple([_tuples(item) if type(item) in NESTED else item for item in value])
    return value


def _seated(seats: tuple[Any, ...]) -> tuple[Seat, ...]:
    return tuple([seat if isinstance(seat, Seat) else Seat(**seat) for seat in seats])


@dataclass(frozen=True, kw_only=True)
class Table(Thing):
    """A game that is played, or was, and who sits where."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    moves: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    result: tuple[int, ...] | None = None
    reason: str = ""
    pace: str = "self"  # "self": bots play by themselves; "ok": they wait to be told
    agreed: int = 0  # how many moves everybody has taken note of
    clock: tuple[float, float] | None = None  # seconds for the game, and for each move
    offer: str = ""  # "undo 0": what is offered, and by which seat
    next: str = ""  # the table of the rematch
    setup: str = ""
    begun: float = 0.0
    turned: float = 0.0  # when the present turn began
    listed: bool = False
    creator: str = ""  # the client that made it, for whom its bots think

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seats", _seated(self.seats))

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.result is not None

    @property
    def bots(self) -> bool:
        """Whether any bot sits there."""
        return any(seat.kind == "bot" for seat in self.seats)

    @property
    def played(self) -> bool:
        """Whether any move was made."""
        return bool(self.moves)

    def record(self) -> Record:
        """The game so far, as the referee takes it."""
        return Record(
            game=self.game,
            options=self.options,
            players=tuple([seat.bot or f"human {seat.name}".strip() for seat in self.seats]),
            moves=self.moves,
            seconds=self.seconds,
            result=self.result,
            reason=self.reason,
        )


@dataclass(frozen=True, kw_only=True)
class Setup(Thing):
    """What somebody wants to play next: the menu of one browser."""

    owner: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    pace: str = "self"
    clock: tuple[float, float] | None = None
    listed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seats", _seated(self.seats))


@dataclass(frozen=True, kw_only=True)
class Talk(Thing):
    """What was said to Benedict and by him; its id is the browser's."""

    session: str = ""  # as the host writes it
    lines: tuple[tuple[str, str], ...] = ()  # who, "you" or "benedict", and what
    choices: tuple[str, ...] = ()  # the answers he offers to what he said last


@dataclass(frozen=True, kw_only=True)
class Training(Thing):
    """Hats that learn, and how far they are to go."""

    owner: str
    name: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    target: int = 0
    hats: str = ""  # as they are written to a file
    state: str = "on"  # "on", "paused", "done" or "failed"
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Tournament(Thing):
    """Bots that meet in games; each meeting is a pairing of its own."""

    owner: str
    name: str
    games: tuple[Mapping[str, Any], ...] = ()  # each {"game": name, "options": options}
    bots: tuple[str, ...] = ()
    rounds: int = 1
    state: str = "on"
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Pairing(Thing):
    """One game of a tournament; it goes when the tournament goes."""

    tournament: str
    number: int
    game: int = 0  # which of the tournament's games
    seats: tuple[int, ...] = ()  # which of its bots sits where
    points: tuple[float, ...] = ()  # of each seat, once it is played
    state: str = "waiting"  # "waiting", "on", "done" or "failed"
    note: str = ""  # why it failed
    table: str = ""  # where it can be looked at
