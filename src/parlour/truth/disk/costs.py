"""What it would take to solve a game on disk, said before anything is done.

The positions of tic-tac-toe and Nim are counted, those of other games bounded by what the game
itself says. Room and time follow from what a position took where such games were solved; the
measurements are in `docs/results.md`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from parlour.core import ParlourError, say, sentences
from parlour.truth.disk.numbering import (
    Boards,
    Discs,
    Family,
    Numbered,
    Piles,
    Rules,
    find_family,
)

MAX_COUNTED_SQUARES = 20  # of a tic-tac-toe whose positions are counted in less than a second
COST = {  # by family: bytes on disk, and seconds of one processor, for a position
    "boards": (0.18, 1.5e-7),
    "piles": (0.6, 5e-7),
    "discs": (3.8, 5e-6),
    "ranked": (0.5, 1e-6),
    "rules": (12.0, 1e-4),
}
MAX_SECONDS = 30 * 24 * 3600  # a month: nobody waits for longer
MAX_STATED = 1e15  # bytes: more mean nothing to anybody
LISTED_BOUND = 16  # ways in which the four first squares of Othello may be taken


@dataclass(frozen=True)
class DiskEstimate:
    """How many positions a game has, and what it takes to solve it on disk."""

    positions: int
    counted: bool  # else there may be far fewer
    bytes: float = 0.0
    seconds: float = 0.0
    why_not: str = ""  # why it cannot be solved on disk

    def describe(self) -> str:
        """`solve it on disk with --disk FOLDER, which takes about 70 MB and 1 min`"""
        if self.why_not or self.seconds > MAX_SECONDS:
            return ""
        needs = {"room": write_bytes(self.bytes), "time": _write_seconds(self.seconds)}
        if self.counted:
            return say(
                "solve it on disk with --disk FOLDER, which takes about {room} and {time}", **needs
            )
        return say(
            "solve it on disk with --disk FOLDER, which takes at most about {room} and {time}",
            **needs,
        )


@functools.lru_cache(maxsize=64)
def estimate(game: Any) -> DiskEstimate:
    """Say how many positions a game has, and what it takes to solve it on disk."""
    bound = game.size() if hasattr(game, "size") else 0
    try:
        family = find_family(game)
    except ParlourError as error:
        return DiskEstimate(bound, False, why_not=error.text)
    positions, counted = _count(family, bound)
    room, took = COST[family.name]
    return DiskEstimate(positions, counted, positions * room, positions * took)


def _count(family: Family, bound: int) -> tuple[int, bool]:
    if isinstance(family, Boards) and family.squares <= MAX_COUNTED_SQUARES:
        return sum(family.count()), True
    if isinstance(family, Numbered):
        return sum(family.sizes.values()), isinstance(family, Piles)
    if isinstance(family, Discs):
        # The first four squares are always taken, and all others empty or taken.
        ways = len(family.game.board.symmetries)
        return LISTED_BOUND * 3 ** (family.squares - 4) // ways, False
    assert isinstance(family, Rules)  # noqa: S101 - for the type checker
    return bound, False


def write_bytes(size: float) -> str:
    """`70 MB`, `1.2 GB`"""
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            number = size / unit
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{size:.0f} bytes"


def _write_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 172800 else f"{seconds / 86400:.0f} days"


def refuse(what: str, found: DiskEstimate, memory: float, room: int) -> str:
    """Say that a game does not fit in memory, and what can be done instead."""
    many = (
        f"{found.positions:,}"
        if found.positions < 10**12
        else sentences.write_large(found.positions)
    )
    number = many if found.counted else f"up to {many}"
    if memory < MAX_STATED:
        need = f"which take {write_bytes(memory)} of memory where {write_bytes(room)} may be used"
    else:
        need = "too many to list"
    ways = [found.describe(), "ask a bot that looks ahead"]
    return f"{what} has {number} situations, {need}; " + ", or ".join(filter(None, ways))
