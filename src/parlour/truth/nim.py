"""Nim, solved: by the nim-sum where the theory holds, by a table of every position where it fits.

The table knows extra endings and distances. Without it the closed form still answers at once, for
piles of any size, but without distances.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from itertools import accumulate
from operator import xor
from typing import Any

from parlour.core import (
    TOTAL,
    Move,
    Solution,
    TooLarge,
    Unsolved,
    Value,
    Work,
    refuse_seats,
    roughly,
)
from parlour.rules import LARGEST_PILE, Nim, NimState, Sticks, multiset

MOST_POSITIONS = 200_000_000  # 2 bytes each
MOST_WITHOUT_ENDINGS = 20_000_000  # above, the closed form answers sooner than a table
LONGEST = 32_000  # plies that fit in the table


def counted(piles: Iterable[int], take: int | None = None) -> list[int]:
    """What each pile counts: its size, or where a move is limited what is over full take + 1s."""
    return [pile if take is None else pile % (take + 1) for pile in piles]


def nim_sum(piles: Iterable[int], take: int | None = None) -> int:
    """The exclusive or of the piles, each counted modulo take + 1 where a move is limited.

    Sum 0 is lost in normal play. From sum 0 every move changes exactly one pile, and so the sum;
    and from sum s > 0 some pile p has the top bit of s, so p xor s < p, and taking p - (p xor s)
    makes the sum 0. At the end nothing is left, and that is sum 0. With a limit, whatever the
    opponent takes beyond his share of a full take + 1 can be answered by the rest of it.
    """
    return reduce(xor, counted(piles, take), 0)


def is_lost(piles: tuple[int, ...], *, misere: bool, take: int | None = None) -> bool:
    """Whether the mover loses, with no ending but the empty one.

    Misère is the same as long as some pile counts for more than 1: the winner keeps the sum at 0
    until a single such pile is left, and then chooses how many ones remain. When every pile counts
    for 0 or 1 only their number matters, and it is reversed: an odd number of ones is lost.
    """
    counts = counted(piles, take)
    if misere and max(counts, default=0) <= 1:
        return sum(counts) % 2 == 1
    return nim_sum(piles, take) == 0


class NimClosed(Solution):
    """The closed form: who wins, at any size, but not in how many plies."""

    method = "closed form"

    def __init__(self, game: Nim) -> None:
        super().__init__(game)
        self.nim = game

    def value(self, state: NimState) -> Value:
        result = self.nim.result(state)
        if result is not None:
            return Value("win" if result[state[0]] > 0 else "loss", 0)
        lost = is_lost(state[2:], misere=self.nim.misere, take=self.nim.take)
        return Value("loss" if lost else "win")

    def best(self, state: NimState) -> tuple[Move, ...]:
        """All winning moves; in a lost position 1 from the first largest pile."""
        piles = state[2:]
        if not self.nim.moves(state):
            return ()
        if self.value(state).outcome == "loss":
            return ((piles.index(max(piles)), 1),)
        found = []
        for place, pile in enumerate(piles):
            found += [(place, pile - size) for size in self._left(piles, place) if pile - size > 0]
        return tuple(sorted(found))

    def _left(self, piles: tuple[int, ...], place: int) -> list[int]:
        """The sizes to which one pile can be reduced so that the opponent is lost."""
        pile, take = piles[place], self.nim.take
        if take is None:
            others = piles[:place] + piles[place + 1 :]
            # The sum decides, or with all other piles at most 1 the number of ones: both are below.
            candidates = {nim_sum(others), 0, 1}
            sizes = [size for size in candidates if size < pile]
        else:
            sizes = (
                list(range(max(0, pile - take), pile)) if take < 10**4 else self._far(piles, place)
            )
        lost = (
            size
            for size in sizes
            if is_lost(
                (*piles[:place], size, *piles[place + 1 :]),
                misere=self.nim.misere,
                take=take,
            )
        )
        return sorted(lost, reverse=True)

    def _far(self, piles: tuple[int, ...], place: int) -> list[int]:
        """With a large limit: the sizes within it that leave the remainder that is wanted."""
        whole = (self.nim.take or 0) + 1
        others = piles[:place] + piles[place + 1 :]
        pile = piles[place]
        found = []
        for wanted in {nim_sum(others, self.nim.take), 0, 1}:
            size = pile - (pile - wanted) % whole
            if wanted < whole and 0 <= size < pile:
                found.append(size)
        return found

    def counts(self) -> dict[str, int]:
        raise Unsolved(
            f"{self.nim!r} has some {self.nim.size():,} positions, too many to count one by one; "
            "the closed form answers for each of them"
        )


class NimTable(Solution):
    """Every position with its distance."""

    method = "table"

    def __init__(self, game: Nim, distance: Any) -> None:
        super().__init__(game)
        self.nim = game
        self.distance = distance
        self.numbers = Numbers(game.piles)

    def value(self, state: NimState) -> Value:
        number = self.numbers.of(state[2:])
        if number is None:
            if not self.nim.endings:
                return NimClosed(self.nim).value(state)
            raise Unsolved(
                f"{','.join(map(str, state[2:]))} cannot arise from "
                f"{','.join(map(str, self.nim.piles))}; solve a Nim that starts there"
            )
        plies = int(self.distance[number])
        return Value("win", plies - 1) if plies > 0 else Value("loss", -plies - 1)

    def counts(self) -> dict[str, int]:
        import numpy as np

        arisen = self.distance
        if self.nim.endings:  # they may cut positions off; else all below the start can arise
            arisen = arisen[self._reached() != 0]
        ended = int(np.count_nonzero(np.abs(arisen) == 1))
        won = int(np.count_nonzero(arisen > 1))
        return {"win": won, "loss": arisen.size - won - ended, "draw": 0, "end": ended}

    def _reached(self) -> Any:
        import numpy as np

        from parlour.kernels import nim as nim_table

        reached = np.zeros(self.distance.size, np.uint8)
        reached[-1] = 1
        start = np.array(self.numbers.start, np.int64)
        before = np.array(self.numbers.before, np.int64)
        take = self.nim.take or LARGEST_PILE
        nim_table.reach(start, before, take, start.copy(), self.distance, reached)
        return reached

    def parts(self) -> dict[str, Any]:
        return {"distance": self.distance}


class Numbers:
    """How the positions of a Nim are numbered: in the order of the dictionary; see the kernel."""

    def __init__(self, piles: tuple[int, ...]) -> None:
        self.start = multiset(piles)[::-1]
        tails = [1] * (self.start[0] + 1)  # how many ways the later piles have, below each size
        self.before: list[list[int]] = []
        for top in reversed(self.start):
            sums = list(accumulate((tails[size] for size in range(top + 1)), initial=0))
            self.before.insert(0, sums[:-1] + [0] * (self.start[0] - top))
            tails = [sums[min(size, top) + 1] for size in range(self.start[0] + 1)]
        self.positions = tails[-1]

    def of(self, piles: Iterable[int]) -> int | None:
        """The number of a position, or None when it cannot arise."""
        objects = multiset(piles)[::-1]
        if len(objects) > len(self.start):
            return None
        if any(pile > top for pile, top in zip(objects, self.start, strict=False)):
            return None
        return sum(row[pile] for row, pile in zip(self.before, objects, strict=False))


def positions(piles: Iterable[int]) -> int:
    """How many positions takes can lead to, the order of piles aside.

    They are the ascending rows that stay below the ascending piles p1, p2, …; of the first n places
    there are W(n) = Σ (-1)^(n-k) C(p_k + 1, n-k+1) W(k-1), where the k-th term joins a row below
    k - 1 piles to n-k+1 strictly falling sizes up to p_k, and each term corrects the one before it
    for the rows that it let fall at the joint.
    """
    sizes = multiset(piles)
    ways = [1]
    for n in range(1, len(sizes) + 1):
        terms = (
            (-1) ** (n - k) * math.comb(sizes[k - 1] + 1, n - k + 1) * ways[k - 1]
            for k in range(1, n + 1)
        )
        ways.append(sum(terms))
    return ways[-1]


def fits(game: Nim) -> bool:
    """Whether every position goes into a table; `TooLarge` where nothing else would answer."""
    refuse_seats(game)
    size = positions(game.piles)
    most = MOST_POSITIONS if game.endings else MOST_WITHOUT_ENDINGS
    if size <= most and sum(game.piles) <= LONGEST:
        return True
    if not game.endings:
        return False
    raise TooLarge(
        f"this Nim has {roughly(size)} positions, too many to list, and its endings rule out the "
        "closed form; play without endings, or with smaller piles"
    )


def solve_nim(game: Nim, work: Work) -> Solution:
    """By a table where it fits, else by the closed form where the theory holds."""
    return NimTable(game, table(game, work)) if fits(game) else NimClosed(game)


def table(game: Nim, work: Work) -> Any:
    """The distance of every position, won ones above 0 and lost ones below; see the kernel."""
    import numpy as np

    from parlour.kernels import nim as nim_table

    numbers = Numbers(game.piles)
    size = numbers.positions
    endings = sorted({0, *(n for n in map(numbers.of, game.endings) if n is not None)})
    work.cells[TOTAL] = size
    distance = np.zeros(size, np.int16)
    nim_table.solve(
        np.array(numbers.start, np.int64),
        np.array(numbers.before, np.int64),
        np.array(endings, np.int64),
        game.take or LARGEST_PILE,
        game.misere,
        np.zeros(len(numbers.start), np.int64),
        distance,
        np.frombuffer(work.cells, np.int64),
    )
    if work.stopped:
        raise Unsolved(f"stopped after {work.done:,} of {size:,} positions")
    return distance


class SticksTable(NimTable):
    """The Game of Sticks is misère Nim on one limited pile, and its states are Nim's."""

    def __init__(self, game: Sticks, distance: Any) -> None:
        super().__init__(game.nim, distance)
        self.game = game
