"""Where a game was lost: the last move at which its loser could still have had more.

After that move, or from the start if there was none, every move loses; then all that is left to say
is how long the loser held out, compared with the best play of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.core import Game, State
from parlour.players.move_values import Assessment, Evaluation


@dataclass(frozen=True)
class Loss:
    """How a seat lost a game.

    `number` is the last move, counted from 1, that was made in a position not yet lost; it is 0 if
    there was none, and the number of the next move if the game was given up in such a position.
    """

    seat: int
    number: int
    could: str = ""  # what the position held before that move: "win" or "draw"
    best: tuple[str, ...] = ()  # the moves that kept it
    given_up: bool = False
    lasted: int | None = None  # moves from there to the end, if it was played to the end
    possible: int | None = None  # moves that were left with the best play of both, if counted
    exact: bool = True


def find_loss(
    game: Game,
    states: Sequence[State],
    found: Sequence[Assessment | None],
    loser: int,
    opening: int = 0,
) -> Loss | None:
    """Return where a seat lost, given every position and its assessment; None if not known.

    The players did not choose the first `opening` moves.
    """
    last = len(states) - 1
    over = game.result(states[last]) is not None
    if not over and (end := _value_for(game, states[last], found[last], loser)):
        if end.outcome != "loss":
            best = _best(found[last]) if game.turn(states[last]) == loser else ()
            return Loss(loser, last + 1, end.outcome, best, True, exact=end.exact)
    elif not over:
        return None
    exact, first = True, last
    for at in range(last - 1, opening - 1, -1):
        if game.turn(states[at]) != loser:
            continue
        assessment = found[at]
        if assessment is None or assessment.value is None:
            return None
        exact, first = exact and assessment.value.exact, at
        if assessment.value.outcome != "loss":
            lasted, possible = _count(game, states, found, loser, at + 1)
            best = _best(assessment)
            could = assessment.value.outcome
            return Loss(loser, at + 1, could, best, False, lasted, possible, exact)
    if first == last and (over or game.turn(states[last]) != loser):  # who never had to move
        return None
    lasted, possible = _count(game, states, found, loser, first)
    return Loss(loser, 0, lasted=lasted, possible=possible, exact=exact)


def _best(found: Assessment | None) -> tuple[str, ...]:
    """Return the moves that keep the outcome, the best of them first."""
    if found is None or found.value is None:
        return ()
    kept = [each for each in found.moves if each.outcome == found.value.outcome]
    return tuple(each.move for each in sorted(kept, key=lambda each: not each.best))


def _value_for(game: Game, state: State, found: Assessment | None, seat: int) -> Evaluation | None:
    """Return the value of a position for a seat."""
    if found is None or found.value is None:
        return None
    return found.value if game.turn(state) == seat else found.value.flip()


def _count(
    game: Game,
    states: Sequence[State],
    found: Sequence[Assessment | None],
    loser: int,
    at: int,
) -> tuple[int | None, int | None]:
    """Return how many moves were played from a lost position, and how many were possible."""
    value = _value_for(game, states[at], found[at], loser)
    over = game.result(states[-1]) is not None
    if not over or value is None or value.plies is None or value.score is not None:
        return None, None
    return len(states) - 1 - at, value.plies
