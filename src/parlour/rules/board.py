"""A board of squares as an integer with a bit for each: what tic-tac-toe and Othello share.

Square (column, row) is bit `column + row * columns`: a1 is bit 0, top left, and rows run down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from parlour.core import BadText, Game, Text, count, protocol, quote, sentences, whole

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

CHUNK = 11  # bits looked up at once: tables that fill soon, and a 3x3 board in one of them
LOW = (1 << CHUNK) - 1
Square = protocol.Square
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_REMEMBERED = 1 << 13  # values in a memo, enough for all of tic-tac-toe


def find_sentences(name: str) -> sentences.Phrases:
    """The sentences of a game, or of several alike, by its name."""
    return sentences.Phrases(Path(__file__).with_name("sentences") / f"{name}.txt")


SENTENCES = find_sentences("board")


class Memo(dict[K, V]):
    """A bounded cache, faster than `lru_cache`: `memo[key]` is `make(key)`, computed once."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        self.make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        value = self[key] = self.make(key)
        return value


class Board:
    """The geometry of a board; one object serves every game of that size."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.full = (1 << columns * rows) - 1
        self.bits = {(c, r): 1 << c + r * columns for r in range(rows) for c in range(columns)}
        self.tables = [self._table(first) for first in range(0, columns * rows, CHUNK)]
        self.rows_of_bits: Memo[int, tuple[int, ...]] = Memo(
            lambda bits: tuple(bits >> column & 1 for column in range(columns))
        )

    def _table(self, first: int) -> Memo[int, tuple[Square, ...]]:
        def squares(bits: int) -> tuple[Square, ...]:
            places = (first + i for i in range(CHUNK) if bits >> i & 1)
            return tuple((place % self.columns, place // self.columns) for place in places)

        return Memo(squares)

    def __reduce__(self) -> tuple[Any, ...]:
        return board_of, (self.columns, self.rows)

    def squares(self, mask: int) -> tuple[Square, ...]:
        """The squares of a mask, row by row."""
        if mask <= LOW:
            return self.tables[0][mask]
        found: tuple[Square, ...] = ()
        for table in self.tables:
            found += table[mask & LOW]
            mask >>= CHUNK
        return found

    @cached_property
    def symmetries(self) -> list[list[list[int]]]:
        """For each way to turn or mirror the board: byte by byte, where its bits go."""
        w, h = self.columns - 1, self.rows - 1
        orders = [list(self.bits)]
        if w == h:
            orders.append([(r, c) for c, r in self.bits])
        ways = []
        for order in orders:
            ways += [order, [(w - c, r) for c, r in order]]
            ways += [[(c, h - r) for c, r in way] for way in ways[-2:]]
        return [self._byte_tables([self.bits[square] for square in way]) for way in ways]

    def _byte_tables(self, to: list[int]) -> list[list[int]]:
        """For each byte of a mask and each of its values: the bits it becomes."""
        return [
            [
                sum(bit for i, bit in enumerate(to[at : at + 8]) if byte >> i & 1)
                for byte in range(256)
            ]
            for at in range(0, len(to), 8)
        ]

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """The smallest pair among all ways to turn and mirror a position."""
        owns, others = _bytes(own, self.full), _bytes(other, self.full)
        return min(
            (
                sum(table[byte] for table, byte in zip(way, owns, strict=True)),
                sum(table[byte] for table, byte in zip(way, others, strict=True)),
            )
            for way in self.symmetries
        )

    def write_square(self, square: Square) -> str:
        column, row = square
        return f"{LETTERS[column]}{row + 1}"

    def read_square(self, text: str) -> Square:
        """Read `d3` or `D 3`; `BadText` for anything else and for squares off the board."""
        if found := re.fullmatch(r"([a-z])([0-9]+)", "".join(text.casefold().split())):
            square = (LETTERS.index(found[1]), whole(found[2]) - 1)
            if square in self.bits:
                return square
        corner = self.write_square((self.columns - 1, self.rows - 1))
        raise BadText(
            "{text} is not a square here; the squares are a1 to {corner}",
            text=quote(text),
            corner=corner,
        )

    def read(self, text: str) -> tuple[int, int, int]:
        """Read the first seat's squares, the second's and the turn from such a line.

        Fields after a semicolon are ignored, as in OBF files; `*` and `.` also stand for empty
        squares, and spaces and case do not matter.
        """
        typed = "".join(text.partition(";")[0].upper().split())
        cells, side = typed[:-1], typed[-1:]
        if len(cells) != len(self.bits) or set(cells) - set("XO-*.") or side not in ("X", "O"):
            raise BadText(
                "{text} is not a position; write the {number} squares row by row as X, O and "
                "-, then X or O to move",
                text=quote(text.strip()),
                number=len(self.bits),
            )
        masks = {"X": 0, "O": 0}
        for cell, bit in zip(cells, self.bits.values(), strict=True):
            if cell in masks:
                masks[cell] |= bit
        return masks["X"], masks["O"], "XO".index(side)

    def plane(self, mask: int) -> tuple[tuple[int, ...], ...]:
        """A mask as rows of 0 and 1."""
        width, low, table = self.columns, (1 << self.columns) - 1, self.rows_of_bits
        return tuple([table[mask >> place & low] for place in range(0, width * self.rows, width)])


class BoardGame(Game):
    """What games share in which X and O take turns to fill a board.

    A state begins with `(own, other, turn)`: the squares of the seat to move and of the other seat
    as bits, and the turn. X is the first seat.
    """

    seats: ClassVar[int] = 2
    loops: ClassVar[str] = "never"
    marks: ClassVar[tuple[str, ...]] = ("X", "O")
    columns: int
    rows: int

    @cached_property
    def board(self) -> Board:
        return board_of(self.columns, self.rows)

    def turn(self, state: tuple[int, ...]) -> int:
        return state[2]

    def key(self, state: tuple[int, ...]) -> tuple[int, int]:
        """The position as the mover sees it, up to turning and mirroring the board."""
        return self.board.canonical(state[0], state[1])

    def size(self) -> int:
        size: int = 3 ** len(self.board.bits)
        return size

    def observe(self, state: tuple[int, ...], seat: int) -> tuple[Any, ...]:
        """Planes: the seat's squares, the other's, and 1 everywhere on its turn."""
        own, other, turn, *_ = state
        plane, full = self.board.plane, self.board.full
        if turn == seat:
            return (plane(own), plane(other), plane(full))
        return (plane(other), plane(own), plane(0))

    def write(self, state: tuple[int, ...]) -> str:
        """`X-O------ X`: the squares row by row as X, O and -, and the side to move."""
        cells = "".join(mark or "-" for row in self.grid(state) for mark in row)
        return f"{cells} {'XO'[state[2]]}"

    def grid(self, state: tuple[int, ...], hints: int = 0) -> protocol.Grid:
        """X, O or nothing on each square, and `*` on hinted ones."""
        first, second = by_seat(*state[:3])
        marks = [
            "X" if first & bit else "O" if second & bit else "*" if hints & bit else ""
            for bit in self.board.bits.values()
        ]
        starts = range(0, len(marks), self.columns)
        return tuple(tuple(marks[start : start + self.columns]) for start in starts)

    def how_to_move(self) -> Text:
        moves = self.moves(self.start())
        square = self.board.write_square(moves[len(moves) // 2])
        return SENTENCES("how-to-move", square=square)

    def describe_board(self, general: bool) -> Text:
        """The size of the board, as the first sentence of the rules."""
        columns, rows = count(self.columns, "column"), count(self.rows, "row")
        return SENTENCES("size", general=general, columns=columns, rows=rows)


def by_seat(own: int, other: int, turn: int) -> tuple[int, int]:
    """Exchange (mover's, other's) for (first seat's, second seat's), or back."""
    return (own, other) if turn == 0 else (other, own)


@cache
def board_of(columns: int, rows: int) -> Board:
    """The board of this size."""
    return Board(columns, rows)


def _bytes(mask: int, full: int) -> bytes:
    return mask.to_bytes((full.bit_length() + 7) // 8, "little")
