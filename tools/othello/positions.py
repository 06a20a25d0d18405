"""Positions to learn from: those of the WTHOR games, and variations of them.

A search meets many positions that no good player would reach. So positions are taken from a game
and varied by up to eight plies, with moves that leave few replies or random ones.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.intrinsics import lowest, popcount
from parlour.kernels.othello.bitboard import flips_of, moves_of, weighted_mobility

ONE = uint64(1)
MOST = 59  # empty squares after the first move
VARIED = 8  # plies at most
HEADER, ENTRY = 16, 68  # bytes of a file and of a game in it
THEORY, FIRST_MOVE = 7, 8  # offsets in a game


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
def replay(games, own, other, lead, counts):
    """Write every position by its empty squares, with the theoretical lead of its mover."""
    for game in games:
        mine, yours = ONE << uint64(28) | ONE << uint64(35), ONE << uint64(27) | ONE << uint64(36)
        value = 2 * int64(game[THEORY]) - 64
        empties = MOST + 1
        for byte in game[FIRST_MOVE:]:
            if byte == 0:
                break
            square = int64(byte) // 10 * 8 - 8 + int64(byte) % 10 - 1
            flipped = flips_of(mine, yours, square, None)
            if not flipped:
                break
            mine, yours = yours ^ flipped, mine ^ flipped ^ ONE << uint64(square)
            value = -value
            empties -= 1
            if not moves_of(mine, yours, None):
                mine, yours, value = yours, mine, -value
                if not moves_of(mine, yours, None):
                    break
            index = counts[empties]
            counts[empties] += 1
            own[empties, index], other[empties, index] = mine, yours
            lead[empties, index] = value


class Positions:
    """The positions of all games by their number of empty squares: own, other, lead."""

    def __init__(self, games: np.ndarray) -> None:
        shape = (MOST + 1, len(games))
        self.own, self.other = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
        self.lead = np.zeros(shape, np.int8)
        self.counts = np.zeros(MOST + 1, np.int64)
        replay(games, self.own, self.other, self.lead, self.counts)

    def of_games(self, empties: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return those of this phase, and the game's lead 24 squares from its end."""
        there = slice(self.counts[empties])
        return self.own[empties, there], self.other[empties, there], self.lead[empties, there]

    def vary(self, empties: int, number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a number of positions near those of the games."""
        own, other = np.zeros(number, np.uint64), np.zeros(number, np.uint64)
        fill_varied(self.own, self.other, self.counts, empties, seed, own, other)
        return own, other


@njit
def wander(own, other, plies, randomness):
    """Return the position some plies later, and whether a move is possible there.

    A move is random, or it is the one that leaves about the fewest replies.
    """
    while plies:
        moves = moves_of(own, other, None)
        if not moves:
            if not moves_of(other, own, None):
                return own, other, False
            own, other = other, own
            continue
        best = int64(0)
        if np.random.random() < randomness:
            for _ in range(np.random.randint(0, popcount(moves))):
                moves &= moves - ONE
            best = lowest(moves)
        else:
            fewest = 99.0
            while moves:
                square = lowest(moves)
                moves &= moves - ONE
                flipped = flips_of(own, other, square, None)
                mine = own ^ flipped ^ ONE << uint64(square)
                replies = moves_of(other ^ flipped, mine, None)
                number = weighted_mobility(replies, None) + 2 * np.random.random()
                if number < fewest:
                    best, fewest = square, number
        flipped = flips_of(own, other, best, None)
        own, other = other ^ flipped, own ^ flipped ^ ONE << uint64(best)
        plies -= 1
    if not moves_of(own, other, None):
        own, other = other, own
    return own, other, moves_of(own, other, None) != 0


@njit
def fill_varied(games_own, games_other, counts, empties, seed, own, other):
    """Fill own and other with varied positions of this many empty squares."""
    np.random.seed(seed)
    index = 0
    while index < len(own):
        plies = np.random.randint(0, min(VARIED, MOST - empties) + 1)
        chosen = np.random.randint(0, counts[empties + plies])
        randomness = np.random.random()
        found = wander(
            games_own[empties + plies, chosen],
            games_other[empties + plies, chosen],
            plies,
            randomness,
        )
        if found[2]:
            own[index], other[index] = found[0], found[1]
            index += 1
