"""Benedict, the host, as a player of his three games.

At Nim he moves to nim-sum 0, at chopsticks he plays a shortest win and splits as evenly as he can,
and at Othello he looks three plies ahead with two tables. He plays as the program he is named after
did, even where a variant calls for something else; `plays` says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from parlour.core import BadOption, Game, Move, ParlourError, State, option, settle
from parlour.players import nim as nim_bots
from parlour.players import othello as othello_bots
from parlour.players.neighbours import vary_table
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
        style = STYLES.get(type(game))
        return style.plays(game) if style else ""

    def choose(self, game: Game, state: State) -> Move:
        style = STYLES.get(type(game))
        if style is None:
            raise ParlourError(f"benedict plays nim, chopsticks and othello, not {game.name}")
        return style.choose(self, game, state)

    def neighbour(self, game: Game, rng: random.Random, vary: frozenset[str]) -> Benedict:
        """Return Benedict with slightly different tables, still symmetrical and in order."""
        if not isinstance(game, Othello):
            raise ParlourError(f"benedict's tables are for othello; at {game.name} he needs none")
        usual = {"table": othello_bots.TABLE, "mobility_table": othello_bots.MOBILITY_TABLE}
        tables: dict[str, Any] = {}
        for name in sorted(vary):
            table = getattr(self, name)
            if len(table) != len(usual[name]):
                raise BadOption(name, table, f"it must be {len(usual[name])} whole numbers here")
            tables[name] = vary_table(table, usual[name], rng)
        return replace(self, **tables)


class Style(NamedTuple):
    """How Benedict plays one game: how well, and which move."""

    plays: Callable[[Any], str]
    choose: Callable[[Benedict, Any, State], Move]


def _rate_nim(game: Nim) -> str:
    if game.seats != 2:
        return ""
    if game.misere or game.endings:
        return "as in plain normal Nim, which this is not"
    return "perfectly"


def _rate_chopsticks(game: Chopsticks) -> str:
    if game == Chopsticks():
        return "perfectly; moving second he never loses"
    return Perfect().plays(game)


def _rate_othello(game: Othello) -> str:
    return "decently, by a heuristic" if game.columns == game.rows == 8 else ""


def _choose_nim(benedict: Benedict, game: Nim, state: State) -> Move:
    return nim_bots.benedict_move(game, state)


def _choose_chopsticks(benedict: Benedict, game: Chopsticks, state: State) -> Move:
    """Return the most even split among the best moves, else the first of them."""

    def evenness(move: Move) -> tuple[bool, int]:
        kind, left, right = move
        return (kind == SPLIT, -abs(left - right) if kind == SPLIT else 0)

    best: tuple[Move, ...] = solve_once(game).best(state)
    return max(best, key=evenness)


def _choose_othello(benedict: Benedict, game: Othello, state: State) -> Move:
    tables = benedict.table, benedict.mobility_table
    return othello_bots.benedict_move(game, state, *tables, benedict.plies)


STYLES: dict[type, Style] = {
    Nim: Style(_rate_nim, _choose_nim),
    Chopsticks: Style(_rate_chopsticks, _choose_chopsticks),
    Othello: Style(_rate_othello, _choose_othello),
}
