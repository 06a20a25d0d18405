"""A dictionary that works out what it does not hold yet, and never holds too much.

Small games come back to the same few positions; looking their moves up beats listing them again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 1 << 13  # enough for all of tic-tac-toe


class Remembered(dict[K, V]):
    """`remembered[key]` is `make(key)`, worked out once as long as there is room."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        self.make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= MOST:
            self.clear()
        value = self[key] = self.make(key)
        return value
