"""What has been played, in a folder: one line a game, written as soon as it is over.

A game is found again by its identity, which depends on all that decides it. So a tournament goes on
from where it was, a league plays only what its changed bots make new, and a half-written last line,
left by a machine that was switched off, costs that one game.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from parlour.arena.played import Played
from parlour.core.errors import BadFile

NAME = "played.jsonl"


class Ledger:
    """The games kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.kept: dict[str, Played] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            text = self.path.read_bytes() if self.path.exists() else b""
            whole = text.rfind(b"\n") + 1
            if whole < len(text):
                os.truncate(self.path, whole)
        except OSError as trouble:
            raise BadFile(f"cannot keep games in {folder}: {trouble.strerror}") from None
        for line in text[:whole].splitlines():
            with contextlib.suppress(KeyError, TypeError, ValueError):
                played = Played.from_json(line.decode())
                self.kept[played.id] = played

    def add(self, games: Iterable[Played]) -> None:
        """Keep these games too; one that is known already is not kept twice."""
        new = [each for each in games if each.id not in self.kept]
        if not new:
            return
        lines = "".join(f"{each.to_json()}\n" for each in new)
        try:
            with self.path.open("ab") as file:
                file.write(lines.encode())
        except OSError as trouble:
            raise BadFile(f"cannot write {self.path}: {trouble.strerror}") from None
        self.kept |= {each.id: each for each in new}
