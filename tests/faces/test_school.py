"""The commands train and hats: what a class types, and what goes wrong."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from PIL import Image

import parlour
from parlour.faces.cli import main
from parlour.learn import keeping
from tests.test_documents import ROOT


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        code = main(list(arguments))
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return call


def test_training_is_kept_and_told(run):
    code, out, _ = run("train", "sticks", "--seed", "1")
    assert code == 0
    assert "15 of 15" in out
    assert keeping.fetch("sticks").games == 100_000
    told = json.loads(run("hats", "sticks", "--json")[1])
    assert told["games"] == 100_000
    assert [point["games"] for point in told["curves"][0]][-1] == 100_000
    assert told["players"][0]["right"] == 15
    box = json.loads(run("hats", "sticks", "--json", "--box", "7:1")[1])["box"]
    assert box["right"] == ["2"]
    assert max(box["balls"], key=box["balls"].get) == "2"


def test_the_same_seed_gives_the_same_hats_and_no_seed_others(run):
    for name, seed in (("a", ["--seed", "5"]), ("b", ["--seed", "5"]), ("c", []), ("d", [])):
        assert run("train", "nim", "--games", "2000", "--name", name, *seed)[0] == 0
    a, b, c, d = (keeping.fetch(name).balls for name in "abcd")
    assert a == b
    assert c != d


def test_hats_go_on_where_they_stopped(run):
    run("train", "sticks", "--games", "700", "--seed", "1", "--name", "whole")
    run("train", "sticks", "--games", "300", "--seed", "1", "--name", "parts")
    assert run("train", "sticks", "--games", "400", "--continue", "--name", "parts")[0] == 0
    assert keeping.fetch("parts").balls == keeping.fetch("whole").balls


def test_kept_hats_are_not_overwritten_by_accident(run):
    run("train", "sticks", "--games", "10", "--seed", "1")
    code, _, err = run("train", "sticks", "--games", "10")
    assert code == 2
    assert "--continue" in err
    assert "--anew" in err
    assert run("train", "sticks", "--games", "20", "--anew")[0] == 0
    assert keeping.fetch("sticks").games == 20


def test_menace_says_that_it_ran_dry(run):
    code, out, _ = run(
        *("train", "tictactoe", "--rule", "menace", "--against", "perfect"),
        *("--games", "500", "--seed", "1"),
    )
    assert code == 0
    assert "They ran dry: in game" in out
    assert "Of the last 50 games they won 0" in out


def test_pictures_and_sheets_are_written(run, tmp_path):
    run("train", "tictactoe", "--games", "100", "--seed", "1", "--curve", "curve.svg")
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    arguments = ("hats", "tictactoe", "--box", "X---O---- X", "--image", "box.png")
    assert run(*arguments)[1] == "Written: box.png\n"
    with Image.open(tmp_path / "box.png") as image:
        assert min(image.size) > 100
    assert run("hats", "tictactoe", "--curve", "c.png", "--sheet", "s.pdf")[0] == 0
    assert (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF-")
    assert run("hats", "sticks", "--sheet", "hats.pdf")[0] == 0


def test_hats_travel_as_json(run, tmp_path):
    run("train", "sticks", "--games", "100", "--seed", "1")
    assert run("hats", "sticks", "--export", "them.json")[0] == 0
    assert run("hats", "copy", "--import", "them.json")[0] == 0
    assert keeping.fetch("copy") == keeping.fetch("sticks")
    code, _, err = run("hats", "copy", "--import", "them.json")
    assert code == 2
    assert "--anew" in err
    assert run("hats", "copy", "--import", "them.json", "--anew")[0] == 0
    assert run("hats", "copy", "--delete")[0] == 0
    assert keeping.kept() == ["sticks"]
    (tmp_path / "them.json").write_text("{")
    code, _, err = run("hats", "copy", "--import", "them.json")
    assert (code, err) == (
        2,
        "parlour: them.json is no file of hats, or is damaged: it is not JSON\n",
    )


def test_a_damaged_file_does_not_hide_the_others(run):
    run("train", "sticks", "--games", "10", "--seed", "1")
    (keeping.folder() / "broken.json").write_text("nonsense")
    code, out, err = run("hats")
    assert code == 0
    assert out.startswith("sticks  sticks  10 games")
    assert "left out: broken.json" in err


def test_hats_of_a_game_in_a_file(run):
    kayles = str(ROOT / "examples" / "kayles.py")
    assert run("train", kayles, "--games", "500", "--seed", "1")[0] == 0
    code, _, err = run("hats", "kayles")
    assert code == 2
    assert "no game 'kayles'" in err
    assert run("hats", "kayles", "--game", kayles)[0] == 0
    assert run("train", kayles, "--games", "500", "--continue")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["train"], "name a game first"),
        (["train", "chess"], "no game 'chess'"),
        (["train", "sticks", "--games", "-1"], "say 0 or more"),
        (["train", "sticks", "--games", "9" * 30], "500,000,000"),
        (["train", "sticks", "--games", "many"], "--games"),
        (["train", "sticks", "--seed", "-3"], "seed must be"),
        (["train", "sticks", "--name", "../../x"], "cannot name hats"),
        (["train", "sticks", "--rule", "magic"], "menace"),
        (["train", "sticks", "--shared", "--against", "random"], "leave --against out"),
        (["train", "sticks", "--continue"], "no hats named 'sticks'"),
        (["train", "sticks", "--curve", "x.bmp"], ".png"),
        (["train", "othello"], "too many for a box each"),
        (["train", "nim", "--seats", "3"], "two players"),
        (["hats", "chess"], "no hats named 'chess'"),
        (["hats", "--delete"], "say which hats"),
        (["hats", "sticks", "--delete"], "to throw away"),
        (["hats", "sticks", "--image", "x.svg"], "which box"),
        (["hats", "sticks", "--box", "rubbish"], "no position"),
        (["hats", "sticks", "--box", "99:1"], "no box"),
        (["hats", "sticks", "--shared", "--player", "2"], "only one set"),
        (["hats", "sticks", "--curve", "x.svg"], "no curve"),
        (["hats", "sticks", "--sheet", "no/such/place/x.pdf"], "cannot write"),
        (["hats", "x", "--import", "nowhere.json"], "cannot read nowhere.json"),
        (["play", "sticks", "--seat", "human", "--seat", "hats kept=x"], "no hats named 'x'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(run, arguments, reason, tmp_path):
    (tmp_path / "no").write_text("a file, not a folder")
    code, out, err = run(*arguments)
    assert code == 2
    assert reason in err
    assert err.count("\n") == 1
    assert out == ""
    assert keeping.kept() == []


def test_ctrl_c_keeps_what_was_learned_and_it_can_go_on(tmp_path):
    """At a real terminal: progress is shown, and Ctrl-C ends it cleanly."""
    parlour.train(parlour.hats(parlour.game("sticks")), 10)  # so that nothing is compiled below
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "parlour", "train", "sticks", "--games", "400000000"]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path)
    os.close(slave)
    seen = b""
    deadline = time.monotonic() + 60
    begun = re.compile(rb"[1-9][0-9,]* of 400,000,000")
    while not begun.search(seen) and time.monotonic() < deadline:
        seen += os.read(master, 4096)
    process.send_signal(signal.SIGINT)
    while process.poll() is None or b"Kept as" not in seen:
        try:
            seen += os.read(master, 4096)
        except OSError:
            break
    assert process.wait() == 130
    os.close(master)
    assert b"Stopped after" in seen
    assert b"Traceback" not in seen
    held = keeping.fetch("sticks")
    assert 0 < held.games < 400_000_000
    assert held.games == held.curves[0][-1].games
