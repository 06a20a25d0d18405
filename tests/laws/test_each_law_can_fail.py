"""Each law can fail: toy games, each broken in one way, are found out by the law they break."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import pytest

import parlour
from parlour.core.laws import LAWS
from parlour.core.protocol import VERBS

TICKS = itertools.count()
LETTERS = str.maketrans("abcdefgh", "01234567")


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


def broken(law, advice, **changes):
    """Countdown with some of it replaced; `law` is the one that must notice, and say `advice`."""
    cls = dataclass(frozen=True)(type("Broken", (Countdown,), changes))
    return found(cls, law, advice)


def found(cls, law, advice):
    return pytest.param(cls, law, advice, id=f"{law}: {advice}")


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


class Deaf(tuple):
    """Moves in which nothing is found."""

    __slots__ = ()

    def __contains__(self, move):
        return False


class Lost(tuple):
    """Moves that are all said to come first."""

    __slots__ = ()

    def index(self, move):
        return 0


class Open(tuple):
    """Moves in which everything is found."""

    __slots__ = ()

    def __contains__(self, move):
        return True


def only_the_first_doubles(self, state):
    return moves(self, state)[: 2 - state[0]]


def second_goes_slowly(self, state, move):
    return (1 - state[0], state[1] - (1 if state[0] else move[0]))


def mumbling(verb, error):
    """A verb of Countdown that refuses without a word."""

    def mumble(self, *arguments):
        try:
            return verb(self, *arguments)
        except parlour.ParlourError:
            raise error("") from None

    return mumble


def taking(verb, text, value):
    """A verb of Countdown that takes some garbage for good."""
    return lambda self, *arguments: value if arguments[-1] == text else verb(self, *arguments)


def crashing(self, *_):
    raise KeyError("oh")


BODY = {key: value for key, value in vars(Countdown).items() if not key.startswith("__")}


def remade(*, frozen=True, **changes):
    """Countdown's body as a class of its own, for what a subclass cannot undo."""
    body = {"__annotations__": {"top": "int"}, "top": option_of_7("the number to count down from")}
    return dataclass(frozen=frozen)(type("Remade", (), BODY | body | changes))


def option_of_7(about):
    return parlour.option(7, about, low=1, high=20)


def checks_but_keeps_lists(self):
    if not isinstance(self.top, int) or not isinstance(self.steps, list | tuple):
        raise parlour.BadOption("steps", self.steps, "it must be a list")


settled = Countdown.__post_init__
moves, play, read, read_move = Countdown.moves, Countdown.play, Countdown.read, Countdown.read_move


BROKEN = [
    broken(
        "self description", "should be one lower-case word, not 'Count Down'", name="Count Down"
    ),
    broken("self description", "a whole number of at least 1, not 0", seats=0),
    found(type("Plain", (), BODY | {"top": 7}), "self description", "make the class a frozen data"),
    found(remade(frozen=False, __post_init__=settled), "self description", "frozen=True"),
    found(remade(), "self description", "call settle(self) in __post_init__"),
    found(
        remade(top=option_of_7(""), __post_init__=settled),
        "self description",
        "say what the option top is about",
    ),
    broken(
        "self description",
        "declare extra with option()",
        __annotations__={"extra": "int"},
        extra=3,
    ),
    broken(
        "self description",
        "the option words cannot be read back from 'two words'",
        __annotations__={"words": "tuple[str, ...]"},
        words=parlour.option(("two words",), "some texts"),
    ),
    broken(
        "self description",
        "made from the recorded options is not equal",
        __annotations__={"steps": "tuple[int, ...]"},
        steps=parlour.option((1, 2), "the steps one may take"),
        __post_init__=checks_but_keeps_lists,
    ),
    broken("start", "two different states", start=lambda self: (0, 5 + next(TICKS) % 2)),
    broken("plain states", "make states hashable", start=lambda self: [0, self.top]),
    broken(
        "plain states",
        "make states plain values",
        start=lambda self: Mutable(0, 7),
        moves=lambda self, state: (),
        result=lambda self, state: (0, 0),
    ),
    broken("turn", "a seat from 0 to 1, not 2", turn=lambda self, state: state[0] + 1),
    broken(
        "moves", "a tuple or another sequence", moves=lambda self, state: iter(moves(self, state))
    ),
    broken(
        "moves",
        "in another order",
        moves=lambda self, state: moves(self, state)[:: (-1) ** next(TICKS)],
    ),
    broken("moves", "listed twice", moves=lambda self, state: moves(self, state) * 2),
    broken("moves", "do not find it", moves=lambda self, state: Deaf(moves(self, state))),
    broken("moves", "do not find it", moves=lambda self, state: Lost(moves(self, state))),
    broken("moves", "never listed", moves=lambda self, state: Open(moves(self, state))),
    broken("result", "list no moves once the game is over", result=lambda self, state: (0, 0)),
    broken("result", "no move and no result", result=lambda self, state: None),
    *(
        broken(
            "result",
            f"+1, 0 or -1 for each seat, not {bad}",
            result=lambda self, state, bad=bad: None if state[1] else bad,
        )
        for bad in ((1,), (2, -2), [1, -1], (1.0, -1.0))
    ),
    found(Tampering, "pure play", "play changed the state it was given"),
    broken(
        "pure play",
        "led to two different states",
        play=lambda self, state, move: (1 - state[0], next(TICKS) % 3),
    ),
    broken("illegal moves", "say why", play=mumbling(play, parlour.IllegalMove)),
    broken(
        "move texts", "'down 1', written for (2,), reads as (1,)", write_move=lambda *_: "down 1"
    ),
    broken(
        "move texts",
        "read_move should take 'one', the text of a move: say down 1",
        write_move=lambda self, move: "one" if move == (1,) else "two",
    ),
    broken(
        "move texts",
        "read_move should take 'DOWN 1'",
        read_move=lambda self, state, text: read_move(self, state, text.replace("DOWN", "?")),
    ),
    broken(
        "move texts",
        "read_move should take '  down 1 '",
        read_move=lambda self, state, text: read_move(self, state, text.replace("  ", "?")),
    ),
    broken("bad moves", "say why", read_move=mumbling(read_move, parlour.BadText)),
    broken(
        "bad moves",
        "with BadText, not IndexError",
        read_move=lambda self, state, text: (int(text.split()[1]),),
    ),
    broken("bad moves", "which is not legal", read_move=taking(read_move, "take all", (9,))),
    broken("position texts", "but was written for", write=lambda self, state: f"{state[1]}:0"),
    broken("position texts", "on one line", write=lambda self, state: f"{state[1]}\n{state[0]}"),
    broken("position texts", "on one line", write=lambda self, state: " "),
    broken(
        "position texts", "the text of a position: write the", write=lambda self, state: "nowhere"
    ),
    broken(
        "position texts",
        "read should take 'H:0' as well",
        write=lambda self, state: f"{'abcdefgh'[state[1]]}:{state[0]}",
        read=lambda self, text: read(self, text.strip().translate(LETTERS)),
    ),
    broken(
        "position texts",
        "ignore case and outer spaces",
        read=lambda self, text: read(self, text.replace(" ", "?")),
    ),
    broken("bad positions", "say why", read=mumbling(read, parlour.BadText)),
    broken(
        "bad positions",
        "with BadText, not",
        read=lambda self, text: (int(text.split(":")[1]), int(text.split(":")[0])),
    ),
    broken("bad positions", "both moves and a result, or none", read=taking(read, "-1", (0, -1))),
    broken("keys", "do not all lead to the same keys", key=lambda self, state: state[1] % 2),
    broken(
        "keys",
        "do not all lead to the same keys and results",  # who moves at the end decides who has won
        result=lambda self, state: None if state[1] else (1, -1),
    ),
    broken(
        "loops",
        "a position came up again",
        play=lambda self, state, move: (
            state[0],
            state[1] if state[1] > 5 and move == (1,) else state[1] - move[0],
        ),
    ),
    broken(
        "loops",
        "a random game went on after 2000 moves",
        moves=lambda self, state: ((1,),),
        play=lambda self, state, move: (1 - state[0], state[1] + 1),
    ),
    broken(
        "impartial", "only one seat can play (2,)", impartial=True, moves=only_the_first_doubles
    ),
    broken("impartial", "not do the same for both seats", impartial=True, play=second_goes_slowly),
    broken(
        "impartial",
        "(2,) does not do the same for both seats",
        impartial=True,
        result=lambda self, state: (  # one seat ends it sooner
            None if state[1] > state[0] else (1, -1) if state[0] else (-1, 1)
        ),
    ),
    broken(
        "impartial",
        "looks different to the other seat",
        impartial=True,
        write=lambda self, state: "{1}:{0}:{0}".format(*state),
        read=lambda self, text: read(self, text.rpartition(":")[0]),
    ),
    broken("declared moves", "all_moves() lacks (2,)", all_moves=lambda self: [(1,)]),
    broken("declared moves", "list each move once", all_moves=lambda self: [(1,), (2,), (1,)]),
    broken("declared moves", "max_plies() is 3, but a random game", max_plies=lambda self: 3),
    broken("observations", "shape (2,)", observe=lambda self, state, seat: (0,) * (1 + state[0])),
    broken("observations", "none ragged", observe=lambda self, state, seat: ((0, 1), state[0])),
    broken("observations", "from 0 to 1", observe=lambda self, state, seat: state),
    broken(
        "declared moves",
        "(1, 1) does not add up to zero",
        result=lambda self, state: None if state[1] else (1, 1),
    ),
    broken("size", "size() is 3, but random play met more", size=lambda self: 3),
    broken("tier", "back to", tier=lambda self, state: state[1]),
    broken("tier", "not a whole number", tier=lambda self, state: "low"),
    broken("tier", "have the tiers", tier=lambda self, state: state[0] - 10 * state[1]),
    broken("score", "does not fit its result", score=lambda self, state: 1),
    broken("words", "without a full stop", title=lambda self, full=False: "countdown."),
    broken("words", "no empty ones", rules_text=lambda self, general=False: ("count", "")),
    broken("words", "how to type a move", how_to_move=lambda self: " "),
    broken("words", "each of the 2 seats", marks=("X",)),
    broken("words", "each of the 2 seats", sides=("red", "red")),
    broken(
        "words", "read_move should read 'down 1'", describe_move=lambda self, state, move: "down 1"
    ),
    broken("squares of a board", "rows of equal length", grid=lambda self, state: ("ab", "c")),
    broken(
        "squares of a board",
        "squares gives (2, 0) for (1,), which is off the grid",
        grid=lambda self, state: ("ab", "cd"),
        squares=lambda self, move: ((0, 0), (2, 0)),
    ),
    broken("drawing", "nothing to see", draw=lambda self, state: " "),
    broken("drawing", "without trailing spaces", draw=lambda self, state: "7 "),
    broken("drawing", "or control characters", draw=lambda self, state: "\x1b[1mbold"),
    broken("playing", "a random game broke off with KeyError: 'oh'", play=crashing),
    broken("drawing", "this law could not be checked: KeyError: 'oh'", draw=crashing),
]


def test_the_toy_itself_is_lawful():
    assert parlour.laws.check(Countdown()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("cls", "law", "advice"), BROKEN)
def test_a_broken_game_is_found_out(cls, law, advice):
    findings = {finding.law: finding.advice for finding in parlour.laws.check(cls())}
    assert advice in findings.get(law, ""), findings


def test_a_missing_verb_is_named():
    findings = parlour.laws.check(object())
    assert [finding.law for finding in findings] == ["vocabulary"]
    assert all(verb in str(findings[0]) for verb in VERBS)


def test_a_class_is_no_game_yet():
    assert [str(finding) for finding in parlour.laws.check(Countdown)] == [
        "vocabulary: make one first: check(Countdown())"
    ]


def test_no_law_is_left_untested():
    assert {parameters.values[1] for parameters in BROKEN} >= set(LAWS)
