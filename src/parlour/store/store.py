"""The store: a repository for each kind of model, and how the database is found and opened.

A URL names the database: an SQLite file for one server, or PostgreSQL for several. Without one it
is a file in the user's folder. A database that cannot be opened is refused in one sentence.

The schema is made by migrations, which bring older databases up to date as well. Every model has a
table: id, version, time, the few columns it is searched by, and all other fields as one JSON text
in `body`. That text is ASCII, so it can hold any text, even NUL, which PostgreSQL refuses in a
column. A migration that has been released is never changed. A field added to a model is a migration
too, though an empty one: its number makes older programs refuse what they would misread.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import resources
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import URL, Connection
from sqlalchemy.exc import ArgumentError

from parlour.core import BadFile, BadText, ParlourError, files, quote
from parlour.store import models
from parlour.store.choices import Choices
from parlour.store.classes import ClassAnswers, Classes
from parlour.store.database import TIMEOUT, Database, Unavailable
from parlour.store.events import EventLog
from parlour.store.hosting import Addresses, AdminLog, AdminTokens, Bars
from parlour.store.people import Codes, Deletions
from parlour.store.presence import PupilSightings, TableSightings, WaitingList
from parlour.store.repository import Repository
from parlour.store.tables import Results, TableRepository

POSTGRESQL = {"postgresql", "postgres", "postgresql+psycopg"}
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that look alike
ID_LENGTH = 10
VARIABLE = "PARLOUR_DATABASE"
RIGHT = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


# The schema

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
    script = resources.files("parlour.store").joinpath("sql", name).read_text(encoding="utf-8")
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


# The repositories


class Store(Database):
    """The database with all its repositories."""

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.name = display_name(url)  # the file, or the URL without its password, for a message
        self.tables = TableRepository(self)
        self.setups = Repository(self, models.Setup, "setups", "owner")
        self.people = Repository(self, models.Person, "people", flags=("rated",))
        self.talks = Repository(self, models.Talk, "talks")
        self.trainings = Repository(self, models.Training, "trainings", "owner", "state")
        self.tournaments = Repository(self, models.Tournament, "tournaments", "owner", "state")
        self.pairings = Repository(self, models.Pairing, "pairings", "tournament", "state")
        self.accounts = Repository(self, models.Account, "accounts", "handle", "origin")
        self.challenges = Repository(
            self, models.Challenge, "challenges", "challenger", "opponent", "state"
        )
        self.puzzles = Repository(self, models.StoredPuzzle, "puzzles", "game")
        self.cards = Repository(self, models.PuzzleCard, "cards", "owner", "puzzle")
        self.classes = Classes(self)
        self.pupils = Repository(self, models.Pupil, "pupils", "class_id", "owner", "handle")
        self.questions = Repository(self, models.Question, "class_questions", "class_id")
        self.homework = Repository(self, models.Homework, "homework", "class_id")
        self.pupil_work = Repository(self, models.PupilWork, "pupil_work", "homework", "pupil")
        self.class_answers = ClassAnswers(self)
        self.class_presence = PupilSightings(self)
        self.studies = Repository(self, models.StoredStudy, "studies", "owner", flags=("public",))
        self.feeds = Repository(self, models.Feed, "feeds", "owner")
        self.events = EventLog(self)
        self.deletions = Deletions(self)
        self.waiting = WaitingList(self)
        self.presence = TableSightings(self)
        self.codes = Codes(self)
        self.results = Results(self)
        self.choices = Choices(self)
        self.addresses = Addresses(self)
        self.bars = Bars(self)
        self.admin_tokens = AdminTokens(self)
        self.admin_log = AdminLog(self)

    @staticmethod
    def new_id() -> str:
        """Return an id that nobody can guess and that is easy to read out."""
        return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))

    def secret(self, name: str) -> bytes:
        """Return 32 random bytes by name, made once and then the same for every process."""
        insert = "INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING"
        self.run(insert, name=name, value=secrets.token_hex(32))
        return bytes.fromhex(self.scalar("SELECT value FROM secrets WHERE name = :name", name=name))

    def check(self) -> None:
        """Ask the database for something small; `Unavailable` if it does not answer."""
        self.scalar("SELECT 1")


def open_store(url: str | None = None, *, migrations: Sequence[Migration] = MIGRATIONS) -> Store:
    """Open the store at this URL, creating or migrating it first if need be."""
    where = read_url(url)
    if where.drivername == "sqlite":
        _create_file(Path(str(where.database)))
    store = Store(where)
    try:
        if store.dialect == "sqlite":
            _enable_wal(store)
        with store.serialised() as connection:
            migrate(connection, store.name, migrations)
    except Unavailable as error:
        store.engine.dispose()
        raise explain(where, error.reason) from error
    except BaseException:
        store.engine.dispose()
        raise
    return store


# Which database is meant


def read_url(url: str | None) -> URL:
    """Read a URL, or else that in the environment; `BadText` says how to write one."""
    url = url or os.environ.get(VARIABLE)  # which nobody sees in a list of processes
    if not url:
        return URL.create("sqlite", database=str(files.data_folder() / "parlour.sqlite"))
    if "://" not in url:
        raise BadText(
            f"{quote(url)} is not the URL of a database; for a file write sqlite:///{url}"
        )
    try:
        where = sa.make_url(url)
    except (ArgumentError, ValueError):  # not quoted: it may hold a password
        raise BadText(f"this is not the URL of a database; {RIGHT}") from None
    if where.drivername in POSTGRESQL:
        query = {"connect_timeout": str(TIMEOUT), **where.query}
        return where.set(drivername="postgresql+psycopg", query=query)
    if where.drivername != "sqlite":
        raise BadText(f"{quote(where.drivername)} databases are not supported; {RIGHT}")
    if where.host or where.query or where.database in {None, "", ":memory:"}:
        raise BadText(f"{quote(url)} does not name a file; {RIGHT}")
    return where


def has_database() -> bool:
    """Whether a database is named by the environment, or the file in the user's folder exists."""
    where = read_url(None)
    return where.drivername != "sqlite" or Path(str(where.database)).exists()


def display_name(where: URL) -> str:
    """Return the name of a database for a message, without its password."""
    if where.drivername == "sqlite":
        return str(where.database)
    public = where.set(drivername="postgresql", query={})
    return public.render_as_string().replace(":***@", "@")


# Opening it


def _create_file(path: Path) -> None:
    """Create the file if there is none, for its owner alone: it will hold secrets."""
    files.check_writable(path)
    with files.explain_errors("write", path):
        path.touch(mode=0o600)


def _enable_wal(store: Store) -> None:
    """Switch SQLite to a write-ahead log, so that readers do not wait for writers.

    When several programs start at once one of them switches, and the others must try again: here
    SQLite does not wait by itself.
    """
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            store.rows("PRAGMA journal_mode = WAL")
        except Unavailable as error:
            if "locked" not in error.reason or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def explain(where: URL, message: str) -> ParlourError:
    """Return why a database cannot be opened, from its own message."""
    name = display_name(where)
    if where.drivername == "sqlite":
        if "not a database" in message:
            return BadFile(f"{name} is not an SQLite database; name another file")
        return BadFile(f"cannot open {name}: {message}")
    _, fatal, words = message.rpartition("FATAL:")
    if fatal:
        return ParlourError(f"the server refuses {name}: {words.strip()}")
    return ParlourError(f"{name} cannot be opened: {message}; is the server running there?")
