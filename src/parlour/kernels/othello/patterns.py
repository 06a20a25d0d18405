"""The patterns of the evaluation: which squares they look at and how boards become table indices.

A pattern is a short list of squares in up to eight turns of the board; each square is a ternary
digit (0 empty, 1 the mover's, 2 the other's). `DIGITS[square]` holds, for each of the turned
patterns, what a mover's disc on that square adds to its index.

The weights of the evaluation, unpacked from the file that `python -m tools.othello.train` made.

The file holds a row for each number of empty squares that has weights of its own, from `FIRST` on,
as differences from row to row: most are zero, which compresses well. Only one of two mirrored
entries is kept.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import numpy as np

WIDTH = 48  # lanes kept for the indices of one position; the last few are unused
NAMES = {
    "edge": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "corner": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "block": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "a2 b3 c4 d5 e6 f7 g8",
    "diagonal 6": "a3 b4 c5 d6 e7 f8",
    "diagonal 5": "a4 b5 c6 d7 e8",
    "diagonal 4": "a5 b6 c7 d8",
}


def _square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def turn(square, way):
    """The square in one of the eight symmetric views of the board."""
    column, row = square % 8, square // 8
    if way & 1:
        column = 7 - column
    if way & 2:
        row = 7 - row
    if way & 4:
        column, row = row, column
    return column + 8 * row


def _layout():
    instances, bases, families = [], [], []
    total = 0
    for name, text in NAMES.items():
        squares = [_square(word) for word in text.split()]
        seen = {}
        mirror = None
        for way in range(8):
            turned = [turn(square, way) for square in squares]
            key = frozenset(turned)
            if key in seen:
                # the same squares in another order: the table is symmetric under this exchange
                other = seen[key]
                if other == squares:
                    mirror = [turned.index(square) for square in squares]
                continue
            seen[key] = turned
            instances.append(turned)
            bases.append(total)
        families.append((name, total, len(squares), mirror))
        total += 3 ** len(squares)
    digits = np.zeros((64, WIDTH), np.int16)
    for lane, squares in enumerate(instances):
        for place, square in enumerate(squares):
            digits[square, lane] = 3**place
    return instances, np.array(bases, np.int64), families, total, digits


INSTANCES, BASES, FAMILIES, SIZE, DIGITS = _layout()
COUNT = len(INSTANCES)
PARAMETERS = SIZE + 128  # with two tables of 64 for how many moves either side has


def canonical():
    """For every table entry the entry it shares its weight with."""
    same = np.arange(SIZE, dtype=np.int32)
    for _, base, length, mirror in FAMILIES:
        if mirror is None:
            continue
        indices = np.arange(3**length)
        reversed_ = np.zeros_like(indices)
        for place in range(length):
            reversed_ += indices // 3**place % 3 * 3 ** mirror[place]
        same[base : base + 3**length] = base + np.minimum(indices, reversed_)
    return same


FILE = Path(__file__).with_name("weights.bin")
FIRST = 8  # with fewer empty squares the same weights are used
STAGES = 65  # of 0 to 64 empty squares


def shared():
    """The entry that each entry shares its weight with; the tables of mobility share nothing."""
    return np.concatenate([canonical(), np.arange(SIZE, PARAMETERS, dtype=np.int32)])


def pack(rows):
    """The bytes of the file for these rows, the first of which is for `FIRST` empty squares."""
    same = shared()
    kept = rows.astype(np.int16)[:, same == np.arange(PARAMETERS)]
    steps = np.diff(kept, axis=0, prepend=np.int16(0)).T
    return zlib.compress(np.stack([steps & 0xFF, steps >> 8]).astype(np.uint8).tobytes(), 9)


def unpack(data):
    """The rows that were packed."""
    same = shared()
    kept = same == np.arange(PARAMETERS)
    low, high = np.frombuffer(zlib.decompress(data), np.uint8).reshape(
        2, np.count_nonzero(kept), -1
    )
    steps = (high.astype(np.int16) << 8 | low).T
    rows = np.cumsum(steps, axis=0, dtype=np.int16)
    return rows[:, (np.cumsum(kept) - 1)[same]]


@cache
def weights():
    """The weights for every number of empty squares from 0 to 64, in 128ths of a disc."""
    rows = unpack(FILE.read_bytes())
    stages = np.clip(np.arange(STAGES), FIRST, FIRST + len(rows) - 1) - FIRST
    return np.ascontiguousarray(rows[stages])
