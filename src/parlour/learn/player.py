"""Hats at the table: a player that draws its moves, and learns from the game if it is let."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from parlour.core.game import Game, Move, State
from parlour.core.options import option, settle, values
from parlour.core.player import Resigns
from parlour.core.record import Record
from parlour.learn import keeping
from parlour.learn.boxes import MOST
from parlour.learn.hats import Hats, hats, lots
from parlour.learn.pictures import drawn
from parlour.learn.rules import RULES
from parlour.learn.training import MOST_GAMES, train


@dataclass
class HatsPlayer:
    """Draws balls from hats that games have filled, its own or those kept by a name."""

    name: ClassVar[str] = "hats"

    kept: str = option("", "the name of kept hats; without, new ones are trained for the game")
    games: int = option(100_000, "how many games train new hats", low=0, high=MOST_GAMES)
    rule: str = option("hats", "how new hats learn", choices=tuple(RULES))
    learning: bool = option(False, "whether they go on learning from each game")
    likeliest: bool = option(False, "play the likeliest ball instead of drawing one")
    seed: int | None = option(None, "a number that makes it draw the same balls again", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._lots = lots(self.seed)
        self._hats: dict[Game, Hats] = {}
        self._drawn: dict[tuple[int, State], int] = {}  # the last ball by seat and state

    def plays(self, game: Game) -> str:
        """As well as it has learned; new hats only where all boxes can surely be listed."""
        if self.kept:
            label = keeping.label(self.kept)
            fits = (label.game, label.options) == (game.name, values(game))
            return f"as {label.games:,} games taught it" if fits else ""
        small = game.seats == 2 and getattr(game, "size", lambda: 0)() <= MOST
        return f"as {self.games:,} games teach it" if small else ""

    def hats(self, game: Game) -> Hats:
        """The hats it plays this game with."""
        if game not in self._hats:
            if self.kept:
                self._hats[game] = keeping.fetch(self.kept, game)
            else:
                fresh = hats(game, self.rule, seed=self.seed or 0)
                train(fresh, self.games, curve=False)
                self._hats[game] = fresh
        return self._hats[game]

    def choose(self, game: Game, state: State) -> Move:
        """The move on a ball; `Resigns` when the box is empty."""
        held, seat = self.hats(game), game.turn(state)
        box = held.boxes.find(state)
        if self.likeliest:
            most = held.likeliest(held.row(seat), box)
            kind = self._lots.choices(most, [1] * len(most))[0] if most else None
        else:
            kind = held.draw(seat, state, self._lots)
        if kind is None:
            raise Resigns("its box for this position is empty")
        self._drawn[seat, state] = kind
        return held.boxes.moves(state, kind)[0]

    def learn(self, record: Record) -> None:
        """Put the balls back by how the game ended, and keep the hats if they have a name."""
        drawn_here, self._drawn = self._drawn, {}
        for game, held in self._hats.items():
            same = (game.name, values(game)) == (record.game, record.options)
            if self.learning and same and record.result is not None:
                held.learn(_balls(held, record, drawn_here), record.result)
                if self.kept:
                    keeping.keep(held, self.kept)

    def inside(self, game: Game, state: State) -> str:
        """The box of this position with its balls, as text."""
        held = self.hats(game)
        return drawn(held, held.row(game.turn(state)), held.boxes.find(state))


def _balls(
    held: Hats, record: Record, drawn_here: Mapping[tuple[int, State], int]
) -> dict[int, list[tuple[State, int]]]:
    """The balls behind the moves of a record, for each seat at which any were drawn.

    A move tells its ball, but for those that ask for too much: there the ball itself is remembered.
    """
    game, listed = held.game, held.boxes
    balls: dict[int, list[tuple[State, int]]] = {seat: [] for seat, _ in drawn_here}
    for state, move in record.replay(game):
        if move is not None and (seat := game.turn(state)) in balls:
            kind = drawn_here.get((seat, state))
            if kind is None or move not in listed.moves(state, kind):
                kind = listed.kind(state, move)
            balls[seat].append((state, kind))
    return balls
