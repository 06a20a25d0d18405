"""The vector environment of one seat, beside Gymnasium's own vector of single environments."""

import importlib
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from parlour import IllegalMove, ParlourError, rl
from parlour.rl import BatchedSeat, vector

SIZE = 4


def choose_first(game, state):
    return game.moves(state)[0]


def choose_lowest(observations, masks):
    """The same for many games: the moves of these games are listed in the order of actions."""
    assert len(observations) == len(masks)
    return masks.argmax(axis=1)


def draw(masks, random):
    return np.array([random.choice(mask.nonzero()[0]) for mask in masks])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "game",
    [
        "nim piles=3,3 take=2 endings=1,1",
        "tictactoe misere=yes columns=4",
        "othello columns=4 rows=4",
    ],
)
def test_it_is_a_vector_of_single_environments(game, seat):
    ours = vector(game, SIZE, seat, choose_lowest)
    theirs = SyncVectorEnv(
        [lambda: rl.gymnasium(game, seat, choose_first)] * SIZE,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    for space in ("observation", "action", "single_observation", "single_action"):
        assert getattr(ours, f"{space}_space") == getattr(theirs, f"{space}_space")
    random = np.random.default_rng(1)
    (seen, info), (expected, their_info) = ours.reset(seed=1), theirs.reset(seed=1)
    episodes = 0
    for _ in range(60):
        assert np.array_equal(seen, expected)
        assert seen in ours.observation_space
        assert np.array_equal(info["action_mask"], their_info["action_mask"])
        assert np.array_equal(ours.action_masks(), their_info["action_mask"].astype(bool))
        actions = draw(ours.action_masks(), random)
        assert actions in ours.action_space
        seen, *ends, info = ours.step(actions)
        expected, *their_ends, their_info = theirs.step(actions)
        for one, two in zip(ends, their_ends, strict=True):
            assert one.dtype == two.dtype
            assert np.array_equal(one, two)
        assert ("final_obs" in info) == ("final_obs" in their_info) == ends[1].any()
        if "final_obs" in info:
            episodes += ends[1].sum()
            assert np.array_equal(info["_final_obs"], their_info["_final_obs"])
            for one, two in zip(info["final_obs"], their_info["final_obs"], strict=True):
                assert (one is None and two is None) or np.array_equal(one, two)
    assert episodes > SIZE
    theirs.close()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_that_is_out_waits_until_its_game_is_over(seat):
    """Misère, with three at the table: after the first is out, the other two play a round more."""
    env = vector("nim piles=2,2 seats=3 misere=yes", 50, seat)
    random = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    won = lost = 0
    for _ in range(100):
        _, rewards, ended, cut, info = env.step(draw(info["action_mask"], random))
        assert (env.games.turn == seat).all()
        assert not cut.any()
        assert set(rewards[ended]) <= {1.0, -1.0}
        assert not rewards[~ended].any()
        won, lost = won + (rewards > 0).sum(), lost + (rewards < 0).sum()
    assert 0 < won < lost


def test_the_seed_fixes_what_the_others_play():
    def play(seed):
        env = vector("othello columns=4 rows=4", 8, seat=1)
        random = np.random.default_rng(1)
        seen, info = env.reset(seed=seed)
        found = [seen.tolist()]
        for _ in range(20):
            seen, rewards, *_, info = env.step(draw(info["action_mask"], random))
            found += [seen.tolist(), rewards.tolist()]
        return found

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_an_illegal_action_is_refused_and_nothing_is_played():
    env = vector("tictactoe", 3)
    env.reset(seed=1)
    env.step(np.array([0, 4, 8]))
    before = env.games.states()
    with pytest.raises(IllegalMove, match="in game 1 the square b2 is taken"):
        env.step(np.array([*env.action_masks()[0].nonzero()[0][:1], 4, 0]))
    assert env.games.states() == before


def test_a_policy_of_others_is_held_to_the_rules():
    env = vector("tictactoe", 3, against=lambda seen, masks: masks.argmin(axis=1))
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="in game 0 the square b1 is taken"):
        env.step([1, 2, 3])
    env = vector("tictactoe", 3, seat=1, against=lambda seen, masks: masks)
    with pytest.raises(ParlourError, match="a whole number for each of 3 games"):
        env.reset(seed=1)


def test_impossible_environments_are_refused():
    against = "against cannot be 'perfect'; it must be 'random'"
    for arguments, reason in (({"against": "perfect"}, against), ({"seat": 2}, "seat cannot be 2")):
        with pytest.raises(ParlourError, match=reason):
            vector("nim", 2, **arguments)


def test_a_seat_that_never_comes_to_move_is_said_to():
    env = vector("nim piles=1", 2, seat=1)
    with pytest.raises(ParlourError, match="seat 1 never came to move"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("name", "options", "is_batched"),
    [
        ("nim", {"misere": True, "seat": 1}, True),
        ("tictactoe", {"against": "perfect"}, False),
        ("tictactoe", {"render_mode": "ansi"}, False),
        ("othello", {"columns": 10}, False),
        ("chopsticks", {}, False),
    ],
)
def test_gymnasium_makes_a_batch_wherever_there_is_one(name, options, is_batched):
    rl.register()
    env = gymnasium.make_vec(f"parlour/{name}-v0", num_envs=2, **options)
    assert isinstance(env, BatchedSeat) == is_batched
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    _, info = env.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(5):
        seen, *_, info = env.step(draw(info["action_mask"], random))
        assert seen in env.observation_space
    env.close()


def test_gymnasium_makes_its_own_vector_where_it_is_asked_to():
    rl.register()
    env = gymnasium.make_vec("parlour/nim-v0", num_envs=2, vectorization_mode="sync")
    assert isinstance(env, SyncVectorEnv)
    env.close()


def test_it_says_how_to_install_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "parlour.rl.batched_seat")
    with pytest.raises(ImportError, match=r"needs gymnasium; pip install 'parlour\[rl\]'"):
        importlib.import_module("parlour.rl.batched_seat")


def test_a_step_before_the_first_reset_is_refused():
    games = rl.vector("tictactoe", 2, seat=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        games.step(np.array([0, 0]))
