"""Positions to learn from: those of games, and variations of them.

The games are those of the WTHOR archive, and games of the search with itself from random openings,
which reach what good players avoid. A search meets many positions that no game does: at every other
ply it tries all moves, and answers them well. So a position is taken from a game and varied by up
to eight plies, in which one side, or both, now and then makes a random move.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numba import float64, int64, njit, uint64

from parlour.kernels.intrinsics import lowest, popcount
from parlour.kernels.othello.bitboard import UNIT, flips_of, moves_of
from parlour.kernels.othello.evaluation import set_indices
from parlour.kernels.othello.search import INFINITY, shallow_search

ONE = uint64(1)
MOST = 59  # empty squares after the first move
VARIED = int64(8)  # plies at most
BOTH = 0.3  # of the variations, in which both sides make random moves
SHORTEST, LONGEST = int64(4), int64(24)  # of the random openings, in plies
DEPTH = int64(2)  # of the search after each move of such a game
NOISE = 4.0  # discs, at most, by which a move of such a game is over- or underrated
HEADER, ENTRY = 16, 68  # bytes of a file and of a game in it
THEORY, FIRST_MOVE = 7, 8  # offsets in a game


# Random numbers, the same on every machine


@njit
def draw(state):
    """Return 53 random bits, by xorshift."""
    bits = state[0]
    bits ^= bits >> uint64(12)
    bits ^= bits << uint64(25)
    bits ^= bits >> uint64(27)
    state[0] = bits
    return (bits * uint64(0x2545F4914F6CDD1D)) >> uint64(11)


@njit
def uniform(state):
    """Return a random number from 0 up to 1."""
    return float64(draw(state)) / 2.0**53


@njit
def below(state, number):
    """Return a random whole number below this one."""
    return int64(draw(state) % uint64(number))


@njit
def random_move(mask, state):
    """Return one of the squares of a mask."""
    for _ in range(below(state, popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


def random_state(seed: int) -> np.ndarray:
    """Return a state of the generator for a seed."""
    return np.array([(seed * 0x9E3779B97F4A7C15 + 0x1234567) % 2**64 or 1], np.uint64)


# The archive


def read_games(folder: Path) -> np.ndarray:
    """Return the 68 bytes of every game in a folder of WTHOR files, in the order of their names."""
    games = []
    for path in sorted(folder.glob("*.wtb")):
        raw = np.frombuffer(path.read_bytes(), np.uint8)
        number = int(raw[4:8].view("<u4")[0])
        games.append(raw[HEADER : HEADER + ENTRY * number].reshape(number, ENTRY))
    if not games:
        raise SystemExit(f"No WTHOR file (*.wtb) is in {folder}.")
    return np.concatenate(games)


@njit
def replay(games, own, other, counts):
    """Write every position by its empty squares."""
    for game in games:
        mine, yours = ONE << uint64(28) | ONE << uint64(35), ONE << uint64(27) | ONE << uint64(36)
        empties = MOST + 1
        for byte in game[FIRST_MOVE:]:
            if byte == 0:
                break
            square = int64(byte) // 10 * 8 - 8 + int64(byte) % 10 - 1
            flipped = flips_of(mine, yours, square, None)
            if not flipped:
                break
            mine, yours = yours ^ flipped, mine ^ flipped ^ ONE << uint64(square)
            empties -= 1
            if not moves_of(mine, yours, None):
                mine, yours = yours, mine
                if not moves_of(mine, yours, None):
                    break
            index = counts[empties]
            counts[empties] += 1
            own[empties, index], other[empties, index] = mine, yours


# Games of the search with itself


@njit
def search(own, other, depth, empties, work):
    """Return the mover's lead by a search to this depth, in units of the evaluation."""
    set_indices(own, other, empties, work)
    mask = moves_of(own, other, None)
    return shallow_search(own, other, mask, -INFINITY, INFINITY, depth, empties, None, work)


@njit
def good_move(own, other, mask, depth, noise, state, work):
    """Return the square that a search to this depth after it finds best, with some noise."""
    empties = popcount(~(own | other))
    best, most = int64(0), -np.inf
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        flipped = flips_of(own, other, square, None)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        lead = -search(yours, mine, depth, empties - 1, work) / float64(UNIT)
        if noise > 0.0:
            lead += noise * (uniform(state) + uniform(state))
        if lead > most:
            best, most = square, lead
    return best


@njit
def play(number, state, work, own, other, counts):
    """Play games, and write every position by its empty squares."""
    for _ in range(number):
        mine, yours = ONE << uint64(28) | ONE << uint64(35), ONE << uint64(27) | ONE << uint64(36)
        opening = SHORTEST + below(state, LONGEST - SHORTEST)
        noise = uniform(state) * NOISE
        ply = 0
        while True:
            mask = moves_of(mine, yours, None)
            if not mask:
                mine, yours = yours, mine
                mask = moves_of(mine, yours, None)
                if not mask:
                    break
            empties = popcount(~(mine | yours))
            if empties <= MOST:
                own[empties, counts[empties]] = mine
                other[empties, counts[empties]] = yours
                counts[empties] += 1
            if ply < opening:
                square = random_move(mask, state)
            else:
                square = good_move(mine, yours, mask, DEPTH, noise, state, work)
            flipped = flips_of(mine, yours, square, None)
            mine, yours = yours ^ flipped, mine ^ flipped ^ ONE << uint64(square)
            ply += 1


class Positions:
    """The positions of some games, by their number of empty squares."""

    def __init__(self, own: np.ndarray, other: np.ndarray, counts: np.ndarray) -> None:
        self.own, self.other, self.counts = own, other, counts

    @classmethod
    def of_archive(cls, games: np.ndarray) -> Positions:
        """Return the positions of games of the archive."""
        found = cls._make_room(len(games))
        replay(games, found.own, found.other, found.counts)
        return found

    @classmethod
    def of_play(cls, number: int, seed: int, work: int) -> Positions:
        """Return the positions of games of the search with itself."""
        found = cls._make_room(number)
        play(number, random_state(seed), work, found.own, found.other, found.counts)
        return found

    @classmethod
    def join(cls, parts: list[Positions]) -> Positions:
        """Return the positions of all these games."""
        counts = sum(part.counts for part in parts)
        found = cls._make_room(int(np.max(counts)))
        for empties, number in enumerate(counts):
            for whole, name in ((found.own, "own"), (found.other, "other")):
                rows = [getattr(part, name)[empties, : part.counts[empties]] for part in parts]
                whole[empties, :number] = np.concatenate(rows)
        return cls(found.own, found.other, np.array(counts))

    @classmethod
    def _make_room(cls, games: int) -> Positions:
        shape = (MOST + 1, games)
        counts = np.zeros(MOST + 1, np.int64)
        return cls(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), counts)

    def at(self, empties: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions with this many empty squares."""
        there = slice(self.counts[empties])
        return self.own[empties, there], self.other[empties, there]

    def vary(
        self, empties: int, number: int, seed: int, work: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a number of positions near those of the games."""
        own, other = np.zeros(number, np.uint64), np.zeros(number, np.uint64)
        games = self.own, self.other, self.counts
        fill_varied(*games, empties, random_state(seed), work, own, other)
        return own, other


# Variations


@njit
def wander(own, other, plies, state, work):
    """Return the position some plies later, and whether a move is possible there."""
    randomness = uniform(state)
    loose = below(state, 2)  # the side that makes random moves
    both = uniform(state) < BOTH
    side = 0
    for _ in range(plies):
        mask = moves_of(own, other, None)
        if not mask:
            own, other, side = other, own, 1 - side
            mask = moves_of(own, other, None)
            if not mask:
                return own, other, False
        if (both or side == loose) and uniform(state) < randomness:
            square = random_move(mask, state)
        else:
            square = good_move(own, other, mask, int64(1), 0.0, state, work)
        flipped = flips_of(own, other, square, None)
        own, other = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        side = 1 - side
    if not moves_of(own, other, None):
        own, other = other, own
    return own, other, moves_of(own, other, None) != 0


@njit
def fill_varied(games_own, games_other, counts, empties, state, work, own, other):
    """Fill own and other with varied positions of this many empty squares."""
    index = 0
    while index < len(own):
        plies = below(state, min(VARIED, MOST - empties) + 1)
        if not counts[empties + plies]:
            continue
        chosen = below(state, counts[empties + plies])
        mine, yours = games_own[empties + plies, chosen], games_other[empties + plies, chosen]
        found = wander(mine, yours, plies, state, work)
        if found[2]:
            own[index], other[index] = found[0], found[1]
            index += 1
