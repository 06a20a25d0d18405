"""The schema of the database: the migrations that make it, and bring older databases up to date.

Every model has a table: id, version, time, the few columns it is searched by, and all other fields
as one JSON text in `body`. That text is ASCII, so it can hold any text, even NUL, which PostgreSQL
refuses in a column.

A migration that has been released is never changed. A field added to a model is a migration too,
though an empty one: its number makes older programs refuse what they would misread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files

import sqlalchemy as sa
from sqlalchemy import Connection

from parlour.core import BadFile

TABLES = (
    *("tables", "setups", "talks", "trainings", "tournaments", "pairings", "secrets"),
    *("accounts", "challenges", "feeds", "events"),
    *("seats", "people", "waiting", "presence", "codes", "results", "deletions"),
    *("addresses", "bars", "admin_tokens", "admin_log"),
    "studies",
    *("puzzles", "cards", "choices"),
    *("classes", "pupils", "class_questions", "class_answers", "class_presence"),
    *("homework", "pupil_work"),
)

Migration = Callable[[Connection], None]


def _run_script(connection: Connection, name: str) -> None:
    script = files("parlour.store").joinpath("sql", name).read_text(encoding="utf-8")
    for statement in script.split(";\n"):
        if statement:
            connection.exec_driver_sql(statement)


MIGRATIONS: tuple[Migration, ...] = tuple(
    partial(_run_script, name=name) for name in ("1.sql", "2.sql", "3.sql")
)
OLDEST = 3  # the version of the first schema that is read; earlier ones were never released


def migrate(connection: Connection, name: str, migrations: Sequence[Migration]) -> None:
    """Bring the database called `name` to the newest version, in one transaction.

    The caller holds a lock, so that of several programs that start at once only one migrates.
    """
    tables = sa.inspect(connection).get_table_names()
    if "parlour_version" not in tables:
        if taken := sorted({*tables} & {*TABLES}):
            raise BadFile(
                f"{name} holds a table {taken[0]!r} that Parlour did not make; "
                "give Parlour a database of its own"
            )
        connection.exec_driver_sql("CREATE TABLE parlour_version (version INTEGER NOT NULL)")
        connection.exec_driver_sql("INSERT INTO parlour_version VALUES (0)")
    version = connection.scalar(sa.text("SELECT version FROM parlour_version")) or 0
    if version > len(migrations):
        raise BadFile(
            f"{name} belongs to a newer Parlour (its version is {version}, and this program knows "
            f"{len(migrations)}); use the newer program, or name another database"
        )
    if 0 < version < OLDEST:
        raise BadFile(f"{name} belongs to a Parlour from before the first release; name another")
    for migration in migrations[version:]:
        migration(connection)
    if version < len(migrations):
        update = sa.text("UPDATE parlour_version SET version = :version")
        connection.execute(update, {"version": len(migrations)})
