"""Classes, their pupils, and what the pupils answer.

A class has a version that grows with everything that happens in it, also where only a row of a
pupil changes, so that pages know whether what they show is the latest. Thirty pupils answer at
once: each answer is a row of its own, and only the version of the class is counted up.

Everything of a class refers to it and is deleted with it, by `Deletions.delete` of `class:ID`.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.database import Database
from parlour.store.models import Classroom
from parlour.store.repository import Repository
from parlour.store.rows import Rows


class Classes(Repository[Classroom]):
    """All classes."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, Classroom, "classes", "owner", "code", "ends")

    def touch(self, class_id: str) -> int:
        """Count up the version of a class, and return it; 0 if there is no such class."""
        row = self._table.c
        touch = sa.update(self._table).where(row.id == class_id)
        touch = touch.values(version=row.version + 1, changed=time.time())
        with self._database.writing() as connection:
            return connection.scalar(touch.returning(row.version)) or 0

    @contextlib.contextmanager
    def alone(self, class_id: str) -> Iterator[None]:
        """Change a class while nobody else does this with the same class."""
        with self._database.serialised(f"class {class_id}"):
            yield

    def find_ended(self, day: str) -> list[str]:
        """List the ids of the classes that end on a day or ended before it."""
        row = self._table.c
        return [found.id for found in self._database.rows(sa.select(row.id).where(row.ends <= day))]

    def rename_in_games(self, pupil_id: str, name: str = "") -> None:
        """Give a pupil another name in the games and tournaments of the class, or none.

        Names are unique in a class, so that a seat is known by its name, on whatever device
        somebody sat there. A bot that was handed in is known by the work it is from.
        """
        query = "SELECT class_id, body FROM pupils WHERE id = :id"
        for pupil in self._database.rows(query, id=pupil_id):
            old, owner = json.loads(pupil.body)["name"], f"class:{pupil.class_id}"
            self._rename_seats(owner, old, name)
            self._rename_entries(owner, pupil_id, name)

    def _rename_seats(self, owner: str, old: str, name: str) -> None:
        query = "SELECT id, body FROM tables WHERE creator = :owner"
        for row in self._database.rows(query, owner=owner):
            body = json.loads(row.body)
            for seat in body["seats"]:
                if seat["name"] == old:
                    seat["name"] = name
            store_body(self._database, "tables", row.id, body)

    def _rename_entries(self, owner: str, pupil_id: str, name: str) -> None:
        query = "SELECT id, body FROM tournaments WHERE owner = :owner"
        for row in self._database.rows(query, owner=owner):
            body = json.loads(row.body)
            for at, bot in enumerate(body["bots"][: len(body["names"])]):
                if bot.endswith(f"-{pupil_id}"):
                    body["names"][at] = name or f"#{at + 1}"
            store_body(self._database, "tournaments", row.id, body)


def store_body(database: Database, table: str, row_id: str, body: object, **columns: str) -> None:
    """Store the fields of a model that have no column, and those columns, as its next version."""
    rows = sa.table(table, *(sa.column(name) for name in ("id", "body", "version", *columns)))
    update = sa.update(rows).where(rows.c.id == row_id).values(**columns)
    database.run(update.values(body=json.dumps(body), version=rows.c.version + 1))


class PupilAnswer(NamedTuple):
    """What a pupil answered to a question."""

    question: str
    pupil: str
    move: str
    answered: float  # seconds since the epoch


class ClassAnswers(
    Rows[PupilAnswer],
    kind=PupilAnswer,
    table="class_answers",
    key="question_id pupil_id",
    order="answered pupil_id",
    columns={"question": "question_id", "pupil": "pupil_id"},
):
    """All answers of pupils to positions on everybody's screen."""

    def find(self, question: str, pupil: str = "") -> list[PupilAnswer]:
        """List the answers to a question, of all or of one pupil, the earliest first."""
        row = self._row
        conditions = [row.question_id == question, *[row.pupil_id == pupil] * bool(pupil)]
        return self._find(*conditions, order=self._order)
