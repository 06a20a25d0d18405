"""The tables of the database, and the migrations that bring older databases up to date.

Every model has a table: id, version, time, the few columns it is searched by, and all other fields
as one JSON text in `body`. That text is ASCII, so it can hold any text, even NUL, which PostgreSQL
refuses in a column.

`METADATA` is the newest schema; `MIGRATIONS` lead to it, and a test compares the two. A migration
that has been released is never changed. A field added to a model is a migration too, though an
empty one: its number makes older programs refuse what they would misread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from parlour.core import BadFile

METADATA = sa.MetaData()


Columns = Sequence[sa.Column[str] | sa.Column[bool]]


def _model_table(
    name: str, *columns: sa.Column[str] | sa.Column[bool], added: Columns = ()
) -> sa.Table:
    """Return the table of a model, with the columns it is searched by, some of them added later."""
    return sa.Table(
        name,
        METADATA,
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        *columns,
        sa.Column("body", sa.Text, nullable=False),
        *added,
        sa.Index(f"{name}_changed", "changed"),
    )


def _text(name: str, *rules: sa.ForeignKey) -> sa.Column[str]:
    return sa.Column(name, sa.Text, *rules, nullable=False)


def _boolean(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False)


TABLES = _model_table(
    "tables",
    _boolean("listed"),
    _boolean("over"),
    added=(_text("creator"), _boolean("bots"), _boolean("played")),
)
SETUPS = _model_table("setups", _text("owner"))
TALKS = _model_table("talks")
TRAININGS = _model_table("trainings", _text("owner"), _text("state"))
TOURNAMENTS = _model_table("tournaments", _text("owner"), _text("state"))
PAIRINGS = _model_table(
    "pairings",
    _text("tournament", sa.ForeignKey("tournaments.id", ondelete="CASCADE")),
    _text("state"),
)
SECRETS = sa.Table(
    "secrets", METADATA, sa.Column("name", sa.Text, primary_key=True), _text("value")
)
VERSION = sa.Table("parlour_version", METADATA, sa.Column("version", sa.Integer, nullable=False))

sa.Index("tables_lobby", TABLES.c.over, TABLES.c.listed, TABLES.c.changed)
sa.Index("tables_creator", TABLES.c.creator, TABLES.c.over, TABLES.c.changed)
sa.Index("setups_owner", SETUPS.c.owner, SETUPS.c.changed)
sa.Index("trainings_owner", TRAININGS.c.owner, TRAININGS.c.changed)
sa.Index("trainings_state", TRAININGS.c.state, TRAININGS.c.changed)
sa.Index("tournaments_owner", TOURNAMENTS.c.owner, TOURNAMENTS.c.changed)
sa.Index("tournaments_state", TOURNAMENTS.c.state, TOURNAMENTS.c.changed)
sa.Index("pairings_tournament", PAIRINGS.c.tournament, PAIRINGS.c.state)
sa.Index("pairings_state", PAIRINGS.c.state, PAIRINGS.c.changed)

Migration = Callable[[Connection], None]
COMMON = "id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, changed DOUBLE PRECISION NOT NULL"


def _first(connection: Connection) -> None:
    """Create the tables of six models and the secrets."""
    for statement in (
        f"CREATE TABLE tables ({COMMON}, listed BOOLEAN NOT NULL, over BOOLEAN NOT NULL, "
        "body TEXT NOT NULL)",
        f"CREATE TABLE setups ({COMMON}, owner TEXT NOT NULL, body TEXT NOT NULL)",
        f"CREATE TABLE talks ({COMMON}, body TEXT NOT NULL)",
        f"CREATE TABLE trainings ({COMMON}, owner TEXT NOT NULL, state TEXT NOT NULL, "
        "body TEXT NOT NULL)",
        f"CREATE TABLE tournaments ({COMMON}, owner TEXT NOT NULL, state TEXT NOT NULL, "
        "body TEXT NOT NULL)",
        f"CREATE TABLE pairings ({COMMON}, tournament TEXT NOT NULL, state TEXT NOT NULL, "
        "body TEXT NOT NULL, "
        "FOREIGN KEY (tournament) REFERENCES tournaments (id) ON DELETE CASCADE)",
        "CREATE TABLE secrets (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE INDEX tables_changed ON tables (changed)",
        "CREATE INDEX setups_changed ON setups (changed)",
        "CREATE INDEX talks_changed ON talks (changed)",
        "CREATE INDEX trainings_changed ON trainings (changed)",
        "CREATE INDEX tournaments_changed ON tournaments (changed)",
        "CREATE INDEX pairings_changed ON pairings (changed)",
        "CREATE INDEX tables_lobby ON tables (over, listed, changed)",
        "CREATE INDEX setups_owner ON setups (owner, changed)",
        "CREATE INDEX trainings_owner ON trainings (owner, changed)",
        "CREATE INDEX trainings_state ON trainings (state, changed)",
        "CREATE INDEX tournaments_owner ON tournaments (owner, changed)",
        "CREATE INDEX tournaments_state ON tournaments (state, changed)",
        "CREATE INDEX pairings_tournament ON pairings (tournament, state)",
        "CREATE INDEX pairings_state ON pairings (state, changed)",
    ):
        connection.exec_driver_sql(statement)


def _second(connection: Connection) -> None:
    """Add the creator of tables and the points of pairings, whose record is that of the table."""
    for statement in (
        "ALTER TABLE tables ADD COLUMN creator TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tables ADD COLUMN bots BOOLEAN NOT NULL DEFAULT FALSE",
        "ALTER TABLE tables ADD COLUMN played BOOLEAN NOT NULL DEFAULT FALSE",
        "CREATE INDEX tables_creator ON tables (creator, over, changed)",
    ):
        connection.exec_driver_sql(statement)
    for row in connection.execute(sa.text("SELECT id, body FROM tables")).all():
        body = json.loads(row.body)
        bots = any(seat["kind"] == "bot" for seat in body["seats"])
        connection.execute(
            sa.text("UPDATE tables SET bots = :bots, played = :played WHERE id = :id"),
            {"bots": bots, "played": bool(body["moves"]), "id": row.id},
        )
    for row in connection.execute(sa.text("SELECT id, state, body FROM pairings")).all():
        body = json.loads(row.body)
        record = body.pop("record")
        if row.state == "done":
            body["points"] = [(payoff + 1) / 2 for payoff in json.loads(record)["result"] or ()]
        elif row.state == "failed":
            body["note"] = record
        connection.execute(
            sa.text("UPDATE pairings SET body = :body WHERE id = :id"),
            {"body": json.dumps(body), "id": row.id},
        )


MIGRATIONS: tuple[Migration, ...] = (_first, _second)


def migrate(connection: Connection, name: str, migrations: Sequence[Migration]) -> None:
    """Bring the database called `name` to the newest version, in one transaction.

    The caller holds a lock, so that of several programs that start at once only one migrates.
    """
    tables = set(sa.inspect(connection).get_table_names())
    if VERSION.name not in tables:
        if taken := sorted(tables & METADATA.tables.keys()):
            raise BadFile(
                f"{name} holds a table {taken[0]!r} that Parlour did not make; "
                "give Parlour a database of its own"
            )
        connection.exec_driver_sql("CREATE TABLE parlour_version (version INTEGER NOT NULL)")
        connection.execute(sa.insert(VERSION).values(version=0))
    version = connection.scalar(sa.select(VERSION.c.version)) or 0
    if version > len(migrations):
        raise BadFile(
            f"{name} belongs to a newer Parlour (its version is {version}, and this program knows "
            f"{len(migrations)}); use the newer program, or name another database"
        )
    for migration in migrations[version:]:
        migration(connection)
    if version < len(migrations):
        connection.execute(sa.update(VERSION).values(version=len(migrations)))
