"""A program spoken to line by line: real ones, that answer, hang, break off and never end."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from parlour.core.errors import ParlourError
from parlour.players.process import (
    MAX_ERRORS,
    MAX_LINE,
    LineTooLong,
    Pipe,
    ProcessEnded,
    ProcessError,
    ResponseTimeout,
)


@pytest.fixture
def started():
    """Pipes to programs in Python, closed when the test is over."""
    pipes = []

    def start(program):
        pipes.append(Pipe([sys.executable, "-I", "-S", "-u", "-c", program]))
        return pipes[-1]

    yield start
    for pipe in pipes:
        pipe.close(grace=0)


ECHO = "import sys\nfor line in sys.stdin: print('heard', line, end='')"


def test_a_line_is_answered_by_a_line(started):
    pipe = started(ECHO)
    for text in ("one", "", "naïve ♟", "x" * 300_000):
        pipe.write_line(text)
        assert pipe.read_line(60) == f"heard {text}".rstrip("\r")


def test_lines_that_arrive_together_are_read_one_by_one(started):
    pipe = started("print('one\\r\\ntwo\\n\\nthree')")
    assert [pipe.read_line(60) for _ in range(4)] == ["one", "two", "", "three"]


def test_bytes_that_are_no_text_do_no_harm(started):
    pipe = started("import os; os.write(1, b'\\xff\\xfe\\0\\n')")
    assert pipe.read_line(60) == "��\0"


def test_a_read_times_out(started):
    pipe = started("import time; time.sleep(600)")
    with pytest.raises(ResponseTimeout):
        pipe.read_line(0.2)


def test_half_a_line_is_no_answer(started):
    pipe = started("import os, time; os.write(1, b'one\\nhalf'); time.sleep(600)")
    assert pipe.read_line(60) == "one"
    with pytest.raises(ResponseTimeout):
        pipe.read_line(0.3)
    assert pipe.pending_output == "half"


def test_pending_output_can_be_seen_and_is_read_later(started):
    pipe = started("import os; os.write(1, b'one\\ntwo\\n')")
    assert pipe.read_line(60) == "one"
    assert pipe.pending_output == "two\n"
    assert pipe.read_line(60) == "two"
    assert not pipe.pending_output


def test_a_write_times_out_when_it_is_not_read(started):
    pipe = started("import time; time.sleep(600)")
    with pytest.raises(ResponseTimeout, match="does not read"):
        pipe.write_line("x" * 1_000_000, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "how", "code"),
    [
        ("import sys; sys.exit(3)", "ended with code 3", 3),
        ("pass", "ended before the game did", 0),
        ("import os; os.kill(os.getpid(), 9)", "was ended by SIGKILL", -9),
        ("import sys; sys.exit(139)", "was ended by SIGSEGV", 139),
        ("import os, time; os.close(1); time.sleep(600)", "closed its output", None),
    ],
)
def test_how_a_program_ended_is_said(started, program, how, code):
    pipe = started(program)
    with pytest.raises(ProcessEnded) as caught:
        pipe.read_line(60)
    assert (str(caught.value), caught.value.code) == (how, code)


def test_its_last_line_is_read_before_its_end_is_noticed(started):
    pipe = started("print('last words')")
    assert pipe.read_line(60) == "last words"
    with pytest.raises(ProcessEnded):
        pipe.read_line(60)
    with pytest.raises(ProcessEnded):
        pipe.write_line("are you there?")


def test_a_line_that_is_too_long_is_refused(started):
    pipe = started("while True: print('na ' * 10_000, end='')")
    with pytest.raises(LineTooLong, match=f"{MAX_LINE:,}"):
        pipe.read_line(60)


@pytest.mark.slow
def test_the_last_of_standard_error_is_kept(started):
    complaints = "import sys\nfor n in range(100_000): print('complaint', n, file=sys.stderr)"
    pipe = started(f"{complaints}\nprint('done', flush=True)\nimport time; time.sleep(600)")
    assert pipe.read_line(60) == "done"
    assert pipe.errors.endswith("complaint 99999")
    assert len(pipe.errors) <= MAX_ERRORS


def test_a_program_that_is_not_there_cannot_be_started():
    with pytest.raises(ProcessEnded, match=r"^cannot be started: No such file or directory$"):
        Pipe(["/nowhere/no-such-program"])
    assert issubclass(ProcessEnded, ProcessError)
    assert issubclass(ProcessError, ParlourError)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2][1] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_after_it_is_closed_nothing_of_it_is_left(started):
    """Neither the program, which takes no hint, nor what it started."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("there is no /proc here")
    pipe = started(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        "if child: print(os.getpid(), child)\n"
        "time.sleep(600)"
    )
    pids = [int(word) for word in pipe.read_line(60).split()]
    assert all(map(alive, pids))
    pipe.close(grace=0)
    deadline = time.monotonic() + 60  # another process reaps the child
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(alive, pids))


def test_a_program_that_ends_when_its_input_is_closed_is_not_killed(started, tmp_path):
    goodbye = tmp_path / "goodbye"
    pipe = started(f"import sys\nprint(1)\nsys.stdin.read()\nopen({str(goodbye)!r}, 'w').close()")
    pipe.read_line(60)
    pipe.close(grace=60)
    assert goodbye.exists()


def test_no_stream_is_left_open(started):
    before = sorted(Path("/dev/fd").iterdir())
    pipe = started(ECHO)
    pipe.write_line("x")
    pipe.read_line(60)
    pipe.close()
    pipe.close()
    assert sorted(Path("/dev/fd").iterdir()) == before
