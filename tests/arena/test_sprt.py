import math
import random
from statistics import mean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.arena.schedule import Decision, find_decision, log_likelihood_ratios

POINTS = st.sampled_from([0, 0.5, 1, 1.5, 2])
QUANTILE = 1.645  # of the normal distribution, for 95 of 100


def meetings(lots, elo, draws=0.0, first=0.0):
    """Meetings without end of one who is so much stronger over both seats.

    `first` is what the first seat adds to the score of a game, `draws` the share of draws.
    """
    score = 1 / (1 + 10 ** (-elo / 400))
    while True:
        points = 0.0
        for chance in (score + first, score - first):
            lot = lots.random()
            points += (lot < chance - draws / 2) / 2 + (lot < chance + draws / 2) / 2
        yield points


def decided(lots, elo, true, **more):
    """What is decided of two who play until it is."""
    source, scores, found = meetings(lots, true, **more), [], None
    while found is None:
        scores += [next(source) for _ in range(50 + len(scores))]
        found = find_decision(scores, elo)
    return found


WORLDS = [{}, {"draws": 0.4}, {"first": 0.2}, {"draws": 0.2, "first": 0.2}]
NAMES = ["coins", "draws", "first", "both"]


@pytest.mark.parametrize("more", WORLDS, ids=NAMES)
@pytest.mark.parametrize("elo", [30, 80, 160])
def test_the_wrong_one_is_named_at_most_5_times_of_100(elo, more):
    lots = random.Random(elo)
    tries = 800
    wrong = 0
    for each in range(tries):
        stronger = each % 2
        found = decided(lots, elo, (elo, -elo)[stronger], **more)
        wrong += found.winner != stronger
    noise = 2.33 * math.sqrt(0.05 * 0.95 / tries)
    assert wrong / tries <= 0.05 + noise


@pytest.mark.parametrize("more", WORLDS, ids=NAMES)
def test_it_takes_far_fewer_meetings_than_a_number_fixed_beforehand(more):
    elo, tries = 30, 300
    source = meetings(random.Random(1), elo, **more)
    scores = [next(source) for _ in range(20_000)]
    scatter = pvariance(scores)
    ahead = 2 / (1 + 10 ** (-elo / 400)) - 1
    # So many keep the mean on the right side of a half 95 times of 100.
    fixed = (QUANTILE / ahead) ** 2 * scatter
    lots = random.Random(2)
    taken = mean(decided(lots, elo, elo, **more).after for _ in range(tries))
    assert taken < 0.7 * fixed


def test_a_clear_difference_ends_at_once():
    lots = random.Random(3)
    for _ in range(50):
        found = decided(lots, 50, 400)
        assert found.winner == 0
        assert found.after <= 25


def likelihood_ratio(scores, elo):
    """The logarithm of the ratio after all these legs."""
    return [0.0, *log_likelihood_ratios(scores, elo)][-1]


def test_two_wins_prove_little_about_a_small_difference():
    assert find_decision([2, 2], 20) is None
    assert find_decision([1.5, 1.5], 20) is None
    assert find_decision([2], 400) is None


def test_a_single_meeting_that_goes_just_as_promised_decides_nothing():
    # Three quarters of the points are just those of 400 log10(3): no scatter at all, so far.
    for meetings in (1, 2):
        assert find_decision([1.5] * meetings, 400 * math.log10(3)) is None


def test_nothing_played_decides_nothing():
    assert find_decision([], 10) is None
    assert not [*log_likelihood_ratios([], 10)]


def test_shared_points_favour_nobody():
    assert likelihood_ratio([1] * 1000, 10) == pytest.approx(0, abs=1e-9)
    assert find_decision([1] * 1000, 10) is None


def test_with_much_played_it_is_the_ratio_of_two_normals_of_the_same_variance():
    # (x - m)² - (x + m)² = -4xm: of n results of mean x and variance v, 2nxm/v in logarithms.
    source = meetings(random.Random(4), 0)
    scores = [next(source) for _ in range(50_000)]
    ahead = 2 / (1 + 10 ** (-5 / 400)) - 1
    beyond = sum(each - 1 for each in scores)
    scatter = mean((each - 1) ** 2 for each in scores)
    assert likelihood_ratio(scores, 5) == pytest.approx(2 * beyond * ahead / scatter, rel=0.01)


@given(st.lists(POINTS, max_size=60), st.floats(1, 400), st.floats(0.001, 0.4))
def test_exchanging_the_players_exchanges_the_winner(scores, elo, error):
    found = find_decision(scores, elo, error)
    back = find_decision([2 - each for each in scores], elo, error)
    assert back == (found and Decision(found.after, 1 - found.winner))
    assert likelihood_ratio([2 - each for each in scores], elo) == pytest.approx(
        -likelihood_ratio(scores, elo), abs=1e-9
    )


@given(st.lists(POINTS, max_size=60), st.lists(POINTS, max_size=20), st.floats(1, 400))
def test_what_is_played_later_changes_no_decision(scores, more, elo):
    found = find_decision(scores, elo)
    if found is not None:
        assert find_decision(scores + more, elo) == found
        assert find_decision(scores[: found.after], elo) == found
        assert find_decision(scores[: found.after - 1], elo) is None


@given(st.lists(POINTS, max_size=60), st.floats(1, 400), st.floats(0.01, 0.4))
def test_it_stops_where_the_ratio_first_passes_walds_bound(scores, elo, error):
    bound = math.log((1 - error) / error)
    passed = [
        after
        for after in range(1, len(scores) + 1)
        if abs(likelihood_ratio(scores[:after], elo)) >= bound
    ]
    found = find_decision(scores, elo, error)
    assert (found and found.after) == (passed[0] if passed else None)
    if found:
        assert (likelihood_ratio(scores[: found.after], elo) > 0) == (found.winner == 0)
