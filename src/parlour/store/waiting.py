"""Those who wait for somebody to play with. The database decides who is paired with whom.

Everybody waits for one variant at a time. Whoever asks next for the same one takes the one who has
waited longest, and both rows then name the table. Only one program at a time looks for partners for
a variant, so that two who ask at the same moment find each other.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.database import Database

WAITING = sa.table(
    "waiting",
    *(sa.column(name, sa.Text) for name in ("owner", "variant", "name", "table_id")),
    *(sa.column(name, sa.Double) for name in ("since", "seen")),
)


class Waiter(NamedTuple):
    """Somebody who waits, or has been paired: then `table` is where they play."""

    owner: str
    variant: str
    name: str
    table: str
    since: float  # seconds since the epoch
    seen: float  # when their page was last known to be open


class WaitingList:
    """All who wait."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pair(
        self, owner: str, variant: str, name: str, table: str, now: float, alive: float
    ) -> Waiter | None:
        """Pair somebody with the one who has waited longest and was seen since `alive`.

        Return the partner, whose row then names the table; None if nobody waits, and then the owner
        waits from now on, or still. Nobody is paired with themselves.
        """
        row = WAITING.c
        with self._database.serialised(f"waiting {variant}") as connection:
            fits = (row.variant == variant, row.table_id == "", row.seen >= alive)
            first = sa.select(WAITING).where(*fits, row.owner != owner).order_by(row.since)
            own = sa.select(WAITING).where(row.owner == owner, *fits)
            partner = connection.execute(first.limit(1)).first()
            before = connection.execute(own).first()
            connection.execute(sa.delete(WAITING).where(row.owner == owner))
            if partner is not None:
                # The partner's row may have been cancelled by another program just now.
                taken = sa.update(WAITING).where(row.owner == partner.owner, *fits)
                if connection.execute(taken.values(table_id=table)).rowcount:
                    return _waiter(partner)._replace(table=table)
            since = now if before is None else before.since
            waiting = {"owner": owner, "variant": variant, "name": name, "table_id": ""}
            connection.execute(sa.insert(WAITING).values(**waiting, since=since, seen=now))
        return None

    def get(self, owner: str) -> Waiter | None:
        """Return what somebody waits for, if they do."""
        query = sa.select(WAITING).where(WAITING.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else _waiter(row)

    def see(self, owners: list[str], seen: float) -> None:
        """Note when the pages of these were last known to be open."""
        if owners:
            note = sa.update(WAITING).where(WAITING.c.owner.in_(owners)).values(seen=seen)
            with self._database.writing() as connection:
                connection.execute(note)

    def remove(self, owner: str) -> None:
        """Let somebody wait no longer."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(WAITING).where(WAITING.c.owner == owner))

    def counts(self, alive: float) -> dict[str, int]:
        """Count those who wait and were seen since a time, by variant."""
        row = WAITING.c
        query = sa.select(row.variant, sa.func.count()).where(row.table_id == "", row.seen >= alive)
        with self._database.reading() as connection:
            return {found[0]: found[1] for found in connection.execute(query.group_by(row.variant))}

    def prune(self, before: float) -> int:
        """Delete the rows of those who were not seen since a time."""
        with self._database.writing() as connection:
            return connection.execute(sa.delete(WAITING).where(WAITING.c.seen < before)).rowcount


def _waiter(row: sa.Row[tuple[object, ...]]) -> Waiter:
    return Waiter(row.owner, row.variant, row.name, row.table_id, row.since, row.seen)
