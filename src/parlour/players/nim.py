"""The historic bots of Nim: four from a class project, and the move of the program Benedict.

All reduce a pile modulo `take` + 1 where a take is limited, which is all that matters to the
nim-sum. They play as if there were two seats, and play the Game of Sticks as Nim on one pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from parlour.core import Game, ParlourError, Work, say, sentences
from parlour.rules import Nim, NimMove, NimState, Sticks, TakeAwayGame, multiset
from parlour.truth import NimTable, build_table, count_positions, nim_sum, reduce_piles

Piles: TypeAlias = Sequence[int]

SLOW_POSITIONS = 5_000_000  # brute-force takes a second for these before its first move
MAX_POSITIONS = 20_000_000  # the most it takes on, since it keeps them all


@dataclass
class Standard:
    """The closed form: moves to nim-sum 0, in misère play to an odd number of ones at the end."""

    name: ClassVar[str] = "standard"

    def plays(self, game: Game) -> str:
        if not isinstance(game, TakeAwayGame):
            return ""
        if game.seats != 2:
            return say("as if two played")
        return say("well, but blind to the extra endings") if game.endings else say("perfectly")

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _read_position(self.name, game, state)
        counted = reduce_piles(piles, nim.take)
        if nim.misere and sum(pile > 1 for pile in counted) <= 1:
            move = _find_odd_ones_move(nim, piles)
        else:
            move = next(_list_zero_moves(counted), None)
        return _legal_or_first(piles, move or (counted.index(max(counted)), 1))


@dataclass
class OneAtATime:
    """The class's test bot: picks a pile by a mistaken sum, and takes as little as it can."""

    name: ClassVar[str] = "one-at-a-time"

    def plays(self, game: Game) -> str:
        if not isinstance(game, TakeAwayGame):
            return ""
        return say("badly, but never into an ending it can avoid")

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _read_position(self.name, game, state)
        counted = reduce_piles(piles, nim.take)
        total = nim_sum(counted)
        mistaken = (place for place, pile in enumerate(counted) if pile < total ^ pile)
        first = next(mistaken, counted.index(max(counted)))
        for place in (*range(first, len(piles)), *range(first)):
            for amount in range(1, _largest_take(nim, piles[place]) + 1):
                if not _is_ending(nim.endings, _take_from(piles, (place, amount))):
                    return (place, amount)
        return _legal_or_first(piles, None)


@dataclass
class ShortPrediction:
    """Moves to nim-sum 0 as in misère play, but looks two moves ahead for endings and traps."""

    name: ClassVar[str] = "short-prediction"

    def plays(self, game: Game) -> str:
        if not isinstance(game, TakeAwayGame):
            return ""
        if game.seats != 2:
            return say("as if two played misère")
        if not game.misere:
            return say("as if it were misère, which can lose the end")
        if game.take is not None:
            return say("fairly, missing some wins when no pile counts more than 1")
        return say("well, seeing endings two moves ahead") if game.endings else say("perfectly")

    def choose(self, game: Game, state: NimState) -> NimMove:
        nim, piles = _read_position(self.name, game, state)
        return _Prediction(nim, piles).move()


class _Prediction:
    """How short-prediction chooses in one position.

    Piles are tried by ascending size, amounts from the whole pile down to 1; but of the amounts
    only a few can matter. Once a pile has a size that stands in no ending, no ending comes about
    while it stays, so that all such sizes are alike but for the nim-sums they make.
    """

    def __init__(self, nim: TakeAwayGame, piles: Piles) -> None:
        self.nim = nim
        self.piles = piles
        self.order = sorted((p for p in range(len(piles)) if piles[p]), key=piles.__getitem__)
        have = Counter(multiset(piles))
        # Three takes ahead are looked at, so an ending that differs in four piles is out of sight.
        self.endings = [e for e in nim.endings if (have - Counter(e)).total() <= 3]
        self.sizes = {0}.union(*self.endings)

    def move(self) -> NimMove:
        move = _find_switch_move(reduce_piles(self.piles, self.nim.take))
        if move and not self.ends(_take_from(self.piles, move)):
            return move
        for move in sorted(
            self.list_zero_moves(self.piles), key=lambda move: self.order.index(move[0])
        ):
            after = _take_from(self.piles, move)
            if not self.ends(after) and not self.has_trap_below(after):
                return move
        return self.find_trap() or self.take_least()

    def ends(self, piles: Piles) -> bool:
        return _is_ending(self.endings, piles)

    def list_zero_moves(self, piles: Piles) -> Iterator[NimMove]:
        return _list_zero_moves(reduce_piles(piles, self.nim.take))

    def is_trap(self, piles: Piles) -> bool:
        """Return whether every move that the nim-sum suggests loses at once."""
        if self.ends(piles):
            return False
        single = _find_switch_move(reduce_piles(piles, self.nim.take))
        moves = self.list_zero_moves(piles) if single is None else (single,)
        return all(self.ends(_take_from(piles, move)) for move in moves)

    def has_trap_below(self, piles: Piles) -> bool:
        """Return whether, with nim-sum 0, some take leads into a trap.

        The nim-sum of the other piles is the pile itself, so after a take from it one of the others
        can restore the 0; that avoids endings unless the pile now has a size that stands in one.
        """
        return any(
            self.is_trap(_take_from(piles, (place, pile - left)))
            for place, pile in enumerate(reduce_piles(piles, self.nim.take))
            for left in self.sizes_in_endings(piles[place] - pile, pile)
        )

    def sizes_in_endings(self, base: int, pile: int) -> set[int]:
        """Return the reduced sizes of a pile that may be part of an ending, above `base`."""
        return {left for left in (0, 1, *(s - base for s in self.sizes)) if 0 <= left < pile}

    def find_trap(self) -> NimMove | None:
        """Return the first take that leaves the opponent in a trap."""
        counted = reduce_piles(self.piles, self.nim.take)
        total = nim_sum(counted)
        for place in self.order:
            pile = counted[place]
            lefts = self.sizes_in_endings(self.piles[place] - pile, pile)
            rest = total ^ pile
            if rest < pile:
                lefts |= {rest, *self.least_sizes(rest, pile, lefts)}
            for left in sorted(lefts):
                move = (place, pile - left)
                if self.is_trap(_take_from(self.piles, move)):
                    return move
        return None

    def least_sizes(self, rest: int, pile: int, known: set[int]) -> Iterator[int]:
        """Yield the least size above the nim-sum of the rest for each top bit it adds to it.

        Which of the other piles could move to nim-sum 0 depends on that bit alone.
        """
        for bit in range(pile.bit_length()):
            left = (rest >> bit | 1) << bit
            while left in known:
                left += 1
            if rest < left < pile:
                yield left

    def take_least(self) -> NimMove:
        """Return the take that leaves most of a pile and ends nothing, else the first take."""
        best, most = None, -1
        for place in self.order:
            pile = self.piles[place]
            for amount in range(1, _largest_take(self.nim, pile) + 1):
                if pile - amount <= most:
                    break
                if not self.ends(_take_from(self.piles, (place, amount))):
                    best, most = (place, amount), pile - amount
        first = self.order[0]
        return best or (first, _largest_take(self.nim, self.piles[first]))


@dataclass
class BruteForce:
    """Examines every position, but always as in misère play."""

    name: ClassVar[str] = "brute-force"

    def __post_init__(self) -> None:
        self._table: NimTable | None = None

    def plays(self, game: Game) -> str:
        if not isinstance(game, TakeAwayGame) or count_positions(game.piles) > MAX_POSITIONS:
            return ""
        if game.seats != 2:
            return say("as if two played misère")
        return (
            say("perfectly") if game.misere else say("as if it were misère, which can lose the end")
        )

    def warning(self, game: Game) -> str:
        """Return what to say before it starts on a large game; empty if it will be quick."""
        many = count_positions(game.piles) if isinstance(game, TakeAwayGame) else 0
        if many <= SLOW_POSITIONS:
            return ""
        if many <= MAX_POSITIONS:
            return f"brute-force will be slow here: it looks at {many:,} positions first"
        return _too_many(many)

    def choose(self, game: Game, state: NimState) -> NimMove:
        """Return the first winning move, largest takes first, else the first that ends nothing."""
        nim, piles = _read_position(self.name, game, state)
        values = self._values(nim, piles)
        going_on = None
        for place, pile in enumerate(piles):
            for amount in range(_largest_take(nim, pile), 0, -1):
                after = _take_from(piles, (place, amount))
                if not any(after) or _is_ending(nim.endings, after):
                    continue
                if values.value((0, 0, *after)).outcome == "loss":
                    return (place, amount)
                going_on = going_on or (place, amount)
        return _legal_or_first(piles, going_on)

    def _values(self, nim: TakeAwayGame, piles: Piles) -> NimTable:
        """Return the misère values of all positions below these piles, cached while they cover."""
        rules = Nim(piles=tuple(piles), misere=True, endings=nim.endings, take=nim.take)
        held = self._table
        if (
            held is None
            or held.numbers.of(piles) is None
            or (held.game.endings, held.game.take) != (rules.endings, rules.take)
        ):
            if count_positions(piles) > MAX_POSITIONS:
                raise ParlourError(_too_many(count_positions(piles)))
            held = self._table = NimTable(rules, build_table(rules, Work()))
        return held


def _too_many(positions: int) -> str:
    return say(
        "brute-force would have to look at {positions} positions, and takes on at most "
        "{most:,}; let standard or perfect play instead, or choose smaller piles",
        positions=sentences.write_large(positions),
        most=MAX_POSITIONS,
    )


def benedict_move(nim: Nim, state: NimState) -> NimMove:
    """Return Benedict's move: to nim-sum 0 in the first possible row, else 1 from the first row.

    He plays normal Nim, and plays the same way in misère and with extra endings.
    """
    piles = state[2:]
    return _legal_or_first(piles, next(_list_zero_moves(reduce_piles(piles, nim.take)), None))


def _read_position(bot: str, game: Game, state: NimState) -> tuple[TakeAwayGame, Piles]:
    if not isinstance(game, TakeAwayGame):
        games = Nim.name, Sticks.name
        raise ParlourError(
            "{bot} plays {games:and}, not {name}", bot=bot, games=games, name=game.name
        )
    return game, state[2:]


def _largest_take(nim: TakeAwayGame, pile: int) -> int:
    return pile if nim.take is None else min(pile, nim.take)


def _take_from(piles: Piles, move: NimMove) -> Piles:
    place, amount = move
    return (*piles[:place], piles[place] - amount, *piles[place + 1 :])


def _is_ending(endings: Sequence[tuple[int, ...]], piles: Piles) -> bool:
    return not any(piles) or (bool(endings) and multiset(piles) in endings)


def _legal_or_first(piles: Piles, move: NimMove | None) -> NimMove:
    """Return the move, or 1 from the first pile that is not empty if it is not legal."""
    if move is not None and 0 < move[1] <= piles[move[0]]:
        return move
    return (next(place for place, pile in enumerate(piles) if pile), 1)


def _list_zero_moves(counted: Piles) -> Iterator[NimMove]:
    """Yield the takes to nim-sum 0, in the order of the piles."""
    total = nim_sum(counted)
    return ((p, pile - (pile ^ total)) for p, pile in enumerate(counted) if pile ^ total < pile)


def _find_switch_move(counted: Piles) -> NimMove | None:
    """Return the take that leaves an odd number of ones, if exactly one pile is larger than 1."""
    large = [place for place, pile in enumerate(counted) if pile > 1]
    if len(large) != 1:
        return None
    pile = counted[large[0]]
    return (large[0], pile if counted.count(1) % 2 else pile - 1)


def _find_odd_ones_move(nim: TakeAwayGame, piles: Piles) -> NimMove | None:
    """Return a take that leaves an odd number of ones, with at most one pile larger than 1.

    From then on all takes are of 1, and the opponent takes the last.
    """
    counted = reduce_piles(piles, nim.take)
    if move := _find_switch_move(counted):
        return move
    ones = counted.count(1)
    if ones % 2:
        return None
    if ones or nim.take is None:
        return (counted.index(1), 1)
    return (next(p for p, pile in enumerate(piles) if pile), nim.take)  # leaves 1 of a round
