"""Othello's moves and flips on Python integers, for boards of any size.

It plays boards of more than 64 squares, and is the oracle for the compiled code: the same results,
found by walking each line square by square.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.rules.board import Board


def shifts(board: Board) -> Iterator[tuple[int, int]]:
    """For each of the 8 directions: how far a step moves a bit, and the bits that may take it."""
    width = board.columns
    rows = range(board.rows)
    not_last = sum((1 << width - 1) - 1 << width * row for row in rows)
    not_first = not_last << 1
    yield from ((width, board.full), (-width, board.full))
    for across, may in ((1, not_last), (-1, not_first)):
        yield from ((across, may), (across + width, may), (across - width, may))


def step(mask: int, shift: int) -> int:
    """Shift a mask left, or right by a negative shift."""
    return mask << shift if shift > 0 else mask >> -shift


def moves(board: Board, own: int, other: int) -> int:
    """The squares the mover may take."""
    found = 0
    for shift, may in shifts(board):
        run = step(own & may, shift) & other
        while run:
            run = step(run & may, shift)
            found |= run & board.full & ~(own | other)
            run &= other
    return found


def flips(board: Board, own: int, other: int, move: int) -> int:
    """The discs that turn when the mover takes the square `move`; none when it is illegal."""
    turned = 0
    move &= ~(own | other)
    for shift, may in shifts(board):
        run = 0
        at = step(move & may, shift)
        while at & other:
            run |= at
            at = step(at & may, shift)
        if at & own:
            turned |= run
    return turned
