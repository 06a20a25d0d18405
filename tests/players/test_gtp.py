"""GTP engines as players: gtp-rhino and our own server in whole games, and some that misbehave."""

import gc
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys

import pytest

import parlour
from parlour.core.errors import BadText, IllegalMove, ParlourError
from parlour.core.protocol import Resigns
from parlour.faces.gtp import Session
from parlour.players.gtp import Gtp, GtpEngine, argv, line_between, read_vertex, write_vertex
from parlour.players.othello import Despacito
from parlour.players.process import LineTooLong, Pipe, ProcessEnded, ProcessError, ResponseTimeout
from parlour.players.random_move import Random
from parlour.rules.othello import PASS, Othello
from tests.needs import need

RHINO = "gtp-rhino -l 1"
OURS = f"{sys.executable} -m parlour gtp --bot random --seed 1"
ENGLISH = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.fixture(scope="module")
def rhino():
    """A dialogue with gtp-rhino."""
    need(
        shutil.which("gtp-rhino", path=f"{os.environ['PATH']}:/usr/games"),
        "Playing against gtp-rhino needs Debian's grhino: run tools/install_test_needs.sh.",
    )
    engine = GtpEngine(Pipe(argv(RHINO)))
    yield engine
    engine.pipe.close()


@pytest.fixture(scope="module")
def ours():
    bot = Gtp(command=OURS)
    yield bot
    bot.close()


class Inside:
    """A pipe to our own server without a process, that lacks some commands or answers otherwise."""

    def __init__(self, *, lacks=("set_position",), answers=None, strict=False):
        self.session = Session(Random(seed=3), Othello())
        self.lacks, self.answers, self.strict = lacks, answers or {}, strict
        self.sent, self.lines = [], []

    def write_line(self, line, seconds=5.0):
        self.sent.append(line)
        self.lines += self.answered(line).split("\n")[:-1]

    def answered(self, line):
        name, *words = line.split()
        if name in self.answers:
            return self.answers[name]
        if name in self.lacks:
            return "? unknown command\n\n"
        if self.strict and name == "play" and words[0] != self.mover:
            return "? it is not your turn\n\n"
        reply = self.session.answer(line)
        return "".join(x + "\n" for x in reply.split("\n")[:-1] if x not in self.lacks)

    @property
    def mover(self):
        return ("black", "white")[self.session._state[2]]

    def read_line(self, seconds=None):
        if not self.lines:
            raise ResponseTimeout("did not answer in time")
        return self.lines.pop(0)

    def close(self):
        self.sent.append("closed")


def random_game(game, seed):
    """The states of a random game, and the texts of its moves."""
    chance, states, texts = random.Random(seed), [game.start()], []
    while moves := game.moves(states[-1]):
        move = chance.choice(moves)
        texts.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return states, texts


def rhino_sees(engine):
    """The board and the mover that gtp-rhino shows, as an OBF line."""
    heading, _, *rows = engine.send("showboard").split("\n")
    cells = "".join(row.strip()[1:].replace(" ", "") for row in rows).replace(".", "-")
    return f"{cells} {'X' if heading.endswith('Black') else 'O'}"


# Squares


@pytest.mark.parametrize("size", [(9, 7), (16, 16)])
def test_squares_are_written_by_letters_without_i_and_rows_from_the_top(size):
    game = Othello(columns=size[0], rows=size[1])
    letters = ENGLISH.replace("I", "")
    for column, row in itertools.product(range(size[0]), range(size[1])):
        text = f"{letters[column]}{row + 1}"
        assert write_vertex((column, row)) == text
        assert read_vertex(game, text) == read_vertex(game, text.lower()) == (column, row)
    assert read_vertex(game, write_vertex(PASS)) == read_vertex(game, "PASS") == PASS


def test_a_text_that_is_no_square_is_refused():
    texts = ["", "I3", "i3", "K3", "A8", "A0", "a-1", "3A", "AA3", "A3 ", "Ａ3", "A٣"]
    for text in (*texts, "A" + "9" * 9999):
        with pytest.raises(BadText, match="A1 to J7, without the letter I, and pass"):
            read_vertex(Othello(opening="despacito"), text)


# From what the engine knows to what is on the board


@pytest.mark.parametrize("game", [Othello(), Othello(opening="despacito")], ids=str)
def test_a_line_found_between_two_positions_leads_from_one_to_the_other(game):
    for seed in range(20):
        states, _ = random_game(game, seed)
        begins = random.Random(seed).randrange(len(states) - 8)
        for start, goal in [(states[0], states[8]), (states[begins], states[begins + 5])]:
            line = line_between(game, start, goal)
            assert line is not None
            state = start
            for move in line:
                state = game.play(state, move)
            assert state == goal


def test_no_line_is_found_where_there_is_none():
    game = Othello()
    states, _ = random_game(game, 5)
    assert line_between(game, states[9], states[3]) is None
    assert line_between(game, states[0], (states[1][0], states[1][1], 0)) is None
    assert line_between(game, states[0], (*states[40][:2], 1 - states[40][2])) is None  # gives up


# gtp-rhino


def test_gtp_rhino_plays_whole_games_with_passes_on_both_sides(rhino):
    """After every move of its own it sees the board that is there; who must pass has, to it."""
    game = Othello()
    passes = [0, 0]
    for seed in range(40):
        seat = seed % 2
        players = [Despacito(level=5), Despacito(level=5)]
        players[seat] = rhino
        match = parlour.Match(game, ["a", "b"])
        chance = random.Random(seed)
        for _ in range(9):
            match.play(chance.choice(game.moves(match.state)))
        for _ in parlour.drive(match, players):
            passes[match.movers[-1] == seat] += match.moves[-1] == "pass"
            if match.movers[-1] == seat and match.moves[-1] != "pass" and not match.over:
                must_pass = game.moves(match.state)[0] == PASS
                seen = game.play(match.state, PASS) if must_pass else match.state
                assert rhino_sees(rhino) == game.write(seen)
        assert match.over
        assert not match.reason
        if seed >= 9 and min(passes) > 0:
            return
    pytest.fail(f"passes of the others and of gtp-rhino: {passes}")


@pytest.mark.usefixtures("rhino")
def test_the_bot_says_where_its_program_does_not_play():
    rhino = Gtp(command=RHINO)
    assert rhino.plays(Othello())
    assert not rhino.plays(Othello(columns=6, rows=6))
    assert "refused 'boardsize 9 7': syntax error" in rhino.why_not(Othello(opening="despacito"))
    assert rhino.plays(Othello())
    with pytest.raises(
        ProcessError, match="gtp-rhino -l 1 refused 'boardsize 6': unacceptable size"
    ):
        rhino.choose(Othello(columns=6, rows=6), Othello(columns=6, rows=6).start())
    with pytest.raises(ParlourError, match="gtp plays othello, not nim"):
        rhino.choose(parlour.game("nim"), parlour.game("nim").start())
    rhino.close()


# Our own server


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        Othello(opening="despacito"),
        Othello(columns=5, rows=7, opening="benedict"),
    ],
    ids=str,
)
def test_our_client_and_our_server_play_whole_games(ours, game):
    assert ours.plays(game)
    for players in ([ours, Random(seed=2)], [ours, ours]):
        record = parlour.match(game, players)
        assert record.result is not None
        assert not record.reason


# Engines that cannot be given a position


@pytest.mark.parametrize("game", [Othello(), Othello(opening="benedict")], ids=str)
@pytest.mark.parametrize("strict", [False, True], ids=["passes implied", "passes sent"])
def test_an_engine_needs_no_command_that_sets_up_a_position(game, strict):
    pipe = Inside(strict=strict)
    engine, passes = GtpEngine(pipe), 0
    for seed in range(12):
        chance, state = random.Random(seed), game.start()
        while moves := game.moves(state):
            mine = game.turn(state) == seed % 2
            move = engine.choose(game, state) if mine else chance.choice(moves)
            passes += mine and move == PASS
            state = game.play(state, move)
    assert passes > 0
    assert pipe.sent.count("clear_board") == 12


def test_such_an_engine_follows_a_few_moves_or_the_history_of_the_game():
    game = Othello()
    states, texts = random_game(game, 4)
    engine = GtpEngine(Inside())
    assert engine.choose(game, states[9]) in game.moves(states[9])
    with pytest.raises(ProcessError, match="has no command that sets one up, like set_position"):
        engine.choose(game, states[45])
    assert engine.choose(game, states[45], history=texts[:45]) in game.moves(states[45])
    assert engine.choose(game, states[40]) in game.moves(states[40])  # taken back
    assert engine.choose(game, states[42]) in game.moves(states[42])


def test_another_opening_needs_a_middle_that_can_be_mirrored():
    game = Othello(columns=5, rows=7, opening="benedict")
    with pytest.raises(ProcessError, match="begins from another position than 'benedict'"):
        GtpEngine(Inside()).choose(game, game.start())


def test_an_engine_is_sent_how_much_time_is_left():
    game, pipe = Othello(), Inside()
    engine = GtpEngine(pipe)
    state = game.start()
    for left in (60.9, 30.0, 0.2):
        state = game.play(state, engine.choose(game, state, left=left))
        state = game.play(state, game.moves(state)[0])
    assert [line for line in pipe.sent if line.startswith("time")] == [
        "time_settings 60 0 0",
        "time_left black 60 0",
        "time_left black 30 0",
        "time_left black 1 0",
    ]
    refuses = Inside(answers={"time_settings": "? no\n\n"})
    assert GtpEngine(refuses).choose(game, game.start(), left=9) in game.moves(game.start())
    ignorant = Inside(lacks=("time_settings", "time_left"))
    GtpEngine(ignorant).choose(game, game.start(), left=9)
    assert not [line for line in ignorant.sent if line.startswith("time")]


# What goes wrong


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ("= A1\n\n", IllegalMove, "chose a1: the square a1 would turn no disc"),
        ("= pass\n\n", IllegalMove, "chose pass: you may pass only when there is no square"),
        ("= I3\n\n", ProcessError, "answered 'I3' to 'genmove black': 'I3' is not a square here"),
        ("=\n\n", ProcessError, "answered '' to 'genmove black'"),
        ("? not today\n\n", ProcessError, "refused 'genmove black': not today"),
        ("?\n\n", ProcessError, "refused 'genmove black': it gave no reason"),
        ("hello\n\n", ProcessError, "answered 'hello' to 'genmove black', which is not GTP"),
        ("= D3\n" * 5000, ProcessError, "answered more than 1,000 lines to 'genmove black'"),
        ("= D3\n", ResponseTimeout, "did not answer in time"),
        ("= resign\n\n", Resigns, ""),
        ("= RESIGN\n\n", Resigns, ""),
    ],
)
def test_a_wrong_answer_is_quoted_and_the_next_game_begins_anew(answer, error, says):
    game, pipe = Othello(), Inside(answers={"genmove": answer})
    engine = GtpEngine(pipe)
    with pytest.raises(error) as refusal:
        engine.choose(game, game.start())
    assert says in str(refusal.value)
    pipe.answers, pipe.lines = {}, []
    assert engine.choose(game, game.start()) in game.moves(game.start())
    assert pipe.sent.count("clear_board") == 2


def test_blank_lines_and_lower_case_are_understood():
    game = Othello()
    for said in ("\n\n= d3\n\n", "=   d3  \n\n", "= D3 \r\n\r\n"):
        assert GtpEngine(Inside(answers={"genmove": said})).choose(game, game.start()) == (3, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "error", "says"),
    [
        ("no-such-program -x", ProcessEnded, "no-such-program -x cannot be started: No such file"),
        ("sh -c 'echo broken >&2; exit 3'", ProcessEnded, "ended with code 3; it said: broken"),
        ("sh -c 'exec sleep 60'", ResponseTimeout, "did not answer in time"),
        ("cat", ProcessError, "cat answered 'list_commands' to 'list_commands', which is not GTP"),
        ("sh -c 'tr \"\\0\" x </dev/zero'", LineTooLong, "without a new line"),
        ("sh -c 'echo", BadText, "unclosed quotation mark"),
        ("", BadText, "the gtp bot needs a command to start, like 'gtp-rhino -l 3'"),
    ],
)
def test_a_program_that_cannot_play_is_named_with_the_reason(command, error, says):
    bot = Gtp(command=command, seconds=0.5 if error is ResponseTimeout else 60)
    with pytest.raises(error) as refusal:
        bot.choose(Othello(), Othello().start())
    assert says in str(refusal.value)


def with_number(path, command):
    """A command that writes its process number to a file first."""
    return f"sh -c 'echo $$ > {path}; {command}'"


@pytest.mark.slow
def test_a_program_that_ended_is_started_again(tmp_path):
    bot = Gtp(command=with_number(tmp_path / "number", f"exec {OURS}"))
    game = Othello()
    bot.choose(game, game.start())
    os.kill(int((tmp_path / "number").read_text()), signal.SIGKILL)
    with pytest.raises(ProcessEnded, match="was ended by SIGKILL"):
        bot.choose(game, game.start())
    assert bot.choose(game, game.start()) in game.moves(game.start())
    bot.close()


def is_running(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


ENDING = """
import sys, parlour
from parlour.players.gtp import Gtp
bot = Gtp(command=sys.argv[1])
assert bot.plays(parlour.game("othello"))
"""


@pytest.mark.slow
def test_no_program_is_left_behind(tmp_path):
    """It ends when its bot is closed, or is no longer used, or the process of the bot ends."""
    endless = "while :; do sleep 0.1; done"
    files = [tmp_path / name for name in ("closed", "unused", "ended")]
    answering = f"echo = ; echo; {endless}"  # to the first command
    bots = [Gtp(command=with_number(file, answering)) for file in files[:2]]
    assert all(bot.plays(Othello()) for bot in bots)
    numbers = [int(file.read_text()) for file in files[:2]]
    assert all(map(is_running, numbers))
    bots[0].close()
    bots[0].close()
    bots.clear()
    gc.collect()
    assert not any(map(is_running, numbers))
    command = [sys.executable, "-c", ENDING, with_number(files[2], answering)]
    subprocess.run(command, capture_output=True, check=True)
    assert not is_running(int(files[2].read_text()))


# As a bot of the house


def test_no_program_is_offered_that_was_not_named():
    """A bot chosen from a list, on a web page too, must not start programs."""
    bot = parlour.bot("gtp")
    for game in (Othello(), parlour.game("nim")):
        assert bot.plays(game) == ""
        assert "gtp" not in parlour.bots(game)
    assert "needs a command" in bot.why_not(Othello())
    assert "Othello" in bot.why_not(parlour.game("nim"))


def test_the_program_is_found_where_debian_puts_games(tmp_path, monkeypatch):
    monkeypatch.setattr("parlour.players.gtp.GAMES", str(tmp_path))
    program = tmp_path / "a-program-of-debian"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert argv("a-program-of-debian -l '3 4'") == [str(program), "-l", "3 4"]
    assert argv("another 1") == ["another", "1"]


def test_it_is_described_by_its_command_and_read_back():
    text = parlour.core.options.describe(Gtp(command=RHINO))
    assert text == "gtp command='gtp-rhino -l 1'"
    assert parlour.core.registry.bot(text) == Gtp(command=RHINO)
