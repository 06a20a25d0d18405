"""Small games, each with one thing that ours have not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from parlour.core.options import option


@dataclass(frozen=True)
class Toy:
    """The verbs that only speak, for states and moves that are tuples and numbers."""

    seats: ClassVar[int] = 2

    def turn(self, state):
        return state[0]

    def write_move(self, move):
        return str(move)

    def read_move(self, state, text):
        return int(text)

    def write(self, state):
        return " ".join(map(str, state))

    def read(self, text):
        return tuple(map(int, text.split()))

    def draw(self, state):
        return self.write(state)


@dataclass(frozen=True)
class Again(Toy):
    """Take one and move again, or take two and let the other; who takes the last wins."""

    name: ClassVar[str] = "again"
    loops: ClassVar[str] = "never"

    heap: int = option(9, "how many there are")

    def start(self):
        return (0, self.heap, 0)

    def moves(self, state):
        return tuple(range(1, min(2, state[1]) + 1))

    def play(self, state, move):
        turn, left, _ = state
        return (turn if move == 1 else 1 - turn, left - move, turn)

    def result(self, state):
        _, left, last = state
        return None if left else (1, -1) if last == 0 else (-1, 1)

    def key(self, state):
        return state[:2] if state[1] else state  # at the end, the last to move is the winner


@dataclass(frozen=True)
class Round(Toy):
    """Say 0 and it is the other's turn, or 1 and you have won; it need not end."""

    name: ClassVar[str] = "round"

    def start(self):
        return (0, 0)

    def moves(self, state):
        return () if state[1] else (0, 1)

    def play(self, state, move):
        return (1 - state[0], move)

    def result(self, state):
        turn, over = state
        return ((-1, 1) if turn == 0 else (1, -1)) if over else None

    def key(self, state):
        return state[1]
