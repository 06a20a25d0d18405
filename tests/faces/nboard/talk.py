"""A conversation of `parlour nboard` without the program: lines go in, and lines come out."""

import queue
import re
import threading

from parlour.faces.nboard import Session
from tests.faces.nboard.minds import Plain

START = "---------------------------O*------*O---------------------------"
WON = "-" * 61 + "*O-"  # black takes h8 and has every disc
LOST = "*O" + "-" * 62  # white cannot move, and black takes c1 and has every disc
STUCK = "--------*----*--******--******--**O****-*O*O*---*OOOO*--OOOOOO--"  # black must pass
PLAYED = (  # a game that came to it as NBoard sends it, the pass included
    "(;GM[Othello]PC[NBoard]DT[2022-01-17 12:52:30 GMT]PB[black]PW[./white]RE[?]TI[5:00]TY[8]"
    f"BO[8 {START} *]B[F5//2.449]W[D6/0.00]B[C5//1.264]W[F4/1.00]B[D3//1.338]W[E3/2.00]"
    "B[F2//4.405]W[C6/9.00]B[G5//6.25]W[B5/13.00]B[A5//3.262]W[B4/23.00]B[B3//5.586]"
    "W[C4/25.00/0.1]B[C3//1.75]W[A6/24.00/0.1]B[A7//4.652]W[A3/27.00/0.1]"
    "B[F3//2.7680000000000002]W[E6/27.00/0.1]B[C7//4.2860000000000005]W[B6/39.00]B[D7//1.676]"
    "W[D8/46.00]B[B8//1.8980000000000001]W[E7/44.00]B[F7//3.689]W[E8/58.00]B[C8//1.793]"
    "W[A8/62.00/0.1]B[A4//2.177]W[F8/62.00]B[A2//6.807]W[B7/64.00]B[PA//3.107];)"
)


def board(cells, side, size=8):
    """A position as `set game` sends it."""
    return f"set game (;GM[Othello]PC[NBoard]RE[?]TY[{size}]BO[{size} {cells} {side}];)"


def untimed(line):
    """The line without the seconds that an answer took, which nobody knows before."""
    return re.sub(r"(?<=/)[0-9]+\.[0-9]{2}$|(?<=nodestats 10 )[0-9]+\.[0-9]{2}", "s", line)


class Talk:
    """A conversation under way."""

    def __init__(self, mind=Plain):
        self.answers = queue.Queue()
        self.mind = None
        self.session = Session(
            lambda line: self.answers.put(untimed(line)), lambda game: self._make(mind(game))
        )
        self.thread = threading.Thread(target=self.session.run)
        self.pings = 0

    def _make(self, mind):
        self.mind = mind
        return mind

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *trouble):
        self.session.receive("quit")
        self.join()

    def join(self):
        self.thread.join(60)
        assert not self.thread.is_alive()

    def send(self, *lines):
        for line in lines:
            self.session.receive(line)

    def wait_for(self, pattern):
        """The first line said from now on that is like this, and all lines before it."""
        found = [self.answers.get(timeout=60)]
        while not re.fullmatch(pattern, found[-1]):
            found.append(self.answers.get(timeout=60))
        return found

    def move(self):
        """The move that is answered without haste."""
        self.send("go")
        return self.wait_for("===.*")[-1]

    def ask(self, *lines):
        """The answers to these lines, up to the sign that the last has been dealt with."""
        self.send(*lines)
        if re.match("hint|analyze", lines[-1]):  # which a ping would end
            return self.wait_for("status.*(?<!Thinking)")
        self.pings += 1
        self.send(f"ping {self.pings}")
        return self.wait_for(f"pong {self.pings}")[:-1]


def once(*lines, mind=Plain):
    """The answers to these lines, in a conversation of their own."""
    with Talk(mind) as talk:
        return talk.ask(*lines)
