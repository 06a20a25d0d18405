"""The statistics of judgements: means, confidence intervals, and tests for paired answers.

Means are taken of fractions as long as that is practical, so that an expectation is exact. The
confidence interval of a share is Wilson's. It holds for a mean of values between 0 and 1 as well,
since their variance is no larger than that of zeros and ones with the same mean.

Whether one of two agents is right more often is decided by McNemar's exact test: of the situations
that only one of them gets right, each is as likely to be the one's as the other's if neither is
better. Regret is compared by a paired permutation test: if neither is better, the difference in
each situation might as well have the other sign. Several tests are adjusted by Holm's method.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from parlour.arena.ratings import NORMAL_95

Chance: TypeAlias = Fraction | float
Interval: TypeAlias = tuple[float, float]

MAX_DENOMINATORS = 200  # of fractions that are added up exactly
FLIPS = 20_000  # random signs, where there are too many to count them all
MAX_SIGNS = 4_000_000  # random signs in memory at a time
MAX_SUM = 200_000  # of whole differences whose distribution is computed exactly
MCNEMAR, EXACT, RANDOM = "McNemar's exact test", "exact permutation test", "permutation test"


@dataclass(frozen=True)
class SignificanceTest:
    """A test: its name, and how likely a difference as large is by chance.

    `adjusted` is that probability where more than one question is asked.
    """

    name: str
    p: float
    adjusted: float  # p, adjusted for two tests by Holm's method


def wilson(share: float, trials: float) -> Interval:
    """Return Wilson's 95 % confidence interval of a share among independent trials."""
    if not trials:
        return 0.0, 1.0
    centre = (share + NORMAL_95**2 / (2 * trials)) / (1 + NORMAL_95**2 / trials)
    spread = share * (1 - share) / trials + NORMAL_95**2 / (4 * trials * trials)
    half = NORMAL_95 * math.sqrt(max(0.0, spread)) / (1 + NORMAL_95**2 / trials)
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def total(numbers: Iterable[Chance]) -> Chance:
    """Add up numbers: exactly where they are fractions with few denominators."""
    by_denominator: Counter[int] = Counter()
    floats = []
    for number in numbers:
        if isinstance(number, float):
            floats.append(number)
        else:
            by_denominator[number.denominator] += number.numerator
    if not floats and len(by_denominator) <= MAX_DENOMINATORS:
        return sum((Fraction(n, d) for d, n in by_denominator.items()), Fraction(0))
    return math.fsum([*floats, *(n / d for d, n in by_denominator.items())])


def mean(numbers: Sequence[Chance]) -> float | None:
    """Return the mean, correctly rounded where the numbers are fractions; None of nothing."""
    return float(total(numbers) / len(numbers)) if numbers else None


def bound_mean(numbers: Sequence[Chance]) -> Interval:
    """Return the 95 % confidence interval of the mean of numbers that are at least 0."""
    centre = mean(numbers) or 0.0
    spread = math.fsum((float(each) - centre) ** 2 for each in numbers)
    half = NORMAL_95 * math.sqrt(spread / max(1, len(numbers) - 1) / max(1, len(numbers)))
    return max(0.0, centre - half), centre + half


def compare_right(wrong: Sequence[tuple[Any, Any]]) -> tuple[float, str]:
    """Test whether one of two is wrong more often, given the chance of each pair to be wrong."""
    if all(chance in (0, 1) for pair in wrong for chance in pair):
        return mcnemar(sum(a < b for a, b in wrong), sum(a > b for a, b in wrong)), MCNEMAR
    return permute([a - b for a, b in wrong])


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided probability of McNemar's exact test.

    Given how many situations only the one and only the other gets right, it is the probability of a
    split as uneven among as many tosses of a fair coin.
    """
    tosses, tail, ways = only_first + only_second, 0, 1
    for heads in range(min(only_first, only_second) + 1):
        tail += ways
        ways = ways * (tosses - heads) // (heads + 1)  # the next binomial coefficient
    return float(min(Fraction(1), Fraction(2 * tail, 2**tosses)))


def permute(differences: Sequence[Any]) -> tuple[float, str]:
    """Return the two-sided probability of a sum as far from 0, if every sign is a coin toss."""
    found = [each for each in differences if each]
    if not found:
        return 1.0, EXACT
    doubled = [2 * each for each in found]
    if all(each == int(each) for each in doubled) and sum(map(abs, doubled)) <= MAX_SUM:
        return _count_signs([abs(int(each)) for each in doubled], abs(int(sum(doubled)))), EXACT
    return _draw_signs([float(each) for each in found]), RANDOM


def _count_signs(sizes: Sequence[int], observed: int) -> float:
    """Return the share of all choices of signs whose sum is as far from 0 as observed.

    The characteristic function of the sum is a product of cosines, one for each size, and the
    inverse Fourier transform of it is the distribution.
    """
    import numpy as np

    whole = sum(sizes)
    length = 2 * whole + 1
    angles = 2 * np.pi * np.arange(whole + 1) / length
    waves = np.ones(whole + 1)
    for size, number in Counter(sizes).items():
        waves *= np.cos(size * angles) ** number
    far = 2 * float(np.fft.irfft(waves, length)[observed : whole + 1].sum())
    return min(1.0, max(far, 2.0 ** (1 - len(sizes))))  # the observed signs, and their opposites


def _draw_signs(differences: Sequence[float]) -> float:
    """Return the share of random signs whose sum is as far from 0, the observed ones included."""
    import numpy as np

    generator, sizes, far = np.random.default_rng(0), np.array(differences), 0
    whole = float(sizes.sum())
    observed = abs(whole) - 1e-12 * float(np.abs(sizes).sum())  # equal sums may be rounded apart
    batch = max(1, MAX_SIGNS // sizes.size)
    for done in range(0, FLIPS, batch):
        shape = min(batch, FLIPS - done), -(-sizes.size // 8)
        drawn = generator.integers(0, 256, shape, dtype=np.uint8)
        kept = np.unpackbits(drawn, axis=1, count=sizes.size)  # the others are turned round
        far += int((np.abs(2 * (kept @ sizes) - whole) >= observed).sum())
    return (1 + far) / (1 + FLIPS)


def adjust(tests: Sequence[tuple[float, str]]) -> list[SignificanceTest]:
    """Return several tests, given by probability and name, adjusted by Holm's method."""
    order = sorted(range(len(tests)), key=lambda place: tests[place][0])
    adjusted, least = [0.0] * len(tests), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(tests) - rank) * tests[place][0]))
        adjusted[place] = least
    return [SignificanceTest(name, p, a) for (p, name), a in zip(tests, adjusted, strict=True)]
