"""The moves of finished games, found by the position they were made in, to be counted.

A row says nothing of who played: only the game it belongs to, so that it is deleted with it. It
carries the version of the table it was read from. A game that has changed since, as when somebody
took back the last move, is read again, and one that goes on is counted no longer. Several servers
may read the same game at once: each replaces the rows of the other by the same ones. The first row
of a game stands for no move: it says that the game was read, even if nothing of it is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.rows import Rows

READ = -1  # in place of the number of a move


class StoredChoice(NamedTuple):
    """A move of a game as a row."""

    table_id: str
    version: int
    number: int
    situation: int
    following: int
    payoff: int
    by_person: bool


class Counted(NamedTuple):
    """How often a choice was made in a position, and what its mover got for it."""

    following: int
    payoff: int
    by_person: bool
    number: int


class Choices(Rows[StoredChoice], kind=StoredChoice, table="choices"):
    """All choices."""

    def list_unread(self, since: float, limit: int) -> list[tuple[str, float]]:
        """List tables changed since a time whose moves are not those that are stored here.

        Each has its id and when it changed, the earliest first.
        """
        query = (
            "SELECT tables.id, tables.changed FROM tables"
            " LEFT JOIN choices ON choices.table_id = tables.id AND choices.number = :read"
            " WHERE tables.changed >= :since AND ("
            " (tables.over AND tables.played"
            " AND (choices.version IS NULL OR choices.version <> tables.version))"
            " OR (NOT tables.over AND choices.version IS NOT NULL))"
            " ORDER BY tables.changed, tables.id LIMIT :limit"
        )
        rows = self._database.rows(query, read=READ, since=since, limit=limit)
        return [(row.id, row.changed) for row in rows]

    def replace(
        self, table: str, version: int, choices: Iterable[tuple[int, int, int, int, bool]]
    ) -> None:
        """Replace the stored choices of a game; if the game has changed, only delete them."""
        same = "SELECT 1 FROM tables WHERE id = :id AND version = :version"
        read = (READ, 0, 0, 0, False)
        rows = [StoredChoice(table, version, *each)._asdict() for each in (read, *choices)]
        with self._database.transaction():
            self.forget(table)
            if self._database.scalar(same, id=table, version=version):
                self._database.run(sa.insert(self._table), rows)

    def forget(self, table: str) -> None:
        """Count a game no longer."""
        self._delete(self._row.table_id == table)

    def count(self, situation: int) -> list[Counted]:
        """Count what was chosen in a position."""
        row = self._row
        columns = (row.following, row.payoff, row.by_person)
        query = sa.select(*columns, sa.func.count()).group_by(*columns)
        query = query.where(row.situation == situation, row.number > READ)
        return [Counted(*each) for each in self._database.rows(query)]
