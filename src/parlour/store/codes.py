"""Codes that carry a person to another device: each works once, and for a few minutes.

A code is stored as a keyed hash, so that nobody who reads the database can use one.
"""

from __future__ import annotations

import sqlalchemy as sa

from parlour.store.database import Database

CODES = sa.table(
    "codes",
    sa.column("hash", sa.Text),
    sa.column("owner", sa.Text),
    sa.column("expires", sa.Double),
)


class Codes:
    """All codes that have not been used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, hashed: str, owner: str, expires: float) -> None:
        """Store a code for an owner, in place of an earlier one."""
        row = {"hash": hashed, "owner": owner, "expires": expires}
        with self._database.joined() as connection:
            connection.execute(sa.delete(CODES).where(CODES.c.owner == owner))
            connection.execute(sa.insert(CODES).values(**row))

    def find(self, hashed: str, now: float) -> str:
        """Return whose code this is; nothing if it is wrong, used or too old."""
        row = CODES.c
        query = sa.select(row.owner).where(row.hash == hashed, row.expires > now)
        with self._database.reading() as connection:
            return connection.scalar(query) or ""

    def use(self, hashed: str, now: float) -> str:
        """Return whose code this is, and delete it; of two who use it at once one succeeds."""
        row = CODES.c
        used = sa.delete(CODES).where(row.hash == hashed, row.expires > now)
        with self._database.writing() as connection:
            return connection.scalar(used.returning(row.owner)) or ""

    def prune(self, now: float) -> int:
        """Delete the codes that are too old."""
        with self._database.writing() as connection:
            return connection.execute(sa.delete(CODES).where(CODES.c.expires <= now)).rowcount
