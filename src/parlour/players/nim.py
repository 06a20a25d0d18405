"""The historic bots of Nim: four from a class project, and the move of the program Benedict.

All count a pile mod `take` + 1 where a take is limited, which is all that matters to the nim-sum.
They think as if two played, and the Game of Sticks, being Nim on one pile, they play as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from parlour.core import Game, ParlourError, Work
from parlour.rules import Nim, NimMove, NimState, Sticks, multiset
from parlour.truth import NimTable, build_table, count_positions, nim_sum, reduce_piles

Piles: TypeAlias = Sequence[int]

SLOW = 5_000_000  # so many positions to look at before the first move take brute-force a second
MOST = 20_000_000  # the most it takes on, for it keeps them all


@dataclass
class Standard:
    """The closed form: to nim-sum 0, in misère play to an odd number of ones at the end."""

    name: ClassVar[str] = "standard"

    def plays(self, game: Game) -> str:
        nim = as_nim(game)
        if nim is None:
            return ""
        if nim.seats != 2:
            return "as if two played"
        return "well, but blind to the extra endings" if nim.endings else "perfectly"

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _position(game, state)
        counted = reduce_piles(piles, nim.take)
        if nim.misere and sum(pile > 1 for pile in counted) <= 1:
            move = _to_odd_ones(nim, piles)
        else:
            move = next(_to_zero(counted), None)
        return _possible(piles, move or (counted.index(max(counted)), 1))


@dataclass
class OneAtATime:
    """The class's test bot: picks a pile by a mistaken sum, and takes as little as it can."""

    name: ClassVar[str] = "one-at-a-time"

    def plays(self, game: Game) -> str:
        return "" if as_nim(game) is None else "badly, but never into an ending it can avoid"

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _position(game, state)
        counted = reduce_piles(piles, nim.take)
        total = nim_sum(counted)
        mistaken = (place for place, pile in enumerate(counted) if pile < total ^ pile)
        first = next(mistaken, counted.index(max(counted)))
        for place in (*range(first, len(piles)), *range(first)):
            for amount in range(1, _most(nim, piles[place]) + 1):
                if not _ends(nim.endings, _after(piles, (place, amount))):
                    return (place, amount)
        return _possible(piles, None)


@dataclass
class ShortPrediction:
    """To nim-sum 0 as in misère play, but looks two moves ahead for endings and the traps there."""

    name: ClassVar[str] = "short-prediction"

    def plays(self, game: Game) -> str:
        nim = as_nim(game)
        if nim is None:
            return ""
        if nim.seats != 2:
            return "as if two played misère"
        if not nim.misere:
            return "as if it were misère, which can lose the end"
        if nim.take is not None:
            return "fairly, missing some wins when no pile counts more than 1"
        return "well, seeing endings two moves ahead" if nim.endings else "perfectly"

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _position(game, state)
        return _Prediction(nim, piles).move()


class _Prediction:
    """How short-prediction thinks about one position.

    Piles are tried by ascending size, amounts from the whole pile down to 1; but of the amounts
    only a few can matter. Once a pile has a size that stands in no ending, no ending comes about
    while it stays, so that all such sizes are alike but for the nim-sums they make.
    """

    def __init__(self, nim: Nim, piles: Piles) -> None:
        self.nim = nim
        self.piles = piles
        self.order = sorted((p for p in range(len(piles)) if piles[p]), key=piles.__getitem__)
        have = Counter(multiset(piles))
        # Three takes ahead are looked at, so an ending that differs in four piles is out of sight.
        self.endings = [e for e in nim.endings if (have - Counter(e)).total() <= 3]
        self.sizes = {0}.union(*self.endings)

    def move(self) -> NimMove:
        move = _single_pile_move(reduce_piles(self.piles, self.nim.take))
        if move and not self.ends(_after(self.piles, move)):
            return move
        for move in sorted(self.to_zero(self.piles), key=lambda move: self.order.index(move[0])):
            after = _after(self.piles, move)
            if not self.ends(after) and not self.has_trap_below(after):
                return move
        return self.into_trap() or self.leaving_most()

    def ends(self, piles: Piles) -> bool:
        return _ends(self.endings, piles)

    def to_zero(self, piles: Piles) -> Iterator[NimMove]:
        return _to_zero(reduce_piles(piles, self.nim.take))

    def is_trap(self, piles: Piles) -> bool:
        """Whether whoever is to move cannot move as the nim-sum tells without losing at once."""
        if self.ends(piles):
            return False
        single = _single_pile_move(reduce_piles(piles, self.nim.take))
        moves = self.to_zero(piles) if single is None else (single,)
        return all(self.ends(_after(piles, move)) for move in moves)

    def has_trap_below(self, piles: Piles) -> bool:
        """Whether, with nim-sum 0, some take leads into a trap.

        The nim-sum of the other piles is the pile itself, so after a take from it one of the others
        can restore the 0; that avoids endings unless the pile now has a size that stands in one.
        """
        return any(
            self.is_trap(_after(piles, (place, pile - left)))
            for place, pile in enumerate(reduce_piles(piles, self.nim.take))
            for left in self.telling(piles[place] - pile, pile)
        )

    def telling(self, base: int, pile: int) -> set[int]:
        """What can be left of a pile, standing on so much that is not counted, and be an ending."""
        return {left for left in (0, 1, *(s - base for s in self.sizes)) if 0 <= left < pile}

    def into_trap(self) -> NimMove | None:
        """The first take that leaves the opponent in a trap."""
        counted = reduce_piles(self.piles, self.nim.take)
        total = nim_sum(counted)
        for place in self.order:
            pile = counted[place]
            lefts = self.telling(self.piles[place] - pile, pile)
            rest = total ^ pile
            if rest < pile:
                lefts |= {rest, *self.alike(rest, pile, lefts)}
            for left in sorted(lefts):
                move = (place, pile - left)
                if self.is_trap(_after(self.piles, move)):
                    return move
        return None

    def alike(self, rest: int, pile: int, telling: set[int]) -> Iterator[int]:
        """The least sizes above the nim-sum of the rest, one for each top bit they add to it.

        Which of the other piles could move to nim-sum 0 depends on that bit alone.
        """
        for bit in range(pile.bit_length()):
            left = (rest >> bit | 1) << bit
            while left in telling:
                left += 1
            if rest < left < pile:
                yield left

    def leaving_most(self) -> NimMove:
        """Of the takes into no ending the one from which most is left, else the first take."""
        best, most = None, -1
        for place in self.order:
            pile = self.piles[place]
            for amount in range(1, _most(self.nim, pile) + 1):
                if pile - amount <= most:
                    break
                if not self.ends(_after(self.piles, (place, amount))):
                    best, most = (place, amount), pile - amount
        first = self.order[0]
        return best or (first, _most(self.nim, self.piles[first]))


@dataclass
class BruteForce:
    """Looks at every position there is, but always as in misère play."""

    name: ClassVar[str] = "brute-force"

    def __post_init__(self) -> None:
        self._table: NimTable | None = None

    def plays(self, game: Game) -> str:
        nim = as_nim(game)
        if nim is None or count_positions(nim.piles) > MOST:
            return ""
        if nim.seats != 2:
            return "as if two played misère"
        return "perfectly" if nim.misere else "as if it were misère, which can lose the end"

    def warning(self, game: Game) -> str:
        """What to say before it starts on a large game; empty when it will be quick."""
        nim = as_nim(game)
        many = count_positions(nim.piles) if nim else 0
        if many <= SLOW:
            return ""
        if many <= MOST:
            return f"brute-force will be slow here: it looks at {many:,} positions first"
        return _too_many(many)

    def choose(self, game: Game, state: NimState) -> NimMove:
        """The first winning move, piles in place and amounts down; else the first that goes on."""
        nim, piles = _position(game, state)
        values = self._values(nim, piles)
        going_on = None
        for place, pile in enumerate(piles):
            for amount in range(_most(nim, pile), 0, -1):
                after = _after(piles, (place, amount))
                if not any(after) or _ends(nim.endings, after):
                    continue
                if values.value((0, 0, *after)).outcome == "loss":
                    return (place, amount)
                going_on = going_on or (place, amount)
        return _possible(piles, going_on)

    def _values(self, nim: Nim, piles: Piles) -> NimTable:
        """The misère values of all positions below these piles, or below more valued before."""
        rules = replace(nim, piles=tuple(piles), misere=True, seats=2)
        held = self._table
        if (
            held is None
            or held.numbers.of(piles) is None
            or replace(held.nim, piles=rules.piles) != rules
        ):
            if count_positions(piles) > MOST:
                raise ParlourError(_too_many(count_positions(piles)))
            held = self._table = NimTable(rules, build_table(rules, Work()))
        return held


def _too_many(positions: int) -> str:
    shown = f"{positions:,}" if positions < 10**15 else f"some 10^{len(str(positions)) - 1}"
    return (
        f"brute-force would have to look at {shown} positions, and takes on at most {MOST:,}; "
        "let standard or perfect play instead, or choose smaller piles"
    )


def benedict_move(game: Game, state: NimState) -> NimMove:
    """To nim-sum 0 in the first row that holds its top bit; where it is 0, 1 from the first row.

    He plays normal Nim and plays the same in misère and with extra endings.
    """
    nim, piles = _position(game, state)
    return _possible(piles, next(_to_zero(reduce_piles(piles, nim.take)), None))


def wants_to_begin(game: Game) -> bool:
    """Whether Benedict would go first: if he has a nim-sum to undo."""
    nim = as_nim(game)
    return nim is not None and nim_sum(nim.piles, nim.take) != 0


def as_nim(game: Game) -> Nim | None:
    """The game as Nim knows it, if it is one."""
    if isinstance(game, Sticks):
        return game.nim
    return game if isinstance(game, Nim) else None


def _position(game: Game, state: NimState) -> tuple[Nim, Piles]:
    nim = as_nim(game)
    if nim is None:
        raise ParlourError(f"this bot plays nim and sticks, not {game.name}")
    return nim, state[2:]


def _most(nim: Nim, pile: int) -> int:
    return pile if nim.take is None else min(pile, nim.take)


def _after(piles: Piles, move: NimMove) -> Piles:
    place, amount = move
    return (*piles[:place], piles[place] - amount, *piles[place + 1 :])


def _ends(endings: Sequence[tuple[int, ...]], piles: Piles) -> bool:
    return not any(piles) or (bool(endings) and multiset(piles) in endings)


def _possible(piles: Piles, move: NimMove | None) -> NimMove:
    """The move, or 1 from the first pile that is not empty where it cannot be made."""
    if move is not None and 0 < move[1] <= piles[move[0]]:
        return move
    return (next(place for place, pile in enumerate(piles) if pile), 1)


def _to_zero(counted: Piles) -> Iterator[NimMove]:
    """The takes to nim-sum 0, piles in place: those from piles that hold its top bit."""
    total = nim_sum(counted)
    return ((p, pile - (pile ^ total)) for p, pile in enumerate(counted) if pile ^ total < pile)


def _single_pile_move(counted: Piles) -> NimMove | None:
    """With exactly one pile larger than 1, the take that leaves an odd number of single ones."""
    large = [place for place, pile in enumerate(counted) if pile > 1]
    if len(large) != 1:
        return None
    pile = counted[large[0]]
    return (large[0], pile if counted.count(1) % 2 else pile - 1)


def _to_odd_ones(nim: Nim, piles: Piles) -> NimMove | None:
    """With at most one pile larger than 1, a take that leaves an odd number of ones, if any does.

    From then on all takes are of 1, and the last is the opponent's.
    """
    counted = reduce_piles(piles, nim.take)
    if move := _single_pile_move(counted):
        return move
    ones = counted.count(1)
    if ones % 2:
        return None
    if ones or nim.take is None:
        return (counted.index(1), 1)
    return (next(p for p, pile in enumerate(piles) if pile), nim.take)  # leaves 1 of a round
