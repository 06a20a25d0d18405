"""Choices are counted up to symmetry, and the trap is the wrong move that people choose most."""

import pytest

from parlour.core import registry
from parlour.lessons import (
    OutcomeTally,
    add_up,
    find_trap,
    list_choices,
    situation,
    survey_position,
    tally_choices,
)
from parlour.players import assess

TICTACTOE = registry.game("tictactoe")
NIM = registry.game("nim", piles=(1, 2, 3))


def after(game, *moves):
    state = game.start()
    for text in moves:
        state = game.play(state, game.read_move(state, text))
    return state


def rows_of(game, games, state):
    """The rows of a position, as a database would count them one by one."""
    here = situation(game, state)
    return [
        (choice.following, choice.payoff, choice.by_person, 1)
        for moves, result, people in games
        for choice in list_choices(game, moves, result, people)
        if choice.situation == here
    ]


def test_positions_alike_by_symmetry_have_one_number_and_others_do_not():
    corners = {
        situation(TICTACTOE, after(TICTACTOE, corner)) for corner in ("a1", "c1", "a3", "c3")
    }
    edges = {situation(TICTACTOE, after(TICTACTOE, edge)) for edge in ("b1", "a2", "c2", "b3")}
    assert len(corners) == len(edges) == 1
    assert corners != edges
    misere = registry.game("tictactoe", misere=True)
    assert situation(misere, misere.start()) != situation(TICTACTOE, TICTACTOE.start())
    assert situation(NIM, NIM.read("1 2")) == situation(NIM, NIM.read("2 1"))


GAMES = [  # X begins in a corner and O answers on an edge, in a corner, in the middle
    (("a1", "b1", "b2", "c3", "a3", "c1", "a2"), (1, -1), (0, 1)),
    (("c3", "c2", "b2", "a1", "c1", "a3", "b3"), (1, -1), (1,)),
    (("a3", "b2", "a1", "a2", "c2", "b3", "b1", "c1", "c3"), (0, 0), (0,)),
]


def test_choices_are_counted_for_the_mover_and_moves_that_come_to_the_same_together():
    state = after(TICTACTOE, "c1")
    found = {
        TICTACTOE.write_move(move): tally
        for move, tally in tally_choices(TICTACTOE, state, rows_of(TICTACTOE, GAMES, state)).items()
    }
    edge = OutcomeTally(losses=2, people=2)  # next to the corner, by either side
    assert found == {"b1": edge, "c2": edge, "b2": OutcomeTally(draws=1)}
    total = add_up(
        TICTACTOE, state, tally_choices(TICTACTOE, state, rows_of(TICTACTOE, GAMES, state))
    )
    assert total == OutcomeTally(draws=1, losses=2, people=2)
    assert total.points == pytest.approx(1 / 6)


def test_the_trap_is_the_wrong_move_that_people_choose_most():
    """After a corner only the middle holds the draw: every other answer loses."""
    state = after(TICTACTOE, "c1")
    tallies = tally_choices(TICTACTOE, state, rows_of(TICTACTOE, GAMES, state))
    trap = find_trap(TICTACTOE, state, tallies, assess(TICTACTOE, state))
    assert (trap.move, trap.people, trap.out_of) == ("b1", 2, 2)
    assert (trap.kept, trap.left) == ("draw", "loss")
    right = {TICTACTOE.read_move(state, "b2"): OutcomeTally(draws=5, people=5)}
    assert find_trap(TICTACTOE, state, right, assess(TICTACTOE, state)) is None


def test_a_lost_position_has_no_trap():
    state = after(NIM)  # 1, 2 and 3: the mover loses
    everything = {move: OutcomeTally(losses=1, people=1) for move in NIM.moves(state)}
    assert find_trap(NIM, state, everything, assess(NIM, state)) is None


def test_a_survey_has_a_row_for_every_choice_the_most_played_first():
    state = after(TICTACTOE, "c1")
    tallies = tally_choices(TICTACTOE, state, rows_of(TICTACTOE, GAMES, state))
    found = survey_position(
        TICTACTOE,
        [TICTACTOE.start(), state],
        archive={},
        house=tallies,
        assessed=assess(TICTACTOE, state),
    )
    assert [(row.move, row.also) for row in found.rows] == [
        ("b1", ("c2",)),
        ("b2", ()),
        ("a1", ("c3",)),
        ("a2", ("b3",)),
        ("a3", ()),
    ]
    assert {row.move: row.value.outcome for row in found.rows} == {
        "b2": "draw",
        **dict.fromkeys(("b1", "a1", "a2", "a3"), "loss"),
    }
    assert (found.games, found.house.people, found.trap.move) == (3, 2, "b1")


def test_openings_are_named_where_they_change():
    othello = registry.game("othello")
    states = [othello.start(), after(othello, "f5")]
    found = survey_position(
        othello, states, archive={}, house={}, assessed=assess(othello, states[-1], seconds=0.05)
    )
    assert {row.move: row.opening for row in found.rows} == {
        "d6": "Perpendicular",
        "f6": "Diagonal",
        "f4": "Parallel",
    }
