"""Othello: the perft numbers of the field, the seed's worked examples, both ways to compute."""

from __future__ import annotations

import random
import threading

import pytest

import parlour
from parlour.faces.cli.perft import perft
from parlour.rules.othello import PASS, Othello, flips_anysize, moves_anysize

EIGHT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800]
SIX = {8: 308716, 9: 2114912, 10: 14976792}
NINE_BY_SEVEN = [4, 12, 56, 244, 1388, 8046, 53188, 368939, 2772960]


def plain_perft(game, state, depth):
    """Lines of play to a depth, through the verbs."""
    moves = game.moves(state)
    if depth == 0 or not moves:
        return 1
    return sum(plain_perft(game, game.play(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(EIGHT, start=1)))
def test_perft_8x8(depth, leaves):
    game = Othello()
    assert perft(game, game.start(), depth, parlour.Work()) == leaves


@pytest.mark.parametrize(("depth", "leaves"), list(SIX.items()))
def test_perft_6x6(depth, leaves):
    game = Othello(columns=6, rows=6)
    assert perft(game, game.start(), depth, parlour.Work()) == leaves


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(NINE_BY_SEVEN, start=1)))
def test_perft_9x7(depth, leaves):
    game = Othello(opening="despacito")
    assert perft(game, game.start(), depth, parlour.Work()) == leaves


@pytest.mark.parametrize(
    ("game", "leaves"),
    [(Othello(), EIGHT[6]), (Othello(opening="despacito"), NINE_BY_SEVEN[6])],
    ids=["8x8", "9x7"],
)
def test_perft_7_through_the_verbs(game, leaves):
    assert plain_perft(game, game.start(), 7) == leaves


def test_perft_6x6_through_the_verbs_agrees_with_the_kernel():
    game = Othello(columns=6, rows=6)
    for depth in range(1, 8):
        assert plain_perft(game, game.start(), depth) == perft(
            game, game.start(), depth, parlour.Work()
        )


def test_perft_stops_when_told():
    game, work = Othello(), parlour.Work()
    threading.Timer(0.2, work.stop).start()
    perft(game, game.start(), 60, work)  # would take for ever
    assert work.stopped


SIZES = [(8, 8), (6, 6), (4, 4), (9, 7), (7, 9), (5, 12), (12, 5), (16, 4), (4, 16), (5, 4), (8, 7)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.slow
def test_compiled_and_plain_agree(columns, rows):
    """On positions of random games, on every square of the board."""
    game = Othello(columns=columns, rows=rows)
    lots = random.Random(columns * 100 + rows)
    for _ in range(20):
        state = game.start()
        while moves := game.moves(state):
            own, other, _ = state
            assert game.legal(own, other) == moves_anysize(game.board, own, other)
            for bit in game.board.bits.values():
                turned = flips_anysize(game.board, own, other, bit)
                assert game.flips(own, other, bit) == turned
            state = game.play(state, lots.choice(moves))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_compiled_and_plain_agree_on_any_discs(columns, rows):
    """Also on positions no game would reach, with many discs at the edges."""
    game = Othello(columns=columns, rows=rows)
    lots = random.Random(7)
    for _ in range(300):
        own, other = (lots.getrandbits(columns * rows) for _ in range(2))
        own &= ~other
        assert game.legal(own, other) == moves_anysize(game.board, own, other)
        for bit in game.board.bits.values():
            turned = flips_anysize(game.board, own, other, bit)
            assert game.flips(own, other, bit) == turned


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        # In one row, X on the left gives XXXXXO.
        (["-OOOXO", *["------"] * 3], "a1", ["XXXXXO", *["------"] * 3]),
        # Three runs at once.
        (["XOOX", "OOOO", "OOOO", "-OXO"], "a4", ["XOOX", "XOXO", "XXOO", "XXXO"]),
        # Along an edge, O to the right of the X.
        (["-OX-", *["----"] * 3], "d1", ["-OOO", *["----"] * 3]),
        (["-OX-X", *["-----"] * 3], "d1", ["-OOOX", *["-----"] * 3]),
        # After which X takes the corner.
        (["-OOOX", *["-----"] * 3], "a1", ["XXXXX", *["-----"] * 3]),
    ],
)
def test_worked_examples(before, move, after):
    game = Othello(columns=len(before[0]), rows=4)
    side = "O" if move == "d1" else "X"
    state = game.read("".join(before) + side)
    state = game.play(state, game.read_move(state, move))
    assert game.write(state) == "".join(after) + (" X" if side == "O" else " O")


@pytest.mark.parametrize(
    ("opening", "first", "second"),
    [
        ("standard", {"e4", "d5"}, {"d4", "e5"}),
        ("benedict", {"d4", "e5"}, {"e4", "d5"}),
        ("despacito", {"e4", "d5"}, {"d4", "e5"}),
    ],
)
def test_openings(opening, first, second):
    game = Othello(opening=opening)
    own, other, turn = game.start()
    assert turn == 0
    assert {game.write_move(square) for square in game.board.squares(own)} == first
    assert {game.write_move(square) for square in game.board.squares(other)} == second


def test_despacito_starts_with_the_four_moves_of_the_spec():
    game = Othello(opening="despacito")
    assert (game.columns, game.rows) == (9, 7)
    moves = {game.write_move(move) for move in game.moves(game.start())}
    assert moves == {"c4", "d3", "e6", "f5"}
    assert (Othello(opening="despacito", columns=8).columns, game.rows) == (8, 7)


def test_a_pass_is_a_move_only_when_it_is_forced():
    game = Othello(columns=4, rows=4)
    state = game.read("XO-- ---- ---- ---- O")
    assert game.moves(state) == (PASS,)
    assert game.read_move(state, "Pass") == PASS
    with pytest.raises(parlour.IllegalMove, match="pass"):
        game.read_move(state, "d4")
    after = game.play(state, PASS)
    assert game.turn(after) == 0
    assert [game.write_move(move) for move in game.moves(after)] == ["c1"]
    with pytest.raises(parlour.IllegalMove, match="only when"):
        game.play(after, PASS)


def test_the_winner_has_the_empties_in_the_score():
    game = Othello(columns=4, rows=4)
    state = game.read("XXXX XX-- ---- ---- O")
    assert game.result(state) == (1, -1)
    assert game.score(state) == 16
    drawn = game.read("X--- ---- ---- ---O X")
    assert (game.result(drawn), game.score(drawn)) == ((0, 0), 0)


def test_a_board_without_a_disc_is_no_position():
    with pytest.raises(parlour.BadText, match="no disc"):
        Othello(columns=4, rows=4).read("-" * 16 + " X")


def test_an_obf_line_with_scores_is_read():
    game = Othello()
    line = game.write(game.start())
    assert game.read(f"{line}; d3:+2; c4:+2;") == game.start()
    assert game.read(line.lower().replace("-", ".")) == game.start()


def test_the_drawing_shows_what_may_be_taken():
    game = Othello(opening="benedict")
    drawn = game.draw(game.start())
    assert drawn.count("*") == 4
    assert drawn.splitlines()[4] == "4  - - - X O * - -"
