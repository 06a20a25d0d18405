"""The conversation at a terminal: a real process at a pseudo-terminal, in a pipe, interrupted.

Most of them talk to a host of a few lines, so that they are about the terminal and not about what
Benedict says. Keys are typed without waiting for the prompt: none may be lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from parlour.core.errors import ParlourError
from parlour.core.files import data_folder as folder
from parlour.faces.terminal.chat import Task
from parlour.faces.terminal.console import clean
from parlour.faces.terminal.memory import MemoryFile
from parlour.faces.terminal.model import MAX_FAILURES, MAX_REPLY, Model, is_small_talk, rephrase
from parlour.host.session import Memory, Reply, Session, Table, Talk
from tests.endpoints import Answer, endpoint, say
from tests.processes import wait_until_idle

PATIENCE = 60
PARLOUR = [sys.executable, "-m", "parlour"]
FAKE = """
import sys, time
from pathlib import Path
from parlour import host
from parlour.host.session import Memory, Reply, Table

HEAVY = {"prompt_toolkit", "rich", "numba", "numpy", "urllib.request"}

def loaded():
    return f"loaded: {sorted(HEAVY & set(sys.modules))}"

def greeting(session):
    name = session.memory.name or "stranger"
    saved = session.saved.game if session.saved else "nothing"
    words = ("farewell", "take 2 from pile 1", "take 3 from pile 1")
    return Reply(session, (f"Welcome, {name}, {saved} put aside.", loaded()), choices=words)

def reply(session, text):
    text = text.strip()
    after = session.replace(turn=session.turn + 1)
    line, board = f"heard {text[:30]!r} as number {after.turn}", ""
    if text == "sleep":
        time.sleep(600)
    elif text == "ponder":
        time.sleep(2)
    elif text == "count":
        try:
            while True:
                sum(range(1000))
        finally:
            Path("stopped").touch()
    elif text == "boom":
        raise ZeroDivisionError("of no use")
    elif text == "loaded":
        line = loaded()
    elif text == "rude":
        line, board = "bell \\a, escape \\x1b[31m ▲", "1 \\x9b\\n2\\u202e3"
    elif text == "agree":
        after = after.replace(memory=Memory(name="Ann", agreed=True))
    elif text == "forget":
        after = after.replace(memory=Memory())
    elif text == "aside":
        after = after.replace(saved=Table("nim", {}, ("human", "perfect")))
    elif text == "play":
        after = after.replace(mode="game", table=Table("sticks", {}, ("human", "perfect")))
    elif text == "resume":
        after = after.replace(mode="game", table=session.saved, saved=None)
    elif text == "leave":
        after = after.replace(mode="chat", table=None)
    elif text == "farewell":
        after = after.replace(over=True)
    elif text in ("talk", "whales", "nim"):
        talk = session.talk.__class__(topic=text, recent=(line,))
        after = after.replace(mode="talk", talk=talk)
    return Reply(after, (line,), board, choices=("farewell",))

host.greeting, host.reply = greeting, reply
from parlour.faces.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def fake(tmp_path):
    """The command of a conversation with the small host."""
    path = tmp_path / "fake.py"
    path.write_text(FAKE, "utf-8")
    return [sys.executable, str(path)]


class Terminal:
    """A process at a pseudo-terminal, as a person meets it."""

    def __init__(self, command, **settings):
        self.keyboard, screen = pty.openpty()
        self.process = subprocess.Popen(
            command,
            preexec_fn=lambda: at_own(screen),  # noqa: PLW1509  # its own terminal, for Ctrl-C
            cwd=Path(command[-1]).parent,
            env=surroundings(**{"TERM": "xterm-256color", **settings}),
        )
        os.close(screen)
        self.seen = self.shown = ""

    def expect(self, text, typing="", again=""):
        """Type, and read until a text is on the screen; `again` is typed until it is."""
        self.type(typing)
        now = time.monotonic()
        deadline, due = now + PATIENCE, now
        while text not in self.seen and now < deadline:
            if again and now >= due:
                self.type(again)
                due = now + 2
            if select.select([self.keyboard], [], [], 0.05)[0] and not self.read():
                break
            now = time.monotonic()
        before, found, self.seen = self.seen.partition(text)
        assert found, f"{text!r} did not come; there is {before!r}"

    def read(self):
        try:
            new = os.read(self.keyboard, 65536).decode(errors="replace")
        except OSError:  # the other side has gone
            return False
        self.seen += new
        self.shown += new
        return True

    def type(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.keyboard, data[:1024]) :]
            while select.select([self.keyboard], [], [], 0)[0] and self.read():
                pass

    def leaves(self):
        """The exit code, once it has ended."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.keyboard], [], [], 0.05)[0]:
                self.read()
        return self.process.wait(timeout=1)

    def close(self):
        """End it, however far it has come."""
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)


def at_own(screen):
    os.login_tty(screen)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may be under nohup


def surroundings(**settings):
    gone = ("NO_COLOR", "COLORTERM", "TERM", "PARLOUR_TRACEBACK")
    return {name: value for name, value in os.environ.items() if name not in gone} | settings


@pytest.fixture
def sit_down(fake):
    """Conversations at a terminal that are ended with the test, however it went."""
    with contextlib.ExitStack() as stack:

        def call(**settings):
            terminal = Terminal(fake, **settings)
            stack.enter_context(contextlib.closing(terminal))
            return terminal

        yield call


@pytest.fixture
def pipe(fake, tmp_path):
    """What a script of lines brings about: everything that is printed."""

    def call(script, *arguments, command=fake):
        data = script if isinstance(script, bytes) else script.encode()
        run = subprocess.run(
            [*command, *arguments],
            input=data,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            cwd=tmp_path,
            env=surroundings(TERM="xterm", FORCE_COLOR="1"),
        )
        assert (run.returncode, run.stderr) == (0, b"")
        return run.stdout.decode()

    return call


# At a terminal


def test_the_greeting_waits_for_nothing_heavy(sit_down):
    terminal = sit_down()
    terminal.expect("loaded: []")
    terminal.expect("> ")
    terminal.expect("loaded: ['prompt_toolkit']", "loaded\r")


def test_lines_typed_before_there_is_a_prompt_are_all_answered_in_order(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'first' as number 1", "first\rsecond\r")
    terminal.expect("heard 'second' as number 2")
    terminal.expect("heard 'third' as number 3", "third\r")


@pytest.mark.slow
def test_what_is_typed_during_a_thought_is_heard_after_it(sit_down):
    terminal = sit_down()
    terminal.expect("thinking", "ponder\r")
    terminal.expect("heard 'ponder' as number 1", "later\r")
    terminal.expect("heard 'later' as number 2")


def test_tab_completes_what_is_possible_now(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'take 2 from pile 1'", "ta\t2\t\r")
    terminal.expect("heard 'I say FArewell'", "I say FA\t\r")
    terminal.expect("heard 'farewell'", "f\t\r")
    assert terminal.leaves() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_both_ways_to_part_at_an_empty_prompt(sit_down, key):
    terminal = sit_down()
    terminal.expect("Welcome")
    terminal.expect("Goodbye.", key)
    assert terminal.leaves() == 0


def test_ctrl_c_clears_a_line_that_was_begun(sit_down):
    terminal = sit_down()
    terminal.expect("Welcome")
    terminal.expect("heard 'that' as number 1", "this\x03that\r")


@pytest.mark.parametrize("word", ["sleep", "count"])
@pytest.mark.slow
def test_ctrl_c_interrupts_a_thought_and_not_the_conversation(sit_down, tmp_path, word):
    """Whether or not the task can be stopped, the session is the old one and the exit free."""
    terminal = sit_down()
    terminal.expect("as number 1", "before\r")
    terminal.expect("Benedict is thinking", f"{word}\r")
    terminal.type("\x03\x03\x03")  # an impatient person, who does not mean to part
    terminal.expect("I stopped thinking; everything is as it was before.")
    terminal.expect("heard 'after' as number 2", "after\r")
    deadline = time.monotonic() + PATIENCE
    while word == "count" and not (tmp_path / "stopped").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.leaves() == 0


def test_no_spinner_for_a_quick_answer(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'hello'", "hello\r")
    terminal.expect("loaded: ['prompt_toolkit']", "loaded\r")
    assert "thinking" not in terminal.shown


def test_an_error_inside_is_one_sentence_and_the_talk_goes_on(sit_down):
    terminal = sit_down()
    terminal.expect("I lost my thread", "boom\r")
    terminal.expect("heard 'on' as number 1", "on\r")
    assert "ZeroDivisionError" not in terminal.shown


def test_the_terminal_is_given_back_as_it_was(sit_down):
    import termios

    terminal = sit_down()
    usual = termios.tcgetattr(terminal.keyboard)
    terminal.expect("heard 'farewell'", "farewell\r")
    assert terminal.leaves() == 0
    assert termios.tcgetattr(terminal.keyboard) == usual


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("during", ["> ", "Benedict is thinking"], ids=["prompt", "task"])
@pytest.mark.slow
def test_the_terminal_is_given_back_when_the_program_is_told_to_end(sit_down, name, during):
    import termios

    terminal = sit_down()
    usual = termios.tcgetattr(terminal.keyboard)
    terminal.expect("> ")
    terminal.expect("as number 1", "play\r")
    terminal.expect(during, "sleep\r" if during != "> " else "")
    number = getattr(signal, name)
    terminal.process.send_signal(number)
    assert terminal.leaves() == 128 + number
    assert termios.tcgetattr(terminal.keyboard) == usual
    assert "Traceback" not in terminal.shown
    assert MemoryFile(folder() / "benedict.json").open(0)[0].saved.game == "sticks"


SIGNALLED = """
import os, pathlib, signal, sys
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from parlour.faces.terminal.chat import Terminated, raise_on_signals
from parlour.faces.terminal.prompt import LineHistory, Prompt

signals = [signal.SIGTERM]

def load(history):
    while signals:
        signal.raise_signal(signals.pop())
    return []

LineHistory.load_history_strings = load
with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
    prompt = Prompt(pathlib.Path(sys.argv[1]), 100, 10, coloured=False)
    try:
        with raise_on_signals(prompt.leave):
            prompt.ask("> ", (), no_interrupt_until=0.0, store=False)
    except Terminated:
        os._exit(7)
"""


def test_a_signal_inside_a_task_of_the_prompt_ends_it_quietly(tmp_path):
    command = [sys.executable, "-c", SIGNALLED, str(tmp_path / "history")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, "Traceback" in ended.stderr) == (7, False), ended.stderr


@pytest.mark.slow
def test_colours_only_where_they_are_wanted(sit_down):
    def inks(**settings):
        terminal = sit_down(**settings)
        terminal.expect("Benedict is thinking", "sleep\r")
        terminal.type("\x03")
        terminal.expect("▲", "rude\r")
        terminal.expect("Goodbye.", again="\x04")
        assert terminal.leaves() == 0
        return {ink for ink in re.findall(r"\x1b\[([\d;]*)m", terminal.shown) if ink.strip("0;")}

    assert "38;5;32" in inks()
    assert inks(NO_COLOR="1") == set()


def test_a_dumb_terminal_gets_plain_text(sit_down):
    terminal = sit_down(TERM="dumb")
    terminal.expect("> ")
    terminal.expect("escape �[31m ▲", "rude\n")
    terminal.expect("> ")
    terminal.expect("loaded: []", "loaded\n")
    terminal.expect("> ")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.leaves() == 0
    assert "\x1b" not in terminal.shown


@pytest.mark.slow
def test_100_kb_typed_on_one_line_are_cut(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("I read its first 2,000 characters", "x" * 100_000 + "\r")
    terminal.expect("as number 1")
    terminal.expect("2,000 characters", pasted("y" * 100_000) + "\r")
    terminal.expect("as number 2")


def pasted(text):
    return f"\x1b[200~{text}\x1b[201~"


def test_pasted_lines_are_answered_one_by_one_and_the_last_may_be_finished(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("heard 'zero one' as number 1", "zero " + pasted("one\r\nagree\n\nfor"))
    terminal.expect("heard 'agree' as number 2", "get\rlast\r")
    terminal.expect("heard 'forget' as number 3")
    terminal.expect("heard 'last' as number 4")
    terminal.expect("heard 'forget' as number 5", pasted("forget\rafter it\r"))
    terminal.expect("heard 'after it' as number 6")


def test_a_paste_without_end_is_cut(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("I read its first 200 lines", pasted("y\n" * 50_000))
    terminal.expect("as number 200")
    terminal.expect("heard 'then' as number 201", "then\r")


def test_an_interrupt_drops_the_pasted_lines_that_wait(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("Benedict is thinking", pasted("sleep\nunwanted\n"))
    terminal.expect("I stopped thinking", "\x03")
    terminal.expect("heard 'next' as number 1", "next\r")


def test_bytes_that_are_no_text_do_no_harm_at_a_terminal(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    os.write(terminal.keyboard, b"\xff\xfe\xc3(\r")
    terminal.expect("as number 1")
    terminal.expect("heard 'fine' as number 2", "fine\r")


# Between two visits


def test_lines_of_earlier_days_come_back_and_only_their_owner_may_read_them(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'an old line' as number 2", "agree\ran old line\rfarewell\r")
    assert terminal.leaves() == 0
    path = folder() / "benedict.history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("heard 'an old line'", again="\x1b[A\x1b[A\r")


def test_lines_are_forgotten_with_the_person(sit_down):
    terminal = sit_down()
    terminal.expect("as number 2", "agree\rsecret\r")
    terminal.expect("as number 4", "forget\rafterwards\r")
    terminal.expect("as number 5", "farewell\r")
    assert terminal.leaves() == 0
    assert not (folder() / "benedict.history").exists()
    assert not (folder() / "benedict.json").exists()


def test_without_leave_lines_come_back_today_and_are_in_no_file(sit_down):
    folder().mkdir(parents=True)
    (folder() / "benedict.history").write_text("of an earlier version\n")
    terminal = sit_down()
    terminal.expect("heard 'secret' as number 1", "secret\r")
    terminal.expect("> ")
    terminal.expect("heard 'secret'", again="\x1b[A\r")
    assert list(folder().iterdir()) == []
    terminal.expect("heard 'forget'", "forget\r")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.leaves() == 0
    assert list(folder().iterdir()) == []


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.slow
def test_whoever_parts_in_a_game_can_go_on_with_it(sit_down, pipe, key):
    terminal = sit_down()
    terminal.expect("as number 1", "play\r")
    terminal.expect("Goodbye.", again=key)
    assert terminal.leaves() == 0
    assert "sticks put aside" in pipe("resume\n")
    assert "sticks put aside" in pipe("resume\nhm\n")
    assert "sticks put aside" in pipe("resume\nleave\n")
    assert "nothing put aside" in pipe("")


def test_a_game_is_kept_when_nobody_reads_any_more(fake, tmp_path, pipe):
    process = subprocess.Popen(
        fake, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    process.stdin.write(b"play\n")
    process.stdin.flush()
    shown = b""
    while b"as number 1" not in shown:
        shown += process.stdout.read1()
    process.stdout.close()
    process.stdin.write(b"on\n")
    process.stdin.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert "sticks put aside" in pipe("")


def test_what_is_forgotten_in_one_window_is_forgotten_in_the_other(sit_down):
    one, other = sit_down(), sit_down()
    one.expect("as number 2", "agree\rsecret\r")
    other.expect("heard 'forget' as number 1", "forget\r")
    other.expect("> ")  # what he keeps is kept by then
    one.expect("as number 3", "later\r")
    one.expect("Goodbye.", again="\x04")
    other.expect("Goodbye.", again="\x04")
    assert (one.leaves(), other.leaves()) == (0, 0)
    assert {path.name for path in folder().iterdir()} == {".benedict.lock"}


def test_what_may_be_kept_is_there_the_next_time(pipe):
    assert "Welcome, stranger, nothing put aside." in pipe("agree\naside\n")
    assert "Welcome, Ann, nim put aside." in pipe("forget\n")
    assert "Welcome, stranger, nim put aside." in pipe("")
    assert "Ann" not in (folder() / "benedict.json").read_text()


ANN = Memory(name="Ann", likes=("whales",), agreed=True)
NIM = Table("nim", {"piles": [1, 2]}, ("human", "perfect"), ("1 from 1",))


@pytest.mark.parametrize(
    ("session", "known"),
    [
        (Session(memory=ANN), Session(memory=ANN)),
        (Session(memory=Memory(name="Ann")), Session()),
        (Session(memory=Memory(name="Ann", agreed=False)), Session()),
        (Session(saved=NIM, memory=Memory(name="Ann")), Session(saved=NIM)),
        (Session(table=NIM, saved=NIM, memory=ANN, mode="game"), Session(saved=NIM, memory=ANN)),
    ],
)
def test_nothing_is_kept_without_leave_but_a_game_put_aside(tmp_path, session, known):
    path = tmp_path / "deep" / "benedict.json"
    assert MemoryFile(path).save(session) == (session, "")
    assert MemoryFile(path).open(0) == (known, "")
    assert path.exists() == (known != Session())
    if path.exists():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_taken_back_is_no_longer_in_the_file(tmp_path):
    path = tmp_path / "benedict.json"
    MemoryFile(path).save(Session(memory=ANN, saved=NIM))
    file = MemoryFile(path)
    session, _ = file.open(0)
    assert file.save(session.replace(memory=Memory(agreed=False)))[1] == ""
    assert "Ann" not in path.read_text()
    assert file.save(Session())[1] == ""
    assert not path.exists()


def test_a_visit_that_changes_nothing_writes_nothing(tmp_path):
    """Another visit at the same time may have written something since."""
    path = tmp_path / "benedict.json"
    MemoryFile(path).save(Session(memory=ANN))
    file = MemoryFile(path)
    session, _ = file.open(0)
    path.write_text("somebody else's")
    assert file.save(session) == (session, "")
    assert path.read_text() == "somebody else's"


def test_a_game_that_is_resumed_stays_in_the_file_until_it_has_ended(tmp_path):
    path = tmp_path / "benedict.json"
    MemoryFile(path).save(Session(saved=NIM))
    file = MemoryFile(path)
    session, _ = file.open(0)
    session, _ = file.save(session.replace(mode="game", table=NIM, saved=None))
    assert MemoryFile(path).open(0)[0].saved == NIM
    file.save(session.replace(mode="chat"))
    assert not path.exists()


def test_a_line_typed_without_leave_never_touches_the_disk(tmp_path):
    from parlour.faces.terminal.prompt import LineHistory

    lines = LineHistory(tmp_path / "benedict.history")
    lines.append_string("secret")
    assert list(tmp_path.iterdir()) == []
    assert lines.get_strings() == ["secret"]


BOB = Memory(name="Bob", agreed=True)
NO_MORE = Memory()
LATER = Table("nim", {"piles": [1, 2]}, ("human", "perfect"), ("1 from 1", "2 from 2"))


@pytest.mark.parametrize(
    ("theirs", "ours", "known"),
    [
        ({"memory": BOB}, {}, (BOB, NIM)),
        ({"memory": BOB}, {"saved": LATER}, (BOB, LATER)),
        ({"saved": None}, {"memory": BOB}, (BOB, None)),
        ({"memory": NO_MORE}, {"memory": BOB}, (NO_MORE, NIM)),
        ({"memory": BOB}, {"memory": NO_MORE}, (NO_MORE, NIM)),
        ({"memory": NO_MORE, "saved": None}, {"memory": BOB}, (NO_MORE, None)),
        ({"saved": LATER}, {"saved": None}, (ANN, LATER)),
        ({"saved": None}, {"saved": LATER}, (ANN, LATER)),
    ],
)
def test_of_two_visits_each_writes_what_it_changed_and_forgetting_wins(
    tmp_path, theirs, ours, known
):
    path = tmp_path / "benedict.json"
    MemoryFile(path).save(Session(memory=ANN, saved=NIM))
    one, other = MemoryFile(path), MemoryFile(path)
    one_knows, other_knows = one.open(0)[0], other.open(0)[0]
    other.save(other_knows.replace(**theirs))
    one_knows, _ = one.save(one_knows.replace(**ours))
    assert (one_knows.memory, one_knows.saved) == known
    one_knows, _ = one.save(one_knows.replace(turn=1))
    after, _ = MemoryFile(path).open(0)
    assert (after.memory, after.saved) == known


def test_what_was_told_without_leave_is_not_mixed_with_what_another_visit_kept(tmp_path):
    path = tmp_path / "benedict.json"
    here, there = MemoryFile(path), MemoryFile(path)
    told, _ = here.save(Session(memory=Memory(name="Bob")))
    there.save(Session(memory=ANN))
    told, _ = here.save(told)
    assert told.memory == Memory(name="Bob")
    assert MemoryFile(path).open(0)[0].memory == ANN
    here.save(told.replace(memory=Memory()))  # forget me
    assert not path.exists()


def test_whoever_writes_waits_for_the_other(tmp_path):
    import fcntl

    path = tmp_path / "benedict.json"
    file = MemoryFile(path)
    with (tmp_path / ".benedict.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        writing = Task(lambda: file.save(Session(memory=ANN)))
        assert not writing.wait(0.3)
        path.write_text(json.dumps({"saved": {"game": "nim", "options": {}, "players": []}}))
    assert writing.wait(PATIENCE)
    session, _ = writing.result()
    assert (session.memory, session.saved.game) == (ANN, "nim")
    assert MemoryFile(path).open(0)[0] == session


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b"\xff\xfe", b'{"memory": {"name": 3}}', b"[" * 100_000]
)
@pytest.mark.slow
def test_a_damaged_file_is_put_aside_with_one_sentence(pipe, damage):
    folder().mkdir(parents=True)
    path = folder() / "benedict.json"
    path.write_bytes(damage)
    out = pipe("agree\n")
    assert out.count("I could not make sense of what I kept, so I put it aside as") == 1
    assert path.with_name("benedict.json.damaged").read_bytes() == damage
    assert "Welcome, Ann" in pipe("")


def test_a_place_where_nothing_can_be_kept_is_told_once(pipe):
    folder().parent.mkdir(parents=True, exist_ok=True)
    folder().write_text("in the way")
    out = pipe("agree\nagree\n")
    assert out.count(str(folder())) == 1
    assert "as number 2" in out


# In a pipe


def test_a_script_reads_like_a_session(pipe):
    out = pipe("hello\n\n  spaces  \r\nboom\nfarewell\nunheard\n")
    assert out.splitlines() == [
        "Welcome, stranger, nothing put aside.",
        "loaded: []",
        "> hello",
        "heard 'hello' as number 1",
        "> ",
        "heard '' as number 2",
        ">   spaces  ",
        "heard 'spaces' as number 3",
        "> boom",
        "I lost my thread; everything is as it was (PARLOUR_TRACEBACK=1 shows where).",
        "> farewell",
        "heard 'farewell' as number 4",
    ]


def test_the_end_of_a_script_is_a_goodbye(pipe):
    assert pipe("hello").splitlines()[2:] == [
        *("> hello", "heard 'hello' as number 1", "> ", "Goodbye.")
    ]


def test_nothing_reaches_the_reader_as_it_came(pipe):
    out = pipe(b"\x1b[31m\xff\x00\x07\nrude\n")
    assert "> �[31m�" in out
    assert "bell �, escape �[31m ▲\n1 �\n2�3\n" in out
    assert not set(out) & {"\x1b", "\x07", "\x00", "\x9b", "\u202e"}


def test_100_kb_on_one_line_of_a_script_are_cut(pipe):
    out = pipe("x" * 100_000 + "\nnext\n" + "y" * 100_000)
    assert out.count("I read its first 2,000 characters") == 2
    assert "heard 'next' as number 2" in out
    assert len(out) < 2_000


def test_benedict_himself_loads_nothing_heavy_in_a_pipe(pipe):
    code = (
        "import sys; from parlour.faces.cli import main; main([]); "
        "print({'prompt_toolkit', 'rich', 'numba', 'numpy'} & set(sys.modules))"
    )
    out = pipe("hello\nlet's talk\ndone\n", command=[sys.executable, "-c", code])
    assert out.endswith("Goodbye.\nset()\n")


def test_parlour_alone_and_parlour_chat_are_the_same(pipe):
    alone = pipe("", "--seed", "1", command=PARLOUR)
    assert alone == pipe("", "chat", "--seed=1", command=PARLOUR)
    assert alone.endswith("> \nGoodbye.\n")


def test_an_interrupt_in_a_pipe_is_a_goodbye(fake, tmp_path):
    for script in ("", "sleep\n"):
        process = subprocess.Popen(
            fake,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
        )
        process.stdin.write(script.encode())
        process.stdin.flush()
        shown = b""
        while b"> " + script.encode() not in shown:
            shown += process.stdout.read1()
        wait_until_idle(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, b"")
        assert out.endswith(b"Goodbye.\n")


def test_clean_keeps_every_alphabet():
    assert clean("Καλημέρα 你好 नमस्ते می\u200cخواهم") == "Καλημέρα 你好 नमस्ते می\u200cخواهم"
    assert clean("a\tb\u00a0c\u2028d\x85\ud800") == "a b c d �"
    assert len(clean("x" * 10**6)) <= 20_000


# Tasks


def test_a_thought_is_not_stopped_while_it_compiles():
    held = {"__name__": "numba.core", "go": threading.Event()}
    exec("def compile():\n    while not go.wait(0.01): pass\n    return 'compiled'", held)  # noqa: S102
    task = Task(held["compile"])
    task.abandon()
    assert not task.wait(0.3)
    held["go"].set()
    assert task.wait(PATIENCE)
    assert task.result() == "compiled"


def test_a_thought_hands_on_what_went_wrong():
    task = Task(lambda: 1 // 0)
    assert task.wait(PATIENCE)
    with pytest.raises(ZeroDivisionError):
        task.result()


# A model


def test_a_model_speaks_the_small_talk_and_nothing_else(pipe):
    with endpoint(lambda _: say("They sing,\n\x1b[31m I am told.")) as (url, asked):
        out = pipe("talk\nwhales\nnim\nloaded\n", "--model", url, "--model-name", "m")
    assert "They sing, �[31m I am told." in out
    assert "heard 'whales'" not in out
    assert "heard 'talk' as number 1" in out
    assert "heard 'nim' as number 3" in out
    assert [request.path for request in asked] == ["/v1/chat/completions"]
    assert asked[0].body["model"] == "m"
    assert asked[0].body["messages"][-1] == {"role": "user", "content": "whales"}


def test_without_a_model_nothing_is_asked_for(pipe):
    assert "loaded: []" in pipe("talk\nwhales\nloaded\n").splitlines()[-3]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"no json"),
        Answer(b'{"choices": []}'),
        say(None),
        say(""),
        say("You win at nim by the nim-sum."),
        replace(say("never mind"), status=500),
        Answer(status=302, headers={"Location": "file:///etc/hostname"}),
        Answer(hangs=True),
    ],
    ids=lambda answer: "hangs" if answer.hangs else f"{answer.status} {answer.body[:20]!r}",
)
def test_a_model_that_will_not_do_is_not_heard(answer):
    with endpoint(lambda _: answer) as (url, asked):
        model = Model(url, timeout=0.5 if answer.hangs else PATIENCE)
        began = time.monotonic()
        assert model.rephrase("whales", "Whales are mammals.") == ""
        assert time.monotonic() - began < PATIENCE / 2
        assert len(asked) == 1 or answer.hangs


def test_a_model_that_fails_again_and_again_is_left_alone():
    with endpoint(lambda _: Answer(status=500)) as (url, asked):
        model = Model(url)
        for _ in range(MAX_FAILURES + 3):
            assert model.rephrase("whales", "Whales are mammals.") == ""
        assert len(asked) == MAX_FAILURES


def test_a_model_that_is_not_there_is_no_matter():
    assert Model("http://127.0.0.1:1/v1").rephrase("whales", "own") == ""


def test_the_words_of_a_model_are_cut():
    with endpoint(lambda _: say("la " * 10_000)) as (url, _):
        assert len(Model(url).rephrase("whales", "own")) <= MAX_REPLY


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:8080", "", "http://", "http://["])
def test_an_address_of_a_model_is_a_web_address(url):
    with pytest.raises(ParlourError, match="--model needs an address like http"):
        Model(url)


def test_what_a_model_said_instead_of_him_he_did_not_ask():
    talking = Session(mode="talk", talk=Talk(topic="whale"))
    asking = talking.replace(talk=Talk(topic="whale", asked="like.0|whale|", recent=("Whales?",)))
    own = Reply(asking, ("Whales?",), choices=("done",))
    with endpoint(lambda _: say("Do they sing?")) as (url, _):
        reply = rephrase(Model(url), talking, "whales", own)
    assert reply.lines == ("Do they sing?",)
    assert (reply.session.talk.asked, reply.session.talk.topic) == ("", "whale")
    assert reply.choices == own.choices
    assert rephrase(Model("http://127.0.0.1:1"), talking, "whales", own) == own


def test_what_is_small_talk():
    talking = Session(mode="talk", talk=Talk(topic="whale"))
    said = talking.replace(talk=Talk(topic="whale", recent=("Whales are large.",)))
    assert is_small_talk(talking, "whales", Reply(said, ("Whales are large.",)))
    for before, text, reply in [
        (talking.replace(mode="chat"), "whales", Reply(said, ("Whales are large.",))),
        (talking, "whales", Reply(said.replace(mode="game"), ("Whales are large.",))),
        (talking, "whales", Reply(said.replace(over=True), ("Goodbye",))),
        (talking, "whales", Reply(said.replace(question="keep"), ("Shall I remember that?",))),
        (talking, "whales", Reply(said.replace(talk=Talk(asked="keep.0||")), ("May I keep it?",))),
        (talking.replace(talk=Talk(asked="keep.0||")), "yes", Reply(said, ("I shall.",))),
        (talking, "yes", Reply(said.replace(memory=Memory(agreed=True)), ("I shall.",))),
        (talking, "why do you always win?", Reply(said, ("It is proven.",))),
        (talking, "why?", Reply(said, ("The nim-sum is 0.",))),
        (talking, "xyzzy", Reply(talking, ("I don't understand",))),
        (talking, "whales", Reply(said, ("Here.",), board="x")),
    ]:
        assert not is_small_talk(before, text, reply)
