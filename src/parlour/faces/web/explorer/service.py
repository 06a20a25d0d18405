"""The games of the site: an archive that its owner has given, and what people played here.

Both are looked up in this process: a position of the archive takes a millisecond, and so does a
question to the database. Games that have ended since are read first, the rest of them afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from parlour.core import Game, Move, State
from parlour.faces.house_games import HouseGames
from parlour.lessons import Archive, ArchiveGame, OutcomeTally
from parlour.store import Store

LISTED = 10  # games of the archive
PAUSE = 0.2  # seconds between two lots of games that are read, so that other work goes on


class ExplorerService:
    """What was played, by position."""

    def __init__(self, store: Store, archive: str = "") -> None:
        self._house = HouseGames(store)
        self.archive = Archive(Path(archive)) if archive else None
        self._reading: asyncio.Task[None] | None = None

    async def find(
        self, game: Game, state: State
    ) -> tuple[Mapping[Move, OutcomeTally], Mapping[Move, OutcomeTally]]:
        """Return what was played in a position, in the archive and in the house."""
        if await asyncio.to_thread(self._house.catch_up) and self._reading is None:
            self._reading = asyncio.create_task(self._read_all())
        return await asyncio.to_thread(self._look_up, game, state)

    def _look_up(
        self, game: Game, state: State
    ) -> tuple[Mapping[Move, OutcomeTally], Mapping[Move, OutcomeTally]]:
        archive = self.archive.find(game, state) if self.archive else {}
        return archive, self._house.find(game, state)

    async def _read_all(self) -> None:
        """Read the games that are left, as after the first start with many of them."""
        try:
            while await asyncio.to_thread(self._house.catch_up):
                await asyncio.sleep(PAUSE)
        finally:
            self._reading = None

    def list_games(self, game: Game, state: State) -> Sequence[ArchiveGame]:
        """List games of the archive that came to a position, the latest first."""
        return self.archive.list_games(game, state, LISTED) if self.archive else ()
