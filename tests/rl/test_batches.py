"""Batches beside a plain loop over the rules of the game and its encoding."""

import copy
import math
import pickle

import numpy as np
import pytest

from parlour import IllegalMove, ParlourError
from parlour.rl import Encoding, batch
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe

VARIANTS = [
    Nim(piles=(0, 7, 0, 2), take=3),
    Nim(piles=(9, 9, 9), take=4, misere=True),
    Nim(piles=(3, 3), endings=((2, 2, 2), (1,), (2, 2)), misere=True),
    Nim(piles=(1,) * 64),
    Nim(piles=(9000, 900)),
    Nim(seats=4, misere=True, endings=((1, 1),)),
    Nim(seats=10, misere=True, piles=(2, 3)),
    TicTacToe(columns=5, rows=4, line=4),
    TicTacToe(columns=1, rows=1, line=1),
    TicTacToe(columns=7, rows=2, line=3, misere=True),
    TicTacToe(columns=12, rows=6, line=4),
    Othello(),
    Othello(opening="despacito"),
    Othello(columns=4, rows=4, misere=True),
    Othello(columns=4, rows=4, opening="benedict"),
    Othello(columns=5, rows=7),
    Othello(columns=16, rows=4),
    Othello(columns=4, rows=16),
]
SIZE = 6


def name(game):
    return f"{game.name}-{VARIANTS.index(game)}"


@pytest.mark.slow
@pytest.mark.parametrize("game", VARIANTS, ids=name)
def test_a_batch_is_as_many_games_played_by_the_rules(game):
    encoding = Encoding(game)
    games = batch(game, SIZE, seed=1)
    states, seen = [game.start()] * SIZE, games.reset()
    assert (seen.dtype, games.masks().dtype) == (np.float32, np.bool_)
    finished = 0
    while finished < 2 * SIZE:
        assert games.states() == states
        assert games.turn.tolist() == [game.turn(state) for state in states]
        assert np.array_equal(games.masks(), [encoding.mask(state) for state in states])
        views = [encoding.observe(state, game.turn(state)) for state in states]
        assert np.array_equal(seen, views)
        actions = games.sample()
        after = [
            game.play(state, encoding.move(action))
            for state, action in zip(states, actions.tolist(), strict=True)
        ]
        results = [game.result(state) for state in after]
        seen, rewards, ended = games.step(actions)
        assert ended.tolist() == [result is not None for result in results]
        assert rewards.tolist() == [list(result or (0,) * game.seats) for result in results]
        states = [
            state if result is None else game.start()
            for state, result in zip(after, results, strict=True)
        ]
        finished += sum(ended.tolist())


@pytest.mark.parametrize("game", ["nim piles=0,9,2 take=2", "tictactoe", "othello"])
def test_every_legal_move_is_sampled_as_often(game):
    games = batch(game, 6_000, seed=4)
    for _ in range(3):  # away from the start, in the same position everywhere
        action = games.sample()[0]
        games.step(np.full(games.size, action))
    legal = games.masks()[0]
    counts = np.bincount(games.sample(), minlength=legal.size)
    share = 1 / legal.sum()
    assert not counts[~legal].any()
    spread = math.sqrt(games.size * share * (1 - share))
    assert abs(counts[legal] - games.size * share).max() < 4 * spread


def play_on(games):
    return [[part.tolist() for part in games.step(games.sample())] for _ in range(30)]


@pytest.mark.parametrize("game", ["nim", "tictactoe", "othello columns=5 rows=4"])
def test_a_seed_fixes_the_games_and_a_copy_goes_on_alike(game):
    games = batch(game, 5, seed=5)
    first = play_on(games)
    again = batch(game, 5, seed=5)
    assert play_on(again) == first
    assert play_on(batch(game, 5, seed=6)) != first
    twins = [copy.deepcopy(games), pickle.loads(pickle.dumps(games))]  # noqa: S301 - ours
    followed = play_on(games)
    assert [play_on(twin) for twin in twins] == [followed, followed]
    games.reset(5)
    assert play_on(games) == first
    games.reset()
    assert play_on(games) != first


def test_returned_arrays_do_not_change_later():
    games = batch("othello", 3, seed=1)
    kept = [games.reset(), games.masks(), games.turn, games.sample(), *games.step(games.sample())]
    copies = [each.copy() for each in kept]
    for _ in range(70):
        games.step(games.sample())
    assert all(map(np.array_equal, kept, copies))


@pytest.mark.parametrize(
    ("game", "action", "reason"),
    [
        ("othello", 0, "in game 2 the square a1 would turn no disc; you may play d3"),
        ("othello", 27, "in game 2 the square d4 is taken"),
        ("othello", 64, "in game 2 you may pass only when there is no square to take"),
        ("othello", 65, "in game 2 65 is not an action; choose 0 to 64"),
        ("othello columns=4 rows=4", -1, "in game 2 -1 is not an action; choose 0 to 16"),
        ("othello columns=4 rows=4", 5, "in game 2 the square b2 is taken"),
        ("nim", 12, "in game 2 12 is not an action"),
        ("nim", -(2**63), "in game 2 -9223372036854775808 is not an action"),
        ("tictactoe", 9, "in game 2 9 is not an action"),
    ],
)
def test_an_illegal_action_is_refused_with_its_game_and_nothing_is_played(game, action, reason):
    games = batch(game, 4, seed=1)
    before = games.states()
    actions = games.sample()
    actions[2] = action
    with pytest.raises(IllegalMove, match=reason):
        games.step(actions)
    assert games.states() == before


@pytest.mark.parametrize(
    ("game", "moves", "reason"),
    [
        ("nim", [2, 0], "in game 1 pile 1 is empty; take from another"),
        ("nim take=2", [1, 1], "in game 1 pile 1 has only 1 coin; take 1"),
        ("tictactoe", [4, 4], "in game 1 the square b2 is taken; you may play a1"),
    ],
)
def test_an_action_that_was_legal_before_is_refused_too(game, moves, reason):
    games = batch(game, 2, seed=1)
    for move in moves[:-1]:
        games.step([move, move])
    other = games.masks()[0].nonzero()[0][-1]
    with pytest.raises(IllegalMove, match=reason):
        games.step([other, moves[-1]])


def test_actions_are_one_whole_number_for_each_game():
    games = batch("tictactoe", 3, seed=1)
    for actions in ([0, 1], [[0], [1], [2]], 0, [0.0, 1.0, 2.0], [True] * 3, ["0", "1", "2"]):
        with pytest.raises(ParlourError, match="one whole number for each of the 3 games"):
            games.step(actions)


def test_actions_may_be_of_any_whole_numbers():
    frozen = np.array([0, 1, 2])
    frozen.flags.writeable = False
    ways = ([0, 1, 2], np.array([0, 1, 2], np.int8), np.array([0, 9, 1, 9, 2])[::2], frozen)
    seen = []
    for actions in ways:
        games = batch("tictactoe", 3, seed=1)
        seen.append(games.step(actions)[0].tolist())
    assert all(each == seen[0] for each in seen)


IMPOSSIBLE = [
    ("chopsticks", 2, "there are batches of othello, nim and tictactoe, not of chopsticks"),
    ("othello columns=10 rows=10", 2, "boards of up to 64 squares, and this one has 100"),
    ("nim piles=2,2 endings=2,2", 2, "over before it begins"),
    ("nim piles=20000", 2, "20,000 possible moves"),
    ("nim", 0, "size cannot be 0"),
    ("nim", 2.5, "size cannot be 2.5"),
    ("nim", 10**12, "size cannot be"),
]


def test_impossible_batches_are_refused():
    for game, size, reason in IMPOSSIBLE:
        with pytest.raises(ParlourError, match=reason):
            batch(game, size)


def test_options_are_given_by_name_as_to_the_other_environments():
    assert batch("nim", 2, piles=(1, 2), misere=True).game == Nim(piles=(1, 2), misere=True)
