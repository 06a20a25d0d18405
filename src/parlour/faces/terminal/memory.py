"""The file in which Benedict remembers: what he may know of a person, and a game put aside.

It is JSON, readable only by its owner. Nothing about a person is written before they agree, and
nothing stays after they withdraw that. Several programs may share the file: each distinguishes its
own changes from those of others, and what is forgotten in one is forgotten in all.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from parlour.core import BadFile, BadText, files
from parlour.host import MAX_LENGTH, HostTable, Memories, Session, to_json

MISHEARD = "misheard.tsv"  # what he made of each line, the state, and the line


class Contents(NamedTuple):
    """The two parts of the file as JSON, each empty if missing."""

    memory: str = ""
    saved: str = ""

    def __str__(self) -> str:
        parts = (f'"{name}": {part}' for name, part in self._asdict().items() if part)
        return "{" + ", ".join(parts) + "}"

    def to_session(self) -> Session:
        """Return a session that knows this and nothing else."""
        return Session.from_json(str(self))


def _write_memory(memory: Memories) -> str:
    return to_json(memory) if memory.agreed is True else ""


def _write_table(table: HostTable | None) -> str:
    return "" if table is None else to_json(table)


class MemoryFile:
    """The file, and what this program knows of it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held = Contents()  # what the file holds, as far as we know
        self._ours = Contents()  # what this program last wanted it to hold
        self._memory = Memories()  # what he remembered then, stored or not
        self._unusable = False

    def open(self, seed: int) -> tuple[Session, str]:
        """Return a new session with what was stored, and a sentence if something is wrong."""
        fresh = Session(seed=seed)
        try:
            self._held = self._ours = self._read()
        except OSError as error:
            self._unusable = True
            return fresh, f"I cannot read what I kept in {self._path}: {error.strerror}."
        except BadText:
            return fresh, self._move_away()
        known = self._held.to_session()
        self._memory = known.memory
        return known.replace(seed=seed), ""

    def _read(self) -> Contents:
        try:
            with self._path.open("rb") as file:
                text = file.read(4 * MAX_LENGTH).decode("utf-8")
        except FileNotFoundError:
            return Contents()
        except UnicodeDecodeError:
            raise BadText("this is not text") from None
        known = Session.from_json(text)
        return Contents(_write_memory(known.memory), _write_table(known.saved))

    def _move_away(self) -> str:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            self._path.replace(aside)
        except OSError as error:
            self._unusable = True
            return f"I cannot make sense of {self._path}, nor put it aside: {error.strerror}."
        return f"I could not make sense of what I kept, so I put it aside as {aside}."

    def save(self, session: Session, *, leaving: bool = False) -> tuple[Session, str]:
        """Write what may be stored; return the session with the changes of other programs.

        The text is a sentence if that failed. A game in progress stays in the file as it was put
        aside; when `leaving`, as it is now.
        """
        if self._unusable:
            return session, ""
        playing = session.mode == "game" and session.table is not None
        saved = _write_table(session.table if playing and leaving else session.saved)
        if playing:
            saved = saved or self._ours.saved
        ours = Contents(_write_memory(session.memory), saved)
        forgot = session.memory == Memories() != self._memory
        try:
            if forgot or ours != self._ours or self._read_now() != self._held:
                self._merge(ours, forgot=forgot)
        except (BadFile, OSError) as error:
            self._unusable = True
            return session, f"I shall not remember this the next time: {error}."
        unshared = not ours.memory and session.memory != Memories()  # may not be stored
        if self._held.memory != ours.memory and not unshared:
            session = session.replace(memory=self._held.to_session().memory)
        if self._held.saved != saved and not playing:
            session = session.replace(saved=self._held.to_session().saved)
            saved = self._held.saved
        self._ours = Contents(_write_memory(session.memory), saved)
        self._memory = session.memory
        return session, ""

    def _read_now(self) -> Contents:
        """Read the file again; damage is ignored, and overwritten at the next change."""
        try:
            return self._read()
        except BadText:
            return self._held

    def _merge(self, ours: Contents, *, forgot: bool) -> None:
        """Write what this program changed, and leave the rest as others wrote it."""
        if ours == Contents() and not self._path.exists():
            self._held = ours
            return
        with self._lock():
            theirs = self._read_now()
            memory, saved = theirs
            if forgot or ours.memory != self._ours.memory:
                gone = self._held.memory and not theirs.memory  # forgotten elsewhere
                memory = "" if forgot or gone else ours.memory
            if ours.saved != self._ours.saved:
                changed = theirs.saved != self._held.saved  # another unfinished game
                saved = ours.saved or (theirs.saved if changed else "")
            self._held = Contents(memory, saved)
            self._write_misheard()
            if self._held == Contents():
                self._path.unlink(missing_ok=True)
            elif self._held != theirs:
                files.write_whole(self._path, str(self._held).encode())

    def _write_misheard(self) -> None:
        """Keep the lines he got wrong in a file of their own, to be read, and sent in."""
        path = self._path.with_name(MISHEARD)
        lines = self._held.to_session().memory.misheard
        if not lines:
            path.unlink(missing_ok=True)
            return
        rows = (f"{each.intent}\t{each.state}\t{' '.join(each.text.split())}\n" for each in lines)
        files.write_whole(path, "".join(rows).encode())

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep other programs from changing the file, and make it readable only by its owner."""
        mask = os.umask(0o077)
        try:
            with files.hold_lock(self._path.with_name(".benedict.lock")):
                yield
        finally:
            os.umask(mask)
