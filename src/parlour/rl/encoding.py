"""Games as programs that learn see them: moves as small integers, positions as arrays.

An action is the place of a move in `moves`, which is what the game declares by `all_moves`; of a
game that does not, the moves in the order in which they are first met when its positions are listed
breadth first. An observation is what the game declares by `observe`; else planes made from its
`grid`, or the binary digits of the numbers in its states.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from parlour import core
from parlour.core import Game, Move, ParlourError, State

MAX_ACTIONS = 10_000
MAX_EXPLORED = 50_000  # positions listed to find what a game does not declare
MAX_GRID_EXPLORED = 2_000  # the same, for what stands on squares besides the seats' marks

Observe = Callable[[State, int], Any]
Find = TypeVar("Find", bound=Callable[[Game], Any])


class Encoding:
    """The actions and observations of a game, each always with the same meaning.

    `moves` has the move of each action, in an order that never changes; `shape` is that of every
    observation, whose numbers are between 0 and 1.
    """

    low = 0.0
    high = 1.0

    def __init__(self, game: Any) -> None:
        self.game: Game = core.game(game)
        self.moves: Sequence[Move] = _list_moves(self.game)
        self.size = len(self.moves)
        self._actions: dict[Move, int] = {move: action for action, move in enumerate(self.moves)}
        self._observe = _choose_observation(self.game)
        try:
            first = np.asarray(self._observe(self.game.start(), 0), np.float32)
        except (TypeError, ValueError):
            raise ParlourError(
                f"observe() of {self.game.name} should give numbers in tuples of one shape"
            ) from None
        self.shape = first.shape

    def __repr__(self) -> str:
        return f"Encoding({core.describe(self.game)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Encoding, (self.game,)

    def index(self, move: Move) -> int:
        """Return the action that is a move; `ParlourError` where the game has no such move."""
        try:
            return self._actions[move]
        except (KeyError, TypeError):
            pass
        try:
            return self._actions[core.protocol.to_tuple(move)]  # an array, or a list
        except (KeyError, TypeError):
            raise ParlourError(f"{core.quote(move)} is none of the {self.size} moves") from None

    def move(self, action: SupportsIndex) -> Move:
        """Return the move that an action is; `ParlourError` where there is no such action."""
        try:
            number = operator.index(action)
        except TypeError:  # 1.5, text, an array of several
            number = -1
        if not 0 <= number < self.size:
            raise ParlourError(
                f"{core.quote(action)} is not an action; choose {core.span(0, self.size - 1)}"
            )
        return self.moves[number]

    def legal(self, state: State) -> list[int]:
        """Return the actions that are legal for the seat to move, in the order of its moves."""
        actions = self._actions
        try:
            return [actions[move] for move in self.game.moves(state)]
        except KeyError as missing:
            raise ParlourError(
                f"{core.quote(missing.args[0])} is legal in {self.game.write(state)} and not among "
                f"the {self.size} moves of {self.game.name}; all_moves() should list it"
            ) from None

    def mask(self, state: State) -> NDArray[np.int8]:
        """Return 1 for each action that is legal for the seat to move, and 0 for the others."""
        mask = np.zeros(self.size, np.int8)
        mask[self.legal(state)] = 1
        return mask

    def observe(self, state: State, seat: int) -> NDArray[np.float32]:
        """Return the position as a seat sees it."""
        seen = np.asarray(self._observe(state, seat), np.float32)
        if seen.shape != self.shape:
            raise ParlourError(
                f"the position {self.game.write(state)} is seen in the shape {seen.shape}, and "
                f"every observation of {self.game.name} should be {self.shape}"
            )
        return seen


def remember(find: Find) -> Find:
    """Keep what was found of the last few games; one that cannot be hashed is looked at again."""
    kept = lru_cache(maxsize=16)(find)

    def look(game: Game) -> Any:
        try:
            hash(game)
        except TypeError:
            return find(game)
        return kept(game)

    return look  # type: ignore[return-value]


@dataclass(frozen=True)
class Exploration:
    """The moves and positions that were met, and whether they are all there are."""

    moves: tuple[Move, ...]
    came_from: dict[State, tuple[State, Move] | None]  # the position and the move before each
    complete: bool


def explore(game: Game, most: int = MAX_EXPLORED) -> Exploration:
    """Return what the first positions of a game show, breadth first, its start before them all."""
    start = game.start()
    came_from: dict[State, tuple[State, Move] | None] = {start: None}
    ahead, moves = [start], dict[Move, None]()
    for state in ahead:  # it grows
        listed = game.moves(state)
        if len(listed) > MAX_ACTIONS:
            raise _refuse(game, len(listed))
        moves.update(dict.fromkeys(listed))
        for move in listed:
            if (after := game.play(state, move)) not in came_from:
                if len(came_from) == most:
                    return Exploration(tuple(moves), came_from, complete=False)
                came_from[after] = state, move
                ahead.append(after)
    return Exploration(tuple(moves), came_from, complete=True)


def _list_moves(game: Game) -> Sequence[Move]:
    declared = core.protocol.all_moves(game)
    moves = _find_moves(game) if declared is None else declared
    if len(moves) > MAX_ACTIONS:
        raise _refuse(game, len(moves))
    if not moves:
        raise ParlourError(f"{core.title(game)} has no moves, and so there is nothing to learn")
    return moves


@remember
def _find_moves(game: Game) -> Sequence[Move]:
    found = explore(game)
    if not found.complete:
        raise ParlourError(
            f"{core.title(game)} has more than {MAX_EXPLORED:,} positions, too many to list all "
            "moves from; declare them by all_moves()"
        )
    return found.moves


def _refuse(game: Game, moves: int) -> ParlourError:
    return ParlourError(
        f"{core.title(game)} has {moves:,} possible moves, and agents are offered at most "
        f"{MAX_ACTIONS:,}; choose a smaller variant"
    )


def _choose_observation(game: Game) -> Observe:
    """Return how a game is observed: as it says, by its board, or by the numbers in its states."""
    declared: Observe | None = getattr(game, "observe", None)
    if declared is not None:
        return declared
    if core.protocol.grid(game, game.start()) is not None:
        return _observe_grid(game)
    return _observe_numbers(game)


def _observe_grid(game: Game) -> Observe:
    """Planes for the marks of each seat, one's own first; for whatever else stands there; the turn.

    Whatever else is a plane for each text met among the first positions, in their order as texts,
    and where those are not all the positions, one for any other text.
    """
    marks: tuple[str, ...] = tuple(getattr(game, "marks", ()))
    texts, complete = _list_texts(game)
    others = tuple(sorted(texts - {"", *marks}))
    known = {"", *marks, *others}
    turns = range(game.seats if game.seats > 2 else 1)

    def observe(state: State, seat: int) -> Any:
        rows = _rows(game, state)
        order = (*(marks[seat:] + marks[:seat]), *others)
        planes = [[[cell == text for cell in row] for row in rows] for text in order]
        if not complete:
            planes.append([[cell not in known for cell in row] for row in rows])
        turn = game.turn(state)
        for step in turns:
            is_turn = turn == (seat + step) % game.seats
            planes.append([[is_turn for _ in row] for row in rows])
        return planes

    return observe


@remember
def _list_texts(game: Game) -> tuple[set[str], bool]:
    """Return what stands on squares in the first positions, and whether those are all."""
    is_small = core.protocol.all_moves(game) is None  # it was explored for its moves
    found = explore(game, MAX_EXPLORED if is_small else MAX_GRID_EXPLORED)
    texts = {cell for state in found.came_from for row in _rows(game, state) for cell in row}
    return texts, found.complete


def _rows(game: Game, state: State) -> core.protocol.Grid:
    return core.protocol.grid(game, state) or ()


def _observe_numbers(game: Game) -> Observe:
    """The numbers in a state in binary digits, the highest first; then which seat looks.

    Each has as many digits as the largest number met in its place. Last comes whether it is the
    turn of the seat that looks.
    """
    digits = _list_digits(game)
    seats = range(game.seats)

    def observe(state: State, seat: int) -> Any:
        numbers = _flatten(state) or ()
        seen = [numbers[place] >> digit & 1 for place, digit in digits]
        return [*seen, *(each == seat for each in seats), game.turn(state) == seat]

    return observe


@remember
def _list_digits(game: Game) -> list[tuple[int, int]]:
    """Return the binary digits of the numbers in a state: the place of the number, and the bit."""
    found = explore(game)
    rows = [_flatten(state) for state in found.came_from]
    if not found.complete or any(row is None or len(row) != len(rows[0] or ()) for row in rows):
        why = f"has more than {MAX_EXPLORED:,} positions"
        if found.complete:
            why = "has states that are not all the same number of numbers and letters"
        raise ParlourError(
            f"{core.title(game)} {why}, so that it cannot be seen as numbers unless it declares "
            "observe(state, seat)"
        )
    columns = list(zip(*[row or () for row in rows], strict=True))
    return [
        (place, digit)
        for place, column in enumerate(columns)
        for digit in range(max(column).bit_length() - 1, -1, -1)
    ]


def _flatten(state: State) -> tuple[int, ...] | None:
    """Return the numbers in a state, and the letters of its texts by their numbers."""
    try:
        return tuple(_list_numbers(state))
    except TypeError:
        return None


def _list_numbers(state: State) -> Iterator[int]:
    if isinstance(state, tuple):
        for part in state:
            yield from _list_numbers(part)
    elif isinstance(state, str):
        yield from map(ord, state)
    elif isinstance(state, int) and state >= 0:
        yield int(state)
    else:
        raise TypeError(f"{state!r} is no number")
