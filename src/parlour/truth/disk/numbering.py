"""How the positions of a game are numbered within their tiers, family by family.

A family that can count its positions numbers them by a formula. Tic-tac-toe and Nim solve a block
of them by one compiled pass; a game that brings a `ranking` is followed from number to number. In
such a tier some numbers may stand for no position; they take no room in the files.

All other games are listed from the start on, tier by tier. A position is then known by an id, and
numbered by its place among the sorted ids of its tier. Othello is listed by compiled code, any
other game through its rules.

What it would take to solve a game is said before anything is done. The positions of tic-tac-toe and
Nim are counted, those of other games bounded by what the game itself says. Room and time follow
from what a position took where such games were solved; the measurements are in `docs/results.md`.
"""

from __future__ import annotations

import functools
import hashlib
import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, TypeAlias

import numpy as np

from parlour import core, kernels
from parlour.core import Game, State, Text, TooLarge, Unsolved, say
from parlour.rules import MAX_PILE, Nim, Othello, TicTacToe, multiset
from parlour.truth.disk.blocks import CHUNK, DRAW, ID_BITS, MAX_PLIES, TOP, widen

MAX_BOARD = 25  # squares of a tic-tac-toe whose sets of squares fit in a table
MAX_LISTED_BOARD = 31  # squares of an Othello whose positions fit in 62 bits
MAX_TABLE = 2**27  # numbers by which Nim is ranked: a gigabyte
MAX_MARKED = 8  # blocks of a tier of Nim in which wins are marked from losses
MAX_COUNTED_SQUARES = 20  # of a tic-tac-toe whose positions are counted in less than a second
LISTED_BOUND = 16  # ways in which the four first squares of Othello may be taken
FOLLOWED = 1 << 16  # positions whose successors are listed at once
MAX_SECONDS = 30 * 24 * 3600  # a month: nobody waits for longer
MAX_WRITTEN = 10**12  # positions, and more only by their order
TOO_MANY, SMALLER = say("too many to list"), say("choose a smaller variant")
NOTHING = DRAW - 1  # marks a number without a position, as the kernels know

Values: TypeAlias = tuple[Any, Any]  # the values of some numbers, and what they are


@dataclass(frozen=True)
class Pool:
    """Values of later tiers as the kernels read them: in chunks, of which some are there."""

    values: Any
    places: Any  # of each chunk, in `values`
    bases: dict[int, int]  # the number at which each tier begins


@dataclass(frozen=True)
class Successors:
    """Where one can go from some positions: `first[i]` to `first[i + 1]` are those of the i-th."""

    first: Any
    tiers: Any
    places: Any  # numbers or ids in those tiers
    again: Any  # whether the same seat moves again
    ended: Any  # the values of positions that have ended, else 0
    texts: Sequence[str] | None = None  # of the successors, where only rules know a game


class Family(ABC):
    """How the positions of one game are numbered."""

    name: ClassVar[str]
    cost: ClassVar[tuple[float, float]]  # bytes on disk and seconds of a processor, a position
    game: Any

    @abstractmethod
    def bound(self) -> tuple[int, bool]:
        """Return how many positions there are at most, and whether there are just as many."""

    @abstractmethod
    def find(self, state: State) -> tuple[int, int]:
        """Return the tier of a state and its number or id there."""

    def width(self, tiers: int, has_loops: bool) -> int:
        """Return how many bytes a value takes."""
        longest = core.protocol.max_plies(self.game)
        if longest is None and not has_loops:
            longest = tiers
        return 1 if longest is not None and longest <= MAX_PLIES[1] else 2


class Numbered(Family):
    """A family whose positions are counted beforehand: the tiers in the order of play."""

    sizes: dict[int, int]

    def bound(self) -> tuple[int, bool]:
        return sum(self.sizes.values()), False

    @abstractmethod
    def states(self, tier: int, start: int, stop: int) -> list[State]:
        """Return a state of each number from `start` to below `stop`, whatever it stands for."""


class Solving(Numbered):
    """A family that solves numbers by one compiled pass."""

    def later(self, tier: int) -> list[int]:
        """Return the tiers that a move may lead to."""
        tiers = list(self.sizes)
        return tiers[tiers.index(tier) + 1 :][:1]

    @abstractmethod
    def solve(
        self, tier: int, start: int, stop: int, pool: Pool, work: Any, *, marking: bool = False
    ) -> Values:
        """Return the values of the numbers `start` to `stop`, and how many are won, lost, drawn
        and ended.

        With `marking` only write 0 into the places of all chunks that would be read.
        """


class Listed(Family):
    """A family whose positions are listed from the start on, and solved from their successors."""

    bits = ID_BITS  # of an id

    @abstractmethod
    def follow(self, places: Any, texts: Sequence[str] | None, tier: int) -> Successors:
        """Return where one can go from positions of a tier, by their numbers or ids."""

    @abstractmethod
    def begin(self) -> tuple[int, int, str | None]:
        """Return the tier of the start, its id, and its text where that is kept."""

    @abstractmethod
    def states(self, ids: Any, texts: Sequence[str] | None) -> list[State]:
        """Return a state of each id."""


# Tic-tac-toe


class Boards(Solving):
    """Tic-tac-toe: the first player's squares up to symmetry, then the second's among the rest."""

    name = "boards"
    cost = (0.18, 1.5e-7)

    def __init__(self, game: TicTacToe) -> None:
        self.game = game
        squares = len(game.board.bits)
        if squares > MAX_BOARD:
            raise TooLarge(
                f"tic-tac-toe on {game.columns}x{game.rows} has too many squares to be numbered; "
                f"boards of up to {MAX_BOARD} squares are solved on disk, others are for a bot "
                "that looks ahead"
            )
        self.squares = squares
        self.sizes = {
            marks: self._count_rows((marks + 1) // 2) * self._row_size(marks)
            for marks in range(squares + 1)
        }

    def _row_size(self, marks: int) -> int:
        return math.comb(self.squares - (marks + 1) // 2, marks // 2)

    @functools.lru_cache  # noqa: B019 - a family lives as long as its process
    def _count_rows(self, size: int) -> int:
        """Return how many sets of so many squares there are up to symmetry, by Burnside."""
        fixed = 0
        for cycles in self.cycles:
            ways = [1] + [0] * self.squares  # by size, how many sets are kept by a symmetry
            for cycle in cycles:
                length = cycle.bit_count()
                for total in range(self.squares, length - 1, -1):
                    ways[total] += ways[total - length]
            fixed += ways[size]
        return fixed // len(self.cycles)

    @functools.cached_property
    def cycles(self) -> list[list[int]]:
        """Return for each symmetry the sets of squares that it moves in a circle."""
        found = []
        for way in self.game.board.symmetries:
            left, cycles = self.game.board.full, list[int]()
            while left:
                cycle, bit = 0, left & -left
                while not cycle & bit:
                    cycle |= bit
                    byte = bit.bit_length() - 1 >> 3
                    bit = way[byte][bit >> 8 * byte]
                cycles.append(cycle)
                left &= ~cycle
            found.append(cycles)
        return found

    @functools.cached_property
    def lines(self) -> Any:
        """Return all lines as sets of squares."""
        through = self.game._through.values()
        return np.array(sorted({line for _, lines in through for line in lines}), np.int64)

    def bound(self) -> tuple[int, bool]:
        if self.squares <= MAX_COUNTED_SQUARES:
            return sum(self.count()), True
        return super().bound()

    def count(self) -> list[int]:
        """Return how many positions there are with 0, 1, 2, … marks, up to symmetry."""
        squares = self.squares
        totals = [0] * (squares + 1)
        for cycles in self.cycles:
            going_on, ended = np.zeros((2, squares + 1, squares + 1), np.int64)
            weights = np.array([each.bit_count() for each in cycles], np.int64)
            units = np.array(cycles, np.int64)
            kernels.tiers.count_boards(squares, units, weights, self.lines, going_on, ended)
            for marks in range(squares + 1):
                last, other = marks - marks // 2, marks // 2
                if marks % 2 == 0:  # the second player moved last, if anybody did
                    last, other = other, last
                totals[marks] += int(going_on[last, other] + (ended[last, other] if marks else 0))
        return [total // len(self.cycles) for total in totals]

    @functools.cached_property
    def _tables(self) -> tuple[Any, ...]:
        squares, low = self.squares, int(kernels.tiers.LOW)
        ways = np.array(self.game.board.symmetries, np.int32)
        number = np.zeros(1 << squares, np.int32)
        way_to, kind = np.zeros((2, 1 << squares), np.uint8)
        totals = np.zeros(squares + 1, np.int64)
        kernels.tiers.index_sets(squares, ways, self.lines, number, way_to, kind, totals)
        choose = np.array(
            [[math.comb(n, k) for k in range(squares + 2)] for n in range(squares + 1)], np.int64
        )
        # The rank of a set is the sum of C(place, k) over its k-th members: once for the low
        # squares, together with how many they are, and once for the high ones after so many.
        low_rank = np.zeros(1 << low, np.int32)
        for bit in range(low):
            half = low_rank[: 1 << bit]
            counts = (half >> 16) + 1
            ranks = np.array([math.comb(bit, k) for k in range(low + 2)], np.int32)
            low_rank[1 << bit : 2 << bit] = (counts << 16) | ((half & 0xFFFF) + ranks[counts])
        high = max(0, squares - low)
        high_rank = np.zeros((low + 1, 1 << high), np.int32)
        sizes = np.zeros(1 << high, np.int64)
        for bit in range(high):
            sizes[1 << bit : 2 << bit] = sizes[: 1 << bit] + 1
            for taken in range(low + 1):
                counts = sizes[1 << bit : 2 << bit] + taken
                ranks = np.array([math.comb(low + bit, k) for k in range(low + high + 2)])
                high_rank[taken, 1 << bit : 2 << bit] = high_rank[taken, : 1 << bit] + ranks[counts]
        return ways, number, way_to, kind, low_rank, high_rank, choose

    @functools.lru_cache(maxsize=3)  # noqa: B019
    def _rows(self, size: int) -> Any:
        _, number, way_to, *_ = self._tables
        found = np.zeros(self._count_rows(size), np.int32)
        kernels.tiers.list_sets(self.squares, size, number, way_to, found)
        return found

    def solve(
        self, tier: int, start: int, stop: int, pool: Pool, work: Any, *, marking: bool = False
    ) -> Values:
        ways, number, way_to, kind, low_rank, high_rank, choose = self._tables
        firsts, seconds = (tier + 1) // 2, tier // 2
        values = np.zeros(0 if marking else stop - start, np.uint8)
        counts = np.zeros(4, np.int64)
        kernels.tiers.solve_boards(
            *(self.squares, firsts, seconds, start, stop, self.game.misere),
            *(ways, number, way_to, kind, self._rows(firsts), low_rank, high_rank, choose),
            *(self._row_size(tier), self._row_size(tier + 1) if tier < self.squares else 1),
            *(pool.values, pool.places, marking, values, counts, work),
        )
        return values, counts

    def find(self, state: State) -> tuple[int, int]:
        ways, number, way_to, _, low_rank, high_rank, _ = self._tables
        own, other, turn, _ = state
        first, second = (own, other) if turn == 0 else (other, own)
        marks = (own | other).bit_count()
        place = kernels.tiers.rank_board(
            first, second, ways, number, way_to, low_rank, high_rank, self.squares,
            self._row_size(marks),
        )  # fmt: skip
        return marks, place

    def states(self, tier: int, start: int, stop: int) -> list[State]:
        firsts, seconds = np.zeros((2, stop - start), np.int32)
        kernels.tiers.list_boards(
            *(self.squares, tier // 2, start, stop, self._rows((tier + 1) // 2)),
            *(self._tables[-1], self._row_size(tier), firsts, seconds),
        )
        kind = self._tables[3]
        found = []
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
            own, other = (second, first) if tier % 2 else (first, second)
            found.append((own, other, tier % 2, int(kind[other] != 0)))
        return found


# Nim


class Piles(Solving):
    """Nim: the piles in descending order, in a tier for each number of coins."""

    name = "piles"
    cost = (0.6, 5e-7)

    def __init__(self, game: Nim) -> None:
        core.refuse_seats(game)
        self.game = game
        tops = multiset(game.piles)[::-1]
        total, top = sum(tops), tops[0]
        if len(tops) * (top + 2) * (total + 1) > MAX_TABLE:
            raise TooLarge(
                f"a Nim with {core.sentences.write_large(total)} coins in {len(tops)} piles is too "
                "large to be numbered; play with smaller piles, or without extra endings"
            )
        self.tops = np.array(tops, np.int64)
        # ways[s, r]: how the piles from the i-th on may hold r coins, none of them more than s
        self.fewer = np.zeros((len(tops), top + 2, total + 1), np.int64)
        ways = np.zeros((top + 1, total + 1), np.int64)
        ways[:, 0] = 1
        for i in range(len(tops) - 1, -1, -1):
            exactly = np.zeros((top + 1, total + 1), np.int64)
            for size in range(tops[i] + 1):
                exactly[size, size:] = ways[size, : total + 1 - size]
            self.fewer[i, 1:] = np.cumsum(exactly, axis=0)
            ways = np.cumsum(exactly, axis=0)
        self.total = total
        self._losses: dict[int, Values] = {}  # piles of lost positions of later tiers, and values
        self.sizes = {-coins: int(ways[top, coins]) for coins in range(total, -1, -1)}
        self.endings = {
            coins: [each for each in map(self.arrange, game.endings) if each and sum(each) == coins]
            for coins in {sum(each) for each in game.endings}
        }

    def bound(self) -> tuple[int, bool]:
        return sum(self.sizes.values()), True

    def arrange(self, piles: Sequence[int]) -> tuple[int, ...] | None:
        """Return piles in descending order, with zeros for the empty ones; None if too large."""
        found = multiset(piles)[::-1]
        fits = len(found) <= self.tops.size and all(
            pile <= top for pile, top in zip(found, self.tops.tolist(), strict=False)
        )
        return (*found, *[0] * (self.tops.size - len(found))) if fits else None

    def later(self, tier: int) -> list[int]:
        most = min(self.game.take or MAX_PILE, int(self.tops[0]), -tier)
        return list(range(tier + 1, tier + most + 1))

    def _number(self, piles: Sequence[int]) -> int:
        rest = sum(piles)
        number = 0
        for row, pile in zip(self.fewer, piles, strict=True):
            number += int(row[pile, rest])
            rest -= pile
        return number

    def solve(
        self, tier: int, start: int, stop: int, pool: Pool, work: Any, *, marking: bool = False
    ) -> Values:
        coins = -tier
        endings = sorted(map(self._number, self.endings.get(coins, ())))
        bases = np.zeros(self.total + 1, np.int64)
        for later, base in pool.bases.items():
            bases[-later] = base
        values, counts = np.zeros(stop - start, np.uint16), np.zeros(4, np.int64)
        held = widen(pool.values)
        # All of a tier is there, or only some chunks. If it is, few losses tell of all wins, unless
        # the tier has so many blocks that going through the losses for each takes longer.
        whole = not marking and int(pool.places[-1]) == (pool.places.size - 1) * CHUNK
        marked = whole and self.sizes[tier] <= MAX_MARKED * (stop - start)
        marked = marked and self._list_losses(pool.bases, held)
        for later in pool.bases if marked else ():
            kernels.tiers.mark_wins(
                *(coins, coins + later, start, stop, self.fewer, self.tops),
                *(*self._losses[later], values, work),
            )
        kernels.tiers.solve_piles(
            *(coins, start, stop, self.fewer, self.tops, self.game.take or MAX_PILE),
            *(self.game.misere, np.array(endings, np.int64), bases),
            *(held, pool.places, marking, marked, values, counts, work),
        )
        return values, counts

    def _list_losses(self, bases: dict[int, int], held: Any) -> bool:
        """List the lost positions of later tiers; return False where that would take more room than
        all their values.
        """
        self._losses = {tier: found for tier, found in self._losses.items() if tier in bases}
        for tier, base in bases.items():
            if tier in self._losses:
                continue
            values = held[base : base + self.sizes[tier]]
            size = int(np.count_nonzero((values > 0) & (values < DRAW)))
            piles, lost = np.empty((size, self.tops.size), np.uint16), np.empty(size, np.uint16)
            if piles.size > max(values.size, CHUNK):
                return False
            kernels.tiers.list_losses(-tier, self.fewer, self.tops, values, piles, lost)
            self._losses[tier] = piles, lost
        return True

    def find(self, state: State) -> tuple[int, int]:
        piles = self.arrange(state[2:])
        if piles is None:
            raise Unsolved(
                f"{','.join(map(str, state[2:]))} cannot arise from "
                f"{','.join(map(str, self.game.piles))}; solve a Nim that starts there"
            )
        return -sum(piles), self._number(piles)

    def states(self, tier: int, start: int, stop: int) -> list[State]:
        found = np.zeros((stop - start, self.tops.size), np.int64)
        kernels.tiers.list_piles(-tier, start, stop, self.fewer, self.tops, found)
        empty = (0,) * (len(self.game.piles) - self.tops.size)
        return [self.game.read(",".join(map(str, (*row, *empty)))) for row in found.tolist()]

    def unreachable(self) -> list[tuple[int, ...]]:
        """Return the positions that endings cut off from the start, in descending order."""
        start = tuple(self.tops.tolist())
        cut = {each for found in self.endings.values() for each in found} - {start}
        if start in {each for found in self.endings.values() for each in found}:
            cut.add(start)
        ended, lost = set(cut), set[tuple[int, ...]]()
        ahead = [each for position in ended for each in self._moved(position, -1)]
        while ahead:
            position = ahead.pop()
            if position in lost or position == start:
                continue
            if all(each in ended or each in lost for each in self._moved(position, 1)):
                lost.add(position)
                ahead += self._moved(position, -1)
        return sorted(lost)

    def _moved(self, piles: tuple[int, ...], sign: int) -> set[tuple[int, ...]]:
        """Return the positions one move below, or above where the sign is 1."""
        most = self.game.take or MAX_PILE
        found = set()
        for place, pile in enumerate(piles):
            top = int(self.tops[0])
            sizes = range(max(0, pile - most), pile)
            if sign > 0:
                sizes = range(pile + 1, min(top, pile + most) + 1)
            for size in sizes:
                moved = self.arrange((*piles[:place], size, *piles[place + 1 :]))
                if moved is not None:
                    found.add(moved)
        return found


# A game with a ranking of its own


class Ranked(Numbered):
    """A game that brings compiled rules and a ranking."""

    name = "ranked"
    cost = (0.5, 1e-6)

    def __init__(self, game: Any) -> None:
        self.game = game
        self.successors, options, self.max_moves = game.compiled()
        self.options = np.array(list(options), np.int64)
        sizes, self.rank, self.unrank = game.ranking()
        self.sizes = dict(enumerate(map(int, sizes)))
        self.starts = [0, *accumulate(self.sizes.values())]

    def find(self, state: State) -> tuple[int, int]:
        number = int(self.rank(self.game.code(state), self.options))
        tier = bisect_right(self.starts, number) - 1
        if number < 0 or tier >= len(self.sizes):
            raise Unsolved(f"{self.game.write(state)!r} has no number, by its ranking")
        return tier, number - self.starts[tier]

    def follow(self, places: Any, texts: Sequence[str] | None, tier: int) -> Successors:
        """Return where one can go from positions of a tier, by their numbers."""
        begin = self.starts[tier]
        start, stop = begin + int(places[0]), begin + int(places[-1]) + 1
        size = stop - start
        first, ended = np.zeros(size + 1, np.int64), np.zeros(size, np.uint16)
        numbers = np.zeros(size * self.max_moves, np.int64)
        count = kernels.tiers.number_successors(
            *(self.successors, self.rank, self.unrank, self.options, start, stop),
            *(first, numbers, ended, self.max_moves),
        )
        numbers = numbers[:count]
        if count and (numbers.min() < begin or numbers.max() >= self.starts[-1]):
            raise Unsolved(
                f"the ranking of {self.game.name} leads from tier {tier} to a number that is not "
                "of this tier or a later one; let tiers rise along every move"
            )
        tiers = np.searchsorted(np.array(self.starts), numbers, "right") - 1
        places = numbers - np.array(self.starts)[tiers]
        return Successors(first, tiers, places, np.zeros(count, np.uint8), ended)

    def states(self, tier: int, start: int, stop: int) -> list[State]:
        raise Unsolved(f"{self.game.name} does not say which position has which number")


# Othello


class Discs(Listed):
    """Othello: both boards side by side as one number; a tier is a number of discs.

    Positions in which the mover has to pass are a tier of their own before the others with as many
    discs, so that no move stays in its tier.
    """

    name = "discs"
    cost = (3.8, 5e-6)

    def __init__(self, game: Othello) -> None:
        self.game = game
        self.squares = len(game.board.bits)
        if self.squares > MAX_LISTED_BOARD:
            raise TooLarge(
                f"Othello on {game.columns}x{game.rows} has too many positions to list; boards of "
                f"up to {MAX_LISTED_BOARD} squares can be tried on disk, others are for a bot that "
                "looks ahead"
            )
        self.bits = 2 * self.squares
        self.ways = np.array(game.board.symmetries, np.int32)

    def bound(self) -> tuple[int, bool]:
        # The first four squares are always taken, and all others empty or taken.
        return LISTED_BOUND * 3 ** (self.squares - 4) // len(self.game.board.symmetries), False

    def find(self, state: State) -> tuple[int, int]:
        own, other, _ = state
        place = kernels.tiers.id_of_board(own, other, self.squares, self.ways)
        return self.game.tier(state), place

    def begin(self) -> tuple[int, int, str | None]:
        return (*self.find(self.game.start()), None)

    def follow(self, places: Any, texts: Sequence[str] | None, tier: int) -> Successors:
        ids = np.ascontiguousarray(places).astype(np.int64)
        parts = []
        for start in range(0, ids.size, FOLLOWED):
            part = ids[start : start + FOLLOWED]
            first, ended = np.zeros(part.size + 1, np.int64), np.zeros(part.size, np.uint16)
            after = np.empty(part.size * self.squares, np.int64)
            tiers = np.empty(after.size, np.int32)
            count = kernels.tiers.follow_boards(
                *(part, self.squares, self.game.board.full, *self.game.geometry),
                *(self.game.misere, self.ways, first, after, tiers, ended),
            )
            parts.append((first, after[:count].copy(), tiers[:count].copy(), ended))
        firsts, afters, all_tiers, ends = zip(*parts, strict=True)
        offsets = [0, *accumulate(each.size for each in afters)]
        first = np.concatenate(
            [[0], *(each[1:] + offset for each, offset in zip(firsts, offsets, strict=False))]
        )
        places = np.concatenate(afters)
        again = np.zeros(places.size, np.uint8)
        return Successors(first, np.concatenate(all_tiers), places, again, np.concatenate(ends))

    def states(self, ids: Any, texts: Sequence[str] | None) -> list[State]:
        owns, others = np.zeros((2, ids.size), np.int32)
        kernels.tiers.boards_of_ids(ids.astype(np.int64), self.squares, owns, others)
        return [(own, other, 0) for own, other in zip(owns.tolist(), others.tolist(), strict=True)]


# Any game, through its rules


class Rules(Listed):
    """A game that says only to which tier a state belongs."""

    name = "rules"
    cost = (12.0, 1e-4)

    def __init__(self, game: Any) -> None:
        core.refuse_seats(game)
        self.game = game

    def bound(self) -> tuple[int, bool]:
        return self.game.size() if hasattr(self.game, "size") else 0, False

    def find(self, state: State) -> tuple[int, int]:
        return int(self.game.tier(state)), _hash_key(core.key(self.game, state))

    def begin(self) -> tuple[int, int, str | None]:
        start = self.game.start()
        return (*self.find(start), self.game.write(start))

    def follow(self, places: Any, texts: Sequence[str] | None, tier: int) -> Successors:
        game = self.game
        first, ended, tiers = [0], list[int](), list[int]()
        ids, again, written = list[int](), list[int](), list[str]()
        for text in texts or ():
            state = game.read(text)
            seat = game.turn(state)
            moves = game.moves(state)
            for move in moves:
                after = game.play(state, move)
                there, place = self.find(after)
                if there < tier:
                    raise Unsolved(
                        f"{game.name} goes from tier {tier} back to {there} with "
                        f"{game.write_move(move)!r} in {text!r}; let tier() never fall as play "
                        "goes on"
                    )
                tiers.append(there)
                ids.append(place)
                again.append(int(game.turn(after) == seat))
                written.append(game.write(after))
            first.append(len(ids))
            ended.append(0 if moves else _code_result(game, game.result(state), seat))
        return Successors(
            np.array(first, np.int64),
            np.array(tiers, np.int64),
            np.array(ids, np.uint64),
            np.array(again, np.uint8),
            np.array(ended, np.uint16),
            written,
        )

    def states(self, ids: Any, texts: Sequence[str] | None) -> list[State]:
        return [self.game.read(text) for text in texts or ()]


def _hash_key(value: Any) -> int:
    """Return a number for a key that is the same in every process."""
    text = repr(value)
    if "set(" in text:  # their order may differ
        text = repr(_order_sets(value))
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def _order_sets(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(map(repr, map(_order_sets, value)))
    return tuple(map(_order_sets, value)) if isinstance(value, tuple) else value


def _code_result(game: Game, result: Any, seat: int) -> int:
    if result not in ((1, -1), (-1, 1), (0, 0)):
        raise Unsolved(
            f"{game.name} ends with {result}; only games that one wins and the other loses, or "
            "that are drawn, have a value"
        )
    return (1, DRAW, TOP)[1 + int(result[seat])]


def find_family(game: Any) -> Family:
    """Return how the positions of a game are numbered; `Unsolved` if it has no tiers."""
    if own := core.extra(game, "numbering"):
        made: Family = own(game)
        return made
    if hasattr(game, "ranking"):
        return Ranked(game)
    if hasattr(game, "tier"):
        return Rules(game)
    raise Unsolved(
        f"{game.name} does not say into which tiers its positions fall, so it cannot be solved on "
        "disk; a game does by a method tier(state), a number that never falls as play goes on"
    )


def chunks_of(size: int) -> int:
    """Return the number of chunks that this many numbers take."""
    return -(-size // CHUNK)


# What it takes to solve a game on disk


@dataclass(frozen=True)
class DiskEstimate:
    """How many positions a game has, and what it takes to solve it on disk."""

    positions: int
    counted: bool  # else there may be far fewer
    bytes: float = 0.0
    seconds: float = math.inf  # where it cannot be solved on disk

    @property
    def number(self) -> str:
        """`168,720,724`, or `up to about 10^19`"""
        large = core.sentences.write_large(self.positions)
        many = f"{self.positions:,}" if self.positions < MAX_WRITTEN else large
        return many if self.counted else say("up to {number}", number=many)

    def describe(self) -> str:
        """`solve it on disk with --disk FOLDER, which takes about 70 MB and 1 min`"""
        if self.seconds > MAX_SECONDS:
            return ""
        needs = {"room": write_bytes(self.bytes), "time": _write_seconds(self.seconds)}
        if self.counted:
            return say(
                "solve it on disk with --disk FOLDER, which takes about {room} and {time}", **needs
            )
        return say(
            "solve it on disk with --disk FOLDER, which takes at most about {room} and {time}",
            **needs,
        )


@functools.lru_cache(maxsize=64)
def estimate(game: Any) -> DiskEstimate:
    """Say how many positions a game has, and what it takes to solve it on disk."""
    bound = game.size() if hasattr(game, "size") else 0
    try:
        family = find_family(game)
    except core.ParlourError:
        return DiskEstimate(bound, False)
    (positions, counted), (room, took) = family.bound(), family.cost
    return DiskEstimate(positions, counted, positions * room, positions * took)


def write_bytes(size: float) -> str:
    """`70 MB`, `1.2 GB`"""
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            number = size / unit
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{size:.0f} bytes"


def _write_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 172800 else f"{seconds / 86400:.0f} days"


def describe_excess(
    game: Any, *, number: str = "", why: str = TOO_MANY, change: str = SMALLER
) -> Text:
    """Say that a game does not fit in memory, and what can be done instead."""
    found = estimate(game)
    name = core.protocol.full_title(game)
    values = {"name": name, "number": number or found.number, "why": why, "change": change}
    if way := found.describe():
        return say(
            "{name} has {number} situations, {why}; {change}, {way}, or ask a bot that looks ahead",
            way=way,
            **values,
        )
    return say(
        "{name} has {number} situations, {why}; {change}, or ask a bot that looks ahead", **values
    )
