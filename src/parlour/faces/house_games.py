"""The house's own games, counted by position: those in which a person sat and that are over.

What was stored of a game is read when somebody asks for a position, a few games at a time and each
once, whichever server does it. Nothing is kept of who played.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from parlour.core import Game, Move, ParlourError, State, registry
from parlour.lessons import Choice, OutcomeTally, list_choices, situation, tally_choices

if TYPE_CHECKING:
    from parlour.store import Store, Table

AT_ONCE = 20  # games read before the first answer
OVERLAP = 5.0  # seconds by which the clocks of servers may differ, and a commit be late


class HouseGames:
    """The finished games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._since = 0.0  # all that changed before has been read
        self._lock = threading.Lock()

    def catch_up(self, limit: int = AT_ONCE) -> bool:
        """Read games that have ended or changed, up to a limit; return whether there are more."""
        with self._lock:
            found = self._store.choices.list_unread(self._since, limit)
            for name, changed in found:
                table = self._store.tables.get(name)
                if table is None:
                    continue
                if table.over:
                    self._store.choices.replace(name, table.version, _choices_of(table))
                else:
                    self._store.choices.forget(name)
                self._since = max(self._since, changed - OVERLAP)
            return len(found) == limit

    def find(self, game: Game, state: State) -> dict[Move, OutcomeTally]:
        """Return what was chosen in a position, by each move that was."""
        rows = self._store.choices.count(situation(game, state))
        return tally_choices(game, state, rows)


def _choices_of(table: Table) -> list[Choice]:
    """Return the moves of a game that are counted: all, if a person sat there, else none."""
    people = [seat for seat, each in enumerate(table.seats) if each.kind == "person"]
    if not people or table.result is None:
        return []
    try:
        game: Game = registry.build("games", table.game, table.options)
        return list_choices(game, table.moves, table.result, people)
    except ParlourError:  # a game that is no longer installed
        return []
