"""A repository: models of one kind, stored as rows and found by id or by a few of their fields.

Concurrency is optimistic. A model carries its version, and `put` stores it only if the stored
version is still the same. Of two that changed it at once, the second finds out, and `update` starts
over for it.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from parlour.core import BadText, NameTaken, ParlourError, UnknownName, quote, say, sentences
from parlour.store.database import Database, notify
from parlour.store.models import Model, Seat

T = TypeVar("T", bound=Model)

PRUNE_SIZE = 500  # rows deleted by one statement
MAX_ATTEMPTS = 20  # to store a change


class Conflict(ParlourError):
    """Others kept changing a model at the same time; trying again may work."""


class Repository(Generic[T]):
    """All models of one kind."""

    def __init__(
        self,
        database: Database,
        kind: type[T],
        name: str,
        *texts: str,
        flags: Sequence[str] = (),
    ) -> None:
        """Use the table of this name; `texts` and `flags` are the columns it is searched by."""
        self._database = database
        self._kind = kind
        self._texts = ("id", *texts)
        self._columns = (*self._texts, *flags, "version", "changed")
        names = [field.name for field in fields(kind)]
        self._read = [column for column in self._columns if column in names]
        self._rest = [name for name in names if name not in self._columns]
        self._table = table = sa.table(
            name,
            *(sa.column(text, sa.Text) for text in (*self._texts, "body")),
            *(sa.column(flag, sa.Boolean) for flag in flags),
            sa.column("version", sa.Integer),
            sa.column("changed", sa.Double),
        )
        same = table.c.id == sa.bindparam("id_")
        self._select = sa.select(*(table.c[column] for column in self._read), table.c.body)
        self._get = self._select.where(same)
        self._insert = sa.insert(table)
        self._update = sa.update(table).where(same, table.c.version == sa.bindparam("version_"))
        self._remove = sa.delete(table).where(same)
        notifies = database.dialect == "postgresql"
        self._update_and_notify = self._update.returning(notify()) if notifies else self._update

    def add(self, model: T) -> T:
        """Store a new model; `NameTaken` if its id exists."""
        return self.add_all([model])[0]

    def add_all(self, models: Iterable[T]) -> list[T]:
        """Store several new models, all or none."""
        now = time.time()
        added = [replace(model, changed=now) for model in models]
        rows = [self._row(model) for model in added]
        try:
            with self._database.transaction():
                if rows:
                    self._database.run(self._insert, rows)
                self._index(added)
        except IntegrityError:
            raise self._explain_conflict(added) from None
        return added

    def _index(self, models: Iterable[T]) -> None:
        """Store by what else models are found, in the transaction that stores them."""

    def get(self, name: str) -> T | None:
        """Return the model with this id, or None."""
        if not _fits(name):
            return None
        return next(iter(self._load(self._get, id_=name)), None)

    def _load(self, query: sa.Executable, **values: Any) -> list[T]:
        return [self._model(row) for row in self._database.rows(query, **values)]

    def put(self, model: T, *, announce: str = "") -> T | None:
        """Store a changed model as its next version; None if the stored one has changed meanwhile.

        The other servers are notified of the topic `announce` when this is committed.
        """
        after = replace(model, version=model.version + 1, changed=time.time())
        row = self._row(after) | {"id_": model.id, "version_": model.version}
        if announce:
            row["topic"] = self._database.sign(announce)
        update = self._update_and_notify if announce else self._update
        found = self._database.run(update, **row)
        if found and announce:
            self._database.tell_peers(announce, row)
        return after if found else None

    def update(
        self,
        name: str,
        change: Callable[[T], T | None],
        *,
        default: T | None = None,
        save: Callable[[T, T], T | None] | None = None,
        announce: str = "",
    ) -> T | None:
        """Change the model with this id, starting over if somebody else stores it meanwhile.

        Returns what is stored then, or None if there is none. A model that is not stored yet begins
        as `default`. A change that returns None, or the model as it is stored, stores nothing.
        `save` stores the second of two models instead of `put` or `add`; None if it is too late.
        """
        for _ in range(MAX_ATTEMPTS):
            found = self.get(name)
            before = default if found is None else found
            after = None if before is None else change(before)
            if before is None or after is None or after == found:
                return found
            with contextlib.suppress(NameTaken):  # somebody else stored the first version
                if save is not None:
                    stored = save(before, after)
                elif found is None:
                    stored = self.add(after)
                else:
                    stored = self.put(after, announce=announce)
                if stored is not None:
                    return stored
        raise Conflict(say("this is being changed in another window; try again"))

    def read(self, text: str) -> T:
        """Return the model that another process of this server stored and sent."""
        row = json.loads(text)
        return self._model([row[name] for name in (*self._read, "body")])

    def find(
        self, *, limit: int | None = None, changed_since: float | None = None, **equals: str | bool
    ) -> list[T]:
        """List the models with these values in these columns, the latest change first."""
        if not all(_fits(value) for value in equals.values() if isinstance(value, str)):
            return []
        changed = self._table.c.changed
        query = self._select.where(*self._conditions(equals))
        if changed_since is not None:
            query = query.where(changed >= changed_since)
        return self._load(query.order_by(changed.desc(), self._table.c.id).limit(limit))

    def count(self, *, changed_since: float = 0.0, **equals: str | bool) -> int:
        """Count the models with these values in these columns that changed since a time."""
        query = sa.select(sa.func.count()).select_from(self._table)
        query = query.where(self._table.c.changed >= changed_since, *self._conditions(equals))
        return int(self._database.scalar(query))

    def remove(self, name: str) -> None:
        """Delete the model with this id, if there is one."""
        if _fits(name):
            self._database.run(self._remove, id_=name)

    def prune(self, before: float, **equals: str | bool) -> int:
        """Delete models last changed before a time, with these values in these columns.

        Returns how many there were. They are deleted in pieces, so that other writers wait briefly.
        """
        table = self._table
        old = sa.select(table.c.id).where(table.c.changed < before, *self._conditions(equals))
        delete = sa.delete(table).where(table.c.id.in_(old.limit(PRUNE_SIZE)))
        deleted = some = self._database.run(delete)
        while some == PRUNE_SIZE:
            some = self._database.run(delete)
            deleted += some
        return deleted

    def _conditions(self, equals: Mapping[str, str | bool]) -> list[sa.ColumnElement[bool]]:
        return [self._table.c[name] == value for name, value in equals.items()]

    # Models as rows

    def _row(self, model: T) -> dict[str, Any]:
        row = {name: getattr(model, name) for name in self._columns}
        for name in self._texts:
            if not _fits(row[name]):
                raise BadText(
                    "{text} cannot be stored as {name}; use plain text",
                    text=quote(row[name]),
                    name=name,
                )
        row["body"] = WRITER.encode(
            sentences.pack({name: getattr(model, name) for name in self._rest})
        )
        return row

    def _model(self, row: Sequence[Any]) -> T:
        values = dict(zip(self._read, row, strict=False))  # the body comes last
        return self._kind(**values, **sentences.unpack(json.loads(row[-1])))

    def _explain_conflict(self, models: list[T]) -> ParlourError:
        """Return why these models could not be stored."""
        kind = self._kind.__name__.lower()
        for model in models:
            if self.get(model.id) is not None:
                return NameTaken(f"there is already a {kind} {quote(model.id)}")
        names = {model.id for model in models}
        if len(names) < len(models):
            return NameTaken(f"two of these have the same id; each {kind} needs its own")
        return UnknownName(f"this {kind} belongs to something that does not exist")


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
