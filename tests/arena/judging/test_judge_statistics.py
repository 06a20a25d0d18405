"""The statistics are those of the textbooks, by scipy and by counting everything."""

import itertools
from fractions import Fraction

import pytest
import scipy  # which imports its parts when they are used
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.arena.judging.statistics import adjust, mcnemar, mean, permute, total, wilson

EXAMPLES = 20


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.integers(1, 500), st.data())
def test_wilson_agrees_with_scipy(trials, data):
    right = data.draw(st.integers(0, trials))
    known = scipy.stats.binomtest(right, trials).proportion_ci(method="wilson")
    low, high = wilson(right / trials, trials)
    assert low == pytest.approx(known.low, abs=1e-9)
    assert high == pytest.approx(known.high, abs=1e-9)


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_a_test_of_a_fair_coin(one, other):
    expected = scipy.stats.binomtest(one, one + other).pvalue if one + other else 1.0
    assert mcnemar(one, other) == pytest.approx(expected)


@settings(max_examples=EXAMPLES)
@given(st.lists(st.sampled_from([-2, -1, 0, 1, 2]), min_size=1, max_size=7))
def test_the_permutation_test_counts_all_signs(halves):
    differences = [Fraction(each, 2) for each in halves]
    found, name = permute(differences)
    assert found == pytest.approx(count_signs(differences))
    assert name == "exact permutation test"


def count_signs(differences):
    """The share of all choices of signs with a sum as far from 0."""
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    return sum(each >= abs(sum(differences)) for each in sums) / len(sums)


@pytest.mark.slow
def test_tens_of_thousands_of_situations_are_compared_exactly():
    known = scipy.stats.binomtest(24_800, 50_000).pvalue
    assert mcnemar(24_800, 25_200) == pytest.approx(known)
    found, name = permute([Fraction(1, 2)] * 24_800 + [Fraction(-1, 2)] * 25_200)
    assert found == pytest.approx(known)  # signs of equal size are tosses of a fair coin
    assert name == "exact permutation test"
    assert 0 <= permute([1] * 50_000)[0] < 1e-9


def test_many_fractions_are_compared_by_drawing_signs():
    differences = [Fraction(each, 97) for each in (13, -5, 8, 21, -2, 7, 3, -11, 4, 9)]
    found, name = permute(differences)
    assert name == "permutation test"
    assert found == pytest.approx(count_signs(differences), abs=0.01)


def test_holm_multiplies_the_least_most():
    tests = adjust([(0.04, "a"), (0.01, "b"), (0.03, "c")])
    assert [test.adjusted for test in tests] == [0.06, 0.03, 0.06]
    assert [test.p for test in tests] == [0.04, 0.01, 0.03]


@settings(max_examples=EXAMPLES)
@given(st.lists(st.fractions(0, 1, max_denominator=1000), min_size=1, max_size=20))
def test_fractions_are_added_up_exactly(numbers):
    assert total(numbers) == sum(numbers)
    assert mean(numbers) == float(sum(numbers) / len(numbers))


# Comparisons


def first(game, state):
    return game.moves(state)[0]


def last(game, state):
    return game.moves(state)[-1]


def test_two_agents_are_compared_by_pairs():
    one, other = parlour.judge("nim", first), parlour.judge("nim", last)
    found = one.compare(other)
    pairs = [
        (a.wrong, b.wrong)
        for a, b in zip(one.findings, other.findings, strict=True)
        if a.situation.is_critical
    ]
    only_first, only_second = pairs.count((0, 1)), pairs.count((1, 0))
    assert (found.only_first, found.only_second) == (only_first, only_second)
    p = scipy.stats.binomtest(only_first, only_first + only_second).pvalue
    assert found.right_test.p == pytest.approx(p)
    assert found.right_test.name == "McNemar's exact test"
    differences = [
        float(a.regret - b.regret)
        for a, b in zip(one.findings, other.findings, strict=True)
        if a.situation.is_critical
    ]
    known = scipy.stats.permutation_test(
        (differences,), sum, permutation_type="samples", n_resamples=2000, rng=1
    )
    assert found.regret_test.p == pytest.approx(known.pvalue, abs=0.03)
    assert found.right == pytest.approx((one.right, other.right))
    turned = other.compare(one)
    assert turned.right_test.p == found.right_test.p
    assert (turned.only_first, turned.only_second) == (only_second, only_first)


def test_a_clear_difference_is_stated_and_none_is_not():
    perfect, weak = parlour.judge("nim", "perfect"), parlour.judge("nim", first)
    assert "perfect is right more often" in perfect.compare(weak).verdict
    assert "perfect is right more often" in weak.compare(perfect).verdict
    same = weak.compare(weak)
    assert (same.right_test.p, same.regret_test.p) == (1, 1)
    assert same.verdict.startswith("Neither is shown to be better")
    assert same.to_dict()["only_right"] == (0, 0)


def test_only_the_same_situations_can_be_compared():
    one = parlour.judge("sticks", first, sample=5)
    with pytest.raises(parlour.ParlourError, match="different situations"):
        one.compare(parlour.judge("sticks", first, sample=5, seed=1))
    with pytest.raises(parlour.ParlourError, match="different situations"):
        one.compare(parlour.judge("nim", first))
    with pytest.raises(parlour.BadOption):
        one.compare("random")
