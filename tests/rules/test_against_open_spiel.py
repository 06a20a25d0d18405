"""Random games agree move by move with OpenSpiel, written by others in another language."""

import random

import pyspiel
import pytest

from parlour.rules.nim import Nim
from parlour.rules.othello import PASS, Othello
from parlour.rules.tictactoe import TicTacToe
from tests.conftest import LONG

MORE = 10 if LONG else 1


def squares(columns):
    """Both sides number the squares row by row."""

    def to_action(_, move):
        column, row = move
        return columns * columns if move == PASS else row * columns + column

    return to_action


def nim_action(game, move):
    """OpenSpiel numbers takes by amount, then pile."""
    pile, amount = move
    return (amount - 1) * len(game.piles) + pile


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs", "action", "games"),
    [
        (TicTacToe(), "tic_tac_toe", squares(3), 1000),
        (Nim(), "nim(pile_sizes=3;4;5,is_misere=false)", nim_action, 1000),
        (Nim(piles=(1, 3, 5, 7), misere=True), "nim", nim_action, 1000),
        (Othello(), "othello", squares(8), 500),
    ],
    ids=["tictactoe", "nim", "misère nim", "othello"],
)
def test_random_games_agree(ours, theirs, action, games):
    peer = pyspiel.load_game(theirs)
    chance = random.Random(20)
    for _ in range(games * MORE):
        state, other = ours.start(), peer.new_initial_state()
        while moves := ours.moves(state):
            assert not other.is_terminal()
            assert ours.turn(state) == other.current_player()
            assert sorted(action(ours, move) for move in moves) == other.legal_actions()
            move = chance.choice(moves)
            other.apply_action(action(ours, move))
            state = ours.play(state, move)
        assert other.is_terminal()
        assert list(ours.result(state)) == other.returns()
