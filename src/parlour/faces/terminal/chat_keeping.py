"""What Benedict knows the next time: what he may remember of a person, and a game put aside.

Both are kept in one JSON file that only its owner may read. Nothing of a person is written before
they agreed, and nothing of them stays there after they took it back.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from parlour.core.errors import BadFile, BadText
from parlour.core.files import write_whole
from parlour.host.session import LONGEST, Memory, Session


def folder() -> Path:
    """The user's folder: that of `core.registry`, which takes too long to load for a greeting."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour"


class Keeping:
    """The file, and what it holds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held = ""  # what the file says, as far as we know
        self._lost = False  # whether it cannot be used

    def opened(self, seed: int) -> tuple[Session, str]:
        """A new session with what was kept, and a sentence where something is wrong with it."""
        fresh = Session(seed=seed)
        try:
            with self._path.open("rb") as file:
                data = file.read(4 * LONGEST)
        except FileNotFoundError:
            return fresh, ""
        except OSError as trouble:
            self._lost = True
            return fresh, f"I cannot read what I kept in {self._path}: {trouble.strerror}."
        try:
            kept = Session.from_json(data.decode("utf-8"))
        except (BadText, UnicodeDecodeError):
            return fresh, self._put_aside()
        memory = kept.memory if kept.memory.agreed is True else Memory()
        session = fresh.but(memory=memory, saved=kept.saved)
        self._held = data.decode("utf-8")
        return session, ""

    def _put_aside(self) -> str:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            self._path.replace(aside)
        except OSError as trouble:
            self._lost = True
            return f"I cannot make sense of {self._path}, nor put it aside: {trouble.strerror}."
        return f"I could not make sense of what I kept, so I put it aside as {aside}."

    def keep(self, session: Session) -> str:
        """Write what may be kept, if it is not there yet; a sentence when that fails."""
        kept = {}
        if session.memory.agreed is True:
            kept["memory"] = asdict(session.memory)
        if session.saved is not None:
            kept["saved"] = asdict(session.saved)
        text = json.dumps(kept) if kept else ""
        if text == self._held or self._lost:
            return ""
        mask = os.umask(0o077)
        try:
            if text:
                write_whole(self._path, text.encode())
            else:
                self._path.unlink(missing_ok=True)
        except (BadFile, OSError) as trouble:
            self._lost = True
            return f"I shall not remember this the next time: {trouble}."
        finally:
            os.umask(mask)
        self._held = text
        return ""
