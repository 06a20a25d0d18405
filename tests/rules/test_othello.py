"""Othello: the perft numbers of the field, and the seed's worked examples."""

import random
import threading

import pytest

import parlour
from parlour.faces.cli.perft import perft
from parlour.rules.othello import PASS, Othello, flips_anysize, moves_anysize
from tests.conftest import LONG
from tests.slow_othello import reached, scattered
from tests.variants import label

PERFT = {  # lines of play from the start, by depth, as the field counts them
    Othello(): (
        *(4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284),
        *((212258800, 1939886636) if LONG else ()),
    ),
    Othello(columns=6, rows=6): (*7 * [None], 308716, 2114912, 14976792),
    Othello(opening="despacito"): (4, 12, 56, 244, 1388, 8046, 53188, 368939, 2772960),
}


def plain_perft(game, state, depth):
    """Lines of play to a depth, through the verbs."""
    moves = game.moves(state)
    if depth == 0 or not moves:
        return 1
    return sum(plain_perft(game, game.play(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize("game", PERFT, ids=label)
def test_the_lines_of_play_are_as_many_as_the_field_counts(game):
    """By the compiled count, and by the verbs as deep as they get in a moment."""
    for depth, leaves in enumerate(PERFT[game], start=1):
        found = perft(game, game.start(), depth, parlour.Work())
        assert leaves in (None, found), depth
        if depth < (8 if LONG else 6):
            assert plain_perft(game, game.start(), depth) == found, depth


def test_perft_stops_when_its_work_is_stopped():
    game, work = Othello(), parlour.Work()
    threading.Timer(0.1, work.stop).start()
    perft(game, game.start(), 60, work)  # would take for ever
    assert work.stopped


SIZES = [(8, 8), (4, 4), (9, 7), (7, 9), (5, 12), (16, 4), (4, 16), (5, 4)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_compiled_and_plain_moves_and_flips_agree(columns, rows):
    """On positions of random games, and of any discs at all with many at the edges."""
    game = Othello(columns=columns, rows=rows)
    chance = random.Random(columns * 100 + rows)
    for number in range(200 if LONG else 60):
        own, other, _ = (reached, scattered)[number % 2](game, chance.randrange(12), chance)
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


@pytest.mark.parametrize(
    ("columns", "rows", "first", "second"),
    [
        (4, 4, {"c2", "b3"}, {"b2", "c3"}),
        (6, 6, {"d3", "c4"}, {"c3", "d4"}),
        (5, 4, {"c2", "b3"}, {"b2", "c3"}),
        (6, 5, {"d3", "c4"}, {"c3", "d4"}),
        (16, 16, {"i8", "h9"}, {"h8", "i9"}),
    ],
)
def test_the_first_four_discs_lie_in_the_middle_of_a_board_of_any_size(
    columns, rows, first, second
):
    """In columns w//2-1 and w//2 and rows (h-1)//2 and (h-1)//2+1, counted from 0."""
    game = Othello(columns=columns, rows=rows)
    own, other, _ = game.start()
    assert {game.write_move(square) for square in game.board.squares(own)} == first
    assert {game.write_move(square) for square in game.board.squares(other)} == second


def test_boards_have_4_to_16_columns_and_rows():
    for size in ({"columns": 3}, {"rows": 3}, {"columns": 17}, {"rows": 17}):
        with pytest.raises(parlour.BadOption, match="from 4 to 16"):
            Othello(**size)


def test_moves_come_row_by_row_and_are_read_in_any_case():
    for game in (Othello(), Othello(opening="despacito"), Othello(columns=9, rows=8)):
        chance, state = random.Random(4), game.start()
        while (moves := game.moves(state)) and moves != (PASS,):
            assert list(moves) == sorted(moves, key=lambda square: square[::-1])
            for move in moves:
                assert game.read_move(state, game.write_move(move).upper()) == move
            state = game.play(state, chance.choice(moves))


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


def test_the_drawing_marks_the_legal_squares():
    game = Othello(opening="benedict")
    drawn = game.draw(game.start())
    assert drawn.count("*") == 4
    assert drawn.splitlines()[4] == "4  - - - X O * - -"
