"""Who is there: the pages that players have open at their tables, and pupils of their classes.

A server stores when somebody's first page opens and when the last one closes, and notes every now
and then that it still runs. So another server knows who is there without asking, and those whose
server has died do not stay for ever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.database import Database

PRESENCE = sa.table(
    "presence",
    *(sa.column(name, sa.Text) for name in ("table_id", "owner", "server")),
    *(sa.column(name, sa.Double) for name in ("seen", "gone")),
)
UPSERT = sa.text(
    "INSERT INTO presence (table_id, owner, server, seen, gone)"
    " SELECT :table_id, :owner, :server, :seen, :gone"
    " WHERE EXISTS (SELECT 1 FROM seats WHERE table_id = :table_id AND owner = :owner)"
    " AND EXISTS (SELECT 1 FROM seats WHERE table_id = :table_id AND owner <> :owner)"
    " ON CONFLICT (table_id, owner, server)"
    " DO UPDATE SET seen = excluded.seen, gone = excluded.gone"
)


class Sighting(NamedTuple):
    """Somebody with a page open, as one server knows it."""

    page: str  # the id of a table, or of a pupil whose page it is
    owner: str
    server: str
    seen: float  # when the server last said so, in seconds since the epoch
    gone: float  # when the last page closed; 0 while one is open


class Sightings(ABC):
    """All who have a page of one kind open, or had one lately."""

    def __init__(self, database: Database, table: sa.TableClause) -> None:
        self._database = database
        self._table = table

    @abstractmethod
    def note(self, sightings: Iterable[Sighting]) -> set[str]:
        """Store who came and went, and return the ids of what has changed by it."""

    def beat(self, server: str, now: float) -> None:
        """Note that a server still runs, for all who are there on it."""
        row = self._table.c
        beat = sa.update(self._table).where(row.server == server, row.gone == 0).values(seen=now)
        with self._database.writing() as connection:
            connection.execute(beat)

    def prune(self, before: float) -> int:
        """Delete what was last known before a time."""
        prune = sa.delete(self._table).where(self._table.c.seen < before)
        with self._database.writing() as connection:
            return connection.execute(prune).rowcount


class TableSightings(Sightings):
    """All players who are at a table, or were lately."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, PRESENCE)

    def note(self, sightings: Iterable[Sighting]) -> set[str]:
        """Store who came and went, and return the tables of those who sit there with others.

        Somebody who only watches, or sits there alone, is left out.
        """
        noted: set[str] = set()
        rows = sorted(sightings)  # in one order, so that two servers cannot wait for each other
        if not rows:
            return noted
        with self._database.joined() as connection:
            for table, owner, server, seen, gone in rows:
                row = {"table_id": table, "owner": owner, "server": server}
                if connection.execute(UPSERT, {**row, "seen": seen, "gone": gone}).rowcount:
                    noted.add(table)
        return noted

    def find(self, table: str) -> list[Sighting]:
        """List the players known to have been at a table."""
        row = PRESENCE.c
        query = sa.select(row.table_id, row.owner, row.server, row.seen, row.gone)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(row.table_id == table)).all()
        return [Sighting(*row) for row in rows]

    def count_of(self, owner: str) -> int:
        """Count the tables at which somebody is known to have been."""
        row = PRESENCE.c
        query = sa.select(sa.func.count(sa.distinct(row.table_id))).where(row.owner == owner)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0
