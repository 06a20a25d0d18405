"""`parlour nboard` with the real engine: whole games, true values, garbage, and how it ends."""

import io
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.engine import OthelloEngine
from parlour.faces.lines import read_lines
from parlour.faces.nboard import COMMANDS, MAX_LINE
from parlour.rules.othello import PASS, Othello
from tests.faces.nboard.minds import outcome
from tests.faces.nboard.talk import START, Talk

ROOT = Path(__file__).parent.parent.parent.parent
GAME = Othello()
PATIENCE = 100  # seconds; the first thought of all may have to wait for the compiler


def square(move):
    return "PA" if move == PASS else GAME.write_move(move).upper()


def write_game(moves):
    """A game as NBoard sends it."""
    played = "".join(
        f"{'BW'[number % 2]}[{square(move)}/{number - 30}.00/0.{number}]"
        for number, move in enumerate(moves)
    )
    return f"set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 {START} *]{played};)"


def play_at_random(chance, empties):
    """The moves and the positions of a game played at random until so few squares are empty."""
    while True:
        states, moves = [GAME.start()], []
        while legal := GAME.moves(states[-1]):
            if 64 - (states[-1][0] | states[-1][1]).bit_count() <= empties and legal[0] != PASS:
                return moves, states
            moves.append(chance.choice(legal))
            states.append(GAME.play(states[-1], moves[-1]))


def test_late_values_are_those_that_trying_everything_finds():
    chance = random.Random(3)
    with Talk(OthelloEngine) as talk:
        moves, states = play_at_random(chance, 6)
        values = {
            square(move): -outcome(GAME.play(states[-1], move)) for move in GAME.moves(states[-1])
        }
        hints = talk.ask("set depth 4", write_game(moves), "hint 64")
        rows = [line.split() for line in hints if line.startswith("search")]
        assert {row[1][:2]: float(row[2]) for row in rows if row[4] == "100%"} == values
        move, score, _ = talk.move().removeprefix("=== ").split("/")
        assert float(score) == values[move] == max(values.values())
        while legal := GAME.moves(states[-1]):
            moves.append(chance.choice(legal))
            states.append(GAME.play(states[-1], moves[-1]))
        talk.ask(write_game(moves))
        answers = talk.ask("analyze")
        rows = [line.split() for line in answers if line.startswith("analysis")]
    assert [int(number) for _, number, _ in rows] == [*reversed(range(len(states)))]
    for _, number, value in rows:
        state = states[int(number)]
        if 64 - (state[0] | state[1]).bit_count() <= 6:
            assert float(value) == outcome(state)


# The program


@pytest.mark.slow
def test_the_conversation_in_the_book_is_a_real_one():
    page = (ROOT / "docs" / "nboard.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n\$ parlour nboard\n\n(.*?)```", page, re.DOTALL)
    pipe = subprocess.PIPE
    program = [sys.executable, "-m", "parlour", "nboard"]
    engine = subprocess.Popen(program, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    for exchange in block.strip().split("\n\n"):
        line, *answers = exchange.split("\n")
        engine.stdin.write(line.removeprefix("> ") + "\n")
        engine.stdin.flush()
        for answer in answers:
            said = engine.stdout.readline().removesuffix("\n")
            for varies in (r"(?<=nodestats ).*", r"(?<=/)[0-9.]+$", r"(?<=search ..)\S+"):
                said, answer = (re.sub(varies, "", text) for text in (said, answer))  # noqa: PLW2901
            assert said == answer
    engine.send_signal(signal.SIGINT)
    assert engine.communicate(timeout=PATIENCE)[1] == ""
    assert engine.returncode == 130


def garbage(chance, real):
    """A line of nonsense, as bytes without a new line; some of it nearly makes sense."""
    noise = chance.randbytes(chance.randrange(60))
    name = chance.choice(COMMANDS[:-1]).encode()
    absurd = chance.choice([b"-1", b"0", b"1e999", b"9" * 400, b"NaN", b"0x10", "٣".encode()])
    line = bytearray(chance.choice(real).encode())
    at = chance.randrange(len(line) + 1)
    line[at : at + 2] = chance.randbytes(2)
    kinds = [
        noise,
        name + b" " + chance.choice([noise, absurd]),
        b"move %s/%s/%s" % (chance.choice([b"D3", b"PA", b"Z9", b""]), absurd, absurd),
        b"\xff\xfe\xc3(\xa0\xa1\t \x00\x07\x1b[31m \r" + "ＭＯＶＥ Ｄ３\u2028\u0085".encode(),
        chance.choice([bytes(line), bytes(line[:at]), b"set game " + b"(;" * 9_999]),
    ]
    return chance.choice(kinds).replace(b"\n", b" ")


def test_garbage_ends_nothing():
    """Every now and then there is a line that must be answered."""
    chance = random.Random(11)
    moves, states = play_at_random(chance, 7)
    real = [write_game(moves[:20]), write_game(moves), "move D3/1.00/0.5", "ping 1", "hint 3"]
    sent = [garbage(chance, real) for _ in range(200)]
    sent = [line for line in sent if line.split()[:1] != [b"quit"]]
    for at in range(50, len(sent), 50):
        sent[at] = b"set depth 2\n%s\ngo\nping %d" % (write_game(moves).encode(), 10_000 + at)
    answers = []
    with Talk(OthelloEngine) as talk:
        talk.send(*read_lines(io.BytesIO(b"\n".join(sent) + b"\nping 99999\n"), MAX_LINE))
        answers += talk.wait_for("pong 99999")
    heads = "set myname|status|search|nodestats|===|pong|learned|analysis"
    assert [line for line in answers if not re.match(f"({heads})( |$)", line)] == []
    legal = {square(move) for move in GAME.moves(states[-1])}
    for at in range(50, len(sent), 50):
        before = answers[: answers.index(f"pong {10_000 + at}")]
        move = next(line for line in reversed(before) if line.startswith("==="))
        assert move[4:6] in legal


def test_lines_are_cut_where_they_end_however_the_bytes_come():
    text = "ping 1\r\nset\tdepth 4\n\nmove ü\x00\x07\n".encode() + b"\xff\xff\nend"

    class Drops(io.BytesIO):
        def read(self, most):
            return super().read(size)

    for size in (1, 2, 3, 7, 1000):
        lines = ["ping 1", "set depth 4", "", "move ü", "\ufffd\ufffd", "end"]
        assert [*read_lines(Drops(text), MAX_LINE)] == lines, size
