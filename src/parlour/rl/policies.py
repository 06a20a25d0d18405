"""A policy over observations as a player: the core of every trained network that takes a seat.

A policy is a function of an observation and a mask, both as `Encoding` makes them. Only legal
actions count in what it answers. `weights` states the chances of every move, so that a judge need
not ask repeatedly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.core import BadOption, Game, Move, ParlourError, State, check_argument, describe, quote
from parlour.rl.encoding import Encoding

OUTPUTS = ("logits", "probabilities", "values")
Answer = Any  # an action, or a number for each
Function = Callable[[NDArray[np.float32], NDArray[np.int8]], Answer]

encode = lru_cache(maxsize=32)(Encoding)  # to list the moves of a game can take a while


class Policy:
    """The player that follows a function of an observation and a mask.

    `function(observation, mask)` returns an action, or an array with a number for each: `output`
    says whether these are logits, probabilities or values. The best legal action is played, or with
    `sample` one is drawn by its probability.
    """

    def __init__(
        self,
        function: Function,
        *,
        output: str = "logits",
        sample: bool = False,
        seed: int | None = None,
        name: str = "",
    ) -> None:
        if not callable(function):
            raise BadOption("function", function, "it must take an observation and a mask")
        self.function = function
        self.output = check_argument("output", output, str, choices=OUTPUTS)
        self.sample = check_argument("sample", sample, bool)
        usual = getattr(function, "__name__", type(function).__name__).strip("<>")
        self.name = check_argument("name", name, str) or usual
        self._random = np.random.default_rng(
            check_argument("seed", seed, int, low=0, optional=True)
        )

    def __repr__(self) -> str:
        return f"<Policy {self.name}>"

    def plays(self, game: Game) -> str:
        """Say that it plays; nothing where a game cannot be shown as numbers."""
        return "" if self.why_not(game) else "as it was trained"

    def why_not(self, game: Game) -> str:
        try:
            encode(game)
        except ParlourError as error:
            return str(error)
        return ""

    def choose(self, game: Game, state: State) -> Move:
        """Return the best legal move, or one drawn; a single action as it is, legal or not."""
        chances = self.weights(game, state)
        if len(chances) == 1:  # the referee says what is wrong with an illegal one
            return next(iter(chances))
        drawn = self._random.choice(len(chances), p=list(chances.values()))
        return list(chances)[int(drawn)]

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        """Return how likely each move is to be played; those that never are may be missing."""
        encoding, answer = self._ask(game, state)
        if isinstance(answer, int):
            return {encoding.move(answer): 1.0}
        legal = encoding.legal(state)
        chances = self._weigh(answer[legal], describe(game))
        if not self.sample:
            return {encoding.move(legal[int(np.argmax(chances))]): 1.0}
        pairs = zip(legal, chances.tolist(), strict=True)
        return {encoding.move(action): chance for action, chance in pairs if chance}

    def _ask(self, game: Game, state: State) -> tuple[Encoding, int | NDArray[np.float64]]:
        """Return its answer: an action, or a number for each."""
        encoding = encode(game)
        observation = encoding.observe(state, game.turn(state))
        found = self.function(observation, encoding.mask(state))
        try:
            answer = np.asarray(found)
        except (TypeError, ValueError):  # lists of different lengths
            answer = np.asarray(None)
        if answer.dtype.kind not in "biuf":
            raise ParlourError(f"{self.name} answered {quote(found)}, not numbers")
        if answer.size == 1 and encoding.size != 1:
            return encoding, _read_action(answer.reshape(()), self.name)
        answer = answer.astype(np.float64)
        if answer.ndim > 1 and answer.shape[0] == 1:
            answer = answer[0]  # a batch of one
        if answer.shape != (encoding.size,):
            raise ParlourError(
                f"{self.name} answered an array of shape {answer.shape}, and {describe(game)} has "
                f"{encoding.size} actions"
            )
        return encoding, answer

    def _weigh(self, answer: NDArray[np.float64], game: str) -> NDArray[np.float64]:
        """Return the chances of the legal actions, given the numbers for them."""
        if np.isnan(answer).any() or (answer == np.inf).any():
            raise ParlourError(f"{self.name} answered numbers that are not finite in {game}")
        if self.output == "probabilities":
            total = answer.sum()
            if (answer < 0).any() or total <= 0:
                raise ParlourError(
                    f"{self.name} gives the legal moves no probabilities in {game}; if its numbers "
                    "are logits or values, say so by output"
                )
            return np.asarray(answer / total)
        best = answer.max()
        if best == -np.inf:
            raise ParlourError(f"{self.name} rules out all legal moves in {game}")
        if self.output == "values":
            first = answer == best
            return np.asarray(first / first.sum())
        powers = np.exp(answer - best)
        return np.asarray(powers / powers.sum())


policy = Policy  # as the other functions that make players are called


def _read_action(answer: NDArray[Any], name: str) -> int:
    if answer.dtype.kind not in "iu":
        raise ParlourError(
            f"{name} answered {answer.item()!r}, where an action is a whole number, and numbers "
            "for all actions are an array"
        )
    return int(answer)
