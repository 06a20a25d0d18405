"""A backup: all rows of one moment in one file, from either database and for either.

The file is compressed JSON, a line at a time: first which format and which schema it has, then for
each table its columns and its rows, last how many there were and the SHA-256 of all lines before.
It is made while servers run, in one transaction that reads a single snapshot.

A backup is restored in one transaction, all or nothing. It may come from an older schema; then it
is migrated as that database would have been. What people have deleted since stays deleted.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy import URL, Connection

from parlour.core import BadFile, ParlourError, files
from parlour.store.database import EVERYTHING, Unavailable
from parlour.store.people import Deletion
from parlour.store.store import (
    MIGRATIONS,
    TABLES,
    Migration,
    Store,
    explain,
    migrate,
    open_store,
    read_url,
)

FORMAT = "parlour backup 1"
LEFT_OUT = (
    *("presence", "waiting", "codes", "class_presence"),  # known only while people are here
    "choices",  # which are read from the games again
)
KEPT = tuple(name for name in TABLES if name not in LEFT_OUT)
CHUNK = 1000  # rows read or written at once
MAX_LINE = 256 << 20  # characters
LEVEL = 6  # of compression

Progress = Callable[[int, int], object]  # rows done, and of how many


@dataclass(frozen=True)
class Contents:
    """What a backup holds."""

    version: int  # of the schema
    made: float  # seconds since the epoch
    rows: int
    tables: int  # games, which is what people count


@dataclass(frozen=True)
class Restored:
    """What was restored."""

    contents: Contents
    deleted: int  # people of the backup who have deleted their data since
    same_house: bool  # whether browsers are recognised as before


# Making one


def write_backup(url: str | None, path: Path, progress: Progress = lambda *_: None) -> Contents:
    """Write all that is stored at a URL to a file, all or nothing; servers go on meanwhile."""
    where = read_url(url)
    files.check_writable(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with files.explain_errors("write", path):
            with _snapshot(where) as connection, _create(partial) as raw:
                found = _write(connection, raw, progress)
                raw.flush()
                os.fsync(raw.fileno())
            partial.replace(path)
    except Unavailable as error:
        raise explain(where, error.reason) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    return found


def _create(path: Path) -> IO[bytes]:
    """Create a file for its owner alone: a backup holds the secrets of the house."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


@contextlib.contextmanager
def _snapshot(where: URL) -> Iterator[Connection]:
    """Yield a connection that sees the database as it is at one moment."""
    store = Store(where)
    is_file = store.dialect == "sqlite"
    if is_file and not Path(store.name).is_file():
        raise BadFile(f"there is no database at {store.name}")
    try:
        with store.reading() as connection:
            level = "" if is_file else "ISOLATION LEVEL REPEATABLE READ READ ONLY"
            connection.exec_driver_sql(f"BEGIN {level}")
            if is_file:
                found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
                if found != "ok":
                    raise BadFile(f"{store.name} is damaged: {found}")
            yield connection
            connection.exec_driver_sql("ROLLBACK")
    finally:
        store.engine.dispose()


def _write(connection: Connection, raw: IO[bytes], progress: Progress) -> Contents:
    metadata = sa.MetaData()
    metadata.reflect(connection)
    if "parlour_version" not in metadata.tables:
        raise BadFile("this is not a database of Parlour")
    version = connection.execute(sa.select(metadata.tables["parlour_version"])).scalar_one()
    tables = [metadata.tables[name] for name in KEPT if name in metadata.tables]
    count = sa.select(sa.func.count())
    sizes = {each.name: connection.scalar(count.select_from(each)) or 0 for each in tables}
    total = sum(sizes.values())
    checksum, done, made = hashlib.sha256(), 0, time.time()
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=LEVEL, mtime=0) as file:

        def write(value: object) -> None:
            line = json.dumps(value).encode() + b"\n"
            checksum.update(line)
            file.write(line)

        write({"format": FORMAT, "schema": version, "made": made, "rows": total})
        for table in tables:
            write({"table": table.name, "columns": [column.name for column in table.columns]})
            query = sa.select(table).execution_options(stream_results=True, yield_per=CHUNK)
            for row in connection.execute(query):
                write(list(row))
                done += 1
                if done % CHUNK == 0:
                    progress(done, total)
        file.write(json.dumps({"rows": done, "sha256": checksum.hexdigest()}).encode() + b"\n")
    progress(done, total)
    return Contents(version, made, done, sizes["tables"])


# Reading one


def _lines(path: Path) -> Iterator[tuple[bytes, Any]]:
    """Yield every line of a backup, as it is and as a value; `BadFile` if it is damaged."""
    with files.explain_errors("read", path):
        try:
            with gzip.open(path, "rb") as file:
                while line := file.readline(MAX_LINE):
                    yield line, json.loads(line)
        except (EOFError, zlib.error, ValueError, gzip.BadGzipFile):
            raise _damaged(path) from None


def _damaged(path: Path) -> BadFile:
    return BadFile(f"{path} is not a backup of Parlour, or it is damaged; use another one")


def check_backup(path: Path) -> Contents:
    """Return what a backup holds, having read all of it; `BadFile` if it is damaged."""
    lines = _lines(path)
    first, value = next(lines, (b"", None))
    head, tail, table = _read_head(path, value), None, ""
    checksum, rows = hashlib.sha256(first), Counter[str]()
    for line, value in lines:
        match value:
            case list():
                rows[table] += 1
            case {"table": str(name)} if name in KEPT:
                table = name
            case {"sha256": _}:
                tail = value
                break
            case _:
                raise _damaged(path)
        checksum.update(line)
    ends = next(lines, None) is None
    if not ends or tail != {"rows": rows.total(), "sha256": checksum.hexdigest()}:
        raise _damaged(path)
    return Contents(head["schema"], head["made"], rows.total(), rows["tables"])


def _read_head(path: Path, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not str(value.get("format", "")).startswith("parlour backup"):
        raise _damaged(path)
    version = value.get("schema")
    if value["format"] != FORMAT or not isinstance(version, int) or version > len(MIGRATIONS):
        raise BadFile(f"{path} was made by a newer Parlour; use the newer program")
    return value


def list_deletions(place: str) -> list[Deletion]:
    """Return the deletions that a backup or a database knows of."""
    if "://" in place:
        store = open_store(place)
        with contextlib.closing(store):
            return store.deletions.list()
    path = Path(place)
    check_backup(path)
    return [
        Deletion(row["hash"], row["deleted"])
        for table, row in _read_rows(path)
        if table == "deletions"
    ]


def _read_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each row of a backup that was checked, after the name of its table."""
    table, columns = "", list[str]()
    for _, value in _lines(path):
        if isinstance(value, list):
            yield table, dict(zip(columns, value, strict=True))
        elif "table" in value:
            table, columns = value["table"], value["columns"]


# Restoring one


def restore_backup(
    url: str | None,
    path: Path,
    *,
    replace: bool = False,
    deletions: Iterable[Deletion] = (),
    migrations: Sequence[Migration] = MIGRATIONS,
    progress: Progress = lambda *_: None,
) -> Restored:
    """Put a backup in the place of all that is stored at a URL, all or nothing.

    A place that is not empty is refused, unless it is to be replaced. What people have deleted
    there, or according to `deletions`, is deleted from the backup too.
    """
    contents = check_backup(path)
    store = open_store(url, migrations=migrations)
    with contextlib.closing(store):
        with store.serialised() as connection:
            used = _count_rows(store)
            if used and not replace:
                raise ParlourError(
                    f"{store.name} is not empty ({used:,} rows); add --replace to put the backup "
                    "in their place"
                )
            before = _read_secret(store)
            known = [*store.deletions.list(), *deletions]
            _clear(store, migrations, contents.version)
            _insert(connection, path, contents, progress)
            if contents.version < len(migrations):
                migrate(connection, store.name, migrations)
            deleted = store.deletions.apply([*known, *store.deletions.list()])
            store.notify(EVERYTHING)  # the servers there read everything again
            same = before in ("", _read_secret(store))
        with contextlib.suppress(Unavailable):  # no byte is left, if no other program is reading
            store.deletions.erase()
    return Restored(contents, deleted, same)


def _count_rows(store: Store) -> int:
    return sum(
        store.scalar(f"SELECT count(*) FROM {name}")  # noqa: S608 - our own names
        for name in KEPT
        if name != "secrets"  # made by itself when a server starts
    )


def _read_secret(store: Store) -> str:
    return store.scalar("SELECT value FROM secrets WHERE name = 'cookies'") or ""


def _clear(store: Store, migrations: Sequence[Migration], version: int) -> None:
    """Leave the empty tables of a schema that may be older."""
    older = version < len(migrations)
    for name in reversed(TABLES):
        store.run(f"DROP TABLE {name}" if older else f"DELETE FROM {name}")  # noqa: S608
    if older:
        store.run("UPDATE parlour_version SET version = 0")
        with store.transaction() as connection:
            migrate(connection, store.name, migrations[:version])


def _insert(connection: Connection, path: Path, contents: Contents, progress: Progress) -> None:
    metadata = sa.MetaData()
    metadata.reflect(connection)
    done = 0
    for name, found in groupby(_read_rows(path), key=itemgetter(0)):
        while rows := [row for _, row in islice(found, CHUNK)]:
            connection.execute(sa.insert(metadata.tables[name]), rows)
            done += len(rows)
            progress(done, contents.rows)
