"""Tables, an index of who sits at them, and the results of rated games.

`seats` holds a row for every owner at a table. The index is kept by the statements that store a
table, in one transaction with it, so that the games of a person are found without reading those of
others. A move changes no seat and costs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.database import Database
from parlour.store.models import Table
from parlour.store.repository import Repository
from parlour.store.rows import Rows

SEATS = sa.table("seats", sa.column("table_id", sa.Text), sa.column("owner", sa.Text))

ADDRESSES = sa.table("addresses", *map(sa.column, ("owner", "address", "seen")))


class TableRepository(Repository[Table]):
    """All tables, found by who sits there too."""

    def __init__(self, database: Database) -> None:
        flags = ("listed", "over", "bots", "played", "slow")
        super().__init__(database, Table, "tables", "creator", flags=flags)

    def put(self, model: Table, *, announce: str = "", reseated: bool = False) -> Table | None:
        """Store a changed table; `reseated` says that its seats have other owners than before."""
        if not reseated:
            return super().put(model, announce=announce)
        with self._database.transaction():
            stored = super().put(model, announce=announce)
            if stored is not None:
                self._database.run(sa.delete(SEATS).where(SEATS.c.table_id == model.id))
                self._index([stored])
        return stored

    def _index(self, models: Iterable[Table]) -> None:
        rows = [
            {"table_id": table.id, "owner": owner} for table in models for owner in _owners(table)
        ]
        if rows:
            self._database.run(sa.insert(SEATS), rows)

    def find_for_lobby(
        self, *, since: float, active: float, here: float, of_creator: int, limit: int
    ) -> list[Table]:
        """List the tables that anybody may find, mixed fairly.

        The newest table of every address comes first, then the second of each, and so on; of one
        creator there are only `of_creator`. Changed before `active` a game in play is left out;
        so is a table that waits for players and whose creator was last seen before `here`. Games
        with a slow clock stay for as long as they were changed after `since`.
        """
        table, address = self._table, ADDRESSES
        seen = sa.func.coalesce(address.c.seen, table.c.changed)

        def rank(*by: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
            order = (table.c.changed.desc(), table.c.id)
            return sa.func.row_number().over(partition_by=by, order_by=order)

        listed = (
            sa.select(
                table.c.id,
                table.c.changed,
                rank(table.c.creator).label("of_creator"),
                rank(sa.func.coalesce(address.c.address, table.c.creator)).label("of_address"),
                table.c.creator.label("creator"),
            )
            .select_from(table.outerjoin(address, address.c.owner == table.c.creator))
            .where(
                table.c.listed == sa.true(),
                table.c.over == sa.false(),
                table.c.changed >= since,
                sa.or_(
                    table.c.slow == sa.true(),
                    sa.and_(table.c.played == sa.true(), table.c.changed >= active),
                    sa.and_(table.c.played == sa.false(), seen >= here),
                ),
            )
            .subquery()
        )
        chosen = (
            sa.select(listed.c.id, listed.c.of_address, listed.c.changed)
            .where(sa.or_(listed.c.of_creator <= of_creator, listed.c.creator == ""))
            .order_by(listed.c.of_address, listed.c.changed.desc())
            .limit(limit)
            .subquery()
        )
        query = self._select.join_from(table, chosen, chosen.c.id == table.c.id)
        return self._load(query.order_by(chosen.c.of_address, chosen.c.changed.desc()))

    def find_of(
        self, owner: str, *, over: bool | None = None, limit: int | None = None, offset: int = 0
    ) -> list[Table]:
        """List the tables where somebody has a seat, the latest change first."""
        table = self._table
        query = self._select.join_from(table, SEATS, SEATS.c.table_id == table.c.id)
        query = query.where(SEATS.c.owner == owner)
        if over is not None:
            query = query.where(table.c.over == over)
        query = query.order_by(table.c.changed.desc(), table.c.id)
        return self._load(query.limit(limit).offset(offset))

    def count_of(self, owner: str, *, over: bool) -> int:
        """Count the tables where somebody has a seat and whose game is over, or is not."""
        table = self._table
        joined = sa.join(table, SEATS, SEATS.c.table_id == table.c.id)
        query = sa.select(sa.func.count()).select_from(joined)
        query = query.where(SEATS.c.owner == owner, table.c.over == over)
        return self._database.scalar(query) or 0


def _owners(table: Table) -> list[str]:
    return sorted({seat.owner for seat in table.seats} - {""})


class Result(NamedTuple):
    """A rated game that is over: the points of `one` against `other`, 1, ½ or 0."""

    id: str  # of the table
    game: str
    one: str
    other: str
    points: float
    ended: float  # seconds since the epoch


class Results(Rows[Result], kind=Result, table="results", key="id", age="ended", order="-ended id"):
    """The results of rated games between two people, from which ratings are computed."""

    def find(self, *, game: str = "", owner: str = "", limit: int | None = None) -> list[Result]:
        """List the results in a game or of a person, the latest first."""
        row = self._row
        conditions = [row.game == game] if game else []
        if owner:
            conditions.append(sa.or_(row.one == owner, row.other == owner))
        return self._find(*conditions, order=self._order, limit=limit)

    def remove_of(self, owner: str) -> None:
        """Delete all results of a person."""
        self._delete(sa.or_(self._row.one == owner, self._row.other == owner))
