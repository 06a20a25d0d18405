"""Games looked through again: blunders that are known by hand, and what they cost."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from types import GeneratorType

from parlour.core.match import Match
from parlour.core.options import values
from parlour.core.record import Record
from parlour.core.work import Work
from parlour.players.assess import Worth
from parlour.players.review import Reviewed, review, series
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe


def record(game, moves):
    return Record(game.name, values(game), ("a", "b"), tuple(moves))


def played_at_random(game, seed):
    lots = random.Random(seed)
    match = Match(game, ["a", "b"])
    while not match.over:
        match.play(lots.choice(match.game.moves(match.state)))
    return match.record


def test_the_edge_against_a_corner_is_the_mistake_that_loses():
    """A corner is answered only in the centre; after an edge X wins by force."""
    game = TicTacToe()
    told = list(review(game, record(game, ["a1", "b1", "a2", "a3", "b2", "c3", "c2"])))
    assert [move.verdict for move in told] == [
        "best",  # every first move holds the draw
        "mistake",
        "best",
        "best",  # forced to block, and lost either way as late as can be
        "best",
        "best",
        "best",
    ]
    blunder = told[1]
    assert (blunder.seat, blunder.move, blunder.words, blunder.cost) == (1, "b1", "draw → loss", 1)
    assert blunder.best == ("b2",)
    assert blunder.before == Worth("draw")
    assert blunder.after.outcome == "loss"
    assert blunder.exact


def test_a_win_thrown_away_costs_two_steps():
    game = Nim(piles=(3, 4, 5))
    first = next(review(game, record(game, ["1 from 1"])))
    assert (first.verdict, first.words, first.cost) == ("mistake", "win → loss", 2)
    assert first.best == ("2 from 1",)  # to nim-sum 0


def test_taking_longer_to_win_is_good_but_not_best():
    game = TicTacToe()
    told = list(review(game, record(game, ["a1", "b1", "a2", "c1", "b2"])))  # not a3 at once
    assert told[-1].verdict == "good"
    assert told[-1].words.endswith("later")
    assert told[-1].cost == 0
    assert told[-1].before == Worth("win", 1)


def test_the_only_move_is_called_so():
    game = Nim(piles=(1,))
    assert [move.verdict for move in review(game, record(game, ["1 from 1"]))] == ["only move"]


def test_with_three_seats_nothing_is_known():
    game = Nim(seats=3)
    told = list(review(game, Record(game.name, values(game), ("a", "b", "c"), ("1 from 1",))))
    assert [move.verdict for move in told] == ["unknown"]
    assert not told[0].exact
    assert series(told) == [None, None]


def test_othello_counts_the_discs_each_move_gave_away():
    game = Othello(columns=4, rows=4)
    for seed in range(5):
        told = list(review(game, played_at_random(game, seed)))
        assert told[0].before.score == -10
        for move, following in pairwise(told):
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


def test_the_series_is_the_first_seats_value_of_every_position():
    game = Othello(columns=4, rows=4)
    game_played = played_at_random(game, 3)
    told = list(review(game, game_played))
    values = series(told)
    assert len(values) == len(game_played.moves) + 1
    states = [state for state, _ in game_played.replay(game)]
    assert values[-1].score == game.score(states[-1])
    assert values[-1].plies in (0, None)
    for state, value in zip(states, values, strict=True):
        assert (
            value.outcome
            == {1: "win", 0: "draw", -1: "loss"}[(value.score > 0) - (value.score < 0)]
        )
        assert state


def test_an_unfinished_8x8_game_is_reviewed_by_estimates_that_say_so():
    game = Othello()
    told = list(review(game, record(game, ["d3", "c3", "c4"]), seconds=0.05))
    assert len(told) == 3
    assert not any(move.exact for move in told)
    assert all(move.verdict in ("best", "good", "mistake") for move in told)


def test_review_comes_move_by_move_and_stops_when_asked():
    game = Nim(piles=(3, 4, 5))
    work = Work()
    moves = review(game, record(game, ["2 from 1", "1 from 1", "1 from 2"]), work=work)
    assert isinstance(moves, GeneratorType)
    assert next(moves).verdict == "best"
    work.stop()
    assert list(moves) == []


def test_a_reviewed_move_crosses_as_json():
    game = Nim(piles=(3, 4, 5))
    for move in review(game, record(game, ["1 from 1", "1 from 1"])):
        assert Reviewed.from_dict(json.loads(json.dumps(move.to_dict()))) == move
