"""The conversation at a terminal and in a pipe, with a host of a few lines, and as the program.

The host of a few lines is in this process, at a pseudo-terminal of its own. Keys are typed without
waiting for the prompt: none may be lost.
"""

import contextlib
import fcntl
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import termios
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input.typeahead import clear_typeahead

from parlour import host
from parlour.core.errors import ParlourError
from parlour.core.files import data_folder
from parlour.faces.cli import main
from parlour.faces.terminal import chat
from parlour.faces.terminal.chat import Conversation, Task
from parlour.faces.terminal.console import clean
from parlour.faces.terminal.memory import MemoryFile
from parlour.faces.terminal.model import MAX_FAILURES, MAX_REPLY, Model, is_small_talk, rephrase
from parlour.faces.terminal.prompt import LineHistory
from parlour.host.session import HostTable, Memories, Reply, Session, Talk
from tests.endpoints import Answer, endpoint, say
from tests.terminal import PATIENCE, UNWANTED, PseudoTerminal, open_terminal

__all__ = ["open_terminal"]

SITTING = HostTable("sticks", {}, ("human", "perfect"))
ASIDE = HostTable("nim", {}, ("human", "perfect"))


class ShortHost:
    """A host that says what it heard; `go` lets it finish what it ponders."""

    def __init__(self):
        self.go = threading.Event()
        self.stopped = threading.Event()

    def greeting(self, session):
        name = session.memory.name or "stranger"
        saved = session.saved.game if session.saved else "nothing"
        words = ("farewell", "take 2 from pile 1", "take 3 from pile 1")
        return Reply(session, (f"Welcome, {name}, {saved} put aside.",), choices=words)

    def reply(self, session, text):
        text = text.strip()
        after = session.replace(turn=session.turn + 1)
        line, board = f"heard {text[:30]!r} as number {after.turn}", ""
        if text == "ponder":
            try:
                while not self.go.wait(0.01):
                    pass
            finally:
                self.stopped.set()
        elif text == "boom":
            raise ZeroDivisionError("of no use")
        elif text == "refuse":
            raise ParlourError("the cellar is locked")
        elif text == "rude":
            line, board = "bell \a, escape \x1b[31m ▲", "1 \x9b\n2\u202e3"
        elif text == "agree":
            after = after.replace(memory=Memories(name="Ann", agreed=True))
        elif text == "forget":
            after = after.replace(memory=Memories())
        elif text == "aside":
            after = after.replace(saved=ASIDE)
        elif text == "play":
            after = after.replace(mode="game", table=SITTING)
        elif text == "resume":
            after = after.replace(mode="game", table=session.saved, saved=None)
        elif text == "leave":
            after = after.replace(mode="chat", table=None)
        elif text == "farewell":
            after = after.replace(over=True)
        elif text in ("talk", "whales", "nim"):
            after = after.replace(mode="talk", talk=Talk(topic=text, recent=(line,)))
        return Reply(after, (line,), board, choices=("farewell",))


class Signals(SimpleNamespace):
    """The signals of a conversation that is not in the main thread, where only those may be set."""

    def __init__(self):
        super().__init__(**{name: getattr(signal, name) for name in dir(signal) if "SIG" in name})
        self.handlers = {}

    def getsignal(self, number):
        return self.handlers.get(number, signal.SIG_DFL)

    def signal(self, number, handler):
        before, self.handlers[number] = self.getsignal(number), handler
        return before

    def send(self, number):
        self.getsignal(number)(number, None)


class Visit(PseudoTerminal):
    """A conversation in a thread of this process, at a pseudo-terminal."""

    def __init__(self, monkeypatch, signals):
        super().__init__()
        self.signals = signals
        self._files = self.open_files()
        for name, file in zip(("stdin", "stdout"), self._files, strict=True):
            monkeypatch.setattr(sys, name, file)
        self._task = Task(self._hold)

    def _hold(self):
        with create_app_session() as session:
            clear_typeahead(session.input)  # of an earlier terminal with the same file number
            return Conversation(seed=0).hold()

    def exit_code(self):
        deadline = time.monotonic() + PATIENCE
        while not self._task.wait(0.02):
            assert time.monotonic() < deadline, f"it does not end: {self.screen}"
            self.read_rest()
        self.read_rest()
        return self._task.result()

    def close(self):
        deadline = time.monotonic() + PATIENCE
        while not self._task.wait(0.02) and time.monotonic() < deadline:
            self.type("\x04")
        for file in self._files:
            file.close()
        os.close(self.keyboard)


@pytest.fixture
def short_host(monkeypatch):
    held = ShortHost()
    monkeypatch.setattr(host, "greeting", held.greeting)
    monkeypatch.setattr(host, "reply", held.reply)
    for name in UNWANTED:
        monkeypatch.delenv(name, raising=False)
    yield held
    held.go.set()


@pytest.fixture
def sit_down(monkeypatch, short_host):
    visits = []

    def call(**settings):
        monkeypatch.setenv("TERM", "xterm-256color")
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        signals = Signals()
        monkeypatch.setattr(chat, "signal", signals)
        monkeypatch.setattr(os, "_exit", lambda code: None)  # however it ends, not these tests
        visits.append(Visit(monkeypatch, signals))
        return visits[-1]

    yield call
    short_host.go.set()
    for visit in visits:
        visit.close()


@pytest.fixture
def pipe(monkeypatch, short_host):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")

    def call(script, *arguments):
        data = script if isinstance(script, bytes) else script.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with (
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()) as err,
        ):
            assert main(arguments) == 0
        assert err.getvalue() == ""
        return out.getvalue()

    return call


# The program itself

THINKS = """
import sys, time
from parlour import host
from parlour.faces.cli import main

reply = host.reply

def ponder_or_reply(session, text):
    if text == "ponder":
        sys.stdout.write("pondering\\n")
        sys.stdout.flush()
        time.sleep(600)
    return reply(session, text)

host.reply = ponder_or_reply
sys.exit(main(sys.argv[1:]))
"""


def test_benedict_greets_before_anything_heavy_is_loaded(open_terminal):
    terminal = open_terminal("--seed", "1", PYTHONPROFILEIMPORTTIME="1")
    terminal.expect("> ")
    greeting, *imported = terminal.shown.split("prompt_toolkit")
    assert "I am Benedict" in greeting
    assert imported
    assert not re.search(r"\| +(rich|numba|numpy|urllib\.request)\r", terminal.shown)
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.exit_code() == 0
    assert termios.tcgetattr(terminal.keyboard) == terminal.settings


@pytest.mark.slow
def test_ctrl_c_interrupts_a_thought_and_not_the_conversation(open_terminal):
    """A thought that does not stop does not hold the end of the program up either."""
    terminal = open_terminal(program=THINKS)
    terminal.expect("Benedict is thinking", "ponder\r")
    terminal.type("\x03\x03\x03")  # an impatient person, who does not mean to leave
    terminal.expect("I stopped thinking; everything is as it was before.")
    terminal.expect("Piles of coins", "what is nim?\r")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.exit_code() == 0


@pytest.mark.slow
def test_a_signal_ends_the_program_with_its_game_saved_and_the_terminal_restored(open_terminal):
    terminal = open_terminal(program=THINKS)
    terminal.expect("> ")
    terminal.expect("Your move", "sticks, I begin\r")
    terminal.expect("Benedict is thinking", "ponder\r")
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.exit_code() == 128 + signal.SIGTERM
    assert termios.tcgetattr(terminal.keyboard) == terminal.settings
    assert "Traceback" not in terminal.shown
    assert MemoryFile(data_folder() / "benedict.json").open(0)[0].saved.game == "sticks"


def test_an_interrupt_in_a_pipe_is_a_goodbye():
    process = subprocess.Popen(
        [sys.executable, "-c", THINKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"ponder\n")
    process.stdin.flush()
    seen = b""
    while b"pondering\n" not in seen:
        seen += process.stdout.read1()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert out.endswith(b"Goodbye.\n")


# At a terminal


def test_lines_typed_before_there_is_a_prompt_are_all_answered_in_order(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'first' as number 1", b"first\r\xff\xfe\xc3(\r")
    terminal.expect("as number 2")  # whatever was made of these bytes
    terminal.expect("heard 'third' as number 3", "third\r")


@pytest.mark.slow
def test_a_line_typed_during_a_thought_is_answered_after_it(sit_down, short_host):
    terminal = sit_down()
    terminal.expect("Benedict is thinking", "ponder\r")
    terminal.type("later\r")
    short_host.go.set()
    terminal.expect("heard 'ponder' as number 1")
    terminal.expect("heard 'later' as number 2")


def test_tab_completes_the_choices_there_are_now(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'take 2 from pile 1'", "ta\t2\t\r")
    terminal.expect("heard 'I say FArewell'", "I say FA\t\r")
    terminal.expect("heard 'farewell'", "f\t\r")
    assert terminal.exit_code() == 0


def test_ctrl_c_clears_a_line_and_leaves_at_an_empty_one(sit_down):
    terminal = sit_down()
    terminal.expect("Welcome")
    terminal.expect("heard 'that' as number 1", "this\x03that\r")
    terminal.expect("Goodbye.", "\x03")
    assert terminal.exit_code() == 0


@pytest.mark.slow
def test_an_interrupted_thought_changes_nothing_and_drops_the_lines_pasted_with_it(
    sit_down, short_host, monkeypatch
):
    """A late Ctrl-C was still meant for the thought."""
    monkeypatch.setattr(chat, "GRACE", 10_000)
    terminal = sit_down()
    terminal.expect("as number 1", "before\r")
    terminal.expect("Benedict is thinking", pasted("ponder\nunwanted\n"))
    terminal.signals.send(signal.SIGINT)
    terminal.expect("I stopped thinking; everything is as it was before.")
    assert short_host.stopped.wait(PATIENCE)
    terminal.expect("heard 'after' as number 2", "\x03after\r")


def test_a_quick_answer_has_no_spinner(sit_down, monkeypatch):
    monkeypatch.setattr(chat, "PATIENCE", PATIENCE)
    terminal = sit_down()
    terminal.expect("heard 'hello'", "hello\r")
    assert "thinking" not in terminal.shown


def test_an_error_inside_is_one_sentence_and_the_talk_goes_on(sit_down):
    terminal = sit_down()
    terminal.expect("I lost my thread", "boom\r")
    terminal.expect("I could not do that: the cellar is locked.\x1b[0m\r\n\r\n", "refuse\r")
    terminal.expect("heard 'on' as number 1", "on\r")
    assert "ZeroDivisionError" not in terminal.shown


def test_a_long_answer_is_wrapped_between_words_and_its_board_set_apart(sit_down, monkeypatch):
    line = "  " + " ".join(["whale"] * 60)
    monkeypatch.setattr(host, "reply", lambda session, text: Reply(session, (line,), "board"))
    for columns, width in ((40, 39), (10, 20), (200, 96)):
        terminal = sit_down()
        terminal.expect("> ")
        fcntl.ioctl(terminal.device, termios.TIOCSWINSZ, bytes([24, 0, columns, *[0] * 5]))
        terminal.expect("whale\r\n\r\nboard\r\n\r\n", "on\r")
        rows = re.findall("  whale(?: whale)*", terminal.shown)
        assert "".join(rows).count("whale") == 60
        assert width - len(" whale") < max(map(len, rows)) <= width
        terminal.expect("Goodbye.", again="\x04")
        assert terminal.exit_code() == 0


def test_a_signal_at_the_prompt_ends_the_visit_with_its_game_saved(sit_down):
    terminal = sit_down()
    terminal.expect("as number 1", "play\r")
    terminal.expect("> ")
    terminal.signals.send(signal.SIGTERM)
    assert terminal.exit_code() == 128 + signal.SIGTERM
    assert "Goodbye" not in terminal.shown
    assert MemoryFile(data_folder() / "benedict.json").open(0)[0].saved == SITTING


@pytest.mark.slow
def test_colours_only_where_they_are_wanted(sit_down, monkeypatch):
    def inks(**settings):
        terminal = sit_down(**settings)
        terminal.expect("Benedict is thinking", "ponder\r")
        terminal.signals.send(signal.SIGINT)
        terminal.expect("▲", "rude\r")
        terminal.expect("Goodbye.", again="\x04")
        assert terminal.exit_code() == 0
        return {ink for ink in re.findall(r"\x1b\[([\d;]*)m", terminal.shown) if ink.strip("0;")}

    assert "38;5;32" in inks()
    assert "34" in inks(TERM="xterm")
    assert inks(NO_COLOR="1") == set()


def test_a_dumb_terminal_gets_plain_text(sit_down):
    terminal = sit_down(TERM="dumb")
    terminal.expect("> ")
    terminal.expect("escape �[31m ▲", "rude\n")
    terminal.expect("> ")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.exit_code() == 0
    assert "\x1b" not in terminal.shown


def pasted(text):
    return f"\x1b[200~{text}\x1b[201~"


@pytest.mark.slow
def test_a_long_line_is_cut(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("I read its first 2,000 characters", "x" * 10_000 + "\r")
    terminal.expect("as number 1")
    terminal.expect("2,000 characters", pasted("y" * 10_000) + "\r")
    terminal.expect("as number 2")


def test_pasted_lines_are_answered_one_by_one_and_the_last_may_be_finished(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("heard 'zero one' as number 1", "zero " + pasted("one\r\nagree\n\nfor"))
    terminal.expect("heard 'agree' as number 2", "get\rlast\r")
    terminal.expect("heard 'forget' as number 3")
    terminal.expect("heard 'last' as number 4")
    terminal.expect("heard 'forget' as number 5", pasted("forget\rafter it\r"))
    terminal.expect("heard 'after it' as number 6")
    terminal.expect("> ")
    terminal.expect("heard 'after it'", again="\x1b[A\r")


def test_a_long_paste_is_cut(sit_down):
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("I read its first 200 lines", pasted("y\n" * 1_000))
    terminal.expect("as number 200")
    terminal.expect("heard 'then' as number 201", "then\r")


# Between two visits


def test_lines_of_earlier_days_come_back_and_only_their_owner_may_read_them(sit_down):
    terminal = sit_down()
    terminal.expect("heard 'an old line' as number 2", "agree\ran old line\rfarewell\r")
    assert terminal.exit_code() == 0
    path = data_folder() / "benedict.history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    terminal = sit_down()
    terminal.expect("> ")
    terminal.expect("heard 'an old line'", again="\x1b[A\x1b[A\r")


def test_lines_are_forgotten_with_the_person(sit_down):
    terminal = sit_down()
    terminal.expect("as number 2", "agree\rsecret\r")
    terminal.expect("as number 4", "forget\rafterwards\r")
    terminal.expect("as number 5", "farewell\r")
    assert terminal.exit_code() == 0
    assert not (data_folder() / "benedict.history").exists()
    assert not (data_folder() / "benedict.json").exists()


def test_without_consent_lines_come_back_today_and_are_in_no_file(sit_down):
    data_folder().mkdir(parents=True)
    (data_folder() / "benedict.history").write_text("of an earlier version\n")
    terminal = sit_down()
    terminal.expect("heard 'secret' as number 1", "secret\r")
    terminal.expect("> ")
    terminal.expect("heard 'secret'", again="\x1b[A\r")
    assert list(data_folder().iterdir()) == []
    terminal.expect("heard 'forget'", "forget\r")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.exit_code() == 0
    assert list(data_folder().iterdir()) == []


def test_a_game_in_progress_can_be_continued_at_the_next_visit(sit_down, pipe):
    terminal = sit_down()
    terminal.expect("as number 1", "play\r")
    terminal.expect("Goodbye.", again="\x04")
    assert terminal.exit_code() == 0
    assert "sticks put aside" in pipe("resume\n")
    assert "sticks put aside" in pipe("resume\nhm\n")
    assert "sticks put aside" in pipe("resume\nleave\n")
    assert "nothing put aside" in pipe("")


def test_what_is_forgotten_in_one_window_is_forgotten_in_the_other(sit_down):
    window = sit_down()
    window.expect("as number 2", "agree\rsecret\r")
    window.expect("> ")
    other = MemoryFile(data_folder() / "benedict.json")
    session, _ = other.open(0)
    other.save(session.replace(memory=Memories()))
    window.expect("as number 3", "later\r")
    window.expect("Goodbye.", again="\x04")
    assert window.exit_code() == 0
    assert {path.name for path in data_folder().iterdir()} == {".benedict.lock"}


ANN = Memories(name="Ann", likes=("whales",), agreed=True)
NIM = HostTable("nim", {"piles": [1, 2]}, ("human", "perfect"), ("1 from 1",))


@pytest.mark.parametrize(
    ("session", "known"),
    [
        (Session(memory=ANN), Session(memory=ANN)),
        (Session(memory=Memories(name="Ann")), Session()),
        (Session(saved=NIM, memory=Memories(name="Ann")), Session(saved=NIM)),
        (Session(table=NIM, saved=NIM, memory=ANN, mode="game"), Session(saved=NIM, memory=ANN)),
    ],
)
def test_nothing_is_kept_without_consent_but_a_game_put_aside(tmp_path, session, known):
    path = tmp_path / "deep" / "benedict.json"
    assert MemoryFile(path).save(session) == (session, "")
    assert MemoryFile(path).open(0) == (known, "")
    assert path.exists() == (known != Session())
    if path.exists():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_visit_that_changes_nothing_writes_nothing(tmp_path):
    """Another visit at the same time may have written something since."""
    path = tmp_path / "benedict.json"
    MemoryFile(path).save(Session(memory=ANN))
    file = MemoryFile(path)
    session, _ = file.open(0)
    path.write_text("of another program")
    assert file.save(session) == (session, "")
    assert path.read_text() == "of another program"


def test_the_file_of_lines_keeps_the_last_thousand(tmp_path):
    path = tmp_path / "benedict.history"
    path.write_text("".join(f"{number}\n" for number in range(2_500)))
    lines = LineHistory(path)
    assert lines.load_history_strings() == []
    lines.store = True
    assert lines.load_history_strings()[:2] == ["2499", "2498"]
    assert 990 < len(path.read_text().splitlines()) <= 1_000
    assert path.read_text().endswith("\n2499\n")


BOB = Memories(name="Bob", agreed=True)
NO_MORE = Memories()
LATER = HostTable("nim", {"piles": [1, 2]}, ("human", "perfect"), ("1 from 1", "2 from 2"))


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
    kept = path.read_text() if path.exists() else ""
    assert known[0] != NO_MORE or not re.search("Ann|Bob", kept)


def test_a_memory_without_consent_is_not_mixed_with_that_of_another_visit(tmp_path):
    path = tmp_path / "benedict.json"
    here, there = MemoryFile(path), MemoryFile(path)
    session, _ = here.save(Session(memory=Memories(name="Bob")))
    there.save(Session(memory=ANN))
    session, _ = here.save(session)
    assert session.memory == Memories(name="Bob")
    assert MemoryFile(path).open(0)[0].memory == ANN
    here.save(session.replace(memory=Memories()))  # forget me
    assert not path.exists()


def test_a_program_that_writes_waits_for_the_lock(tmp_path, monkeypatch):
    asked, flock = threading.Event(), fcntl.flock
    path = tmp_path / "benedict.json"
    file = MemoryFile(path)
    with (tmp_path / ".benedict.lock").open("ab") as lock:
        flock(lock, fcntl.LOCK_EX)
        monkeypatch.setattr(fcntl, "flock", lambda *how: (asked.set(), flock(*how)))
        writing = Task(lambda: file.save(Session(memory=ANN)))
        assert asked.wait(PATIENCE)
        path.write_text(json.dumps({"saved": {"game": "nim", "options": {}, "players": []}}))
    assert writing.wait(PATIENCE)
    session, _ = writing.result()
    assert (session.memory, session.saved.game) == (ANN, "nim")
    assert MemoryFile(path).open(0)[0] == session


def test_a_damaged_file_is_put_aside_with_one_sentence(pipe):
    data_folder().mkdir(parents=True)
    path = data_folder() / "benedict.json"
    for damage in (b"", b"{", b"[]", b"\xff\xfe", b'{"memory": {"name": 3}}', b"[" * 100_000):
        path.write_bytes(damage)
        out = pipe("agree\n")
        assert out.count("I could not make sense of what I kept, so I put it aside as") == 1
        assert path.with_name("benedict.json.damaged").read_bytes() == damage
        assert "Welcome, Ann" in pipe("")


def test_a_folder_that_cannot_be_written_is_reported_once(pipe):
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("in the way")
    out = pipe("agree\nagree\n")
    assert out.count(str(data_folder())) == 1
    assert "as number 2" in out


# In a pipe


def test_a_script_reads_like_a_session(pipe):
    out = pipe("hello\n\n  spaces  \r\nboom\nfarewell\nunheard\n")
    assert out.splitlines() == [
        "Welcome, stranger, nothing put aside.",
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
    assert pipe("hello").splitlines()[1:] == [
        *("> hello", "heard 'hello' as number 1", "> ", "Goodbye.")
    ]


def test_control_characters_do_not_reach_the_reader(pipe):
    out = pipe(b"\x1b[31m\xff\x00\x07\nrude\n")
    assert "> �[31m�" in out
    assert "bell �, escape �[31m ▲\n1 �\n2�3\n" in out
    assert not set(out) & {"\x1b", "\x07", "\x00", "\x9b", "\u202e"}


def test_a_long_line_of_a_script_is_cut(pipe):
    out = pipe("x" * 100_000 + "\nnext\n" + "y" * 100_000)
    assert out.count("I read its first 2,000 characters") == 2
    assert "heard 'next' as number 2" in out
    assert len(out) < 2_000


def test_parlour_alone_and_parlour_chat_are_the_same(monkeypatch, capsys):
    def talk(*arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert main(arguments) == 0
        return capsys.readouterr().out

    alone = talk("--seed", "1")
    assert alone == talk("chat", "--seed=1")
    assert alone.endswith("> \nGoodbye.\n")


def test_clean_keeps_every_alphabet():
    assert clean("Καλημέρα 你好 नमस्ते می\u200cخواهم") == "Καλημέρα 你好 नमस्ते می\u200cخواهم"
    assert clean("a\tb\u00a0c\u2028d\x85\ud800") == "a b c d �"
    assert len(clean("x" * 10**6)) <= 20_000


def test_a_thought_is_not_stopped_while_it_compiles(monkeypatch):
    space = {"__name__": "numba.core", "go": threading.Event()}
    exec("def compile():\n    while not go.wait(0.01): pass\n    return 'compiled'", space)  # noqa: S102
    looks, is_compiling = threading.Semaphore(0), chat.is_compiling

    def look(ident):
        looks.release()
        return is_compiling(ident)

    monkeypatch.setattr(chat, "is_compiling", look)
    task = Task(space["compile"])
    task.abandon()
    assert all(looks.acquire(timeout=PATIENCE) for _ in range(3))
    space["go"].set()
    assert task.wait(PATIENCE)
    assert task.result() == "compiled"


# A model


def test_a_model_speaks_the_small_talk_and_nothing_else(pipe):
    with endpoint(lambda _: say("They sing,\n\x1b[31m I am told.")) as (url, requests):
        out = pipe("talk\nwhales\nnim\n", "--model", url, "--model-name", "m")
    assert "They sing, �[31m I am told." in out
    assert "heard 'whales'" not in out
    assert "heard 'talk' as number 1" in out
    assert "heard 'nim' as number 3" in out
    assert [request.path for request in requests] == ["/v1/chat/completions"]
    assert requests[0].body["model"] == "m"
    assert requests[0].body["messages"][-1] == {"role": "user", "content": "whales"}


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
)
def test_an_unusable_answer_of_a_model_is_ignored(answer):
    with endpoint(lambda _: answer) as (url, asked):
        model = Model(url, timeout=0.1 if answer.hangs else PATIENCE)
        assert model.rephrase("whales", "Whales are mammals.") == ""
        assert len(asked) == 1 or answer.hangs


def test_a_model_that_keeps_failing_is_asked_no_more():
    with endpoint(lambda _: Answer(status=500)) as (url, requests):
        model = Model(url)
        for _ in range(MAX_FAILURES + 3):
            assert model.rephrase("whales", "Whales are mammals.") == ""
        assert len(requests) == MAX_FAILURES


def test_a_long_answer_of_a_model_is_cut():
    with endpoint(lambda _: say("la " * 10_000)) as (url, _):
        assert len(Model(url).rephrase("whales", "own")) <= MAX_REPLY


def test_an_address_of_a_model_is_a_web_address():
    for url in ("file:///etc/passwd", "localhost:8080", "", "http://", "http://["):
        with pytest.raises(ParlourError, match="--model needs an address like http"):
            Model(url)


def test_a_question_that_a_model_replaced_is_not_awaited():
    talking = Session(mode="talk", talk=Talk(topic="whale"))
    asking = talking.replace(talk=Talk(topic="whale", asked="like.0|whale|", recent=("Whales?",)))
    own = Reply(asking, ("Whales?",), choices=("done",))
    with endpoint(lambda _: say("Do they sing?")) as (url, _):
        reply = rephrase(Model(url), talking, "whales", own)
    assert reply.lines == ("Do they sing?",)
    assert (reply.session.talk.asked, reply.session.talk.topic) == ("", "whale")
    assert reply.choices == own.choices
    assert rephrase(Model("http://127.0.0.1:1"), talking, "whales", own) == own


def test_only_talk_that_changes_nothing_is_small_talk():
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
        (talking, "yes", Reply(said.replace(memory=Memories(agreed=True)), ("I shall.",))),
        (talking, "why do you always win?", Reply(said, ("It is proven.",))),
        (talking, "why?", Reply(said, ("The nim-sum is 0.",))),
        (talking, "xyzzy", Reply(talking, ("I don't understand",))),
        (talking, "whales", Reply(said, ("Here.",), board="x")),
    ]:
        assert not is_small_talk(before, text, reply)
