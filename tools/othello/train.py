"""Make the engine's weights: python -m tools.othello.train WTHOR [CACHE [SCALE]]

The games are those of the WTHOR archive and as many of the search with itself. Positions near them
are labelled, exactly where few squares are empty and by a search with the present weights before.
Then the weights are fitted phase by phase, from few empty squares to many: each phase to its own
positions and, with less trust, to those of its neighbours, beginning with the weights of the phase
before. Labels are kept in the folder CACHE, so that a run that was stopped goes on from there. With
SCALE there are that many times the positions; the weights in use were made with 1.1.
"""

from __future__ import annotations

import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from tools.othello.fit import (
    COLUMNS,
    ENTRIES,
    OTHERS_MOVES,
    features,
    fit,
    values,
)
from tools.othello.labels import Labeller
from tools.othello.positions import Positions, read_games

from parlour.kernels.othello.evaluation import (
    FILE,
    FIRST,
    MOBILITY,
    PARAMETERS,
    PHASES,
    find_shared_entries,
    pack,
    weights,
)

UNIT = 128  # of a disc
LAST = 58  # the phase with the most empty squares that is fitted
ARCHIVED = 6  # one game of so many of the archive is used
PARTS, GAMES = 48, 2000  # of the search with itself: so many times so many
CHUNK = 10_000  # positions labelled at a time
SHARES = (1.0, 0.6, 0.3)  # trust in the leads of phases 0, 1 and 2 squares away
CLOSE = 40.0  # discs; a lead of so many counts half, since close positions matter most
RIDGE, ROUNDS = 15.0, 24
HELD_OUT = 12  # every 12th position is used to measure the error
LEVELLED = 0.5  # of the difference between a search and its labels, see `level`

FIELDS = ("own", "other", "leads")  # of a file of labelled positions

Job = tuple[int, int, int]  # empty squares, part and number of positions


def number_of(empties: int) -> int:
    """Return how many positions to make for a phase; some take long to solve."""
    if empties <= 9:
        return 200_000
    if empties <= 13:
        return 350_000
    return 125_000 if empties == 15 else 250_000 if empties < 56 else 20_000


def depth_of(empties: int) -> int:
    """Return how deep the positions of a phase are searched."""
    if empties <= 15:
        return empties
    return 7 if empties <= 20 else 6 if empties <= 36 else 5


# Positions and their leads, in several processes


@cache
def labeller() -> Labeller:
    """Return the labeller of this process."""
    return Labeller(weights())


def play_part(seed: int, games: int) -> Positions:
    """Play some games of the search with itself."""
    return Positions.of_play(games, seed, labeller().memory.address)


@cache
def load_games(path: Path) -> Positions:
    """Return the positions of games, read once by each process."""
    with np.load(path) as kept:
        return Positions(kept["own"], kept["other"], kept["counts"])


def label_part(job: Job, folder: Path) -> Path:
    """Make and label some positions of a phase, unless they are kept already."""
    empties, part, number = job
    path = folder / f"{empties}-{part}.npz"
    if not path.exists():
        games = load_games(folder / ("play.npz", "archive.npz")[part % 2])
        seed = 1_000_003 * empties + part + 17
        own, other = games.vary(empties, number, seed, labeller().memory.address)
        leads = labeller().leads(own, other, empties, depth_of(empties))
        unfinished = path.with_suffix(".part.npz")
        np.savez(unfinished, own=own, other=other, leads=leads)
        unfinished.replace(path)
    return path


def jobs(scale: float) -> list[Job]:
    """Return the parts of all phases, those that take longest first."""
    found = []
    for empties in range(FIRST, LAST + 1):
        number = int(number_of(empties) * scale)
        starts = range(0, number, CHUNK)
        found += [(empties, part, min(CHUNK, number - at)) for part, at in enumerate(starts)]
    return sorted(found, key=lambda job: (job[0] != 15, job[0] != 14))


def make_positions(archive: Path, folder: Path, scale: float) -> None:
    """Play, vary and label, on all processors."""
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if not (folder / "play.npz").exists():
            old = Positions.of_archive(read_games(archive)[::ARCHIVED])
            keep_games(folder / "archive.npz", old)
            games = max(1, int(GAMES * scale))
            parts = pool.map(play_part, range(1, PARTS + 1), [games] * PARTS)
            keep_games(folder / "play.npz", Positions.join(list(parts)))
        todo = jobs(scale)
        for done, _ in enumerate(pool.map(label_part, todo, [folder] * len(todo)), start=1):
            if done % 50 == 0:
                spent = time.monotonic() - began
                print(f"{done} of {len(todo)} parts, {spent:.0f} s", flush=True)


def keep_games(path: Path, games: Positions) -> None:
    """Write the positions of games to a file."""
    np.savez(path, own=games.own, other=games.other, counts=games.counts)


# Fitting


class Training:
    """The weights so far, and the positions they are made from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shared = find_shared_entries()
        self.same = np.concatenate([shared, np.arange(PARAMETERS, ENTRIES, dtype=np.int32)])
        self.weights = np.zeros((PHASES, PARAMETERS), np.int16)
        self.phases: dict[int, tuple[np.ndarray, ...]] = {}
        self.last = np.zeros(ENTRIES, np.float32)

    def entries(self, own: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return which weights make up the value of each position."""
        entries = np.zeros((len(own), COLUMNS), np.int32)
        features(own, other, self.same, entries)
        return entries

    def read(self, empties: int) -> tuple[np.ndarray, ...]:
        """Return the positions of a phase and their leads."""
        paths = sorted(self.folder.glob(f"{empties}-*.npz"), key=lambda path: path.name)
        files = [np.load(path) for path in paths]
        return tuple(np.concatenate([file[key] for file in files]) for key in FIELDS)

    def prepare(self, empties: int) -> None:
        """Make the entries, leads and trust of a phase."""
        own, other, leads = self.read(empties)
        entries = self.entries(own, other)
        trust = 1 / (1 + (leads / np.float32(CLOSE)) ** 2)
        trust[::HELD_OUT] = 0
        stuck = (entries[:, OTHERS_MOVES] == MOBILITY + 64) & (trust > 0)
        passed = self.entries(other[stuck], own[stuck])  # so that forced passes are learned too
        self.phases[empties] = (
            np.concatenate([entries, passed]),
            np.concatenate([leads, -leads[stuck]]),
            np.concatenate([trust, trust[stuck]]),
        )

    def learn(self, empties: int) -> float:
        """Fit one phase; return its error in close positions it did not learn from."""
        near = range(max(FIRST, empties - 2), min(LAST, empties + 2) + 1)
        for each in near:
            if each not in self.phases:
                self.prepare(each)
        self.phases = {each: self.phases[each] for each in near}
        entries, leads = (np.concatenate([self.phases[each][k] for each in near]) for k in (0, 1))
        trust = [self.phases[each][2] * np.float32(SHARES[abs(each - empties)]) for each in near]
        self.last = fit(entries, leads, np.concatenate(trust), self.last, RIDGE, ROUNDS)
        row = self.last[:PARAMETERS].copy()
        row[MOBILITY : MOBILITY + 64] += self.last[PARAMETERS + empties]
        units = np.clip(np.round(row[self.same[:PARAMETERS]] * UNIT), -32767, 32767)
        self.weights[empties] = units.astype(np.int16)
        entries, leads, trust_here = self.phases[empties]
        held_out = (trust_here == 0) & (np.abs(leads) < CLOSE)
        guess = np.zeros(np.count_nonzero(held_out), np.float32)
        values(np.ascontiguousarray(entries[held_out]), self.last, guess)
        return float(np.sqrt(((guess - leads[held_out]) ** 2).mean()))

    def level(self) -> None:
        """Lower each phase until moves into it score more nearly what the phase before them says.

        The side to move after a good move is worse off than its weights show, for of several moves
        the one that is overrated is chosen. Searches of odd and of even depth err in opposite ways
        by that; half the correction leaves both with the smallest error.
        """
        self.weights[:FIRST] = self.weights[FIRST]
        self.weights[LAST + 1 :] = self.weights[LAST]
        searching = Labeller(self.weights)
        for empties in range(FIRST, LAST):
            own, other, leads = (part[:: 12 * HELD_OUT] for part in self.read(empties + 1))
            searched = searching.leads(own, other, empties + 1, 1)
            close = np.abs(leads) < CLOSE
            apart = (searched - leads)[close].mean(dtype=np.float64)
            step = np.int16(round(LEVELLED * apart * UNIT))
            self.weights[empties, MOBILITY : MOBILITY + 64] += step


def main(archive: str, kept: str = "build/othello", scale: str = "1.1") -> None:
    """Train, and write the file."""
    began = time.monotonic()
    folder = Path(kept)
    folder.mkdir(parents=True, exist_ok=True)
    make_positions(Path(archive), folder, float(scale))
    training = Training(folder)
    for empties in range(FIRST, LAST + 1):
        error = training.learn(empties)
        spent = time.monotonic() - began
        print(f"{empties} empty squares: {error:.2f} discs off, {spent:.0f} s", flush=True)
    training.level()
    FILE.write_bytes(pack(training.weights[FIRST : LAST + 1]))
    print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    if not 1 <= len(sys.argv) - 1 <= 3 or "--help" in sys.argv:
        sys.exit(__doc__)
    if not all(re.fullmatch(r"[0-9]*\.?[0-9]+", given) for given in sys.argv[3:]):
        sys.exit(f"SCALE must be a number such as 1.1, not {sys.argv[3]}.")
    main(*sys.argv[1:])
