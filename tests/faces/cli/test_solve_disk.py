"""`parlour solve --disk`: games past memory, from the command line."""

import json

from jsonschema import Draft202012Validator


def test_a_game_is_solved_into_a_folder(run, tmp_path):
    folder, parquet = tmp_path / "solved", tmp_path / "all.parquet"
    command = ("solve", "tictactoe", "--disk", folder, "--workers", 1)
    code, out, _ = run(*command, "--parquet", parquet, "--json")
    answer = json.loads(out)
    assert (code, answer["value"]["outcome"]) == (0, "draw")
    assert answer["folder"] == str(folder)
    assert answer["bytes"] == sum(path.stat().st_size for path in folder.rglob("*.*"))
    assert parquet.exists()
    Draft202012Validator(json.loads(run("schema", "solve")[1])).validate(answer)
    code, out, _ = run(*command)
    assert f"in {folder}." in out
    assert "765 situations" in out


def test_what_does_not_fit_says_what_it_would_take(run):
    code, _, err = run("solve", "tictactoe", "--columns", 5, "--rows", 4, "--line", 4)
    assert code == 2
    assert "168,720,724 situations" in err
    assert "--disk FOLDER" in err


def test_flags_that_need_others_say_so(check_refusals):
    flags = [
        (["--parquet", "x"], "need --disk"),
        (["--engine", "dask"], "add --disk"),
        (["--disk", "x", "--address", "a:1"], "an address is for a cluster"),
    ]
    check_refusals(flags, "solve", "tictactoe")


def test_the_atlas_solves_large_variants_in_a_folder(run, tmp_path, monkeypatch):
    """With room for 5,000 situations only, 4x3 is solved on disk, and found there the next time."""
    monkeypatch.setattr("parlour.truth.graph.available", lambda: 500_000)
    monkeypatch.setattr("parlour.truth.graph.MAX_SQUARES_SOON", 9)
    command = ["atlas", "tictactoe", "--columns", "3", "4", "--rows", "3", "--line", "3", "--json"]
    assert "refused" in run(*command)[1]
    for _ in range(2):
        code, out, _ = run(*command, "--disk", tmp_path)
        assert len(list(tmp_path.iterdir())) == 1
    assert (code, "refused" in out) == (0, False)
    assert '"plies": 7' in out
