"""Strangers' bots at the referee's table: what they are sent, and what their answers lead to."""

import json
import pickle
import re
import shutil
from pathlib import Path
from typing import get_args

import pytest
from tests.needs import need

import parlour
from parlour.arena.plan import GTP, PROGRAM, PYTHON, Entry, Limits, Plan, read_entry
from parlour.arena.results import Fault, FaultKind, ProcessLost
from parlour.arena.sandbox import launcher, namespaces, referee_side
from parlour.core import Clock, ParlourError
from parlour.core.protocol import Resigns
from parlour.core.referee import Match
from parlour.players import process
from parlour.players.process import Pipe

ROOT = Path(__file__).parents[2]
PERL_BOT = ROOT / "examples" / "line_bot.pl"
PYTHON_BOT = ROOT / "examples" / "my_bot.py"

unconfined = pytest.mark.usefixtures("unconfined")


@pytest.fixture
def sandbox():
    """Bots are isolated; their fork servers end with the test."""
    need(not launcher.why_unavailable(), launcher.why_unavailable())
    yield
    launcher.open_servers.cache_clear()


@pytest.fixture
def session(monkeypatch):
    """All lines between the referee and the bots; no answer is late."""
    lines = []
    write, read = Pipe.write_line, Pipe.read_line

    def write_line(pipe, line, _):
        lines.append(("referee", json.loads(line)))
        write(pipe, line)

    def read_line(pipe, _):
        lines.append(("bot", json.loads(line := read(pipe))))
        return line

    monkeypatch.setattr(Pipe, "write_line", write_line)
    monkeypatch.setattr(Pipe, "read_line", read_line)
    return lines


def play(plan, *others, seed=5, strong=True):
    """A game of the plan's first entry against others, who are asked in this process."""
    game = plan.make_game()
    match = Match(game, [plan.entries[0].name, *(bot.name for bot in others)])
    bot = referee_side.start_bot(plan.entries[0], plan, game, 0, seed, match.players, strong)
    try:
        while not match.over:
            player = (bot, *others)[match.turn]
            if player is bot:
                bot.follow(game, match.moves)
                if plan.clock is not None:
                    bot.clock(plan.clock.each)
            match.play(player.choose(game, match.state))
    finally:
        bot.close()
    return match


def start_alone(entry):
    plan = Plan("nim", (entry,), options={"piles": (3, 3)})
    game = plan.make_game()
    return game, referee_side.start_bot(entry, plan, game, 0, 1, ("it", "other"), strong=True)


def write_bot(folder, text, name="written.py"):
    """A bot whose function has these lines."""
    path = folder / name
    body = "".join(f"    {line}\n" for line in text.splitlines())
    path.write_text(f"def choose(game, state):\n{body}", encoding="utf-8")
    return Entry(path.stem, PYTHON, str(path))


def write_program(folder, text, kind=PROGRAM):
    path = folder / "program.sh"
    path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return Entry("program", kind, str(path))


def perl_entry():
    need(shutil.which("perl"), "there is no Perl here")
    return Entry("line_bot", PROGRAM, str(PERL_BOT))


# The protocol as the book has it


@pytest.mark.sandbox
def test_the_session_in_the_book_is_the_one_that_is_held(session, sandbox):
    book = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    text = re.search(r"```text\n(.*?)```", book, re.DOTALL)[1].splitlines()
    shown = [(line.split()[0], json.loads(line[8:])) for line in text]
    plan = Plan("nim", (perl_entry(),), options={"piles": (1, 3)}, clock=Clock(each=1.0))
    match = play(plan, parlour.bot("perfect", seed=1))
    assert shown == session
    assert match.result == (1, -1)


@unconfined
def test_the_book_names_every_field_and_every_fault(session):
    book = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    play(Plan("tictactoe", (perl_entry(),)), parlour.bot("random", seed=1))
    for _, line in session:
        for name in line.keys() - {"type", "move"}:
            assert f"| `{name}` |" in book
    for fault in get_args(FaultKind):
        assert f"| `{fault}` |" in book


def test_the_book_states_the_limits_as_they_are():
    book = " ".join((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split())
    usual = Limits()
    assert f"{usual.think:g} seconds per move unless" in book
    assert f"another of {usual.start:g} until" in book
    assert f"{usual.memory:,} MiB of memory and {usual.processes} processes" in book
    assert f"write {namespaces.SCRATCH} MiB in up to" in book
    assert f"the first {process.MAX_LISTED:,} of them" in book


# Games


@unconfined
def test_the_example_in_perl_plays_every_game_of_the_house_and_one_in_a_file():
    for name in (*parlour.games(), str(ROOT / "examples" / "kayles.py")):
        match = play(Plan(name, (perl_entry(),)), parlour.bot("random", seed=1))
        assert match.over, name


@pytest.mark.sandbox
def test_the_example_in_python_plays_as_it_does_at_home(sandbox):
    plan = Plan("sticks", (Entry("my_bot", PYTHON, str(PYTHON_BOT)),))
    match = play(plan, parlour.bot("random", seed=1))
    at_home = parlour.core.registry.find("bots", PYTHON_BOT)()
    expected = parlour.match("sticks", [at_home, parlour.bot("random", seed=1)])
    assert tuple(match.moves) == expected.moves


@unconfined
def test_the_same_seed_gives_the_same_game(tmp_path):
    entry = write_bot(
        tmp_path,
        "import random\nfrom numpy.random import default_rng\nmoves = game.moves(state)\n"
        "return moves[(random.randrange(99) + default_rng().integers(99)) % len(moves)]",
    )
    games = [
        play(Plan("tictactoe", (bot,)), parlour.bot("random", seed=1), seed=seed).moves
        for bot in (entry, perl_entry())
        for seed in (1, 1, 2, 3, 4)
    ]
    assert games[0] == games[1]
    assert games[5] == games[6]
    assert len(set(map(tuple, games[:5]))) > 1


@unconfined
def test_a_pile_of_a_billion_is_not_listed(session):
    plan = Plan("nim", (perl_entry(),), options={"piles": (10**9,)})
    game = plan.make_game()
    bot = referee_side.start_bot(plan.entries[0], plan, game, 0, 1, ("it", "other"), strong=True)
    pile, amount = bot.choose(game, game.start())
    bot.close()
    question = session[2][1]
    assert question["moves"][-1] == "1000 from 1"
    assert question["count"] == 10**9
    assert (pile, 1 <= amount <= 1000) == (0, True)


@unconfined
def test_a_bot_with_options_and_a_clock_is_given_both(tmp_path):
    (tmp_path / "wise.py").write_text(
        """from dataclasses import dataclass
from parlour import option
@dataclass
class Wise:
    name = 'wise'
    depth: int = option(1, 'how far it looks')
    def clock(self, seconds): self.seconds = seconds
    def choose(self, game, state): raise ValueError([self.depth, self.seconds])
"""
    )
    entry = Entry("wise", PYTHON, f"{tmp_path / 'wise.py'} depth=7")
    with pytest.raises(Fault, match=re.escape("crashed: ValueError: [7, 2.5] (line 8 of")):
        play(Plan("nim", (entry,), clock=Clock(each=2.5)), parlour.bot("random"))


# Faults


@unconfined
def test_a_bot_that_resigns_gives_its_reason(tmp_path):
    resigns = "from parlour.core.protocol import Resigns\nraise Resigns('I see it\\x1b[2J coming')"
    with pytest.raises(Resigns, match=re.escape("I see it?[2J coming")):
        play(Plan("nim", (write_bot(tmp_path, resigns),)), parlour.bot("random"))


NO_ANSWER = "which is not an answer"
MEMORY = ("memory", "used more than 1024 MiB of memory")
PROCESSES = ("processes", "had more than 32 processes")
PAUSED = ("time", "went on thinking in the opponent's time")
NO_MOVE = "'x9' is not a move; type how many from which pile, like '2 from 3'"
HANGS = "exec sleep 60"
ANSWERS = [
    # what a program answers to the question for a move, the fault and its reason
    ("1 from 1", "garbage", f"printed '1 from 1', {NO_ANSWER}"),
    ("[1, 2]", "garbage", f"printed '[1, 2]', {NO_ANSWER}"),
    ("[" * 100_000, "garbage", f"printed '{'[' * 38}…, {NO_ANSWER}"),
    ('{"type": "ready"}', "garbage", f'printed \'{{"type": "ready"}}\', {NO_ANSWER}'),
    ('{"type": "move"}', "garbage", f'printed \'{{"type": "move"}}\', {NO_ANSWER}'),
    (
        '{"type": "move", "move": "x9"}',
        "illegal",
        f"chose 'x9', which is not a legal move: {NO_MOVE}",
    ),
    ('{"type": "error", "why": "no idea\\u001b"}', "crash", "crashed: no idea?"),
    ('{"type": "error", "fault": "start"}', "crash", "crashed:"),
    ('{"type": "error", "fault": "memory"}', *MEMORY),
    ('{"type": "error", "fault": "processes"}', *PROCESSES),
    ('{"type": "error", "fault": "illegal", "why": "chose it"}', "illegal", "chose it"),
    ("x" * 1_100_000, "output", "wrote more than 1,048,576 characters without a new line"),
]
ENDINGS = [
    # what a program does when it is asked for a move, the fault and its reason
    ("exit 3", "crash", "ended with code 3"),
    ("exit 0", "crash", "ended before the game did"),
    ("exit 139", "crash", "was ended by SIGSEGV"),
    (f"exit {namespaces.OUT_OF_MEMORY}", *MEMORY),
    (f"exit {namespaces.TOO_MANY_PROCESSES}", *PROCESSES),
    (f"exit {namespaces.RAN_WHILE_PAUSED}", *PAUSED),
    (f"exec >&-; {HANGS}", "output", "closed its output"),
]
READY = 'read question\necho \'{"type": "ready"}\'\nread question\n'


def find_fault(entry, game="nim", **conditions):
    """The fault by which a bot loses at once, and its reason."""
    with pytest.raises(Fault) as caught:
        play(Plan(game, (entry,), **conditions), parlour.bot("random"))
    return caught.value.fault, str(caught.value)


@pytest.mark.slow
@unconfined
def test_each_wrong_answer_and_each_end_of_a_program_is_the_right_fault(tmp_path):
    answer, wrong = tmp_path / "answer", []
    for text, *expected in (*ANSWERS, *ENDINGS):
        answer.write_text(f"{text}\n" if len(text) < 1_000_000 else text, encoding="utf-8")
        action = text if (text, *expected) in ENDINGS else f"cat {answer}; cat"
        found = find_fault(write_program(tmp_path, READY + action))
        if found != tuple(expected):
            wrong.append(f"{text[:80]}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


@unconfined
def test_a_bot_that_is_late_loses_by_the_clock_it_has(tmp_path):
    entry = write_program(tmp_path, READY + HANGS)
    late = "took longer than 0.02 s for a move"
    assert find_fault(entry, clock=Clock(each=0.02)) == ("time", late)
    assert find_fault(entry, limits=Limits(think=0.02)) == ("time", late)
    plan = Plan("nim", (entry,), clock=Clock(total=0.02))
    bot = referee_side.start_bot(entry, plan, plan.make_game(), 0, 1, ("it", "other"), True)
    bot.clock(0.02)
    with pytest.raises(Fault, match=r"^ran out of time$"):
        bot.choose(plan.make_game(), plan.make_game().start())
    bot.close()


@unconfined
def test_an_answer_before_the_question_is_garbage(tmp_path):
    entry = write_program(tmp_path, f"read question\necho early\n{READY}")
    assert find_fault(entry) == ("garbage", f"printed 'early', {NO_ANSWER}")
    twice = 'read question\nprintf \'{"type": "ready"}\\nmore\\n\'\ncat'
    assert find_fault(write_program(tmp_path, twice)) == (
        "garbage",
        "printed 'more' without being asked",
    )


@unconfined
def test_an_answer_may_have_unknown_fields(tmp_path):
    answer = 'echo \'{"type": "move", "move": " 3  FROM 1", "sure": 0.9}\'; cat'
    plan = Plan("nim", (write_program(tmp_path, READY + answer),), options={"piles": (3,)})
    assert play(plan, parlour.bot("random")).result == (1, -1)


@unconfined
def test_a_bot_that_cannot_start_has_its_reason(tmp_path):
    (tmp_path / "plain.txt").write_text("hello", encoding="utf-8")
    picky = "class Picky:\n name = 'picky'\n def plays(self, game): return ''\n"
    (tmp_path / "picky.py").write_text(f"{picky} def choose(self, game, state): return None\n")
    for kind, what, why in (
        (PROGRAM, str(tmp_path / "plain.txt"), "cannot be started: Permission denied"),
        (PROGRAM, "no-such-program", "cannot be started: No such file or directory"),
        (PYTHON, str(tmp_path / "picky.py"), "could not start: picky does not play nim"),
    ):
        assert find_fault(Entry("it", kind, what)) == ("start", why)
    deaf = write_program(tmp_path, HANGS)
    assert find_fault(deaf, limits=Limits(start=0.02)) == ("start", "was not ready after 0.02 s")
    crash = write_program(tmp_path, "exit 3")
    assert find_fault(crash) == ("start", "ended with code 3")


def test_a_fault_goes_from_process_to_process():
    fault = Fault("crash", "crashed:\tbadly", "line 1\x1b\nline 2")
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own
    assert (again.fault, str(again), again.log) == ("crash", "crashed: badly", "line 1?\nline 2")


@unconfined
def test_a_file_that_has_changed_since_it_was_entered_does_not_play(tmp_path):
    """It would be another bot, under the name and with the games of the first."""
    python, perl = "def choose(game, state): return game.moves(state)[0]\n", PERL_BOT.read_text()
    for name, text, more, subject in (
        ("ann.py", python, "#", "the file ann.py"),
        ("bert.pl", perl, "\n", "bert"),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        entry = read_entry(str(path), parlour.game("nim"))
        game, bot = start_alone(entry)
        assert bot.choose(game, game.start()) in game.moves(game.start())
        bot.close()
        path.write_text(text + more, encoding="utf-8")
        with pytest.raises(ParlourError, match=f"^{subject} has changed since") as caught:
            start_alone(entry)
        assert not isinstance(caught.value, Fault)


# GTP


@pytest.mark.slow
@unconfined
def test_all_commands_of_a_turn_in_gtp_share_its_time(tmp_path):
    """It needs a third of a second for each command, and has half a one for a move."""
    answer = "[ $command = boardsize ] || sleep 0.35; printf '=\\n\\n'"
    entry = write_program(tmp_path, f"while read command rest; do\n{answer}\ndone\n", GTP)
    late = "took longer than 0.5 s for a move"
    assert find_fault(entry, "othello", clock=Clock(each=0.5)) == ("time", late)


@unconfined
def test_an_answer_in_gtp_has_an_end(tmp_path):
    lines = "printf '= x\\n'; head -c 200000 /dev/zero | tr '\\0' x | fold -w 1000; printf '\\n\\n'"
    entry = write_program(tmp_path, f"while read command rest; do\n{lines}\ndone\n", GTP)
    fault, why = find_fault(entry, "othello")
    assert (fault, why[:40]) == ("start", "answered more than 65,536 characters to ")


# Processes that are lost


def ask_until_it_fails(game, bot):
    """It may still have an answer ready."""
    while True:
        bot.choose(game, game.start())


@unconfined
def test_the_end_of_a_supervisor_is_not_the_bots_fault(tmp_path):
    game, bot = start_alone(write_program(tmp_path, f"{READY}kill -9 $$"))
    with pytest.raises(ProcessLost, match="was ended by SIGKILL") as caught:
        bot.choose(game, game.start())
    assert not isinstance(caught.value, ParlourError)
    bot.close()
    no_sandbox = f"{READY}echo no namespaces >&2; exit {namespaces.NO_SANDBOX}"
    game, bot = start_alone(write_program(tmp_path, no_sandbox))
    with pytest.raises(ParlourError, match="no namespaces") as caught:
        bot.choose(game, game.start())
    assert not isinstance(caught.value, Fault)
    bot.close()


@pytest.mark.sandbox
@pytest.mark.long
def test_when_a_fork_server_is_killed_it_is_not_the_bots_fault(tmp_path, sandbox):
    first = write_bot(tmp_path, "return game.moves(state)[0]")
    game, bot = start_alone(first)
    server = launcher.bot_server("nim", '{"piles": [3, 3]}')
    server.process.kill()
    with pytest.raises(ProcessLost, match="was ended by SIGKILL"):
        ask_until_it_fails(game, bot)
    bot.close()
    game, bot = start_alone(first)  # from another fork server
    assert bot.choose(game, game.start()) == (0, 1)
    bot.close()
    lost = launcher.BotServer("nim", "{}")
    lost.process.kill()
    with pytest.raises(ProcessLost, match="starts bots for nim was lost"):
        lost.start("x.py", "x.py", Limits(), strong=True)
