"""What a game is: a handful of pure verbs over plain hashable values.

A game is any frozen dataclass that has these names; there is no base class to inherit. States and
moves are plain tuples of ints, the fastest thing Python can make, compare and hash. The verbs never
change what they are given, so a state can be kept, shared and searched from.

Who plays: a person, a bot, a foreign engine or a set of hats are the same kind of thing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

State: TypeAlias = Any
Move: TypeAlias = Any
Result: TypeAlias = tuple[int, ...]

VERBS = (
    *("name", "seats", "start", "turn", "moves", "play", "result"),
    *("write_move", "read_move", "write", "read", "draw"),
)


@runtime_checkable
class Game(Protocol):
    """The verbs every game has.

    Besides, it may have `key`, `score`, `size`, `loops`, `marks` and `impartial`.
    """

    @property
    def name(self) -> str:
        """What people call it, in one lower-case word."""

    @property
    def seats(self) -> int:
        """How many play."""

    def start(self) -> State:
        """The first state."""

    def turn(self, state: State) -> int:
        """The seat to move, from 0."""

    def moves(self, state: State) -> Sequence[Move]:
        """All legal moves in a fixed order; none exactly when `result` is not None."""

    def play(self, state: State, move: Move) -> State:
        """The next state; an illegal move raises `IllegalMove` with the reason."""

    def result(self, state: State) -> Result | None:
        """None while it goes on, else +1, 0 or -1 for every seat."""

    def write_move(self, move: Move) -> str:
        """The move as text that `read_move` takes back."""

    def read_move(self, state: State, text: str) -> Move:
        """The legal move meant, forgiving case and spaces; else `BadText` or `IllegalMove`."""

    def write(self, state: State) -> str:
        """The position on one line, to paste anywhere."""

    def read(self, text: str) -> State:
        """The position such a line describes; else `BadText`."""

    def draw(self, state: State) -> str:
        """The board as text, readable by a screen reader."""


def key(game: Game, state: State) -> Hashable:
    """The situation as the mover sees it: one key for all states that are alike to play."""
    find = getattr(game, "key", None)
    found: Hashable = find(state) if find else state
    return found


def can_repeat(game: Game) -> bool:
    """Whether play may come back to a position, so that a referee has to watch for it.

    A game that cannot says so by a `loops` other than "allowed", the default.
    """
    return getattr(game, "loops", "allowed") == "allowed"


def seat_name(game: Game, seat: int) -> str:
    """`player 1`, or `player 1 (X)` where the seats have marks on the board."""
    marks = getattr(game, "marks", ())
    return f"player {seat + 1}" + (f" ({marks[seat]})" if marks else "")


class Resigns(Exception):
    """Raised by `choose` to give the game up; the text says why, if there is a reason."""


@runtime_checkable
class Player(Protocol):
    """Chooses moves. Drivers may call these on players that have them:

    `clock(seconds_left)` comes before a choice, and `follow(game, moves)` with the moves that led
    there, as text; `stop()` may come from any thread and asks for an answer now; `learn(record)`
    comes after a game, and `close()` when no more will be asked.
    """

    def choose(self, game: Game, state: State) -> Move:
        """A legal move in this state, which is never an ended one."""


class Bot(Player, Protocol):
    """A player with a name and options, that knows which variants it can play."""

    @property
    def name(self) -> str:
        """What people call it, in one lower-case word."""

    def plays(self, game: Game) -> str:
        """How well it plays this game, in a few words; empty when it does not."""
