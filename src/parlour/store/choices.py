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

from parlour.store.database import Database

CHOICES = sa.table(
    "choices",
    sa.column("table_id", sa.Text),
    *(sa.column(name, sa.Integer) for name in ("number", "version", "payoff")),
    *(sa.column(name, sa.BigInteger) for name in ("situation", "following")),
    sa.column("by_person", sa.Boolean),
)
READ = -1  # in place of the number of a move
FIELDS = ("number", "situation", "following", "payoff", "by_person")  # of a choice


class Counted(NamedTuple):
    """How often a choice was made in a position, and what its mover got for it."""

    following: int
    payoff: int
    by_person: bool
    number: int


class Choices:
    """All choices."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_unread(self, since: float, limit: int) -> list[tuple[str, float]]:
        """List tables changed since a time whose moves are not those that are stored here.

        Each has its id and when it changed, the earliest first.
        """
        query = sa.text(
            "SELECT tables.id, tables.changed FROM tables"
            " LEFT JOIN choices ON choices.table_id = tables.id AND choices.number = :read"
            " WHERE tables.changed >= :since AND ("
            " (tables.over AND tables.played"
            " AND (choices.version IS NULL OR choices.version <> tables.version))"
            " OR (NOT tables.over AND choices.version IS NOT NULL))"
            " ORDER BY tables.changed, tables.id LIMIT :limit"
        )
        values = {"read": READ, "since": since, "limit": limit}
        return [(row.id, row.changed) for row in self._database.rows(query, values)]

    def replace(
        self, table: str, version: int, choices: Iterable[tuple[int, int, int, int, bool]]
    ) -> None:
        """Replace the stored choices of a game; if the game has changed, only delete them."""
        same = sa.text("SELECT 1 FROM tables WHERE id = :id AND version = :version")
        rows = [
            {"table_id": table, "version": version, **dict(zip(FIELDS, choice, strict=True))}
            for choice in ((READ, 0, 0, 0, False), *choices)
        ]
        with self._database.transaction():
            self.forget(table)
            if self._database.scalar(same, {"id": table, "version": version}):
                self._database.run(sa.insert(CHOICES), rows)

    def forget(self, table: str) -> None:
        """Count a game no longer."""
        self._database.run(sa.delete(CHOICES).where(CHOICES.c.table_id == table))

    def count(self, situation: int) -> list[Counted]:
        """Count what was chosen in a position."""
        row = CHOICES.c
        columns = (row.following, row.payoff, row.by_person)
        query = sa.select(*columns, sa.func.count()).group_by(*columns)
        query = query.where(row.situation == situation, row.number > READ)
        return [Counted(*each) for each in self._database.rows(query)]
