"""When it is clear who of two is stronger, so that they need not play on.

This is Wald's sequential probability ratio test (Annals of Mathematical Statistics 16, 1945): after
every meeting one asks how much likelier its results are if one is the stronger by so many Elo
points than if the other is, and stops when that is (1 - error) / error to one. Results that name
the wrong one are that many times rarer than they would be if it were the right one, and so the
wrong one is named with a probability of `error` at most.

Which games come next, and which count: both follow from the plan and the games so far.

Nothing else is remembered. So a tournament that was broken off goes on where it stood, and one that
was spread over many machines ends as if it had been played on one: whether two have played enough,
and who meets whom in the next round, is decided by the games in their order, never by the order in
which they happened to end.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from parlour.arena.pairings import gauntlet, round_robin, swiss_round, swiss_rounds
from parlour.arena.plan import Fixture, Plan
from parlour.arena.ratings import SCALE
from parlour.arena.results import Played

BELIEF = 2  # meetings of coin tosses, of a variance of ½, before the first: two wins prove little


@dataclass(frozen=True)
class Decision:
    """After how many meetings it was clear, and who is the stronger: 0 for `one`, 1 for `other`."""

    after: int
    winner: int


def decision(scores: Sequence[float], elo: float, error: float = 0.05) -> Decision | None:
    """The first point at which it is clear who is stronger, from what `one` scored in meetings.

    A meeting is two games with the seats exchanged, 0 to 2 points. It depends on nothing but the
    meetings before that point, in their order: whoever plays more of them decides the same.
    """
    enough = math.log((1 - error) / error)
    for after, ratio in enumerate(_ratios(scores, elo), 1):
        if abs(ratio) >= enough:
            return Decision(after, 0 if ratio > 0 else 1)
    return None


def likelihood_ratio(scores: Sequence[float], elo: float) -> float:
    """The logarithm of how much likelier it is that `one` is stronger by so much than `other`."""
    ratio = 0.0
    for each in _ratios(scores, elo):
        ratio = each
    return ratio


def _ratios(scores: Sequence[float], elo: float) -> Iterator[float]:
    """The logarithm of the likelihood ratio after each meeting.

    What one scores beyond half a meeting's points is taken as normal, with a mean of plus or minus
    what the Elo points promise, and with the variance that suits either hypothesis best: draws and
    the two games of one opening make it anything, and it need not be known. The normal's maximal
    likelihood is its variance to the power of -n/2, and so the ratio is that of the variances.
    """
    promised = math.tanh(elo / SCALE / 2)  # two games at the expected score, less one point
    if_one = if_other = BELIEF / 2
    for meetings, score in enumerate(scores, 1):
        if_one += (score - 1 - promised) ** 2
        if_other += (score - 1 + promised) ** 2
        yield (meetings + BELIEF) / 2 * math.log(if_other / if_one)


AHEAD = 8  # meetings of two that may be under way while nobody knows yet whether they are needed

Done = Mapping[Fixture, Played]


def fixtures(plan: Plan) -> list[Fixture]:
    """All games of a plan whose pairings are known beforehand, if none stops early."""
    many, legs = len(plan.entries), plan.games // 2
    drawn = gauntlet(many, legs) if plan.kind == "gauntlet" else round_robin(many, legs)
    return [Fixture(*each) for each in drawn]


def most_games(plan: Plan) -> int:
    """How many games there are in all, at most."""
    if plan.kind == "swiss":
        return rounds(plan) * (len(plan.entries) // 2) * plan.games
    return len(fixtures(plan))


def wanted(plan: Plan, done: Done) -> list[Fixture]:
    """The games to be played now; when there are none, it is over."""
    if plan.kind == "swiss":
        return [each for each in swiss(plan, done).fixtures if each not in done]
    if plan.decide is None:
        return [each for each in fixtures(plan) if each not in done]
    enough = {pair: len(_scores(done, pair)) + AHEAD for pair in _pairs(plan)}
    over = decisions(plan, done)
    return [
        each
        for each in fixtures(plan)
        if each not in done and each.pair not in over and each.leg < enough[each.pair]
    ]


def counted(plan: Plan, done: Done) -> list[tuple[Fixture, Played]]:
    """The games that count, in their order."""
    if plan.kind == "swiss":
        order = list(swiss(plan, done).fixtures)
    else:
        over = decisions(plan, done)
        order = [f for f in fixtures(plan) if f.pair not in over or f.leg < over[f.pair].after]
    return [(each, done[each]) for each in order if each in done]


def decisions(plan: Plan, done: Done) -> dict[tuple[int, int], Decision]:
    """The pairs of whom it is clear who is the stronger, after so many meetings."""
    if plan.decide is None or plan.kind == "swiss":
        return {}
    found = {pair: decision(_scores(done, pair), plan.decide) for pair in _pairs(plan)}
    return {pair: each for pair, each in found.items() if each is not None}


def _pairs(plan: Plan) -> Collection[tuple[int, int]]:
    return dict.fromkeys(each.pair for each in fixtures(plan))


def _scores(done: Done, pair: tuple[int, int]) -> list[float]:
    """What the first of two got from each meeting, up to the first that is not over."""
    one, other = pair
    scores: list[float] = []
    while True:
        home = done.get(Fixture(one, other, len(scores)))
        away = done.get(Fixture(other, one, len(scores)))
        if home is None or away is None:
            return scores
        scores.append(home.points[0] + away.points[1])


# Swiss


@dataclass(frozen=True)
class Swiss:
    """A swiss tournament as far as it is known: the rounds played, and the one that is on."""

    fixtures: tuple[Fixture, ...]
    byes: Mapping[int, float]  # what those got who sat out


def byes(plan: Plan, done: Done) -> Mapping[int, float]:
    """What those got who had to sit out, which happens in a swiss alone."""
    return swiss(plan, done).byes if plan.kind == "swiss" else {}


def rounds(plan: Plan) -> int:
    """How many rounds a swiss tournament has."""
    return plan.rounds or swiss_rounds(len(plan.entries))


def swiss(plan: Plan, done: Done) -> Swiss:
    """Each round pairs those with like points who have not met; the next waits for all of it."""
    many, legs = len(plan.entries), plan.games // 2
    points = [0.0] * many
    met: set[frozenset[int]] = set()
    sat_out: list[int] = []
    drawn: list[Fixture] = []
    for number in range(rounds(plan)):
        pairs, bye = swiss_round(points, met, sat_out)
        now = [
            Fixture(first, second, number * legs + leg)
            for leg in range(legs)
            for one, other in pairs
            for first, second in ((one, other), (other, one))
        ]
        drawn += now
        if bye is not None:
            sat_out.append(bye)
            points[bye] += plan.games
        if not all(each in done for each in now):
            break
        for each in now:
            one, other = done[each].points
            points[each.first] += one
            points[each.second] += other
        met |= {frozenset(pair) for pair in pairs}
    got = {each: float(sat_out.count(each) * plan.games) for each in sat_out}
    return Swiss(tuple(drawn), got)
