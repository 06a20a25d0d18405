"""The openings of Othello by name.

A position on a line of `openings.txt` has the name of the last opening that the line has reached by
then; turned or mirrored, or after the same moves in another order, it is the same position. A game
that has left all lines keeps the last name it had.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from parlour.core import Game
from parlour.rules.othello import Othello, OthelloState, flips_anysize

SIDE = 8
Key = tuple[int, int]


@dataclass(frozen=True)
class Opening:
    """A named opening: its moves from the start, what it is called, and what else."""

    moves: tuple[str, ...]
    name: str
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " / ".join((self.name, *self.also))


def has_openings(game: Game) -> bool:
    """Return whether the openings of a game have names."""
    return isinstance(game, Othello) and (game.columns, game.rows) == (SIDE, SIDE)


def find_opening(game: Any, states: Iterable[OthelloState]) -> Opening | None:
    """Return the opening of a game that went through these states, or of a single position."""
    if not has_openings(game):
        return None
    longest = max(len(opening.moves) for opening in all_openings())
    early = [state for state in states if (state[0] | state[1]).bit_count() <= 4 + longest]
    return next(filter(None, (_table().get(game.key(state)) for state in reversed(early))), None)


@cache
def all_openings() -> tuple[Opening, ...]:
    """Return the openings in the order of the file."""
    text = resources.files(__package__).joinpath("openings.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(_read(line) for line in lines)


def _read(line: str) -> Opening:
    moves, _, names = line.partition(" ")
    name, *also = names.split(", ")
    return Opening(tuple(moves[at : at + 2] for at in range(0, len(moves), 2)), name, tuple(also))


@cache
def _table() -> dict[Key, Opening]:
    """Return the opening of every position on a line, by its key."""
    named = {_keys(opening)[-1]: opening for opening in all_openings()}
    table: dict[Key, Opening] = {}
    for opening in all_openings():
        last = None
        for key in _keys(opening):
            last = named.get(key, last)
            if last:
                table[key] = last
    return table


@cache
def _keys(opening: Opening) -> tuple[Key, ...]:
    """Return the key of the position after each move.

    The moves are played without compiled code, which would take longer to load.
    """
    game = Othello()
    own, other, _ = game.start()
    keys = []
    for text in opening.moves:
        bit = game.board.bits[game.board.read_square(text)]
        turned = flips_anysize(game.board, own, other, bit)
        own, other = other ^ turned, own | turned | bit
        keys.append(game.key((own, other, 0)))
    return tuple(keys)
