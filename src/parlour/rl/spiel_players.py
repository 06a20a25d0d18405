"""Bots and policies of OpenSpiel as players of our games.

They know states of the game that `parlour.rl.openspiel` made. Such a state is reached by the moves
of the game in play, where these are known; else by the shortest line to the position, since
policies in tables are looked up by what led there. In games too large to search for a line the
position is set up as it is, which search and networks do not mind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from parlour.core import BadOption, Game, Match, Move, ParlourError, State, describe_error
from parlour.rl.adapters import openspiel
from parlour.rl.encoding import explore
from parlour.rl.policies import encode

SEATED = "it must be a bot or a policy of OpenSpiel, or a list with one for each seat"


def openspiel_player(
    player: Any, *, name: str = "", sample: bool = True, seed: int | None = None
) -> SpielBot:
    """Return the player that asks a bot or a policy of OpenSpiel, or one for each seat.

    Policies draw their moves, or without `sample` play the likeliest.
    """
    held = tuple(player) if isinstance(player, Sequence) else (player,)
    name = name or "".join(type(each).__name__.casefold() for each in held[:1])
    if held and all(callable(getattr(each, "action_probabilities", None)) for each in held):
        return SpielPolicy(held, name, sample, seed)
    if held and all(callable(getattr(each, "step", None)) for each in held):
        return SpielBot(held, name)
    raise BadOption("player", player, SEATED)


class SpielBot:
    """A bot of OpenSpiel, or one for each seat."""

    def __init__(self, held: tuple[Any, ...], name: str) -> None:
        self.name = name
        self._held = held
        self._moves: Sequence[str] = ()

    def plays(self, game: Game) -> str:
        """Say that it plays; nothing where OpenSpiel cannot be given the game."""
        return "" if self.why_not(game) else "as it does in OpenSpiel"

    def why_not(self, game: Game) -> str:
        if len(self._held) not in (1, game.seats):
            return f"there are {len(self._held)} for {game.seats} seats"
        try:
            _load(game)
        except ParlourError as error:
            return str(error)
        return ""

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Take the moves that led to the position of the next choice."""
        self._moves = moves

    def choose(self, game: Game, state: State) -> Move:
        spiel = self._find_state(game, state)
        action = self._ask(lambda held: held.step(spiel), game, state)
        return encode(game).move(int(action))

    def _find_state(self, game: Game, state: State) -> Any:
        moves, self._moves = self._moves, ()
        return find_state(game, state, moves)

    def _ask(self, ask: Callable[[Any], Any], game: Game, state: State) -> Any:
        held = self._held[game.turn(state) if len(self._held) > 1 else 0]
        try:
            return ask(held)
        except ParlourError:
            raise
        except Exception as error:  # OpenSpiel's own, and those of whoever wrote the bot
            raise ParlourError(f"{self.name} failed: {describe_error(error)}") from error


class SpielPolicy(SpielBot):
    """A policy of OpenSpiel, or one for each seat."""

    def __init__(self, held: tuple[Any, ...], name: str, sample: bool, seed: int | None) -> None:
        super().__init__(held, name)
        self.sample = sample
        self._random = random.Random(seed)

    def choose(self, game: Game, state: State) -> Move:
        """Return a move drawn by its probability, or the likeliest."""
        chances = self.weights(game, state)
        return self._random.choices(list(chances), list(chances.values()))[0]

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        spiel = self._find_state(game, state)
        found = self._ask(lambda held: dict(held.action_probabilities(spiel)), game, state)
        encoding = encode(game)
        chances = {encoding.move(int(action)): float(each) for action, each in found.items()}
        chances = {move: each for move, each in chances.items() if each > 0}
        if not chances:
            raise ParlourError(f"{self.name} gives no move a probability")
        return chances if self.sample else {max(chances, key=chances.__getitem__): 1.0}


def find_state(game: Game, state: State, moves: Sequence[str] = ()) -> Any:
    """Return the state of OpenSpiel at a position, reached by these moves if they lead there."""
    line = _replay(game, state, moves)
    if line is None:
        line = _find_line(game, state)
    spiel = _load(game).new_initial_state()
    if line is None:
        match = spiel.match
        match.state, match.states = state, [state]
        return spiel
    encoding = encode(game)
    for move in line:
        spiel.apply_action(encoding.index(move))
    return spiel


_load = lru_cache(maxsize=8)(openspiel)


def _replay(game: Game, state: State, moves: Sequence[str]) -> list[Move] | None:
    match, line = Match(game, [""] * game.seats), []
    try:
        for text in moves:
            line.append(game.read_move(match.state, text))
            match.play(line[-1])
    except ParlourError:
        return None
    return line if match.state == state and not match.over else None


def _find_line(game: Game, state: State) -> list[Move] | None:
    """Return a shortest line to a position; None where none is found soon."""
    came_from = _explore(game).came_from
    if state not in came_from:
        return None
    line: list[Move] = []
    while (step := came_from[state]) is not None:
        state, move = step
        line.append(move)
    return line[::-1]


_explore = lru_cache(maxsize=4)(explore)
