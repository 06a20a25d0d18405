"""How well hats play, measured against the truth; exact, because the values are.

A ball is right when it keeps the value of the situation. What becomes of a player against another
is worked out from the chances of all balls, not played out.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from parlour.learn.boxes import Boxes
from parlour.learn.hats import Fortune, Hats, Point
from parlour.players.perfect import Perfect, solved

MOST_SWEEPS = 10_000  # a game that ends needs one for each of its plies at most
OPPONENTS = {"random": "random", "perfect": "any perfect"}


@lru_cache(maxsize=8)
def right(listed: Boxes) -> tuple[tuple[int, ...], ...]:
    """For each situation the kinds of ball that keep its value; none where all do."""
    solution = solved(listed.game)
    found = []
    for state, balls, boxed in zip(listed.states, listed.balls, listed.boxed, strict=True):
        value = solution.value(state).outcome if boxed else "loss"
        worth = [] if value == "loss" else [solution.after(state, b.moves[0]) for b in balls]
        kinds = tuple(kind for kind, after in enumerate(worth) if after.outcome == value)
        found.append(kinds if len(kinds) < len(balls) else ())
    return tuple(found)


@lru_cache(maxsize=16)
def opponent(listed: Boxes, name: str) -> array[int]:
    """A player who does not learn, as balls: one for each move that it may make.

    The perfect one trained against is the bot of that name, who picks the hardest of his moves.
    Measured is against "any perfect" one: each best move is as likely as the others.
    """
    perfect, solution = Perfect(), solved(listed.game)
    row = array("i")
    for state, balls in zip(listed.states, listed.balls, strict=True):
        if name == "random":
            row.extend(ball.ways for ball in balls)
        else:
            one = name == "perfect"
            moves = [perfect.choose(listed.game, state)] if one else solution.best(state)
            row.extend(
                sum(move in ball.moves for move in moves) if ball.ways else 0 for ball in balls
            )
    return row


def chances(listed: Boxes, row: Sequence[int], *, likeliest: bool = False) -> Any:
    """How likely each ball is to be played."""
    import numpy as np

    held = np.array(row, np.float64)
    first = np.frombuffer(listed.first, np.int64)
    starts, widths = first[:-1], first[1:] - first[:-1]
    if likeliest:
        most = np.repeat(np.maximum.reduceat(held, starts), widths)
        held = ((held == most) & (held > 0)).astype(np.float64)
    total = np.repeat(np.add.reduceat(held, starts), widths)
    return np.divide(held, total, out=np.zeros_like(held), where=total > 0)


def fortunes(hats: Hats, row: int, *, likeliest: bool = False) -> tuple[Fortune, ...]:
    """What becomes of a player against a random and a perfect one, at each seat it trained at."""
    import numpy as np

    from parlour.kernels import hats as kernels

    listed = hats.boxes
    own = chances(listed, hats.balls[row], likeliest=likeliest)
    found = []
    for name, like in OPPONENTS.items():
        won, lost = np.zeros((2, len(listed.states))), np.zeros((2, len(listed.states)))
        kernels.fortunes(
            np.frombuffer(listed.first, np.int64),
            np.frombuffer(listed.leads, np.int32),
            own,
            chances(listed, opponent(listed, like)),
            MOST_SWEEPS,
            won,
            lost,
        )
        for seat in hats.seats(row):
            win, loss = float(won[seat, 0]), float(lost[seat, 0])
            found.append(Fortune(name, seat, win, max(0.0, 1.0 - win - loss), loss))
    return tuple(found)


def measure(hats: Hats, row: int) -> Point:
    """How well a player's hats play now."""
    listed = hats.boxes
    rights = right(listed)
    likely = chances(listed, hats.balls[row])
    tested = [box for box in hats.owned(row) if rights[box]]
    surely = sum(set(hats.likeliest(row, box)) <= {*rights[box]} for box in tested)
    empty = sum(not hats.likeliest(row, box) for box in tested)
    chance = sum(float(likely[listed.first[box] + kind]) for box in tested for kind in rights[box])
    return Point(
        hats.games, surely - empty, len(tested), chance / max(1, len(tested)), fortunes(hats, row)
    )
