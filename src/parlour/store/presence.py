"""Who is there: pages that players have open at their tables and pupils of their classes, and those
who wait for somebody to play with.

A server stores when somebody's first page opens and when the last one closes, and notes every now
and then that it still runs. So another server knows who is there without asking, and those whose
server has died do not stay for ever.

Everybody waits for one variant at a time. Whoever asks next for the same one takes the one who has
waited longest, and both rows then name the table. The database decides who is paired with whom:
only one program at a time looks for partners for a variant, so that two who ask at the same moment
find each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.rows import Rows


class Sighting(NamedTuple):
    """Somebody with a page open, as one server knows it."""

    page: str  # the id of a table, or of a pupil whose page it is
    owner: str
    server: str
    seen: float  # when the server last said so, in seconds since the epoch
    gone: float  # when the last page closed; 0 while one is open


class Sightings(Rows[Sighting]):
    """All who have a page of one kind open, or had one lately."""

    UPSERT: str  # which leaves out those whose presence is nobody's business

    def note(self, sightings: Iterable[Sighting]) -> set[str]:
        """Store who came and went, and return the pages of those who were not left out."""
        run, rows = self._database.run, sorted(sightings)  # in one order, so that no two wait
        with self._database.transaction():
            return {row.page for row in rows if run(self.UPSERT, **row._asdict())}

    def beat(self, server: str, now: float) -> None:
        """Note that a server still runs, for all who are there on it."""
        self._update(self._row.server == server, self._row.gone == 0, seen=now)


class TableSightings(
    Sightings, kind=Sighting, table="presence", age="seen", columns={"page": "table_id"}
):
    """All players who are at a table, or were lately.

    Somebody who only watches, or sits there alone, is left out.
    """

    UPSERT = (
        "INSERT INTO presence (table_id, owner, server, seen, gone)"
        " SELECT :page, :owner, :server, :seen, :gone"
        " WHERE EXISTS (SELECT 1 FROM seats WHERE table_id = :page AND owner = :owner)"
        " AND EXISTS (SELECT 1 FROM seats WHERE table_id = :page AND owner <> :owner)"
        " ON CONFLICT (table_id, owner, server)"
        " DO UPDATE SET seen = excluded.seen, gone = excluded.gone"
    )

    def find(self, table: str) -> list[Sighting]:
        """List the players known to have been at a table."""
        return self._find(self._row.table_id == table)

    def count_of(self, owner: str) -> int:
        """Count the tables at which somebody is known to have been."""
        query = sa.select(sa.func.count(sa.distinct(self._row.table_id)))
        return self._database.scalar(query.where(self._row.owner == owner)) or 0


class PupilSightings(
    Sightings, kind=Sighting, table="class_presence", age="seen", columns={"page": "pupil_id"}
):
    """All pupils who have their page of a class open, or had it lately; nobody else counts."""

    UPSERT = (
        "INSERT INTO class_presence (pupil_id, server, seen, gone)"
        " SELECT :page, :server, :seen, :gone"
        " WHERE EXISTS (SELECT 1 FROM pupils WHERE id = :page AND owner = :owner)"
        " ON CONFLICT (pupil_id, server)"
        " DO UPDATE SET seen = excluded.seen, gone = excluded.gone"
    )

    def note(self, sightings: Iterable[Sighting]) -> set[str]:
        """Store who came and went, and return their classes."""
        find = "SELECT class_id FROM pupils WHERE id = :id"
        with self._database.transaction():
            return {self._database.scalar(find, id=page) for page in super().note(sightings)}

    def find(self, class_id: str) -> list[Sighting]:
        """List the pupils of a class who are or were there."""
        query = (
            "SELECT pupil_id, owner, server, seen, gone FROM class_presence"
            " JOIN pupils ON pupils.id = pupil_id WHERE class_id = :class_id"
        )
        return [Sighting(*row) for row in self._database.rows(query, class_id=class_id)]


class Waiter(NamedTuple):
    """Somebody who waits, or has been paired: then `table` is where they play."""

    owner: str
    variant: str
    name: str
    table: str
    since: float  # seconds since the epoch
    seen: float  # when their page was last known to be open


class WaitingList(
    Rows[Waiter],
    kind=Waiter,
    table="waiting",
    key="owner",
    age="seen",
    columns={"table": "table_id"},
):
    """All who wait."""

    def pair(
        self, owner: str, variant: str, name: str, table: str, now: float, alive: float
    ) -> Waiter | None:
        """Pair somebody with the one who has waited longest and was seen since `alive`.

        Return the partner, whose row then names the table; None if nobody waits, and then the owner
        waits from now on, or still. Nobody is paired with themselves.
        """
        row = self._row
        with self._database.serialised(f"waiting {variant}"):
            fits = (row.variant == variant, row.table_id == "", row.seen >= alive)
            others = self._find(*fits, row.owner != owner, order=row.since, limit=1)
            before = self._find(*fits, row.owner == owner)
            self.remove(owner)
            for partner in others:
                # The partner's row may have been cancelled by another program just now.
                if self._update(row.owner == partner.owner, *fits, table_id=table):
                    return partner._replace(table=table)
            since = before[0].since if before else now
            self.put(Waiter(owner, variant, name, "", since, now))
        return None

    def see(self, owners: list[str], seen: float) -> None:
        """Note when the pages of these were last known to be open."""
        if owners:
            self._update(self._row.owner.in_(owners), seen=seen)

    def counts(self, alive: float) -> dict[str, int]:
        """Count those who wait and were seen since a time, by variant."""
        row = self._row
        query = sa.select(row.variant, sa.func.count()).where(row.table_id == "", row.seen >= alive)
        return {found[0]: found[1] for found in self._database.rows(query.group_by(row.variant))}
