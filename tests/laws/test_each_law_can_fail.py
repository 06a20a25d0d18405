"""Each law can fail: toy games, each broken in one way, are found out by the law they break."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import pytest

import parlour
from parlour.core.laws import LAWS, VERBS

TICKS = itertools.count()


@dataclass(frozen=True)
class Countdown:
    """A lawful toy: count down from a number by 1 or 2; who reaches 0 wins."""

    name: ClassVar[str] = "countdown"
    seats: ClassVar[int] = 2
    loops: ClassVar[str] = "never"

    top: int = parlour.option(7, "the number to count down from", low=1, high=20)

    def __post_init__(self):
        parlour.settle(self)

    def start(self):
        return (0, self.top)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return tuple((step,) for step in (1, 2) if step <= state[1])

    def play(self, state, move):
        if move not in Countdown.moves(self, state):
            raise parlour.IllegalMove("count 1 or 2 down")
        return (1 - state[0], state[1] - move[0])

    def result(self, state):
        if state[1]:
            return None
        return (-1, 1) if state[0] == 0 else (1, -1)

    def key(self, state):
        return state[1]

    def size(self):
        return self.top + 1

    def score(self, state):
        return self.result(state)[0] if self.result(state) else 0

    def write_move(self, move):
        return f"down {move[0]}"

    def read_move(self, state, text):
        said = text.casefold().split()
        for move in Countdown.moves(self, state):
            if said == f"down {move[0]}".split():
                return move
        raise parlour.BadText("say down 1 or down 2")

    def write(self, state):
        return f"{state[1]}:{state[0]}"

    def read(self, text):
        number, _, turn = text.strip().partition(":")
        if not (number.isascii() and number.isdigit() and turn in ("0", "1")):
            raise parlour.BadText("write the number and the seat, like 7:0")
        if int(number) > self.top:
            raise parlour.BadText("the number is too large")
        return (int(turn), int(number))

    def draw(self, state):
        return f"{state[1]} to go"


def broken(law, **changes):
    """Countdown with some of it replaced; `law` is the one that must notice."""
    cls = dataclass(frozen=True)(type("Broken", (Countdown,), changes))
    return pytest.param(cls, law, id=f"{law}: {', '.join(changes)}")


class Mutable:
    """A state that play can change, and that hashes all the same."""

    def __init__(self, turn, left):
        self.turn, self.left = turn, left

    def __eq__(self, other):
        return (self.turn, self.left) == (other.turn, other.left)

    def __hash__(self):
        return 0

    def __repr__(self):
        return f"Mutable({self.turn}, {self.left})"


class Tampering(Countdown):
    """Whose play notes in a state how often it was played from."""

    def start(self):
        return Tally((0, self.top))

    def play(self, state, move):
        after = Tally(super().play(state, move))
        state.used = getattr(state, "used", 0) + 1
        return after

    def read(self, text):
        return Tally(super().read(text))


class Tally(tuple):
    __hash__ = tuple.__hash__
    used = 0

    def __repr__(self):
        return f"{tuple(self)}, used {self.used} times"


def no_refusal(self, state, move):
    return (1 - state[0], max(0, state[1] - 1))


def mumbling(self, state, text):
    try:
        return Countdown.read_move(self, state, text)
    except parlour.BadText:
        raise parlour.BadText("") from None


def crashing(self, *_):
    raise KeyError("oh")


def remade(name, *, frozen, **changes):
    """Countdown's body as a class of its own, for what a subclass cannot undo."""
    body = {key: value for key, value in vars(Countdown).items() if not key.startswith("__")}
    body["__annotations__"] = {"top": "int"}
    body["top"] = parlour.option(7, "the number to count down from", low=1, high=20)
    return dataclass(frozen=frozen)(type(name, (), body | changes))


THAWED = remade("Thawed", frozen=False, __post_init__=Countdown.__post_init__)
UNCHECKED = remade("Unchecked", frozen=True)

BROKEN = [
    broken("self description", name="Count Down"),
    broken("self description", seats=0),
    pytest.param(THAWED, "self description", id="self description: not frozen"),
    pytest.param(UNCHECKED, "self description", id="self description: options unchecked"),
    broken("start", start=lambda self: (0, 5 + next(TICKS) % 2)),
    broken("plain states", start=lambda self: [0, self.top]),
    broken(
        "plain states",
        start=lambda self: Mutable(0, 7),
        moves=lambda self, state: (),
        result=lambda self, state: (0, 0),
    ),
    broken("turn", turn=lambda self, state: state[0] + 1),
    broken("moves", moves=lambda self, state: iter(Countdown.moves(self, state))),
    broken("moves", moves=lambda self, state: Countdown.moves(self, state)[:: (-1) ** next(TICKS)]),
    broken("moves", moves=lambda self, state: Countdown.moves(self, state) * 2),
    broken("result", result=lambda self, state: (0, 0)),
    broken("result", result=lambda self, state: None),
    broken("result", result=lambda self, state: None if state[1] else (1,)),
    broken("result", result=lambda self, state: None if state[1] else (2, -2)),
    pytest.param(Tampering, "pure play", id="pure play: changes the state"),
    broken("pure play", play=lambda self, state, move: (1 - state[0], next(TICKS) % 3)),
    broken("illegal moves", play=no_refusal),
    broken("illegal moves", play=lambda self, state, move: (1 - state[0], state[1] - move[0])),
    broken("move texts", write_move=lambda self, move: "down 1"),
    broken("move texts", write_move=lambda self, move: "one" if move == (1,) else "two"),
    broken("bad moves", read_move=mumbling),
    broken("bad moves", read_move=lambda self, state, text: (int(text.split()[1]),)),
    broken("position texts", write=lambda self, state: f"{state[1]}:0"),
    broken("position texts", write=lambda self, state: f"{state[1]}\n{state[0]}"),
    broken(
        "bad positions", read=lambda self, text: (int(text.split(":")[1]), int(text.split(":")[0]))
    ),
    broken("keys", key=lambda self, state: state[1] % 2),
    broken(
        "loops",
        play=lambda self, state, move: (
            state[0],
            state[1] if state[1] > 5 and move == (1,) else state[1] - move[0],
        ),
    ),
    broken("size", size=lambda self: 3),
    broken("score", score=lambda self, state: 1),
    broken("drawing", draw=lambda self, state: " "),
    broken("drawing", draw=lambda self, state: "\x1b[1mbold"),
    broken("playing", play=crashing),
]


def test_the_toy_itself_is_lawful():
    assert parlour.laws.check(Countdown()) == []


@pytest.mark.parametrize(("cls", "law"), BROKEN)
def test_a_broken_game_is_found_out(cls, law):
    findings = parlour.laws.check(cls())
    assert law in {finding.law for finding in findings}, findings
    assert all(len(finding.advice) > 20 for finding in findings)


def test_a_game_without_a_verb_is_told_which():
    findings = parlour.laws.check(object())
    assert [finding.law for finding in findings] == ["vocabulary"]
    assert all(verb in str(findings[0]) for verb in VERBS)


def test_no_law_is_left_untested():
    assert {parameters.values[1] for parameters in BROKEN} >= set(LAWS)
