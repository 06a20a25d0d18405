"""What moves cost: nothing below zero, and where all is proven it adds up to the result."""

from __future__ import annotations

import random

import pytest

import parlour
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.engine import Analysis, LossAnalyser, OthelloEngine
from parlour.rules.formats.files import read_games


def chance_game(game, seed):
    """A game by lot, as a transcript."""
    lots, state, words = random.Random(seed), game.start(), []
    while moves := game.moves(state):
        move = lots.choice(moves)
        words.append(game.write_move(move))
        state = game.play(state, move)
    [transcript] = read_games(" ".join(words).encode(), game)
    return transcript, game.score(state)


def plainly(game, state):
    """The mover's lead in the end, by every line of play."""
    moves = game.moves(state)
    if not moves:
        return game.score(state) * (-1 if game.turn(state) else 1)
    return max(-plainly(game, game.play(state, move)) for move in moves)


@pytest.mark.parametrize(
    ("columns", "rows", "seed"), [(8, 8, 1), (8, 8, 2), (6, 6, 3), (9, 7, 4), (4, 4, 5)]
)
def test_proven_losses_lead_from_the_value_to_the_result(columns, rows, seed):
    """Every move gives away its loss and no more: the value, less the losses, is the result."""
    game = parlour.game("othello", columns=columns, rows=rows)
    transcript, lead = chance_game(game, seed)
    losses = LossAnalyser(OthelloEngine(game, megabytes=8), plies=3, exact=12)
    end = [
        (state, move)
        for state, move in transcript.positions()
        if move is not None and columns * rows - (state[0] | state[1]).bit_count() <= 12
    ]
    costs = [losses.measure(state, move, Work()) for state, move in end]
    assert all(cost.exact for cost in costs)
    assert all(cost.loss >= 0 for cost in costs)
    signs = [-1 if cost.seat else 1 for cost in costs]
    value = signs[0] * (costs[0].score + costs[0].loss)
    lost = sum(sign * cost.loss for sign, cost in zip(signs, costs, strict=True))
    assert value - lost == lead
    for (state, move), cost in zip(end[-7:], costs[-7:], strict=True):
        assert cost.score == -plainly(game, game.play(state, move))
        assert cost.score + cost.loss == plainly(game, state)
        assert cost.score + cost.loss == -plainly(game, game.play(state, cost.best))
        assert cost.forced == (len(game.moves(state)) == 1)


@pytest.mark.parametrize(
    ("position", "ending"),
    [("-X---XOOXOOOOOOO O", "a2"), ("OOO-OOX-OXXXOO-- O", "c4"), ("XXXXXXXX-OXX-O-- X", "a3")],
)
def test_a_move_may_end_the_game_too_soon(position, ending):
    game = parlour.game("othello", columns=4, rows=4)
    losses, state = LossAnalyser(OthelloEngine(game, megabytes=8), exact=12), game.read(position)
    for move in game.moves(state):
        after, cost = game.play(state, move), losses.measure(state, move, Work())
        assert cost.score == -plainly(game, after)
        assert cost.score + cost.loss == plainly(game, state)
        if game.write_move(move) == ending:
            assert not game.moves(after)
            assert cost.loss > 0


class Wavering:
    """Thinks well of the first move, and after any other of the one who made it."""

    game = parlour.game("othello")

    def analyse(self, state, **_):
        move = self.game.moves(state)[0]
        return Analysis(
            move, 2.0 if state == self.game.start() else -5.0, False, 4, 73, (move,), 1, 0
        )


def test_a_move_that_turns_out_better_than_the_best_cost_nothing():
    game = Wavering.game
    first, second, *_ = game.moves(game.start())
    cost = LossAnalyser(Wavering(), plies=4).measure(game.start(), second, Work())
    assert (cost.loss, cost.best, cost.score) == (0, second, 5)
    cost = LossAnalyser(Wavering(), plies=4).measure(game.start(), first, Work())
    assert (cost.loss, cost.best, cost.score) == (0, first, 2)


class Hurried(Wavering):
    """Has time to look far ahead at first, and little afterwards."""

    def analyse(self, state, *, plies=None, seconds=None, **_):
        move = self.game.moves(state)[0]
        if state == self.game.start():
            depth, score = 10, 8.0
        else:
            depth, score = (3, -2.0) if seconds else (plies, -4.0)
        return Analysis(move, score, False, depth, 73, (move,), 1, 0)


def test_a_move_is_held_against_the_best_seen_no_further_than_itself():
    game = Hurried.game
    first, second, *_ = game.moves(game.start())
    cost = LossAnalyser(Hurried(), seconds=1).measure(game.start(), second, Work())
    assert (cost.score, cost.loss, cost.best, cost.depth) == (2, 2, first, 4)


def test_estimates_are_never_below_nothing_and_say_how_far_they_look():
    game = parlour.game("othello")
    transcript, _ = chance_game(game, 6)
    losses = LossAnalyser(OthelloEngine(game, megabytes=8), plies=4, exact=0)
    for state, move in list(transcript.positions())[:45:3]:
        cost = losses.measure(state, move, Work())
        assert cost.loss >= 0
        assert (cost.best == move) == (cost.loss == 0)
        assert not cost.exact
        assert cost.depth == 4
        assert cost.certainty < 100


def test_time_is_a_limit_too():
    game = parlour.game("othello")
    losses = LossAnalyser(OthelloEngine(game, megabytes=8), seconds=0.1)
    first = losses.measure(game.start(), game.moves(game.start())[0], Work())
    assert not first.exact
    assert first.depth >= 4


def test_work_that_is_stopped_judges_nothing():
    game, work = parlour.game("othello"), Work()
    work.stop()
    with pytest.raises(Unsolved):
        LossAnalyser(OthelloEngine(game, megabytes=8), plies=6).measure(game.start(), (3, 2), work)
