"""Make the engine's weights from the WTHOR games: python -m tools.othello.train WTHOR [CACHE]

Phase by phase, from few empty squares to many: positions near those of the games are labelled,
exactly or by a search into the phases already learned; then the phase's weights are fitted to them
and to those of the neighbouring phases. Labels are kept in the folder CACHE.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from tools.othello.fit import COLUMNS, ENTRIES, OTHERS_MOVES, PHASE, features, fit, values
from tools.othello.labels import Labeller
from tools.othello.positions import MOST, Positions, read_games

from parlour.kernels.othello.evaluation import FILE, FIRST, PARAMETERS, PHASES, SIZE, pack, shared

UNIT = 128  # of a disc
SOLVED = 16  # up to this many empty squares positions are solved
DEEPER, DEPTH = 5, 4  # of the search of the others, up to THEORY and from there on
BATCH = 10_000  # positions labelled at a time, and sampled to level a phase
THEORY = 24  # empty squares at which the games themselves were solved
LEAST = 0.1  # trust in that value as the label of a game's early positions
SHARES = (1.0, 0.6, 0.3)  # trust in the leads of phases 0, 1 and 2 squares away
RIDGE, ROUNDS = 30.0, 16
HELD_OUT = 20  # every 20th position is used to measure the error


class Training:
    """The weights so far, and everything they are made from."""

    def __init__(self, positions: Positions, cache: Path) -> None:
        self.positions = positions
        self.cache = cache
        self.same = np.concatenate([shared(), np.arange(PARAMETERS, ENTRIES, dtype=np.int32)])
        self.weights = np.zeros((PHASES, PARAMETERS), np.int16)
        self.labeller = Labeller(self.weights)
        self.labelled: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.samples: dict[int, tuple[np.ndarray, ...]] = {}
        self.last = np.zeros(ENTRIES, np.float32)

    def entries(self, own: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return which weights make up the value of each position."""
        entries = np.zeros((len(own), COLUMNS), np.int32)
        features(own, other, self.same, entries)
        return entries

    def prepare(self, empties: int) -> None:
        """Make the samples of a phase: the entries and leads of positions near the games."""
        own, other = self.positions.vary(empties, number_of(empties), seed=1000 * empties + 7)
        leads = self.leads(own, other, empties)
        entries = self.entries(own, other)
        stuck = entries[:, OTHERS_MOVES] == SIZE + 64
        passed = self.entries(other[stuck], own[stuck])  # so that forced passes are learned too
        self.samples[empties] = own[:BATCH], other[:BATCH], leads[:BATCH]
        self.labelled[empties] = (
            np.concatenate([entries, passed]),
            np.concatenate([leads, -leads[stuck]]),
        )

    def leads(self, own: np.ndarray, other: np.ndarray, empties: int) -> np.ndarray:
        """Return the mover's final leads, exact or the mean of a depth and one less."""
        depth = DEEPER if empties < THEORY else DEPTH
        depths = [empties] if empties <= SOLVED else [depth, depth - 1]
        path = self.cache / f"leads-{empties}-{depths[0]}.npy"
        leads = np.load(path)[: len(own)] if path.exists() else np.zeros(0, np.float32)
        while len(leads) < len(own):
            next_ = slice(len(leads), len(leads) + BATCH)
            more = [self.labeller.leads(own[next_], other[next_], empties, ply) for ply in depths]
            leads = np.concatenate([leads, np.mean(more, axis=0)])
            np.save(path, leads)
        return leads

    def learn(self, empties: int) -> float:
        """Fit one phase; return its error in positions it did not learn from."""
        phases = range(max(FIRST, empties - 2), min(MOST, empties + 2) + 1)
        for near in phases:
            if near not in self.labelled:
                self.prepare(near)
        self.labelled = {near: self.labelled[near] for near in phases}
        parts = [(*self.labelled[near], SHARES[abs(near - empties)]) for near in phases]
        if empties >= THEORY:
            own, other, lead = self.positions.of_games(empties)
            share = max(LEAST, 1 - 0.15 * (empties - THEORY))
            entries = self.entries(own, other)
            entries[:, PHASE] += PHASES
            parts.append((entries, lead.astype(np.float32), share))
        entries = np.concatenate([part[0] for part in parts])
        leads = np.concatenate([part[1] for part in parts])
        trust = [np.full(len(part[1]), part[2], np.float32) for part in parts]
        for part in trust:
            part[::HELD_OUT] = 0
        self.last = fit(entries, leads, np.concatenate(trust), self.last, RIDGE, ROUNDS)
        self.store(empties)
        if empties < MOST:
            self.level(empties)
        entries, leads = (part[::HELD_OUT].copy() for part in self.labelled[empties])
        guess = np.zeros(len(leads), np.float32)
        values(entries, self.last, guess)
        return float(np.sqrt(((guess - leads) ** 2).mean()))

    def level(self, empties: int) -> None:
        """Raise or lower a phase until moves into it score what the phase before them says.

        The side to move after a good move is worse off than the patterns show. Searches of odd and
        of even depth err in opposite ways by that; levelled, they agree.
        """
        own, other, leads = self.samples.pop(empties + 1)
        searched = self.labeller.leads(own, other, empties + 1, 1)
        self.last[PARAMETERS + empties] += np.float32((searched - leads).mean(dtype=np.float64))
        self.store(empties)

    def store(self, empties: int) -> None:
        """Write a phase into its row, and for the time being into those of more empty squares."""
        row = self.last[:PARAMETERS].copy()
        row[SIZE : SIZE + 64] += self.last[PARAMETERS + empties]
        units = np.clip(np.round(row[self.same[:PARAMETERS]] * UNIT), -32767, 32767)
        self.weights[empties if empties > FIRST else 0 :] = units.astype(np.int16)


def number_of(empties: int) -> int:
    """Return how many positions to make for a phase; some take long to solve."""
    if empties < 13:
        return 200_000
    return {13: 150_000, 15: 40_000, 16: 40_000}.get(empties, 100_000)


def main(folder: str, cache: str = "build/othello") -> None:
    """Train, and write the file."""
    began = time.monotonic()
    Path(cache).mkdir(parents=True, exist_ok=True)
    training = Training(Positions(read_games(Path(folder))), Path(cache))
    for empties in range(FIRST, MOST + 1):
        error = training.learn(empties)
        spent = time.monotonic() - began
        print(f"{empties} empty squares: {error:.2f} discs off, {spent:.0f} s", flush=True)
    FILE.write_bytes(pack(training.weights[FIRST : MOST + 1]))
    print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    if not 1 <= len(sys.argv) - 1 <= 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    main(*sys.argv[1:])
