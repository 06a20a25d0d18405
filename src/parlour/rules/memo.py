"""A bounded cache that computes missing values.

Small games return to the same few positions; looking up their moves beats listing them again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 1 << 13  # enough for all of tic-tac-toe


class Memo(dict[K, V]):
    """`memo[key]` is `make(key)`, computed once while there is room."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        self.make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= MOST:
            self.clear()
        value = self[key] = self.make(key)
        return value
