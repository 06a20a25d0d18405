"""PettingZoo's own tests pass on every game, and find faults planted in the adapter."""

from __future__ import annotations

import random
import warnings
from types import SimpleNamespace

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import BaseWrapper
from pettingzoo.utils.conversions import aec_to_parallel

import parlour
from parlour import core, rl
from parlour.rl.aec import Turns
from tests.rl.variants import KAYLES, every_variant, every_variant_and_seats

# PettingZoo warns of these unless an environment has the name of one of its own board games, which
# see their board and mask just so, and whose masks and boards may be empty when a game is over.
KNOWN = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Action mask numpy array is all zeros",
    "Observation numpy array is all zeros",
)


def run_api_test(env):
    with warnings.catch_warnings():
        for message in KNOWN:
            warnings.filterwarnings("ignore", message)
        api_test(env, num_cycles=300)


@every_variant_and_seats
def test_the_api_test_passes(variant):
    run_api_test(rl.pettingzoo(variant))


@every_variant_and_seats
def test_the_seed_test_passes(variant):
    seed_test(lambda: rl.pettingzoo(variant))


# The test of cycles takes actions without looking at the mask, and so is offered legal ones: those
# of a game that lasts long enough. It wants a parallel form too, in which a step is a whole round.


def find_line(match, encoding, plies):
    """The actions of a game that lasts at least so many plies."""
    if plies == 0:
        return []
    for move in () if match.over else match.game.moves(match.state):
        after = match.copy()
        after.play(move)
        if (rest := find_line(after, encoding, plies - 1)) is not None:
            return [encoding.index(move), *rest]
    return None


class Planned(gymnasium.spaces.Discrete):
    """A space whose samples are those of a plan."""

    def __init__(self, size, plan):
        super().__init__(size)
        self.plan = plan

    def sample(self, mask=None):
        return self.plan.pop(0)


class OnPlan(BaseWrapper):
    """An environment in which a planned game is played."""

    def __init__(self, env, line):
        super().__init__(env)
        self.space = Planned(env.unwrapped.encoding.size, [*line])

    def action_space(self, agent):
        return self.space


def as_module(variant, rounds=4):
    """The environment as the module with two functions that the test of cycles takes."""
    encoding = rl.Encoding(variant)
    game = encoding.game
    match = core.Match(game, [""] * game.seats)
    line = find_line(match, encoding, rounds * game.seats)

    def env(max_cycles):
        return OnPlan(rl.pettingzoo(variant, max_cycles=max_cycles), line)

    def parallel_env(max_cycles):
        made = env(max_cycles)
        made.unwrapped.metadata["is_parallelizable"] = True  # by the plan, which knows the answers
        return aec_to_parallel(made)

    return SimpleNamespace(env=env, parallel_env=parallel_env)


@every_variant
def test_the_test_of_cycles_passes(variant):
    max_cycles_test(as_module(variant))


# A fault in the adapter is found by these tests


def test_rewards_that_are_lost_are_found(monkeypatch):
    monkeypatch.setattr(Turns, "_accumulate_rewards", lambda self: None)
    with pytest.raises(AssertionError, match="accumulated rewards"):
        run_api_test(rl.pettingzoo("sticks"))


def test_observations_of_another_kind_are_found(monkeypatch):
    observe = rl.Encoding.observe
    monkeypatch.setattr(rl.Encoding, "observe", lambda *seen: observe(*seen).astype(np.float64) * 2)
    with pytest.raises(AssertionError, match="Out of bounds observation"):
        run_api_test(rl.pettingzoo("tictactoe"))


def seed_test_often(variant):
    for _ in range(20):  # one start in nine is alike
        seed_test(lambda: rl.pettingzoo(variant))


def test_an_unseeded_start_is_found(monkeypatch):
    reset = Turns.reset

    def begin_anyhow(self, seed=None, options=None):
        reset(self, seed, options)
        self.step(random.SystemRandom().choice(self.encoding.legal(self.match.state)))

    monkeypatch.setattr(Turns, "reset", begin_anyhow)
    with pytest.raises(AssertionError, match="Incorrect observation"):
        seed_test_often("tictactoe")


def test_a_cap_that_is_forgotten_is_found(monkeypatch):
    module = as_module("sticks", rounds=5)
    max_cycles_test(module)
    init = Turns.__init__
    monkeypatch.setattr(Turns, "__init__", lambda self, game, _, mode: init(self, game, 5, mode))
    with pytest.raises(AssertionError):
        max_cycles_test(module)


# What a trainer sees


@every_variant_and_seats
def test_a_random_game_is_the_game_of_the_referee(variant):
    env = rl.pettingzoo(variant)
    encoding = env.unwrapped.encoding
    game = encoding.game
    chance = random.Random(1)
    for _ in range(3):
        env.reset()
        match = core.Match(game, [""] * game.seats)
        won = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            won[agent] += reward
            if terminated or truncated:
                assert match.over
                env.step(None)
                continue
            assert agent == f"player_{match.turn}"
            legal = [encoding.moves[action] for action in np.flatnonzero(seen["action_mask"])]
            assert set(legal) == set(game.moves(match.state))
            move = chance.choice(legal)
            env.step(encoding.index(move))
            match.play(move)
        assert tuple(won.values()) == match.result


def test_only_the_seat_to_move_has_legal_actions():
    env = rl.pettingzoo("othello")
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 4
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_an_illegal_action_ends_the_game_against_its_seat():
    env = rl.pettingzoo("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    assert all(env.terminations.values())


def test_what_is_no_action_is_refused():
    env = rl.pettingzoo("tictactoe")
    env.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(9)
    with pytest.raises(parlour.ParlourError, match="9 is not an action; choose 0 to 8"):
        env.unwrapped.step(9)


def play_round(env, words):
    for text in words:
        encoding = env.unwrapped.encoding
        move = encoding.game.read_move(env.unwrapped.match.state, text)
        env.step(encoding.index(move))


def test_the_third_repetition_is_a_draw():
    env = rl.pettingzoo("chopsticks dies_at=5 split_same=yes")
    env.reset()
    for _ in range(2):
        play_round(env, ["split 1 1", "split 1 1"])
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}


def test_a_cap_truncates():
    env = rl.pettingzoo("othello", max_cycles=2)
    env.reset()
    for _ in range(4):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}


def test_the_games_are_registered():
    assert set(rl.register()) == set(parlour.games())
    env = pettingzoo.make("aec", "parlour/nim-v0", piles=(1, 2), misere=True, render_mode="ansi")
    env.reset()
    assert env.unwrapped.game == parlour.game("nim", piles=(1, 2), misere=True)
    assert "pile 2" in env.render()
    assert pettingzoo.make("aec", "parlour/othello", max_cycles=3).unwrapped.max_cycles == 3


def test_a_file_is_registered_too():
    assert rl.register([KAYLES]) == rl.register(KAYLES) == ["kayles"]
    env = pettingzoo.make("aec", "parlour/kayles-v0", pins=5)
    assert env.action_space("player_0").n == 5 + 4  # one pin, or two neighbours


@pytest.mark.parametrize("variant", ["nim", "sticks", "chopsticks", "tictactoe", "othello", KAYLES])
def test_positions_are_rendered_as_text_svg_and_image(variant):
    frames = {}
    for mode in ("ansi", "svg", "rgb_array"):
        env = rl.pettingzoo(variant, render_mode=mode)
        env.reset()
        before = env.render()
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        frames[mode] = env.render()
        assert not np.array_equal(before, frames[mode])
    assert frames["ansi"] == env.unwrapped.game.draw(env.unwrapped.match.state)
    assert frames["svg"].startswith("<svg")
    image = frames["rgb_array"]
    assert image.ndim == 3
    assert image.shape[2] == 3
    assert image.dtype == np.uint8


def test_an_unknown_way_to_render_is_refused():
    with pytest.raises(parlour.BadOption, match="ansi, svg or rgb_array"):
        rl.pettingzoo("nim", render_mode="human")
