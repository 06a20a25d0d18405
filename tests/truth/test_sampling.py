"""Situations drawn from a solution are those of the game, each once, in any order alike."""

import random

import pytest

import parlour
from parlour.core import key
from parlour.rules.nim import CLASS_ENDINGS
from parlour.truth import draw_states
from tests.oracle import oracle

LISTED = [
    parlour.game("nim", piles=(1, 5, 3, 4), misere=True, endings=CLASS_ENDINGS),
    parlour.game("nim", piles=(6, 6), take=2),
    parlour.game("sticks"),
    parlour.game("tictactoe", misere=True),
]


@pytest.mark.parametrize("game", LISTED, ids=repr)
def test_every_situation_is_drawn_once_in_a_state_that_can_be_played_on(game):
    drawn = list(draw_states(parlour.solve(game), random.Random(1)))
    keys = [key(game, state) for state in drawn]
    assert len(keys) == len(set(keys))
    assert set(keys) == {key(game, state) for state in oracle(game).after}
    solution = parlour.solve(game)
    for state in drawn[:300]:
        assert game.read(game.write(state)) == state
        result = game.result(state)
        assert (result is None) == bool(game.moves(state))
        if result is not None:
            outcome = ("draw", "win", "loss")[result[game.turn(state)]]
            assert solution.value(state).outcome == outcome
    assert list(draw_states(solution, random.Random(1))) == drawn
    assert list(draw_states(solution, random.Random(2))) != drawn


def test_each_situation_is_as_likely_to_come_first_or_second():
    solution = parlour.solve("nim piles=2,2")
    size, draws = len(solution), 4000
    times = [{}, {}]
    for seed in range(draws):
        drawn = draw_states(solution, random.Random(seed))
        for place in (0, 1):
            name = key(solution.game, next(drawn))
            times[place][name] = times[place].get(name, 0) + 1
    expected = draws / size
    for each in times:
        assert len(each) == size
        far = sum((number - expected) ** 2 / expected for number in each.values())
        assert far < size - 1 + 5 * (2 * (size - 1)) ** 0.5  # chi-squared, by five deviations


def test_a_solution_that_lists_no_situations_is_not_drawn_from():
    assert draw_states(parlour.solve("nim piles=1000000,5"), random.Random(1)) is None
    assert draw_states(parlour.solve("chopsticks"), random.Random(1)) is None
