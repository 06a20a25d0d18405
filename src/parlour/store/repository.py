"""A shelf: things of one kind, kept as rows and found again by id or by a few of their fields.

Nobody holds a lock while they think. A thing carries its version, and `put` stores it only if that
is still the one on the shelf: of two who changed the same thing one is told, and looks again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from parlour.core import BadText, NameTaken, ParlourError, UnknownName, quote
from parlour.store.database import Database
from parlour.store.models import Seat, Thing
from parlour.store.notifications import telling

T = TypeVar("T", bound=Thing)

MOST_AT_ONCE = 500  # things that are thrown away by one statement


class Shelf(Generic[T]):
    """All things of one kind."""

    def __init__(self, database: Database, table: sa.Table, kind: type[T]) -> None:
        self._database = database
        self._table = table
        self._kind = kind
        names = [field.name for field in fields(kind)]
        self._columns = [column.name for column in table.c if column.name != "body"]
        self._read = [name for name in self._columns if name in names]
        self._rest = [name for name in names if name not in table.c]
        self._texts = [column.name for column in table.c if isinstance(column.type, sa.Text)]
        self._texts.remove("body")

        same = table.c.id == sa.bindparam("id_")
        self._select = sa.select(*(table.c[name] for name in self._read), table.c.body)
        self._get = self._select.where(same)
        self._insert = sa.insert(table)
        self._update = sa.update(table).where(same, table.c.version == sa.bindparam("version_"))
        self._remove = sa.delete(table).where(same)
        aloud = database.dialect == "postgresql"
        self._insert_aloud = self._insert.returning(telling()) if aloud else self._insert
        self._update_aloud = self._update.returning(telling()) if aloud else self._update

    def add(self, thing: T, *, announce: str = "") -> T:
        """Put a new thing there; `NameTaken` when there is one of its id already."""
        thing = replace(thing, changed=time.time())
        insert = self._insert_aloud if announce else self._insert
        row = self._row(thing) | ({"topic": announce} if announce else {})
        try:
            with self._database.writing() as connection:
                connection.execute(insert, row)
        except IntegrityError:
            raise self._refusal([thing]) from None
        return thing

    def add_all(self, things: Iterable[T]) -> list[T]:
        """Put several new things there, all or none."""
        now = time.time()
        added = [replace(thing, changed=now) for thing in things]
        rows = [self._row(thing) for thing in added]
        try:
            with self._database.together() as connection:
                if rows:
                    connection.execute(self._insert, rows)
        except IntegrityError:
            raise self._refusal(added) from None
        return added

    def get(self, name: str) -> T | None:
        """The thing of this id, or None."""
        if not _fits(name):
            return None
        with self._database.reading() as connection:
            row = connection.execute(self._get, {"id_": name}).first()
        return None if row is None else self._thing(row)

    def put(self, thing: T, *, announce: str = "") -> T | None:
        """Store a changed thing as its next version; None if somebody else was quicker.

        Whoever listens on another server hears the topic announced as soon as it is stored.
        """
        after = replace(thing, version=thing.version + 1, changed=time.time())
        row = self._row(after) | {"id_": thing.id, "version_": thing.version}
        update = self._update
        if announce:
            row["topic"], update = announce, self._update_aloud
        with self._database.writing() as connection:
            found = connection.execute(update, row).rowcount
        return after if found else None

    def find(
        self, *, limit: int | None = None, changed_since: float | None = None, **equals: str | bool
    ) -> list[T]:
        """The things with these values in these columns, the one changed last first."""
        if not all(_fits(value) for value in equals.values() if isinstance(value, str)):
            return []
        wanted = self._select.order_by(self._table.c.changed.desc(), self._table.c.id).limit(limit)
        for name, value in equals.items():
            wanted = wanted.where(self._table.c[name] == value)
        if changed_since is not None:
            wanted = wanted.where(self._table.c.changed >= changed_since)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [self._thing(row) for row in rows]

    def remove(self, name: str) -> None:
        """Throw the thing of this id away, if there is one."""
        if _fits(name):
            with self._database.writing() as connection:
                connection.execute(self._remove, {"id_": name})

    def prune(self, before: float, **equals: str | bool) -> int:
        """Throw away what was last changed before this time, and has these values in these columns.

        This goes in pieces, so that nobody waits long who wants to write; how many things that were
        is told.
        """
        table = self._table
        old = sa.select(table.c.id).where(table.c.changed < before).limit(MOST_AT_ONCE)
        for name, value in equals.items():
            old = old.where(table.c[name] == value)
        thrown_away = sa.delete(table).where(table.c.id.in_(old))
        many = 0
        while True:
            with self._database.writing() as connection:
                some = connection.execute(thrown_away).rowcount
            many += some
            if some < MOST_AT_ONCE:
                return many

    # Things as rows

    def _row(self, thing: T) -> dict[str, Any]:
        row = {name: getattr(thing, name) for name in self._columns}
        for name in self._texts:
            if not _fits(row[name]):
                raise BadText(f"{quote(row[name])} cannot be the {name} of anything; use letters")
        row["body"] = WRITER.encode({name: getattr(thing, name) for name in self._rest})
        return row

    def _thing(self, row: Sequence[Any]) -> T:
        values = dict(zip(self._read, row, strict=False))  # the body comes last
        return self._kind(**values, **json.loads(row[-1]))

    def _refusal(self, things: list[T]) -> ParlourError:
        """Why these things could not be added."""
        kind = self._kind.__name__.lower()
        for thing in things:
            if self.get(thing.id) is not None:
                return NameTaken(f"there is a {kind} {quote(thing.id)} already")
        names = {thing.id for thing in things}
        if len(names) < len(things):
            return NameTaken(f"two of these have the same id; each {kind} needs its own")
        return UnknownName(f"this {kind} belongs to something that is not there")


def _fits(text: str) -> bool:
    """Whether both databases can hold this in a column: no NUL, and nothing UTF-8 cannot write."""
    if "\0" in text:
        return False
    return text.isascii() or text.encode("utf-8", "replace").decode("utf-8") == text


def _plain(value: object) -> dict[str, Any]:
    """A seat for the JSON writer, which knows everything else that can be kept."""
    if isinstance(value, Seat):
        return vars(value)
    raise TypeError(f"{quote(value)} cannot be kept")


WRITER = json.JSONEncoder(default=_plain)  # ASCII, so that any text can be kept
