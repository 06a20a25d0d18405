"""Three Men's Morris: place three men each, then slide them; three in a line win.

A whole game in one file, in which play may go round in circles. Try it:

    parlour play examples/three_mens_morris.py --seat human --seat perfect
    parlour solve examples/three_mens_morris.py --slides anywhere

A state is `(turn, own, other, to_place)`: the men of the seat to move and of the other as bits, the
points counted row by row from the top left, and how many men are still to be placed. A move is
`(point,)` to place a man, or `(point, to)` to slide one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import parlour

LINES = [sum(1 << point for point in line) for line in (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)]  # fmt: skip
NEXT_TO = {  # the points along a line from each
    point: [
        to
        for to in range(9)
        if to != point
        and abs(to % 3 - point % 3) < 2
        and abs(to // 3 - point // 3) < 2
        and (point % 2 == 0 or to % 2 == 0)
    ]
    for point in range(9)
}
TURNS = [  # the board turned and mirrored: which point comes where
    [turn(column, row) for row in range(3) for column in range(3)]
    for turn in (
        lambda c, r: c + 3 * r, lambda c, r: 2 - c + 3 * r, lambda c, r: c + 6 - 3 * r,
        lambda c, r: 8 - c - 3 * r, lambda c, r: r + 3 * c, lambda c, r: 2 - r + 3 * c,
        lambda c, r: r + 6 - 3 * c, lambda c, r: 8 - r - 3 * c,
    )
]  # fmt: skip


@dataclass(frozen=True)
class ThreeMensMorris:
    """Place three men each in turn, then slide them; whoever gets three in a line wins."""

    name: ClassVar[str] = "three_mens_morris"
    seats: ClassVar[int] = 2
    marks: ClassVar[tuple[str, ...]] = ("X", "O")

    slides: str = parlour.option("lines", "where a man may slide", choices=("lines", "anywhere"))
    centre: bool = parlour.option(True, "the first man may be placed in the centre")

    def __post_init__(self):
        parlour.settle(self)

    def start(self):
        return (0, 0, 0, 6)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        """Points row by row from the top; when sliding, from each man to each point."""
        _, own, other, to_place = state
        if has_line(other):
            return ()
        free = [point for point in range(9) if not (own | other) >> point & 1]
        if to_place:
            barred = 4 if to_place == 6 and not self.centre else None
            return tuple((point,) for point in free if point != barred)
        return tuple(
            (point, to)
            for point in range(9)
            if own >> point & 1
            for to in free
            if self.slides == "anywhere" or to in NEXT_TO[point]
        )

    def play(self, state, move):
        turn, own, other, to_place = state
        for point in move:
            own ^= 1 << point
        return (1 - turn, other, own, max(0, to_place - 1))

    def result(self, state):
        """The seat to move has lost when there is a line, or all its men are shut in."""
        if self.moves(state):
            return None
        return (-1, 1) if state[0] == 0 else (1, -1)

    def key(self, state):
        """The men as the mover sees them, up to turning and mirroring the board."""
        _, own, other, to_place = state
        return min((turned(own, way), turned(other, way), to_place) for way in TURNS)

    def size(self):
        return 4030  # ways to place up to three men each, in turn

    # Notation

    def write_move(self, move):
        return "-".join(map(write_point, move))

    def read_move(self, state, text):
        """`b2` places a man, `b2-c3` slides one."""
        found = re.fullmatch(
            r"([a-c])([1-3])(?:-?([a-c])([1-3]))?", "".join(text.casefold().split())
        )
        if not found:
            raise parlour.BadText(
                f"{text[:20]!r} is not a move; name a point like b2, or slide a man like b2-c3"
            )
        column, row, to_column, to_row = found.groups()
        move = (read_point(column, row),)
        if to_column:
            move += (read_point(to_column, to_row),)
        if move not in self.moves(state):
            raise parlour.IllegalMove(self.why_not(state))
        return move

    def write(self, state):
        """`XO-/-X-/--- O`: the rows from the top, and the side to move."""
        rows = "/".join("".join(mark or "-" for mark in row) for row in self.grid(state))
        return f"{rows} {self.marks[state[0]]}"

    def read(self, text):
        found = re.fullmatch(r"([XO-]{3})/([XO-]{3})/([XO-]{3})\s+([XO])", text.strip().upper())
        if not found:
            raise parlour.BadText(
                f"{text[:20]!r} is not a position; write the rows from the top as X, O and -, and "
                "X or O to move, like XO-/-X-/--- O"
            )
        points = found[1] + found[2] + found[3]
        men = [sum(1 << at for at, on in enumerate(points) if on == mark) for mark in self.marks]
        turn = self.marks.index(found[4])
        placed = men[0].bit_count() + men[1].bit_count()
        if men[0].bit_count() > 3 or (
            men[0].bit_count() - men[1].bit_count() != turn
            if placed < 6
            else men[1].bit_count() != 3
        ):
            raise parlour.BadText(
                f"{text[:20]!r} cannot come up: X begins, and each places three men in turn"
            )
        own, other = men[turn], men[1 - turn]
        if has_line(own):
            raise parlour.BadText(f"{found[4]} has a line already and cannot be to move")
        return (turn, own, other, 6 - placed)

    def draw(self, state):
        rows = [" ".join(mark or "-" for mark in row) for row in self.grid(state)]
        return "\n".join(["   a b c", *(f"{number}  {row}" for number, row in enumerate(rows, 1))])

    # The board for the web, and the words

    def grid(self, state):
        turn, own, other, _ = state
        first, second = (own, other) if turn == 0 else (other, own)
        points = ["X" if first >> at & 1 else "O" if second >> at & 1 else "" for at in range(9)]
        return [points[0:3], points[3:6], points[6:9]]

    def squares(self, move):
        return tuple((point % 3, point // 3) for point in move)

    def title(self, full=False):
        slides = ", sliding anywhere" if self.slides == "anywhere" else ""
        return (
            f"Three Men's Morris{slides}{'' if self.centre else ' with the centre barred at first'}"
        )

    # What the rules are made of

    def why_not(self, state):
        moves = self.moves(state)
        if not moves:
            return "the game is over"
        return "that cannot be played; you may play " + ", ".join(map(self.write_move, moves))


def has_line(men):
    """Whether three of these men stand in a line."""
    return any(men & line == line for line in LINES)


def turned(men, way):
    """The men on a board turned or mirrored this way."""
    return sum(1 << way[point] for point in range(9) if men >> point & 1)


def write_point(point):
    """`b2` for the centre."""
    return f"{'abc'[point % 3]}{point // 3 + 1}"


def read_point(column, row):
    """The point of a letter and a digit."""
    return "abc".index(column) + 3 * (int(row) - 1)
