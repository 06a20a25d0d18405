"""Tic-tac-toe: the counts everybody agrees on, and lines of any length on any board."""

from collections import Counter

import pytest

import parlour
from parlour.rules.tictactoe import TicTacToe
from tests.oracle import oracle


def test_there_are_5478_states_and_765_up_to_symmetry():
    game = TicTacToe()
    truth = oracle(game)
    states = truth.after
    assert len(states) == 5478
    worth = Counter(truth.values[state][0] for state in states if game.moves(state))
    assert worth == {"win": 2836, "loss": 632, "draw": 1052}
    ended = [game.result(state) for state in states if game.result(state)]
    assert (ended.count((1, -1)), ended.count((-1, 1)), ended.count((0, 0))) == (626, 316, 16)
    assert len({game.key(state) for state in states}) == 765
    assert len({game.key(state) for state in states if game.result(state)}) == 138


def test_the_same_line_wins_or_loses():
    for misere, result in ((False, (1, -1)), (True, (-1, 1))):
        game = TicTacToe(misere=misere)
        state = game.start()
        for text in ("a1", "a2", "b1", "b2", "c1"):
            state = game.play(state, game.read_move(state, text))
        assert game.result(state) == result
        assert game.moves(state) == ()


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        (["XXXX-", "OOO--", "-----", "-----"], (1, -1)),
        (["XO---", "XO---", "XO---", "X----"], (1, -1)),
        (["X----", "OX---", "OOX--", "---X-"], (1, -1)),
        (["---X-", "OOX--", "OX---", "X----"], (1, -1)),
        (["-XXX-", "X----", "-OOO-", "-----"], None),
        # A line does not go on over the edge into the next row.
        (["---XX", "XX---", "OOO--", "-----"], None),
    ],
)
def test_four_in_a_line_on_5x4(rows, winner):
    game = TicTacToe(columns=5, rows=4, line=4)
    cells = "".join(rows)
    side = "O" if cells.count("X") > cells.count("O") else "X"
    assert game.result(game.read(cells + side)) == winner


def test_impossible_positions_are_refused():
    game = TicTacToe()
    for text, why in [
        ("XX------- O", "X begins"),
        ("--------- O", "X begins"),
        ("XXXOO---- X", "X begins"),
        ("OOOXX-X-- O", "X begins"),
        ("XXXOOO--- X", "line already"),
        ("XXX O", "9 squares"),
        ("XXXX----- Z", "9 squares"),
    ]:
        with pytest.raises(parlour.BadText, match=why):
            game.read(text)


def test_a_line_must_fit_on_the_board():
    with pytest.raises(parlour.BadOption, match=r"line cannot be 4.*longer than 3"):
        TicTacToe(line=4)
    assert TicTacToe(columns=2, rows=5, line=5).line == 5


def test_a_taken_square_is_refused_with_those_that_are_free():
    game = TicTacToe()
    state = game.play(game.start(), (1, 1))
    with pytest.raises(
        parlour.IllegalMove, match=r"^the square b2 is taken; you may play a1, b1, c1"
    ):
        game.read_move(state, "B 2")
    with pytest.raises(parlour.BadText, match="a1 to c3"):
        game.read_move(state, "d1")
