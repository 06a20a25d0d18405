"""Wythoff's game. Try: parlour play examples/short/wythoff.py --seat human --seat perfect"""
from dataclasses import dataclass
import parlour


@dataclass(frozen=True)
class Wythoff(parlour.Game):
    """Take any number from one pile, or the same number from both; who takes the last wins."""
    loops, impartial = "never", True
    first: int = parlour.option(5, "counters in the first pile", low=0, high=1000)
    second: int = parlour.option(8, "counters in the second pile", low=0, high=1000)

    def start(self): return (0, self.first, self.second)  # whose turn, and the piles
    def turn(self, state): return state[0]
    def play(self, state, move): return (1 - state[0], state[1] - move[0], state[2] - move[1])
    def key(self, state): return tuple(sorted(state[1:]))  # which pile is which does not matter

    def moves(self, state):
        _, first, second = state
        both = [(n, n) for n in range(1, min(first, second) + 1)]
        return [(n, 0) for n in range(1, first + 1)] + [(0, n) for n in range(1, second + 1)] + both

    def result(self, state):
        return None if any(state[1:]) else ((-1, 1), (1, -1))[state[0]]  # the last mover has won
