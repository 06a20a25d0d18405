"""The next game, drawn ball by ball, is the one that training plays."""

from __future__ import annotations

import pytest

import parlour
from parlour.core import Game
from parlour.learn import Hats, NextGame, foresee_game

VARIANTS = [
    ("sticks", {"sticks": 10}, {}),
    ("sticks", {"sticks": 10}, {"against": "random"}),
    ("tictactoe", {}, {"rule": "menace", "against": "perfect"}),
    ("tictactoe", {}, {"rule": "menace", "against": "itself", "starts": "first"}),
    ("nim", {"piles": (1, 3, 5), "misere": True}, {"starts": "first"}),
    ("chopsticks", {}, {"against": "another"}),
]


def copy_balls(hats: Hats) -> list[list[int]]:
    return [list(row) for row in hats.balls]


def check_turns(game: Game, hats: Hats, foreseen: NextGame) -> None:
    """The turns follow the rules, up to the result."""
    state = game.start()
    for turn in foreseen.turns:
        assert (turn.state, turn.seat) == (state, game.turn(state))
        if turn.kind is not None:
            move = hats.boxes.moves(state, turn.kind)[0]
            assert move in game.moves(state)
            state = game.play(state, move)
    if foreseen.turns[-1].kind is not None and game.result(state) is not None:
        assert game.result(state) == foreseen.result


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "settings"), VARIANTS)
def test_training_plays_the_game_that_was_foreseen(name, options, settings):
    game: Game = parlour.game(name, **options)
    hats = parlour.hats(game, seed=5, **settings)
    for _ in range(30):
        before, tally = copy_balls(hats), hats.tally
        wins, draws = list(tally.wins), tally.draws
        foreseen = foresee_game(hats)
        assert copy_balls(hats) == before
        check_turns(game, hats, foreseen)
        parlour.train(hats, 1)
        assert foreseen.number == hats.games
        for change in foreseen.changes:
            place = hats.boxes.first[change.box] + change.kind
            before[change.row][place] = change.after
        assert copy_balls(hats) == before
        if foreseen.result == (0, 0):
            assert hats.tally.draws == draws + 1
        else:
            winner = foreseen.result.index(1)
            players = {turn.seat: turn.player for turn in foreseen.turns}
            player = players.get(winner, 1 - players[1 - winner])
            assert hats.tally.wins[player] == wins[player] + 1
