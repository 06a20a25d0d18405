"""Benedict and Despacito at Othello: the spec's check values, and plain minimax as their judge.

The judges are written from the words of the spec, square by square and without a cut, and share
nothing with the compiled search but the rules of the game.
"""

import random
from fractions import Fraction

import numpy as np
import pytest

import parlour
from parlour.core.options import options_of
from parlour.engine import board_table
from parlour.kernels.othello import historic
from parlour.players.benedict import MOBILITY_TABLE, TABLE, Benedict
from parlour.players.othello import (
    HOME_TABLE,
    Despacito,
    default_table,
)
from parlour.rules.nim import Nim
from parlour.rules.othello import PASS, Othello
from tests.conftest import LONG
from tests.players.stopping import choose_and_stop

EIGHT = Othello(opening="benedict")
HOME = Othello(opening="despacito")
SIX = Othello(columns=6, rows=6)

EIGHT_TABLE = """
20 -4  4  2  2  4 -4 20
-4 -5 -1 -1 -1 -1 -5 -4
 4 -1  1  0  0  1 -1  4
 2 -1  0  1  1  0 -1  2
 2 -1  0  1  1  0 -1  2
 4 -1  1  0  0  1 -1  4
-4 -5 -1 -1 -1 -1 -5 -4
20 -4  4  2  2  4 -4 20
"""

# As their authors published them: Benedict's two tables, and Despacito's for its home board.
BENEDICTS_TABLE = """
 50  -3  10   5   5  10  -3  50
 -3 -10   0   0   0   0 -10  -3
 10   0   0   0   0   0   0  10
  5   0   0   0   0   0   0   5
  5   0   0   0   0   0   0   5
 10   0   0   0   0   0   0  10
 -3 -10   0   0   0   0 -10  -3
 50  -3  10   5   5  10  -3  50
"""
BENEDICTS_MOBILITY_TABLE = """
10 0 5 3 3 5 0 10
 0 0 1 1 1 1 0  0
 5 1 1 1 1 1 1  5
 3 1 1 1 1 1 1  3
 3 1 1 1 1 1 1  3
 5 1 1 1 1 1 1  5
 0 0 1 1 1 1 0  0
10 0 5 3 3 5 0 10
"""
DESPACITOS_TABLE = """
20 -4  4  3  2  3  4 -4 20
-4 -5 -1 -1 -1 -1 -1 -5 -4
 4 -1  1  0  0  1  2 -1  4
 2 -1  0  1  1 -1  2 -1  2
 4 -1  0  1  1 -1  2 -1  4
-4 -5 -1 -1 -1 -1 -1 -5 -4
20 -4  4  3  2  3  4 -4 20
"""


def numbers(text):
    return tuple(map(int, text.split()))


def named(game, values):
    return {game.write_move(move): value for move, value in values.items()}


def discs(game, state, seat):
    """The squares a seat has discs on, as (column, row)."""
    cells = game.write(state).split()[0]
    return {
        (i % game.columns, i // game.columns) for i, cell in enumerate(cells) if cell == "XO"[seat]
    }


def open_to(game, state, seat):
    """The squares a seat could take if it were its turn."""
    own, other, turn = state
    seen = state if turn == seat else (other, own, seat)
    return [move for move in game.moves(seen) if move != PASS]


# The judges


def benedict_judge(game, state, table, mobility_table, plies):
    """For each move of the seat to move: its max-min-max value."""
    he = state[2]

    def board_value(state):
        def at(square):
            return square[0] + square[1] * game.columns

        value = sum(table[at(square)] for square in discs(game, state, he))
        value -= sum(table[at(square)] for square in discs(game, state, 1 - he))
        if state[2] != he:
            value -= sum(mobility_table[at(move)] for move in open_to(game, state, 1 - he))
        return value

    def look(state, plies):
        moves = game.moves(state)
        if plies == 0 or not moves:
            return board_value(state)
        values = [look(game.play(state, move), plies - 1) for move in moves]
        return max(values) if state[2] == he else min(values)

    return {move: look(game.play(state, move), plies - 1) for move in game.moves(state)}


def benedict_choice(values):
    return max(reversed(values), key=values.get)  # max keeps the first of equals: here the last


def edge_runs(edges, mine):
    """How many of these discs stand in a run of two or more along an edge."""
    found = 0
    for edge in edges:
        run = 0
        for square in [*edge, None]:
            if square in mine:
                run += 1
            else:
                found += run if run >= 2 else 0
                run = 0
    return found


def despacito_board_value(game, state, it, table, weights, late_weights):
    columns, rows = range(game.columns), range(game.rows)
    own, other = discs(game, state, it), discs(game, state, 1 - it)
    ahead = len(own) - len(other)
    if not game.moves(state):
        return ahead + (2**30 - 1 if ahead > 0 else -(2**30) if ahead < 0 else 0)

    def ratio(ours, theirs):
        return Fraction(ours - theirs, ours + theirs) if ours + theirs else Fraction(0)

    corners = {(c, r) for c in (0, columns[-1]) for r in (0, rows[-1])}
    end_rows = [[(c, r) for c in columns] for r in (0, rows[-1])]
    side_columns = [[(c, r) for r in rows] for c in (0, columns[-1])]
    along_rows = Fraction(edge_runs(end_rows, own) - edge_runs(end_rows, other), 2 * len(columns))
    along_columns = Fraction(
        edge_runs(side_columns, own) - edge_runs(side_columns, other), 2 * len(rows)
    )
    ratios = (
        freedom(game, state, it),
        ratio(len(own & corners), len(other & corners)),
        (along_rows + along_columns) / 2,
        ratio(len(own), len(other)),
    )
    squares = len(columns) * len(rows)
    if squares - len(own) - len(other) <= squares // 10:
        base, weights = 10_000, late_weights
    else:
        worth = dict(zip(((c, r) for r in rows for c in columns), table, strict=True))
        base = sum(worth[square] for square in own) - sum(worth[square] for square in other)
    booster = sum(w * r for w, r in zip(weights, ratios, strict=True)) / sum(weights)
    return base + round(booster * abs(base))  # of a Fraction: exactly, half to even


def freedom(game, state, it):
    ours, theirs = len(open_to(game, state, it)), len(open_to(game, state, 1 - it))
    return Fraction(ours - theirs, ours + theirs) if ours + theirs else Fraction(0)


def despacito_judge(game, state, bot):
    """For each move of the seat to move: its minimax value."""
    it = state[2]
    table = bot.table or default_table(game.columns, game.rows)
    known = {}

    def look(state, level):
        if (state, level) not in known:
            known[state, level] = seen(state, level)
        return known[state, level]

    def seen(state, level):
        moves = game.moves(state)
        if not moves or level == 0:
            return despacito_board_value(game, state, it, table, bot.weights, bot.late_weights)
        if moves == (PASS,):
            return look(game.play(state, PASS), level)
        values = [look(game.play(state, move), level - 1) for move in moves]
        return max(values) if state[2] == it else min(values)

    return {move: look(game.play(state, move), bot.level - 1) for move in game.moves(state)}


def despacito_choice(game, state, values):
    best = max(values.values())
    equals = [move for move in values if values[move] == best]
    free = {move: freedom(game, game.play(state, move), state[2]) for move in equals}
    freest = [move for move in equals if free[move] == max(free.values())]
    return min(freest, key=lambda square: (square[0], square[1]))


def positions(game, seed, number, empties):
    """Positions with a choice and so many empties, half of them where a pass is near.

    Every other position comes from games in which the players often starve the opponent of moves.
    """
    chance = random.Random(seed)
    found = []
    number *= 5 if LONG else 1
    while len(found) < number:
        starving = len(found) % 2
        left = chance.choice(empties)
        state = game.start()
        while moves := game.moves(state):
            if game.columns * game.rows - (state[0] | state[1]).bit_count() <= left:
                near = [game.moves(game.play(state, move)) == (PASS,) for move in moves]
                if len(moves) > 1 and (any(near) or not starving):
                    found.append(state)
                    break
                if not starving:
                    break
            move = chance.choice(moves)
            if starving and chance.random() < 0.7:
                move = min(
                    moves, key=lambda m: len(open_to(game, game.play(state, m), 1 - state[2]))
                )
            state = game.play(state, move)
    return found


# Benedict


def benedict_value(game, state, seat, tables=(TABLE, MOBILITY_TABLE), plies=0):
    """The value of a board to Benedict in this seat, static or by the compiled search."""
    own, other, turn = state
    value = historic.benedict_search(
        own, other, turn == seat, plies, -(2**40), 2**40,
        *(historic.byte_sums(np.array(table, np.int64)) for table in tables),
        board_table(game.columns, game.rows).ctypes.data,
    )  # fmt: skip
    return value if turn == seat else -value


def benedict_values(game, state, *tables, plies=3):
    """The value to Benedict, who is to move, of each of his moves."""
    tables = tables or (TABLE, MOBILITY_TABLE)
    seat, moves = game.turn(state), game.moves(state)
    return {
        move: benedict_value(game, game.play(state, move), seat, tables, plies - 1)
        for move in moves
    }


def test_benedict_values_the_start_as_the_spec_says():
    own, other, _ = EIGHT.start()
    assert benedict_value(EIGHT, (other, own, 1), 0) == -4
    for move in EIGHT.moves(EIGHT.start()):
        assert benedict_value(EIGHT, EIGHT.play(EIGHT.start(), move), 0) == -3


def test_benedict_opens_with_d6():
    values = named(EIGHT, benedict_values(EIGHT, EIGHT.start()))
    assert values == dict.fromkeys(("e3", "f4", "c5", "d6"), -3)
    assert EIGHT.write_move(Benedict().choose(EIGHT, EIGHT.start())) == "d6"


@pytest.mark.parametrize(
    ("first", "answer"), [("e3", "f5"), ("f4", "d3"), ("c5", "e6"), ("d6", "c4")]
)
def test_benedict_answers_as_the_spec_says(first, answer):
    state = EIGHT.play(EIGHT.start(), EIGHT.read_move(EIGHT.start(), first))
    assert EIGHT.write_move(Benedict().choose(EIGHT, state)) == answer


def check_benedict(game, state, table, mobility_table, plies):
    expected = benedict_judge(game, state, table, mobility_table, plies)
    assert benedict_values(game, state, table, mobility_table, plies=plies) == expected
    chosen = Benedict(table, mobility_table, plies).choose(game, state)
    assert chosen == benedict_choice(expected), game.write(state)


@pytest.mark.parametrize(
    ("plies", "number", "empties"),
    [
        (1, 20, range(2, 60)),
        (2, 20, range(2, 60)),
        (3, 30, range(1, 14)),
        (5, 10, range(1, 8)),
    ],
)
def test_benedict_chooses_as_plain_minimax_does(plies, number, empties):
    for state in positions(EIGHT, plies, number, empties):
        check_benedict(EIGHT, state, TABLE, MOBILITY_TABLE, plies)


@pytest.mark.parametrize("game", [EIGHT, HOME], ids=["8x8", "9x7"])
def test_benedict_reads_his_tables_square_by_square(game):
    """With tables that have no symmetry, no square can be taken for another."""
    chance = random.Random(9)
    for state in positions(game, 9, 20, range(1, 30)):
        table, mobility_table = (
            tuple(chance.randint(-99, 99) for _ in game.board.bits) for _ in range(2)
        )
        check_benedict(game, state, table, mobility_table, 2)


def test_benedict_passes_when_he_must_and_refuses_other_boards():
    state = passing(EIGHT)
    assert Benedict().choose(EIGHT, state) == PASS
    with pytest.raises(parlour.ParlourError, match="has 63 squares"):
        Benedict().choose(HOME, HOME.start())
    ten = Othello(columns=10, rows=10)
    with pytest.raises(parlour.ParlourError, match="has 100 squares"):
        Benedict().choose(ten, ten.start())


def passing(game):
    """A position in which the mover must pass."""
    chance = random.Random(1)
    while True:
        state = game.start()
        while moves := game.moves(state):
            if moves == (PASS,):
                return state
            state = game.play(state, chance.choice(moves))


# Despacito


def test_despacito_values_its_first_moves_as_the_spec_says():
    values = named(HOME, Despacito(level=1).values(HOME, HOME.start()))
    assert values == {"c4": 2, "d3": 2, "e6": 1, "f5": 1}


@pytest.mark.parametrize(
    ("level", "first"), [(1, "c4"), (2, "e6"), (3, "e6"), (4, "e6"), (5, "e6")]
)
def test_despacito_opens_as_the_spec_says(level, first):
    assert HOME.write_move(Despacito(level=level).choose(HOME, HOME.start())) == first


def check_despacito(game, state, bot):
    expected = despacito_judge(game, state, bot)
    assert bot.values(game, state) == expected, game.write(state)
    assert bot.choose(game, state) == despacito_choice(game, state, expected), game.write(state)


@pytest.mark.slow
@pytest.mark.parametrize("game", [EIGHT, HOME, SIX], ids=["8x8", "9x7", "6x6"])
@pytest.mark.parametrize(
    ("level", "number", "empties"),
    [
        (1, 40, range(1, 60)),
        (2, 15, range(1, 60)),
        (3, 20, range(1, 12)),
        (5, 10, range(1, 9)),
    ],
)
def test_despacito_chooses_as_plain_minimax_does(game, level, number, empties):
    for state in positions(game, level, number, empties):
        check_despacito(game, state, Despacito(level=level))


@pytest.mark.parametrize(
    "game", [Othello(columns=9, rows=8), Othello(columns=5, rows=13)], ids=["9x8", "5x13"]
)
def test_despacito_is_the_same_on_boards_of_more_than_64_squares(game):
    for level, number, empties in ((1, 10, range(1, 70)), (2, 4, range(1, 70)), (4, 4, range(7))):
        for state in positions(game, level, number, empties):
            check_despacito(game, state, Despacito(level=level))


def test_a_win_and_a_loss_have_the_values_of_the_spec():
    four = Othello(columns=4, rows=4)
    state = four.read("XO--" + "-" * 12 + " X")  # c1 ends it, 3 to 0
    for level in (1, 2, 5):
        assert Despacito(level=level).values(four, state) == {(2, 0): 3 + 2**30 - 1}
    six = Othello(columns=6, rows=4)
    state = six.read("-XO-O-" + "-" * 18 + " X")  # d1 is the only move, and a1 then ends it, 0 to 5
    for level in (2, 3, 5):
        assert Despacito(level=level).values(six, state) == {(3, 0): -5 - 2**30}


def test_the_table_for_8x8_comes_out_of_the_rule():
    assert default_table(8, 8) == numbers(EIGHT_TABLE)


def test_the_two_play_with_the_tables_that_their_authors_published():
    benedict = parlour.bot("benedict")
    assert benedict.table == TABLE == numbers(BENEDICTS_TABLE)
    assert benedict.mobility_table == MOBILITY_TABLE == numbers(BENEDICTS_MOBILITY_TABLE)
    assert benedict.plies == 3
    assert default_table(9, 7) == HOME_TABLE == numbers(DESPACITOS_TABLE)
    assert parlour.bot("despacito").level == 5


@pytest.mark.parametrize("size", [(4, 4), (7, 9), (16, 16)])
def test_tables_built_by_rule_keep_the_idea(size):
    columns, rows = size
    table = default_table(columns, rows)
    assert len(table) == columns * rows
    lines = [table[at : at + columns] for at in range(0, len(table), columns)]
    assert all(line == line[::-1] for line in lines)
    assert lines == lines[::-1]
    assert table[0] == max(table) > -(lines[0][1] + lines[1][0] + lines[1][1])
    assert lines[1][1] == min(table)


def test_despacito_passes_when_it_must():
    assert Despacito().choose(HOME, passing(HOME)) == PASS


def test_despacito_names_the_games_it_plays():
    assert "home board" in Despacito().plays(HOME)
    assert "5 moves ahead" in Despacito().plays(EIGHT)
    assert "slowly" in Despacito().plays(Othello(columns=10, rows=10))
    assert Despacito().plays(Nim()) == ""
    assert Despacito(table=(1, 2, 3)).plays(EIGHT) == ""
    with pytest.raises(parlour.ParlourError, match="a table that fits"):
        Despacito(table=(1, 2, 3)).choose(EIGHT, EIGHT.start())
    with pytest.raises(parlour.ParlourError, match="plays othello, not nim"):
        Despacito().choose(Nim(), Nim().start())


def test_despacito_options_can_be_typed_and_wrong_ones_are_refused():
    options = options_of(Despacito)
    assert options["table"].read("none") is None
    assert options["weights"].read("1,2,3,4") == (1, 2, 3, 4)
    for wrong in ({"level": 0}, {"weights": (1, 2, 3)}, {"late_weights": (1, 2, 3, -4)}):
        with pytest.raises(parlour.ParlourError, match="must be"):
            Despacito(**wrong)


@pytest.mark.parametrize("game", [EIGHT, Othello(columns=16, rows=16)], ids=["8x8", "16x16"])
def test_despacito_answers_at_once_when_stopped(game):
    state = positions(game, 1, 1, [40])[0]
    assert choose_and_stop(Despacito(level=12), game, state) in game.moves(state)


def test_nothing_overflows_with_the_largest_tables_and_weights():
    chance = random.Random(4)
    for state in positions(EIGHT, 4, 10, range(1, 60)):
        table = tuple(chance.choice((-1000, 999, 1000)) for _ in EIGHT.board.bits)
        weights, late = (tuple(chance.choices((1, 999, 1000), k=4)) for _ in range(2))
        bot = Despacito(level=1, table=table, weights=weights, late_weights=late)
        check_despacito(EIGHT, state, bot)
