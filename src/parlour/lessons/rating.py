"""People and puzzles on one scale: Elo points, by the model of the arena's ratings.

A puzzle begins where its difficulty puts it, a person at the mean. Whoever solves a puzzle has
beaten it: the odds are the ratio of their strengths, as between players (Bradley and Terry). One
rating is fitted at a time, the others held, so that an answer needs no more than one's own results.
The arena fits all ratings together and from games alone; here a prior, of each its own, counts too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from parlour.arena import ELO_SCALE, NORMAL_95

MEAN = 1200.0  # of people who have solved nothing yet
PERSON_SPREAD = 350.0  # standard deviation of what is believed of somebody new
PUZZLE_SPREAD = 200.0  # and of a puzzle, whose difficulty says something
BASE, STEP = 600.0, 140.0  # the rating of a puzzle by its difficulty
MAX_STEPS = 50


@dataclass(frozen=True)
class Strength:
    """A rating in Elo points, with half the width of its 95 % interval."""

    elo: float
    error: float


def rate_person(results: Iterable[tuple[float, bool]]) -> Strength:
    """Rate somebody by the ratings of the puzzles they met, and whether they solved each."""
    return _fit(MEAN, PERSON_SPREAD, [(puzzle, solved) for puzzle, solved in results])


def rate_puzzle(difficulty: float, results: Iterable[tuple[float, bool]]) -> Strength:
    """Rate a puzzle by the ratings of those who met it, and whether they solved it."""
    won = [(person, not solved) for person, solved in results]
    return _fit(BASE + STEP * difficulty, PUZZLE_SPREAD, won)


def _fit(mean: float, spread: float, results: list[tuple[float, bool]]) -> Strength:
    """Return the likeliest strength, by Newton's method; the prior is normal."""
    own, prior = mean / ELO_SCALE, (ELO_SCALE / spread) ** 2
    information = prior
    for _ in range(MAX_STEPS):
        chances = [1 / (1 + math.exp(other / ELO_SCALE - own)) for other, _ in results]
        slope = sum(won - chance for (_, won), chance in zip(results, chances, strict=True))
        slope -= (own - mean / ELO_SCALE) * prior
        information = prior + sum(chance * (1 - chance) for chance in chances)
        step = max(-1.0, min(1.0, slope / information))
        own += step
        if abs(step) < 1e-9:
            break
    return Strength(own * ELO_SCALE, NORMAL_95 * ELO_SCALE / math.sqrt(information))
