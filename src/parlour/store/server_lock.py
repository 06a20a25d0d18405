"""One server at a time on an SQLite file, by a lock that ends with its process.

The lock is on a file beside the database, because closing any other handle of the database itself
would drop the locks that SQLite holds there. On PostgreSQL any number of servers may share one
database. `parlour backup` needs no lock: SQLite copes with other programs that read.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from parlour.core import ParlourError, files
from parlour.store.store import read_url

if sys.platform != "win32":
    import fcntl


@contextlib.contextmanager
def claim(url: str | None = None) -> Iterator[None]:
    """Hold the database at this URL as its only server; `ParlourError` if another one does."""
    where = read_url(url)
    if where.drivername != "sqlite" or sys.platform == "win32":
        yield
        return
    path = Path(str(where.database))
    files.check_writable(path)
    lock = path.with_name(f"{path.name}.lock")
    file = _lock(lock, path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            lock.unlink()  # while it is held, so that nobody else removes it
        os.close(file)


def find_server(url: str | None = None) -> int | None:
    """Return the process that serves the SQLite file at this URL, or None."""
    where = read_url(url)
    if where.drivername != "sqlite":
        return None
    path = Path(str(where.database))
    try:
        file = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR)
    except OSError:
        return None
    try:
        holder = _find_holder(file)
        return int(holder) if holder and holder.isdecimal() else None
    finally:
        os.close(file)


def _find_holder(file: int) -> str | None:
    """Lock an open file; if another process has done so, return its number as text."""
    try:
        if sys.platform != "win32":  # where nobody serves
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.read(file, 20).decode(errors="replace").strip()
    except OSError:  # a file system without locks
        return None
    return None


def _lock(lock: Path, path: Path) -> int:
    """Return an open file that holds the lock."""
    while True:
        with files.explain_errors("write", lock):
            file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        if (holder := _find_holder(file)) is not None:
            os.close(file)
            raise ParlourError(
                f"another server uses {path}"
                + (f" (process {holder})" if holder.isdecimal() else "")
                + "; stop that one, or name another file with --database"
            )
        if _is_at(file, lock):
            os.truncate(file, 0)
            os.write(file, f"{os.getpid()}\n".encode())
            return file
        os.close(file)  # the one who held it has removed it meanwhile


def _is_at(file: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), lock.stat())
    except FileNotFoundError:
        return False
