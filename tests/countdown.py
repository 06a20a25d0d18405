"""A game of somebody else's, which only says its five verbs and its size by an option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import parlour


@dataclass(frozen=True)
class Countdown(parlour.Game):
    """Count down by 1 or 2; a 2 that lands on an even number moves again; 0 wins, 1 is a draw."""

    top: int = parlour.option(9, "the number to count down from", low=2, high=10**7)

    def start(self) -> Any:
        return (0, self.top)

    def turn(self, state: Any) -> int:
        return int(state[0])

    def moves(self, state: Any) -> Any:
        return () if state[1] <= 1 else (1, 2)

    def play(self, state: Any, move: Any) -> Any:
        turn, left = state[0], state[1] - move
        return (turn if move == 2 and left % 2 == 0 and left > 1 else 1 - turn, left)

    def result(self, state: Any) -> Any:
        if state[1] > 1:
            return None
        return (0, 0) if state[1] == 1 else (-1, 1) if state[0] == 0 else (1, -1)
