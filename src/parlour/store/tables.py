"""Tables, and an index of who sits at them: `seats` holds a row for every owner at a table.

The index is kept by the statements that store a table, in one transaction with it, so that the
games of a person are found without reading those of others. A move changes no seat and costs
nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy import Connection

from parlour.store.database import Database
from parlour.store.models import Table
from parlour.store.repository import Repository

SEATS = sa.table("seats", sa.column("table_id", sa.Text), sa.column("owner", sa.Text))

ADDRESSES = sa.table(
    "addresses",
    *(sa.column(name, sa.Text) for name in ("owner", "address")),
    sa.column("seen", sa.Double),
)


class TableRepository(Repository[Table]):
    """All tables, found by who sits there too."""

    def __init__(self, database: Database) -> None:
        super().__init__(
            database,
            Table,
            "tables",
            texts=("creator",),
            flags=("listed", "over", "bots", "played", "slow"),
        )
        self._add_seats = sa.insert(SEATS)
        self._remove_seats = sa.delete(SEATS).where(SEATS.c.table_id == sa.bindparam("id_"))

    def add(self, model: Table) -> Table:
        """Store a new table; `NameTaken` if its id exists."""
        if not _owners(model):
            return super().add(model)
        with self._database.joined() as connection:
            added = super().add(model)
            self._index(connection, [added])
        return added

    def add_all(self, models: Iterable[Table]) -> list[Table]:
        """Store several new tables, all or none."""
        with self._database.joined() as connection:
            added = super().add_all(models)
            self._index(connection, added)
        return added

    def put(self, model: Table, *, announce: str = "", reseated: bool = False) -> Table | None:
        """Store a changed table; `reseated` says that its seats have other owners than before."""
        if not reseated:
            return super().put(model, announce=announce)
        with self._database.joined() as connection:
            stored = super().put(model, announce=announce)
            if stored is not None:
                connection.execute(self._remove_seats, {"id_": model.id})
                self._index(connection, [stored])
        return stored

    def _index(self, connection: Connection, tables: Iterable[Table]) -> None:
        rows = [
            {"table_id": table.id, "owner": owner} for table in tables for owner in _owners(table)
        ]
        if rows:
            connection.execute(self._add_seats, rows)

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
        query = query.order_by(chosen.c.of_address, chosen.c.changed.desc())
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [self._model(row) for row in rows]

    def find_of(
        self, owner: str, *, over: bool | None = None, limit: int | None = None, offset: int = 0
    ) -> list[Table]:
        """List the tables where somebody has a seat, the latest change first."""
        table = self._table
        query = self._select.join_from(table, SEATS, SEATS.c.table_id == table.c.id)
        query = query.where(SEATS.c.owner == owner)
        if over is not None:
            query = query.where(table.c.over == over)
        query = query.order_by(table.c.changed.desc(), table.c.id).limit(limit).offset(offset)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [self._model(row) for row in rows]

    def count_of(self, owner: str, *, over: bool) -> int:
        """Count the tables where somebody has a seat and whose game is over, or is not."""
        table = self._table
        joined = sa.join(table, SEATS, SEATS.c.table_id == table.c.id)
        query = sa.select(sa.func.count()).select_from(joined)
        with self._database.reading() as connection:
            return connection.scalar(query.where(SEATS.c.owner == owner, table.c.over == over)) or 0


def _owners(table: Table) -> list[str]:
    return sorted({seat.owner for seat in table.seats} - {""})
