"""Who is stronger: a test that may be looked at after every leg, and the interval that it gives.

The test is a bet. Somebody begins with a capital of 1 and stakes some of it, leg by leg, on `one`
leading by more than `mean` points. If the true mean is not higher, nobody can win by such bets,
whatever they know of the legs before: the expected capital never grows, so it ever reaches 40 with
a probability of at most 1/40 (Ville 1939). A capital of 40 therefore refutes that mean. What is not
refuted is a 95 % confidence interval that holds at every moment, however one stops (Waudby-Smith
and Ramdas, Journal of the Royal Statistical Society B 86, 2024).

Nothing is assumed of the legs but that a leg scores 0 to 2 points, and that its expected score does
not depend on the legs before: draws, openings and seats may be as they like.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parlour.arena.ratings import SCALE

ERROR = 0.05  # the probability that the interval is ever wrong: half of it on either side
MISSED = 0.09  # the probability that one who is stronger by the Elo points asked for is missed
PRIOR = 2  # legs of coin tosses, of variance ½, assumed before the first
MAX_LOSS = 0.9  # of the capital in one leg
ENOUGH = 25.0  # legs to play at most, times the square of the expected lead; see `default_games`


@dataclass(frozen=True)
class Decision:
    """What was decided after this number of legs."""

    after: int
    winner: int | None  # 0 for `one`, 1 for `other`
    close: bool = False  # too close to tell


def find_decision(scores: Sequence[float], elo: float) -> Decision | None:
    """Return the first decision that the scores of `one` in the legs allow, if there is one.

    The stronger is named as soon as the interval excludes zero, so between equals either is named
    with a probability of at most `ERROR`. It is too close to tell as soon as bets at odds of
    `MISSED` have refuted both that `one` is stronger by these Elo points and that `other` is.
    """
    expected = expected_lead(elo)
    leads = [score - 1 for score in scores]
    one = other = not_one = not_other = 0.0  # logarithms of capitals
    refuted_one = refuted_other = False
    named, missed = math.log(2 / ERROR), math.log(1 / MISSED)
    for after, (lead, stakes) in enumerate(zip(leads, find_stakes(leads, elo), strict=True), 1):
        one += log_growth(lead, stakes[0], 0)
        other += log_growth(-lead, stakes[1], 0)
        if max(one, other) >= named:
            return Decision(after, 0 if one > other else 1)
        not_one += log_growth(-lead, stakes[1], -expected)
        not_other += log_growth(lead, stakes[0], -expected)
        refuted_one |= not_one >= missed
        refuted_other |= not_other >= missed
        if refuted_one and refuted_other:
            return Decision(after, None, close=True)
    return None


def find_interval(scores: Sequence[float], elo: float) -> tuple[float | None, float | None]:
    """Return the 95 % interval of how many Elo points `one` is stronger; None for no bound yet."""
    leads = [score - 1 for score in scores]
    stakes = list(find_stakes(leads, elo))
    low = _find_bound(leads, [on_one for on_one, _ in stakes])
    high = _find_bound([-lead for lead in leads], [on_other for _, on_other in stakes])
    return low, None if high is None else -high


def find_stakes(leads: Sequence[float], elo: float) -> Iterator[tuple[float, float]]:
    """Yield before each leg the shares of the capital to stake per point on `one` and on `other`.

    A lead of mean m and mean square v makes the capital grow fastest, by m² / 2v a leg, if m / v is
    staked (Kelly 1956). So the stake is that of the lead asked about, or of the mean so far less
    its standard error where that is larger, to be done sooner with a clear case.
    """
    expected = expected_lead(elo)
    total, squares = 0.0, PRIOR / 2
    for legs, lead in enumerate(leads, PRIOR):
        mean, square = total / legs, squares / legs
        doubt = math.sqrt(square / legs)
        yield max(expected, mean - doubt) / square, max(expected, -mean - doubt) / square
        total += lead
        squares += lead * lead


def log_growth(lead: float, stake: float, mean: float) -> float:
    """Return how much the logarithm of a capital grows that is staked on a lead above `mean`.

    The stake is limited, so that the largest loss, of 1 + `mean` points, leaves a tenth.
    """
    return math.log1p(min(stake, MAX_LOSS / (1 + mean)) * (lead - mean))


def expected_lead(elo: float) -> float:
    """Return the points above half of a leg's that somebody so much stronger scores on average."""
    return math.tanh(elo / SCALE / 2)


def default_games(elo: float) -> int:
    """Return a number of games after which hardly any two are undecided, however close they are.

    The games it takes grow with the inverse square of the lead. Of 2,000 simulated pairs half-way
    between equal and this much apart, where it takes longest, 1 in 75 or fewer needed more.
    """
    return 2 * math.ceil(ENOUGH / expected_lead(elo) ** 2)


def _find_bound(leads: Sequence[float], stakes: Sequence[float]) -> float | None:
    """Return the highest mean that the bets refute, in Elo points.

    Every factor of the capital falls as the mean rises, so bisection finds it.
    """
    import numpy as np

    lead, stake = np.array(leads), np.array(stakes)

    def refutes(mean: float) -> bool:
        growth = np.log1p(np.minimum(stake, MAX_LOSS / (1 + mean)) * (lead - mean))
        return float(growth.sum()) >= math.log(2 / ERROR)

    low, high = math.nextafter(-1, 0), math.nextafter(1, 0)
    if not refutes(low):
        return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if refutes(middle) else (low, middle)
    return 2 * SCALE * math.atanh(low)
