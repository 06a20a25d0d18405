"""`parlour solve othello`: the exact score of any position, checked where a score is given."""

import _thread
import json

import pytest

import parlour
from parlour.faces.cli import main, solve
from tests.terminal import open_terminal

__all__ = ["open_terminal"]

# Three of the FFO test positions, with the scores long agreed on.
FFO_1 = (
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; "
    "G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;"
)
FFO_2 = (
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; "
    "A4:+10; B2:+0; A3:-6; G7:-8; A7:-12; H7:-14; B7:-14; H2:-24;"
)
FFO_21 = (
    "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; "
    "G5:+0; G2:-2; G4:-4; G6:-6;"
)
PARALLEL = "---------------------------OOO-----XXX-------------------------- X"  # f5 f4
SMALL = ["--columns", "4", "--rows", "4"]


def ask(run, *arguments, typed=""):
    code, out, err = run("solve", "othello", *arguments, "--json", typed=typed)
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_position_has_its_score_its_move_and_its_line(run):
    found = ask(run, FFO_1)
    assert (found["score"], found["exact"], found["best"]) == (18, True, "g8")
    assert (found["turn"], found["empty"], found["right"]) == (0, 14, True)
    assert found["given"]["a4"] == -22
    game = parlour.game("othello")
    state = game.read(FFO_1)
    for move in found["line"]:  # which can be played as it is printed
        state = game.play(state, game.read_move(state, move))
    assert found["line"][0] == "g8"
    code, out, err = run("solve", "othello", FFO_1)
    assert (code, err) == (0, "")
    assert "▲ +18: player 1 (X) is to move and wins by 18 discs, whatever player 2 (O) does." in out
    assert "The scores given are right." in out
    assert max(map(len, out.splitlines())) <= 82


def test_the_score_of_every_move_is_the_one_agreed_on(run):
    found = ask(run, FFO_1, "--each", "--hash", "16")
    scores = {move["move"]: move["score"] for move in found["moves"]}
    assert scores == found["given"]
    assert found["right"] is True
    assert all(move["exact"] for move in found["moves"])
    assert [move["score"] for move in found["moves"]] == sorted(scores.values(), reverse=True)


def test_lost_and_drawn_positions_are_called_so(run):
    """4x4 is lost for the first player by 10, the two empty squares being the winner's."""
    code, out, _ = run("solve", "othello", *SMALL)
    assert code == 0
    assert "▼ -10: player 1 (X) is to move, and player 2 (O) wins by 10 discs" in out
    drawn = run("solve", "othello", FFO_21)[1]
    assert "● 0: player 2 (O) is to move, and neither can force a win." in drawn


def test_a_pass_and_an_ended_game_have_their_score_too(run):
    found = ask(run, *SMALL, "XO-------------- O")
    assert (found["score"], found["best"], found["line"]) == (-16, "pass", ["pass", "c1"])
    found = ask(run, *SMALL, "XXXXXX---------- O")
    assert (found["score"], found["exact"], found["best"]) == (-16, True, None)
    assert (
        "The game is over: player 1 (X) has won by 16 discs."
        in run("solve", "othello", *SMALL, "XXXXXX---------- O")[1]
    )
    assert "The game is over: a draw." in run("solve", "othello", *SMALL, "X--------------O X")[1]


def test_a_file_of_positions_is_solved_and_checked(run, tmp_path):
    file = tmp_path / "some.obf"
    file.write_text(f"% three of them\n{FFO_1}\n\n{FFO_2}\n{FFO_21.partition(';')[0]}\n")
    code, out, err = run("solve", "othello", str(file))
    assert (code, err) == (0, "")
    rows = [line.split()[:5] for line in out.splitlines()[1:4]]
    assert rows[:2] == [["1", "14", "+18", "g8", "+18"], ["2", "14", "+10", "a4", "+10"]]
    assert rows[2][:4] == ["3", str(FFO_21.count("-", 0, 64)), "0", "g5"]
    assert "3 positions solved, 2 with scores to check: all as given." in out
    assert max(map(len, out.splitlines())) <= 80
    found = ask(run, "-", typed=file.read_text())
    assert [each["score"] for each in found["positions"]] == [18, 10, 0]


def test_a_wrong_score_is_noticed(run, tmp_path):
    wrong = FFO_1.replace("+18", "+20")
    code, out, _ = run("solve", "othello", wrong)
    assert code == 1
    assert "The scores given are not these." in out
    code, out, _ = run("solve", "othello", "-", typed=f"{wrong}\n{FFO_2}\n")
    assert code == 1
    assert "+20!" in out
    assert "2 with scores to check: 1 is not as given." in out
    subtle = FFO_1.replace("A3:+4", "A3:+2")
    assert run("solve", "othello", subtle)[0] == 0  # the best is as given
    assert run("solve", "othello", subtle, "--each")[0] == 1


def test_larger_boards_and_proofs_are_for_the_general_way(run, tmp_path):
    proof = tmp_path / "proof.json"
    code, out, _ = run(
        "solve", "othello", *SMALL, "XXXXXOXX-OXX--OX O", "--certificate", str(proof)
    )
    assert code == 0
    assert "▼ Loss in 2" in out
    assert main(["verify", str(proof)]) == 0
    code, _, err = run("solve", "othello", "--columns", "10", "--rows", "10")
    assert code == 2
    assert "96 squares are empty" in err


ERRORS = [
    (["XO"], "'XO' is not a position; write the 64 squares"),
    (["---XO---\n--XO"], "'---XO---\\n--XO' is not a position"),  # nor this
    (["..XO....O"], "'..XO....O' is not a position"),  # no name of a file
    (["no.obf"], "cannot read no.obf: there is no such file"),
    (["."], "cannot read .: it is a folder"),
    (["-"], "there is no position in it"),
    ([FFO_1, "--hash", "0"], "--hash must be 1 to 65536, not 0"),
    ([FFO_1, "--threads", "x"], "--threads must be a whole number, not 'x'"),
    ([FFO_1, "--eech"], "did you mean '--each'?"),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS, "solve", "othello")


def test_the_line_of_a_file_that_is_no_position_is_named(run):
    code, out, err = run("solve", "othello", "-", typed=f"{FFO_1}\n\nhello\n")
    assert (code, out) == (2, "")
    assert err.startswith("parlour: line 3: 'hello' is not a position")


@pytest.mark.slow
def test_ctrl_c_leaves_the_estimate_so_far(capsys, monkeypatch):
    presses = []

    def interrupting(keep):
        def keep_and_interrupt(solver, found):
            keep(solver, found)
            if presses and any(analysis.depth == 6 for analysis in solver.analyses):
                presses.pop()()

        return keep_and_interrupt

    for name in ("_keep", "_keep_each"):
        monkeypatch.setattr(solve.Solver, name, interrupting(getattr(solve.Solver, name)))
    for flags in ([], ["--each"]):
        presses.append(_thread.interrupt_main)
        assert main(["solve", "othello", PARALLEL, *flags]) == 130
        out, err = capsys.readouterr()
        assert err == ""
        assert "≈ " in out
        assert "Stopped: this is an estimate, " in out
        assert "What is proven: player 1 (X) has at least a draw, derived here from" in out
        assert "wins by" not in out
    presses.append(_thread.interrupt_main)
    assert main(["solve", "othello", PARALLEL, "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert found["exact"] is False
    assert found["depth"] > 4
    assert found["best"] in ("c3", "d3", "e3", "f3", "g3")


@pytest.mark.slow
def test_a_terminal_shows_the_estimate_so_far(open_terminal):
    terminal = open_terminal("solve", "othello", PARALLEL)
    terminal.expect("solving othello: 58 squares are empty, which may take forever")
    terminal.expect("plies,")
    terminal.expect("Ctrl-C stops")


def test_the_start_is_a_draw_with_credit_for_its_bounds(run, tmp_path, capsys):
    file = tmp_path / "draw.json"
    code, out, _ = run("solve", "othello", "--certificate", str(file))
    assert code == 0
    assert "Draw: player 1 (X) is to move, and neither can force a win." in out
    assert "from bounds that H. Takizawa proved" in out
    assert "that it does is derived and checked here, the bounds are not." in out
    assert main(["verify", str(file)]) == 0
    verified = capsys.readouterr().out
    assert 'taken from H. Takizawa, "Othello is Solved" (2023) and not checked here.' in verified
    answer = ask(run)
    assert answer["value"] == {"outcome": "draw", "plies": None}
    assert answer["best"] == ["d3", "c4", "f5", "e6"]
    assert "Takizawa" in answer["credit"]


def test_of_a_drawn_position_only_the_proven_moves_are_valued(run):
    after_f5 = "---------------------------OX------XXX-------------------------- O"
    answer = ask(run, after_f5)
    assert [move["move"] for move in answer["moves"]] == answer["best"] == ["d6"]
