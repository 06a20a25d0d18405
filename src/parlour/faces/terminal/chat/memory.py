"""What Benedict knows the next time: what he may remember of a person, and a game put aside.

Both are kept in one JSON file that only its owner may read. Nothing of a person is written before
they agreed, and nothing of them stays there after they took it back. Several programs may share the
file: each tells apart what it changed itself from what another did, and what was forgotten in one
of them is forgotten in all.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from parlour.core import BadFile, BadText, alone, write_whole
from parlour.host import LONGEST, Memory, Session, Table


class Kept(NamedTuple):
    """The two parts of the file as JSON, each empty where there is none."""

    memory: str = ""
    saved: str = ""

    def __str__(self) -> str:
        parts = (f'"{name}": {part}' for name, part in self._asdict().items() if part)
        return "{" + ", ".join(parts) + "}"

    def session(self) -> Session:
        """A session that knows this and nothing else."""
        return Session.from_json(str(self))


def _memory(memory: Memory) -> str:
    return json.dumps(asdict(memory)) if memory.agreed is True else ""


def _saved(table: Table | None) -> str:
    return "" if table is None else json.dumps(asdict(table))


class Keeping:
    """The file, and what it holds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held = Kept()  # what the file says, as far as we know
        self._ours = Kept()  # what this program wanted it to say
        self._memory = Memory()  # what he remembered then, kept or not
        self._lost = False  # whether it cannot be used

    def opened(self, seed: int) -> tuple[Session, str]:
        """A new session with what was kept, and a sentence where something is wrong with it."""
        fresh = Session(seed=seed)
        try:
            self._held = self._ours = self._read()
        except OSError as trouble:
            self._lost = True
            return fresh, f"I cannot read what I kept in {self._path}: {trouble.strerror}."
        except BadText:
            return fresh, self._put_aside()
        known = self._held.session()
        self._memory = known.memory
        return known.replace(seed=seed), ""

    def _read(self) -> Kept:
        try:
            with self._path.open("rb") as file:
                text = file.read(4 * LONGEST).decode("utf-8")
        except FileNotFoundError:
            return Kept()
        except UnicodeDecodeError:
            raise BadText("this is no text") from None
        known = Session.from_json(text)
        return Kept(_memory(known.memory), _saved(known.saved))

    def _put_aside(self) -> str:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            self._path.replace(aside)
        except OSError as trouble:
            self._lost = True
            return f"I cannot make sense of {self._path}, nor put it aside: {trouble.strerror}."
        return f"I could not make sense of what I kept, so I put it aside as {aside}."

    def keep(self, session: Session, *, parting: bool = False) -> tuple[Session, str]:
        """Write what may be kept: the session with what others kept, and a sentence if it fails.

        A game that is on stays in the file as it was put aside; when `parting`, as it is now.
        """
        if self._lost:
            return session, ""
        playing = session.mode == "game" and session.table is not None
        saved = _saved(session.table if playing and parting else session.saved)
        if playing:
            saved = saved or self._ours.saved
        ours = Kept(_memory(session.memory), saved)
        forgot = session.memory == Memory() != self._memory
        try:
            if forgot or ours != self._ours or self._now() != self._held:
                self._merge(ours, forgot=forgot)
        except (BadFile, OSError) as trouble:
            self._lost = True
            return session, f"I shall not remember this the next time: {trouble}."
        ours_alone = not ours.memory and session.memory != Memory()  # told without leave to keep it
        if self._held.memory != ours.memory and not ours_alone:
            session = session.replace(memory=self._held.session().memory)
        if self._held.saved != saved and not playing:
            session = session.replace(saved=self._held.session().saved)
            saved = self._held.saved
        self._ours, self._memory = Kept(_memory(session.memory), saved), session.memory
        return session, ""

    def _now(self) -> Kept:
        """What the file says now; damage is no news, and is written over when there is some."""
        try:
            return self._read()
        except BadText:
            return self._held

    def _merge(self, ours: Kept, *, forgot: bool) -> None:
        """Write what this program changed, and leave what it did not as others wrote it."""
        if ours == Kept() and not self._path.exists():
            self._held = ours
            return
        with self._alone():
            theirs = self._now()
            memory, saved = theirs
            if forgot or ours.memory != self._ours.memory:
                gone = self._held.memory and not theirs.memory  # forgotten elsewhere
                memory = "" if forgot or gone else ours.memory
            if ours.saved != self._ours.saved:
                changed = theirs.saved != self._held.saved  # another game, which is not over
                saved = ours.saved or (theirs.saved if changed else "")
            self._held = Kept(memory, saved)
            if self._held == Kept():
                self._path.unlink(missing_ok=True)
            elif self._held != theirs:
                write_whole(self._path, str(self._held).encode())

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No other program changes the file meanwhile, and only its owner may read it."""
        mask = os.umask(0o077)
        try:
            with alone(self._path.with_name(".benedict.lock")):
                yield
        finally:
            os.umask(mask)
