"""PettingZoo's own tests pass on every game."""

import random
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import parlour
from parlour import core, rl
from tests.rl.variants import KAYLES, every_variant_and_seats

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


# What a trainer sees


@every_variant_and_seats
def test_a_random_game_is_the_game_of_the_referee(variant):
    env = rl.pettingzoo(variant)
    encoding = env.unwrapped.encoding
    game = encoding.game
    chance = random.Random(1)
    for _ in range(2):
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


def test_other_numbers_than_actions_are_refused():
    env = rl.pettingzoo("tictactoe")
    env.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(9)
    with pytest.raises(parlour.ParlourError, match="9 is not an action; choose 0 to 8"):
        env.unwrapped.step(9)


def test_the_third_repetition_is_a_draw():
    env = rl.pettingzoo("chopsticks dies_at=5 split_same=yes")
    env.reset()
    for _ in range(4):
        env.step(env.unwrapped.encoding.index((1, 1, 1)))
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


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["nim", "chopsticks", "othello", KAYLES])
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
