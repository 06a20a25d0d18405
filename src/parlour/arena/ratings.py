"""Ratings: how strong players are, from nothing but who beat whom, and how sure that is.

The model is Bradley and Terry's: the odds that one beats another are the ratio of their strengths.
The strengths that make the results likeliest are found exactly, by Newton's method on a function
that has one top only. A draw counts as half a win for either side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

SCALE = 400 / math.log(10)  # Elo points: 400 more are odds of ten to one
SURE = 1.96  # standard errors on either side that hold the truth 95 times of 100
MOST_STEPS = 100
PRIOR = 0.5  # wins and losses each against an average player, so that nobody is infinitely strong


@dataclass(frozen=True)
class Rating:
    """A strength in Elo points around 0, and the interval that holds it 95 times of 100."""

    elo: float
    low: float
    high: float
    points: float
    games: int


def ratings(players: int, results: Iterable[tuple[int, int, float]]) -> list[Rating]:
    """The rating of each player, from games as (one, other, points of the one: 1, ½ or 0)."""
    import numpy as np

    points = np.zeros((players, players))
    for one, other, got in results:
        points[one, other] += got
        points[other, one] += 1 - got
    games = points + points.T
    strength = np.zeros(players)
    spread: Any = np.zeros((players, players))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        alone = 1 / (1 + np.exp(-strength))
        slope = points.sum(1) - (games * expected).sum(1) + PRIOR - 2 * PRIOR * alone
        weight = games * expected * (1 - expected)
        certainty = np.diag(weight.sum(1) + 2 * PRIOR * alone * (1 - alone)) - weight
        spread = np.linalg.inv(certainty)
        step = spread @ slope
        strength = strength + np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < 1e-10:
            break
    # Only differences mean anything: the mean is taken as 0, and what is not known of it left out.
    among = np.eye(players) - 1 / max(1, players)
    strength = among @ strength
    errors = np.sqrt(np.diag(among @ spread @ among))
    return [
        Rating(
            float(SCALE * strength[each]),
            float(SCALE * (strength[each] - SURE * errors[each])),
            float(SCALE * (strength[each] + SURE * errors[each])),
            float(points[each].sum()),
            int(games[each].sum()),
        )
        for each in range(players)
    ]
