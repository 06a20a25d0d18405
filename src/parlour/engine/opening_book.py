"""The opening book: positions of the 8x8 board that are often reached, with their moves' scores.

The positions come from tournament games. The scores do not: they were searched at the leaves of the
book and backed up to its root. Of the eight symmetric forms of a position one is stored.
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
POSITION = 16  # bytes of the mover's discs and of the opponent's

Position: TypeAlias = tuple[int, int]
Moves: TypeAlias = dict[int, int]  # the mover's final lead after a move, by its square


class Book:
    """The moves of well-known positions and their scores."""

    def __init__(self, positions: dict[Position, Moves]) -> None:
        self.positions = positions

    def find(self, own: int, other: int) -> Moves | None:
        """Return the moves of a position worth considering, with the lead each leads to."""
        position, symmetry = canonical(own, other)
        moves = self.positions.get(position)
        if moves is None:
            return None
        back = {_transform(1 << square, symmetry): square for square in range(SIDE * SIDE)}
        return {back[1 << square]: lead for square, lead in moves.items()}


def canonical(own: int, other: int) -> tuple[Position, int]:
    """Return the symmetric form of a position that the book stores, and which symmetry it is."""
    symmetries = range(len(board_of(SIDE, SIDE).symmetries))
    return min(((_transform(own, each), _transform(other, each)), each) for each in symmetries)


def _transform(discs: int, symmetry: int) -> int:
    """Return the discs under one of the eight symmetries of the board."""
    tables = board_of(SIDE, SIDE).symmetries[symmetry]
    return sum(table[discs >> SIDE * row & 0xFF] for row, table in enumerate(tables))


def write_book(positions: dict[Position, Moves]) -> bytes:
    """Return the bytes of a file: each position's discs, number of moves, squares and leads."""
    parts = []
    for (own, other), moves in sorted(positions.items()):
        parts += [own.to_bytes(8), other.to_bytes(8), bytes([len(moves)])]
        parts += [bytes([square, lead + SIDE * SIDE]) for square, lead in sorted(moves.items())]
    return lzma.compress(b"".join(parts))


def read_book(data: bytes) -> dict[Position, Moves]:
    """Return the positions in the bytes of a file, and their moves."""
    text = lzma.decompress(data)
    positions = {}
    at = 0
    while at < len(text):
        position = int.from_bytes(text[at : at + 8]), int.from_bytes(text[at + 8 : at + POSITION])
        first = at + POSITION + 1
        at = first + 2 * text[first - 1]
        positions[position] = {
            square: lead - SIDE * SIDE
            for square, lead in zip(text[first:at:2], text[first + 1 : at : 2], strict=True)
        }
    return positions


@cache
def load_book() -> Book:
    """Return the book that comes with the engine."""
    return Book(read_book(FILE.read_bytes()))
