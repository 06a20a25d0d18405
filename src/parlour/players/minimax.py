"""The bot "minimax": depth-limited search that expects best play from both sides.

In chopsticks it is the bot of the feather write-up, move for move, with values computed for all
situations at once. Any other game for two is searched through its rules, with alpha-beta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from parlour import kernels
from parlour.core import Game, Move, ParlourError, State, count, extra, option, say, settle
from parlour.rules import Chopsticks

WIN = 1_000_000  # plus the depth left, so that sooner is better; no score counts half as much
MAX_LINES = 200_000  # of play that it takes on: a minute
HOPELESS = 10 * MAX_LINES  # it does not even begin a search of more lines


@dataclass
class Minimax:
    """Depth-limited minimax; the depth counts from after its own move."""

    name: ClassVar[str] = "minimax"

    depth: int = option(5, "how many moves it looks ahead after its own", low=0, high=100)

    def __post_init__(self) -> None:
        settle(self)
        self._stopped = False
        self._cache: tuple[object, Any] = (None, None)  # the rules, and the values by fingers

    def plays(self, game: Game) -> str:
        if game.seats != 2:
            return ""
        style: Style | None = extra(game, "minimax")
        if style:
            return style.plays(self, game)
        moves = count(self.depth, "move")
        if self._count_lines(game, game.start()) > MAX_LINES:
            return ""
        if hasattr(game, "score"):
            return say("looks {moves} beyond its own, counting the score", moves=moves)
        return say("looks {moves} beyond its own", moves=moves)

    def choose(self, game: Game, state: State) -> Move:
        style: Style | None = extra(game, "minimax")
        if style:
            return style.choose(self, game, state)
        if game.seats != 2:
            raise ParlourError("minimax plays games for two, not for {seats}", seats=game.seats)
        return self._choose_by_search(game, state)

    def stop(self) -> None:
        """Answer now, with the best move found so far; from any thread."""
        self._stopped = True

    # Chopsticks, as in the write-up: situations are barred only at the root

    def _choose_by_fingers(self, game: Chopsticks, state: State) -> Move:
        values = self._finger_values(game)
        return max(  # the first of equals
            game.moves(state), key=lambda move: -int(values[game.code(game.play(state, move))])
        )

    def _finger_values(self, game: Chopsticks) -> Any:
        """Return what the mover can reach from every two pairs of hands, cached for this game."""
        import numpy as np

        rules, values = self._cache
        if rules != (game, self.depth):
            values = kernels.graph.look_ahead(self.depth, np.array(game.flags, np.int64))
            self._cache = ((game, self.depth), values)
        return values

    # Any other game for two

    def _choose_by_search(self, game: Game, state: State) -> Move:
        if self._count_lines(game, state) > HOPELESS:
            raise ParlourError(
                "minimax cannot look {moves} ahead where there are {choices:,} to choose from; "
                "give it a smaller depth",
                moves=count(self.depth, "move"),
                choices=len(game.moves(state)),
            )
        self._stopped = False
        moves = game.moves(state)
        seat, best, most = game.turn(state), moves[0], -math.inf
        for move in moves:
            value = self._value(game, game.play(state, move), seat, self.depth, most, math.inf)
            if self._stopped:
                break
            if value > most:
                best, most = move, value
        return best

    def _value(
        self, game: Game, state: State, seat: int, depth: int, low: float, high: float
    ) -> float:
        """Return the alpha-beta value for a seat, exact if it lies between `low` and `high`."""
        moves = game.moves(state)
        if not moves:
            payoffs = game.result(state) or (0, 0)
            return payoffs[seat] * (WIN + depth)
        if depth == 0 or self._stopped:
            return _score(game, state, seat)
        mine = game.turn(state) == seat
        for move in moves:
            value = self._value(game, game.play(state, move), seat, depth - 1, low, high)
            if mine:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        return low if mine else high

    def _count_lines(self, game: Game, state: State) -> int:
        """Estimate how many lines of play alpha-beta follows with perfect move ordering.

        Then the first reply refutes a move, so only every second choice counts; the number of moves
        is sampled along one line.
        """
        lines = 1
        for ply in range(self.depth + 1):
            if not (moves := game.moves(state)):
                break
            lines *= 1 if ply % 2 else len(moves)
            state = game.play(state, moves[0])
        return lines


class Style(NamedTuple):
    """How a bot plays one game in a way of its own: how well, in a few words, and which move."""

    plays: Callable[[Any, Any], str]  # of the bot and the game
    choose: Callable[[Any, Any, State], Move]


def _rate_by_fingers(minimax: Minimax, game: Chopsticks) -> str:
    moves = count(minimax.depth, "move")
    return say("looks {moves} beyond its own, counting fingers", moves=moves)


BY_FINGERS = Style(_rate_by_fingers, Minimax._choose_by_fingers)


def _score(game: Game, state: State, seat: int) -> float:
    """Return the game's own score, which is the first seat's, from the seat's point of view."""
    score = getattr(game, "score", None)
    worth = max(-WIN // 2, min(WIN // 2, score(state))) if score else 0
    return worth if seat == 0 else -worth
