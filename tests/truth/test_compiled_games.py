"""A game by anybody may bring its rules compiled; they are compared with the others before use."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

import parlour


@numba.njit("int64(int64, int64[::1], int64[::1])")
def successors(code: Any, options: Any, out: Any) -> Any:
    """Take 1 up to options[0] counters; with none left the mover has lost."""
    if code == 0:
        return np.int64(-9)
    count = min(code, options[0])
    for taken in range(1, count + 1):
        out[taken - 1] = code - taken
    return np.int64(count)


class TakeAway(parlour.Game):
    def start(self) -> Any:
        return (0, 1000)

    def turn(self, state: Any) -> int:
        return int(state[0])

    def moves(self, state: Any) -> Any:
        return range(1, min(3, state[1]) + 1)

    def play(self, state: Any, move: Any) -> Any:
        return (1 - state[0], state[1] - move)

    def result(self, state: Any) -> Any:
        return None if state[1] else ((-1, 1), (1, -1))[state[0]]

    def code(self, state: Any) -> int:
        return int(state[1])

    def compiled(self) -> Any:
        return successors, [3], 3


def test_multiples_of_four_are_lost() -> None:
    game = TakeAway()
    solution: Any = parlour.solve(game)
    assert type(solution.index).__name__ == "CodeIndex"
    lost = {left for left in range(1001) if solution.value((1, left)).outcome == "loss"}
    assert lost == set(range(0, 1001, 4))


def test_a_function_for_other_rules_is_refused() -> None:
    """Only the end tells them apart, hundreds of moves away."""

    class Wrong(TakeAway):
        def result(self, state: Any) -> Any:
            return (0, 0) if not state[1] else None

    with pytest.raises(parlour.Unsolved, match=r"compiled\(\) and the rules of take_away disagree"):
        parlour.solve(Wrong())
