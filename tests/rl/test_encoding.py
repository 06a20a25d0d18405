"""Actions are moves in a known order; positions that differ are seen differently."""

import copy
import functools
import pickle
import random
import subprocess
import sys
from math import prod

import numpy as np
import pytest

import parlour
from parlour import core, rl
from tests.rl.variants import KAYLES, every_variant_and_seats
from tests.variants import VARIANTS, label

SHORT = "examples/short"


def list_states(game, most=20_000):
    """All positions of a small game, or the first of a large one."""
    met, waiting = {game.start()}, [game.start()]
    for state in waiting:
        for move in game.moves(state) if len(met) < most else ():
            if (after := game.play(state, move)) not in met:
                met.add(after)
                waiting.append(after)
    return waiting


@every_variant_and_seats
def test_every_legal_move_is_an_action_and_the_mask_shows_it(variant):
    encoding = rl.Encoding(variant)
    game = encoding.game
    assert encoding.size == len(encoding.moves) == len(set(encoding.moves))
    for state in list_states(game, 100):
        mask = encoding.mask(state)
        assert mask.dtype == np.int8
        assert mask.sum() == len(game.moves(state))
        for move in game.moves(state):
            assert mask[encoding.index(move)] == 1
            assert encoding.move(encoding.index(move)) == move


@every_variant_and_seats
def test_positions_that_differ_are_seen_differently(variant):
    encoding = rl.Encoding(variant)
    game = encoding.game
    for seat in range(game.seats):
        states = [s for s in list_states(game, 500) if game.result(s) is None]
        seen = {encoding.observe(state, seat).tobytes() for state in states}
        assert len(seen) == len(states)


def test_both_seats_see_a_position_alike_with_themselves_first():
    encoding = rl.Encoding("othello")
    own, other, turn = encoding.game.start()
    first = encoding.observe((own, other, 0), 0)
    assert np.array_equal(first, encoding.observe((own, other, 1), 1))
    second = encoding.observe((own, other, turn), 1)
    assert np.array_equal(second[:2], first[1::-1])
    assert first[2].all()
    assert not second[2].any()


def test_a_board_is_seen_where_it_is_drawn():
    encoding = rl.Encoding("tictactoe columns=4")
    game = encoding.game
    state = game.read("X----O------ X")
    own, other, turn = encoding.observe(state, 0)
    assert own.tolist() == [[1, 0, 0, 0], [0] * 4, [0] * 4]
    assert other.tolist() == [[0] * 4, [0, 1, 0, 0], [0] * 4]
    assert turn.all()


def test_piles_are_seen_in_binary_digits():
    encoding = rl.Encoding("nim")
    seen = encoding.observe(encoding.game.read("3,4,5:1"), 0)
    assert seen.tolist() == [0, 1, 1, 1, 0, 0, 1, 0, 1, 1]
    assert encoding.observe(encoding.game.read("0,4,1:2"), 0).tolist()[-4:] == [0, 0, 1, 0]


def test_seats_are_counted_from_the_one_that_looks():
    encoding = rl.Encoding("nim seats=3 misere=yes piles=1")
    state = encoding.game.read("1:2 of 2,3")  # the first is out, and the second to move
    assert encoding.observe(state, 1).tolist() == [1, *(1, 0, 0), *(1, 1, 0)]
    assert encoding.observe(state, 2).tolist() == [1, *(0, 0, 1), *(1, 0, 1)]


def test_sticks_and_hands_have_a_place_for_each_number():
    sticks = rl.Encoding("sticks sticks=10")
    assert np.flatnonzero(sticks.observe(sticks.game.read("7:1"), 1)).tolist() == [7]
    hands = rl.Encoding("chopsticks")
    seen = hands.observe(hands.game.read("1,4:2,3:2"), 1)
    assert np.flatnonzero(seen).tolist() == [2, 5 + 3, 10 + 1, 15 + 4, 20]


def test_barred_situations_are_seen_by_both_seats_from_their_side():
    encoding = rl.Encoding("chopsticks rules=feathers")
    game = encoding.game
    state = game.play(game.start(), (0, 0, 0))
    met = [encoding.observe(state, seat)[29:] for seat in (0, 1)]
    assert [seen.sum() for seen in met] == [2, 2]  # the start, and this one
    half = len(met[0]) // 2
    assert [seen[:half].sum() for seen in met] == [1, 1]  # one of them with oneself to move
    assert not np.array_equal(met[0], met[1])


def test_random_games_keep_within_the_greatest_length():
    chance = random.Random(1)
    for game in VARIANTS:
        match = core.Match(game, [""] * game.seats)
        while not match.over and core.protocol.max_plies(game) <= core.referee.MAX_MOVES:
            moves = game.moves(match.state)
            match.play(moves[chance.randrange(len(moves))])
        assert len(match.moves) <= core.protocol.max_plies(game), label(game)


@pytest.mark.parametrize("variant", ["nim", "nim misere=yes", "sticks"])
def test_the_greatest_length_is_reached(variant):
    game = core.game(variant)

    @functools.cache
    def longest_from(state):
        return max((1 + longest_from(game.play(state, m)) for m in game.moves(state)), default=0)

    assert longest_from(game.start()) == game.max_plies()


# Games that declare nothing


def test_moves_that_are_not_declared_come_in_the_order_they_are_met():
    encoding = rl.Encoding(f"{KAYLES} pins=3")
    assert encoding.moves == ((0, 1), (0, 2), (1, 1), (1, 2), (2, 1))
    morris = rl.Encoding(f"{SHORT}/three_mens_morris.py")
    assert morris.moves[:9] == tuple((at,) for at in range(9))
    assert all(len(move) == 2 for move in morris.moves[9:])


def test_pins_are_seen_in_binary_digits():
    encoding = rl.Encoding(f"{KAYLES} pins=3")
    assert encoding.shape == (
        1 + 3 + 2 + 1,
    )  # the turn, the pins, the seat, whether it is its turn
    assert encoding.observe((1, 0b011), 0).tolist() == [1, *(0, 1, 1), *(1, 0), 0]


def test_a_grid_is_seen_in_planes():
    encoding = rl.Encoding(f"{SHORT}/hexapawn.py")
    first, second = (encoding.observe(encoding.game.start(), seat) for seat in (0, 1))
    assert first.shape == (3, 3, 3)
    assert first[0].tolist() == [[0] * 3, [0] * 3, [1] * 3]  # white begins, at the bottom
    assert np.array_equal(first[1], second[0])
    assert first[2].all()
    assert not second[2].any()


class Walls(parlour.Game):
    """One piece in a row of five squares goes right past walls; who cannot move loses."""

    loops = "never"

    def start(self):
        return (0, 0)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return tuple(to for to in range(state[1] + 1, 5) if to != 2)[:2]

    def play(self, state, move):
        return (1 - state[0], move)

    def result(self, state):
        return None if self.moves(state) else ((-1, 1), (1, -1))[state[0]]

    def grid(self, state):
        return [["K" if at == state[1] else "#" if at == 2 else "" for at in range(5)]]


def test_each_text_on_a_grid_without_marks_has_its_plane():
    wall, piece, turn = rl.Encoding(Walls).observe((0, 1), 0)
    assert wall.tolist() == [[0, 0, 1, 0, 0]]
    assert piece.tolist() == [[0, 1, 0, 0, 0]]
    assert turn.all()


class Growing(Walls):
    """The same, with states that grow."""

    grid = None

    def play(self, state, move):
        return (1 - state[0], move, *state[1:])


def test_states_of_several_lengths_must_be_declared():
    with pytest.raises(parlour.ParlourError, match=r"declares observe\(state, seat\)"):
        rl.Encoding(Growing)


class Changing(Walls):
    """The same, with a number that may change."""

    __hash__ = None


def test_a_game_that_cannot_be_hashed_is_looked_at_too():
    assert rl.Encoding(Changing()).moves == rl.Encoding(Walls()).moves == (1, 3, 4)


def test_a_large_game_must_declare_its_moves():
    with pytest.raises(parlour.ParlourError, match=r"50,000 positions.*all_moves\(\)"):
        rl.Encoding(f"{KAYLES} pins=40")


def test_too_many_actions_are_refused_with_their_number():
    assert rl.Encoding("nim piles=5000,5000").size == rl.MAX_ACTIONS
    with pytest.raises(parlour.ParlourError, match="10,001 possible moves"):
        rl.Encoding("nim piles=5001,5000")
    with pytest.raises(parlour.ParlourError, match="1,000,000,000 possible moves"):
        rl.Encoding("nim piles=1000000000")


def test_unknown_moves_and_actions_are_refused():
    encoding = rl.Encoding("tictactoe")
    assert encoding.index([0, 1]) == encoding.index(np.array([0, 1])) == 3
    for move in ((3, 3), "a1", None, {}):
        with pytest.raises(parlour.ParlourError, match="none of the 9 moves"):
            encoding.index(move)
    for action in (-1, 9):
        with pytest.raises(parlour.ParlourError, match="choose 0 to 8"):
            encoding.move(action)


def test_a_position_of_another_size_is_refused():
    encoding = rl.Encoding("nim")
    with pytest.raises(parlour.ParlourError, match=r"shape \(7,\)"):
        encoding.observe(encoding.game.read("1,2:1"), 0)


def test_an_encoding_can_be_pickled_and_copied():
    encoding = rl.Encoding("othello")
    for twin in (pickle.loads(pickle.dumps(encoding)), copy.deepcopy(encoding)):  # noqa: S301
        assert twin.moves == encoding.moves
        assert twin.game == encoding.game
        assert prod(twin.shape) == 3 * 64


@pytest.mark.parametrize(
    ("module", "make"),
    [
        ("pettingzoo", rl.pettingzoo),
        ("gymnasium", rl.gymnasium),
        ("pyspiel", rl.openspiel),
    ],
)
def test_a_missing_library_is_named_with_its_extra(module, make, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"is not installed; pip install 'parlour\[rl\]'"):
        make("nim")


@pytest.mark.slow
def test_no_other_library_is_loaded_until_it_is_needed():
    code = (
        "import sys, parlour; parlour.rl; print(*sys.modules);"
        "games = parlour.rl.batch('nim', 2, seed=1); games.step(games.sample());"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    first, with_batch = (set(line.split()) for line in run.stdout.splitlines())
    assert "parlour.rl" in first
    assert not first & {"numpy", "gymnasium", "pettingzoo", "pyspiel", "PIL", "numba"}
    assert not with_batch & {"gymnasium", "pettingzoo", "pyspiel"}
