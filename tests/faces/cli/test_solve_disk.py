"""`parlour solve --disk`: games past memory, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parlour.faces.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["solve", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def test_a_game_is_solved_into_a_folder(capsys: Any, tmp_path: Path) -> None:
    folder, parquet = tmp_path / "solved", tmp_path / "all.parquet"
    code, out, _ = run(
        capsys, "tictactoe", "--disk", folder, "--workers", 1, "--parquet", parquet, "--json"
    )
    answer = json.loads(out)
    assert (code, answer["value"]["outcome"]) == (0, "draw")
    assert answer["folder"] == str(folder)
    assert answer["bytes"] == sum(path.stat().st_size for path in folder.rglob("*.*"))
    assert parquet.exists()
    assert main(["schema", "solve"]) == 0
    Draft202012Validator(json.loads(capsys.readouterr().out)).validate(answer)
    code, out, _ = run(capsys, "tictactoe", "--disk", folder, "--workers", 1)
    assert f"in {folder}." in out
    assert "765 situations" in out


def test_what_does_not_fit_says_what_it_would_take(capsys: Any) -> None:
    code, _, err = run(capsys, "tictactoe", "--columns", 5, "--rows", 4, "--line", 4)
    assert code == 2
    assert "168,720,724 situations" in err
    assert "--disk FOLDER" in err


def test_flags_that_need_others_say_so(capsys: Any) -> None:
    for flags, why in [
        ("--parquet x", "need --disk"),
        ("--engine dask", "add --disk"),
        ("--disk x --address a:1", "an address is for a cluster"),
    ]:
        code, _, err = run(capsys, "tictactoe", *flags.split())
        assert code == 2
        assert why in err


def test_the_atlas_solves_large_variants_in_a_folder(
    capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for 5,000 situations only, 4x3 is solved on disk, and found there the next time."""
    monkeypatch.setattr("parlour.truth.graph.available", lambda: 500_000)
    monkeypatch.setattr("parlour.truth.graph.MAX_SQUARES_SOON", 9)
    command = ["atlas", "tictactoe", "--columns", "3", "4", "--rows", "3", "--line", "3", "--json"]
    assert main(command) == 0
    refused = json.loads(capsys.readouterr().out)
    for _ in range(2):
        assert main([*command, "--disk", str(tmp_path)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert len(list(tmp_path.iterdir())) == 1
    text, before = json.dumps(found), json.dumps(refused)
    assert "refused" in before
    assert "refused" not in text
    assert '"plies": 7' in text
