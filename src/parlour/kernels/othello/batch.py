"""Many games of Othello at once: a move in each, what may follow it, and planes to learn from.

A game is one place in four arrays: the discs of the seat to move, those of the other, the turn, and
the squares that may be taken, which are none when the move is to pass. `board` is the address of a
table, or 0 for the 8x8 board.
"""

from __future__ import annotations

from numba import float32, int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import lowest, popcount
from parlour.kernels.othello.bitboard import ONE, ZERO, flips_and_replies, moves_of, squares_of
from parlour.kernels.rng import STEP, below, scramble


@helper
def find_illegal(legal, actions, playing, squares):
    """Return the first game in which the action is illegal, or -1."""
    for game in range(actions.size):
        action = actions[game]
        if not playing[game]:
            continue
        if action < 0 or action > squares:
            return int64(game)
        if action == squares:
            if legal[game] != ZERO:
                return int64(game)
        elif not (legal[game] >> uint64(action)) & ONE:
            return int64(game)
    return int64(-1)


@helper
def play_all(own, other, turn, legal, actions, playing, rewards, terminated, board):
    """Do `play` on a board that may be None."""
    squares = squares_of(board)
    for game in range(actions.size):
        if not playing[game]:
            continue
        mine, yours = own[game], other[game]
        square = actions[game]
        if square == squares:
            replies = moves_of(yours, mine, board)
        else:
            flipped, replies = flips_and_replies(mine, yours, square, board)
            mine ^= flipped ^ ONE << uint64(square)
            yours ^= flipped
        own[game], other[game], legal[game] = yours, mine, replies
        mover = turn[game]
        turn[game] = int64(1) - mover
        if replies == ZERO and not moves_of(mine, yours, board):
            ahead = popcount(mine) - popcount(yours)
            sign = float32(int64(ahead > 0) - int64(ahead < 0))
            rewards[game, mover] = sign
            rewards[game, int64(1) - mover] = -sign
            terminated[game] = True


@kernel(
    "int64(uint64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], boolean[::1],"
    " float32[:, ::1], boolean[::1], int64)"
)
def play(own, other, turn, legal, actions, playing, rewards, terminated, board):
    """Make a move in every game that is `playing`, or return the first whose action is illegal.

    Then nothing is changed; else -1 is returned. `rewards` and `terminated` must be zeros.
    """
    squares = squares_of(board) if board else int64(64)
    illegal = find_illegal(legal, actions, playing, squares)
    if illegal >= 0:
        return illegal
    if board:
        play_all(own, other, turn, legal, actions, playing, rewards, terminated, board)
    else:
        play_all(own, other, turn, legal, actions, playing, rewards, terminated, None)
    return int64(-1)


@kernel("void(uint64[::1], uint64[::1], int64[::1], int64[::1], float32[:, :, ::1])")
def observe(own, other, turn, seats, planes):
    """Fill planes as these seats see them: own discs, the other's, and 1 everywhere on its turn."""
    for game in range(own.size):
        moves = turn[game] == seats[game]
        mine, yours = own[game], other[game]
        if not moves:
            mine, yours = yours, mine
        for square in range(planes.shape[2]):
            planes[game, 0, square] = float32((mine >> uint64(square)) & ONE)
            planes[game, 1, square] = float32((yours >> uint64(square)) & ONE)
            planes[game, 2, square] = float32(moves)


@kernel("void(uint64[::1], boolean[:, ::1])")
def mark_legal(legal, masks):
    """Mark the legal actions: the squares, then the pass."""
    squares = masks.shape[1] - 1
    for game in range(legal.size):
        for square in range(squares):
            masks[game, square] = (legal[game] >> uint64(square)) & ONE
        masks[game, squares] = legal[game] == ZERO


@kernel("void(uint64[::1], int64, uint64, int64[::1])")
def sample(legal, squares, chance, actions):
    """Draw a legal action for every game."""
    for game in range(legal.size):
        chance += STEP
        mask = legal[game]
        if mask == ZERO:
            actions[game] = squares
            continue
        for _ in range(below(scramble(chance), uint64(popcount(mask)))):
            mask &= mask - ONE
        actions[game] = lowest(mask)
