"""Hats kept by name, as files in the user's folder.

A file is written whole or not at all. Whoever changes one reads, changes and writes it while a lock
keeps all others waiting, so that of two who learn at the same time none loses a game.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from parlour.core import (
    BadFile,
    BadText,
    Game,
    NameTaken,
    UnknownName,
    Work,
    alone,
    check_writable,
    data_folder,
    nearest,
    one_of,
    quote,
    write_whole,
)
from parlour.learn import serialize as written
from parlour.learn.hat_set import Hats
from parlour.learn.serialize import Label

LONGEST = 40  # letters in a name
NAME = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST - 1}}}")


def folder() -> Path:
    """Where hats are kept."""
    return data_folder() / "hats"


def find_path(name: str) -> Path:
    """The file of the hats of this name; `BadText` for what cannot be one."""
    if not NAME.fullmatch(name):
        raise BadText(
            f"{quote(name)} cannot name hats; use up to {LONGEST} of the letters a to z, digits, "
            "- and _"
        )
    return folder() / f"{name}.json"


def list_names() -> list[str]:
    """The names of all hats kept."""
    files = (path for path in folder().glob("*.json") if path.is_file())
    return sorted(path.stem for path in files if NAME.fullmatch(path.stem))


def exists(name: str) -> bool:
    """Whether there are hats of this name."""
    return find_path(name).is_file()


def load_hats(
    name: str, game: Game | None = None, *, cls: type | None = None, work: Work | None = None
) -> Hats:
    """The hats of this name, for exactly this game, or for one of this class, if one is given."""
    return written.load_file(_existing_path(name), game, cls=cls, work=work)


def find_label(name: str) -> Label:
    """What hats of this name are for."""
    return written.read_label(_existing_path(name))


def _existing_path(name: str) -> Path:
    path = find_path(name)
    if not path.is_file():
        names = list_names()
        known = f"; there is {one_of(names)}" if names else ""
        raise UnknownName(f"there are no hats named {quote(name)}{nearest(name, names) or known}")
    return path


# Changes, one after another


def _lock() -> AbstractContextManager[None]:
    """Nobody else changes kept hats meanwhile."""
    return alone(folder() / ".lock")


def check_savable(name: str) -> None:
    """Refuse before long work what could not be kept after it."""
    check_writable(find_path(name))


def save_hats(hats: Hats, name: str, *, new: bool = False) -> Path:
    """Keep hats by name, instead of those of that name, if any; `new` ones replace none."""
    path, text = find_path(name), written.to_json(hats)
    with _lock():
        if new and path.exists():
            raise NameTaken(f"there are hats named {name!r} already")
        write_whole(path, text.encode())
    return path


def fingerprint(name: str) -> str:
    """What tells whether the hats of this name have changed since; empty where there are none."""
    try:
        return hashlib.sha256(find_path(name).read_bytes()).hexdigest()
    except OSError:
        return ""


def save_if_unchanged(hats: Hats, name: str, before: str) -> str:
    """Keep hats by name if those of that name are still as they were when they had this stamp.

    Else somebody has changed them meanwhile, and these are kept as `name-2`, or the next that is
    free. The name they have now is returned.
    """
    text = written.to_json(hats)
    with _lock():
        if fingerprint(name) != before:
            name = _next_free(name)
        write_whole(find_path(name), text.encode())
    return name


def _next_free(name: str) -> str:
    ends = (f"-{number}" for number in itertools.count(2))
    names = (f"{name[: LONGEST - len(end)]}{end}" for end in ends)
    return next(other for other in names if not find_path(other).exists())


def update_hats(name: str, game: Game, lesson: Callable[[Hats], None]) -> Hats:
    """The hats of this name after a lesson, as they are kept from now on."""
    with _lock():
        hats = load_hats(name, game)
        lesson(hats)
        write_whole(find_path(name), written.to_json(hats).encode())
    return hats


def delete_hats(name: str) -> None:
    """Throw the hats of this name away."""
    path = _existing_path(name)
    with _lock():
        try:
            path.unlink(missing_ok=True)
        except OSError as trouble:
            raise BadFile(f"cannot throw {path} away: {trouble.strerror}") from None
