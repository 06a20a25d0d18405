"""Where a game was lost agrees with values worked out here from the rules alone."""

import random
from itertools import pairwise

import pytest

from parlour.core.referee import Match
from parlour.players.move_values import assess, find_loss, review_move
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.oracle import oracle
from tests.variants import label

GAMES = [Nim(piles=(1, 2, 3)), Nim(piles=(2, 3), misere=True), Sticks(sticks=10), Chopsticks()]
GAMES += [TicTacToe()]


def lost_games(game, number):
    """Random games that one seat lost."""
    chance = random.Random(3)
    while number:
        match = Match(game, ("a", "b"), most_moves=200)
        while not match.over:
            match.play(chance.choice(game.moves(match.state)))
        if match.result != (0, 0):
            number -= 1
            yield match


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_the_last_move_that_was_not_lost_yet_and_how_long_it_took_from_there(game):
    truth = oracle(game)
    kinds = set()
    for match in lost_games(game, 12):
        loser = match.result.index(-1)
        states = list(match.states)
        found = [assess(game, state) for state in states]
        loss = find_loss(game, states, found, loser)
        own = [at for at in range(len(states) - 1) if game.turn(states[at]) == loser]
        open_still = [at for at in own if truth.values[states[at]][0] != "loss"]
        if not own:
            assert loss is None
            continue
        kinds.add(bool(open_still))
        at = open_still[-1] + 1 if open_still else own[0]
        assert loss.exact
        assert not loss.given_up
        assert loss.number == (at if open_still else 0)
        assert loss.lasted == len(states) - 1 - at
        assert loss.possible == truth.values[states[at]][1]
        if open_still:
            before = states[at - 1]
            could = truth.values[before][0]
            assert loss.could == could
            kept = {
                game.write_move(move) for move, worth in truth.moves(before) if worth[0] == could
            }
            assert set(loss.best) == kept
            assert match.moves[at - 1] not in kept
    assert True in kinds


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_a_move_in_a_lost_position_is_best_or_loses_sooner(game):
    values = oracle(game).values
    seen = set()
    for match in lost_games(game, 12):
        for number, (before, after) in enumerate(pairwise(match.states), start=1):
            if values[before][0] != "loss":
                continue
            move = game.read_move(before, match.moves[number - 1])
            review = review_move(game, before, move, number, assess(game, before))
            sooner = values[before][1] - 1 - values[after][1]
            if len(game.moves(before)) == 1:
                assert review.verdict == "only move"
            elif sooner:
                assert review.verdict == "loses sooner"
                assert review.words in (f"by {sooner} plies", f"by {sooner} ply")
                assert review.cost == 0
            else:
                assert review.verdict == "best"
            seen.add(review.verdict)
    same_length = game in (GAMES[1], GAMES[2])  # where every lost line takes as long
    assert same_length or "loses sooner" in seen


def test_a_game_lost_from_the_start():
    """From 9 sticks the first player loses; with best play of both it takes 5 moves."""
    game = Sticks(sticks=10)
    states = [game.read("9:1")]
    for text in ("3", "1", "1", "3", "1"):
        states.append(game.play(states[-1], game.read_move(states[-1], text)))
    loss = find_loss(game, states, [assess(game, state) for state in states], 0)
    assert (loss.number, loss.could, loss.best) == (0, "", ())
    assert loss.lasted == loss.possible == 5


def test_resigning_a_game_that_was_not_lost_is_noted():
    game = TicTacToe()
    states = [game.start()]
    for text in ("a1", "b2", "c3"):
        states.append(game.play(states[-1], game.read_move(states[-1], text)))
    loss = find_loss(game, states, [assess(game, state) for state in states], 1)
    assert loss.given_up
    assert (loss.number, loss.could) == (4, "draw")
    assert set(loss.best) == {"b1", "a2", "b3", "c2"}  # an edge: corners lose here


def test_positions_without_a_value_are_passed_over():
    game = TicTacToe()
    states = [game.start()]
    for text in ("a1", "b1", "a2", "a3", "b2", "c3", "c2"):
        states.append(game.play(states[-1], game.read_move(states[-1], text)))
    found = [assess(game, state) for state in states]
    assert find_loss(game, states, found, 1).number == 2
    assert find_loss(game, states, found, 1, opening=2).number == 0  # the edge was not its choice
    assert find_loss(game, states, [*found[:2], None, *found[3:]], 1).number == 2
    assert find_loss(game, states, [found[0], None, *found[2:]], 1) is None


def test_in_othello_no_moves_are_counted_as_the_board_fills_anyway():
    game = Othello(columns=4, rows=4)
    for match in lost_games(game, 3):
        found = [assess(game, state) for state in match.states]
        loss = find_loss(game, list(match.states), found, match.result.index(-1))
        assert loss is None or (loss.lasted, loss.possible) == (None, None)
