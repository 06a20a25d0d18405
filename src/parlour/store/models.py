"""What is stored: tables, set-ups, people, talks, trainings, tournaments and their pairings, bot
accounts, challenges, feeds, and classes with their pupils.

Each is a frozen value with an id, a version that counts its changes, and the time of the last one.
None holds a live object: a table is its record and who sits where, and everything else replays from
that. Lists become tuples, so that what is read back equals what was stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.core import Record

NESTED = frozenset({tuple, list, dict})


@dataclass(frozen=True)
class Seat:
    """A seat at a table: a person, who owns it, or a bot, or still open."""

    kind: str  # "person", "bot" or "open"
    name: str = ""
    bot: str = ""  # a bot and its options, as the registry reads them
    owner: str = ""
    account: str = ""  # the name of the bot account that owns it


@dataclass(frozen=True, kw_only=True)
class Model:
    """What all models have; the repository sets version and time."""

    id: str
    version: int = 0
    changed: float = 0.0  # seconds since the epoch

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if type(value) in NESTED:
                object.__setattr__(self, name, _tuples(value))


def _tuples(value: Any) -> Any:
    """Replace lists by tuples, at every depth."""
    if isinstance(value, dict):
        return {name: _tuples(item) for name, item in value.items()}
    if type(value) in NESTED:
        return tuple([_tuples(item) if type(item) in NESTED else item for item in value])
    return value


@dataclass(frozen=True, kw_only=True)
class GameModel(Model):
    """What belongs to a game with its options."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Seated(GameModel):
    """A game with its options, and who sits where."""

    seats: tuple[Seat, ...] = ()
    pace: str = "self"  # "self": bots play at once; "ok": after somebody says Ok
    clock: tuple[float, float] | None = None  # seconds for the game, and for each move
    days: int = 0  # for each move, by a slow clock; 0 without one
    listed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        seats = [seat if isinstance(seat, Seat) else Seat(**seat) for seat in self.seats]
        object.__setattr__(self, "seats", tuple(seats))


@dataclass(frozen=True, kw_only=True)
class Table(Seated):
    """A game in play or over."""

    moves: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    result: tuple[int, ...] | None = None
    reason: str = ""  # why it ended, where it was not by the rules
    end: str = ""  # how, likewise, as in a record
    agreed: int = 0  # number of moves that were acknowledged
    offer: str = ""  # "undo 0": what is offered, and by which seat
    next: str = ""  # the table of the rematch
    setup: str = ""
    begun: float = 0.0
    turned: float = 0.0  # when the present turn began
    rated: bool = False  # whether the result counts for the ratings of two people
    agreeing: tuple[int, ...] = ()  # the seats that want a rematch
    asked: tuple[int, ...] = ()  # the seats that have offered a draw since the last move
    creator: str = ""  # the client that created it
    counts_for: str = ""  # "homework ID PUPIL" or "rounds ID NUMBER", where a class counts it

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.result is not None

    @property
    def bots(self) -> bool:
        """Whether a bot has a seat."""
        return any(seat.kind == "bot" for seat in self.seats)

    @property
    def played(self) -> bool:
        """Whether a move was made."""
        return bool(self.moves)

    @property
    def slow(self) -> bool:
        """Whether the players have days for each move."""
        return bool(self.days)

    def record(self) -> Record:
        """Return the record of the game so far."""
        return Record(
            game=self.game,
            options=self.options,
            players=tuple([seat.bot or f"human {seat.name}".strip() for seat in self.seats]),
            moves=self.moves,
            seconds=self.seconds,
            result=self.result,
            reason=self.reason,
            end=self.end,
        )


@dataclass(frozen=True, kw_only=True)
class Setup(Seated):
    """The menu of one browser: what it wants to play next."""

    owner: str


@dataclass(frozen=True, kw_only=True)
class Person(Model):
    """What somebody has chosen for themselves; the id is the owner of their seats."""

    name: str = ""  # as others see it, where nothing else was typed
    rated: bool = False  # whether their games with people may be rated


@dataclass(frozen=True, kw_only=True)
class Talk(Model):
    """A browser's conversation with Benedict; its id is the browser's."""

    session: str = ""  # as JSON
    lines: tuple[tuple[str, str], ...] = ()  # speaker, "you" or "benedict", and text
    choices: tuple[str, ...] = ()  # answers he suggests


@dataclass(frozen=True, kw_only=True)
class Training(GameModel):
    """Hats that learn, and how many games they should play."""

    owner: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    target: int = 0
    hats: str = ""  # as in a file
    state: str = "on"  # "on", "paused", "done" or "failed"
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Tournament(Model):
    """A tournament of bots; each of its games is a pairing."""

    owner: str
    name: str
    games: tuple[Mapping[str, Any], ...] = ()  # each {"game": name, "options": options}
    bots: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # what the bots are called, where that is not what they are
    rounds: int = 1
    state: str = "on"
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class StoredPuzzle(GameModel):
    """A puzzle that somebody was asked, and how people fare with it."""

    position: str = ""
    difficulty: float = 0.0
    level: int = 1
    results: tuple[tuple[float, bool], ...] = ()  # the rating of who met it, and whether solved


@dataclass(frozen=True, kw_only=True)
class PuzzleCard(Model):
    """What somebody answered to a puzzle, and when; the schedule follows from it.

    A mistake in a game of their own is no answer: it brings the puzzle back and rates nobody.
    """

    owner: str
    puzzle: str
    game: str
    rating: float = 0.0  # of the puzzle when it was first met
    answers: tuple[tuple[float, bool], ...] = ()  # when, and whether right
    table: str = ""  # the own game it comes from
    missed: float = 0.0  # when it was missed there


@dataclass(frozen=True, kw_only=True)
class StoredStudy(GameModel):
    """A study of one person, which whoever has its link can read; a public one is listed."""

    owner: str
    public: bool = False
    title: str = ""
    position: str = ""
    nodes: tuple[Mapping[str, Any], ...] = ()  # as a study is written


@dataclass(frozen=True, kw_only=True)
class Homework(GameModel):
    """Something that a teacher has set a class."""

    class_id: str
    kind: str  # "puzzles", "beat", "hats" or "bot"
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)  # what is asked for, by kind
    points: float = 10.0  # for all of it
    begun: float = 0.0  # when it was set, in seconds since the epoch
    due: float = 0.0  # after which nothing counts; 0 for no end


@dataclass(frozen=True, kw_only=True)
class PupilWork(Model):
    """What a pupil has done of a homework; deleted with either."""

    homework: str
    pupil: str
    done: Mapping[str, Any] = field(default_factory=dict)  # by kind; times are since the epoch


@dataclass(frozen=True, kw_only=True)
class Pairing(Model):
    """One game of a tournament, deleted with it."""

    tournament: str
    number: int
    game: int = 0  # which of the tournament's games
    seats: tuple[int, ...] = ()  # which of its bots sits where
    points: tuple[float, ...] = ()  # of each seat, once it is played
    state: str = "waiting"  # "waiting", "on", "done" or "failed"
    note: str = ""  # why it failed
    table: str = ""  # where it can be looked at


@dataclass(frozen=True, kw_only=True)
class Account(Model):
    """The account of a bot that plays by the API."""

    handle: str  # its name in lower case, which no other account has
    origin: str  # a keyed hash of the address it was created from
    name: str
    description: str = ""
    games: tuple[str, ...] = ()  # that it plays; all if empty
    token: str = ""  # the hash of the token
    seen: float = 0.0  # when its event stream was last open; 0 when it has closed
    created: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Challenge(GameModel):
    """An invitation to a game for two; its id is not secret."""

    challenger: str  # the owner of the seat it will be
    opponent: str = ""  # the same of the one invited; empty for anybody
    state: str = "open"  # or "accepted", "declined", "cancelled" or "expired"
    challenger_name: str = ""
    challenger_account: str = ""
    opponent_name: str = ""
    opponent_account: str = ""
    seat: int | None = None  # of the challenger; None to draw lots
    clock: tuple[float, float] | None = None
    days: int = 0
    expires: float = 0.0
    reason: str = ""  # why it was declined
    table: str = ""  # where the game is played


@dataclass(frozen=True, kw_only=True)
class Feed(Model):
    """A secret address, its id, under which the games of an owner can be followed."""

    owner: str


@dataclass(frozen=True, kw_only=True)
class Classroom(Model):
    """A class that a teacher has opened; everything of it is deleted on the day it ends."""

    owner: str  # who opened it
    code: str  # with which pupils join
    ends: str  # the day on which it is deleted, as in "2026-12-24"
    name: str
    opened: float = 0.0  # seconds since the epoch
    teachers: tuple[str, ...] = ()  # those who have used the secret link, and the owner
    link: int = 0  # how many secret links were replaced
    closed: bool = False  # to newcomers
    question: str = ""  # the one on everybody's screen


@dataclass(frozen=True, kw_only=True)
class Pupil(Model):
    """Somebody in a class, known by a first name that is theirs alone there."""

    class_id: str
    owner: str  # their browser; empty while they are signed out
    handle: str  # the name as it is compared with others
    name: str
    key: str = ""  # with which they come back on another device
    joined: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Question(GameModel):
    """A position that a class was asked about, and what has been shown of the answers."""

    class_id: str
    number: int
    position: str = ""
    asked: float = 0.0
    shown: str = ""  # "" while pupils answer, then "spread", then "truth"
    truth: Mapping[str, Any] = field(default_factory=dict)
