"""The connection to the database: an SQLite file, or a PostgreSQL server.

Every statement is a transaction by itself, and several become one in `together`. On SQLite those
who write in one process take turns, because SQLite would let them collide; a commit returns when
the change is on the disk. What goes wrong is told in one sentence as `Unavailable`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from parlour.core import LONGEST_TROUBLE, ParlourError

PATIENCE = 10  # seconds until a server must have answered, or another program let go of the file
PRAGMAS = (
    f"PRAGMA busy_timeout = {PATIENCE * 1000}",
    "PRAGMA synchronous = FULL",  # the log reaches the disk before a change is acknowledged
    "PRAGMA foreign_keys = ON",
)
LOCK = 0x7061726C  # any number, as long as it is always the same


class Unavailable(ParlourError):
    """The database cannot do it now; the same may go well later."""

    def __init__(self, said: str) -> None:
        super().__init__(f"the database cannot be used now: {said}")
        self.said = said


class Database:
    """An engine, and turns for those who write."""

    def __init__(self, url: URL) -> None:
        self.dialect = url.get_backend_name()
        self._turn = threading.Lock()
        self._held = (
            threading.local()
        )  # the connection of a thread that does several things at once
        if self.dialect == "sqlite":
            self.engine = sa.create_engine(
                url, isolation_level="AUTOCOMMIT", pool_size=8, max_overflow=-1
            )
            sa.event.listen(self.engine, "connect", _set_pragmas)
        else:
            self.engine = sa.create_engine(
                url,
                isolation_level="AUTOCOMMIT",
                pool_size=8,
                max_overflow=8,
                pool_pre_ping=True,  # a server that was restarted is not noticed by those who ask
            )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for those who only look."""
        if (held := getattr(self._held, "connection", None)) is not None:
            yield held
            return
        with _plainly(), self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection for one statement that changes something."""
        if self.dialect == "sqlite" and getattr(self._held, "connection", None) is None:
            with self._turn, self.reading() as connection:
                yield connection
        else:
            with self.reading() as connection:
                yield connection

    @contextlib.contextmanager
    def together(self) -> Iterator[Connection]:
        """A connection for statements of which all take effect, or none."""
        begin = "BEGIN IMMEDIATE" if self.dialect == "sqlite" else "BEGIN"
        with self.writing() as connection:
            connection.exec_driver_sql(begin)
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(DBAPIError):  # where it is lost, so is the change
                    connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Whatever this thread reads and writes meanwhile is one transaction."""
        with self.together() as connection:
            self._held.connection = connection
            try:
                yield
            finally:
                self._held.connection = None

    @contextlib.contextmanager
    def alone(self) -> Iterator[Connection]:
        """The same, while every other program that asks for this waits."""
        with self.together() as connection:
            if self.dialect == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
            yield connection


def _set_pragmas(connection: Any, _: object) -> None:
    for pragma in PRAGMAS:
        connection.execute(pragma)


@contextlib.contextmanager
def _plainly() -> Iterator[None]:
    """Tell what the database refuses in one sentence."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as trouble:
        raise Unavailable(_said(trouble)) from trouble
    except PoolTimeout:
        raise Unavailable("too many ask at once; try again in a moment") from None


def _said(trouble: DBAPIError) -> str:
    """What the database itself said, without the advice and the pointers below it."""
    line = (str(trouble.orig).strip() or type(trouble.orig).__name__).splitlines()[0]
    return line.rpartition(" failed: ")[2][:LONGEST_TROUBLE]
