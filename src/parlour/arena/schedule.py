"""Which games come next, and which count: both follow from the plan and the games so far.

Nothing else is stored. So an interrupted tournament resumes where it stopped, and one that was
spread over many machines ends as if it had been played on one: whether two have played enough, and
who meets whom in the next round, depends on the games in their order, never on the order in which
they happened to end.

Two who meet play a leg: two games, one in either seating. Legs come one after another, so that a
tournament that is interrupted, or looked at half-way, has treated everybody alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from parlour.arena.plan import Fixture, Plan
from parlour.arena.ratings import Decision, find_decision
from parlour.arena.results import GameResult

AHEAD = 8  # legs of a pair that may be under way while it is not known whether they are needed
REPEATS = 3  # times that every opening has led to the same games, after which two stop
LATE = ("time", "start")  # faults for which a bot that goes on with them is struck out
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
    missing = [each for each in all_fixtures(plan) if each not in done]
    if plan.decide is not None:
        enough = {pair: _legs_to_play(plan, plan.decide, done, pair) for pair in _pairs(plan)}
        missing = [each for each in missing if each.leg < enough[each.pair]]
    out = struck_out(plan, done)
    return [each for each in missing if out.keys().isdisjoint(each.pair)]


def scored_games(plan: Plan, done: Done) -> list[tuple[Fixture, GameResult]]:
    """Return the games that count, in their order."""
    if plan.kind == "swiss":
        order = list(pair_swiss(plan, done).fixtures)
    else:
        out = struck_out(plan, done)
        order = [each for each in _wanted(plan, done) if out.keys().isdisjoint(each.pair)]
    return [(each, done[each]) for each in order if each in done]


def _wanted(plan: Plan, done: Done) -> Iterator[Fixture]:
    """Yield the games of a plan in their order, without those of pairs that have been decided."""
    ended = decisions(plan, done)
    for each in all_fixtures(plan):
        if each.pair not in ended or each.leg < ended[each.pair].after:
            yield each


def struck_out(plan: Plan, done: Done) -> dict[int, list[GameResult]]:
    """Return who has lost too many games on time and plays no more, with those games.

    None of their games count, so that nobody gains by having met them early. In a Swiss nobody is
    struck out, because pairings rest on the games of the rounds before.
    """
    lost: defaultdict[int, list[GameResult]] = defaultdict(list)
    out: dict[int, list[GameResult]] = {}
    late_games = any(game.fault in LATE for game in done.values())
    if not plan.strikes or plan.kind == "swiss" or not late_games:
        return out
    for each in _wanted(plan, done):
        game = done.get(each)
        if game is None or game.fault not in LATE or not out.keys().isdisjoint(each.pair):
            continue
        late = (each.first, each.second)[game.faulty_seat or 0]
        lost[late].append(game)
        if len(lost[late]) == plan.strikes:
            out[late] = lost[late]
    return out


# Stopping early


def decisions(plan: Plan, done: Done) -> dict[tuple[int, int], Decision]:
    """Return the pairs that need not play on, and why."""
    if plan.decide is None or plan.kind == "swiss":
        return {}
    found = {pair: _decide(plan, plan.decide, _legs(done, pair)) for pair in _pairs(plan)}
    return {pair: each for pair, each in found.items() if each is not None}


def _legs_to_play(plan: Plan, elo: float, done: Done, pair: tuple[int, int]) -> int:
    """Return how many legs a pair may play now: a few more than those that are over."""
    legs = _legs(done, pair)
    return 0 if _decide(plan, elo, legs) else len(legs) + AHEAD + len(legs) // 32


def _decide(plan: Plan, elo: float, legs: Sequence[Leg]) -> Decision | None:
    """Return the first decision for a pair that has played these legs, if there is one."""
    new = _find_new(legs)
    found = find_decision([legs[number].score for number in new], elo)
    if found is not None:
        return replace(found, after=new[found.after - 1] + 1)
    again = REPEATS * len(plan.openings)
    if len(legs) >= again and len(_find_new(legs[:again])) == len(plan.openings):
        return Decision(again, None)  # whatever comes has been seen
    return None


def new_scores(done: Done, pair: tuple[int, int]) -> list[float]:
    """Return what the first of two scored in each leg that says something new."""
    legs = _legs(done, pair)
    return [legs[number].score for number in _find_new(legs)]


def _find_new(legs: Sequence[Leg]) -> list[int]:
    """Return the numbers of the legs that say something new.

    Two without randomness play the same games again from the same opening. So an opening is new
    once, and again only after it has led to different games. Whether a leg is counted depends on
    those before it and not on the leg itself: otherwise the choice could favour one of the two.
    """
    seen: dict[tuple[str, ...], set[tuple[tuple[str, ...], ...]]] = {}
    new = []
    for number, leg in enumerate(legs):
        played = seen.setdefault(leg.opening, set())
        if len(played) != 1 or not any(leg.moves):  # a bot that cannot even begin will lose again
            new.append(number)
        played.add(leg.moves)
    return new


@dataclass(frozen=True)
class Leg:
    """Two games of a pair with the seats exchanged, as the first of the two sees them."""

    score: float
    opening: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]


def _legs(done: Done, pair: tuple[int, int]) -> list[Leg]:
    """Return the legs of a pair, up to the first that is not over."""
    one, other = pair
    legs: list[Leg] = []
    while True:
        home = done.get(Fixture(one, other, len(legs)))
        away = done.get(Fixture(other, one, len(legs)))
        if home is None or away is None:
            return legs
        first, second = home.record, away.record
        opening = first.moves[: first.opening]
        score = home.points[0] + away.points[1]
        legs.append(Leg(score, opening, (first.moves, second.moves)))


def _pairs(plan: Plan) -> Collection[tuple[int, int]]:
    return dict.fromkeys(each.pair for each in all_fixtures(plan))


# Swiss


@dataclass(frozen=True)
class Swiss:
    """A Swiss tournament as far as it is known: the rounds so far, and the current one."""

    fixtures: tuple[Fixture, ...]
    byes: Mapping[int, float]  # the points of those who sat out


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
