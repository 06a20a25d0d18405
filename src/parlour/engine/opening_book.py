"""The opening book: positions often played on the usual board, and what their moves are worth.

The positions come from tournament games; the values do not, they were searched at the ends of the
book and carried back to its beginning. Of the eight ways to turn and mirror a position one is kept.
`python -m tools.othello.book` makes the file.
"""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path
from typing import TypeAlias

from parlour.rules import board_of

FILE = Path(__file__).with_name("book.xz")
SIDE = 8
POSITION = 16  # bytes of the mover's discs and of the other's

Moves: TypeAlias = dict[int, int]  # the mover's lead in the end after a move, by its square's bit


class Book:
    """What the moves of well-known positions are worth."""

    def __init__(self, pages: dict[tuple[int, int], Moves]) -> None:
        self.pages = pages

    def find(self, own: int, other: int) -> Moves | None:
        """The moves worth thinking of in a position and the leads they promise the mover."""
        position, way = usual(own, other)
        moves = self.pages.get(position)
        if moves is None:
            return None
        back = {_turned(1 << square, way): square for square in range(SIDE * SIDE)}
        return {back[1 << square]: lead for square, lead in moves.items()}


def usual(own: int, other: int) -> tuple[tuple[int, int], int]:
    """The view of a position that the book keeps, and which way it is seen."""
    views = range(len(board_of(SIDE, SIDE).symmetries))
    return min(((_turned(own, way), _turned(other, way)), way) for way in views)


def _turned(discs: int, way: int) -> int:
    """The discs on the board turned or mirrored in one of the eight ways."""
    tables = board_of(SIDE, SIDE).symmetries[way]
    return sum(table[discs >> SIDE * row & 0xFF] for row, table in enumerate(tables))


def write_pages(pages: dict[tuple[int, int], Moves]) -> bytes:
    """The bytes of a file: for each position its discs, how many moves, their squares and leads."""
    parts = []
    for (own, other), moves in sorted(pages.items()):
        parts += [own.to_bytes(8), other.to_bytes(8), bytes([len(moves)])]
        parts += [bytes([square, lead + SIDE * SIDE]) for square, lead in sorted(moves.items())]
    return lzma.compress(b"".join(parts))


def read_pages(data: bytes) -> dict[tuple[int, int], Moves]:
    """The positions that were written and their moves."""
    text = lzma.decompress(data)
    pages = {}
    at = 0
    while at < len(text):
        position = int.from_bytes(text[at : at + 8]), int.from_bytes(text[at + 8 : at + POSITION])
        first = at + POSITION + 1
        at = first + 2 * text[first - 1]
        pages[position] = {
            square: lead - SIDE * SIDE
            for square, lead in zip(text[first:at:2], text[first + 1 : at : 2], strict=True)
        }
    return pages


@cache
def book() -> Book:
    """The book that comes with the engine."""
    return Book(read_pages(FILE.read_bytes()))
