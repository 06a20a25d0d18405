"""The command tune: what it prints, keeps and refuses, and that Ctrl-C loses nothing."""

import json
import re
import shlex
import sys

import pytest

from parlour.core import registry
from parlour.core.options import describe
from parlour.core.record import Record
from parlour.faces.cli import tournament
from parlour.players.benedict import Benedict
from parlour.rules.othello import Othello

SMALL = ["tune", "othello", "--bot", "benedict plies=1", "--variants", "3", "--workers", "1"]


@pytest.mark.slow
def test_a_tuning_keeps_its_games_and_the_same_command_plays_none_again(run, tmp_path):
    first = code, out, err = run(*SMALL, "--folder", str(tmp_path))
    assert (code, err) == (0, "")
    assert out.startswith("Othello: 3 variants of benedict plies=1, 6 games\n")
    assert len(re.findall(r"^\d\.  (v\d|benedict) ", out, re.MULTILINE)) == 3
    assert "the bot you began with" in out
    assert str(tmp_path / "report.html") in out
    assert "<svg" in (tmp_path / "report.html").read_text(encoding="utf-8")
    best = json.loads((tmp_path / "best.json").read_text())
    bot = registry.build("bots", shlex.split(best["play"])[-1])
    assert isinstance(bot, Benedict)
    assert (bot.plies, describe(bot)) == (1, best["text"])
    records = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(records) == 6 + 100
    for line in records[::17]:
        record = Record.from_json(line)
        assert {*record.players} <= {"benedict", "v1", "v2"}
        *_, (state, _) = record.replay(Othello())
        assert Othello().result(state) == record.result
    played = (tmp_path / "played.jsonl").read_bytes()
    assert run(*SMALL, "--folder", str(tmp_path)) == first
    assert (tmp_path / "played.jsonl").read_bytes() == played


def test_without_a_folder_it_finds_its_own_again(run):
    first = run(*SMALL, "--json")
    assert first[0] == 0
    assert run(*SMALL, "--json") == first
    answer = json.loads(first[1])
    assert {each["name"] for each in answer["generations"][0]} == {"benedict", "v1", "v2"}
    other = json.loads(run(*SMALL, "--json", "--seed", "1")[1])
    assert other["generations"] != answer["generations"]


def test_any_numeric_option_of_any_bot_can_be_tuned(run, tmp_path):
    code, out, err = run(
        *["tune", "othello", "--columns", "6", "--rows", "6", "--bot", "despacito level=1"],
        *["--vary", "late-weights", "weights", "--variants", "3", "--generations", "2"],
        *["--openings", "4", "--games", "4", "--workers", "1", "--folder", str(tmp_path)],
        "--json",
    )
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["vary"] == ["late_weights", "weights"]
    for generation in answer["generations"]:
        bots = [registry.build("bots", each["bot"]) for each in generation]
        assert {bot.level for bot in bots} == {1}
        assert len({(bot.weights, bot.late_weights) for bot in bots}) == 3
        assert all(each["wins"] + each["draws"] + each["losses"] == 8 for each in generation)
    assert shlex.split(answer["best"]["play"])[3:7] == ["--columns", "6", "--rows", "6"]


REFUSED = [
    (["othello"], "name the bot to start from: --bot benedict"),
    (["nim"], "name the bot to start from: --bot hats, minimax or perfect"),
    (["othello", "--bot", "random"], "random has no numbers"),
    (["othello", "--bot", "benedict", "--vary", "tabel"], "did you mean 'table'"),
    (["othello", "--bot", "benedict", "--variants", "1"], "--variants must be 2 to 200, not 1"),
    (["othello", "--bot", "benedict", "--generations", "0"], "must be 1 to 1000, not 0"),
    (["othello", "--bot", "benedict", "--games", "3"], "--games must be an even number"),
    (["othello", "--bot", "benedict", "--openings", "999"], "an opening has 0 to 200 plies"),
]


def test_impossible_tunings_are_refused_in_one_sentence(check_refusals):
    check_refusals(REFUSED, "tune")


def test_a_terminal_shows_which_generation_is_playing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, _, err = run(*SMALL, "--generations", "3", "--folder", str(tmp_path))
    assert code == 0
    headings = re.findall(r"Generation \d of \d|Fresh games of the best", err)
    assert headings[:3] == [f"Generation {number} of 3" for number in (1, 2, 3)]
    best = json.loads((tmp_path / "tuning.json").read_text())["best"]["name"]
    assert len(headings) == (3 if best == "benedict" else 4)


def test_after_ctrl_c_the_same_command_comes_to_the_same_result(run, tmp_path, monkeypatch):
    def press_ctrl_c(progress):
        if progress.new > 10:
            raise KeyboardInterrupt
        return ""

    whole = run(*SMALL, "--json", "--folder", str(tmp_path / "whole"))
    command = [*SMALL, "--json", "--folder", str(tmp_path / "broken")]
    with monkeypatch.context() as patch:
        patch.setattr(tournament, "format_progress", press_ctrl_c)
        code, out, err = run(*command)
    assert (code, out) == (130, "")
    assert f"To resume: parlour {shlex.join(command)}" in err
    kept = tmp_path / "broken" / "played.jsonl"
    lines = kept.read_bytes().splitlines()
    assert 0 < len(lines) < 6 + 100
    assert run(*command) == whole
    assert kept.read_bytes().splitlines()[: len(lines)] == lines
