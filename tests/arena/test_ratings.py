import math
from collections import Counter

import pytest

from parlour.arena.pairings import round_robin
from parlour.arena.ratings import PRIOR, SCALE, ratings


def test_every_two_meet_in_both_seatings_equally_often():
    met = Counter(round_robin(5, 3))
    assert set(met.values()) == {3}
    assert set(met) == {(a, b) for a in range(5) for b in range(5) if a != b}


def test_those_who_share_the_points_are_equally_strong():
    first, second = ratings(2, [(0, 1, 1), (1, 0, 1), (0, 1, 0.5)])
    assert first.elo == pytest.approx(0, abs=1e-6)
    assert second.elo == pytest.approx(0, abs=1e-6)
    assert first.points == second.points == 1.5


def test_two_players_differ_by_the_odds_of_their_score():
    # With many games the prior is nothing, and the fit of two is known: 3 to 1 is 400 log10(3).
    first, second = ratings(2, [(0, 1, 1)] * 30_000 + [(0, 1, 0)] * 10_000)
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=0.2)


def test_the_fit_is_the_top_of_the_likelihood():
    # At the top nobody's points differ from those expected of them, the prior's included.
    results = [(0, 1, 1), (1, 2, 1), (2, 0, 0.5), (0, 2, 1), (1, 0, 0), (2, 1, 0.5)]
    told = [rating.elo / SCALE for rating in ratings(3, results)]
    assert sum(told) == pytest.approx(0, abs=1e-9)
    low, high = -10.0, 10.0  # only differences are told; the prior says where they lay
    for _ in range(100):
        middle = (low + high) / 2
        above = sum(1 / (1 + math.exp(-each - middle)) - 0.5 for each in told) > 0
        low, high = (low, middle) if above else (middle, high)
    found = [each + low for each in told]
    for each in range(3):
        got = sum(p for a, _, p in results if a == each)
        got += sum(1 - p for _, b, p in results if b == each)
        expected = sum(
            1 / (1 + math.exp(found[b if a == each else a] - found[each]))
            for a, b, _ in results
            if each in (a, b)
        )
        alone = 1 / (1 + math.exp(-found[each]))
        assert got + PRIOR == pytest.approx(expected + 2 * PRIOR * alone, abs=1e-6)


def test_more_games_make_it_surer():
    few, many = (ratings(2, [(0, 1, 1), (0, 1, 0)] * n)[0] for n in (5, 50))
    assert many.high - many.low < few.high - few.low


def test_one_who_won_all_is_not_infinitely_strong():
    best, *_ = ratings(3, [(0, 1, 1), (0, 2, 1), (1, 2, 0.5)])
    assert 0 < best.elo < best.high < 2000


def test_the_interval_of_two_is_that_of_their_difference():
    # n games at even odds tell the log-odds with a variance of 4/n; either is half of that away.
    first, _ = ratings(2, [(0, 1, 1), (0, 1, 0)] * 5_000)
    assert first.high == pytest.approx(SCALE * 1.96 * math.sqrt(4 / 10_000) / 2, rel=0.01)
