"""Strangers' bots at the referee's table: what they are told, and what is made of their answers."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import time
from pathlib import Path
from typing import get_args

import pytest
from tests.needs import need

import parlour
from parlour.arena.plan import GTP, PROGRAM, PYTHON, Entry, Limits, Plan, read_entry
from parlour.arena.results import Fault, FaultKind, ProcessLost
from parlour.arena.sandbox import (
    launcher as sandbox,
)
from parlour.arena.sandbox import namespaces
from parlour.arena.sandbox import (
    referee_side as apart,
)
from parlour.core import Clock
from parlour.core.protocol import Resigns
from parlour.core.referee import Match
from parlour.players.process import Pipe

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[2]
PERL_BOT = ROOT / "examples" / "line_bot.pl"


@pytest.fixture(scope="module", autouse=True)
def _shut_in():
    need(not sandbox.why_unavailable(), f"no bot can be shut in here: {sandbox.why_unavailable()}")
    yield
    sandbox.open_servers.cache_clear()


@pytest.fixture
def spoken(monkeypatch):
    """All lines between the referee and the bots."""
    lines = []
    say, hear = Pipe.write_line, Pipe.read_line

    def said(pipe, line, *seconds):
        lines.append(("referee", json.loads(line)))
        say(pipe, line, *seconds)

    def heard(pipe, *seconds):
        lines.append(("bot", json.loads(line := hear(pipe, *seconds))))
        return line

    monkeypatch.setattr(Pipe, "write_line", said)
    monkeypatch.setattr(Pipe, "read_line", heard)
    return lines


def played(plan, *others, seed=5, strong=True):
    """A game of the plan's first entry against others, who are asked in this process."""
    game = plan.make_game()
    match = Match(game, [plan.entries[0].name, *(bot.name for bot in others)])
    bot = apart.start_bot(plan.entries[0], plan, game, 0, seed, match.players, strong=strong)
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


def written(folder, text, name="written.py"):
    """A bot whose function has these lines."""
    path = folder / name
    body = "".join(f"    {line}\n" for line in text.splitlines())
    path.write_text(f"def choose(game, state):\n{body}", encoding="utf-8")
    return Entry(path.stem, PYTHON, str(path))


def perl_entry():
    need(shutil.which("perl"), "there is no Perl here")
    return Entry("line_bot", PROGRAM, str(PERL_BOT))


def test_the_session_in_the_book_is_what_is_said(spoken):
    book = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    session = re.search(r"```text\n(.*?)```", book, re.DOTALL)[1].splitlines()
    shown = [(line.split()[0], json.loads(line[8:])) for line in session]
    plan = Plan("nim", (perl_entry(),), options={"piles": (1, 3)}, clock=Clock(each=1.0))
    match = played(plan, parlour.bot("perfect", seed=1))
    assert shown == spoken
    assert match.result == (1, -1)


def test_the_book_names_every_field_and_every_fault(spoken):
    book = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    played(Plan("tictactoe", (perl_entry(),)), parlour.bot("random", seed=1))
    for _, line in spoken:
        for name in line.keys() - {"type", "move"}:
            assert f"| `{name}` |" in book
    for fault in get_args(FaultKind):
        assert f"| `{fault}` |" in book


def test_the_book_tells_the_limits_as_they_are():
    book = " ".join((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split())
    usual = Limits()
    assert f"{usual.think:g} seconds per move unless" in book
    assert f"another of {usual.start:g} until" in book
    assert f"{usual.memory:,} MiB of memory and {usual.processes} processes" in book
    assert f"write {namespaces.SCRATCH} MiB in up to" in book
    assert f"the first {apart.MAX_LISTED:,} of them" in book


def test_the_example_in_perl_plays_every_game_of_the_house():
    for name in parlour.games():
        match = played(Plan(name, (perl_entry(),)), parlour.bot("random", seed=1))
        assert match.over, name


def test_the_same_seed_gives_the_same_game(tmp_path):
    entry = written(tmp_path, "import random\nreturn random.choice(game.moves(state))")
    games = [
        played(Plan("tictactoe", (bot,)), parlour.bot("random", seed=1), seed=seed).moves
        for bot in (entry, perl_entry())
        for seed in (1, 1, 2, 3, 4)
    ]
    assert games[0] == games[1]
    assert games[5] == games[6]
    assert len(set(map(tuple, games[:5]))) > 1


def test_words_in_a_set_have_the_same_order_in_every_fork_server(tmp_path):
    entry = written(tmp_path, "raise ValueError(''.join(set('abcdefgh')))")
    said = set()
    for _ in range(2):
        sandbox.open_servers.cache_clear()
        with pytest.raises(Fault) as caught:
            played(Plan("nim", (entry,)), parlour.bot("random", seed=1))
        said.add(str(caught.value))
    assert len(said) == 1


def test_a_pile_of_a_billion_is_not_listed(spoken):
    """The list stops at 1,000, and the number of all moves is told."""
    plan = Plan("nim", (perl_entry(),), options={"piles": (10**9,)})
    game = plan.make_game()
    bot = apart.start_bot(plan.entries[0], plan, game, 0, 1, ("line_bot", "nobody"), strong=True)
    pile, amount = bot.choose(game, game.start())
    bot.close()
    question = spoken[2][1]
    assert question["moves"][-1] == "1000 from 1"
    assert question["count"] == 10**9
    assert (pile, 1 <= amount <= 1000) == (0, True)


def test_a_bot_with_options_and_a_clock_is_given_both(tmp_path):
    (tmp_path / "wise.py").write_text(
        "from dataclasses import dataclass\n"
        "from parlour import option\n"
        "@dataclass\n"
        "class Wise:\n"
        "    name = 'wise'\n"
        "    depth: int = option(1, 'how far it looks')\n"
        "    def clock(self, seconds): self.seconds = seconds\n"
        "    def choose(self, game, state): raise ValueError([self.depth, self.seconds])\n",
        encoding="utf-8",
    )
    entry = Entry("wise", PYTHON, f"{tmp_path / 'wise.py'} depth=7")
    with pytest.raises(Fault, match=re.escape("crashed: ValueError: [7, 2.5] (line 8 of")):
        played(Plan("nim", (entry,), clock=Clock(each=2.5)), parlour.bot("random"))


@pytest.mark.parametrize("name", ["tictactoe", "chopsticks", "sticks", "othello"])
def test_the_example_in_python_plays_as_it_does_at_home(name):
    """The same moves, whether it is asked in its own process or in ours."""
    path = ROOT / "examples" / "my_bot.py"
    plan = Plan(name, (Entry("my_bot", PYTHON, str(path)),))
    match = played(plan, parlour.bot("random", seed=1))
    at_home = parlour.core.registry.from_file("bots", path)()
    expected = parlour.match(plan.make_game(), [at_home, parlour.bot("random", seed=1)])
    assert tuple(match.moves) == expected.moves


def test_a_game_in_a_file_can_be_played():
    plan = Plan(str(ROOT / "examples" / "kayles.py"), (perl_entry(),))
    assert played(plan, parlour.bot("random", seed=1)).over
    python = Plan(plan.game, (Entry("my_bot", PYTHON, str(ROOT / "examples" / "my_bot.py")),))
    assert played(python, parlour.bot("random", seed=1)).over


def test_whoever_agreed_to_it_can_do_without_the_sandbox(tmp_path):
    (tmp_path / "mine.txt").write_text("1", encoding="ascii")
    reader = f"return game.moves(state)[int(open({str(tmp_path / 'mine.txt')!r}).read())]"
    plan = Plan("nim", (written(tmp_path, reader),), options={"piles": (2, 2)})
    match = played(plan, parlour.bot("perfect"), strong=False)
    assert match.moves[0] == "2 from 1"
    assert played(Plan("nim", (perl_entry(),)), parlour.bot("random"), strong=False).over
    with pytest.raises(Fault, match="FileNotFoundError"):
        played(plan, parlour.bot("perfect"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "written.py"]


def test_who_resigns_says_so(tmp_path):
    resigns = "from parlour.core.protocol import Resigns\nraise Resigns('I see it\\x1b[2J coming')"
    entry = written(tmp_path, resigns)
    with pytest.raises(Resigns, match=re.escape("I see it?[2J coming")):
        played(Plan("nim", (entry,)), parlour.bot("random"))


def shell(folder, *answers):
    """A program that says it is ready and then, whatever it is asked, these lines."""
    path = folder / "answers.sh"
    lines = [
        f"read question\nprintf '%s\\n' '{answer}'" for answer in ('{"type": "ready"}', *answers)
    ]
    path.write_text("\n".join(["#!/bin/sh", *lines, "cat"]), encoding="utf-8")
    path.chmod(0o755)
    return Entry("answers", PROGRAM, str(path))


@pytest.mark.parametrize(
    ("answer", "fault", "reason"),
    [
        ("1 from 1", "garbage", "printed '1 from 1', which is not an answer"),
        ("[1, 2]", "garbage", "printed '[1, 2]', which is not an answer"),
        ("[" * 100_000, "garbage", f"printed '{'[' * 38}…, which is not an answer"),
        (
            '{"type": "ready"}',
            "garbage",
            'printed \'{"type": "ready"}\', which is not an answer',
        ),
        ('{"type": "move"}', "garbage", "answered with a move that is not text: None"),
        (
            '{"type": "move", "move": "x9"}',
            "illegal",
            "chose 'x9', which is not a legal move: "
            "'x9' is not a move; say how many from which pile, like '1 from 2'",
        ),
        ('{"type": "error", "why": "no idea\\u001b"}', "crash", "crashed: no idea?"),
        ('{"type": "error", "fault": "start"}', "crash", "crashed:"),
    ],
)
def test_an_answer_that_is_none_is_a_fault(tmp_path, answer, fault, reason):
    with pytest.raises(Fault) as caught:
        played(Plan("nim", (shell(tmp_path, answer),)), parlour.bot("random"))
    assert (caught.value.fault, str(caught.value)) == (fault, reason)


def test_an_answer_may_have_fields_that_nobody_knows(tmp_path):
    entry = shell(tmp_path, '{"type": "move", "move": " 3  FROM 1", "sure": 0.9}')
    plan = Plan("nim", (entry,), options={"piles": (3,)})
    assert played(plan, parlour.bot("random")).result == (1, -1)


def test_who_is_not_ready_in_time_never_started(tmp_path):
    path = tmp_path / "deaf.sh"
    path.write_text("#!/bin/sh\nsleep 60\n", encoding="utf-8")
    path.chmod(0o755)
    plan = Plan("nim", (Entry("deaf", PROGRAM, str(path)),), limits=Limits(start=0.5))
    with pytest.raises(Fault, match=r"^was not ready after 0\.5 s$") as caught:
        played(plan, parlour.bot("random"))
    assert caught.value.fault == "start"


def test_what_cannot_be_started_says_why(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text("hello", encoding="utf-8")
    for what, why in (
        (str(path), "cannot be started: Permission denied"),
        ("no-such-program", "cannot be started: No such file or directory"),
    ):
        with pytest.raises(Fault) as caught:
            played(Plan("nim", (Entry("it", PROGRAM, what),)), parlour.bot("random"))
        assert (caught.value.fault, str(caught.value)) == ("start", why)


def test_a_bot_that_does_not_play_this_game_cannot_start(tmp_path):
    (tmp_path / "picky.py").write_text(
        "class Picky:\n"
        "    name = 'picky'\n"
        "    def plays(self, game): return ''\n"
        "    def choose(self, game, state): return None\n",
        encoding="utf-8",
    )
    plan = Plan("nim", (Entry("picky", PYTHON, str(tmp_path / "picky.py")),))
    with pytest.raises(Fault, match=r"^could not start: picky does not play nim$"):
        played(plan, parlour.bot("random"))


def test_a_fault_goes_from_process_to_process():
    fault = Fault("crash", "crashed:\tbadly", "line 1\x1b\nline 2")
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own
    assert (again.fault, str(again), again.log) == ("crash", "crashed: badly", "line 1?\nline 2")


def test_a_program_that_speaks_gtp_is_shut_in_too(tmp_path):
    """It answers with the one move that it knows, and ends when it is asked for another."""
    path = tmp_path / "engine.sh"
    path.write_text(
        "#!/bin/sh\n"
        'while read command rest; do case "$command" in\n'
        "genmove) [ -r " + str(ROOT / "README.md") + ' ] && exit 4; [ -n "$asked" ] && exit 5;\n'
        "  asked=1; printf '= D3\\n\\n';;\n"
        "list_commands) printf '= play\\ngenmove\\n\\n';;\n"
        "*) printf '=\\n\\n';; esac; done\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    entry = Entry("engine", GTP, str(path))
    with pytest.raises(Fault) as caught:
        played(Plan("othello", (entry,), options={"opening": "standard"}), parlour.bot("random"))
    assert (caught.value.fault, str(caught.value)) == ("crash", "ended with code 5")


def gtp_program(folder, answer):
    """A program that speaks GTP and answers every command by this line of a shell."""
    path = folder / "engine.sh"
    path.write_text(f"#!/bin/sh\nwhile read command rest; do\n{answer}\ndone\n", encoding="utf-8")
    path.chmod(0o755)
    return Entry("engine", GTP, str(path))


def test_all_that_a_program_is_told_in_gtp_is_on_its_own_time(tmp_path):
    """It needs a third of a second for each command, and has half a one for a move."""
    entry = gtp_program(tmp_path, "[ $command = boardsize ] || sleep 0.35; printf '=\\n\\n'")
    plan = Plan("othello", (entry,), clock=Clock(each=0.5))
    begun = time.monotonic()
    with pytest.raises(Fault, match=r"^took longer than 0\.5 s for a move$") as caught:
        played(plan, parlour.bot("random"))
    assert caught.value.fault == "time"
    assert time.monotonic() - begun < 10


def test_an_answer_in_gtp_has_an_end(tmp_path):
    lines = "printf '= x\\n'; head -c 200000 /dev/zero | tr '\\0' x | fold -w 1000; printf '\\n\\n'"
    plan = Plan("othello", (gtp_program(tmp_path, lines),))
    with pytest.raises(Fault, match="answered more than 65,536 characters to"):
        played(plan, parlour.bot("random"))


def test_a_file_that_only_its_owner_may_read_is_played_all_the_same(tmp_path):
    """As root finds them in a class where everybody has a home."""
    entry = written(tmp_path, "return game.moves(state)[0]")
    Path(entry.what).chmod(0o600)
    assert played(Plan("nim", (entry,)), parlour.bot("random", seed=1)).over


def test_a_fork_server_that_was_killed_is_started_again(tmp_path):
    plan = Plan("sticks", (written(tmp_path, "return game.moves(state)[0]"),))
    assert played(plan, parlour.bot("random", seed=1)).over
    home = sandbox.bot_server("sticks", "{}")
    home.process.kill()
    home.process.wait()
    assert played(plan, parlour.bot("random", seed=1)).over
    assert sandbox.bot_server("sticks", "{}") is not home


def test_a_file_that_has_changed_since_it_was_entered_does_not_play(tmp_path):
    """It would be another bot, under the name and with the games of the first."""
    for name, text, more, told in (
        (
            "ann.py",
            "def choose(game, state):\n    return game.moves(state)[0]\n",
            "#",
            "the file ann.py",
        ),
        ("bert.pl", PERL_BOT.read_text(encoding="utf-8"), "\n", "bert"),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        entry = read_entry(str(path), parlour.game("nim"))
        game, bot = lone_bot(entry)
        assert bot.choose(game, game.start()) in game.moves(game.start())
        bot.close()
        path.write_text(text + more, encoding="utf-8")
        with pytest.raises(parlour.ParlourError, match=f"^{told} has changed since") as caught:
            lone_bot(entry)
        assert not isinstance(caught.value, Fault)


def asked_on_and_on(game, bot):
    """For it may still have an answer ready."""
    while True:
        bot.choose(game, game.start())


def lone_bot(entry):
    plan = Plan("nim", (entry,), options={"piles": (3, 3)})
    game = plan.make_game()
    return game, apart.start_bot(entry, plan, game, 0, 1, ("it", "nobody"), strong=True)


def test_when_the_fork_server_dies_in_a_game_that_is_not_the_bots_fault(tmp_path):
    game, bot = lone_bot(written(tmp_path, "return game.moves(state)[0]"))
    try:
        assert bot.choose(game, game.start()) == (0, 1)
        bot.pipe.process._server.process.kill()
        with pytest.raises(ProcessLost, match="was ended by SIGKILL") as caught:
            asked_on_and_on(game, bot)
    finally:
        bot.close()
    assert not isinstance(caught.value, parlour.ParlourError)
    game, bot = lone_bot(written(tmp_path, "return game.moves(state)[0]"))
    assert bot.choose(game, game.start()) == (0, 1)
    bot.close()


def test_when_a_supervisor_dies_that_is_not_the_bots_fault(tmp_path):
    for entry in (perl_entry(), written(tmp_path, "return game.moves(state)[0]")):
        game, bot = lone_bot(entry)
        bot.pipe.process.kill()
        with pytest.raises(ProcessLost):
            asked_on_and_on(game, bot)
        bot.close()


def test_a_bot_that_kills_itself_has_crashed(tmp_path):
    game, bot = lone_bot(written(tmp_path, "import os\nos.kill(os.getpid(), 9)"))
    with pytest.raises(Fault, match="was ended by SIGKILL"):
        bot.choose(game, game.start())
    bot.close()


def test_a_fork_server_that_dies_before_it_starts_a_bot_is_lost(tmp_path):
    home = sandbox.BotServer("nim", "{}")
    home.process.kill()
    with pytest.raises(ProcessLost, match="starts bots for nim was lost"):
        home.start("x.py", "x.py", Limits(), strong=True)


def test_a_game_that_cannot_be_loaded_is_nobodys_fault(capfd):
    plan = Plan("nosuchgame", (Entry("my_bot", PYTHON, str(ROOT / "examples" / "my_bot.py")),))
    with pytest.raises(parlour.ParlourError, match=r"^nosuchgame cannot be loaded") as caught:
        apart.start_bot(plan.entries[0], plan, parlour.game("nim"), 0, 1, ("a", "b"), strong=True)
    assert not isinstance(caught.value, Fault)
    assert "there is no game 'nosuchgame'" in capfd.readouterr().err
