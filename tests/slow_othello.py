"""Plain Othello: every line walked square by square, every game played out.

The engine is held against this. It shares nothing with it and has no bit tricks, no memory and no
opinion which move is good: a position is worth its best move, and that is all. It is compiled,
and leaves a position when it is refuted, only so that thousands can be looked at.
"""

import random
from functools import cache

import numpy as np
from numba import int64, njit

NEVER = 1000  # no lead is so large
WAYS = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down]


@cache
def steps_on(columns, rows):
    """The square one step on from each square in each of the eight ways, -1 beyond the edge."""
    steps = np.full((8, columns * rows), -1, np.int64)
    for way, (across, down) in enumerate(WAYS):
        for square in range(columns * rows):
            column, row = square % columns + across, square // columns + down
            if 0 <= column < columns and 0 <= row < rows:
                steps[way, square] = column + columns * row
    return steps


@njit
def take(cells, steps, mover, square, after):
    """Whether the mover (1 or 2) may take the square, and the board `after` it if so."""
    if cells[square]:
        return False
    taken = False
    for way in range(8):
        near = steps[way, square]
        at = near
        while at >= 0 and cells[at] == 3 - mover:
            at = steps[way, at]
        if at < 0 or at == near or cells[at] != mover:
            continue
        if not taken:
            after[:] = cells
            after[square] = mover
            taken = True
        while near != at:
            after[near] = mover
            near = steps[way, near]
    return taken


@njit(cache=True)  # compiled by the first to ask
def lead(boards, steps, ply, mover, low, high, passes):
    """By how many discs the mover wins the board of this ply, if that is between low and high."""
    cells = boards[ply]
    best = int64(-NEVER)
    for square in range(len(cells)):
        if best < high and take(cells, steps, mover, square, boards[ply + 1]):
            replied = lead(
                boards, steps, ply + int64(1), int64(3) - mover, -high, -max(low, best), int64(0)
            )
            best = max(best, -replied)
    if best > -NEVER:
        return best
    if not passes:
        return -lead(boards, steps, ply, int64(3) - mover, -high, -low, int64(1))
    mine, yours = np.sum(cells == mover), np.sum(cells == 3 - mover)
    if mine == yours:
        return 0
    return len(cells) - 2 * yours if mine > yours else 2 * mine - len(cells)


def value_of(game, own, other):
    """The mover's lead in the end, the empty squares being the winner's."""
    squares = range(len(game.board.bits))
    cells = [(own >> square & 1) + 2 * (other >> square & 1) for square in squares]
    boards = np.array([cells] * (cells.count(0) + 2), np.int8)
    steps = steps_on(game.columns, game.rows)
    return int(lead(boards, steps, 0, 1, -NEVER, NEVER, 0))


def reached(game, empties, chance):
    """A position from random play with so many squares empty, or more if the game ended before."""
    state = game.start()
    squares = len(game.board.bits)
    while squares - (state[0] | state[1]).bit_count() > empties and (moves := game.moves(state)):
        state = game.play(state, chance.choice(moves))
    return state


def in_play(game, empties, seed, choices=2):
    """A position from random play with so many squares empty, and a choice of moves."""
    chance = random.Random(seed)
    while True:
        state = reached(game, empties, chance)
        if len(game.moves(state)) >= choices:
            return state


def scattered(game, empties, chance):
    """Any discs at all on all but so many squares; passes, early ends and wipe-outs abound."""
    bits = sorted(game.board.bits.values())
    taken = chance.sample(bits, len(bits) - empties)
    share = chance.choice((0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98))
    own = sum(bit for bit in taken if chance.random() < share)
    return own, sum(taken) ^ own, chance.randrange(2)


def positions(game, empties, many, seed):
    """The discs of mover and opponent, from random play and of any discs at all in turn."""
    chance = random.Random(seed)
    return [
        (scattered if number % 2 else reached)(game, empties, chance)[:2] for number in range(many)
    ]
