"""OpenSpiel's own tests and algorithms run on every game."""

import pickle
import random
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import minimax, minimax_solver

import parlour
from parlour import core, rl
from tests.rl.variants import KAYLES, every_variant_and_seats

WORTH = {"win": 1, "draw": 0, "loss": -1}


@every_variant_and_seats
def test_random_simulation_with_serialisation_passes(variant):
    pyspiel.random_sim_test(rl.openspiel(variant), num_sims=3, serialize=True, verbose=False)


@every_variant_and_seats
def test_a_playthrough_is_the_same_each_time_and_replayed(variant, tmp_path):
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough  # which loads scipy

    flags.FLAGS.mark_as_parsed()  # a playthrough asks for flags of the command line
    name = str(rl.openspiel(variant))
    first, again = (generate_playthrough.playthrough(name, None, seed=7) for _ in range(2))
    assert first == again
    file = tmp_path / "playthrough.txt"
    file.write_text(first, encoding="utf-8")
    original, replayed = generate_playthrough.replay(str(file))
    assert replayed == original == first


# What a user of OpenSpiel sees


@every_variant_and_seats
def test_a_random_game_is_the_game_of_the_referee(variant):
    adapted = rl.openspiel(variant)
    encoding = rl.Encoding(variant)
    game = encoding.game
    assert adapted.num_distinct_actions() == encoding.size
    assert adapted.observation_tensor_shape() == list(encoding.shape)
    assert adapted.num_players() == game.seats
    chance = random.Random(2)
    for _ in range(2):
        state, match = adapted.new_initial_state(), core.Match(game, [""] * game.seats)
        while not match.over:
            assert not state.is_terminal()
            assert state.current_player() == match.turn
            moves = [encoding.moves[action] for action in state.legal_actions()]
            assert set(moves) == set(game.moves(match.state))
            for seat in range(game.seats):
                seen = np.reshape(state.observation_tensor(seat), encoding.shape)
                assert np.array_equal(seen, encoding.observe(match.state, seat))
                assert state.observation_string(seat) == game.write(match.state)
            move = chance.choice(moves)
            assert state.action_to_string(encoding.index(move)) == game.write_move(move)
            state.apply_action(encoding.index(move))
            match.play(move)
        assert state.is_terminal()
        assert state.returns() == [*map(float, match.result)]
        assert len(match.moves) <= adapted.max_game_length()


NAMES = {
    "parlour_nim(piles=7;)": parlour.game("nim", piles=(7,)),
    "parlour_nim(piles=1;2;3,endings=2;2|1;1;1,take=2,misere=true)": parlour.game(
        "nim", piles=(1, 2, 3), endings=((2, 2), (1, 1, 1)), take=2, misere=True
    ),
    "parlour_sticks(sticks=30)": parlour.game("sticks", sticks=30),
    "parlour_chopsticks(hit_self=yes,split_least=0)": parlour.game(
        "chopsticks", hit_self=True, split_least=0
    ),
    "parlour_othello(opening=despacito)": parlour.game("othello", opening="despacito"),
}


def test_a_game_is_loaded_by_its_name_and_parameters():
    rl.register()
    for name, game in NAMES.items():
        loaded = pyspiel.load_game(name)
        assert loaded.game == game
        assert str(loaded) == str(rl.openspiel(game))
        assert pyspiel.load_game(str(loaded)).game == game
        assert pickle.loads(pickle.dumps(loaded)).game == game  # noqa: S301


def test_parameters_that_the_rules_forbid_are_refused():
    rl.register()
    with pytest.raises(parlour.BadOption, match="line"):
        pyspiel.load_game("parlour_tictactoe(line=5)")


def test_a_copy_goes_its_own_way():
    state = rl.openspiel("nim").new_initial_state()
    twin = state.clone()
    twin.apply_action(0)
    assert (str(state), str(twin)) == ("3,4,5:1", "2,4,5:2")


def test_the_third_repetition_is_a_draw():
    adapted = rl.openspiel("chopsticks split_same=yes")
    action = rl.Encoding(adapted.game).index((1, 1, 1))
    state = adapted.new_initial_state()
    for _ in range(4):
        assert not state.is_terminal()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert adapted.max_game_length() == 4 * 14**2  # two seats, twice 14 pairs of hands each


def test_games_of_three_are_not_zero_sum():
    kind = rl.openspiel("nim seats=3").get_type()
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert rl.openspiel("nim").get_type().utility == pyspiel.GameType.Utility.ZERO_SUM


def test_another_game_of_the_same_name_gets_another_short_name():
    class Kayles(type(core.game(KAYLES))):
        """Another one."""

    first, second = rl.openspiel(f"{KAYLES} pins=5"), rl.openspiel(Kayles(pins=5))
    assert first.get_type().short_name != second.get_type().short_name
    assert type(second.game) is Kayles


@pytest.mark.long
def test_python_ends_quietly_with_games_registered():
    code = "from parlour import rl; rl.register(); game = rl.openspiel('nim')"
    subprocess.run([sys.executable, "-c", code], check=True)


# OpenSpiel's algorithms come to our values


@pytest.mark.parametrize(
    "variant",
    [
        "nim piles=1,2,3 misere=yes",
        "sticks",
        "tictactoe columns=3 rows=2",
        f"{KAYLES} pins=6",
    ],
)
def test_its_minimax_solver_agrees_with_every_value(variant):
    adapted = rl.openspiel(variant)
    game = adapted.game
    solution = parlour.solve(game)
    table = minimax_solver.MinimaxSolver(str(adapted)).solve()
    assert game.write(game.start()) in table
    for position, entry in table.items():
        state = game.read(position)
        assert entry.value == WORTH[solution.value(state).outcome]
        right = {rl.Encoding(game).index(move) for move in solution.best(state)}
        best = np.flatnonzero(entry.action_values == entry.value)
        assert right <= set(best.tolist())


@pytest.mark.parametrize(
    ("variant", "depth"),
    [
        ("chopsticks dies_at=2", 16),
        ("chopsticks dies_at=3 revive=no", 14),
        ("chopsticks dies_at=3", 12),
    ],
)
def test_its_alpha_beta_search_agrees_where_play_may_go_round(variant, depth):
    adapted = rl.openspiel(variant)
    value, _ = minimax.alpha_beta_search(
        adapted, maximum_depth=depth, value_function=lambda state: 0
    )
    expected = parlour.solve(variant).value(adapted.game.start())
    assert (expected.plies or 0) <= depth
    assert value == WORTH[expected.outcome]
