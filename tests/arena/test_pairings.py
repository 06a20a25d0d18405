import math
import random
from collections import Counter
from dataclasses import astuple
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.arena.plan import HOUSE, Entry, Plan
from parlour.arena.schedule import all_fixtures, pair_swiss_round, round_count

FEW = st.integers(0, 9)
LEGS = st.integers(1, 9)


def pair(one, other):
    return frozenset((one, other))


# Everybody, or some, against all


def plan(players, **more):
    return Plan("nim", tuple(Entry(str(n), HOUSE, "random") for n in range(players)), **more)


def fixtures(players, legs, kind="round-robin"):
    return [astuple(each) for each in all_fixtures(plan(players, games=2 * legs, kind=kind))]


@given(FEW, LEGS, st.sampled_from(["round-robin", "gauntlet"]))
def test_all_who_should_meet_do_so_once_a_leg_in_both_seatings_one_after_the_other(
    players, legs, kind
):
    games = fixtures(players, legs, kind)
    assert Counter(games) == Counter(
        (one, other, leg)
        for leg in range(legs)
        for one, other in permutations(range(players), 2)
        if kind == "round-robin" or 0 in (one, other)
    )
    order = [leg for _, _, leg in games]
    assert order == sorted(order)
    for (first, second, leg), back in zip(games[::2], games[1::2], strict=True):
        assert back == (second, first, leg)


# Swiss


def fewest_again(players, met):
    """How many of the pairs must have met before, by trying all ways to pair these players."""
    if not players:
        return 0
    one, *others = players
    return min(
        (pair(one, other) in met) + fewest_again([each for each in others if each != other], met)
        for other in others
    )


def check(points, met, byes):
    """A round must pair everybody once; how many of its pairs have met before, and the bye."""
    pairs, bye = pair_swiss_round(points, met, byes)
    seated = [each for two in pairs for each in two] + ([] if bye is None else [bye])
    assert sorted(seated) == list(range(len(points)))
    assert (bye is None) == (len(points) % 2 == 0)
    return sum(pair(*two) in met for two in pairs), bye


@st.composite
def standings(draw):
    players = draw(st.integers(0, 8))
    points = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    every = [pair(*two) for two in combinations(range(players), 2)]
    met = draw(st.sets(st.sampled_from(every))) if every else set()
    byes = draw(st.lists(st.integers(0, players - 1), max_size=players)) if players else []
    return points, met, byes


@given(standings())
def test_as_few_meet_again_as_can_be_and_the_bye_goes_to_the_lowest_who_can_be_spared(standing):
    points, met, byes = standing
    again, bye = check(points, met, byes)
    everybody = range(len(points))
    if bye is None:
        assert again == fewest_again(list(everybody), met)
        return
    had = Counter(byes)
    free = [each for each in everybody if had[each] == min(had[one] for one in everybody)]
    needed = {each: fewest_again([one for one in everybody if one != each], met) for each in free}
    assert again == needed[bye] == min(needed.values())
    spared = [each for each in free if needed[each] == again]
    assert points[bye] == min(points[each] for each in spared)


@given(standings())
def test_the_same_standing_gives_the_same_round(standing):
    points, met, byes = standing
    shuffled = sorted(met, key=lambda two: -min(two, default=0))
    assert pair_swiss_round(points, met, byes) == pair_swiss_round(points, shuffled, byes[::-1])


def test_the_leader_meets_the_nearest_below_whom_they_have_not_met():
    pairs, bye = pair_swiss_round([0, 6, 4, 2, 3, 5], {pair(1, 5), pair(1, 2)}, [])
    assert pairs == [(1, 4), (5, 2), (3, 0)]
    assert bye is None


def test_those_who_must_meet_again_are_low_in_the_table():
    met = {pair(0, 2), pair(0, 3), pair(2, 3)}  # one of these three pairs it will be
    assert pair_swiss_round([3, 2, 1, 0], met, [])[0] == [(0, 1), (2, 3)]


def test_the_leader_leaves_the_nearest_to_those_who_can_meet_nobody_else():
    met = {pair(3, 2), pair(3, 0)}  # the last has met all but the second
    assert pair_swiss_round([3, 2, 1, 0], met, [])[0] == [(0, 2), (1, 3)]


def tournament(players, rounds, lots):
    """A whole tournament drawn by lot: how many met again in each round, and the byes."""
    points, met, byes, again = [0.0] * players, set(), [], []
    for _ in range(rounds):
        pairs, bye = pair_swiss_round(points, met, byes)
        again.append(sum(pair(*two) in met for two in pairs))
        for one, other in pairs:
            met.add(pair(one, other))
            got = lots.choice((0, 0.5, 1, 1.5, 2))
            points[one] += got
            points[other] += 2 - got
        if bye is not None:
            byes.append(bye)
            points[bye] += 2
    return again, byes


@pytest.mark.parametrize(("players", "rounds"), [(39, 10), (20, 10), (7, 3)])
def test_while_there_are_twice_as_many_others_as_rounds_no_two_meet_again(players, rounds):
    # Dirac's theorem: where everybody may still meet half of all, all can be paired.
    again, byes = tournament(players, rounds, random.Random(players))
    assert again == [0] * rounds
    assert len(set(byes)) == len(byes)


@pytest.mark.parametrize("players", [2, 4])
def test_a_few_play_a_whole_round_robin(players):
    # What is left after any rounds of 4 players is a union of perfect pairings.
    for seed in range(20):
        again, _ = tournament(players, players - 1, random.Random(seed))
        assert not any(again)


@pytest.mark.parametrize("players", [3, 5, 7])
def test_byes_go_round(players):
    _, byes = tournament(players, 3 * players, random.Random(players))
    for begun in range(0, len(byes), players):
        assert sorted(byes[begun : begun + players]) == list(range(players))


@given(st.integers(1, 1_000))
def test_the_rounds_leave_at_most_one_who_won_them_all(players):
    rounds = round_count(plan(players, kind="swiss"))
    assert rounds == math.ceil(math.log2(players))
    left = players
    for _ in range(rounds):
        left = (left + 1) // 2  # of two winners one goes on winning
    assert left == 1
