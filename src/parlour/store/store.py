"""Opening the store: which database is meant, what is wrong with it, and what is in it.

A URL names the database: an SQLite file for one server, or PostgreSQL for several. Without one it
is a file in the user's folder. Everything that cannot be opened is refused in one sentence.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import URL
from sqlalchemy.exc import ArgumentError

from parlour.core import BadFile, BadText, ParlourError, check_writable, data_folder, quote
from parlour.store import migrations as schema
from parlour.store import notifications as news
from parlour.store.database import PATIENCE, Database, Unavailable
from parlour.store.migrations import MIGRATIONS, Migration
from parlour.store.models import Pairing, Setup, Table, Talk, Tournament, Training
from parlour.store.repository import Shelf

LOG = logging.getLogger("parlour")
POSTGRESQL = {"postgresql", "postgres", "postgresql+psycopg"}
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
ID_LENGTH = 10
RIGHT = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


class Store:
    """Everything that is kept, shelf by shelf."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect = database.dialect
        self.tables = Shelf(database, schema.TABLES, Table)
        self.setups = Shelf(database, schema.SETUPS, Setup)
        self.talks = Shelf(database, schema.TALKS, Talk)
        self.trainings = Shelf(database, schema.TRAININGS, Training)
        self.tournaments = Shelf(database, schema.TOURNAMENTS, Tournament)
        self.pairings = Shelf(database, schema.PAIRINGS, Pairing)
        self._after = threading.local()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Many changes of one thread, stored by one commit: all of them or none."""
        self._after.calls = []
        try:
            with self._database.transaction():
                yield
            calls = self._after.calls
        finally:
            self._after.calls = None
        for call in calls:
            _told(call)

    def after_commit(self, call: Callable[[], object]) -> None:
        """Call something once what this thread has written is stored: now, or after its one go.

        What goes wrong then is logged: nobody is to take it for a change that was not stored.
        """
        calls = getattr(self._after, "calls", None)
        if calls is None:
            _told(call)
        else:
            calls.append(call)

    @staticmethod
    def new_id() -> str:
        """A name nobody can guess, easy to read out."""
        return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))

    def secret(self, name: str) -> bytes:
        """32 random bytes by name, drawn once and the same for every process ever after."""
        drawn = "INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING"
        with self._database.writing() as connection:
            connection.execute(sa.text(drawn), {"name": name, "value": secrets.token_hex(32)})
        known = sa.select(schema.SECRETS.c.value).where(schema.SECRETS.c.name == name)
        with self._database.reading() as connection:
            return bytes.fromhex(connection.execute(known).scalar_one())

    def notify(self, topic: str) -> None:
        """Tell the other server processes of a topic, where there can be any."""
        if self.dialect == "postgresql":
            with self._database.writing() as connection:
                connection.execute(sa.select(news.telling()), {"topic": topic})

    def listen(self, callback: Callable[[str], object], stop: threading.Event) -> None:
        """Call back with each topic that is told, until stopped; where nobody tells, at once back.

        This blocks, and wants a thread of its own.
        """
        if self.dialect == "postgresql":
            news.listen(self._database.engine, callback, stop)

    def close(self) -> None:
        """Let go of the database."""
        self._database.engine.dispose()


def _told(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception:
        LOG.exception("something was stored, but what was to follow went wrong")


def open_store(url: str | None = None, *, migrations: Sequence[Migration] = MIGRATIONS) -> Store:
    """The store at this URL, made or brought up to date first if need be."""
    where = _read(url)
    if where.drivername == "sqlite":
        _make_file(Path(str(where.database)))
    database = _database(where)
    try:
        if database.dialect == "sqlite":
            _log_ahead(database)
        with database.alone() as connection:
            schema.migrate(connection, _called(where), migrations)
    except Unavailable as trouble:
        database.engine.dispose()
        raise _refusal(where, trouble.said) from trouble
    except BaseException:
        database.engine.dispose()
        raise
    return Store(database)


# Which database is meant


def _read(url: str | None) -> URL:
    """The address this text gives; `BadText` says how to write one."""
    if not url:
        return URL.create("sqlite", database=str(data_folder() / "parlour.sqlite"))
    if "://" not in url:
        raise BadText(f"{quote(url)} is no URL of a database; for a file write sqlite:///{url}")
    try:
        where = sa.make_url(url)
    except (ArgumentError, ValueError):
        raise BadText(f"this is no URL of a database; {RIGHT}") from None  # it may hold a password
    if where.drivername in POSTGRESQL:
        where = where.set(drivername="postgresql+psycopg")
        if "connect_timeout" not in where.query:
            where = where.update_query_dict({"connect_timeout": str(PATIENCE)})
        return where
    if where.drivername != "sqlite":
        raise BadText(f"Parlour knows no database of the kind {quote(where.drivername)}; {RIGHT}")
    if where.host or where.query or where.database in {None, "", ":memory:"}:
        raise BadText(f"{quote(url)} names no file; {RIGHT}")
    return where


def _called(where: URL) -> str:
    """The database as it is named in a sentence, without its password."""
    if where.drivername == "sqlite":
        return str(where.database)
    shown = where.set(drivername="postgresql", query={})
    return shown.render_as_string().replace(":***@", "@")


# Opening it


def _make_file(path: Path) -> None:
    """An empty file, if there is none, for its owner alone: the secrets are kept there."""
    check_writable(path)
    try:
        path.touch(mode=0o600)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None


def _database(where: URL) -> Database:
    try:
        return Database(where)
    except ModuleNotFoundError as missing:
        raise ParlourError(
            f"a PostgreSQL database needs {missing.name}: pip install 'parlour[postgresql]'"
        ) from None


def _log_ahead(database: Database) -> None:
    """Let SQLite write to a log first, so that those who read wait for nobody.

    While several programs start at once one of them switches, and the others must try again:
    here SQLite does not wait by itself.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with database.reading() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        except Unavailable as trouble:
            if "locked" not in trouble.said or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _refusal(where: URL, said: str) -> ParlourError:
    """Why it cannot be opened, from what the database said."""
    name = _called(where)
    if where.drivername == "sqlite":
        if "not a database" in said:
            return BadFile(f"{name} is no SQLite database; name another file")
        return BadFile(f"cannot open {name}: {said}")
    _, fatal, words = said.rpartition("FATAL:")
    if fatal:
        return ParlourError(f"the server refuses {name}: {words.strip()}")
    return ParlourError(f"{name} cannot be opened: {said}; is the server running there?")
