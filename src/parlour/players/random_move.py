"""The bot that draws lots."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import Game, Move, State, option, settle


@dataclass
class Random:
    """Any legal move, each as likely as the others."""

    name: ClassVar[str] = "random"

    seed: int | None = option(None, "a number that makes it draw the same lots again", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._lots = random.Random(self.seed)

    def plays(self, game: Game) -> str:
        return "any game, at random"

    def choose(self, game: Game, state: State) -> Move:
        return self._lots.choice(game.moves(state))
