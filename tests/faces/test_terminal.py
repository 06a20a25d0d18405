"""A real process: at a pseudo-terminal, in a pipe, interrupted, and with a reader that leaves."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

PARLOUR = [sys.executable, "-m", "parlour"]
PATIENCE = 30


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

    def expect(self, text):
        """Read until a text is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            ready, _, _ = select.select([self.keyboard], [], [], deadline - time.monotonic())
            assert ready, f"{text!r} did not come; there is {self.seen!r}"
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
        code = self.process.wait(timeout=PATIENCE)
        os.close(self.keyboard)
        return code


def test_a_person_plays_at_a_terminal():
    session = Session("play", "sticks", "--sticks", "10", "--seat", "human Ann", "--seat", "human")
    for who in ("Ann", "Player 2", "Ann"):
        session.expect(f"{who}, your move: ")
        session.type("3\n")
    session.expect("Player 2, your move (only 1 is possible): ")
    session.type("1\n")
    session.expect("Player 1 wins.")
    assert session.leaves() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_both_ways_to_leave_a_terminal(key):
    session = Session("play", "nim")
    session.expect("your move: ")
    session.type(key)
    session.expect("You left the table")
    assert session.leaves() == 0


def test_a_record_is_stepped_through_by_hand(tmp_path):
    path = str(tmp_path / "game.jsonl")
    seats = ["--seat", "random seed=1", "--seat", "random seed=1"]
    subprocess.run([*PARLOUR, "play", "nim", *seats, "--record", path], check=True, stdout=-3)
    session = Session("replay", path)
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


def test_bytes_that_are_no_text_are_refused_like_any_other_line():
    run = subprocess.run(
        [*PARLOUR, "play", "nim"],
        input=b"\xff\xfe\x00 nonsense\n\x1b[31m\nquit\n",
        capture_output=True,
        check=True,
    )
    assert run.stdout.count(b"is no move") == 2
    assert b"\x1b" not in run.stdout
    assert run.stderr == b""


def test_a_reader_that_leaves_early_is_no_error():
    run = subprocess.run(
        f"{' '.join(PARLOUR)} play othello --seat random --seat random | head -1",
        shell=True,
        capture_output=True,
        check=True,
    )
    assert run.stderr == b""


def test_an_interrupt_in_a_pipe_ends_cleanly():
    process = subprocess.Popen(
        [*PARLOUR, "play", "othello", "--columns", "16", "--rows", "16", "--seat", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert b"You left the table" in out
