"""A table at the terminal and in a pipe: as a person meets it, and when somebody leaves."""

import io
import json
import os
import re
import subprocess
import sys

from parlour.core.record import load
from parlour.faces.cli import main
from tests.terminal import PARLOUR, PseudoTerminal, open_terminal

__all__ = ["open_terminal"]


def test_a_person_plays_at_a_terminal(open_terminal):
    terminal = open_terminal(
        *("play", "sticks", "--sticks", "10", "--seat", "human Ann", "--seat", "human")
    )
    for who in ("Ann", "Player 2", "Ann"):
        terminal.expect(f"{who}, your move: ")
        terminal.type("3\n")
    terminal.expect("Player 2, your move (only 1 is possible): ")
    terminal.expect("Ann wins.", "1\n")
    assert terminal.exit_code() == 0


def test_a_record_is_stepped_through_by_hand(tmp_path, monkeypatch):
    path = str(tmp_path / "game.jsonl")
    seats = ["--seat", "random seed=1"] * 2
    assert main(["play", "nim", *seats, "--record", path]) == 0
    terminal = PseudoTerminal()
    terminal.type("\nb\nq\n")
    keys, screen = terminal.open_files()
    monkeypatch.setattr(sys, "stdin", keys)
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(["replay", path]) == 0
    terminal.read_rest()
    for file in (keys, screen):
        file.close()
    os.close(terminal.keyboard)
    assert re.findall("Move [0-9]|to quit: ", terminal.shown) == [
        *("Move 1", "to quit: ", "Move 2", "to quit: ", "Move 1", "to quit: ")
    ]


def test_moves_of_the_opening_are_nobodys_choice(tmp_path, monkeypatch, capsys):
    path = tmp_path / "game.jsonl"
    moves = ["1 from 1", "1 from 2", "1 from 3"]
    record = {"game": "nim", "options": {}, "players": ["a", "b"], "moves": moves, "opening": 2}
    path.write_text(json.dumps(record))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["replay", str(path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line for line in shown if line.startswith("Move ")] == [
        "Move 1, part of the opening: 1 from 1.",
        "Move 2, part of the opening: 1 from 2.",
        "Move 3: player 1 plays 1 from 3.",
    ]


def test_bytes_that_are_no_text_are_refused_like_any_other_line(monkeypatch, capsys):
    typed = b"\xff\xfe\x00 nonsense\n\x1b[31m\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
    assert main(["play", "nim"]) == 0
    out, err = capsys.readouterr()
    assert out.count("is not a move") == 2
    assert "\x1b" not in out
    assert err == ""


def test_a_reader_that_leaves_early_is_no_error_and_the_game_is_kept(tmp_path):
    path = tmp_path / "games.jsonl"
    reader, writer = os.pipe()
    os.close(reader)  # gone before the first line comes
    run = subprocess.run(
        [*PARLOUR, "play", "nim", "--seat", "random", "--seat", "random", "--record", str(path)],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (0, b"")
    assert len(load(path)) == 1


def test_a_closed_input_is_the_end_of_input(monkeypatch, capsys):
    """Python has no standard input then."""
    monkeypatch.setattr(sys, "stdin", None)
    for command, end in (["play", "nim"], "You left the table"), (["play"], "bye"), ([], "bye"):
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert end in out
        assert err == ""
