"""What the server answers, as frozen values; fields that a newer server adds are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from parlour.core import Game, State, registry

T = TypeVar("T")


def read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Return a value of a kind from JSON, without the fields it does not have."""
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in data.items() if name in names})


@dataclass(frozen=True)
class RemoteAccount:
    """A bot account as everybody may see it."""

    name: str
    description: str = ""
    games: list[str] = field(default_factory=list)  # all if empty
    here: bool = False  # whether its event stream is open
    created: float = 0.0  # seconds since 1970


@dataclass(frozen=True)
class RemoteSeat:
    """A seat at a table."""

    kind: str  # "person", "bot" or "open"
    name: str = ""
    bot: str = ""  # the bot of the house
    account: str = ""  # the bot account
    seconds_left: float | None = None


@dataclass(frozen=True)
class RemoteTable:
    """A game in play or over; seats count from 0."""

    id: str
    game: str
    version: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    seats: list[RemoteSeat] = field(default_factory=list)
    clock: list[float] | None = None
    days: int | None = None
    moves: list[str] = field(default_factory=list)
    position: str = ""
    legal: list[str] = field(default_factory=list)
    turn: int | None = None
    result: list[int] | None = None
    reason: str = ""
    offer: str = ""
    next: str = ""

    def __post_init__(self) -> None:
        seats = [
            each if isinstance(each, RemoteSeat) else read(RemoteSeat, each) for each in self.seats
        ]
        object.__setattr__(self, "seats", seats)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.result is not None

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != "open" for seat in self.seats)

    def load(self) -> tuple[Game, State]:
        """Return the game and the state of the position; the game must be installed here."""
        game: Game = registry.build("games", self.game, self.options)
        state = game.start()
        for text in self.moves:
            state = game.play(state, game.read_move(state, text))
        return game, state


@dataclass(frozen=True)
class RemoteChallenge:
    """An invitation to a game for two."""

    id: str
    state: str  # "open", "accepted", "declined", "cancelled" or "expired"
    game: str
    options: dict[str, Any] = field(default_factory=dict)
    challenger: Mapping[str, str] = field(default_factory=dict)  # name and account
    opponent: Mapping[str, str] | None = None  # the same; None while anybody may accept
    seat: int | None = None  # of the challenger
    clock: list[float] | None = None
    days: int | None = None
    expires: float = 0.0  # seconds since 1970
    reason: str = ""
    table: str = ""

    def is_for(self, account: str) -> bool:
        """Whether it waits for the answer of this account."""
        return self.state == "open" and (self.opponent or {}).get("account") == account


@dataclass(frozen=True)
class Event:
    """Something that happened to the account: `type` says what, `data` has everything."""

    id: int
    type: str  # "hello", "challenge", "game_start", "turn", "offer" or "game_end"
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> str:
        """The table that it is about, or nothing."""
        return str(self.data.get("table", ""))

    @property
    def challenges(self) -> list[RemoteChallenge]:
        """The challenges that it tells of."""
        found = [self.data["challenge"]] if "challenge" in self.data else []
        return [read(RemoteChallenge, each) for each in self.data.get("challenges", found)]

    @property
    def turns(self) -> list[str]:
        """The tables that wait for a move."""
        if self.type == "turn":
            return [self.table]
        return [str(each["table"]) for each in self.data.get("turns", ())]
