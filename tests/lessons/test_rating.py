"""People and puzzles are rated as likely as can be: compared with a general minimiser."""

from __future__ import annotations

import math
import random

import pytest
import scipy  # which imports its parts when they are used

from parlour.lessons import MEAN, rate_person, rate_puzzle
from parlour.lessons.rating import BASE, PERSON_SPREAD, STEP


def unlikelihood(own: float, results: list[tuple[float, bool]]) -> float:
    found = ((own - MEAN) / PERSON_SPREAD) ** 2 / 2
    for other, won in results:
        chance = 1 / (1 + 10 ** ((other - own) / 400))
        found -= math.log(chance if won else 1 - chance)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_a_person_is_rated_as_a_general_minimiser_would(seed):
    chance = random.Random(seed)
    results = [(chance.uniform(700, 2000), chance.random() < 0.6) for _ in range(40)]
    best = scipy.optimize.minimize_scalar(
        lambda own: unlikelihood(own, results), bounds=(0, 4000), method="bounded"
    )
    assert rate_person(results).elo == pytest.approx(best.x, abs=0.1)


def test_without_results_ratings_are_at_the_mean_and_results_move_both_ways():
    assert rate_person([]).elo == MEAN
    assert rate_puzzle(4.0, []).elo == BASE + STEP * 4.0
    assert rate_person([]).error == pytest.approx(1.96 * 350, abs=0.1)
    assert rate_puzzle(4.0, []).error == pytest.approx(1.96 * 200, abs=0.1)
    solved, missed = [(1200.0, True)] * 10, [(1200.0, False)] * 10
    assert rate_person(solved).elo > MEAN > rate_person(missed).elo
    assert rate_puzzle(4.0, solved).elo < BASE + STEP * 4.0 < rate_puzzle(4.0, missed).elo
    assert rate_person(solved + missed).error < rate_person(solved[:1]).error
