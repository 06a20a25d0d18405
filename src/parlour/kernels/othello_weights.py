"""The weights of the evaluation, unpacked from the file that `python -m tools.othello.train` made.

The file holds a row for each number of empty squares that has weights of its own, from `FIRST` on,
as differences from row to row: most are zero, which compresses well. Only one of two mirrored
entries is kept.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import numpy as np

from parlour.kernels.othello_patterns import PARAMETERS, SIZE, canonical

FILE = Path(__file__).with_suffix(".bin")
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
