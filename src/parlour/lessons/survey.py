"""All that is known of a position: what was played there, how it ended, and what moves are worth.

Moves that come to the same by symmetry are one row, named by the first of them. What was played
most comes first; among moves that nobody made, the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from parlour.core import Game, Move, State, key
from parlour.lessons.tally import OutcomeTally, Trap, add_up, find_trap
from parlour.players import Assessment, MoveValue
from parlour.rules import find_opening

NOTHING = OutcomeTally()


@dataclass(frozen=True)
class MoveRow:
    """A move, those that come to the same, what it is worth, and the games in which it was made."""

    move: str
    also: tuple[str, ...]
    value: MoveValue | None
    archive: OutcomeTally
    house: OutcomeTally
    opening: str  # that it leads to, if that has another name than the position


@dataclass(frozen=True)
class Survey:
    """A position, and its moves in order."""

    rows: tuple[MoveRow, ...]
    archive: OutcomeTally
    house: OutcomeTally
    trap: Trap | None
    opening: str

    @property
    def games(self) -> int:
        """How many games went on from here."""
        return self.archive.games + self.house.games


def survey_position(
    game: Game,
    states: Iterable[State],
    *,
    archive: Mapping[Move, OutcomeTally],
    house: Mapping[Move, OutcomeTally],
    assessed: Assessment,
) -> Survey:
    """Return what is known of the last of these states, which led there one after the other."""
    led = list(states)
    state = led[-1]
    values = {each.move: each for each in assessed.moves}
    opening = _name(game, led)
    groups: dict[Any, list[Move]] = {}
    for move in game.moves(state):
        groups.setdefault(key(game, game.play(state, move)), []).append(move)
    rows = []
    for moves in groups.values():
        names = [game.write_move(move) for move in moves]
        after = _name(game, [*led, game.play(state, moves[0])])
        rows.append(
            MoveRow(
                names[0],
                tuple(names[1:]),
                next((values[name] for name in names if name in values), None),
                archive.get(moves[0], NOTHING),
                house.get(moves[0], NOTHING),
                after if after != opening else "",
            )
        )
    return Survey(
        tuple(sorted(rows, key=_order)),
        add_up(game, state, archive),
        add_up(game, state, house),
        find_trap(game, state, house, assessed),
        opening,
    )


def _name(game: Game, states: list[State]) -> str:
    found = find_opening(game, states)
    return str(found) if found else ""


def _order(row: MoveRow) -> tuple[Any, ...]:
    worst = (float("-inf"), 0.0)
    first, second = row.value.rank if row.value else worst
    return (-row.archive.games, -row.house.games, -first, -second)
