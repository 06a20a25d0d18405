"""Boxes: one for every situation a player can meet, as counted for MENACE."""

import random
from collections import Counter

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.learn.hat_set import MAX_GAMES, MAX_SEED, Boxes, Hats, hats, list_boxes
from tests.learn.toys import Again

TICTACTOE = parlour.game("tictactoe")
STICKS = parlour.game("sticks")


def test_304_boxes_for_the_first_player_and_289_for_the_second():
    listed = list_boxes(TICTACTOE)
    assert Counter(listed.turns[box] for box in listed.of(0)) == {0: 1, 1: 12, 2: 108, 3: 183}
    assert len(listed.of(0)) == 304
    assert len(listed.of(1)) == 289
    assert len(listed) == 593


def test_three_kinds_of_bead_on_the_empty_board():
    first = list_boxes(TICTACTOE).balls[0]
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


@pytest.mark.parametrize(("rule", "won", "drawn", "lost"), [("hats", 2, 1, 1), ("menace", 7, 5, 3)])
def test_a_ball_goes_back_as_its_rule_says_when_a_game_is_won_drawn_or_lost(rule, won, drawn, lost):
    """Hats begin with one ball and keep the last; boxes of menace with four at the first turn."""
    for result, balls in (((1, -1), won), ((0, 0), drawn), ((-1, 1), lost)):
        held = hats(TICTACTOE, rule)
        before = held.contents(0, 0)
        held.learn({0: [(TICTACTOE.start(), 1)]}, result)
        assert held.contents(0, 0) == [before[0], balls, before[2]], result


@pytest.mark.parametrize(
    "game", [TICTACTOE, STICKS, parlour.game("nim"), parlour.game("chopsticks")]
)
def test_every_move_of_a_random_game_has_its_ball_and_every_ball_its_moves(game):
    chance = random.Random(1)
    listed = list_boxes(game)
    for _ in range(10):
        state = game.start()
        for _ in range(100):
            moves = game.moves(state)
            if not moves:
                break
            kinds = [listed.kind(state, move) for move in moves]
            for move, kind in zip(moves, kinds, strict=True):
                assert move in listed.moves(state, kind)
            state = game.play(state, chance.choice(moves))


def test_positions_that_are_over_or_cannot_be_have_no_box():
    listed = list_boxes(TICTACTOE)
    with pytest.raises(ParlourError, match="over"):
        listed.find(TICTACTOE.read("XXXOO---- O"))
    with pytest.raises(ParlourError, match="cannot arise"):
        list_boxes(parlour.game("nim", piles=(1, 2))).find((0, 3, 2, 2))


def test_a_player_that_moves_again_meets_the_next_situation_too():
    listed = list_boxes(Again())
    assert listed.apart
    assert [listed.seats[n] for n in range(len(listed.states))] == [s[0] for s in listed.states]
    assert {state[:2] for state in listed.states} == {(0, 9), (0, 8), (1, 7)} | {
        (seat, left) for seat in (0, 1) for left in range(1, 7)
    } | {(0, 7)}


def test_as_many_situations_as_may_be_are_listed_and_not_one_more():
    game = parlour.game("sticks", sticks=10)
    assert len(Boxes(game, most=10).states) == 10
    with pytest.raises(parlour.TooLarge, match="more than 9 situations"):
        Boxes(game, most=9)


def test_a_seed_is_a_whole_number_of_63_bits():
    assert hats(STICKS, seed=MAX_SEED).rng_state == 2**63 - 1
    for seed in (-5, 2**63, 1.5, True, "7"):
        with pytest.raises(ParlourError, match="seed cannot be"):
            hats(STICKS, seed=seed)


def test_a_player_has_no_box_where_the_other_moves_or_there_is_no_choice():
    held = hats(TICTACTOE, against="random", starts="first")
    assert held.find_box(0, TICTACTOE.start()) == 0
    with pytest.raises(ParlourError, match=r"these hats have no box.*play as player 1 \(X\) only"):
        held.find_box(0, TICTACTOE.read("X-------- O"))
    with pytest.raises(ParlourError, match="only one move"):
        held.find_box(0, TICTACTOE.read("XXOOOXXO- X"))


TABLE = [
    # how they trained, the seats they have, the result, who wins by their tally
    ({"against": "random"}, {0}, (1, -1), [1, 0]),
    ({"against": "random"}, {1}, (1, -1), [0, 1]),
    ({"against": "random"}, {1}, (-1, 1), [1, 0]),
    ({"starts": "first"}, {1}, (-1, 1), [0, 1]),
    ({"against": "itself"}, {1}, (-1, 1), [0, 1]),
    ({}, {0, 1}, (-1, 1), [0, 1]),
    ({}, {1}, (-1, 1), [1, 0]),
]


@pytest.mark.parametrize(("how", "seats", "result", "wins"), TABLE)
def test_games_at_the_table_are_tallied_as_those_of_training(how, seats, result, wins):
    held = hats(TICTACTOE, **how)
    held.learn({seat: [] for seat in seats}, result)
    assert (held.games, held.tally.wins, held.tally.draws) == (1, wins, 0)
    held.learn({seat: [] for seat in seats}, (0, 0))
    assert (held.games, held.tally.wins, held.tally.draws) == (2, wins, 1)


def test_a_player_that_gives_up_at_the_first_turn_is_dry():
    held = hats(TICTACTOE, "menace", against="random", starts="first")
    held.learn({0: [(TICTACTOE.start(), 0)]}, (-1, 1), gave_up=0)
    assert (held.tally.resigned, held.tally.ran_out_at) == ([1, 0], None)
    held.learn({0: []}, (-1, 1), gave_up=0)
    held.learn({0: []}, (-1, 1), gave_up=0)
    assert (held.tally.resigned, held.tally.ran_out_at) == ([3, 0], 2)


def test_hats_that_have_played_all_their_games_learn_no_more():
    held = Hats(list_boxes(STICKS), games=MAX_GAMES - 1)
    for _ in range(3):
        held.learn({0: [(STICKS.start(), 0)]}, (1, -1))
    assert held.games == MAX_GAMES
    assert held.contents(0, held.boxes.find(STICKS.start())) == [2, 1, 1]
