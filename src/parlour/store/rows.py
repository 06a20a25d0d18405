"""Rows: named tuples of one kind, stored as they are in the columns of a table.

They carry no version, as models do: whoever writes a row last is right. The columns are called as
the fields are, unless said otherwise, and hold what the annotations of the fields say.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar, get_type_hints

import sqlalchemy as sa

from parlour.store.database import Database

R = TypeVar("R", bound=tuple[Any, ...])

TYPES: dict[type, Any] = {str: sa.Text, float: sa.Double, int: sa.BigInteger, bool: sa.Boolean}


class Rows(Generic[R]):
    """All rows of one kind: a subclass says of which, and in which table."""

    _kind: Any
    _table: sa.TableClause
    _columns: list[str]
    _key: list[str]
    _age: str
    _order: tuple[sa.ColumnElement[Any], ...]

    def __init_subclass__(
        cls,
        kind: type[R] | None = None,
        table: str = "",
        key: str = "",
        age: str = "",
        order: str = "",
        columns: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Use a table with a primary key.

        `age` is the column by which rows become old, `order` those by which they are listed, `-`
        for the latest first, and `columns` has those that are not called as the field is.
        """
        if kind is None:
            return
        types = get_type_hints(kind)
        cls._kind, cls._key, cls._age = kind, key.split(), age
        cls._columns = [columns.get(field, field) for field in types]
        columns_of_table = zip(cls._columns, types.values(), strict=True)
        cls._table = sa.table(table, *(sa.column(each, TYPES[of]) for each, of in columns_of_table))
        row = cls._table.c
        cls._order = tuple(
            row[each[1:]].desc() if each.startswith("-") else row[each] for each in order.split()
        )

    def __init__(self, database: Database) -> None:
        self._database = database
        self._row = self._table.c

    def insert(self, row: R) -> None:
        """Store a row, unless there is one with its key."""
        self._write(row, "NOTHING")

    def put(self, row: R) -> None:
        """Store a row, in place of the one with its key."""
        rest = [each for each in self._columns if each not in self._key]
        self._write(row, "UPDATE SET " + ", ".join(f"{each} = excluded.{each}" for each in rest))

    def _write(self, row: R, on_conflict: str) -> None:
        statement = (
            f"INSERT INTO {self._table.name} ({', '.join(self._columns)})"  # noqa: S608 - our names
            f" VALUES (:{', :'.join(self._columns)})"
            f" ON CONFLICT ({', '.join(self._key)}) DO {on_conflict}"
        )
        self._database.run(statement, **dict(zip(self._columns, row, strict=True)))

    def _find(
        self, *conditions: sa.ColumnElement[bool], order: Any = (), limit: int | None = None
    ) -> list[R]:
        """List the rows that fulfil these conditions."""
        columns = [self._row[each] for each in self._columns]
        order = order if isinstance(order, tuple) else (order,)
        query = sa.select(*columns).where(*conditions).order_by(*order).limit(limit)
        return [self._kind(*row) for row in self._database.rows(query)]

    def _update(self, *conditions: sa.ColumnElement[bool], **values: object) -> int:
        """Change the rows that fulfil these conditions, and return how many there were."""
        return self._database.run(sa.update(self._table).where(*conditions).values(**values))

    def _delete(self, *conditions: sa.ColumnElement[bool]) -> int:
        """Delete the rows that fulfil these conditions, and return how many there were."""
        return self._database.run(sa.delete(self._table).where(*conditions))

    def get(self, name: str) -> R | None:
        """Return the row with this key, if there is one."""
        return next(iter(self._find(self._row[self._key[0]] == name)), None)

    def remove(self, name: str) -> None:
        """Delete the row with this key, if there is one."""
        self._delete(self._row[self._key[0]] == name)

    def prune(self, before: float) -> int:
        """Delete the rows that are older than a time, and return how many there were."""
        return self._delete(self._row[self._age] < before)

    def list(self, limit: int | None = None) -> list[R]:
        """List the rows in their order."""
        return self._find(order=self._order, limit=limit)
