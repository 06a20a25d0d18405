"""The command tournament, as one types it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from parlour.arena.sandbox import launcher as sandbox
from parlour.core.record import load
from parlour.faces.cli import main, tournament
from parlour.faces.progress import format_duration


@pytest.fixture
def play(capsys):
    def call(*arguments: str, code: int = 0) -> tuple[str, str]:
        assert main(["tournament", *arguments]) == code
        return tuple(capsys.readouterr())

    return call


NIM = ("nim", "--bots", "random", "perfect", "minimax depth=1", "--workers", "1")


def test_everything_is_kept_in_the_folder(play, tmp_path):
    out, _ = play(*NIM, "--games", "4", "--openings", "2", "--folder", str(tmp_path))
    assert "perfect" in out
    assert str(tmp_path / "report.html") in out
    records = load(tmp_path / "games.jsonl")
    assert len(records) == 3 * 4
    assert all(record.result is not None for record in records)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text(encoding="utf-8"))))
    assert sum(float(row["points"]) for row in rows) == 12
    out, _ = play(*NIM, "--games", "4", "--openings", "2", "--folder", str(tmp_path), "--csv")
    assert list(csv.DictReader(io.StringIO(out))) == rows


def test_the_same_command_finds_its_games_again(play, monkeypatch):
    first, _ = play(*NIM, "--games", "4", "--openings", "3")
    monkeypatch.setattr("parlour.arena.runner.play_games", None)  # none is played again
    again, _ = play(*NIM, "--games", "4", "--openings", "3")
    assert again == first


def test_games_of_a_game_in_a_file_are_replayed_by_the_printed_command(
    play, tmp_path, monkeypatch, capsys
):
    source = Path("examples/kayles.py").read_text(encoding="utf-8")
    (tmp_path / "kayles.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    out, _ = play("kayles.py", "--bots", "random", "perfect", "--folder", "cup", "--workers", "1")
    assert out.startswith("kayles, round-robin: 2 players")
    command = re.search(r"parlour (replay FILE --number N .*)", out)[1]
    replay = command.replace("FILE", "cup/games.jsonl").replace("N ", "1 ").split()
    assert main(replay) == 0
    assert main(replay[:4]) == 2
    assert "if a file defines it, add --game FILE.py" in capsys.readouterr().err


def test_decide_names_the_stronger_bot(play, tmp_path):
    bots = ("--bots", "random", "perfect", "--workers", "1", "--folder", str(tmp_path))
    out, _ = play("tictactoe", *bots, "--openings", "1", "--games", "1000", "--decide", "100")
    assert re.search(r"Perfect is stronger than random by (at least )?\+.* Elo points, after", out)
    [verdict] = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))["verdicts"]
    assert verdict["stronger"] == "perfect"
    assert verdict["low"] is not None if verdict["one"] == "perfect" else verdict["high"] < 0
    assert verdict["games"] < 100
    assert "is stronger than random" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_decide_reports_bots_that_are_alike(play, tmp_path):
    bots = ("--bots", "perfect", "perfect", "--workers", "1", "--folder", str(tmp_path))
    out, _ = play("tictactoe", *bots, "--openings", "2", "--decide", "100")
    assert "Perfect and perfect (2) are too close to tell after" in out
    assert "stronger" not in out


def test_games_that_repeat_decide_nothing(play, tmp_path):
    bots = ("--bots", "minimax depth=1", "minimax depth=9", "--workers", "1")
    out, _ = play("tictactoe", *bots, "--folder", str(tmp_path), "--decide", "100")
    assert "It is not clear whether minimax depth=1 or minimax depth=9 is stronger after 6" in out


REFUSED = [
    ((), "name a game first"),
    (("nim",), "name at least two bots"),
    (("nim", "--bots", "random", "perfect", "--games", "3"), "an even number"),
    (("nim", "--bots", "random", "perfect", "--rounds", "2"), "only a swiss tournament"),
    (("nim", "--bots", "random", "perfect", "--decide", "0"), "Elo points"),
    (("nim", "--bots", "random", "perfect", "--strikes", "-1"), "--strikes must be"),
    (("nim", "--bots", "random", "perfect", "--time", "soon"), "1/move"),
    (("nim", "--bots", "random", "perfect", "--address", "x:1"), "--engine dask"),
]


def test_impossible_tournaments_are_refused_in_one_sentence(check_refusals):
    check_refusals(REFUSED, "tournament")


def test_without_a_sandbox_nothing_runs_unasked(play, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "why_unavailable", lambda: "this machine has no namespaces")
    marker = tmp_path / "it ran"
    bot = tmp_path / "ann.py"
    bot.write_text(
        f"open({str(marker)!r}, 'w')\ndef choose(game, state): return game.moves(state)[0]"
    )
    plain = ("sticks", "--bots", "random", str(bot), "--workers", "1", "--folder", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))  # no terminal, so nobody can agree
    _, err = play(*plain, code=2)
    assert "cannot sandbox bots: this machine has no namespaces" in err
    assert "So ann could read and change your files and use the network." in err
    assert "--trust" in err
    assert not marker.exists()
    play(*plain, "--trust")
    assert marker.exists()


def test_only_a_yes_is_a_yes(play, tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sandbox, "why_unavailable", lambda: "this machine has no namespaces")
    bot = tmp_path / "ann.py"
    bot.write_text("def choose(game, state): return game.moves(state)[0]")
    command = ["sticks", "--bots", "random", str(bot), "--workers", "1", "--folder", str(tmp_path)]
    for answer in ("", "n", "what?"):
        monkeypatch.setattr("sys.stdin", Terminal(answer + "\n"))
        assert "nothing was run" in play(*command, code=2)[1]
    monkeypatch.setattr("sys.stdin", Terminal("yes\n"))
    play(*command)


def test_durations_are_short():
    for seconds, text in [(3.2, "3 s"), (99, "99 s"), (150, "2 min"), (9000, "2.5 h")]:
        assert format_duration(seconds) == text


def test_ctrl_c_keeps_finished_games_and_the_same_command_resumes(play, tmp_path, monkeypatch):
    def press_ctrl_c(progress):
        if progress.new:
            raise KeyboardInterrupt
        return ""

    command = (*NIM, "--games", "4", "--folder", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(tournament, "format_progress", press_ctrl_c)
        out, err = play(*command, code=130)
    lines = (tmp_path / "played.jsonl").read_text(encoding="utf-8").splitlines()
    assert 0 < len(lines) < 12
    assert out == ""
    assert f"Stopped; {len(lines)} game" in err
    assert "To resume: parlour tournament nim" in err
    play(*command)
    assert (tmp_path / "played.jsonl").read_text().splitlines()[: len(lines)] == lines
    assert len(load(tmp_path / "games.jsonl")) == 12
