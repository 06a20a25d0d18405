"""Check that the value of an Othello position follows from bounds on later positions.

The rules are written out here once more, on plain text, so that no code is shared with the game or
its search. A board is a string of 64 squares, row by row, seen by its mover: X is to move. A bound
on a mover's final lead in discs is a pair: at least, at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypeAlias

Bounds: TypeAlias = tuple[int, int]

SIDE, SQUARES = 8, 64
UNKNOWN: Bounds = (-SQUARES, SQUARES)
OUTCOMES = {"win": (1, SQUARES), "draw": (0, 0), "loss": (-SQUARES, -1)}
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
SWAP = str.maketrans("XO", "OX")


def _ray(square: int, x: int, y: int) -> list[int]:
    """Return the squares from one to the edge of the board, in one direction."""
    column, row = square % SIDE + x, square // SIDE + y
    if not (0 <= column < SIDE and 0 <= row < SIDE):
        return []
    return [column + SIDE * row, *_ray(column + SIDE * row, x, y)]


RAYS = [[_ray(square, x, y) for x, y in STEPS] for square in range(SQUARES)]
TURN = [SIDE * (SIDE - 1 - square % SIDE) + square // SIDE for square in range(SQUARES)]
MIRROR = [square ^ (SIDE - 1) for square in range(SQUARES)]


def _symmetries() -> Iterator[Callable[[str], tuple[str, ...]]]:
    """Yield what turns or mirrors a board, for each of the eight symmetries."""
    order = list(range(SQUARES))
    for _ in range(4):
        yield itemgetter(*order)
        yield itemgetter(*(order[square] for square in MIRROR))
        order = [order[square] for square in TURN]


SYMMETRIES = list(_symmetries())


def canonical(board: str) -> str:
    """Return the first in the alphabet of the eight symmetric forms of a board."""
    return "".join(min(form(board) for form in SYMMETRIES))


def read(text: str) -> str:
    """Return the board of a position written as 64 squares, a space and the side to move."""
    board, _, turn = text.partition(" ")
    if len(board) != SQUARES or set(board) - set("XO-") or turn not in ("X", "O"):
        raise ValueError(f"{text!r} is not a position")
    return board if turn == "X" else board.translate(SWAP)


def successors(board: str) -> Iterator[str]:
    """Yield the board after every move of X, seen by the other side."""
    for square, disc in enumerate(board):
        if disc == "-":
            turned = [each for ray in RAYS[square] for each in _closed(board, ray)]
            if turned:
                after = list(board)
                for each in (square, *turned):
                    after[each] = "X"
                yield "".join(after).translate(SWAP)


def _closed(board: str, ray: list[int]) -> list[int]:
    """Return the opposing discs along a ray, if a disc of the mover's closes them in."""
    for length, square in enumerate(ray):
        if board[square] != "O":
            return ray[:length] if board[square] == "X" else []
    return []


def derive(board: str, known: dict[str, Bounds]) -> Bounds:
    """Return what bounds on the positions one move later say about a position.

    The mover has at least the best that some move is sure of, and at most the best that any move
    could bring. Without a move nothing is derived; no pass is needed in the opening.
    """
    after = [known.get(canonical(each), UNKNOWN) for each in successors(board)]
    if not after:
        return UNKNOWN
    return max(-most for _, most in after), max(-least for least, _ in after)


def find_gap(certificate: dict[str, Any]) -> str:
    """Return why the value does not follow from the bounds that are given; nothing if it does.

    A derived position comes after those it rests on, and the certificate's own position is last.
    """
    options = certificate["options"]
    if certificate["game"] != "othello" or (options["columns"], options["rows"]) != (SIDE, SIDE):
        return "only Othello on 8x8 has certificates with bounds"
    known: dict[str, Bounds] = {}
    for text, least, most in certificate["given"]:
        if not _is_bound(least, most):
            return f"{text} is given bounds that cannot be"
        known[canonical(read(text))] = least, most
    value = OUTCOMES[certificate["outcome"]]
    for text, least, most in [*certificate["derived"], (certificate["position"], *value)]:
        board = canonical(read(text))
        lowest, highest = derive(board, known)
        if not _is_bound(least, most) or lowest < least or highest > most:
            return f"{text} is not shown to have its bounds"
        known[board] = least, most
    return ""


def describe_evidence(certificate: dict[str, Any]) -> str:
    """Return what was checked, and what was taken from others."""
    derived, given = len(certificate["derived"]) + 1, len(certificate["given"])
    return (
        f"deriving the bounds of {derived:,} positions from those of {given:,} others, which are "
        f"taken from {certificate['source']} and not checked here"
    )


def _is_bound(least: Any, most: Any) -> bool:
    return type(least) is type(most) is int and -SQUARES <= least <= most <= SQUARES
