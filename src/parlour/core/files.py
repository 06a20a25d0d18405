"""Files written whole or not at all, so that a stopped program leaves the old one or the new."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from parlour.core.errors import BadFile


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
