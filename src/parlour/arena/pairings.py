"""Who meets whom: everybody everybody, some everybody else, or those who do equally well.

Two who meet play a leg: two games, one in either seating. Legs come one after another, so that a
tournament that is looked at half-way, or stopped, has treated everybody alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

PRIME = 2**31 - 1  # the field that Swiss pairings are computed in: products fit into 64 bits


def round_robin(players: int, legs: int) -> Iterator[tuple[int, int, int]]:
    """The games of so many legs of every two: who sits first, who second, and the leg."""
    for leg in range(legs):
        for one, other in combinations(range(players), 2):
            yield one, other, leg
            yield other, one, leg


def gauntlet(players: int, legs: int, challengers: int = 1) -> Iterator[tuple[int, int, int]]:
    """The games of the challengers, who come first, against each of the others."""
    for one, other, leg in round_robin(players, legs):
        if min(one, other) < challengers <= max(one, other):
            yield one, other, leg


def swiss_rounds(players: int) -> int:
    """How many rounds it takes until at most one has won them all."""
    return max(0, players - 1).bit_length()


def swiss_round(
    points: Sequence[float], met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, int]], int | None]:
    """The pairs of the next round, and who has a bye where the players are odd in number.

    From the top of the table down, everybody meets the nearest below whom they have not met yet,
    passing over those without whom the rest could not be paired. So nobody meets twice if there is
    any other way, and else as few as can be, low in the table. The bye goes, before all that, to
    the lowest of those who had the fewest and can be spared.

    Whether the rest can be paired is a matter of algebra. Take a skew-symmetric matrix with a
    random number for every two who may meet: it is regular if all can be paired (Tutte 1947;
    the numbers fail to show it once in ten million times), and then two who may meet can begin
    such a pairing if the inverse has a number for them too (Rabin and Vazirani 1989).
    """
    import numpy as np

    table = sorted(range(len(points)), key=lambda each: (-points[each], each))
    many = len(table)
    had = Counter(list(byes))
    fewest = min((had[each] for each in table), default=0)
    even = many + many % 2  # the bye, if there is one, is the last in the table
    may = np.zeros((even, even), bool)
    for one, other in combinations(range(many), 2):
        may[one, other] = frozenset((table[one], table[other])) not in met
    may[:many, many:] = [[had[each] == fewest] for each in table]
    matrix = _skew(may)
    rank, inverse = _inverse(matrix)
    if rank < even:  # so many stay over; each of them is paired with a stand-in who may meet all
        may = np.pad(may, (0, even - rank))
        may[:many, even:] = True
        matrix = _skew(may)
        _, inverse = _inverse(matrix)
    pairs, over, bye = [], [], None
    for one in [*range(many, even), *range(many)]:
        fitting = np.flatnonzero((matrix[one] > 0) & (inverse[one] > 0))
        if not len(fitting):  # paired already
            continue
        other = int(fitting[-1 if one == many else 0])
        if one == many:
            bye = table[other]
        elif other >= even:
            over.append(table[one])
        else:
            pairs.append((table[one], table[other]))
        inverse = _without(inverse, one, other)
    return pairs + list(zip(over[::2], over[1::2], strict=True)), bye


def _skew(may: Any) -> Any:
    """Random numbers in the places above the diagonal, and their opposites below it."""
    import numpy as np

    lots = Random(0)
    above = np.zeros(may.shape, np.int64)
    above[may] = [lots.randrange(1, PRIME) for _ in range(np.count_nonzero(may))]
    return (above - above.T) % PRIME


def _inverse(matrix: Any) -> tuple[int, Any]:
    """The rank of a matrix modulo the prime and, where it is regular, its inverse."""
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


def _without(inverse: Any, one: int, other: int) -> Any:
    """The inverse of the matrix without the rows and columns of two, which are left as zeros."""
    import numpy as np

    change = np.outer(inverse[:, one], inverse[other]) - np.outer(inverse[:, other], inverse[one])
    return (inverse + change % PRIME * pow(int(inverse[one, other]), -1, PRIME)) % PRIME
