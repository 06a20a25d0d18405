"""The user's files: where they are, written whole or not at all, and changed by one at a time.

A stopped program leaves the old file or the new one, and of two that change a file at the same time
none undoes what the other did.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from parlour.core.errors import BadFile

try:
    import fcntl
except ImportError:  # where there are no such locks, the last to write wins
    fcntl = None  # type: ignore[assignment]  # mypy knows only the system it runs on


def data_folder() -> Path:
    """Where a user's own files are kept: bots, hats, solutions, and what the host remembers."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour"


@contextlib.contextmanager
def hold_lock(lock: Path) -> Iterator[None]:
    """Whoever else asks for the same lock waits meanwhile; `BadFile` when it cannot be had."""
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("ab")
    except OSError as trouble:
        raise BadFile(f"cannot write {lock}: {trouble.strerror}") from None
    with file:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a disk without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, all or nothing; `BadFile` when it cannot be done.

    A link goes on leading where it led, and what is no file (a terminal, a pipe) is written to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None
    finally:  # after an interrupt too
        with contextlib.suppress(OSError):
            unfinished.unlink()


def check_writable(path: Path) -> None:
    """Refuse a place where nothing can be written, before long work rather than after it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadFile(f"cannot write {path}")
