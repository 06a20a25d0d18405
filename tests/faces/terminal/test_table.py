"""A real process: at a pseudo-terminal, in a pipe, interrupted, and with a reader that leaves."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from parlour.core.record import load
from tests.processes import wait_until_idle

PARLOUR = [sys.executable, "-m", "parlour"]
PATIENCE = 60


class Session:
    """A process at a pseudo-terminal, as a person meets it."""

    def __init__(self, *arguments):
        self.keyboard, screen = pty.openpty()
        self.process = subprocess.Popen(
            [*PARLOUR, *arguments],
            preexec_fn=lambda: os.login_tty(screen),  # noqa: PLW1509  # its own terminal, for Ctrl-C
        )
        os.close(screen)
        self.seen = ""

    def expect(self, text, typing=""):
        """Read until a text is on the screen; type something, and again when it had no effect."""
        now = time.monotonic()
        deadline, again = now + PATIENCE, now
        while text not in self.seen and now < deadline:
            if now >= again:
                self.type(typing)
                again = now + 1
            ready = select.select([self.keyboard], [], [], 0.05)[0]
            now = time.monotonic()
            if not ready:
                continue
            try:
                self.seen += os.read(self.keyboard, 4096).decode()
            except OSError:  # the other side has gone
                break
        before, found, self.seen = self.seen.partition(text)
        assert found, f"{text!r} did not come; there is {before!r}"

    def type(self, text):
        os.write(self.keyboard, text.encode())

    def leaves(self):
        """The exit code, once it has ended."""
        return self.process.wait(timeout=PATIENCE)

    def close(self):
        """End it, however far it has come."""
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)


@pytest.fixture
def open_session():
    """Sessions that are ended with the test, however it went."""
    with contextlib.ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(contextlib.closing(Session(*arguments)))


def test_a_person_plays_at_a_terminal(open_session):
    session = open_session(
        *("play", "sticks", "--sticks", "10", "--seat", "human Ann", "--seat", "human")
    )
    for who in ("Ann", "Player 2", "Ann"):
        session.expect(f"{who}, your move: ")
        session.type("3\n")
    session.expect("Player 2, your move (only 1 is possible): ")
    session.type("1\n")
    session.expect("Ann wins.")
    assert session.leaves() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_both_ways_to_leave_a_terminal(open_session, key):
    """A Ctrl-C between the prompt and the reading is lost, so the key is pressed until it works."""
    session = open_session("play", "nim")
    session.expect("your move: ")
    session.expect("You left the table", typing=key)
    assert session.leaves() == 0


def test_a_record_is_stepped_through_by_hand(open_session, tmp_path):
    path = str(tmp_path / "game.jsonl")
    seats = ["--seat", "random seed=1", "--seat", "random seed=1"]
    subprocess.run([*PARLOUR, "play", "nim", *seats, "--record", path], check=True, stdout=-3)
    session = open_session("replay", path)
    session.expect("Move 1: ")
    session.expect("q to quit: ")
    session.type("\n")
    session.expect("Move 2: ")
    session.expect("q to quit: ")
    session.type("b\n")
    session.expect("Move 1: ")
    session.expect("q to quit: ")
    session.type("q\n")
    assert session.leaves() == 0


def test_moves_of_the_opening_are_told_as_nobodys(tmp_path):
    path = tmp_path / "game.jsonl"
    moves = ["1 from 1", "1 from 2", "1 from 3"]
    record = {"game": "nim", "options": {}, "players": ["a", "b"], "moves": moves, "opening": 2}
    path.write_text(json.dumps(record))
    run = subprocess.run(
        [*PARLOUR, "replay", path], stdin=-3, capture_output=True, check=True, text=True
    )
    told = [line for line in run.stdout.splitlines() if line.startswith("Move ")]
    assert told == [
        "Move 1, part of the opening: 1 from 1.",
        "Move 2, part of the opening: 1 from 2.",
        "Move 3: player 1 plays 1 from 3.",
    ]


def test_bytes_that_are_no_text_are_refused_like_any_other_line():
    run = subprocess.run(
        [*PARLOUR, "play", "nim"],
        input=b"\xff\xfe\x00 nonsense\n\x1b[31m\nquit\n",
        capture_output=True,
        check=True,
    )
    assert run.stdout.count(b"is not a move") == 2
    assert b"\x1b" not in run.stdout
    assert run.stderr == b""


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


def test_a_closed_input_is_the_end_of_input():
    for command in ("play nim", "play", ""):
        run = subprocess.run(
            f"{' '.join(PARLOUR)} {command} <&-", shell=True, capture_output=True, check=False
        )
        assert (run.returncode, run.stderr) == (0, b"")
    assert b"Goodbye" in run.stdout


def test_an_interrupt_in_a_pipe_ends_cleanly():
    process = subprocess.Popen(
        [*PARLOUR, "play", "othello", "--columns", "16", "--rows", "16", "--seat", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline()
    wait_until_idle(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert b"You left the table" in out
