"""A game as a PettingZoo environment, in which all seats take turns.

The referee of a match decides when it is over, so that repetition and the cap on moves end a game
here as everywhere. Loaded only when such an environment is made, as it needs PettingZoo.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from parlour import core
from parlour.core import Match, ParlourError
from parlour.rl import episodes
from parlour.rl.encoding import Encoding

Seen = dict[str, Any]


def make_turns(game: Any, max_cycles: int | None, render_mode: str | None) -> Any:
    """Return the environment in the wrappers that PettingZoo's own board games have.

    They end the game against the seat that plays an illegal action, and refuse what is no action at
    all and calls in the wrong order.
    """
    env: Any = Turns(game, max_cycles, render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=episodes.ILLEGAL_REWARD)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class Turns(AECEnv[str, Seen, int | None]):  # type: ignore[misc]
    """All seats of a game, as agents that act in turn."""

    def __init__(self, game: Any, max_cycles: int | None, render_mode: str | None) -> None:
        super().__init__()
        self.encoding = Encoding(game)
        self.game = self.encoding.game
        episodes.check_playable(self.game)
        self.max_cycles = core.check_argument("max_cycles", max_cycles, int, low=1, optional=True)
        self.render_mode = episodes.check_render_mode(render_mode)
        self.metadata = {
            **episodes.METADATA,
            "name": f"parlour_{self.game.name}_v0",
            "is_parallelizable": False,  # the seats move one after another
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self._action_spaces = {
            agent: spaces.Discrete(self.encoding.size) for agent in self.possible_agents
        }
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": episodes.observation_space(self.encoding),
                    "action_mask": spaces.Box(0, 1, (self.encoding.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees, and which actions it may take."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions, the same for every agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; there is no chance in it, and so the seed changes nothing."""
        cap = core.referee.MAX_MOVES
        if self.max_cycles is not None:
            cap = min(cap, self.max_cycles * self.game.seats)
        self.match = Match(self.game, self.possible_agents, most_moves=cap)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self.match.turn]

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees; no action is legal for one whose turn it is not."""
        seat, match = self.possible_agents.index(agent), self.match
        mask = episodes.mask_of(self.encoding, match, seat)
        return {"observation": self.encoding.observe(match.state, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is, or take leave of one that has finished."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ParlourError(f"{agent} is still playing and needs an action, not None")
        match = self.match
        match.play(self.encoding.move(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if match.result is not None:
            ended = self.truncations if episodes.is_cut_short(match) else self.terminations
            for each, payoff in zip(self.possible_agents, match.result, strict=True):
                self.rewards[each] = float(payoff)
                ended[each] = True
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[match.turn]
        if match.over:
            self._deads_step_first()

    def render(self) -> Any:
        """Return the position as text, SVG or an image, as `render_mode` says."""
        return episodes.render_match(self.match, self.render_mode)
