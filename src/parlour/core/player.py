"""Who plays: a person, a bot, a foreign engine or a set of hats are the same kind of thing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from parlour.core.game import Game, Move, State


class Resigns(Exception):
    """Raised by `choose` to give the game up; the text says why, if there is a reason."""


@runtime_checkable
class Player(Protocol):
    """Chooses moves. Drivers may call these on players that have them:

    `clock(seconds_left)` comes before a choice, and `follow(game, moves)` with the moves that led
    there, as text; `stop()` may come from any thread and asks for an answer now; `learn(record)`
    comes after a game, and `close()` when no more will be asked.
    """

    def choose(self, game: Game, state: State) -> Move:
        """A legal move in this state, which is never an ended one."""


class Bot(Player, Protocol):
    """A player with a name and options, that knows which variants it can play."""

    @property
    def name(self) -> str:
        """What people call it, in one lower-case word."""

    def plays(self, game: Game) -> str:
        """How well it plays this game, in a few words; empty when it does not."""
