"""Many games of tic-tac-toe at once: a move in each, what may follow it, and planes to learn from.

A game is one place in three arrays: its squares, each 0 or the seat there counted from 1; the turn;
and the number of free squares. A line can only be new where the last mark was put, so it is looked
for from there, on a board of any size.
"""

from __future__ import annotations

from numba import float32, int8, int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.rng import STEP, below, scramble


@helper
def run_length(cells, column, row, across, down, columns, rows, mark):
    """Return how many marks follow each other from a square, without it, in one direction."""
    length = int64(0)
    column += across
    row += down
    while 0 <= column < columns and 0 <= row < rows and cells[column + row * columns] == mark:
        length += int64(1)
        column += across
        row += down
    return length


@helper
def is_on_line(cells, square, columns, rows, line):
    """Return whether the mark on a square stands in a line that is long enough."""
    mark = cells[square]
    column, row = square % columns, square // columns
    for way in range(4):
        across = int64(0) if way == 1 else int64(1)
        down = int64(0) if way == 0 else int64(-1) if way == 3 else int64(1)
        length = int64(1)
        length += run_length(cells, column, row, across, down, columns, rows, mark)
        length += run_length(cells, column, row, -across, -down, columns, rows, mark)
        if length >= line:
            return True
    return False


@kernel(
    "int64(int8[:, ::1], int64[::1], int64[::1], int64[::1], boolean[::1], float32[:, ::1],"
    " boolean[::1], int64, int64, boolean)"
)
def play(cells, turn, free, actions, playing, rewards, terminated, columns, line, misere):
    """Make a move in every game that is `playing`, or return the first whose action is illegal.

    Then nothing is changed; else -1 is returned. `rewards` and `terminated` must be zeros.
    """
    squares = cells.shape[1]
    for game in range(actions.size):
        action = actions[game]
        if playing[game] and (action < 0 or action >= squares or cells[game, action] != 0):
            return int64(game)
    for game in range(actions.size):
        if not playing[game]:
            continue
        mover = turn[game]
        cells[game, actions[game]] = int8(mover + 1)
        turn[game] = int64(1) - mover
        free[game] -= 1
        if is_on_line(cells[game], actions[game], columns, squares // columns, line):
            payoff = float32(-1) if misere else float32(1)
            rewards[game, mover] = payoff
            rewards[game, int64(1) - mover] = -payoff
            terminated[game] = True
        elif free[game] == 0:
            terminated[game] = True
    return int64(-1)


@kernel("void(int8[:, ::1], int64[::1], int64[::1], float32[:, :, ::1])")
def observe(cells, turn, seats, planes):
    """Fill planes as these seats see them: own marks, the other's, and 1 everywhere on its turn."""
    for game in range(cells.shape[0]):
        seat = seats[game]
        moves = turn[game] == seat
        for square in range(cells.shape[1]):
            planes[game, 0, square] = float32(cells[game, square] == seat + 1)
            planes[game, 1, square] = float32(cells[game, square] == 2 - seat)
            planes[game, 2, square] = float32(moves)


@kernel("void(int8[:, ::1], boolean[:, ::1])")
def mark_legal(cells, masks):
    """Mark the legal actions, which are the free squares."""
    for game in range(cells.shape[0]):
        for square in range(cells.shape[1]):
            masks[game, square] = cells[game, square] == 0


@kernel("void(int8[:, ::1], int64[::1], uint64, int64[::1])")
def sample(cells, free, chance, actions):
    """Draw a legal action for every game; -1 where no square is free."""
    for game in range(cells.shape[0]):
        chance += STEP
        if free[game] == 0:
            actions[game] = -1
            continue
        skipped = int64(below(scramble(chance), uint64(free[game])))
        square = int64(0)
        while cells[game, square] != 0 or skipped > 0:
            skipped -= int64(cells[game, square] == 0)
            square += int64(1)
        actions[game] = square
