"""Ratings: how strong players are, from nothing but who beat whom, with confidence intervals.

The model is Bradley and Terry's: the odds that one beats another are the ratio of their strengths,
and a draw counts as half a win for either. Players meet over an opening and play it in both
seatings, so 400 Elo points more mean ten points of eleven over both seats together, whatever the
first move is worth in the game.

Whether one of two is stronger is decided by a test that may be looked at after every leg, and that
gives an interval too. It is a bet. Somebody begins with a capital of 1 and stakes some of it, leg
by leg, on `one` leading by more than `mean` points. If the true mean is not higher, nobody can win
by such bets, whatever they know of the legs before: the expected capital never grows, so it ever
reaches 40 with a probability of at most 1/40 (Ville 1939). A capital of 40 therefore refutes that
mean. What is not refuted is a 95 % confidence interval that holds at every moment, however one
stops (Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86, 2024). Nothing is
assumed of the legs but that a leg scores 0 to 2 points, and that its expected score does not depend
on the legs before: draws, openings and seats may be as they like.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

ELO_SCALE = 400 / math.log(10)  # Elo points: 400 more are odds of ten to one
NORMAL_95 = 1.959963984540054  # standard errors on either side of a 95 % confidence interval
MAX_STEPS = 100
UNMET = 350 / ELO_SCALE  # the prior standard error of the mean of a group that met no other
PRIOR = 1.0  # on the overdispersion: as from two meetings of coin tosses
POOLING = 10.0  # after twenty meetings a pair's own dispersion counts as much as that of all


@dataclass(frozen=True)
class Meeting:
    """The points of `one` against `other`: in both games of an opening, or in a single game."""

    one: int
    other: int
    points: float
    games: int = 2


@dataclass(frozen=True)
class Rating:
    """A strength in Elo points around 0, with its 95 % confidence interval."""

    elo: float
    low: float
    high: float
    points: float
    games: int


class Ratings(tuple[Rating, ...]):
    """The ratings of all players, by number."""

    covariance: Any  # of the strengths, in Elo points

    def difference_variance(self, one: int, other: int) -> float:
        """Return the variance of the difference of two ratings."""
        covariance = self.covariance
        return float(covariance[one, one] + covariance[other, other] - 2 * covariance[one, other])

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that `one` is stronger than `other`: the difference is normal."""
        if one == other:
            return 0.5
        variance = self.difference_variance(one, other)
        return (1 + math.erf((self[one].elo - self[other].elo) / math.sqrt(2 * variance))) / 2


def rate(players: int, meetings: Iterable[Meeting]) -> Ratings:
    """Rate each player; the mean is 0."""
    import numpy as np

    met = list(meetings)
    one, other = np.array([(each.one, each.other) for each in met], int).reshape(-1, 2).T
    games = np.array([each.games for each in met], float)
    ahead = np.array([each.points for each in met]) - games / 2
    terms = np.array([ahead, games, ahead**2, ahead * games, games**2])
    sums = np.zeros((players, players, len(terms)))
    np.add.at(sums, (one, other), terms.T)
    np.add.at(sums, (other, one), terms.T * [-1, 1, 1, -1, 1])
    tally = np.moveaxis(sums, -1, 0)
    strength, covariance, quantile = fit(*tally)
    elo, error = ELO_SCALE * strength, ELO_SCALE * quantile * np.sqrt(np.diagonal(covariance))
    points, games = (tally[0] + tally[1] / 2).sum(1), tally[1].sum(1)
    rows = np.array([elo, elo - error, elo + error, points, games]).T.tolist()
    ratings = Ratings(Rating(elo, low, high, got, int(of)) for elo, low, high, got, of in rows)
    ratings.covariance = ELO_SCALE**2 * covariance
    return ratings


def fit(ahead: Any, games: Any, squares: Any, products: Any, sizes: Any) -> tuple[Any, Any, Any]:
    """Return the likeliest strengths, their covariance, and the quantile of a 95 % interval.

    Each pair is described by sums over its meetings, in which it got points `ahead` of half the
    `games`: the sums of ahead, games, ahead², ahead · games and games². With a further axis before
    those of the two players, many tournaments are fitted at once.

    The strengths are found by Newton's method. So that they are finite, and right on average also
    after few games, every pair is given as many draws more as its leverage: the share that it has
    in the fit, which sums to the number of parameters (Firth, Biometrika 80, 1993).

    The model takes games for coin tosses, but draws, and openings that favour the same seat twice,
    make the results of meetings vary less. So the covariance is that of the model times the
    dispersion found in the meetings relative to coin tosses: a pair's own as far as it has played
    enough, otherwise that of all. As this is an estimate too, Student's t replaces the normal.
    What is bounded by 0 and 2 points has squares that vary half as much as normal ones, which is
    worth twice the degrees of freedom.

    All this was checked with players of known strength: among three and more, from ten meetings a
    pair on, 93 to 97 in 100 intervals held the true strength. Fewer games make them too wide rather
    than too narrow, unless almost every game was won by the same side.
    """
    import numpy as np

    players = games.shape[-1]
    linked = np.eye(players, dtype=bool) | (games > 0)
    for _ in range(players.bit_length()):
        linked = linked @ linked
    # Games say nothing about the means of groups that never met, so a weak prior holds these at 0.
    prior = linked / (UNMET * linked.sum(-1, keepdims=True)) ** 2
    strength = np.zeros(ahead.shape[:-1])
    for _ in range(MAX_STEPS):
        lean = np.tanh((strength[..., :, None] - strength[..., None, :]) / 2) / 2
        coin = 0.25 - lean**2  # the variance of a game
        covariance = np.linalg.inv(_laplacian(games * coin) + prior)
        own = np.diagonal(covariance, axis1=-2, axis2=-1)
        leverage = games * coin * (own[..., :, None] + own[..., None, :] - 2 * covariance)
        slope = (ahead - (games + leverage) * lean).sum(-1, keepdims=True)
        step = np.linalg.solve(_laplacian((games + leverage) * coin) + prior, slope)[..., 0]
        longest = np.abs(step).max(-1, initial=0, keepdims=True)
        strength = strength + step * np.minimum(1, 2 / np.maximum(longest, 1))
        if longest.max(initial=0) < 1e-10:
            break
    # The squares expected of coin tosses: fitting has taken a share of each meeting (the leverage),
    # and the variance at a fitted strength is off by half its curvature times the squared error.
    share = sizes / np.maximum(games, 1) ** 2
    expected = games * coin * (1 - leverage * share) - leverage * (0.5 - 3 * coin)
    expected = np.maximum(expected, 0)
    found = squares - 2 * products * lean + sizes * lean**2
    every = found.sum((-2, -1)) / 2 + PRIOR, expected.sum((-2, -1)) / 2 + PRIOR
    common = (every[0] / every[1])[..., None, None]
    dispersion = np.maximum(found + POOLING * common, PRIOR) / (expected + POOLING)
    # Only differences mean anything, so the uncertainty of the mean is left out. A single player is
    # compared with another of whom nothing is known.
    centre = np.eye(players) - 1 / max(2, players)
    covariance = covariance @ (_laplacian(dispersion * games * coin) + prior) @ covariance
    meetings = np.divide(1, share, where=games > 0, out=np.zeros_like(share))
    freedom = (meetings - leverage).sum((-2, -1)) + 4 * PRIOR  # both (i, j) and (j, i): twice
    return strength, centre @ covariance @ centre, _t_quantile(freedom)[..., None]


def _laplacian(weight: Any) -> Any:
    import numpy as np

    return weight.sum(-1)[..., None] * np.eye(weight.shape[-1]) - weight


def _t_quantile(freedom: Any) -> Any:
    """Return the 97.5 % quantile of Student's t, to third order (Abramowitz & Stegun 26.7.5)."""
    z = NORMAL_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


# Who is stronger

ERROR = 0.05  # the probability that the interval is ever wrong: half of it on either side
MISSED = 0.09  # the probability that one who is stronger by the Elo points asked for is missed
PRIOR_LEGS = 2  # legs of coin tosses, of variance ½, assumed before the first
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
    total, squares = 0.0, PRIOR_LEGS / 2
    for legs, lead in enumerate(leads, PRIOR_LEGS):
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
    return math.tanh(elo / ELO_SCALE / 2)


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
    return 2 * ELO_SCALE * math.atanh(low)
