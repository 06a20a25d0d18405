"""Situations drawn from a solution are those of the game, each once, in any order alike."""

from __future__ import annotations

import random

import pytest

import parlour
from parlour.core import key
from parlour.rules.nim import CLASS_ENDINGS
from parlour.truth import draw_states

LISTED = [
    parlour.game("nim", piles=(5, 3, 4)),
    parlour.game("nim", piles=(1, 7, 3, 5), misere=True, endings=CLASS_ENDINGS),
    parlour.game("nim", piles=(6, 6), take=2),
    parlour.game("sticks"),
    parlour.game("tictactoe"),
    parlour.game("tictactoe", misere=True),
    parlour.game("tictactoe", columns=4, rows=2, line=3),
    pytest.param(parlour.game("othello", columns=4, rows=4), marks=pytest.mark.slow),
]


def list_keys(game):
    """All situations, by walking through the rules."""
    states, seen = [game.start()], {key(game, game.start())}
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            if key(game, after) not in seen:
                seen.add(key(game, after))
                states.append(after)
    return seen


@pytest.mark.parametrize("game", LISTED, ids=repr)
def test_every_situation_is_drawn_once_in_a_state_that_can_be_played_on(game):
    drawn = list(draw_states(parlour.solve(game), random.Random(1)))
    keys = [key(game, state) for state in drawn]
    assert len(keys) == len(set(keys))
    assert set(keys) == list_keys(game)
    solution = parlour.solve(game)
    for state in drawn[:300]:
        assert game.read(game.write(state)) == state
        assert (game.result(state) is None) == bool(game.moves(state))
        result = game.result(state)
        if result is not None:
            outcome = ("draw", "win", "loss")[result[game.turn(state)]]
            assert solution.value(state).outcome == outcome
    again = list(draw_states(solution, random.Random(1)))
    assert again == drawn
    assert list(draw_states(solution, random.Random(2))) != drawn


@pytest.mark.parametrize("name", ["sticks", "nim piles=2,2"])
def test_each_situation_is_as_likely_to_come_first_or_second(name):
    solution = parlour.solve(name)
    size, games = len(solution), 4000
    times = [{}, {}]
    for seed in range(games):
        drawn = draw_states(solution, random.Random(seed))
        for place in (0, 1):
            name = key(solution.game, next(drawn))
            times[place][name] = times[place].get(name, 0) + 1
    expected = games / size
    for each in times:
        assert len(each) == size
        far = sum((number - expected) ** 2 / expected for number in each.values())
        assert far < size - 1 + 5 * (2 * (size - 1)) ** 0.5  # chi-squared, by five deviations


def test_what_has_no_list_is_not_drawn_from():
    assert draw_states(parlour.solve("nim piles=1000000,5"), random.Random(1)) is None
    assert draw_states(parlour.solve("chopsticks"), random.Random(1)) is None
