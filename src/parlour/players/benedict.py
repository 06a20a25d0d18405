"""Benedict, the host, as a player of his three games.

At Nim he moves to nim-sum 0, at chopsticks he plays a shortest win and splits as evenly as he can,
and at Othello he looks three plies ahead with two tables. He plays as the program he is named after
did, also where a variant would ask for something else; `plays` says so.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from parlour.core import BadOption, Game, Move, ParlourError, State, option, settle
from parlour.players import nim as nim_bots
from parlour.players import othello as othello_bots
from parlour.players.neighbours import neighbour_table
from parlour.players.perfect import Perfect
from parlour.rules import SPLIT, Chopsticks, Nim, Othello
from parlour.truth import solve_once


@dataclass
class Benedict:
    """The host's own play: nim-sums, shortest wins, and two tables for Othello."""

    name: ClassVar[str] = "benedict"
    tunes: ClassVar[tuple[str, ...]] = ("table", "mobility_table")

    table: tuple[int, ...] = option(
        othello_bots.TABLE, "Othello: what each square is worth, row by row", longest=64
    )
    mobility_table: tuple[int, ...] = option(
        othello_bots.MOBILITY_TABLE,
        "Othello: what it costs to let the opponent move there, row by row",
        longest=64,
    )
    plies: int = option(3, "Othello: how many plies he looks ahead", low=1, high=7)

    def __post_init__(self) -> None:
        settle(self)

    def plays(self, game: Game) -> str:
        if isinstance(game, Nim):
            if game.seats != 2:
                return ""
            if game.misere or game.endings:
                return "as in plain normal Nim, which this is not"
            return "perfectly"
        if isinstance(game, Chopsticks):
            if game == Chopsticks():
                return "perfectly; moving second he never loses"
            return Perfect().plays(game)
        if isinstance(game, Othello) and game.columns == game.rows == 8:
            return "decently, by a heuristic"
        return ""

    def choose(self, game: Game, state: State) -> Move:
        if isinstance(game, Nim):
            return nim_bots.benedict_move(game, state)
        if isinstance(game, Chopsticks):
            return _most_even(game, state)
        if isinstance(game, Othello):
            return othello_bots.benedict_move(
                game, state, self.table, self.mobility_table, self.plies
            )
        raise ParlourError(f"benedict plays nim, chopsticks and othello, not {game.name}")

    def neighbour(self, game: Game, lots: random.Random, vary: frozenset[str]) -> Benedict:
        """Benedict with these tables a little different, each symmetrical and in its order."""
        if not isinstance(game, Othello):
            raise ParlourError(f"benedict's tables are for othello; at {game.name} he needs none")
        usual = {"table": othello_bots.TABLE, "mobility_table": othello_bots.MOBILITY_TABLE}
        tables: dict[str, Any] = {}
        for name in sorted(vary):
            table = getattr(self, name)
            if len(table) != len(usual[name]):
                raise BadOption(name, table, f"it must be {len(usual[name])} whole numbers here")
            tables[name] = neighbour_table(table, usual[name], lots)
        return replace(self, **tables)


def _most_even(game: Chopsticks, state: State) -> Move:
    """Of the best moves the most even split, else the first."""

    def evenness(move: Move) -> tuple[bool, int]:
        kind, left, right = move
        return (kind == SPLIT, -abs(left - right) if kind == SPLIT else 0)

    best: tuple[Move, ...] = solve_once(game).best(state)
    return max(best, key=evenness)
