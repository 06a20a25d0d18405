"""The commands that tell the truth: solve, explain, atlas and bots."""

import _thread
import csv
import io
import json
import threading
from collections import OrderedDict

import pytest

import parlour
from parlour.faces import progress
from parlour.faces.cli import main, solve
from parlour.truth.variants import sweep as sweeping


def ask(run, *arguments):
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_proof_can_be_written_and_verified(run, tmp_path):
    proof = tmp_path / "proof.json"
    for arguments, says in [
        (["chopsticks", "--rules", "feathers"], "1,1:1,1:1 is a win for the seat to move"),
        (["tictactoe"], "--------- X is a draw for the seat to move"),
    ]:
        assert run("solve", *arguments, "--certificate", str(proof))[0] == 0
        code, out, err = run("verify", str(proof))
        assert (code, err) == (0, "")
        assert out.startswith(f"Proven: {says}, checked by ")
    proof.write_text(json.dumps(json.loads(proof.read_text()) | {"outcome": "win"}))
    for path, why in [
        (str(proof), "the position itself is not among the entries"),
        ("/nowhere/x", "cannot read /nowhere/x"),
        ("README.md", "README.md is not a certificate: it is not JSON"),
    ]:
        code, out, err = run("verify", path)
        assert (code, out) == (2, "")
        assert why in err
    assert "cannot write /nowhere/x" in run("solve", "nim", "--certificate", "/nowhere/x")[2]


def test_a_proof_about_a_game_in_a_file_is_verified_by_that_file(run, tmp_path):
    proof, game = tmp_path / "proof.json", "examples/hexapawn.py"
    assert run("solve", game, "--certificate", str(proof))[0] == 0
    code, out, err = run("verify", str(proof), "--game", game)
    assert (code, err) == (0, "")
    assert "is a loss within" in out  # Gardner: the second player wins 3x3
    code, out, err = run("verify", str(proof), "--game", "nim")
    assert (code, out) == (2, "")
    assert "it is about hexapawn, and these are the rules of nim" in err
    assert "name its file with --game" in run("verify", str(proof))[2]


def test_a_proof_that_took_a_search_is_kept(run, monkeypatch):
    monkeypatch.setattr("parlour.truth.solver._remembered", OrderedDict())
    first = run("solve", "chopsticks", "--rules", "feathers")
    monkeypatch.setattr("parlour.truth.solver._remembered", OrderedDict())
    monkeypatch.setattr("parlour.truth.geography.GeographyMethod.solve", None)  # no second search
    assert run("solve", "chopsticks", "--rules", "feathers") == first


def test_solve_prints_the_value_the_moves_and_the_counts(run):
    code, out, err = run("solve", "chopsticks")
    assert (code, err) == (0, "")
    assert "▼ Loss in 26: player 1 is to move, and player 2 wins within 26 plies" in out
    assert "▼ loss in 26   hit left left, hit left right" in out
    assert "▼ loss in 16   split 0 2, split 2 0" in out
    assert "191 situations: 120 won" in out
    assert "\033" not in out


def test_solve_as_json(run):
    found = ask(run, "solve", "chopsticks", "--split-same", "no", "--rules", "feathers",
                 "--loops", "allowed")  # fmt: skip
    assert found["value"] == {"outcome": "win", "plies": 15}
    assert sum(found["counts"].values()) == 734
    assert {move[:4] for move in found["best"]} == {"hit "}
    assert not any(move.endswith("own") for move in found["best"])
    assert found["position"] == "1,1:1,1:1"
    assert found["turn"] == 0
    assert found["options"]["split_same"] is False
    best = [m["move"] for m in found["moves"] if (m["outcome"], m["plies"]) == ("win", 15)]
    assert best == found["best"]


def test_a_position_may_stand_anywhere_after_the_game(run):
    for arguments in (
        "3,4,5:2",
        "--piles 7 7 7 3,4,5:2",
        "--take none 3,4,5:2",
    ):
        found = ask(run, "solve", "nim", *arguments.split())
        assert (found["position"], found["turn"]) == ("3,4,5:2", 1), arguments
        assert found["value"] == {"outcome": "win", "plies": 11}
        assert found["best"] == ["2 from 1"]


def test_a_flag_for_yes_or_no_does_not_swallow_the_position(run):
    assert ask(run, "solve", "nim", "--misere", "1,1:1")["value"]["outcome"] == "win"
    assert ask(run, "solve", "nim", "--misere", "no", "1,1:1")["value"]["outcome"] == "loss"
    found = ask(run, "solve", "tictactoe", "--misere", "-X--O---- X")
    assert found["options"]["misere"] is True
    assert found["position"] == "-X--O---- X"


def test_a_nim_of_any_size_is_answered_without_distance(run):
    found = ask(run, "solve", "nim", "1000000000,999999999:1")
    assert found["value"] == {"outcome": "win", "plies": None}
    assert found["best"] == ["1 from 1"]
    assert found["counts"] is None
    assert "Not counted: " in run("solve", "nim", "1000000000,999999999:1")[1]


def test_an_ended_position_is_reported_as_over(run):
    code, out, _ = run("solve", "nim", "0,0:2")
    assert code == 0
    assert "The game is over: player 1 won." in out


def test_explain_gives_reasons(run):
    code, out, err = run("explain", "nim", "3,4,5:1")
    assert (code, err) == (0, "")
    assert "3,4,5:1" in out
    assert len(out.splitlines()) > 5
    found = ask(run, "explain", "nim", "3,4,5:1")
    assert found["sentences"]
    assert all(sentence in out for sentence in found["sentences"])
    assert all(fact["kind"] and isinstance(fact["data"], dict) for fact in found["facts"])
    assert found["move"] is None


def test_explain_says_why_a_move_is_wrong(run):
    found = ask(run, "explain", "nim", "--move", "take 1 from pile 3", "3,4,5:1")
    assert found["move"] == "1 from 3"
    wrong = run("explain", "nim", "3,4,5:1", "--move", "1 from 3")[1]
    right = run("explain", "nim", "3,4,5:1", "--move", "2 from 1")[1]
    assert wrong != right
    assert "Right" in right
    assert "Right" not in wrong


def test_atlas_shows_a_table_and_what_turns_it(run):
    code, out, err = run("atlas", "chopsticks", "--dies-at", "4", "5", "--split-least", "0-1")
    assert (code, err) == (0, "")
    table = out.partition("\n\n")[0]
    assert [line.split() for line in table.splitlines()[3:]] == [
        ["5", "0", "▼", "second", "26", "191"],
        ["5", "1", "●", "draw", "-", "171"],
    ]
    assert "Single changes that alter the result of chopsticks (second wins in 26): " in out
    assert "split_least 1 (draw)" in out


def test_atlas_as_files(run, tmp_path):
    table, picture = tmp_path / "a.csv", tmp_path / "a.png"
    code, out, _ = run(
        *("atlas", "tictactoe", "--columns", "3-4", "--misere", "all"),
        *("--csv", str(table), "--image", str(picture)),
    )
    assert code == 0
    assert f"The table is in {table}." in out
    assert f"The picture is in {picture}." in out
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [(row["columns"], row["misere"]) for row in rows] == [
        *(("3", "no"), ("3", "yes"), ("4", "no"), ("4", "yes"))
    ]
    assert rows[0]["outcome"] == "draw"
    assert rows[0]["positions"] == "765"
    assert picture.read_bytes().startswith(b"\x89PNG")
    shown = run("atlas", "tictactoe", "--columns", "3-4", "--misere", "all", "--csv", "-")[1]
    assert shown == table.read_text(encoding="utf-8")


def test_a_place_where_no_picture_can_be_is_refused_before_the_sweep(run, tmp_path, monkeypatch):
    monkeypatch.setattr("parlour.faces.cli.atlas.atlas", lambda *_, **__: pytest.fail("swept"))
    (tmp_path / "a.svg").mkdir()
    (tmp_path / "file").write_text("")
    for place in ("a.svg", "file/a.svg", "a.jpg", "a"):
        code, out, err = run("atlas", "nim", "--image", str(tmp_path / place))
        assert (code, out) == (2, "")
        assert str(tmp_path / place) in err
    assert {path.name for path in tmp_path.iterdir()} == {"a.svg", "file"}


def test_options_take_several_values(run):
    for flags, name, values in [
        ("--dies-at 3,4,5", "dies_at", [3, 4, 5]),
        ("--dies-at 3-5", "dies_at", [3, 4, 5]),
        ("--dies_at 3 --dies-at 4-5", "dies_at", [3, 4, 5]),
        ("--revive all", "revive", [False, True]),
        ("--hit-self no yes", "hit_self", [False, True]),
    ]:
        rows = ask(run, "atlas", "chopsticks", *flags.split())["rows"]
        assert [row["options"][name] for row in rows] == values, flags
    narrowed = ask(run, "atlas", "chopsticks", "--dies-at", "4")  # the usual sweep
    assert (len(narrowed["rows"]), narrowed["fixed"]["dies_at"]) == (4 * 2**4, 4)


def test_piles_take_ranges_and_endings_take_bundles(run):
    rows = ask(run, "atlas", "nim", "--piles", "1-2,1-2", "7")["rows"]
    assert [row["options"]["piles"] for row in rows] == [[1, 1], [1, 2], [2, 2], [7]]
    rows = ask(run, "atlas", "nim", "--class-endings", "--take", "none", "1-2")["rows"]
    assert [row["options"]["take"] for row in rows] == [None, 1, 2]
    assert all([1, 2, 3] in row["options"]["endings"] for row in rows)


def test_a_base_can_be_chosen(run):
    found = ask(run, "atlas", "chopsticks", "--split-least", "0-1", "--base", "split-least=1")
    assert found["base"]["options"]["split_least"] == 1
    assert found["changes"] == [{"option": "split_least", "value": 0, "outcome": "second"}]


def test_bots_are_listed_with_their_options(run):
    code, out, err = run("bots")
    assert (code, err) == (0, "")
    assert "random: Plays any legal move, all equally likely." in out
    assert "    seed: a number that makes its random choices repeatable (0 or more; " in out
    listed = {bot["name"]: bot for bot in ask(run, "bots")["bots"]}
    assert "random choices" in listed["random"]["options"]["properties"]["seed"]["description"]
    assert "plays" not in listed["random"]


def test_bots_say_how_well_they_play_a_game(run):
    listed = {bot["name"]: bot for bot in ask(run, "bots", "nim", "--piles", "3", "4")["bots"]}
    game = parlour.game("nim", piles=(3, 4))
    assert list(listed) == parlour.bots(game)
    assert listed["random"]["plays"] == parlour.bot("random").plays(game)
    assert f"random: {listed['random']['plays']}" in run("bots", "nim", "--piles", "3", "4")[1]


ERRORS = [
    (["solve", "--json"], "name a game first"),
    (["solve", "nimm"], "there is no game 'nimm'; did you mean 'nim'?"),
    (["solve", "nim", "3,4:1", "5"], "unknown argument '5'"),
    (["solve", "nim", "--pile", "3"], "unknown flag '--pile'; did you mean '--piles'?"),
    (["solve", "nim", "--misere", "perhaps"], "'perhaps' is not a position"),
    (["solve", "tictactoe", "--columns", "5", "--rows", "5"], "5x5"),
    (["explain", "chopsticks", "--move", "jump"], "'jump' is not a move"),
    (["atlas", "othello"], "say which options of othello to vary"),
    (["atlas", "chopsticks", "--dies-at", f"1-{'9' * 400}"], "dies_at cannot be"),
    (["atlas", "nim", "--piles", "all"], "piles cannot be 'all'; there are too many"),
    (["atlas", "nim", "--piles", "1-99,1-99,1-99"], "a range holds 1 to 10000 values"),
    (["atlas", "nim", "--limit", "0"], "--limit must be a number of seconds above 0, not '0'"),
    (["atlas", "nim", "--base", "misere"], "'misere' should be an option with its value"),
    (["atlas", "nim", "--base", "pile=3"], "did you mean 'piles'?"),
    (["bots", "nim", "--piles", "0"], "at least one pile must hold a coin"),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS)


def test_ctrl_c_stops_solving_cleanly(run, monkeypatch):
    def press_and_wait(call, **how):
        def press_and_call(work):
            _thread.interrupt_main()
            return call(work)

        return progress.wait(press_and_call, **how)

    monkeypatch.setattr(solve, "wait", press_and_wait)
    assert run("solve", "tictactoe", "--columns", "5", "--rows", "4") == (130, "", "\n")


@pytest.mark.slow
def test_ctrl_c_keeps_what_the_atlas_has_done(capsys, monkeypatch):
    solved, solve = [], sweeping.solve

    def solve_or_interrupt(game, *, work):
        solved.append(game)
        if len(solved) == 5:
            _thread.interrupt_main()
            while not work.stopped:
                threading.Event().wait(0.001)
        return solve(game, work=work)

    monkeypatch.setattr(sweeping, "solve", solve_or_interrupt)
    assert main(["atlas", "chopsticks", "--dies-at", "3-20", "--fingers", "1-19"]) == 130
    out, err = capsys.readouterr()
    assert err == "parlour: stopped; this is what was solved\n"
    assert "\nthe first " in out
    assert "asked for: " in out


class TerminalStream(io.StringIO):
    """An output that is a terminal, with an event for the first text."""

    def __init__(self):
        super().__init__()
        self.written = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        self.written.set()
        return super().write(text)


def test_progress_and_colour_are_for_terminals(monkeypatch):
    """At a terminal long work tells its size and how far it is; the values carry their colour."""
    out, err = TerminalStream(), TerminalStream()

    def wait_for_progress(call, **how):
        def call_late(work):
            assert err.written.wait(60)
            return call(work)

        return progress.wait(call_late, **how)

    monkeypatch.setattr(solve, "wait", wait_for_progress)
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["solve", "tictactoe", "--columns", "4", "--rows", "3", "--line", "4"]) == 0
    size = "solving tictactoe columns=4 line=4: at most 531,441 situations"
    assert size in err.getvalue()
    assert "Ctrl-C stops" in err.getvalue()
    assert "\033[38;2;122;122;122m●\033[0m Draw" in out.getvalue()


def test_a_refused_atlas_leaves_old_files_alone(run, tmp_path):
    kept = tmp_path / "old.csv"
    kept.write_text("precious\n")
    for wrong in (["--take", "2-1"], ["--base", "zork"]):
        code, _, _ = run("atlas", "nim", "--piles", "3,4", *wrong, "--csv", str(kept))
        assert code == 2
        assert kept.read_text() == "precious\n"
