"""The intent that a line most likely has, learnt from example lines.

It is a linear model over n-grams of letters and words, the state in which the line was typed, and
hints from the grammar. Features are hashed into buckets; the weights are whole numbers, fitted by
`tools/intents` and shipped in one compressed file.
"""

from __future__ import annotations

import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.host.language import NUMBER, Line

if TYPE_CHECKING:
    import numpy as np

FILE = Path(__file__).with_name("classifier.bin")
BUCKETS = 1 << 14  # of n-grams
HINT_BUCKETS = 1 << 11
HINT_WEIGHT = 0.35  # of one hint, where the n-grams of a line have length 1 together
LETTERS, WORDS = (3, 4, 5), (1, 2, 3)  # sizes of n-grams
LONG = 20  # words from which lines count as equally long
GAMES = frozenset({"nim", "sticks", "chopsticks", "tictactoe", "othello"})  # states of one kind


@dataclass(frozen=True)
class Weights:
    """The model: a row of whole numbers for each bucket, a column for each intent."""

    intents: tuple[str, ...]
    states: dict[str, list[str]]  # the intents that a line can have in each kind of state
    scale: float  # what 1 in the table stands for
    table: np.ndarray

    def list_possible(self, state: str) -> Sequence[str]:
        """Return the intents that a line can have in a state; all games have the same."""
        return self.states[name_kind(state)]


@dataclass(frozen=True)
class Guess:
    """An intent and how likely it is, from 0 to 1."""

    intent: str
    chance: float


def name_kind(state: str) -> str:
    """Return the kind of a state: a game of any name is one."""
    return "game" if state in GAMES else state


def rank(
    state: str, line: Line, hints: Iterable[str], weights: Weights | None = None
) -> list[Guess]:
    """Return the intents that a line may have in a state, likeliest first."""
    import numpy as np  # not needed to greet

    weights = weights or _load()
    buckets, values = find_buckets(state, line, hints)
    scores = weights.scale * (np.array(values, np.float32) @ weights.table[buckets])
    possible = [weights.intents.index(name) for name in weights.list_possible(state)]
    chances = np.exp(scores[possible] - scores[possible].max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    return [Guess(weights.intents[possible[at]], float(chances[at])) for at in order]


@cache
def _load() -> Weights:
    """Return the weights that are shipped."""
    import numpy as np

    head, _, body = zlib.decompress(FILE.read_bytes()).partition(b"\n")
    made = json.loads(head)
    intents = tuple(made["intents"])
    table = np.frombuffer(body, np.int8).reshape(len(intents), -1).T
    return Weights(intents, made["states"], made["scale"], np.ascontiguousarray(table, np.float32))


def find_buckets(
    state: str, line: Line, hints: Iterable[str]
) -> tuple[Sequence[int], Sequence[float]]:
    """Return the buckets of all features of a line, and how much each counts."""
    counts = Counter(zlib.crc32(name.encode()) % BUCKETS for name in _list_features(state, line))
    length = math.sqrt(sum(counts.values()))
    marks = {BUCKETS + zlib.crc32(name.encode()) % HINT_BUCKETS for name in hints}
    values = [math.sqrt(count) / length for count in counts.values()]
    return [*counts, *sorted(marks)], [*values, *[HINT_WEIGHT] * len(marks)]


def _list_features(state: str, line: Line) -> Iterator[str]:
    """Name every n-gram of a line, and what it is in this state."""
    kind = name_kind(state)
    words = ["#" if NUMBER.fullmatch(word) else word for word in line.words]
    text = f" {' '.join(words)} "
    for size in LETTERS:
        yield from (f"c{text[at : at + size]}" for at in range(len(text) - size + 1))
    row = ["<", *words, ">"]
    for size in WORDS:
        yield from (f"w{' '.join(row[at : at + size])}" for at in range(len(row) - size + 1))
    yield from (f"g{before} {after}" for before, after in zip(row, row[2:], strict=False))
    yield from (f"s{kind}", f"s={state}") * 3
    yield from (f"x{kind}{word}" for word in {*words, *(f"<{word}" for word in words[:1])})
    yield from (f"n{min(len(words), LONG)}", f"n<{len(words) // 4}", f"n{kind}{len(words) // 2}")
    if line.text.rstrip().endswith("?"):
        yield from ("?", f"?{kind}") * 2
    yield from (mark for mark in '"“!' if mark in line.text)
