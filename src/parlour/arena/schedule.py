"""Which games come next, and which count: both follow from the plan and the games so far.

Nothing else is stored. So an interrupted tournament resumes where it stopped, and one that was
spread over many machines ends as if it had been played on one: whether two have played enough, and
who meets whom in the next round, depends on the games in their order, never on the order in which
they happened to end.

Two who meet play a leg: two games, one in either seating. Legs come one after another, so that a
tournament that is interrupted, or looked at half-way, has treated everybody alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from parlour.arena.plan import Fixture, Plan
from parlour.arena.ratings import SCALE
from parlour.arena.results import GameResult

PRIOR = 2  # legs of coin tosses, of variance ½, assumed before the first: two wins prove little
AHEAD = 8  # legs of a pair that may be under way while it is not known whether they are needed
PRIME = 2**31 - 1  # Swiss pairings are computed modulo this: products fit into 64 bits

Done = Mapping[Fixture, GameResult]


def all_fixtures(plan: Plan) -> list[Fixture]:
    """Return all games of a plan whose pairings are known beforehand, if no pair stops early."""
    pairs = list(combinations(range(len(plan.entries)), 2))
    if plan.kind == "gauntlet":
        pairs = [pair for pair in pairs if 0 in pair]
    return [
        Fixture(*seats, leg)
        for leg in range(plan.games // 2)
        for pair in pairs
        for seats in (pair, pair[::-1])
    ]


def max_games(plan: Plan) -> int:
    """Return the largest number of games there can be."""
    if plan.kind == "swiss":
        return round_count(plan) * (len(plan.entries) // 2) * plan.games
    return len(all_fixtures(plan))


def next_fixtures(plan: Plan, done: Done) -> list[Fixture]:
    """Return the games to be played now; when there are none, the tournament is over."""
    if plan.kind == "swiss":
        return [each for each in pair_swiss(plan, done).fixtures if each not in done]
    if plan.decide is None:
        return [each for each in all_fixtures(plan) if each not in done]
    enough = {pair: len(_leg_scores(done, pair)) + AHEAD for pair in _pairs(plan)}
    decided = decisions(plan, done)
    return [
        each
        for each in all_fixtures(plan)
        if each not in done and each.pair not in decided and each.leg < enough[each.pair]
    ]


def scored_games(plan: Plan, done: Done) -> list[tuple[Fixture, GameResult]]:
    """Return the games that count, in their order."""
    if plan.kind == "swiss":
        order = list(pair_swiss(plan, done).fixtures)
    else:
        decided = decisions(plan, done)
        order = [
            each
            for each in all_fixtures(plan)
            if each.pair not in decided or each.leg < decided[each.pair].after
        ]
    return [(each, done[each]) for each in order if each in done]


# Stopping early


@dataclass(frozen=True)
class Decision:
    """After how many legs it was clear, and who is stronger: 0 for `one`, 1 for `other`."""

    after: int
    winner: int


def decisions(plan: Plan, done: Done) -> dict[tuple[int, int], Decision]:
    """Return the pairs for which it is clear who is stronger."""
    if plan.decide is None or plan.kind == "swiss":
        return {}
    found = {pair: find_decision(_leg_scores(done, pair), plan.decide) for pair in _pairs(plan)}
    return {pair: each for pair, each in found.items() if each is not None}


def find_decision(scores: Sequence[float], elo: float, error: float = 0.05) -> Decision | None:
    """Return the first point at which it is clear who is stronger, from the scores of the legs.

    This is Wald's sequential probability ratio test (Annals of Mathematical Statistics 16, 1945):
    after every leg it compares how likely the results are if one is stronger by these Elo points
    with how likely they are if the other is, and stops when that ratio reaches (1 - error) / error.
    Results that name the wrong player are that many times rarer than if that player were the
    stronger, so the wrong one is named with a probability of at most `error`.

    A leg scores 0 to 2 points. The decision depends only on the legs before it, in their order.
    """
    threshold = math.log((1 - error) / error)
    for after, ratio in enumerate(log_likelihood_ratios(scores, elo), 1):
        if abs(ratio) >= threshold:
            return Decision(after, 0 if ratio > 0 else 1)
    return None


def log_likelihood_ratios(scores: Sequence[float], elo: float) -> Iterator[float]:
    """Yield after each leg the logarithm of how much likelier `one` is stronger than `other`.

    The score above half a leg's points is taken as normal, with a mean of plus or minus what the
    Elo points predict, and with the variance that suits either hypothesis best: draws and the two
    games of one opening make it anything, and it need not be known. The maximal likelihood of the
    normal distribution is its variance to the power of -n/2, so the ratio is that of the variances.
    """
    expected = math.tanh(elo / SCALE / 2)  # two games at the expected score, less one point
    if_one = if_other = PRIOR / 2
    for legs, score in enumerate(scores, 1):
        if_one += (score - 1 - expected) ** 2
        if_other += (score - 1 + expected) ** 2
        yield (legs + PRIOR) / 2 * math.log(if_other / if_one)


def _pairs(plan: Plan) -> Collection[tuple[int, int]]:
    return dict.fromkeys(each.pair for each in all_fixtures(plan))


def _leg_scores(done: Done, pair: tuple[int, int]) -> list[float]:
    """Return what the first of two scored in each leg, up to the first that is not over."""
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
    """A Swiss tournament as far as it is known: the rounds so far, and the current one."""

    fixtures: tuple[Fixture, ...]
    byes: Mapping[int, float]  # the points of those who sat out


def bye_points(plan: Plan, done: Done) -> Mapping[int, float]:
    """Return the points of those who had to sit out, which happens only in a Swiss."""
    return pair_swiss(plan, done).byes if plan.kind == "swiss" else {}


def round_count(plan: Plan) -> int:
    """Return the rounds of a Swiss: by default, until at most one player has won them all."""
    return plan.rounds or max(0, len(plan.entries) - 1).bit_length()


def pair_swiss(plan: Plan, done: Done) -> Swiss:
    """Pair each round by points among those who have not met; it waits for the round before."""
    players, legs = len(plan.entries), plan.games // 2
    points = [0.0] * players
    met: set[frozenset[int]] = set()
    byes: list[int] = []
    fixtures: list[Fixture] = []
    for number in range(round_count(plan)):
        pairs, bye = pair_swiss_round(points, met, byes)
        current = [
            Fixture(first, second, number * legs + leg)
            for leg in range(legs)
            for one, other in pairs
            for first, second in ((one, other), (other, one))
        ]
        fixtures += current
        if bye is not None:
            byes.append(bye)
            points[bye] += plan.games
        if not all(each in done for each in current):
            break
        for each in current:
            one, other = done[each].points
            points[each.first] += one
            points[each.second] += other
        met |= {frozenset(pair) for pair in pairs}
    return Swiss(tuple(fixtures), {each: float(byes.count(each) * plan.games) for each in byes})


def pair_swiss_round(
    points: Sequence[float], met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs of the next round, and who has a bye if the number of players is odd.

    From the top of the table down, each player meets the nearest below whom they have not met yet,
    unless the rest could not be paired then. So nobody meets twice if there is any other way; if
    there is none, as few as possible do, low in the table. The bye is given first, to the lowest of
    those who had the fewest and can be spared.

    Whether the rest can be paired is a matter of algebra. Take a skew-symmetric matrix with a
    random number for every two who may meet: it is regular if all can be paired (Tutte 1947;
    the numbers fail to show it once in ten million times), and then two who may meet can begin
    such a pairing if their entry of the inverse is not zero (Rabin and Vazirani 1989).
    """
    import numpy as np

    table = sorted(range(len(points)), key=lambda each: (-points[each], each))
    players = len(table)
    had = Counter(list(byes))
    fewest = min((had[each] for each in table), default=0)
    even = players + players % 2  # the bye, if there is one, is the last in the table
    allowed = np.zeros((even, even), bool)
    for one, other in combinations(range(players), 2):
        allowed[one, other] = frozenset((table[one], table[other])) not in met
    allowed[:players, players:] = [[had[each] == fewest] for each in table]
    matrix = _random_skew_matrix(allowed)
    rank, inverse = _invert(matrix)
    if rank < even:  # pair each of those left over with a stand-in who may meet all
        allowed = np.pad(allowed, (0, even - rank))
        allowed[:players, even:] = True
        matrix = _random_skew_matrix(allowed)
        _, inverse = _invert(matrix)
    pairs, left_over, bye = [], [], None
    for one in [*range(players, even), *range(players)]:
        fitting = np.flatnonzero((matrix[one] > 0) & (inverse[one] > 0))
        if not len(fitting):  # paired already
            continue
        other = int(fitting[-1 if one == players else 0])
        if one == players:
            bye = table[other]
        elif other >= even:
            left_over.append(table[one])
        else:
            pairs.append((table[one], table[other]))
        inverse = _remove_pair(inverse, one, other)
    return pairs + list(zip(left_over[::2], left_over[1::2], strict=True)), bye


def _random_skew_matrix(allowed: Any) -> Any:
    """Return random numbers where allowed above the diagonal, and their negatives below it."""
    import numpy as np

    generator = Random(0)
    above = np.zeros(allowed.shape, np.int64)
    above[allowed] = [generator.randrange(1, PRIME) for _ in range(np.count_nonzero(allowed))]
    return (above - above.T) % PRIME


def _invert(matrix: Any) -> tuple[int, Any]:
    """Return the rank of a matrix modulo the prime and, where it is regular, its inverse."""
    import numpy as np

    size = len(matrix)
    rows = np.hstack([matrix, np.eye(size, dtype=np.int64)])
    rank = 0
    for column in range(size):
        found = np.flatnonzero(rows[rank:, column])
        if not len(found):
            continue
        rows[[rank, rank + found[0]]] = rows[[rank + found[0], rank]]
        rows[rank] = rows[rank] * pow(int(rows[rank, column]), -1, PRIME) % PRIME
        factors = rows[:, column].copy()
        factors[rank] = 0
        rows = (rows - factors[:, None] * rows[rank]) % PRIME
        rank += 1
    return rank, rows[:, size:]


def _remove_pair(inverse: Any, one: int, other: int) -> Any:
    """Return the inverse of the matrix without the rows and columns of two, left as zeros."""
    import numpy as np

    change = np.outer(inverse[:, one], inverse[other]) - np.outer(inverse[:, other], inverse[one])
    return (inverse + change % PRIME * pow(int(inverse[one, other]), -1, PRIME)) % PRIME
