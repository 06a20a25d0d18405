"""Hexapawn: chess pawns on a tiny board, which Martin Gardner invented for matchboxes that learn.

A whole game in one file. Try it:

    parlour play examples/hexapawn.py --seat human --seat perfect
    parlour solve examples/hexapawn.py --columns 4

A state is `(turn, white, black)`: the pawns of each side as bits, square (column, row) being bit
`column + row * columns`, from 0 at the top left. White stands at the bottom and begins. A move is
`(column, row, to_column, to_row)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import parlour

LETTERS = "abcdef"


@dataclass(frozen=True)
class Hexapawn:
    """Bring a pawn to the far side, or leave your opponent without a move."""

    name: ClassVar[str] = "hexapawn"
    seats: ClassVar[int] = 2
    loops: ClassVar[str] = "never"  # pawns never go back
    marks: ClassVar[tuple[str, ...]] = ("W", "B")
    sides: ClassVar[tuple[str, ...]] = ("white", "black")

    columns: int = parlour.option(3, "columns of the board", low=2, high=6)
    rows: int = parlour.option(3, "rows of the board", low=3, high=6)

    def __post_init__(self):
        parlour.settle(self)

    def start(self):
        row = (1 << self.columns) - 1
        return (0, row << self.columns * (self.rows - 1), row)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        """Pawns row by row from the top, each to the left, straight on and to the right."""
        turn, white, black = state
        own, other = (white, black) if turn == 0 else (black, white)
        if other & self.goal(1 - turn):
            return ()
        found = []
        for place in range(self.columns * self.rows):
            if own >> place & 1:
                row, column = divmod(place, self.columns)
                ahead = row + (1 if turn else -1)
                for to in range(max(0, column - 1), min(self.columns, column + 2)):
                    target = self.bit(to, ahead)
                    if other & target if to != column else not (own | other) & target:
                        found.append((column, row, to, ahead))
        return tuple(found)

    def play(self, state, move):
        column, row, to, ahead = move
        turn, *pawns = state
        pawns[turn] ^= self.bit(column, row) | self.bit(to, ahead)
        pawns[1 - turn] &= ~self.bit(to, ahead)
        return (1 - turn, *pawns)

    def result(self, state):
        """The seat to move has lost when it has no move, or a pawn has come through."""
        if self.moves(state):
            return None
        return (-1, 1) if state[0] == 0 else (1, -1)

    def key(self, state):
        """The board as the mover sees it, or its mirror image, whichever is smaller."""
        turn, white, black = state
        rows = [(self.row(white, row), self.row(black, row)) for row in range(self.rows)]
        if turn == 1:
            rows = [(own, other) for other, own in reversed(rows)]
        mirror = [(self.flip(own), self.flip(other)) for own, other in rows]
        return min(tuple(rows), tuple(mirror))

    def size(self):
        return 3 ** (self.columns * self.rows)

    # Notation

    def write_move(self, move):
        """`b3-b2` straight on, `b3xa2` for a capture."""
        column, row, to, ahead = move
        sign = "-" if column == to else "x"
        return f"{LETTERS[column]}{row + 1}{sign}{LETTERS[to]}{ahead + 1}"

    def read_move(self, state, text):
        """`b3-b2`, `b3xa2`; the sign between the squares may be left out."""
        found = re.fullmatch(
            r"([a-f])([1-6])[-x:]?([a-f])([1-6])", "".join(text.casefold().split())
        )
        if not found:
            raise parlour.BadText(f"{text[:20]!r} is not a move; write two squares, like b3-b2")
        column, row, to, ahead = found.groups()
        move = (LETTERS.index(column), int(row) - 1, LETTERS.index(to), int(ahead) - 1)
        if move not in self.moves(state):
            raise parlour.IllegalMove(self.why_not(state))
        return move

    def write(self, state):
        """`BBB/---/WWW W`: the rows from the top, and the side to move."""
        rows = "/".join("".join(mark or "-" for mark in row) for row in self.grid(state))
        return f"{rows} {self.marks[state[0]]}"

    def read(self, text):
        *rows, side = re.split("[/ ]+", text.strip().upper())
        if (
            [len(row) for row in rows] != [self.columns] * self.rows
            or set("".join(rows)) - set("WB-")
            or side not in self.marks
        ):
            raise parlour.BadText(
                f"{text[:40]!r} is not a position; write {self.rows} rows of {self.columns} from "
                "the top as W, B and -, and W or B to move, like BBB/---/WWW W"
            )
        squares = "".join(rows)
        white, black = (
            sum(1 << place for place, on in enumerate(squares) if on == mark) for mark in "WB"
        )
        turn = self.marks.index(side)
        if (white, black)[turn] & self.goal(turn):
            raise parlour.BadText(f"{text[:40]!r} is over, but not because of the last move")
        return (turn, white, black)

    def draw(self, state):
        rows = [" ".join(mark or "-" for mark in row) for row in self.grid(state)]
        head = "   " + " ".join(LETTERS[: self.columns])
        return "\n".join([head, *(f"{number}  {row}" for number, row in enumerate(rows, 1))])

    # The board for the web, and the words

    def grid(self, state):
        _, white, black = state
        marks = [
            "W" if white >> place & 1 else "B" if black >> place & 1 else ""
            for place in range(self.columns * self.rows)
        ]
        return [marks[at : at + self.columns] for at in range(0, len(marks), self.columns)]

    def squares(self, move):
        column, row, to, ahead = move
        return ((column, row), (to, ahead))

    def rules_text(self, general=False):
        return (
            f"each side has {self.columns} pawns on a board of {self.columns} by {self.rows}",
            "a pawn moves one square straight on, or captures one square diagonally ahead",
            "whoever brings a pawn to the far side wins",
            "whoever has no move left loses",
        )

    # What the rules are made of

    def bit(self, column, row):
        return 1 << column + row * self.columns

    def goal(self, seat):
        """The row a seat's pawns want to reach."""
        row = (1 << self.columns) - 1
        return row if seat == 0 else row << self.columns * (self.rows - 1)

    def row(self, pawns, row):
        return pawns >> row * self.columns & (1 << self.columns) - 1

    def flip(self, row):
        return sum(
            1 << self.columns - 1 - place for place in range(self.columns) if row >> place & 1
        )

    def why_not(self, state):
        moves = self.moves(state)
        if not moves:
            return "the game is over"
        return "that pawn cannot go there; you may play " + ", ".join(map(self.write_move, moves))
