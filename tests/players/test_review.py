"""Moves judged: blunders that are known by hand, and what they cost."""

import random
from itertools import pairwise

from parlour.core.options import values
from parlour.core.record import Record
from parlour.core.referee import Match
from parlour.players.move_values import Evaluation, assess, review_move
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe


def record(game, moves):
    return Record(game.name, values(game), ("a", "b"), tuple(moves))


def review(game, record, seconds=0.5):
    """Every move of a record, judged by the value of its position."""
    return [
        review_move(game, state, move, number, assess(game, state, played=move, seconds=seconds))
        for number, (state, move) in enumerate(record.replay(game), start=1)
        if move is not None
    ]


def play_randomly(game, seed):
    chance = random.Random(seed)
    match = Match(game, ["a", "b"])
    while not match.over:
        match.play(chance.choice(match.game.moves(match.state)))
    return match.record


def test_the_edge_against_a_corner_is_the_mistake_that_loses():
    """A corner is answered only in the centre; after an edge X wins by force."""
    game = TicTacToe()
    reviews = review(game, record(game, ["a1", "b1", "a2", "a3", "b2", "c3", "c2"]))
    assert [move.verdict for move in reviews] == [
        "best",  # every first move holds the draw
        "mistake",
        "best",
        "best",  # forced to block, and lost either way as late as can be
        "best",
        "best",
        "best",
    ]
    blunder = reviews[1]
    assert (blunder.seat, blunder.move, blunder.words, blunder.cost) == (1, "b1", "draw → loss", 1)
    assert blunder.best == ("b2",)
    assert blunder.before == Evaluation("draw")
    assert blunder.after.outcome == "loss"
    assert blunder.exact


def test_a_win_thrown_away_costs_two_steps():
    game = Nim(piles=(3, 4, 5))
    (first,) = review(game, record(game, ["1 from 1"]))
    assert (first.verdict, first.words, first.cost) == ("mistake", "win → loss", 2)
    assert first.best == ("2 from 1",)  # to nim-sum 0


def test_taking_longer_to_win_is_good_but_not_best():
    game = TicTacToe()
    reviews = review(game, record(game, ["a1", "b1", "a2", "c1", "b2"]))  # not a3 at once
    assert reviews[-1].verdict == "good"
    assert reviews[-1].words.endswith("later")
    assert reviews[-1].cost == 0
    assert reviews[-1].before == Evaluation("win", 1)


def test_the_only_move_is_called_so():
    game = Nim(piles=(1,))
    assert [move.verdict for move in review(game, record(game, ["1 from 1"]))] == ["only move"]


def test_with_three_seats_every_verdict_is_unknown():
    game = Nim(seats=3)
    reviews = review(game, Record(game.name, values(game), ("a", "b", "c"), ("1 from 1",)))
    assert [move.verdict for move in reviews] == ["unknown"]
    assert not reviews[0].exact


def test_othello_counts_the_discs_each_move_gave_away():
    game = Othello(columns=4, rows=4)
    for seed in range(5):
        reviews = review(game, play_randomly(game, seed))
        assert reviews[0].before.score == -10
        for move, following in pairwise(reviews):
            assert move.exact
            assert move.cost == move.before.score - move.after.score >= 0 or (
                move.verdict == "only move"
            )
            sign = 1 if move.seat == following.seat else -1
            assert move.after.score == sign * following.before.score
            dropped = "→" in move.words
            assert dropped == (move.before.outcome != move.after.outcome)
            if dropped or move.cost > 4:
                assert move.verdict == "mistake"
            elif move.verdict != "only move":
                assert move.verdict == ("good" if move.cost else "best")


def test_an_unfinished_8x8_game_is_reviewed_by_estimates_that_say_so():
    game = Othello()
    reviews = review(game, record(game, ["d3", "c3", "c4"]), seconds=0.05)
    assert len(reviews) == 3
    assert not any(move.exact for move in reviews)
    assert all(move.verdict in ("best", "good", "mistake") for move in reviews)
