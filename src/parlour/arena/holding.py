"""A tournament in one call, for whoever works in Python."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from parlour.arena.crews import crew
from parlour.arena.entries import entries, strangers
from parlour.arena.ledger import Ledger
from parlour.arena.openings import openings as begun
from parlour.arena.plan import KINDS, Clock, Plan
from parlour.arena.running import run
from parlour.arena.schedule import byes, counted
from parlour.arena.table import Table, table
from parlour.core.errors import ParlourError
from parlour.core.game import Game


def planned(
    game: Game,
    bots: Iterable[str],
    *,
    kind: str = KINDS[0],
    games: int = 2,
    rounds: int = 0,
    openings: int | str | Path = 0,
    time: str = "none",
    decide: float | None = None,
    seed: int = 0,
) -> Plan:
    """The plan of a tournament, from what people say of one."""
    plan = Plan.of(
        game,
        entries(bots, game),
        kind=kind,
        games=games,
        rounds=rounds,
        openings=begun(game, openings, max(1, games // 2), seed),
        clock=Clock.read(time),
        decide=decide,
        seed=seed,
    )
    if len(plan.entries) < 2:
        raise ParlourError("a tournament needs two bots at least")
    return plan


def tournament(
    game: Game,
    bots: Iterable[str],
    *,
    workers: int = 1,
    folder: Path | str | None = None,
    **conditions: Any,
) -> Table:
    """Let bots meet, named as on the command line: `minimax depth=3`, `my_bot.py`.

    The conditions are those of the command too: `kind`, `games`, `rounds`, `openings`, `time`,
    `decide`, `seed`. With a folder the games are kept there, and those that are there are not
    played again.
    """
    plan = planned(game, bots, **conditions)
    names, why = strangers(plan)
    if why:
        raise ParlourError(
            f"{' and '.join(names)} cannot be shut in on this machine ({why}); the command "
            "parlour tournament asks whether to run them all the same"
        )
    with tempfile.TemporaryDirectory() as scratch:
        hands = crew("local", workers)
        try:
            done = run(plan, Ledger(Path(folder or scratch)), hands)
        finally:
            hands.close()
    return table(plan, counted(plan, done), byes=byes(plan, done))
