"""What is in a box: kinds of balls with their marks, how many there are, and the chance of each.

Every kind of ball is told by its colour, by what is written on it, and in words; here are the
words, and the box as the terminal shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.core import count, describe, seat_name
from parlour.drawing import BLUE, INK, VERMILION, WHITE
from parlour.learn.hat_set import Hats
from parlour.learn.updates import HATS
from parlour.rules import Sticks, TicTacToe

MOST = 12  # balls of a kind that are drawn one by one
BAR = 30  # the longest row of balls in the terminal
COLOURS = {  # told apart by colour-blind eyes, and sold as beads
    "blue": BLUE,
    "orange": "#E69F00",
    "green": "#009E73",
    "yellow": "#F0E442",
    "red": VERMILION,
    "light blue": "#56B4E9",
    "black": INK,
    "pink": "#CC79A7",
    "white": WHITE,
}


@dataclass(frozen=True)
class Kind:
    """A kind of ball in a box, and how many there are."""

    mark: str
    colour: str  # by name
    move: str
    held: int
    chance: float

    @property
    def fill(self) -> str:
        """The colour itself."""
        return COLOURS[self.colour]

    @property
    def told(self) -> str:
        """`a1: 12, 8%`"""
        return f"{self.move}: {self.held:,}, {format_percent(self.chance)}"


def list_kinds(hats: Hats, row: int, box: int) -> list[Kind]:
    """The kinds of ball in a box with what it holds of each."""
    held = hats.contents(row, box)
    return [
        Kind(mark, colour, ball.text, balls, balls / max(1, sum(held)))
        for (mark, colour), ball, balls in zip(
            mark_balls(hats, box), hats.boxes.balls[box], held, strict=True
        )
    ]


def mark_balls(hats: Hats, box: int) -> list[tuple[str, str]]:
    """For every kind of ball in a box what is written on it, and the name of its colour.

    A square of a board has the same in every box; so has a number of sticks.
    """
    game, names = hats.game, list(COLOURS)
    found = []
    for number, ball in enumerate(hats.boxes.balls[box]):
        place, mark = number, ball.text
        if isinstance(game, TicTacToe):
            column, row = ball.moves[0]
            place = column + row * game.columns
        elif not isinstance(game, Sticks):
            mark = to_letters(number)
        found.append((mark, names[place % len(names)]))
    return found


def format_percent(chance: float) -> str:
    """`8%`; what can happen is never 0%, and what is not sure never 100%."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= chance < 1 else f"{chance:.0%}"


def to_letters(number: int) -> str:
    """A, B, C… Z, AA, AB…"""
    more, last = divmod(number, 26)
    return (to_letters(more - 1) if more else "") + chr(ord("A") + last)


def scale_balls(held: Sequence[int], most: int = MOST) -> list[int]:
    """How many balls of each kind to draw: all of them, or in proportion; one at least of any."""
    largest = max(held, default=0)
    if largest <= most:
        return list(held)
    return [max(1, round(balls * most / largest)) if balls else 0 for balls in held]


def name_box(hats: Hats, row: int, box: int) -> str:
    """What a box is called: `hat 7`, or `box 21`, numbered among the boxes of its player."""
    if isinstance(hats.game, Sticks):
        return f"{'hat' if are_hats(hats) else 'box'} {hats.boxes.states[box][2]}"
    owned = hats.owned(row)
    return f"box {owned.index(box) + 1}" if box in owned else "no box"


def describe_box(hats: Hats, row: int, box: int) -> str:
    """The game, who is to move, and what is particular about a box."""
    game, state = hats.game, hats.boxes.states[box]
    said = describe(game)
    if isinstance(game, Sticks):
        said = f"{count(state[2], 'stick')} left, take up to {game.take}"
    if hats.boxes.apart:
        turn = hats.boxes.turns[box] + 1
        said += f", {seat_name(game, game.turn(state))} to move, turn {turn}"
    if not hats.boxes.boxed[box]:
        said += "; there is only one move"
    elif not any(hats.contents(row, box)):
        said += "; it is empty, and its player gives up here"
    return said


def are_hats(hats: Hats) -> bool:
    """Whether the boxes are drawn as hats; MENACE's are matchboxes, whatever the game."""
    return isinstance(hats.game, Sticks) and hats.rule is HATS


def format_box(hats: Hats, row: int, box: int) -> str:
    """A box in plain text: the position, and a line for every kind of ball."""
    found = list_kinds(hats, row, box)
    name = name_box(hats, row, box)
    lines = [f"{name[0].upper()}{name[1:]}: {describe_box(hats, row, box)}"]
    lines += ["", hats.game.draw(hats.boxes.states[box]), ""]
    balls = scale_balls([kind.held for kind in found], BAR)
    moves = max(len(kind.move) for kind in found)
    numbers = max(len(f"{kind.held:,}") for kind in found)
    for kind, several in zip(found, balls, strict=True):
        lines.append(
            f"{kind.move:>{moves}}  {'●' * several:<{max(balls)}}  {kind.held:>{numbers},}  "
            f"{format_percent(kind.chance):>4}"
        )
    return "\n".join(lines)
