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
TABLES = sa.table(
    "tables",
    sa.column("id", sa.Text),
    sa.column("version", sa.Integer),
    sa.column("changed", sa.Double),
    *(sa.column(name, sa.Boolean) for name in ("over", "played")),
)


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
        first = sa.and_(CHOICES.c.table_id == TABLES.c.id, CHOICES.c.number == READ)
        query = (
            sa.select(TABLES.c.id, TABLES.c.changed)
            .select_from(TABLES.outerjoin(CHOICES, first))
            .where(
                TABLES.c.changed >= since,
                sa.or_(
                    sa.and_(
                        TABLES.c.over == sa.true(),
                        TABLES.c.played == sa.true(),
                        sa.or_(CHOICES.c.version.is_(None), CHOICES.c.version != TABLES.c.version),
                    ),
                    sa.and_(TABLES.c.over == sa.false(), CHOICES.c.version.is_not(None)),
                ),
            )
            .order_by(TABLES.c.changed, TABLES.c.id)
            .limit(limit)
        )
        with self._database.reading() as connection:
            return [(row.id, row.changed) for row in connection.execute(query).all()]

    def replace(
        self, table: str, version: int, choices: Iterable[tuple[int, int, int, int, bool]]
    ) -> None:
        """Replace the stored choices of a game; if the game has changed, only delete them."""
        names = ("number", "situation", "following", "payoff", "by_person")
        rows = [
            {"table_id": table, "version": version, **dict(zip(names, choice, strict=True))}
            for choice in ((READ, 0, 0, 0, False), *choices)
        ]
        same = sa.select(TABLES.c.id).where(TABLES.c.id == table, TABLES.c.version == version)
        with self._database.joined() as connection:
            connection.execute(sa.delete(CHOICES).where(CHOICES.c.table_id == table))
            if connection.execute(same).first() is not None:
                connection.execute(sa.insert(CHOICES), rows)

    def forget(self, table: str) -> None:
        """Count a game no longer."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(CHOICES).where(CHOICES.c.table_id == table))

    def count(self, situation: int) -> list[Counted]:
        """Count what was chosen in a position."""
        row = CHOICES.c
        columns = (row.following, row.payoff, row.by_person)
        query = sa.select(*columns, sa.func.count()).where(
            row.situation == situation, row.number > READ
        )
        with self._database.reading() as connection:
            found = connection.execute(query.group_by(*columns)).all()
        return [Counted(each[0], each[1], bool(each[2]), each[3]) for each in found]
