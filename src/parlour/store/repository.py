"""A repository: models of one kind, stored as rows and found by id or by a few of their fields.

Concurrency is optimistic. A model carries its version, and `put` stores it only if the stored
version is still the same: of two that changed it at once, the second finds out and starts over.
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
from parlour.store.database import Database, notify
from parlour.store.models import Model, Seat

T = TypeVar("T", bound=Model)

PRUNE_SIZE = 500  # rows deleted by one statement


class Repository(Generic[T]):
    """All models of one kind."""

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
        notifies = database.dialect == "postgresql"
        self._insert_and_notify = self._insert.returning(notify()) if notifies else self._insert
        self._update_and_notify = self._update.returning(notify()) if notifies else self._update

    def add(self, model: T, *, announce: str = "") -> T:
        """Store a new model; `NameTaken` if its id exists."""
        model = replace(model, changed=time.time())
        insert = self._insert_and_notify if announce else self._insert
        row = self._row(model) | ({"topic": announce} if announce else {})
        try:
            with self._database.writing() as connection:
                connection.execute(insert, row)
        except IntegrityError:
            raise self._explain_conflict([model]) from None
        return model

    def add_all(self, models: Iterable[T]) -> list[T]:
        """Store several new models, all or none."""
        now = time.time()
        added = [replace(model, changed=now) for model in models]
        rows = [self._row(model) for model in added]
        try:
            with self._database.grouped() as connection:
                if rows:
                    connection.execute(self._insert, rows)
        except IntegrityError:
            raise self._explain_conflict(added) from None
        return added

    def get(self, name: str) -> T | None:
        """Return the model with this id, or None."""
        if not _fits(name):
            return None
        with self._database.reading() as connection:
            row = connection.execute(self._get, {"id_": name}).first()
        return None if row is None else self._model(row)

    def put(self, model: T, *, announce: str = "") -> T | None:
        """Store a changed model as its next version; None if the stored one has changed meanwhile.

        The other servers are notified of the topic `announce` when this is committed.
        """
        after = replace(model, version=model.version + 1, changed=time.time())
        row = self._row(after) | {"id_": model.id, "version_": model.version}
        update = self._update
        if announce:
            row["topic"], update = announce, self._update_and_notify
        with self._database.writing() as connection:
            found = connection.execute(update, row).rowcount
        return after if found else None

    def find(
        self, *, limit: int | None = None, changed_since: float | None = None, **equals: str | bool
    ) -> list[T]:
        """List the models with these values in these columns, the latest change first."""
        if not all(_fits(value) for value in equals.values() if isinstance(value, str)):
            return []
        wanted = self._select.order_by(self._table.c.changed.desc(), self._table.c.id).limit(limit)
        for name, value in equals.items():
            wanted = wanted.where(self._table.c[name] == value)
        if changed_since is not None:
            wanted = wanted.where(self._table.c.changed >= changed_since)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [self._model(row) for row in rows]

    def remove(self, name: str) -> None:
        """Delete the model with this id, if there is one."""
        if _fits(name):
            with self._database.writing() as connection:
                connection.execute(self._remove, {"id_": name})

    def prune(self, before: float, **equals: str | bool) -> int:
        """Delete models last changed before a time, with these values in these columns.

        Returns how many there were. They are deleted in pieces, so that other writers wait briefly.
        """
        table = self._table
        old = sa.select(table.c.id).where(table.c.changed < before).limit(PRUNE_SIZE)
        for name, value in equals.items():
            old = old.where(table.c[name] == value)
        delete = sa.delete(table).where(table.c.id.in_(old))
        deleted = 0
        while True:
            with self._database.writing() as connection:
                some = connection.execute(delete).rowcount
            deleted += some
            if some < PRUNE_SIZE:
                return deleted

    # Models as rows

    def _row(self, model: T) -> dict[str, Any]:
        row = {name: getattr(model, name) for name in self._columns}
        for name in self._texts:
            if not _fits(row[name]):
                raise BadText(f"{quote(row[name])} cannot be the {name} of anything; use letters")
        row["body"] = WRITER.encode({name: getattr(model, name) for name in self._rest})
        return row

    def _model(self, row: Sequence[Any]) -> T:
        values = dict(zip(self._read, row, strict=False))  # the body comes last
        return self._kind(**values, **json.loads(row[-1]))

    def _explain_conflict(self, models: list[T]) -> ParlourError:
        """Return why these models could not be stored."""
        kind = self._kind.__name__.lower()
        for model in models:
            if self.get(model.id) is not None:
                return NameTaken(f"there is a {kind} {quote(model.id)} already")
        names = {model.id for model in models}
        if len(names) < len(models):
            return NameTaken(f"two of these have the same id; each {kind} needs its own")
        return UnknownName(f"this {kind} belongs to something that is not there")


def _fits(text: str) -> bool:
    """Whether both databases can store this in a column: no NUL, and valid UTF-8."""
    if "\0" in text:
        return False
    return text.isascii() or text.encode("utf-8", "replace").decode("utf-8") == text


def _plain(value: object) -> dict[str, Any]:
    """Return a seat as JSON; everything else that is stored already is."""
    if isinstance(value, Seat):
        return vars(value)
    raise TypeError(f"{quote(value)} cannot be stored")


WRITER = json.JSONEncoder(default=_plain)  # ASCII, so that any text can be stored
