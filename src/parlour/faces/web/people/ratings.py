"""Ratings between people who wish to be rated, by the arena's method, with their uncertainty.

A rating is not stored: it follows from the results of all rated games of a game, so it is right
again at once when somebody leaves and takes their results along. Only those who take part are rated
and shown. 1500 is the mean of all of them.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from parlour.store import Result, Store

MEAN = 1500
MAX_RESULTS = 20_000  # the latest that count
MAX_PLAYERS = 200  # those with the most games, and the latest among equals
FRESH = 30.0  # seconds for which a list is shown again


@dataclass(frozen=True)
class Rated:
    """Somebody in the list of a game."""

    owner: str
    name: str
    rating: float
    low: float
    high: float
    points: float
    games: int

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval."""
        return (self.high - self.low) / 2


class RatingList:
    """The people who are rated in each game."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lists: dict[str, tuple[float, list[Rated]]] = {}  # by game, and when they were made

    def forget(self, owner: str) -> None:
        """Forget what is remembered, since it may hold somebody who has deleted their data."""
        self._lists.clear()

    def find(self, game: str) -> list[Rated]:
        """List the people rated in a game, the best first; not from the event loop."""
        made, found = self._lists.get(game, (0.0, []))
        if time.monotonic() - made < FRESH:
            return found
        found = rate_people(self._store, game)
        self._lists[game] = (time.monotonic(), found)
        return found


def rate_people(store: Store, game: str) -> list[Rated]:
    """Rate everybody who takes part, from their games with each other."""
    from parlour.arena import Meeting, rate

    results = store.results.find(game=game, limit=MAX_RESULTS)
    names = {person.id: person.name for person in store.people.find(rated=True)}
    results = [each for each in results if each.one in names and each.other in names]
    active = _most_active(results)
    results = [each for each in results if each.one in active and each.other in active]
    numbers = {owner: number for number, owner in enumerate(active)}
    meetings = [
        Meeting(numbers[each.one], numbers[each.other], each.points, games=1) for each in results
    ]
    if not meetings:
        return []
    found = [
        Rated(
            owner,
            names[owner],
            MEAN + each.elo,
            MEAN + each.low,
            MEAN + each.high,
            each.points,
            each.games,
        )
        for owner, each in zip(active, rate(len(active), meetings), strict=True)
        if each.games
    ]
    return sorted(found, key=lambda each: -each.rating)


def _most_active(results: list[Result]) -> list[str]:
    games = Counter(owner for each in results for owner in (each.one, each.other))
    return [owner for owner, _ in games.most_common(MAX_PLAYERS)]
