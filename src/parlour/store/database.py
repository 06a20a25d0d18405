"""The connection to the database: an SQLite file, or a PostgreSQL server.

Every statement is a transaction of its own, unless several are grouped by `transaction`. On SQLite
the writers of one process take turns, because SQLite would let them collide; a commit returns when
the change is on disk. Errors of the database are raised as `Unavailable`, with one sentence.

Servers that share a PostgreSQL database notify each other by LISTEN and NOTIFY, in the statement
that makes the change: others are notified when it is committed, and never of anything else.

The processes of one server tell each other by a socket to the process that started them. Each line
is a kind of message and its text. Topics that changed are sent this way, often with what they
changed to, so that nobody has to ask the database; what must not be stored at all, such as a
conversation, goes this way as well. The process that started the others passes every line on to all
but its sender. If that one dies, the socket closes, and so the others know.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import selectors
import socket
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from parlour.core import ParlourError, say

LOG = logging.getLogger("parlour")
TIMEOUT = 10  # seconds for a server to answer, or another program to release the file
PRAGMAS = (
    f"PRAGMA busy_timeout = {TIMEOUT * 1000}",
    "PRAGMA synchronous = FULL",  # the log reaches the disk before a change is acknowledged
    "PRAGMA foreign_keys = ON",
)
LOCK = 0x7061726C  # any number, as long as it is always the same
CHANNEL = "parlour"
EVERYTHING = "*"  # received after a reconnect: any topic may have changed
POLL = 0.5  # seconds between two checks whether to stop
KEEPALIVE = 30  # seconds of silence before the connection is probed
MAX_REASON = 200  # characters of what a database says is wrong
MIN_PAUSE, MAX_PAUSE = 0.1, 5.0  # seconds between two attempts to connect
TOPIC = "topic"  # the kind of message between processes that says what has changed
MAX_LINE = 1 << 20  # bytes of a message


class Unavailable(ParlourError):
    """The database cannot be used now; trying again later may work."""

    def __init__(self, reason: str) -> None:
        super().__init__(say("the database cannot be used now: {reason}", reason=reason))
        self.reason = reason


class Peers:
    """The other processes of this server."""

    def __init__(self, connection: socket.socket, server: str, *, listens: bool) -> None:
        self._connection = connection
        self.server = server  # what all its processes call it
        self.listens = listens  # whether this one hears other servers, and tells all
        self._sending = threading.Lock()
        self._callbacks: dict[str, Callable[[str], object]] = {}

    def send(self, kind: str, text: str) -> None:
        """Send a message of one line to all others; from any thread."""
        line = f"{kind} {text}\n".encode()
        if len(line) <= MAX_LINE:
            with self._sending, contextlib.suppress(OSError):  # the listener notices it
                self._connection.sendall(line)

    def on(self, kind: str, callback: Callable[[str], object]) -> None:
        """Call back with the text of every message of a kind."""
        self._callbacks[kind] = callback

    def listen(self) -> None:
        """Call back with what the others send, until the process that started this one is gone."""
        with contextlib.suppress(OSError), self._connection.makefile("rb") as lines:
            for line in lines:
                kind, _, text = line.decode().rstrip("\n").partition(" ")
                if callback := self._callbacks.get(kind):
                    callback(text)


class Database:
    """An engine, and a lock for its writers."""

    def __init__(self, url: URL) -> None:
        self.dialect = url.get_backend_name()
        self._write_lock = threading.Lock()
        self._server = secrets.token_hex(8)  # by which a notification of our own is known
        self.peers: Peers | None = None  # the other processes of this server, if there are any
        self.on_error: Callable[[], object] = lambda: None  # called at every error, in any thread
        self._turns = 0  # how often it failed or worked again; odd while it fails
        self._turning = threading.Lock()
        self._held = threading.local()  # the connection of a thread's open transaction
        is_file = self.dialect == "sqlite"
        try:
            self.engine = sa.create_engine(
                url,
                isolation_level="AUTOCOMMIT",
                hide_parameters=True,  # they hold names and secrets, which no log should
                pool_size=8,
                max_overflow=-1 if is_file else 8,
            )
        except ModuleNotFoundError as missing:
            raise ParlourError(
                f"a PostgreSQL database needs {missing.name}: pip install 'parlour[postgresql]'"
            ) from None
        if is_file:
            sa.event.listen(self.engine, "connect", _set_pragmas)
        else:
            sa.event.listen(self.engine, "checkout", _refuse_closed)

    def close(self) -> None:
        """Close all connections, those in use as soon as they are given back.

        An SQLite database is then one whole file.
        """
        if self.dialect == "sqlite":
            with contextlib.suppress(Unavailable):
                self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        sa.event.listen(self.engine, "checkin", lambda _, record: record.close())
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection to read with."""
        if (held := getattr(self._held, "connection", None)) is not None:
            yield held
            return
        with self._translate_errors(), self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection for one statement that writes."""
        alone = self.dialect == "sqlite" and getattr(self._held, "connection", None) is None
        with self._write_lock if alone else contextlib.nullcontext(), self.reading() as connection:
            yield connection

    def rows(self, query: sa.Executable | str, /, **values: Any) -> Sequence[Any]:
        """Return the rows that a query finds."""
        with self.reading() as connection:
            return connection.execute(_statement(query), values).all()

    def scalar(self, query: sa.Executable | str, /, **values: Any) -> Any:
        """Return the first value of the first row that a query finds; None if there is none."""
        with self.reading() as connection:
            return connection.execute(_statement(query), values).scalar()

    def run(
        self, statement: sa.Executable | str, rows: Sequence[Any] = (), /, **values: Any
    ) -> int:
        """Run a statement that writes, for each of several rows; return how many it has changed."""
        with self.writing() as connection:
            return connection.execute(_statement(statement), rows or values).rowcount

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run everything that this thread reads and writes meanwhile together, or not at all.

        Within a transaction that the thread has open already, it is part of that one.
        """
        if (held := getattr(self._held, "connection", None)) is not None:
            yield held
            return
        calls: list[Callable[[], object]] = []
        with self.writing() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if self.dialect == "sqlite" else "BEGIN")
            self._held.connection, self._held.calls = connection, calls
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(DBAPIError):  # a lost connection rolls back by itself
                    connection.exec_driver_sql("ROLLBACK")
                raise
            finally:
                self._held.connection = None
            connection.exec_driver_sql("COMMIT")
        for call in calls:
            _call_safely(call)

    def after_commit(self, call: Callable[[], object]) -> None:
        """Call something once this thread's changes are stored: now, or after its transaction.

        An error in the call is only logged: the change itself is stored.
        """
        if getattr(self._held, "connection", None) is None:
            _call_safely(call)
        else:
            self._held.calls.append(call)

    def join(self, peers: Peers) -> None:
        """Be one of several processes of a server, each of which hears what the others change."""
        self.peers, self._server = peers, peers.server

    def notify(self, topic: str) -> None:
        """Notify the other servers of a topic, where there can be any."""
        if self.dialect == "postgresql":
            self.run(sa.select(notify()), topic=self.sign(topic))
        self.tell_peers(topic)

    def tell_peers(self, topic: str, row: Mapping[str, Any] | None = None) -> None:
        """Tell the other processes of this server of a topic, and the row it has changed to."""
        if self.peers is not None:
            text = f"{topic}\t{json.dumps(row)}" if row else topic
            self.after_commit(partial(self.peers.send, TOPIC, text))

    def sign(self, topic: str) -> str:
        """Return the text that notifies other servers of a topic."""
        return f"{self._server} {topic}"

    def listen(self, callback: Callable[[str, str], object], stop: threading.Event) -> None:
        """Call back with each topic announced by other processes and servers, until stopped.

        Where it is known, the row that has changed comes along, for `Repository.read`. This blocks,
        so it needs a thread of its own; on SQLite, which one server uses, it returns at once.
        """
        peers = self.peers
        if peers is not None:
            peers.on(TOPIC, lambda text: callback(*text.partition("\t")[::2]))
        if self.dialect == "sqlite" or (peers is not None and not peers.listens):
            return
        # Of several processes one listens; until it does, all of them may have missed something.
        for text in _notifications(self.engine, stop, missed=peers is not None):
            server, _, topic = text.partition(" ")
            if server == self._server:
                continue
            if peers is not None:
                peers.send(TOPIC, topic)
            callback(topic, "")

    @contextlib.contextmanager
    def serialised(self, name: str = "") -> Iterator[Connection]:
        """Like `transaction`, while other programs that ask for the same name wait."""
        with self.transaction() as connection:
            if self.dialect == "postgresql":  # on SQLite there is one writer anyway
                keys = (LOCK, zlib.crc32(name.encode()) - 2**31) if name else (LOCK,)
                kind = sa.Integer if name else sa.BigInteger
                lock = sa.func.pg_advisory_xact_lock(*(sa.cast(key, kind) for key in keys))
                connection.execute(sa.select(lock))
            yield connection

    def size(self) -> int:
        """Return the bytes of an SQLite file, or 0."""
        if self.dialect != "sqlite":
            return 0
        return int(self.scalar("PRAGMA page_count") * self.scalar("PRAGMA page_size"))

    def erase(self) -> bool:
        """Rewrite an SQLite file, so that no byte of deleted rows is left in it or in its log.

        Returns whether that was possible: another program may be reading the old log. A PostgreSQL
        server frees the space of deleted rows by itself.
        """
        if self.dialect != "sqlite":
            return True
        with self.writing() as connection:
            connection.exec_driver_sql("VACUUM")
            return not connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise errors of the database as `Unavailable`; log when they begin and when they end."""
        turns = self._turns
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            unavailable = Unavailable(_first_line(error))
            self.on_error()
            if self._turned(turns, fails=True):
                LOG.warning("%s", unavailable)
            raise unavailable from error
        except PoolTimeout:
            self.on_error()
            raise Unavailable(say("too many requests; wait a moment and try again")) from None
        if self._turned(turns, fails=False):
            LOG.warning("the database can be used again")

    def _turned(self, turns: int, *, fails: bool) -> bool:
        """Return whether this is the first to know that the database fails, or works again.

        Only what began since the last turn can know: what began before it may merely end late.
        """
        if turns % 2 == fails or turns != self._turns:
            return False
        with self._turning:
            if turns != self._turns:
                return False
            self._turns += 1
        return True


def _statement(sql: sa.Executable | str) -> sa.Executable:
    return sa.text(sql) if isinstance(sql, str) else sql


def _call_safely(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception:
        LOG.exception("a change was stored, but a call after it failed")


def _set_pragmas(connection: Any, _: object) -> None:
    for pragma in PRAGMAS:
        connection.execute(pragma)


def _refuse_closed(connection: Any, *_: object) -> None:
    """Have a connection made anew that the server has closed, so that its restart goes unnoticed.

    An idle connection has nothing to read, unless it was closed.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        if selector.select(0):
            raise DisconnectionError


def _first_line(error: DBAPIError) -> str:
    """Return the database's own message, without the hints below it."""
    line = (str(error.orig).strip() or type(error.orig).__name__).splitlines()[0]
    return line.rpartition(" failed: ")[2][:MAX_REASON]


# Notifications between servers that share one PostgreSQL database


def notify() -> sa.ColumnElement[Any]:
    """Return the expression that notifies of a signed topic when its statement is committed."""
    return sa.func.pg_notify(CHANNEL, sa.bindparam("topic", type_=sa.Text))


def _notifications(engine: Engine, stop: threading.Event, *, missed: bool) -> Iterator[str]:
    """Yield every notification until stopped, and `EVERYTHING` when some may have been missed.

    That is so after a lost connection was made anew.
    """
    import psycopg

    positional, named = engine.dialect.create_connect_args(engine.url)
    pause = MIN_PAUSE
    while not stop.is_set():
        try:
            with psycopg.connect(
                *positional, **named, keepalives_idle=KEEPALIVE, autocommit=True
            ) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                if missed:
                    yield f" {EVERYTHING}"
                pause, missed = MIN_PAUSE, False
                while not stop.is_set():
                    for notification in connection.notifies(timeout=POLL):
                        yield notification.payload
        except psycopg.OperationalError:
            missed = True
            stop.wait(pause)
            pause = min(2 * pause, MAX_PAUSE)
