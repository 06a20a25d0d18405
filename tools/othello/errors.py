"""Measure the errors of shallow searches: python -m tools.othello.errors WTHOR [NUMBER DEPTH]

Positions near those of the games are searched to every depth and, where that is fast, solved. The
differences between depths of the same parity, and from the solution, give the two error models, in
discs, of the engine's ProbCut:

    from the end:   exp(a + b empties + c ln(shallow + 1))
    between depths: exp(a + b empties + c ln(shallow + 1) + d ln(deep - shallow))
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from tools.othello.labels import Labeller
from tools.othello.positions import Positions, read_games

from parlour.kernels.othello.evaluation import weights

EMPTIES = range(16, 53, 4)
ENDINGS = range(13, 21)
DECIDED = 45  # discs; positions with a larger lead are left out

Row = tuple[
    int, int, int, float, float
]  # empties, deep, shallow, spread and mean of the difference


def between_depths(leads: np.ndarray, empties: int) -> list[Row]:
    """Return the differences between any two depths of the same parity."""
    close = np.abs(leads).max(axis=0) < DECIDED
    pairs = [
        (deep, shallow) for deep in range(len(leads)) for shallow in range(2 - deep % 2, deep, 2)
    ]
    apart = [leads[deep, close] - leads[shallow, close] for deep, shallow in pairs]
    return [(empties, *pair, gap.std(), gap.mean()) for pair, gap in zip(pairs, apart, strict=True)]


def from_the_end(leads: np.ndarray, solved: np.ndarray, empties: int) -> list[Row]:
    """Return the differences between every depth and the solution."""
    close = np.abs(leads).max(axis=0) < DECIDED
    apart = [solved[close] - row[close] for row in leads]
    return [(empties, empties, depth, gap.std(), gap.mean()) for depth, gap in enumerate(apart)]


def fit_model(name: str, rows: list[Row], end: bool) -> None:
    """Fit the logarithm of the standard deviation, and print the fit."""
    empties, deep, shallow, spread, _ = np.array(rows).T
    parts = [np.ones(len(rows)), empties, np.log(shallow + 1)]
    if not end:
        parts.append(np.log(deep - shallow))
    terms = np.stack(parts, axis=1)
    factors = np.linalg.lstsq(terms, np.log(spread), rcond=None)[0]
    guess = np.exp(terms @ factors)
    print(f"\n{name}: empties deep/shallow spread (by the model, mean difference)")
    for row, fitted in zip(rows, guess, strict=True):
        print("{} {}/{} {:.2f} ({:.2f}, {:+.2f})".format(*row[:4], fitted, row[4]))
    off = np.sqrt(((guess / spread - 1) ** 2).mean())
    print(", ".join(f"{factor:.5f}" for factor in factors), f"with an error of {off:.0%}")


def main(folder: str, number: str = "400", deepest: str = "8") -> None:
    """Measure, fit and print."""
    positions = Positions.of_archive(read_games(Path(folder)))
    labeller = Labeller(weights())
    depths, endings = [], []
    for empties in sorted({*EMPTIES, *ENDINGS}):
        began = time.process_time()
        own, other = positions.vary(empties, int(number), empties, labeller.memory.address)
        searched = range(min(int(deepest), empties - 5) + 1)
        leads = np.stack([labeller.leads(own, other, empties, depth) for depth in searched])
        if empties in EMPTIES:
            depths += between_depths(leads, empties)
        if empties in ENDINGS:
            solved = labeller.leads(own, other, empties, empties)
            endings += from_the_end(leads, solved, empties)
        print(f"{empties} empty squares: {time.process_time() - began:.1f} s", flush=True)
    fit_model("between depths", depths, end=False)
    fit_model("from the end", endings, end=True)


if __name__ == "__main__":
    if not 1 <= len(sys.argv) - 1 <= 3 or "--help" in sys.argv:
        sys.exit(__doc__)
    main(*sys.argv[1:])
