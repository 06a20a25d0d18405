"""The last squares of an Othello: what is known of them, how many are solved, what is refused."""

from __future__ import annotations

import random
import time

import pytest

from parlour.core.work import Work
from parlour.rules.othello import Othello
from parlour.truth.certificates import certificate
from parlour.truth.checker import check
from parlour.truth.graph import GraphSolution, solve_graph
from parlour.truth.othello_end import EndSolution, empties, most_empties
from parlour.truth.standing import StartingAt, solve_at
from parlour.truth.values import Unsolved, Value


def near_the_end(game, left, seed):
    """A position from random play with so many squares empty."""
    lots = random.Random(seed)
    while True:
        state = game.start()
        while game.moves(state) and empties(game, state) > left:
            state = game.play(state, lots.choice(game.moves(state)))
        if game.moves(state):
            return state


def test_4x4_is_lost_by_ten_from_its_start():
    """11 to 3 with 2 empties, which the winner has."""
    game = Othello(columns=4, rows=4)
    solution = solve_at(game, game.start())
    assert isinstance(solution, EndSolution)
    assert solution.margin(game.start()) == -10
    assert solution.value(game.start()).outcome == "loss"
    assert [solution.margin_after(game.start(), move) for move in game.moves(game.start())] == [
        -10
    ] * 4


@pytest.mark.parametrize("shape", [(8, 8), (9, 7), (4, 16), (6, 6)])
def test_values_and_distances_are_those_of_the_whole_graph(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    for seed in range(3):
        state = near_the_end(game, 7, seed)
        listed = solve_graph(StartingAt(game, state), Work())
        solution = solve_at(game, state)
        assert solution.value(state) == listed.value(state)
        assert solution.best(state) == listed.best(state)
        for move in game.moves(state):
            assert solution.after(state, move) == listed.after(state, move)
            margin = solution.margin_after(state, move)
            sign = {"win": 1, "draw": 0, "loss": -1}[listed.after(state, move).outcome]
            assert (margin > 0) - (margin < 0) == sign


def test_played_for_discs_the_game_ends_with_the_margin():
    game = Othello(opening="despacito")
    state = near_the_end(game, 12, seed=4)
    solution = solve_at(game, state)
    margin = solution.margin(state) if game.turn(state) == 0 else -solution.margin(state)
    while moves := game.moves(state):
        state = game.play(state, max(moves, key=lambda m, s=state: solution.margin_after(s, m)))
    assert game.score(state) == margin


def test_twelve_empty_squares_are_solved_while_somebody_waits():
    game = Othello()
    solution = solve_at(game, near_the_end(game, 1, seed=1))
    solution.margin(near_the_end(game, 1, seed=1))  # what is compiled is loaded
    begun = time.monotonic()
    for seed in range(5):
        state = near_the_end(game, 12, seed)
        solution = solve_at(game, state)
        for move in game.moves(state):
            solution.margin_after(state, move)
            solution.after(state, move)
    assert time.monotonic() - begun < 5


def test_an_ended_position_has_its_result_and_no_distance_to_go():
    game = Othello(columns=4, rows=4)
    solution = EndSolution(game, Work())
    full = game.read("XXXXXXXXXXXXOOO- O")
    assert game.result(full) == (1, -1)
    assert solution.value(full) == Value("loss", 0)
    assert solution.margin(full) == -game.score(full) == -10
    level = game.read("XXXXXXXXOOOOOOOO X")
    assert solution.value(level) == Value("draw")
    assert solution.margin(level) == 0


def test_what_is_not_solved_is_refused_with_the_numbers():
    game = Othello()
    with pytest.raises(Unsolved, match=r"13 squares are empty.*only when at most 12 are"):
        solve_at(game, near_the_end(game, 13, seed=1))
    solution = solve_at(game, near_the_end(game, 12, seed=1))
    with pytest.raises(Unsolved, match="60 squares"):
        solution.value(game.start())
    with pytest.raises(Unsolved, match="not listed"):
        solution.counts()


def test_boards_of_more_than_64_squares_are_listed_and_so_solved_later():
    game = Othello(columns=9, rows=8)
    assert most_empties(game) == 10
    state = near_the_end(game, 5, seed=2)
    assert isinstance(solve_at(game, state), GraphSolution)
    with pytest.raises(Unsolved, match=r"11 squares are empty.*only when at most 10 are"):
        solve_at(game, near_the_end(game, 11, seed=2))


def test_stopped_work_gives_no_value():
    game = Othello()
    work = Work()
    state = near_the_end(game, 12, seed=3)
    solution = solve_at(game, state, work=work)
    work.stop()
    with pytest.raises(Unsolved, match="stopped"):
        solution.value(state)
    with pytest.raises(Unsolved, match="stopped"):
        solution.margin(state)


def test_a_certificate_of_an_ending_is_checked():
    game = Othello(columns=6, rows=6)
    state = near_the_end(game, 7, seed=6)
    said = check(certificate(solve_at(game, state), state))
    assert f"is a {solve_at(game, state).value(state).outcome}" in said
