"""What Benedict knows between two lines: a session is a value that can be stored and resumed.

It holds no live object, only names, options and texts: a game on the table is its record, and is
replayed from its moves for every line. Its fields are the keys of stored sessions, by their names
or by `STORED_KEYS`.
"""

from __future__ import annotations

import dataclasses
import json
import random
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.core import BadText, quote
from parlour.host.language import texts

MAX_LENGTH = 2_000_000  # characters of a stored session
MAX_KEPT = 200  # of anything that grows with the talk
STORED_KEYS = {"statements": "told"}  # fields that are stored by another name
CHOICES = (
    *("game", "let's have a conversation", "help", "goodbye", "nim", "chopsticks", "othello"),
    *("sticks", "tic-tac-toe", "resume", "forget me"),
)
IN_TALK = ("done", "why", "yes", "no", "goodbye")  # the choices in a talk


@dataclass(frozen=True)
class TaughtWord:
    """A word that somebody taught him."""

    word: str
    kind: str  # "noun", "verb" or "adjective"
    is_a: str = ""


@dataclass(frozen=True)
class Statement:
    """What the person said of a topic, in their own words."""

    topic: str
    words: str


@dataclass(frozen=True)
class Fact:
    """A fact that the person told about themselves or their people: `you.sister` is a nurse."""

    whose: str  # "you", or a path from there
    relation: str  # "name", "lives", "has", "favourite colour" …
    value: str  # as it is repeated: "Ann", "in Rome", "two dogs"
    turn: int = 0  # when it was told


@dataclass(frozen=True)
class LastLine:
    """The line before: what was typed, in which state, and the intent that he made of it."""

    text: str = ""
    state: str = ""
    intent: str = ""


@dataclass(frozen=True)
class Memories:
    """What he remembers of a person, in this talk and, if they agree, the next."""

    name: str = ""
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    words: tuple[TaughtWord, ...] = ()
    facts: tuple[Fact, ...] = ()
    misheard: tuple[LastLine, ...] = ()  # lines that the person corrected him about
    agreed: bool | None = None  # whether it may be kept for next time; None: not asked yet


@dataclass(frozen=True)
class Talk:
    """Where a conversation stands."""

    topic: str = ""
    asked: str = ""  # what he asked last, so that yes, no and why have a meaning
    recent: tuple[str, ...] = ()  # his last lines, so that none comes back too soon
    trail: tuple[str, ...] = ()  # the topics so far
    used: tuple[str, ...] = ()  # marks of what was done: lines used, facts given
    turns: int = 0  # lines on this topic


@dataclass(frozen=True)
class HostTable:
    """A game in the conversation: its options, who sits where, and the moves so far."""

    game: str
    options: Mapping[str, Any]
    players: tuple[str, ...]  # "human", or a bot with its options
    moves: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()  # moves that can be redone, the next one last
    swaps: tuple[int, ...] = ()  # the number of moves before each swap of sides
    reason: str = ""  # why it is over, when the rules alone do not show it
    result: tuple[int, ...] | None = None
    end: str = ""  # how it ended, likewise, as in a record


@dataclass(frozen=True)
class PuzzleAsked:
    """A puzzle that he has given, until it is put away."""

    game: str
    options: Mapping[str, Any]
    position: str
    level: int = 0  # that was asked for; 0 for any
    solved: bool = False  # or shown


@dataclass(frozen=True)
class Session:
    """The whole state of a conversation."""

    seed: int = 0
    turn: int = 0  # lines so far
    mode: str = "chat"  # "chat", "talk", "setup" or "game"
    question: str = ""  # what a yes or no would answer now
    pending: Mapping[str, Any] = field(default_factory=dict)  # slots of the act it would confirm
    wished: Mapping[str, Any] = field(default_factory=dict)  # slots of a game being set up
    table: HostTable | None = None
    saved: HostTable | None = None  # a game put aside
    played: HostTable | None = None  # the last game, when it is no longer on the table
    puzzle: PuzzleAsked | None = None
    talk: Talk = Talk()
    memory: Memories = Memories()
    last: LastLine = LastLine()
    over: bool = False

    def make_random(self) -> random.Random:
        """Return random numbers for this line: the same session gives the same reply."""
        return random.Random(f"{self.seed}:{self.turn}")

    def replace(self, **changes: Any) -> Session:
        """Return the session with some fields changed."""
        return dataclasses.replace(self, **changes)

    def to_json(self) -> str:
        """Write the session as one line of JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Session:
        """Read such a line; anything else raises `BadText`."""
        if len(text) > MAX_LENGTH:
            raise BadText("this is too long for a session")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise BadText(f"a session is one line of JSON, not {quote(text[:100])}") from None
        found: Session = _build(cls, data)
        return found


@dataclass(frozen=True)
class Reply:
    """An answer: sentences, a board to draw, and what may be said now."""

    session: Session
    lines: tuple[str, ...]
    board: str = ""
    choices: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether they have said goodbye."""
        return self.session.over

    def __str__(self) -> str:
        return "\n".join([*self.lines, *([self.board] if self.board else [])])


def greeting(session: Session) -> Reply:
    """Return what he says when somebody comes in; nothing has to be loaded first."""
    name = f", {session.memory.name}" if session.memory.name else ""
    lines = texts.fill_lines("lines/chat.txt", "greeting", name=name)
    return Reply(session, lines if session.saved else lines[:1], choices=CHOICES)


def to_json(part: Session | Memories | HostTable) -> str:
    """Write a session, or a part of one, as one line of JSON."""
    data = dataclasses.asdict(
        part, dict_factory=lambda fields: {STORED_KEYS.get(k, k): v for k, v in fields}
    )
    return json.dumps(data)


def _build(cls: Any, data: Any) -> Any:
    """Build a dataclass from plain data, each field of its own type and nothing else."""
    if not isinstance(data, dict):
        raise BadText(f"{quote(data)} cannot be part of a session")
    kinds = typing.get_type_hints(cls)
    names = {STORED_KEYS.get(name, name): name for name in kinds}
    for key in data.keys() - names.keys():
        raise BadText(f"a session has no {quote(key)}")
    try:
        return cls(**{names[key]: _read(kinds[names[key]], part) for key, part in data.items()})
    except TypeError as error:
        raise BadText(f"this session lacks something: {error}") from None


def _read(kind: Any, value: Any) -> Any:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _build(kind, value)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in parts:
            return None
        return _read(next(part for part in parts if part is not type(None)), value)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(parts[0], item) for item in value)
    if origin is Mapping and isinstance(value, dict):
        return value
    if isinstance(kind, type) and type(value) is kind:
        return value
    raise BadText(f"{quote(value)} cannot be part of a session")
