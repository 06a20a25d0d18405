"""Puzzles accept every right answer and no other, by solvers that know nothing of them."""

from itertools import pairwise

import pyspiel
import pytest

import parlour
from parlour.core import ParlourError, key
from parlour.lessons import LEVELS, find_puzzles, make_puzzle
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.conftest import LONG
from tests.oracle import oracle
from tests.slow_othello import value_of

MANY = 1000 if LONG else 120
VARIANTS = [
    Nim(),
    Nim(piles=(2, 3, 4), misere=True, endings=CLASS_ENDINGS),
    Sticks(sticks=30),
    Chopsticks(),
    TicTacToe(),
    pytest.param(Chopsticks(overflow="wraps"), marks=pytest.mark.long),
    pytest.param(TicTacToe(misere=True), marks=pytest.mark.long),
]


def names(game):
    return parlour.core.describe(game)


@pytest.mark.parametrize("game", VARIANTS, ids=names)
def test_the_right_moves_are_those_that_keep_the_value(game):
    truth = oracle(game)
    alike = {key(game, state): state for state in truth.after}
    found = find_puzzles(game, MANY, seed=1)
    assert found
    for puzzle in found:
        state = alike[key(game, puzzle.state)]  # the one that a game comes to
        if state != puzzle.state:
            puzzle = make_puzzle(game, state)  # noqa: PLW2901
        worth = {move: outcome for move, (outcome, _) in truth.moves(state)}
        best, _ = truth.values[state]
        assert best == puzzle.outcome != "loss"
        assert set(puzzle.right) == {move for move, each in worth.items() if each == best}
        assert set(puzzle.wrong) == set(worth) - set(puzzle.right)
        assert puzzle.wrong


@pytest.mark.parametrize("game", VARIANTS, ids=names)
def test_no_two_puzzles_are_alike_and_all_are_found_when_all_are_asked_for(game):
    found = find_puzzles(game, 10_000, seed=3)
    assert len({key(game, each.state) for each in found}) == len(found)
    assert len({each.id for each in found}) == len(found)
    again = {key(game, each.state) for each in find_puzzles(game, 10_000, seed=4)}
    assert again == {key(game, each.state) for each in found}
    assert len(again) < len({key(game, state) for state in oracle(game).after})


def spiel_value(state, known):
    """The value for the first player, by OpenSpiel's rules and a plain search."""
    if state.is_terminal():
        return state.returns()[0]
    name = str(state), state.current_player()
    if name not in known:
        worth = [spiel_value(state.child(action), known) for action in state.legal_actions()]
        known[name] = max(worth) if state.current_player() == 0 else min(worth)
    return known[name]


@pytest.mark.parametrize(
    ("game", "theirs"),
    [
        (TicTacToe(), "tic_tac_toe"),
        (Nim(piles=(2, 3, 4), misere=True), "nim(pile_sizes=2;3;4,is_misere=true)"),
    ],
    ids=["tictactoe", "misère nim"],
)
def test_open_spiel_accepts_the_same_answers(game, theirs):
    peer = pyspiel.load_game(theirs)
    known, reached = {}, {}

    def walk(ours, other):
        if key(game, ours) in reached or other.is_terminal():
            return
        reached[key(game, ours)] = ours, other
        for move in game.moves(ours):
            walk(game.play(ours, move), other.child(action(move)))

    def action(move):
        if isinstance(game, TicTacToe):
            column, row = move
            return row * 3 + column
        pile, amount = move
        return (amount - 1) * len(game.piles) + pile

    walk(game.start(), peer.new_initial_state())
    checked = 0
    for puzzle in find_puzzles(game, MANY, seed=7):
        ours, other = reached[key(game, puzzle.state)]
        same = make_puzzle(game, ours)
        sign = 1 if other.current_player() == 0 else -1
        worth = {m: sign * spiel_value(other.child(action(m)), known) for m in game.moves(ours)}
        best = max(worth.values())
        assert set(same.right) == {move for move, each in worth.items() if each == best}
        assert len(same.right) == len(puzzle.right)
        checked += 1
    assert checked >= 5


def test_othello_puzzles_are_right_to_the_disc():
    game = Othello()
    checked = 0
    for puzzle in find_puzzles(game, 60, seed=2):
        if puzzle.plies > 6:
            continue
        worth = {
            move: -value_of(game, *game.play(puzzle.state, move)[:2])
            for move in game.moves(puzzle.state)
        }
        assert set(puzzle.right) == {m for m, each in worth.items() if each == max(worth.values())}
        assert puzzle.discs == max(worth.values())
        checked += 1
    assert checked >= 5


def test_a_level_is_kept_and_harder_puzzles_have_deeper_or_more_traps():
    game = TicTacToe()
    by_level = [find_puzzles(game, 30, level=level) for level in (1, 2, 3)]
    for level, found in enumerate(by_level, start=1):
        assert found
        assert {each.level for each in found} == {level}
    means = [sum(each.difficulty for each in found) / len(found) for found in by_level]
    assert all(one < other for one, other in pairwise(means))
    at_once = make_puzzle(game, "XX-OO---- X")
    assert at_once.plies == 1
    assert at_once.level == 1
    assert len(LEVELS) == 5


def test_a_position_that_is_lost_or_where_all_moves_will_do_is_no_puzzle():
    assert make_puzzle(TicTacToe(), "--------- X") is None  # every first move draws
    assert make_puzzle(Sticks(), "5:1") is None  # lost, whatever one takes
    assert make_puzzle(Sticks(), "6:1").right == Sticks().moves(Sticks().read("6:1"))[:1]


@pytest.mark.parametrize(
    "wrong",
    [{"number": 0}, {"number": "many"}, {"level": 6}, {"games": []}],
    ids=["none", "no number", "no level", "games of nim"],
)
def test_impossible_requests_are_refused_in_a_sentence(wrong):
    with pytest.raises(ParlourError):
        find_puzzles(Nim(), **wrong)
