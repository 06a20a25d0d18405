import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.arena.ratings import ELO_SCALE, Meeting, fit, rate

REPETITIONS = 2500


def odds(elo):
    """The expected score of a player so much stronger, by the definition of Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


# The strengths


def test_players_who_share_the_points_are_equally_strong():
    first, second = rate(2, [Meeting(0, 1, 1), Meeting(1, 0, 1), Meeting(0, 1, 0.5, games=1)])
    assert first.elo == pytest.approx(0, abs=1e-6)
    assert second.elo == pytest.approx(0, abs=1e-6)
    assert first.points == second.points == 2.5
    assert first.games == second.games == 5


@pytest.mark.parametrize(("points", "games"), [(30_000, 40_000), (1, 1), (0, 2), (13.5, 20)])
def test_two_players_differ_by_the_odds_of_their_score_and_one_draw(points, games):
    # All of the fit's one parameter rests on the only pair: it is given one draw more.
    first, second = rate(2, [Meeting(0, 1, points, games)])
    assert odds(first.elo - second.elo) == pytest.approx((points + 0.5) / (games + 1), abs=1e-9)


def test_the_order_of_the_names_does_not_matter():
    one_way = rate(3, [Meeting(0, 1, 1.5), Meeting(1, 2, 0.5), Meeting(0, 2, 2)])
    other_way = rate(3, [Meeting(1, 0, 0.5), Meeting(2, 1, 1.5), Meeting(2, 0, 0)])
    for one, other in zip(one_way, other_way, strict=True):
        assert one.elo == pytest.approx(other.elo, abs=1e-6)
        assert one.high == pytest.approx(other.high, abs=1e-6)


def test_the_fit_is_the_top_of_the_likelihood_times_jeffreys_prior():
    # Firth (1993): his correction is the prior proportional to the root of the information.
    games = [(0, 1, 2), (1, 2, 1.5), (2, 3, 2), (0, 3, 1), (1, 3, 2)]
    met = [Meeting(*each) for each in games]

    def likelihood(elo):
        total, information = 0.0, np.zeros((4, 4))
        for each in met:
            p = odds(elo[each.one] - elo[each.other])
            total += each.points * math.log(p) + (each.games - each.points) * math.log(1 - p)
            apart = np.zeros(4)
            apart[each.one], apart[each.other] = 1, -1
            information += each.games * p * (1 - p) * np.outer(apart, apart)
        return total + np.linalg.slogdet(information[1:, 1:])[1] / 2

    found = np.array([each.elo for each in rate(4, met)])
    top = likelihood(found)
    for way in np.random.default_rng(2).normal(0, 1, (50, 4)):
        assert likelihood(found + way) < top
        assert likelihood(found + 100 * way) < top
        slope = likelihood(found + 1e-3 * way) - likelihood(found - 1e-3 * way)
        assert abs(slope) < 1e-8


# How sure it is


def made_up(design, true, meetings, draws=0.0, first=0.0):
    """Many tournaments of players of known strength, as sums over each pair's meetings.

    A difference of strength is the Elo difference of the expected score over both seats. `draws`
    is the share of draws among equals; `first` is what sitting first is worth, in Elo points.
    """
    rng = np.random.default_rng([7, len(true), meetings])
    size = (REPETITIONS, len(true), len(true))
    ahead, squares, games = np.zeros(size), np.zeros(size), np.zeros(size[1:])
    for one, other in design:
        expected = odds(true[one] - true[other])
        low, high = -3000.0, 3000.0
        while high - low > 1e-6:
            middle = (low + high) / 2
            less = odds(middle + first) + odds(middle - first) < 2 * expected
            low, high = (middle, high) if less else (low, middle)
        points = np.zeros((REPETITIONS, meetings))
        for chance in (odds(low + first), odds(low - first)):
            drawn = draws * 4 * chance * (1 - chance)
            lot = rng.random(points.shape)
            points += (lot < chance - drawn / 2) / 2 + (lot < chance + drawn / 2) / 2
        for a, b, beyond in ((one, other, points - 1), (other, one, 1 - points)):
            ahead[:, a, b] = beyond.sum(1)
            squares[:, a, b] = (beyond**2).sum(1)
            games[a, b] = 2 * meetings
    return ahead, games, squares, 2 * ahead, 2 * games


def assert_covered(true, sums):
    """The intervals of the players hold the truth 95 times of 100."""
    strength, spread, sure = fit(*sums)
    error = sure * np.sqrt(np.diagonal(spread, axis1=-2, axis2=-1))
    covered = 100 * (np.abs(strength - true / ELO_SCALE) <= error).mean(0)
    assert 93 < covered.mean() < 97
    assert covered.min() > 92.5


def all_pairs(players):
    return list(combinations(range(players), 2))


LUCK = {
    "coins": {},
    "draws": {"draws": 0.4},
    "first": {"first": 150},
    "both": {"draws": 0.3, "first": 150},
}


@pytest.mark.parametrize("luck", LUCK)
@pytest.mark.parametrize(("best", "players"), [(100, 3), (250, 6)])
def test_intervals_cover_the_truth_95_times_of_100(best, players, luck):
    true = np.linspace(-best, best, players)
    assert_covered(true, made_up(all_pairs(players), true, 10, **LUCK[luck]))


@pytest.mark.parametrize("luck", LUCK)
@pytest.mark.parametrize("players", [3, 6])
def test_intervals_of_a_gauntlet_cover_the_truth_95_times_of_100(players, luck):
    true = np.array([0, *np.linspace(-200, 200, players - 1)])
    gauntlet = [(0, other) for other in range(1, players)]
    assert_covered(true, made_up(gauntlet, true, 10, **LUCK[luck]))


def test_intervals_of_players_who_always_or_never_draw_cover_the_truth():
    # Three perfect players draw all their games; three others win and lose at random.
    true = np.array([100, 100, 100, -100, -100, -100])
    sums = made_up(all_pairs(6), true, 20)
    for matrix in (sums[0], sums[2], sums[3]):
        matrix[:, :3, :3] = 0
    assert_covered(true, sums)


def test_the_interval_of_two_is_that_of_their_difference():
    # n coin tosses tell the log-odds with a variance of 4/n; either is half of that away. (Of two
    # games a meeting, coins share the points in half of the meetings.)
    met = [Meeting(0, 1, points) for points in (0, 1, 1, 2)] * 1250
    first, _ = rate(2, met)
    assert first.high == pytest.approx(ELO_SCALE * 1.96 * math.sqrt(4 / 10_000) / 2, rel=0.01)


@pytest.mark.parametrize(
    ("meetings", "students"), [(0, 2.776), (1, 2.776), (4, 2.228), (14, 2.042), (59, 1.980)]
)
def test_few_meetings_are_judged_by_students_t(meetings, students):
    # His table for 4, 10, 30 and 120 degrees of freedom: two for each meeting but the first, and
    # the four that stand for what is believed before any game.
    games = np.array([[0, 2 * meetings], [2 * meetings, 0]])
    nothing = np.zeros((2, 2))
    *_, sure = fit(nothing, games, games / 4, nothing, 2 * games)
    assert sure == pytest.approx(students, abs=0.01)


def test_superiority_of_two_is_that_of_a_normal_difference():
    # 10,000 coins, 51 % of them won: 0.04 in log-odds at a standard error of 0.02, two of them.
    met = [Meeting(0, 1, points) for points in (0, 1, 1, 2)] * 1200 + [Meeting(0, 1, 1)] * 50
    met += [Meeting(0, 1, 2)] * 100 + [Meeting(0, 1, 1)] * 50
    found = rate(2, met)
    assert found.superiority(0, 1) == pytest.approx(0.9772, abs=0.002)  # Φ(2)
    assert found.superiority(0, 1) + found.superiority(1, 0) == pytest.approx(1)
    assert found.superiority(0, 0) == 0.5


# Little to go by


def test_without_games_nothing_is_known():
    assert rate(0, []) == ()
    for players in (1, 2, 12):
        found = rate(players, [])
        for each in found:
            assert each.elo == each.points == each.games == 0
            assert each.low < -400
            assert each.high > 400
    assert found.superiority(3, 4) == 0.5


@pytest.mark.parametrize("games", [20, 200, 2000])
def test_a_player_who_won_all_may_be_hardly_stronger_than_that_takes(games):
    # With a true score of x, all games are won with a probability of x to their number: scores
    # down to where that is 1 in 40 are to be reckoned with.
    found = rate(2, [Meeting(0, 1, 2)] * (games // 2))
    assert odds(found[0].low - found[1].high) < (1 / 40) ** (1 / games)
    assert found.superiority(0, 1) > 0.97


def test_meetings_that_all_ended_alike_leave_a_doubt():
    # A hundred shared meetings do not exclude that three in a hundred would go to one side.
    first, _ = rate(2, [Meeting(0, 1, 1)] * 100)
    assert odds(2 * first.high) > 0.505
    assert odds(2 * first.high) < 0.53


def test_groups_that_never_met_cannot_be_compared():
    met = [Meeting(0, 1, points) for points in (0, 1, 1, 2)] * 500
    met += [Meeting(2, 3, points) for points in (1, 2, 2, 2)] * 500
    found = rate(5, met)
    assert found.superiority(0, 2) == pytest.approx(0.5, abs=0.2)
    assert found.superiority(4, 2) == pytest.approx(0.5, abs=0.2)
    assert found.superiority(2, 3) > 0.999
    assert found[2].elo + found[3].elo == pytest.approx(0, abs=1e-6)
    for each in found:
        assert each.high - each.low > 800


@given(
    st.lists(
        st.builds(
            lambda pair, points, many: [Meeting(*pair, points)] * many,
            st.sampled_from(list(combinations(range(6), 2))),
            st.sampled_from([0, 0.5, 1, 1.5, 2]),
            st.sampled_from([1, 1, 1, 3, 500]),
        ),
        max_size=12,
    )
)
def test_ratings_are_always_finite_and_in_their_intervals(groups):
    met = [each for group in groups for each in group]
    found = rate(6, met)
    assert sum(each.elo for each in found) == pytest.approx(0, abs=1e-3)
    assert sum(each.games for each in found) == 4 * len(met)
    assert sum(each.points for each in found) == 2 * len(met)
    for each in found:
        assert math.isfinite(each.elo)
        assert -math.inf < each.low < each.elo - 0.5
        assert math.inf > each.high > each.elo + 0.5
    for one, other in combinations(range(6), 2):
        assert 0 <= found.superiority(one, other) <= 1
