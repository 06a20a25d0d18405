"""What a solved game answers: the exact value of a position, its best moves, and the counts.

A value is for the seat to move. Its distance is in plies to the end, when the winner hurries and
the loser delays; a draw has none, and neither has a position known only by a closed form.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from parlour.core.display import make_frame, repr_html
from parlour.core.errors import BadOption, ParlourError
from parlour.core.protocol import Game, Move, State, key, to_move, to_state
from parlour.core.sentences import OUTCOME_NAMES, Text, count, say

F = TypeVar("F", bound=Callable[..., Any])

OUTCOMES = ("loss", "draw", "win")  # in rising order for the seat to move


@dataclass(frozen=True)
class Value:
    """The exact value of a position for the seat to move."""

    outcome: str
    plies: int | None = None

    @property
    def text(self) -> Text:
        """`win in 5`, or `draw`"""
        outcome = OUTCOME_NAMES[self.outcome]
        if self.plies is None:
            return outcome
        return say("{outcome} in {plies}", outcome=outcome, plies=self.plies)

    def __str__(self) -> str:
        return str(self.text)

    @property
    def rank(self) -> tuple[int, int]:
        """Larger is better for the mover: sooner wins, then draws, then later losses."""
        plies = self.plies or 0
        return (OUTCOMES.index(self.outcome), -plies if self.outcome == "win" else plies)

    def before(self, *, same_mover: bool) -> Value:
        """The value, to the player who makes it, of a move into a position of this value."""
        plies = None if self.plies is None else self.plies + 1
        if same_mover:
            return Value(self.outcome, plies)
        return Value(OUTCOMES[2 - OUTCOMES.index(self.outcome)], plies)


class TooLarge(ParlourError):
    """A game too large to solve; the text says how large, and what can be done instead."""


class Unsolved(ParlourError):
    """A question that has no exact answer here."""


def _take_text(method: F) -> F:
    """Let a method of a solution take positions and moves as text, and positions as arrays."""

    @functools.wraps(method)
    def ask(solution: Solution, state: State, *move: Move) -> Any:
        game = solution.game
        if type(state) is str:
            state = to_state(game, state)
        if move and type(move[0]) is str:
            state = to_state(game, state)
            move = (to_move(game, state, *move),)
        try:
            return method(solution, state, *move)
        except Exception as error:
            right = type(game.start())
            if type(state) is right:
                raise
            plain = to_state(game, state)
            if type(plain) is right:
                return method(solution, plain, *move)
            allowed = f"it must be a state of {game.name}, or a position as text"
            raise BadOption("state", state, allowed) from error

    return cast(F, ask)


class Solution(ABC):
    """A solved game: exact for every state it covers."""

    method: str = ""  # how it was solved, in a word or two
    _repr_html_ = repr_html

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("value", "after", "best"):
            if name in vars(cls):
                setattr(cls, name, _take_text(vars(cls)[name]))

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def value(self, state: State) -> Value:
        """The exact value of a position for the seat to move; `Unsolved` where none is known."""

    def is_proven(self, state: State) -> bool:
        """Whether the value of a position is at hand without another search."""
        return True

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """Distinct keys reachable from the start: won, lost and drawn for the mover, and ended."""

    def parts(self) -> dict[str, Any]:
        """The arrays to save, by name, from which the solution can be restored."""
        return {}

    @_take_text
    def after(self, state: State, move: Move) -> Value:
        """The value of a move to the player who makes it."""
        following = self.game.play(state, move)
        same = self.game.turn(following) == self.game.turn(state)
        return self.value(following).before(same_mover=same)

    @_take_text
    def best(self, state: State) -> tuple[Move, ...]:
        """The best moves: fastest win, else draw, else slowest loss; none in an ended position."""
        worth = [(self.after(state, move).rank, move) for move in self.game.moves(state)]
        top = max((rank for rank, _ in worth), default=None)
        return tuple(move for rank, move in worth if rank == top)

    def __len__(self) -> int:
        return sum(self.counts().values())

    def __bool__(self) -> bool:
        return True  # whatever its length, which may take a while to find, or not be known

    def __iter__(self) -> Iterator[tuple[State, Value]]:
        """Yield a state of every situation with its value, the start first.

        There are as many as `counts()` says; `Unsolved` where they cannot be counted.
        """
        len(self)
        game = self.game
        start = game.start()
        seen, ahead = {key(game, start)}, deque([start])
        while ahead:
            state = ahead.popleft()
            yield state, self.value(state)
            for move in game.moves(state):
                after = game.play(state, move)
                name = key(game, after)
                if name not in seen:
                    seen.add(name)
                    ahead.append(after)

    def to_frame(self, library: str | None = None) -> Any:
        """Return all situations as a DataFrame: `position`, `turn`, `outcome` and `plies`."""
        columns: dict[str, list[Any]] = {"position": [], "turn": [], "outcome": [], "plies": []}
        for state, value in self:
            row = self.game.write(state), self.game.turn(state), value.outcome, value.plies
            for column, cell in zip(columns.values(), row, strict=True):
                column.append(cell)
        return make_frame(columns, library)

    def __repr__(self) -> str:
        return f"<{self.game!r} solved by {self.method}>"


def refuse_seats(game: Game) -> None:
    """Raise `Unsolved` for a game of any other number than two: it has no exact values."""
    if game.seats == 1:
        raise Unsolved(
            "{name} with one seat is won before it starts; solve it with 2 seats", name=game.name
        )
    if game.seats > 2:
        raise Unsolved(
            "{name} with {seats} has no exact values: with more than two the best move depends on "
            "what the others want; solve it with 2 seats",
            name=game.name,
            seats=count(game.seats, "seat"),
        )
