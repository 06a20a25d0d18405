"""How well hats play, measured against the truth; exact, because the values are.

A ball is right when it keeps the value of the situation. What becomes of a player against another
is worked out from the chances of all balls, not played out.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parlour.core import DONE, TOTAL, Game, Solution, Unsolved, Work
from parlour.learn.boxes import Boxes
from parlour.learn.hat_set import Hats, Odds, Point
from parlour.players import Perfect
from parlour.truth import solve_once

MOST_SWEEPS = 10_000  # a game that ends needs one for each of its plies at most
OPPONENTS = {"random": "random", "perfect": "any perfect"}


@dataclass(frozen=True)
class Truth:
    """What a situation is worth to whoever is to move in its box, and the balls that keep it."""

    outcome: str
    right: tuple[int, ...]  # kinds of ball; none where no ball can be wrong


def find_truths(listed: Boxes, work: Work | None = None) -> list[Truth]:
    """The truth about each situation; `Unsolved` when the work is stopped before all is known."""
    work = work or Work()
    if "truths" not in listed.truths:
        solution = _solve_keeping_progress(listed.game, work)
        found = []
        for state, balls, boxed in zip(listed.states, listed.balls, listed.boxed, strict=True):
            _check_stopped(work)
            value = solution.value(state).outcome
            sure = value == "loss" or not boxed
            worth = [] if sure else [solution.after(state, ball.moves[0]) for ball in balls]
            kinds = tuple(kind for kind, after in enumerate(worth) if after.outcome == value)
            found.append(Truth(value, kinds if len(kinds) < len(balls) else ()))
        listed.truths["truths"] = found
    known: list[Truth] = listed.truths["truths"]
    return known


def _solve_keeping_progress(game: Game, work: Work) -> Solution:
    """Solving counts in the same cells as training does, which goes on where it was."""
    done, total = work.done, work.total
    solution = solve_once(game, work)
    work.cells[DONE], work.cells[TOTAL] = done, total
    return solution


def _check_stopped(work: Work) -> None:
    if work.stopped:
        raise Unsolved("stopped before the hats were measured")


def opponent_balls(listed: Boxes, name: str, work: Work | None = None) -> array[int]:
    """A player who does not learn, as balls: one for each move that it may make.

    The perfect one trained against is the bot of that name, who picks the hardest of his moves.
    Measured is against "any perfect" one: each best move is as likely as the others.
    """
    work = work or Work()
    if name not in listed.truths:
        perfect, solution = Perfect(), _solve_keeping_progress(listed.game, work)
        row = array("i")
        for state, balls in zip(listed.states, listed.balls, strict=True):
            _check_stopped(work)
            if name == "random":
                row.extend(ball.ways for ball in balls)
                continue
            one = name == "perfect"
            moves = [perfect.choose(listed.game, state)] if one else solution.best(state)
            row.extend(sum(move in ball.moves for move in moves) for ball in balls)
        listed.truths[name] = row
    known: array[int] = listed.truths[name]
    return known


def ball_chances(listed: Boxes, row: Sequence[int], *, likeliest: bool = False) -> Any:
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


def compute_odds(
    hats: Hats, row: int, *, likeliest: bool = False, work: Work | None = None
) -> tuple[Odds, ...]:
    """What becomes of a player against a random and a perfect one, at each seat it trained at."""
    import numpy as np

    from parlour.kernels import hats as kernels

    listed, work = hats.boxes, work or Work()
    own = ball_chances(listed, hats.balls[row], likeliest=likeliest)
    found = []
    for name, like in OPPONENTS.items():
        won, lost = np.zeros((2, len(listed.states))), np.zeros((2, len(listed.states)))
        kernels.fortunes(
            np.frombuffer(listed.first, np.int64),
            np.frombuffer(listed.leads, np.int32),
            own,
            ball_chances(listed, opponent_balls(listed, like, work)),
            MOST_SWEEPS,
            won,
            lost,
            np.frombuffer(work.cells, np.int64),
        )
        _check_stopped(work)
        for seat in hats.seats(row):
            win, loss = float(won[seat, 0]), float(lost[seat, 0])
            found.append(Odds(name, seat, win, max(0.0, 1.0 - win - loss), loss))
    return tuple(found)


def measure(hats: Hats, row: int, work: Work | None = None) -> Point:
    """How well a player's hats play now; `Unsolved` when the work is stopped."""
    work = work or Work()
    listed, known = hats.boxes, find_truths(hats.boxes, work)
    likely = ball_chances(listed, hats.balls[row])
    surely, tested, chance = 0, 0, 0.0
    for box in hats.owned(row):
        _check_stopped(work)
        right = known[box].right
        if right:
            favourites = hats.likeliest(row, box)
            surely += bool(favourites) and {*favourites} <= {*right}
            tested += 1
            chance += sum(float(likely[listed.first[box] + kind]) for kind in right)
    fares = compute_odds(hats, row, work=work)
    return Point(hats.games, surely, tested, chance / max(1, tested), fares)
