"""Boxes: one for every situation a player can meet, as counted for MENACE."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.learn.boxes import boxes
from parlour.learn.hats import hats

TICTACTOE = parlour.game("tictactoe")
STICKS = parlour.game("sticks")


def test_304_boxes_for_the_first_player_and_289_for_the_second():
    listed = boxes(TICTACTOE)
    assert Counter(listed.turns[box] for box in listed.of(0)) == {0: 1, 1: 12, 2: 108, 3: 183}
    assert len(listed.of(0)) == 304
    assert len(listed.of(1)) == 289
    assert len(listed) == 593


def test_three_kinds_of_bead_on_the_empty_board():
    first = boxes(TICTACTOE).balls[0]
    assert [(ball.text, len(ball.moves)) for ball in first] == [("a1", 4), ("b1", 4), ("b2", 1)]


def test_menace_begins_with_4_3_2_1_beads_by_the_turn():
    held = hats(TICTACTOE, "menace")
    for box in held.boxes.all():
        assert set(held.contents(0, box)) == {4 - held.boxes.turns[box]}


@pytest.mark.parametrize("take", [2, 3, 5])
def test_a_hat_for_every_number_of_sticks_with_every_ball(take):
    held = hats(parlour.game("sticks", sticks=10, take=take))
    assert sorted(state[2] for state in held.boxes.states) == list(range(1, 11))
    for box in held.boxes.all():
        assert held.contents(0, box) == [1] * take


def test_the_seeds_worked_example_ball_by_ball():
    game = parlour.game("sticks", sticks=10)
    held = hats(game)
    seven, four = game.read("7:2"), game.read("4:2")
    held.learn({1: [(seven, 1), (four, 2)]}, (-1, 1))  # 2 from hat 7, 3 from hat 4, and it won
    content = {held.boxes.states[box][2]: held.contents(0, box) for box in held.boxes.all()}
    assert content.pop(4) == [1, 1, 2]
    assert content.pop(7) == [1, 2, 1]
    assert set(map(tuple, content.values())) == {(1, 1, 1)}
    held.learn({1: [(seven, 1), (four, 2)]}, (1, -1))
    held.learn({1: [(seven, 1), (four, 2)]}, (1, -1))  # the last of a number goes back
    assert set(held.balls[0]) == {1}


@pytest.mark.parametrize(
    "game", [TICTACTOE, STICKS, parlour.game("nim"), parlour.game("chopsticks")]
)
def test_every_move_of_a_random_game_has_its_ball_and_every_ball_its_moves(game):
    lots = random.Random(1)
    listed = boxes(game)
    for _ in range(50):
        state = game.start()
        for _ in range(100):
            moves = game.moves(state)
            if not moves:
                break
            kinds = [listed.kind(state, move) for move in moves]
            for move, kind in zip(moves, kinds, strict=True):
                assert move in listed.moves(state, kind)
            state = game.play(state, lots.choice(moves))


def test_no_box_for_what_is_over_or_cannot_be():
    listed = boxes(TICTACTOE)
    with pytest.raises(ParlourError, match="over"):
        listed.find(TICTACTOE.read("XXXOO---- O"))
    with pytest.raises(ParlourError, match="cannot arise"):
        boxes(parlour.game("nim", piles=(1, 2))).find((0, 3, 2, 2))
