"""Random playouts, compiled and not: won as often as random play should be."""

import math
from fractions import Fraction

import pytest

import parlour
from parlour.players.random_move import Tally, _play_any, playouts
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.conftest import LONG


def exactly(game):
    """The chance of each seat to win, and the expected plies, when all play at random."""
    known = {}

    def look(state):
        if state not in known:
            moves = game.moves(state)
            if not moves:
                wins = tuple(Fraction(payoff > 0) for payoff in game.result(state))
                known[state] = (*wins, Fraction(0))
            else:
                after = [look(game.play(state, move)) for move in moves]
                means = [sum(column) / len(moves) for column in zip(*after, strict=True)]
                known[state] = (*means[:-1], means[-1] + 1)
        return known[state]

    return look(game.start())


GAMES = 200_000 if LONG else 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "games"),
    [
        (Nim(), GAMES),
        (Nim(misere=True, endings=CLASS_ENDINGS), GAMES),
        (Nim(piles=(5, 6), take=2), GAMES),
        (Nim(piles=(2, 3), seats=4), GAMES),
        (Othello(columns=4, rows=4), GAMES),
        (Nim(piles=(2, 3), seats=3, misere=True), GAMES),
        (TicTacToe(), 5_000),
        pytest.param(Sticks(), 20_000, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_playouts_win_as_often_as_they_should(game, games):
    *chances, plies = exactly(game)
    tally = playouts(game, games, seed=5)
    assert sum(tally.wins) + tally.draws == games
    for wins, chance in zip(tally.wins, chances, strict=True):
        sigma = math.sqrt(games * float(chance * (1 - chance)))
        assert abs(wins - games * float(chance)) <= 5 * sigma
    assert tally.plies / games == pytest.approx(float(plies), rel=0.01)


def test_compiled_othello_plays_like_the_verbs():
    """Too large to count exactly, so both ways are counted and compared."""
    game = Othello(opening="despacito")
    many, few = 20_000, 1_500 if LONG else 500
    compiled = playouts(game, many, seed=1)
    plain = _play_any(game, few, 1, parlour.Work())
    for ours, theirs in zip(compiled.wins, plain.wins, strict=True):
        assert ours / many == pytest.approx(theirs / few, abs=5 * 0.5 / math.sqrt(few))
    assert compiled.plies / many == pytest.approx(plain.plies / few, rel=0.01)


def test_the_same_seed_plays_the_same_games():
    for game in (Nim(), TicTacToe(), Othello()):
        assert playouts(game, 100, seed=3) == playouts(game, 100, seed=3)
        assert playouts(game, 100, seed=3) != playouts(game, 100, seed=4)


def test_a_game_that_is_over_at_the_start():
    game = Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS)
    assert playouts(game, 10) == Tally((10, 0), 0, 0)


@pytest.mark.parametrize("piles", [(10**9,), (2**20, 1)])
def test_piles_too_large_for_the_compiled_draw(piles):
    """A pile of n left to chance takes 1 + 1/2 + … + 1/n moves, whatever becomes of the others."""
    game, games = Nim(piles=piles), 100
    tally = playouts(game, games, seed=4)
    assert tally == _play_any(game, games, 4, parlour.Work())
    harmonic = [math.log(pile) + 0.5772156649 + 1 / (2 * pile) for pile in piles if pile > 1]
    plies = sum(harmonic) + piles.count(1)
    sigma = math.sqrt(sum(h - math.pi**2 / 6 for h in harmonic) / games)
    assert abs(tally.plies / games - plies) < 5 * sigma
    assert sum(tally.wins) == games


def test_large_boards_and_stopped_work():
    assert sum(playouts(Othello(columns=9, rows=8), 3).wins) <= 3
    work = parlour.Work()
    work.stop()
    for game in (Nim(), TicTacToe(), Othello()):
        assert playouts(game, 1000, work=work) == Tally((0, 0), 0, 0)
    with pytest.raises(parlour.ParlourError, match="games cannot be -1"):
        playouts(Nim(), -1)
