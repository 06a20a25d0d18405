"""`parlour nboard` as a board meets it: the real program, whole games, whatever else comes in."""

from __future__ import annotations

import io
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parlour.faces.cli import main
from parlour.faces.nboard import COMMANDS, read_lines
from parlour.rules.othello import PASS, Othello
from tests.faces.nboard.minds import outcome

ROOT = Path(__file__).parent.parent.parent.parent
ENGINE = [sys.executable, "-m", "parlour", "nboard"]
GAME = Othello()
START = "---------------------------O*------*O---------------------------"
PATIENCE = 100  # seconds; the first thought of all may have to wait for the compiler


class Engine:
    """The program, started as a board starts it."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(ENGINE, **pipes)
        self.pings = 0
        self.tell("nboard 2")
        assert self.read() == "set myname Parlour"

    def tell(self, *said):
        self.process.stdin.write("".join(f"{line}\n" for line in said).encode())
        self.process.stdin.flush()

    def read(self):
        return self.process.stdout.readline().decode("ascii").removesuffix("\n")

    def until(self, pattern):
        """All lines up to the first that is like this; a refusal before it, or the end, fails."""
        found = [self.read()]
        while not re.fullmatch(pattern, found[-1]):
            assert found[-1]
            assert found[-1].startswith("status ") <= (found[-1] == "status Thinking"), found[-1]
            found.append(self.read())
        return found

    def go(self):
        """The move it would make."""
        self.tell("go")
        answer = self.until("===.*|status .*(?<!Thinking)")[-1]
        move, worth = re.fullmatch(r"=== (PA|[A-H][1-8])((?:/-?[0-9.]+){2})?", answer).groups()
        assert (move == "PA") == (worth is None)
        return PASS if move == "PA" else GAME.board.read_square(move)

    def close(self):
        """End it by ending its input; it leaves without a word."""
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0
        assert self.process.stderr.read() == b""
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(scope="module")
def program():
    held = Engine()
    yield held
    held.close()


@pytest.fixture
def engine(program):
    """The program with everything said to it before dealt with."""
    program.pings += 1
    program.tell(f"ping {program.pings}")
    program.until(f"pong {program.pings}")
    return program


def square(move):
    return "PA" if move == PASS else GAME.write_move(move).upper()


def sent(moves, start=f"{START} *"):
    """A game as NBoard sends it."""
    turn = start.endswith("O")
    played = "".join(
        f"{'BW'[(number + turn) % 2]}[{square(move)}/{number - 30}.00/0.{number}]"
        for number, move in enumerate(moves)
    )
    return f"set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 {start}]{played};)"


@pytest.mark.slow
def test_whole_games_are_played_with_passes_on_both_sides(engine):
    lots = random.Random(5)
    passes, ended = {"engine": 0, "other": 0}, 0
    engine.tell("set depth 3")
    while min(passes.values()) < 2 or ended < 8:
        assert ended < 40
        told_anew, both = ended % 2, ended % 3 == 0
        moves, states = late(lots, 60 if ended < 4 else lots.randrange(8, 40))
        state = states[-1]
        engine.tell(sent(moves))
        while legal := GAME.moves(state):
            ours = both or state[2] == ended % 2
            if told_anew and ours:
                engine.tell(sent(moves))
            move = engine.go() if ours else lots.choice(legal)
            assert move in legal
            passes["engine" if ours else "other"] += move == PASS
            if not told_anew:
                engine.tell(f"move {square(move)}/1.00/0.1")
            moves.append(move)
            state = GAME.play(state, move)
        if told_anew:
            engine.tell(sent(moves))
        engine.tell("go")
        assert engine.until("status .*(?<!Thinking)")[-1] == "status The game is over"
        ended += 1


def late(lots, empties):
    """A game played at random until so few squares are empty, as its moves and its positions."""
    while True:
        states, moves = [GAME.start()], []
        while legal := GAME.moves(states[-1]):
            if 64 - (states[-1][0] | states[-1][1]).bit_count() <= empties and legal[0] != PASS:
                return moves, states
            moves.append(lots.choice(legal))
            states.append(GAME.play(states[-1], moves[-1]))


@pytest.mark.slow
def test_late_in_the_game_every_value_is_the_one_that_trying_everything_finds(engine):
    lots = random.Random(3)
    for _ in range(8):
        moves, states = late(lots, 7)
        worth = {
            square(move): -outcome(GAME.play(states[-1], move)) for move in GAME.moves(states[-1])
        }
        engine.tell("set depth 4", sent(moves), "hint 64")
        told = [line.split() for line in engine.until("status") if line.startswith("search")]
        assert {line[1][:2]: float(line[2]) for line in told if line[4] == "100%"} == worth
        engine.tell("go")
        move, score, _ = engine.until("=== .*")[-1].removeprefix("=== ").split("/")
        assert float(score) == worth[move] == max(worth.values())
        assert engine.until("status")


def test_an_analysis_finds_the_true_worth_of_every_late_position(engine):
    lots = random.Random(4)
    moves, states = late(lots, 6)
    while legal := GAME.moves(states[-1]):
        moves.append(lots.choice(legal))
        states.append(GAME.play(states[-1], moves[-1]))
    engine.tell("set depth 4", sent(moves), "analyze")
    told = [line.split() for line in engine.until("status") if line.startswith("analysis")]
    assert [int(number) for _, number, _ in told] == [*reversed(range(len(states)))]
    for _, number, worth in told:
        state = states[int(number)]
        if 64 - (state[0] | state[1]).bit_count() <= 6:
            assert float(worth) == outcome(state)


def test_a_ping_ends_hints_that_would_go_on_for_days(engine):
    engine.tell(sent([]), "set depth 60", "hint 4")
    engine.until("search .* 8")
    asked = time.monotonic()
    engine.tell("ping 1", "set depth 1", "go")
    engine.until("pong 1")
    assert time.monotonic() - asked < PATIENCE
    assert engine.until("=== .*")


def garbage(lots, number, real):
    """A line of nonsense, as bytes without a new line; some of it nearly makes sense."""
    name = lots.choice(COMMANDS[:-1]).encode()
    noise = lots.randbytes(lots.randrange(60))
    line = bytearray(lots.choice(real).encode())
    for _ in range(lots.randrange(1, 4)):
        at = lots.randrange(len(line) + 1)
        line[at : at + lots.randrange(3)] = lots.randbytes(lots.randrange(3))
    absurd = lots.choice([b"-1", b"0", b"1e999", b"9" * 400, b"NaN", b"0x10", "٣".encode()])
    kinds = [
        noise,
        name[: lots.randrange(len(name) + 1)],
        name + b" " + noise,
        name + b" " + absurd,
        b"set depth " + absurd,
        b"hint " + absurd,
        b"move %s/%s/%s" % (lots.choice([b"D3", b"F5", b"PA", b"Z9", b""]), absurd, absurd),
        b"\t \x00\x07\x1b[31m \r" + noise[:3],
        "žluťoučký kůň ＭＯＶＥ Ｄ３\u2028\u0085".encode(),
        b"\xff\xfe\xc3(\xa0\xa1" + noise,
        b"",
        bytes(line),
        bytes(line[: lots.randrange(len(line) + 1)]),
    ]
    if number % 1000 == 999:
        kinds = [
            b"x" * 300_000,
            b" " * 300_000,
            b"set game " + b"(;" * 99_999,
            b"hint " + noise * 5000,
        ]
    return lots.choice(kinds).replace(b"\n", b" ")


@pytest.mark.slow
def test_ten_thousand_lines_of_garbage_end_nothing():
    lots = random.Random(11)
    moves, states = late(lots, 7)
    real = ["set depth 4", sent([]), sent(moves[:20]), sent(moves), "move D3/1.00/0.5", "ping 1"]
    real += ["hint 3", "analyze", "learn", "set contempt 10", sent(moves, f"{START} O"), "nboard 2"]
    told = [garbage(lots, number, real) for number in range(10_000)]
    told = [line for line in told if line.split()[:1] != [b"quit"]]
    for at in range(500, len(told), 500):  # every now and then something that must be answered
        told[at] = b"set depth 2\n%s\ngo\nping %d" % (sent(moves).encode(), 10_000 + at)
    run = subprocess.run(
        ENGINE,
        input=b"\n".join(told) + b"\n",
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert run.stderr == b""
    said = run.stdout.decode("ascii").split("\n")
    assert said.pop() == ""
    heads = "set myname|status|search|nodestats|===|pong|learned|analysis"
    assert [line for line in said if not re.match(f"({heads})( |$)", line)] == []
    legal = {square(move) for move in GAME.moves(states[-1])}
    for at in range(500, len(told), 500):
        before = said[: said.index(f"pong {10_000 + at}")]
        moved = next(line for line in reversed(before) if line.startswith("==="))
        assert moved[4:6] in legal


# The program


@pytest.mark.slow
def test_it_ends_with_its_input_at_quit_and_without_a_word_at_ctrl_c():
    for ends, codes in (
        (lambda held: held.tell("quit"), (0,)),
        (lambda held: held.process.stdin.close(), (0,)),
        (lambda held: held.process.send_signal(signal.SIGINT), (130,)),
    ):
        for busy in (False, True):
            held = Engine()
            if busy:
                held.tell("set depth 60", "hint 8")
                held.until("search .* 4")
            ends(held)
            assert held.process.wait(PATIENCE) in codes
            assert held.process.stderr.read() == b""
            for stream in (held.process.stdin, held.process.stdout, held.process.stderr):
                stream.close()


def test_it_ends_when_nobody_reads_its_answers():
    reading, writing = os.pipe()
    held = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    os.close(reading)
    held.stdin.write(b"nboard 2\n")
    held.stdin.flush()
    assert held.wait(PATIENCE) == 0
    assert held.stderr.read() == b""
    held.stdin.close()
    held.stderr.close()


def test_lines_are_cut_where_they_end_however_the_bytes_come():
    text = (
        "ping 1\r\nset\tdepth 4\n\nmove ü\x00\x07\n\xff".encode("utf-8", "replace") + b"\xff\nend"
    )
    for size in (1, 2, 3, 7, 1000):

        class Drops(io.BytesIO):
            def read(self, most, size=size):
                return super().read(size)

        assert [*read_lines(Drops(text))] == [
            "ping 1",
            "set depth 4",
            "",
            "move ü",
            "ÿ\ufffd",
            "end",
        ]


@pytest.mark.slow
def test_what_the_command_does_not_know_is_refused_in_one_sentence(capsys):
    assert main(["nboard", "--depht", "3"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.slow
def test_the_conversation_in_the_book_is_a_real_one():
    page = (ROOT / "docs" / "nboard.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n\$ parlour nboard\n\n(.*?)```", page, re.DOTALL)
    held = Engine()
    for exchange in block.strip().split("\n\n"):
        asked, *answers = exchange.split("\n")
        held.tell(asked.removeprefix("> "))
        for answer in answers:
            said = held.read()
            for varies in (r"(?<=nodestats ).*", r"(?<=/)[0-9.]+$", r"(?<=search ..)\S+"):
                said, answer = (re.sub(varies, "", line) for line in (said, answer))  # noqa: PLW2901
            assert said == answer
    held.close()
