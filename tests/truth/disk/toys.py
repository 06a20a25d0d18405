"""Games that say only what solving on disk needs, in a module so that other processes find them."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

import parlour

EXAMPLES = Path(__file__).parents[3] / "examples" / "short"


def _load(name: str) -> Any:
    spec: Any = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Morris(_load("three_mens_morris").ThreeMensMorris):  # type: ignore[misc]
    """Men are placed, a tier for each, and then slide in the last tier, perhaps for ever."""

    def tier(self, state: Any) -> int:
        return 9 - state[1].count("-")


class Pawns(_load("hexapawn").Hexapawn):  # type: ignore[misc]
    """A tier for each row that any pawn has gone; a captured one has gone all of them."""

    def tier(self, state: Any) -> int:
        rows = [state[1][row * self.n :][: self.n] for row in range(self.n)]
        whole = self.n * self.n
        left = sum(row.count("W") * at for at, row in enumerate(rows))
        return (
            whole * 2
            - left
            - sum(row.count("B") * (self.n - 1 - at) for at, row in enumerate(rows))
        )


def steps(code: Any, options: Any, out: Any) -> Any:
    """A man on a track goes one step back or two on; at 0 the mover has lost."""
    if code % 1000 == 0:
        return np.int64(-9)
    count = 0
    if code % 1000 + 2 < options[0]:
        out[count] = code + 2
        count += 1
    if code // 1000 < options[1]:  # to the same place on the next track
        out[count] = code + 1000
        count += 1
    out[count] = code - 1
    return np.int64(count + 1)


def rank(code: Any, options: Any) -> Any:
    return code // 1000 * (options[0] + 1) + code % 1000


def unrank(number: Any, options: Any) -> Any:
    track, place = number // (options[0] + 1), number % (options[0] + 1)
    return np.int64(-1) if place == options[0] else track * 1000 + place  # the last is no place


@functools.cache
def compile_tracks() -> tuple[Any, Any, Any]:
    """Compile the rules of the game when they are first needed."""
    import numba

    one, two = "int64(int64, int64[::1])", "int64(int64, int64[::1], int64[::1])"
    return numba.njit(two)(steps), numba.njit(one)(rank), numba.njit(one)(unrank)


class Tracks(parlour.Game):
    """Tracks with loops, each a tier, numbered with a gap at the end of each."""

    length, last = 60, 3

    def start(self) -> Any:
        return (0, 5)

    def turn(self, state: Any) -> int:
        return int(state[0])

    def code(self, state: Any) -> int:
        return int(state[1])

    def key(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        out = [0, 0, 0]
        count = steps(state[1], (self.length, self.last), out)
        return tuple(out[:count]) if count > 0 else ()

    def play(self, state: Any, move: Any) -> Any:
        return (1 - state[0], move)

    def result(self, state: Any) -> Any:
        return None if state[1] % 1000 else ((-1, 1), (1, -1))[state[0]]

    def compiled(self) -> Any:
        return compile_tracks()[0], [self.length, self.last], 3

    def ranking(self) -> Any:
        return [self.length + 1] * (self.last + 1), *compile_tracks()[1:]
