"""Impartial games: Nim by its nim-sum or a table, sticks, and Grundy values with their sums.

The table of a Nim knows extra endings and distances. Beyond its size the closed form still answers
at once, but without distances.

A game is impartial when both sides always have the same moves, and the player who cannot move
loses; it says so by `impartial = True`, since that cannot be seen from outside. Each such game is
worth a single Nim pile, and games side by side add up by the exclusive or of their values (Sprague
and Grundy). Misère play has no such theory: only sums that are themselves Nim are answered.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import accumulate
from operator import xor
from typing import Any

from parlour import core, kernels
from parlour.core import Game, Move, Solution, State, TooLarge, Unsolved, Value, Work, key, say
from parlour.rules import MAX_PILE, NimState, TakeAwayGame, multiset
from parlour.truth.graph import Method, Parts

MAX_POSITIONS = 200_000_000  # 2 bytes each
MAX_SOON = 2_000_000  # positions with extra endings: a third of a second
MAX_WITHOUT_ENDINGS = 2_000_000  # above, a table takes longer than a reply should
MAX_PLIES = 32_000  # that fit in the table
MAX_MOVES = 500_000  # followed to find a Grundy value


def reduce_piles(piles: Iterable[int], take: int | None = None) -> list[int]:
    """Return the Grundy value of each pile: its size, modulo take + 1 where a move is limited."""
    return [pile if take is None else pile % (take + 1) for pile in piles]


def nim_sum(piles: Iterable[int], take: int | None = None) -> int:
    """Return the exclusive or of the piles, each modulo take + 1 where a move is limited.

    Sum 0 is lost in normal play. From sum 0 every move changes exactly one pile, and so the sum;
    and from sum s > 0 some pile p has the top bit of s, so p xor s < p, and taking p - (p xor s)
    makes the sum 0. At the end nothing is left, and that is sum 0. With a limit, whatever the
    opponent takes from a full take + 1 can be answered by taking the rest of it.
    """
    return reduce(xor, reduce_piles(piles, take), 0)


def is_lost(piles: tuple[int, ...], *, misere: bool, take: int | None = None) -> bool:
    """Return whether the mover loses, with no ending but the empty one.

    Misère is the same as long as some pile counts for more than 1: the winner keeps the sum at 0
    until a single such pile is left, and then chooses how many ones remain. When every pile counts
    for 0 or 1 only their number matters, and it is reversed: an odd number of ones is lost.
    """
    counts = reduce_piles(piles, take)
    if misere and max(counts, default=0) <= 1:
        return sum(counts) % 2 == 1
    return nim_sum(piles, take) == 0


class NimClosed(Solution):
    """The closed form: who wins, at any size, but not in how many plies."""

    method = say("closed form")
    game: TakeAwayGame

    def value(self, state: NimState) -> Value:
        result = self.game.result(state)
        if result is not None:
            return Value("win" if result[state[0]] > 0 else "loss", 0)
        lost = is_lost(state[2:], misere=self.game.misere, take=self.game.take)
        return Value("loss" if lost else "win")

    def best(self, state: NimState) -> tuple[Move, ...]:
        """Return all winning moves; in a lost position, 1 from the first largest pile."""
        piles = state[2:]
        if not self.game.moves(state):
            return ()
        if self.value(state).outcome == "loss":
            return ((piles.index(max(piles)), 1),)
        moves = [
            (place, pile - size)
            for place, pile in enumerate(piles)
            for size in self._winning_sizes(piles, place)
        ]
        return tuple(sorted(moves))

    def _winning_sizes(self, piles: tuple[int, ...], place: int) -> set[int]:
        """Return the sizes to which one pile can be reduced so that the opponent is lost.

        What counts of the pile must then equal the sum of the others or, when none of them counts
        for more than 1 in misère, be 0 or 1; within a limit one size at most has that remainder.
        """
        pile, take, misere = piles[place], self.game.take, self.game.misere
        others = piles[:place] + piles[place + 1 :]
        wanted = {nim_sum(others, take), 0, 1}
        sizes = wanted if take is None else {pile - (pile - left) % (take + 1) for left in wanted}
        return {
            size
            for size in sizes
            if 0 <= size < pile and is_lost((*others, size), misere=misere, take=take)
        }

    def counts(self) -> dict[str, int]:
        raise Unsolved(
            "{nim} has some {size:,} positions, too many to count one by one; the closed "
            "form answers for each of them",
            nim=repr(self.game),
            size=self.game.size(),
        )


class NimTable(Solution):
    """A table of every position with its distance."""

    method = "table"
    game: TakeAwayGame

    def __init__(self, game: TakeAwayGame, distance: Any) -> None:
        super().__init__(game)
        self.distance = distance
        self.numbers = Numbers(game.piles)

    def value(self, state: NimState) -> Value:
        number = self.numbers.of(state[2:])
        if number is None:
            if not self.game.endings:
                return NimClosed(self.game).value(state)
            raise Unsolved(
                "{list} cannot arise from {list2}; solve a Nim that starts there",
                list=",".join(map(str, state[2:])),
                list2=",".join(map(str, self.game.piles)),
            )
        plies = int(self.distance[number])
        return Value("win", plies - 1) if plies > 0 else Value("loss", -plies - 1)

    def counts(self) -> dict[str, int]:
        import numpy as np

        reachable = self.distance
        if self.game.endings:  # they may cut positions off; else all below the start can arise
            reachable = reachable[self.reachable() != 0]
        ended = int(np.count_nonzero(np.abs(reachable) == 1))
        won = int(np.count_nonzero(reachable > 1))
        return {"win": won, "loss": reachable.size - won - ended, "draw": 0, "end": ended}

    def reachable(self) -> Any:
        """Return an array that is not 0 where a position can arise from the start."""
        import numpy as np

        reached = np.zeros(self.distance.size, np.uint8)
        reached[-1] = 1
        start, before = self.numbers.arrays()
        take = self.game.take or MAX_PILE
        kernels.nim.mark_reachable(start, before, take, start.copy(), self.distance, reached)
        return reached

    def parts(self) -> Parts:
        return {"distance": self.distance}


class Numbers:
    """Numbers the positions of a Nim in lexicographic order, as the kernel does."""

    def __init__(self, piles: tuple[int, ...]) -> None:
        self.start = multiset(piles)[::-1]
        tails = [1] * (self.start[0] + 1)  # the number of ways to fill the later piles, by size
        self.before: list[list[int]] = []
        for top in reversed(self.start):
            sums = list(accumulate((tails[size] for size in range(top + 1)), initial=0))
            self.before.insert(0, sums[:-1] + [0] * (self.start[0] - top))
            tails = [sums[min(size, top) + 1] for size in range(self.start[0] + 1)]
        self.positions = tails[-1]

    def arrays(self) -> tuple[Any, Any]:
        """Return the piles, and the numbers before each size of each pile, for the kernels."""
        import numpy as np

        return np.array(self.start, np.int64), np.array(self.before, np.int64)

    def of(self, piles: Iterable[int]) -> int | None:
        """Return the number of a position, or None when it cannot arise."""
        objects = multiset(piles)[::-1]
        if len(objects) > len(self.start):
            return None
        if any(pile > top for pile, top in zip(objects, self.start, strict=False)):
            return None
        return sum(row[pile] for row, pile in zip(self.before, objects, strict=False))

    def piles(self, number: int) -> tuple[int, ...]:
        """Return the piles of the position with this number, the largest first."""
        found: list[int] = []
        for row, top in zip(self.before, self.start, strict=True):
            most = min([top, *found[-1:]])
            size = bisect_right(row, number, 0, most + 1) - 1
            number -= row[size]
            found.append(size)
        return tuple(found)


def count_positions(piles: Iterable[int]) -> int:
    """Return how many positions can arise from these piles, the order of piles aside.

    They are the ascending rows that stay below the ascending piles p1, p2, …. For the first n
    places there are W(n) = Σ (-1)^(n-k) C(p_k + 1, n-k+1) W(k-1) of them: the k-th term joins a row
    below k - 1 piles to n-k+1 strictly falling sizes up to p_k, and corrects the term before it for
    the rows that fall at the joint.
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


def fits_table(game: TakeAwayGame) -> bool:
    """Return whether every position fits in a table; `TooLarge` where nothing else would answer."""
    core.refuse_seats(game)
    size = count_positions(game.piles)
    most = MAX_POSITIONS if game.endings else MAX_WITHOUT_ENDINGS
    if size <= most and sum(game.piles) <= MAX_PLIES:
        return True
    if not game.endings:
        return False
    from parlour.truth.disk import describe_excess

    number = core.sentences.write_large(size)
    change = say("play without endings or with smaller piles")
    raise TooLarge(describe_excess(game, number=number, change=change))


def solve_nim(game: TakeAwayGame, work: Work) -> Solution:
    """Solve Nim by a table where one fits, else by the closed form where the theory holds."""
    if not fits_table(game):
        return NimClosed(game)
    return NimTable(game, build_table(game, work))


def build_table(game: TakeAwayGame, work: Work) -> Any:
    """Return the distance of every position, positive if won and negative if lost."""
    import numpy as np

    numbers = Numbers(game.piles)
    size = numbers.positions
    endings = sorted({0, *(n for n in map(numbers.of, game.endings) if n is not None)})
    work.total = size
    distance = np.zeros(size, np.int16)
    kernels.nim.solve(
        *numbers.arrays(),
        np.array(endings, np.int64),
        game.take or MAX_PILE,
        game.misere,
        np.zeros(len(numbers.start), np.int64),
        distance,
        np.frombuffer(work.cells, np.int64),
    )
    work.raise_if_stopped()
    return distance


class NimMethod(Method):
    """Nim: a table or the closed form, from any position by itself."""

    whole = False

    def list_kernels(self) -> list[Any]:
        return [kernels.nim.solve]

    def check(self, game: TakeAwayGame) -> None:
        fits_table(game)

    def is_quick(self, game: TakeAwayGame) -> bool:
        return not game.endings or count_positions(game.piles) <= MAX_SOON

    def solve(self, game: TakeAwayGame, work: Work) -> Solution:
        return solve_nim(game, work)

    def solve_outcomes(self, game: TakeAwayGame) -> Solution:
        return self.solve(game, Work()) if game.endings else NimClosed(game)

    def restore(self, game: TakeAwayGame, parts: Parts) -> Solution:
        return NimTable(game, parts["distance"]) if parts else NimClosed(game)

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        if isinstance(solution, NimTable) and solution.numbers.of(state[2:]) is None:
            solution = None
        if solution:
            return solution
        here = replace(game, piles=tuple(state[2:])) if any(state[2:]) else game
        self.check(here)
        return solve_nim(here, work)


class SticksMethod(NimMethod):
    """The Game of Sticks, misère Nim on one limited pile: every one is small."""

    whole = True

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        if state[2] > game.sticks:
            return self.solve(replace(game, sticks=state[2]), work)
        return solution


# Grundy values and sums


def grundy(game: Any, state: State | None = None) -> int:
    """Return the size of the Nim pile that a position is worth; 0 is lost for the mover.

    The position may be given as text; without one it is the start. Raise `Unsolved` for games that
    are not impartial or not won by the last mover.
    """
    game = core.registry.game(game)
    core.refuse_seats(game)
    if not getattr(game, "impartial", False):
        raise Unsolved(
            f"{game.name} does not say that it is impartial; a game in which both sides always "
            "have the same moves, and the last mover wins, says so by impartial = True"
        )
    state = core.protocol.to_state(game, state)
    if not isinstance(game, TakeAwayGame):
        return _grundy(game, state)
    if game.misere:
        raise Unsolved("misère games have no Grundy values; ask solve() who wins")
    return _grundy(game, state) if game.endings else nim_sum(state[2:], game.take)


def is_sum_lost(games: Sequence[tuple[Game, State]]) -> bool:
    """Return whether the mover loses when each move is made in one of these games, side by side.

    Normal play goes by Grundy values. Misère play is answered only where all games are misère Nims
    without extra endings: then the sum is itself a Nim, and the misère rule holds.
    """
    allowed = "it must be a list of pairs of a game and a state"
    for pair in core.check_type("games", games, Iterable, allowed):
        core.check_type("games", pair, (tuple, list), allowed)
    games = [
        (game := core.registry.game(each), core.protocol.to_state(game, state))
        for each, state in games
    ]
    if any(getattr(game, "misere", False) for game, _ in games):
        return _is_misere_lost(games)
    return nim_sum(grundy(game, state) for game, state in games) == 0


def _is_misere_lost(games: Sequence[tuple[Game, State]]) -> bool:
    piles: tuple[int, ...] = ()
    for game, state in games:
        if not isinstance(game, TakeAwayGame) or game.seats != 2 or game.endings or not game.misere:
            raise Unsolved(
                say(
                    "in misère play only Nims without extra endings can be added up, all of them "
                    "misère; there is no theory for other sums"
                )
            )
        # A pile with a limit plays like its remainder, in misère too, so limits may differ.
        piles += tuple(reduce_piles(state[2:], game.take))
    return is_lost(piles, misere=True)


def _grundy(game: Any, state: State) -> int:
    """Return the least number that no move leads to, worked out from the ends up."""
    values: dict[Hashable, int] = {}
    following: dict[Hashable, list[Hashable]] = {}
    stack, listed = [state], 0
    while stack:
        here = stack[-1]
        name = key(game, here)
        if name in values:
            stack.pop()
            continue
        if name in following:
            options = {values[other] for other in following[name]}
            values[name] = next(n for n in range(len(options) + 1) if n not in options)
            stack.pop()
            continue
        listed += len(game.moves(here))
        if listed > MAX_MOVES:
            raise TooLarge(
                "{name} has more than {max_moves:,} moves, too many to value",
                name=game.name,
                max_moves=MAX_MOVES,
            )
        result = game.result(here)
        if result is not None and result[game.turn(here)] >= 0:
            raise Unsolved(
                "{name} is not always won by the last mover here; only such games have Grundy "
                "values",
                name=game.name,
            )
        after = [game.play(here, move) for move in game.moves(here)]
        if any(game.turn(other) == game.turn(here) for other in after):
            raise Unsolved(
                "in {name} a seat may move twice; it has no Grundy values", name=game.name
            )
        following[name] = [key(game, other) for other in after]
        if any(other in following and other not in values for other in following[name]):
            raise Unsolved(
                "{name} can return to a position; it has no Grundy values", name=game.name
            )
        stack += after
    return values[key(game, state)]
