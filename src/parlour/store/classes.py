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
from sqlalchemy import Connection

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

    def rename_in_games(self, pupil_id: str, name: str) -> None:
        """Give a pupil another name in the tournaments of the class."""
        with self._database.transaction() as connection:
            rename_in_games(connection, pupil_id, name)

    def find_ended(self, day: str) -> list[str]:
        """List the ids of the classes that end on a day or ended before it."""
        row = self._table.c
        return [found.id for found in self._database.rows(sa.select(row.id).where(row.ends <= day))]


def rename_in_games(connection: Connection, pupil_id: str, name: str = "") -> None:
    """Give a pupil another name in the games of their class, or none.

    Names are unique in a class, so that a seat is known by its name, on whatever device somebody
    sat there. A bot that was handed in is known by the work it is from.
    """
    query = sa.text("SELECT class_id, owner, body FROM pupils WHERE id = :id")
    pupil = connection.execute(query, {"id": pupil_id}).first()
    if pupil is None:
        return
    old, games = json.loads(pupil.body)["name"], {"owner": f"class:{pupil.class_id}"}
    for row in connection.execute(
        sa.text("SELECT id, body FROM tables WHERE creator = :owner"), games
    ).all():
        body = json.loads(row.body)
        for seat in body["seats"]:
            if seat["name"] == old:
                seat["name"] = name
        store_body(connection, "tables", row.id, body)
    for row in connection.execute(
        sa.text("SELECT id, body FROM tournaments WHERE owner = :owner"), games
    ).all():
        body = json.loads(row.body)
        names = [
            (name or f"#{place}") if bot.endswith(f"-{pupil_id}") else each
            for place, (each, bot) in enumerate(zip(body["names"], body["bots"], strict=False), 1)
        ]
        store_body(connection, "tournaments", row.id, {**body, "names": names})


def store_body(
    connection: Connection, table: str, row_id: str, body: object, **columns: str
) -> None:
    """Store the fields of a model that have no column, and those columns, as its next version."""
    rows = sa.table(table, *(sa.column(name) for name in ("id", "body", "version", *columns)))
    update = sa.update(rows).where(rows.c.id == row_id).values(**columns)
    connection.execute(update.values(body=json.dumps(body), version=rows.c.version + 1))


class PupilAnswer(NamedTuple):
    """What a pupil answered to a question."""

    question: str
    pupil: str
    move: str
    answered: float  # seconds since the epoch


class ClassAnswers(Rows[PupilAnswer]):
    """All answers of pupils to positions on everybody's screen."""

    def __init__(self, database: Database) -> None:
        columns = {"question": "question_id", "pupil": "pupil_id"}
        key = ("question_id", "pupil_id")
        super().__init__(database, PupilAnswer, "class_answers", key=key, columns=columns)

    def find(self, question: str, pupil: str = "") -> list[PupilAnswer]:
        """List the answers to a question, of all or of one pupil, the earliest first."""
        row = self._row
        conditions = [row.question_id == question, *[row.pupil_id == pupil] * bool(pupil)]
        return self._find(*conditions, order=(row.answered, row.pupil_id))
