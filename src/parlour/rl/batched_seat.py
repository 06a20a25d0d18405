"""Many games at once as a Gymnasium vector environment: one seat learns, the others answer.

The games are a batch, so that a step costs a few calls of compiled code however many they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from parlour import core
from parlour.core import BadOption, ParlourError
from parlour.rl import adapters, episodes
from parlour.rl.batches import Batch, Mask, Numbers, Observations, Rewards, batch, why_no_batch

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise ImportError(
        f"a vector environment needs {missing.name}; pip install 'parlour[rl]'"
    ) from None

Policy = Callable[[Observations, Mask], Any]  # of the games in which it has to move


def vector(
    game: Any, size: int, seat: int = 0, against: str | Policy = "random", **options: Any
) -> BatchedSeat:
    """Return a Gymnasium vector environment over so many games, for one seat.

    The others move at random, or as a function of observations and masks says, which is given those
    of all games in which it has to move at once, and returns an action for each.
    """
    return BatchedSeat(batch(game, size, **options), seat, against)


def make_vec(
    num_envs: int, game: Any, seat: int = 0, against: Any = "random", **others: Any
) -> VectorEnv[Any, Any, Any]:
    """Return what `gymnasium.make_vec` makes of a game; it takes what `gymnasium.make` does.

    Where the others move at random that is a batch, if there are batches of the game. Else it is a
    vector of single environments, with games begun again in the same step as in a batch.
    """

    def make() -> Any:
        return adapters.gymnasium(game, seat, against, **others)

    first = make()
    if against == "random" and not first.render_mode and not why_no_batch(first.game):
        return vector(first.game, num_envs, seat)
    return SyncVectorEnv([make] * num_envs, autoreset_mode=AutoresetMode.SAME_STEP)


class BatchedSeat(VectorEnv[Observations, Numbers, NDArray[Any]]):
    """One seat of many games, which is to move in all of them at every step.

    A game that ends begins again in the same step; `info["final_obs"]` shows how it ended. An
    illegal action is refused with `IllegalMove`, which names the game, and nothing is played.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(self, games: Batch, seat: int, against: str | Policy) -> None:
        self.games = games
        self.game = games.game
        self.encoding = encoding = games.encoding
        self.num_envs = games.size
        self.seat = core.check_argument("seat", seat, int, low=0, high=self.game.seats - 1)
        if against != "random" and not callable(against):
            raise BadOption(
                "against",
                against,
                "it must be 'random', or a function of observations and masks that returns an "
                "action for each; for a bot make a vector of parlour.rl.gymnasium() environments",
            )
        self.against = against
        self.single_action_space = spaces.Discrete(encoding.size)
        self.single_observation_space = episodes.observation_space(encoding)
        self.action_space = batch_space(self.single_action_space, games.size)
        self.observation_space = batch_space(self.single_observation_space, games.size)
        self._seats = np.full(games.size, self.seat, np.int64)
        self._everywhere = np.ones(games.size, np.bool_)
        self._has_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin every game again and let the seats before this one move; a seed is set anew."""
        super().reset(seed=seed)
        self.games.reset(seed)
        self._open_games()
        self._has_begun = True
        return self.games._observe(seats=self._seats), self._inform()

    def step(
        self, actions: Numbers
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a move in every game, let the others answer, and return what has come of it."""
        if not self._has_begun:
            raise ResetNeeded("call reset() before the first step()")
        games = self.games
        rewards, ended = games._play(actions, self._everywhere)
        self._let_others_play(rewards, ended)
        final: dict[str, Any] = {}
        if ended.any():
            shown = np.full(self.num_envs, None, object)
            for place, seen in zip(
                ended.nonzero()[0], games._observe(ended, self._seats[ended]), strict=True
            ):
                shown[place] = seen
            final = {"final_obs": shown, "_final_obs": ended.copy()}
            games._restart(ended)
            self._open_games()
        seen = games._observe(seats=self._seats)
        won = rewards[:, self.seat].astype(np.float64)
        return seen, won, ended, np.zeros(self.num_envs, np.bool_), self._inform() | final

    def action_masks(self) -> Mask:
        """Return which actions are legal now, by game and action."""
        return self.games.masks()

    def _inform(self) -> dict[str, Any]:
        """Return the masks, as Gymnasium marks what it knows of every game."""
        masks = self.games.masks().view(np.int8)
        return {"action_mask": masks, "_action_mask": self._everywhere.copy()}

    def _open_games(self) -> None:
        """Let the others move in new games; one that they finish is begun again."""
        for _ in range(episodes.TRIES):
            rewards = np.zeros((self.num_envs, self.game.seats), np.float32)
            ended = np.zeros(self.num_envs, np.bool_)
            self._let_others_play(rewards, ended)
            if not ended.any():
                return
            self.games._restart(ended)
        raise episodes.never_moves(self.seat)

    def _let_others_play(self, rewards: Rewards, ended: Mask) -> None:
        """Let the others play until this seat is to move or the game is over, and note the end."""
        waiting = (self.games.turn != self.seat) & ~ended
        while waiting.any():
            won, over = self.games._play(self._choose(waiting), waiting)
            rewards += won
            ended |= over
            waiting = (self.games.turn != self.seat) & ~ended

    def _choose(self, waiting: Mask) -> Numbers:
        """Return an action for each game in which another seat has to move."""
        if not callable(self.against):
            return self.games.sample()
        actions = np.zeros(self.num_envs, np.int64)
        given = np.asarray(self.against(self.games._observe(waiting), self.games.masks()[waiting]))
        if given.shape != (waiting.sum(),) or given.dtype.kind not in "iu":
            raise ParlourError(
                f"{core.describe(self.against)} should answer a whole number for each of "
                f"{waiting.sum()} games, and answered {given.dtype} of the shape {given.shape}"
            )
        actions[waiting] = given
        return actions
