"""Who meets whom: a round robin in which every two meet in both seatings equally often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations


def round_robin(players: int, rounds: int) -> Iterator[tuple[int, int]]:
    """The games of so many rounds, each as who sits first and who second, by number.

    A round holds two games for every pair, one in either seating.
    """
    for _ in range(rounds):
        for first, second in combinations(range(players), 2):
            yield first, second
            yield second, first
