"""The user's files: where they are, and how they are written atomically and under a lock.

A program that is killed leaves the old file or the new one, and two programs that change a file at
the same time do not undo each other's changes.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from parlour.core.errors import BadFile

if sys.platform != "win32":  # without such locks the last write wins
    import fcntl


def data_folder() -> Path:
    """Return the folder of the user's own files: bots, hats, solutions and the host's memory."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour"


@contextlib.contextmanager
def explain_errors(verb: str, path: object) -> Iterator[None]:
    """Turn an `OSError` into `BadFile`: `cannot read notes.txt: Permission denied`"""
    try:
        yield
    except OSError as error:
        raise BadFile(f"cannot {verb} {path}: {error.strerror}") from None


@contextlib.contextmanager
def hold_lock(lock: Path) -> Iterator[None]:
    """Hold a lock file exclusively; `BadFile` when it cannot be opened."""
    with explain_errors("write", lock):
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("ab")
    with file:
        _lock(file)
        yield


def _lock(file: BinaryIO) -> None:
    """Hold an open file exclusively until it is closed."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)


def append_line(path: Path, line: str) -> None:
    """Append a line to a file, after those of other programs; a line cut short is ended first."""
    with explain_errors("write", path), path.open("ab") as file:
        _lock(file)
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as written:
                written.seek(-1, os.SEEK_END)
                if written.read() != b"\n":  # a disk was full, or a computer switched off
                    file.write(b"\n")
        file.write(line.encode() + b"\n")
        file.flush()
        if path.is_file():
            os.fsync(file.fileno())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, all or nothing; `BadFile` when it cannot be written.

    A link keeps its target, and a terminal or a pipe is written to directly.
    """
    path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with explain_errors("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
    finally:  # after an interrupt too
        with contextlib.suppress(OSError):
            partial.unlink()


def check_writable(path: Path) -> None:
    """Raise `BadFile` for a path that cannot be written, before long work rather than after."""
    with explain_errors("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadFile(f"cannot write {path}")
