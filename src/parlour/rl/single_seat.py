"""A game as a Gymnasium environment: one seat learns, and bots are in the others.

Loaded only when such an environment is made, as it needs Gymnasium.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parlour import core
from parlour.core import Bot, Match, ParlourError
from parlour.rl import episodes
from parlour.rl.encoding import Encoding

MAX_SEED = 2**31
Observation = NDArray[np.float32]


class SingleSeat(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; the others are played by bots.

    An illegal action loses: the reward is -1, the episode terminates, and `info["illegal"]` says
    why it was illegal. What is no action at all is refused with `ParlourError`.
    """

    metadata: ClassVar[dict[str, Any]] = episodes.METADATA  # type: ignore[misc]

    def __init__(self, game: Any, seat: int, against: Any, render_mode: str | None) -> None:
        self.encoding = Encoding(game)
        self.game = self.encoding.game
        episodes.check_playable(self.game)
        self.seat = core.check_argument("seat", seat, int, low=0, high=self.game.seats - 1)
        self.render_mode = episodes.check_render_mode(render_mode)
        self._given = _seat_others(self.game, self.seat, against)
        self._players = [core.bot(bot, "against") for bot in self._given]
        self._names = [core.describe(player) for player in self._players]
        self._names[self.seat] = "agent"
        self.action_space = spaces.Discrete(self.encoding.size)
        self.observation_space = episodes.observation_space(self.encoding)
        self._is_over = True  # until the first reset
        self.match = Match(self.game, self._names)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game and let the seats before this one move; a seed is the bots' as well."""
        super().reset(seed=seed)
        if seed is not None:
            self._players = [self._make_bot(bot) for bot in self._given]
        for _ in range(episodes.TRIES):
            self.match = Match(self.game, self._names)
            self._let_others_play()
            if not self.match.over:
                self._is_over = False
                return self._observe(), self._inform()
        raise episodes.never_moves(self.seat)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, let the others answer, and return what has come of it."""
        if self._is_over:
            raise ParlourError("the episode is over; call reset() to begin another")
        match = self.match
        move = self.encoding.move(action)
        try:
            match.play(move)
        except core.IllegalMove as problem:
            self._is_over = True
            info = {**self._inform(), "illegal": str(problem)}
            return self._observe(), episodes.ILLEGAL_REWARD, True, False, info
        self._let_others_play()
        self._is_over = match.over
        reward = float(match.result[self.seat]) if match.result is not None else 0.0
        cut = episodes.is_cut_short(match)
        return self._observe(), reward, match.over and not cut, cut, self._inform()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, as MaskablePPO of sb3-contrib asks for them."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Return the position as text, SVG or an image, as `render_mode` says."""
        return episodes.render_match(self.match, self.render_mode)

    def _observe(self) -> Observation:
        return self.encoding.observe(self.match.state, self.seat)

    def _mask(self) -> NDArray[np.int8]:
        if self._is_over:
            return np.zeros(self.encoding.size, np.int8)
        return episodes.mask_of(self.encoding, self.match, self.seat)

    def _inform(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask()}
        if self.match.over:
            info["result"], info["reason"] = self.match.result, self.match.reason
        return info

    def _make_bot(self, given: Any) -> Bot:
        """Return a bot made anew, with a seed if it takes one and was given none.

        One that was given as an object or a function stays as it is.
        """
        seed = int(self.np_random.integers(MAX_SEED))
        bot: Any = core.bot(given, "against")
        is_ours = isinstance(given, str | os.PathLike | type)
        if is_ours and "seed" in core.options_of(type(bot)) and bot.seed is None:
            bot = dataclasses.replace(bot, seed=seed)
        made: Bot = bot
        return made

    def _let_others_play(self) -> None:
        if self.match.over or self.match.turn == self.seat:
            return
        for match in core.drive(self.match, self._players):
            if match.turn == self.seat:
                return


def _seat_others(game: core.Game, seat: int, against: Any) -> list[Any]:
    """Return the bot of every seat; the one at the seat of the agent is never asked."""
    others = game.seats - 1
    bots = [against] * others
    if isinstance(against, Sequence) and not isinstance(against, str):
        bots = list(against)
        if len(bots) != others:
            raise ParlourError(
                f"against has {core.count(len(bots), 'bot')}, and there "
                f"{'is' if others == 1 else 'are'} {core.count(others, 'other seat')}"
            )
    return [*bots[:seat], "random", *bots[seat:]]
