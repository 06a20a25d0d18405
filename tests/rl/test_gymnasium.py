"""Gymnasium's own check passes on every game."""

import random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import parlour
from parlour import core, rl
from tests.rl.variants import KAYLES, every_variant_and_seats


def make(variant, **arguments):
    """The environment by its registered name, as the check wants it for other ways to render."""
    game = core.game(variant)
    rl.register([variant])
    options = core.values(game)
    return gymnasium.make(f"parlour/{game.name}-v0", **options, **arguments).unwrapped


@every_variant_and_seats
def test_the_check_passes(variant):
    check_env(make(variant))


# What a trainer sees


def play_episode(env, chance, seed=None):
    """One episode of random legal actions: what was seen, and the rewards."""
    seen, info = env.reset(seed=seed)
    shown, rewards, over = [seen], [], False
    while not over:
        mask = env.unwrapped.action_masks()
        assert np.array_equal(mask, info["action_mask"])
        action = chance.choice(np.flatnonzero(mask).tolist())
        seen, reward, terminated, truncated, info = env.step(action)
        shown.append(seen)
        rewards.append(reward)
        over = terminated or truncated
    return shown, rewards, info


@every_variant_and_seats
@pytest.mark.parametrize("seat", [0, 1])
def test_an_episode_is_a_game_of_the_referee(variant, seat):
    env = rl.gymnasium(variant, seat)
    game = env.game
    for seed in range(2):
        shown, rewards, info = play_episode(env, random.Random(seed), seed)
        record = env.match.record
        match = core.Match(game, record.players)
        own = []
        for text in record.moves:
            if match.turn == seat:
                own.append(rl.Encoding(game).observe(match.state, seat))
            match.play(game.read_move(match.state, text))
        assert np.array_equal(shown[:-1], own)
        assert match.over
        assert rewards == [*[0.0] * (len(own) - 1), match.result[seat]]
        assert info["result"] == match.result


@pytest.mark.parametrize("against", ["random", "perfect level=2"])
def test_a_seed_is_that_of_the_opponents_too(against):
    def play_games(seed):
        env = rl.gymnasium("nim", 1, against)
        chance = random.Random(3)
        episodes = [play_episode(env, chance, seed if game == 0 else None) for game in range(4)]
        return [np.array(shown).tolist() for shown, _, _ in episodes]

    assert play_games(1) == play_games(1)
    assert play_games(1) != play_games(2)


def test_an_opponent_with_a_seed_of_its_own_keeps_it():
    def first_moves(env, seed):
        env.reset(seed=seed)
        return env.match.moves

    env = rl.gymnasium("othello", 1, "random seed=7")
    assert len({tuple(first_moves(env, seed)) for seed in range(9)}) == 1
    env = rl.gymnasium("othello", 1, "random")
    assert len({tuple(first_moves(env, seed)) for seed in range(9)}) > 1


def test_each_of_several_opponents_has_its_seat():
    def take_one(game, state):
        return game.moves(state)[0]

    def take_most(game, state):
        return game.moves(state)[-1]

    env = rl.gymnasium("nim seats=3 piles=9", 1, [take_one, take_most])
    env.reset(seed=0)
    assert env.match.moves == ["1 from 1"]
    _, reward, terminated, _, _ = env.step(0)
    assert env.match.moves == ["1 from 1", "1 from 1", "7 from 1"]
    assert terminated
    assert reward == -1
    with pytest.raises(
        parlour.ParlourError, match="against has 1 bot, and there are 2 other seats"
    ):
        rl.gymnasium("nim seats=3", 0, ["random"])


def test_an_illegal_action_loses_and_says_why():
    env = rl.gymnasium("tictactoe", against=lambda game, state: game.moves(state)[0])
    env.reset()
    env.step(4)
    _, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"].startswith("the square b2 is taken")
    assert not env.action_masks().any()
    with pytest.raises(parlour.ParlourError, match="call reset"):
        env.step(5)


def test_an_opponent_that_resigns_has_lost():
    def give_up(game, state):
        raise parlour.Resigns

    env = rl.gymnasium("tictactoe", against=give_up)
    env.reset()
    assert env.step(0)[1:4] == (1.0, True, False)


def test_an_opponent_that_plays_illegally_is_named():
    env = rl.gymnasium("tictactoe", against=lambda game, state: (0, 0))
    env.reset()
    with pytest.raises(parlour.ParlourError, match=r"player 2 \(O\).*the square a1 is taken"):
        env.step(0)


def test_an_action_is_a_whole_number_in_its_range():
    env = rl.gymnasium("tictactoe")
    env.reset()
    for action in (-1, 9, 1.5, "1", None, np.array([1]), np.array(1.0)):
        with pytest.raises(parlour.ParlourError, match="is not an action; choose 0 to 8"):
            env.step(action)
    assert env.step(np.array(1))[1:4] == (0.0, False, False)


def test_repetition_terminates_and_the_cap_truncates(monkeypatch):
    env = rl.gymnasium("chopsticks split_same=yes", against=lambda game, state: (1, 1, 1))
    env.reset()
    action = env.encoding.index((1, 1, 1))
    assert env.step(action)[1:4] == (0.0, False, False)
    assert env.step(action)[1:4] == (0.0, True, False)
    monkeypatch.setattr(core.Match.__init__, "__kwdefaults__", {"most_moves": 4})
    env = rl.gymnasium("sticks", against=lambda game, state: (0, 1))
    env.reset()
    assert env.step(0)[1:4] == (0.0, False, False)
    assert env.step(0)[1:4] == (0.0, False, True)


def test_a_seat_that_never_moves_is_refused():
    env = rl.gymnasium("nim piles=2", 1, lambda game, state: (0, 2))
    with pytest.raises(parlour.ParlourError, match="never came to move"):
        env.reset()


def test_a_game_that_is_over_is_refused():
    with pytest.raises(parlour.ParlourError, match="over before it begins"):
        rl.gymnasium("nim seats=1")


def test_the_games_are_registered_with_their_options():
    rl.register()
    env = gymnasium.make("parlour/othello-v0", columns=6, rows=6, against="despacito")
    assert env.unwrapped.game == parlour.game("othello", columns=6, rows=6)
    env = gymnasium.make("parlour/chopsticks-v0", rules="feathers")
    assert env.unwrapped.game == parlour.game("chopsticks", rules="feathers")


def test_options_come_with_a_name_or_a_class():
    kayles = type(core.game(KAYLES))
    assert rl.gymnasium(kayles, pins=4).game.pins == 4
    assert rl.gymnasium("othello opening=despacito").game.columns == 9
    assert rl.gymnasium("othello opening=despacito", columns=8).game.rows == 7
    with pytest.raises(parlour.ParlourError, match="pints"):
        rl.gymnasium(kayles, pints=4)
