"""`parlour perft`: the lines of play of any game, counted depth by depth."""

import _thread
import json

import pytest

import parlour
from parlour.faces.cli import main
from parlour.faces.cli import perft as counting
from parlour.faces.cli.perft import perft


def leaves(run, *arguments):
    code, out, err = run("perft", *arguments, "--json")
    assert (code, err) == (0, "")
    rows = json.loads(out)["depths"]
    assert [row["depth"] for row in rows] == list(range(1, len(rows) + 1))
    assert all(row["seconds"] >= 0 for row in rows)
    return [row["leaves"] for row in rows]


USUAL = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
TICTACTOE = [9, 72, 504, 3024, 15120, 56160]
SIX = [308716, 2114912, 14976792]  # at the depths 8 to 10
DESPACITO = [4, 12, 56, 244, 1388, 8046, 53188, 368939]


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        ("--depth 10", USUAL),
        ("othello --depth 5", USUAL[:5]),
        ("othello --depth 8 --opening despacito", DESPACITO),
        ("othello --columns 6 --rows 6 --depth 10", SIX),
        ("tictactoe --depth 6", TICTACTOE),
    ],
)
def test_the_counts_are_those_of_the_literature(run, arguments, known):
    assert leaves(run, *arguments.split())[-len(known) :] == known


def plainly(game, state, depth):
    moves = game.moves(state)
    if not depth or not moves:
        return 1
    return sum(plainly(game, game.play(state, move), depth - 1) for move in moves)


def test_any_game_can_be_counted():
    for game, depth in [
        (parlour.game("nim", piles=(3, 4, 5)), 4),
        (parlour.game("sticks", sticks=10), 12),
        (parlour.game("chopsticks"), 4),
        (parlour.game("othello", columns=4, rows=5), 6),
        (parlour.game("othello", columns=10, rows=10), 3),
    ]:
        for plies in range(1, depth + 1):
            counted = perft(game, game.start(), plies, parlour.Work())
            assert counted == plainly(game, game.start(), plies)


def test_passes_count_as_moves_and_ended_games_as_one_line(run):
    """From the last squares of a 4x4 board, where there are passes, to beyond the end."""
    shape = ["othello", "--columns", "4", "--rows", "4"]
    game = parlour.game("othello", columns=4, rows=4)
    for position in ("XXXXXOXX-OXX--OX O", "XXXXXXXXXXXXXXX- O", "XO-------------- O"):
        known = [plainly(game, game.read(position), depth) for depth in range(1, 7)]
        assert leaves(run, *shape, position, "--depth", "6") == known


def test_the_table_has_a_row_for_each_depth(run):
    code, out, err = run("perft", "nim", "--piles", "3", "--depth", "2")
    assert (code, err) == (0, "")
    rows = [line.split()[:2] for line in out.splitlines()[3:]]
    assert rows == [["1", "3"], ["2", "4"]]  # after 1 there are two, after 2 one, and 3 ends it
    assert max(map(len, out.splitlines())) <= 80


def test_ctrl_c_leaves_what_was_counted(capsys, monkeypatch):
    """Of two piles of 20: two moves can be made in 2 times 39 + 38 + … + 20 ways."""
    presses, count = [], counting.perft

    def count_or_interrupt(game, state, plies, work):
        if plies > 2 and presses:
            presses.pop()()
        return count(game, state, plies, work)

    monkeypatch.setattr(counting, "perft", count_or_interrupt)
    for flags in ([], ["--json"]):
        presses.append(_thread.interrupt_main)
        assert main(["perft", "nim", "--piles", "20", "20", "--depth", "30", *flags]) == 130
        out, err = capsys.readouterr()
        assert err == "parlour: stopped; this is what was counted\n"
        assert "1180" in out.replace(",", "")


ERRORS = [
    (["--depth", "0"], "--depth must be 1 to 100, not 0"),
    (["othello", "XO"], "'XO' is not a position"),
    (["--dept", "3"], "did you mean '--depth'?"),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS, "perft")
