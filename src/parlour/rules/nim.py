"""Nim: piles of coins; a move takes some from one pile.

A state is `(turn, left, *piles)`. `left` has one bit for every seat still in the game, and play
stops when a single one remains, so that winning, losing and elimination are represented alike.
Piles keep their places; their order never matters to the rules.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, ClassVar, TypeAlias

from parlour import core
from parlour.core import BadText, Extras, Text, all_of, count, option, quote, say
from parlour.rules.board import Memo, find_sentences

NimState: TypeAlias = tuple[int, ...]  # (turn, left, *piles)
NimMove: TypeAlias = tuple[int, int]  # (pile, amount), piles counted from 0

MAX_PILE = 10**9
MAX_PILES = 64
MAX_LISTED = 100  # moves in a tuple; more are a lazy view
MAX_DRAWN = 100
MAX_NAMED = 8  # piles that the rules list one by one
MAX_IN_ENDINGS = 24  # numbers in the endings that the rules and the title list
MAX_IN_TITLE = 3  # endings that the title lists

SENTENCES = find_sentences("nim")
CLASS_ENDINGS = ((2, 2, 2), (1, 2, 3), (1, 1, 2, 2))


class TakeAwayGame(core.Game):
    """The rules that Nim and the Game of Sticks share; each has its own options and words."""

    loops: ClassVar[str] = "never"
    misere: bool
    endings: tuple[tuple[int, ...], ...]  # besides the empty one
    take: int | None  # the most that one move may take

    @property
    @abstractmethod
    def piles(self) -> tuple[int, ...]:
        """The sizes of the piles at the start."""

    def start(self) -> NimState:
        """All seats and the full piles; where those are an ending, the first seat reached it."""
        everyone = (1 << self.seats) - 1
        if self._ends(self.piles):
            return self._end(0, everyone, self.piles)
        return (0, everyone, *self.piles)

    def turn(self, state: NimState) -> int:
        return state[0]

    def moves(self, state: NimState) -> Sequence[NimMove]:
        """Piles in place, amounts ascending."""
        return self._moves[state]

    def play(self, state: NimState, move: NimMove) -> NimState:
        try:
            pile, amount = move
            size = state[2 + pile] if pile >= 0 else 0
            legal = isinstance(amount, int) and 0 < amount <= size and amount <= self._most
        except (TypeError, ValueError, IndexError):
            legal = False
        left = state[1]
        if not (legal and left & left - 1):
            raise core.IllegalMove(self._why_not(state, move))
        after = list(state)
        after[2 + pile] = size - amount
        if (amount == size or self.endings) and self._ends(after[2:]):
            return self._end(state[0], left, after[2:])
        after[0] = 1 - after[0] if self.seats == 2 else self._next_seat(after[0], left)
        return tuple(after)

    def result(self, state: NimState) -> tuple[int, ...] | None:
        left = state[1]
        if left & left - 1:
            return None
        return tuple(1 if left >> seat & 1 else -1 for seat in range(self.seats))

    def key(self, state: NimState) -> tuple[int, ...]:
        """The piles in order; with more than two seats also who is left, as rounds start anew."""
        piles = multiset(state[2:])
        return piles if self.seats == 2 else (state[0], state[1], *piles)

    def size(self) -> int:
        positions = math.prod(pile + 1 for pile in self.piles)
        return positions if self.seats == 2 else positions * self.seats << self.seats

    def all_moves(self) -> Sequence[NimMove]:
        """Piles in place, amounts ascending."""
        return Takes(self.piles, self._most)

    def max_plies(self) -> int:
        """One for every coin, in as many rounds as it takes to leave one seat."""
        rounds = self.seats - 1 if self.misere else min(1, self.seats - 1)
        return rounds * sum(self.piles)

    def _end(self, turn: int, left: int, piles: Sequence[int]) -> NimState:
        """Return the state after a move into an ending.

        Misère, the mover is out and the first of the others begins a fresh round; where that round
        starts on an ending he is out too, and so on until one is left.
        """
        if not self.misere:
            return (self._next_seat(turn, left), 1 << turn, *piles)
        while left & left - 1:
            left &= ~(1 << turn)
            turn = (left & -left).bit_length() - 1
            if left & left - 1 and not self._ends(self.piles):
                return (turn, left, *self.piles)
        return (turn, left, *piles)

    def _next_seat(self, turn: int, left: int) -> int:
        turn = (turn + 1) % self.seats
        while not left >> turn & 1:
            turn = (turn + 1) % self.seats
        return turn

    def _ends(self, piles: Sequence[int]) -> bool:
        return not any(piles) or (bool(self.endings) and multiset(piles) in self._endings)

    @cached_property
    def _endings(self) -> frozenset[tuple[int, ...]]:
        return frozenset(self.endings)

    @cached_property
    def _most(self) -> int:
        """The most one move may take from any pile."""
        return self.take or MAX_PILE

    @cached_property
    def _moves(self) -> Memo[NimState, Sequence[NimMove]]:
        return Memo(self._list_moves)

    def _list_moves(self, state: NimState) -> Sequence[NimMove]:
        _, left, *piles = state
        if not left & left - 1:
            return ()
        takes = Takes(piles, self._most)
        return tuple(takes) if len(takes) <= MAX_LISTED else takes

    @abstractmethod
    def _why_not(self, state: NimState, move: object) -> str:
        """Say why a move is refused."""

    def write(self, state: NimState) -> str:
        """`3,4,5:1`, the piles and the seat to move; then the seats left, if some are out."""
        turn, left, *piles = state
        text = f"{_write_sizes(piles)}:{turn + 1}"
        if self.seats > 2 and left != (1 << self.seats) - 1:
            text += f" of {','.join(self._name_seats(left))}"
        return text

    def _name_seats(self, left: int) -> list[str]:
        return [str(seat + 1) for seat in range(self.seats) if left >> seat & 1]

    def read(self, text: str) -> NimState:
        """What `write` gives, or only the piles; an ending counts as reached by a move."""
        numbers = "[0-9]+(?:[ ,]+[0-9]+)*"
        found = re.fullmatch(
            rf"({numbers})(?: ?: ?([0-9]+)(?: of ({numbers}))?)?", " ".join(text.casefold().split())
        )
        if not found or (found[3] and self.seats <= 2):
            raise BadText(
                "{text} is not a position; write the piles and who moves, like '3,4,5:1'",
                text=quote(text),
            )
        piles = _numbers(found[1])
        if len(piles) > MAX_PILES or max(piles) > MAX_PILE:
            raise BadText(
                "{text} is too large; there are at most {max_piles} piles of at most "
                "{max_pile} coins",
                text=quote(text),
                max_piles=MAX_PILES,
                max_pile=MAX_PILE,
            )
        turn = core.whole(found[2] or "1") - 1
        everyone = set(range(self.seats))
        seats = {seat - 1 for seat in _numbers(found[3] or "")} or everyone
        possible = seats if len(seats) > 1 and seats <= everyone else everyone
        if not {turn, *seats} <= possible:
            raise BadText(
                "{text} names a seat that is not there; choose seat {seats}",
                text=quote(text),
                seats=core.one_of(seat + 1 for seat in sorted(possible)),
            )
        left = sum(1 << seat for seat in seats)
        if len(seats) == 1 or not self._ends(piles):
            return (turn, left, *piles)
        mover = max((seat for seat in seats if seat < turn), default=max(seats))
        return self._end(mover, left, piles)


@dataclass(frozen=True)
class Nim(TakeAwayGame):
    """Nim, normal or misère, with extra endings, a limit on a take, and any number of players."""

    name: ClassVar[str] = "nim"
    impartial: ClassVar[bool] = True
    extras: ClassVar[Extras] = Extras(
        method="parlour.truth.impartial:NimMethod",
        numbering="parlour.truth.disk.numbering:Piles",
        explainer="parlour.truth.explain.nim:NimExplainer",
        choices={
            "piles": [
                piles
                for many in range(1, 5)
                for piles in combinations_with_replacement(range(1, 8), many)
            ],
            "misere": (False, True),
            "take": (None, 1, 2, 3),
        },
        playouts="parlour.players.random_move:play_nim",
        benedict="parlour.players.benedict:NIM",
        skin="parlour.players.skins:NimSkin",
        batch="parlour.rl.batches:NimBatch",
        board="parlour.boards.nim",
        reader="parlour.host.understand.piles:read_nim",
        reader_words="piles",
        wish_reader="parlour.host.understand.wishes:read_piles",
        wish_numbers=("take", "seats"),
        facts="parlour.host.table.knowledge:describe_taking",
        facts_now="parlour.host.table.knowledge:describe_piles_now",
        reason="parlour.host.table.knowledge:explain_nim",
        asks_for="piles",
        his_options={"misere": False, "endings": ()},
        free_options=("piles",),
        pile_options=("piles", "endings"),
        chooses_beginner=True,
        place=1,
        about=say("Three piles. The player who takes the last coin loses."),
        quick_options={"misere": True},  # what most people know as Nim
        quick_bot="perfect",
        easier_bot="perfect level=2",
        menu_options={"misere": True},
        needs_names=True,
        bots_wait=True,
        puzzle_variants=(
            {},
            {"misere": True},
            {"piles": (1, 3, 5, 7), "misere": True},
            {"piles": (4, 6, 7)},
        ),
        solved_options={"endings": (), "seats": 2},
    )

    piles: tuple[int, ...] = option(
        (3, 4, 5), say("the coins in each pile"), low=0, high=MAX_PILE, longest=MAX_PILES
    )
    misere: bool = option(False, say("whoever makes the last move loses instead of winning"))
    endings: tuple[tuple[int, ...], ...] = option(
        (),
        say("further positions that end the game, each as the sizes of its piles"),
        low=0,
        high=MAX_PILE,
        bundles={"class-endings": CLASS_ENDINGS},
    )
    seats: int = option(2, say("the number of players"), low=1, high=10)
    take: int | None = option(None, say("the most coins one move may take"), low=1, high=MAX_PILE)

    def __post_init__(self) -> None:
        core.settle(self)
        if not any(self.piles):
            raise core.BadOption("piles", self.piles, say("at least one pile must hold a coin"))
        endings = dict.fromkeys(filter(None, map(multiset, self.endings)))
        object.__setattr__(self, "endings", tuple(endings))

    # The rules that only Nim has

    def ended_by(self, state: NimState) -> str:
        """`the extra ending 1,2,3`, or nothing where the last coin was taken."""
        piles = multiset(state[2:])
        if self.result(state) is None or piles not in self._endings:
            return ""
        return SENTENCES("ended", ending=_write_sizes(piles))

    def out(self, state: NimState) -> tuple[int, ...]:
        """The seats that lost a round, where more than two play."""
        if self.seats <= 2 or not self.misere:
            return ()
        return tuple(seat for seat in range(self.seats) if not state[1] >> seat & 1)

    def observe(self, state: NimState, seat: int) -> tuple[int, ...]:
        """Each pile in binary digits, the highest first; then whether it is the seat's turn.

        With more than two seats, whose turn it is and who is still in, from this seat on.
        """
        turn, left, *piles = state
        digits = tuple([size >> place & 1 for size in piles for place in self._places])
        if self.seats <= 2:
            return (*digits, int(turn == seat))
        order = [(seat + step) % self.seats for step in range(self.seats)]
        return (
            *digits,
            *(int(turn == each) for each in order),
            *(left >> each & 1 for each in order),
        )

    def tier(self, state: NimState) -> int:
        """Less the coins that are left; with more seats, each one that is out counts for more."""
        coins = sum(state[2:])
        if self.seats > 2:
            coins += state[1].bit_count() * (sum(self.piles) + 1)
        return -coins

    @cached_property
    def _places(self) -> range:
        """The binary places of the largest pile, from the highest down."""
        return range(max(self.piles).bit_length() - 1, -1, -1)

    # Notation

    def describe_move(self, state: NimState, move: NimMove) -> Text:
        """The move as it is written, to be translated."""
        pile, amount = move
        return SENTENCES("move", amount=amount, pile=pile + 1)

    def write_move(self, move: NimMove) -> str:
        pile, amount = move
        return f"{amount} from {pile + 1}"

    def read_move(self, state: NimState, text: str) -> NimMove:
        """`2 from 3`, `take 2 from pile 3`, or `3:2` and `3 2`: pile 3, 2 coins."""
        said = " ".join(text.casefold().split())
        number = "([0-9]+)"
        if found := re.fullmatch(rf"(?:take )?{number}(?: [a-z]+)? from (?:pile )?{number}", said):
            amount, pile = map(core.whole, found.groups())
        elif found := re.fullmatch(rf"(?:pile )?{number} ?[ :,] ?{number}", said):
            pile, amount = map(core.whole, found.groups())
        else:
            raise BadText("{text} is not a move; {how}", text=quote(text), how=self.how_to_move())
        self.play(state, (pile - 1, amount))
        return (pile - 1, amount)

    def _why_not(self, state: NimState, move: object) -> str:
        _, left, *piles = state
        if not left & left - 1:
            return say("the game is over")
        match move:
            case (int(pile), int(amount)):
                pass
            case _:
                return say(
                    "{move} is not a move; a move is a pile and an amount, like (0, 1)",
                    move=quote(move),
                )
        if not 0 <= pile < len(piles):
            known = core.span(1, len(piles))
            return say("there is no pile {pile}; choose pile {span}", pile=pile + 1, span=known)
        size = piles[pile]
        if not size:
            return say("pile {pile} is empty; take from another", pile=pile + 1)
        takes = core.span(1, min(size, self._most))
        if amount > size:
            return say(
                "pile {pile} has only {coins}; take {span}",
                pile=pile + 1,
                coins=count(size, "coin"),
                span=takes,
            )
        return say("nobody can take {amount}; take {span}", amount=amount, span=takes)

    def draw(self, state: NimState) -> str:
        piles = state[2:]
        wide = len(str(max(piles)))
        place = len(str(len(piles)))
        lines = [
            f"pile {number:{place}}  {size:{wide}}  {tally(size)}".rstrip()
            for number, size in enumerate(piles, start=1)
        ]
        seats = self._name_seats(state[1])
        if 1 < len(seats) < self.seats:
            out = self._name_seats(~state[1])
            lines.append(f"still in: players {', '.join(seats)}")
            lines.append(f"out: player{'s' if len(out) > 1 else ''} {', '.join(out)}")
        return "\n".join(lines)

    # In words

    def title(self, full: bool = False) -> str:
        name = SENTENCES("name", misere=self.misere)
        parts = self._name_endings()
        if full or self.misere or self.piles != Nim().piles:
            parts = [self._name_piles(), *parts]
        if parts:
            name = SENTENCES("with", name=name, parts=all_of(parts))
        if self.seats != 2:
            name = SENTENCES("for", name=name, players=count(self.seats, "player"))
        return at_a_time(name, self.take)

    def _name_piles(self) -> Text:
        number = len(self.piles)
        return SENTENCES(
            "name-piles",
            one=number == 1,
            many=number > MAX_NAMED,
            coins=count(self.piles[0], "coin"),
            piles=number,
            sizes=all_of(self.piles),
        )

    def _name_endings(self) -> list[Text]:
        """`the class endings`, `an extra ending at 1,1`"""
        has_class_endings = set(CLASS_ENDINGS) <= set(self.endings)
        found = [SENTENCES("class-endings")] if has_class_endings else []
        others = [
            each for each in self.endings if not has_class_endings or each not in CLASS_ENDINGS
        ]
        if others:
            number, names = len(others), all_of(map(_write_sizes, others))
            many = number > MAX_IN_TITLE or len(names) > MAX_IN_ENDINGS
            found.append(SENTENCES("endings", many=many, number=number, names=names))
        return found

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        most = core.span(1, self.take or 1)
        take = SENTENCES("take", limited=self.take, number=self.take, span=most)
        return (
            self._describe_piles(general),
            SENTENCES("turns", take=take),
            SENTENCES("last", misere=self.misere, general=general),
            *self._describe_endings(),
            *self._describe_seats(),
        )

    def _describe_piles(self, general: bool) -> Text:
        number, many = len(self.piles), len(self.piles) > MAX_NAMED
        listed = number > 1 and not many
        return SENTENCES(
            "piles",
            general=general,
            many=many,
            number=number,
            piles=number,
            coins=self._name_piles() if listed else count(sum(self.piles), "coin"),
            sizes=all_of(self.piles),
        )

    def _describe_endings(self) -> list[Text]:
        if not self.endings:
            return []
        where = SENTENCES(
            "ends",
            many=sum(map(len, self.endings)) > MAX_IN_ENDINGS,
            number=len(self.endings),
            positions=core.join("; ", map(all_of, self.endings)),
        )
        return [where, SENTENCES("ender", misere=self.misere)]

    def _describe_seats(self) -> list[Text]:
        if self.seats == 1:
            return [SENTENCES("alone")]
        found = []
        if self.seats > 2:
            found.append(SENTENCES("players", misere=self.misere, seats=self.seats))
        if (result := self.result(self.start())) is not None:
            found.append(SENTENCES("over", winner=result.index(1) + 1))
        return found

    def how_to_move(self) -> Text:
        pile = self.piles.index(max(self.piles))
        move = self.write_move((pile, min(2, self.piles[pile], self._most)))
        return SENTENCES("how-to-move", move=move)


class Takes(Sequence[NimMove]):
    """All takes from some piles as a lazy sequence: a pile may hold 10^9."""

    __slots__ = ("counts",)

    def __init__(self, piles: Iterable[int], most: int) -> None:
        self.counts = tuple(min(size, most) for size in piles)

    def __len__(self) -> int:
        return sum(self.counts)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(len(self))[index])
        place = index + len(self) if index < 0 else index
        for pile, takes in enumerate(self.counts):
            if 0 <= place < takes:
                return (pile, place + 1)
            place -= takes
        raise IndexError(f"there are {len(self)} moves, none at {index}")

    def __contains__(self, move: object) -> bool:
        match move:
            case (int(pile), int(amount)):
                return 0 <= pile < len(self.counts) and 0 < amount <= self.counts[pile]
        return False

    def index(self, move: NimMove, start: int = 0, stop: int | None = None) -> int:
        if move in self:
            pile, amount = move
            place = sum(self.counts[:pile]) + amount - 1
            if place in range(len(self))[start:stop]:
                return place
        raise ValueError(f"{move!r} is not a move here")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Takes) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(self.counts)

    def __repr__(self) -> str:
        return f"<{len(self)} moves from {self.counts}>"


def multiset(piles: Iterable[int]) -> tuple[int, ...]:
    """The piles that are not empty, sorted."""
    return tuple(sorted(pile for pile in piles if pile))


def at_a_time(title: str, take: int | None) -> str:
    """A title with the limit on a take, if there is one."""
    return title if take is None else SENTENCES("limited", title=title, take=take)


def _write_sizes(sizes: Iterable[int]) -> str:
    return ",".join(map(str, sizes))


def tally(size: int) -> str:
    """Strokes in groups of five; nothing for more than can be counted at a glance."""
    if size > MAX_DRAWN:
        return ""
    return " ".join("|" * min(5, size - done) for done in range(0, size, 5))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(core.whole(run) for run in re.findall("[0-9]+", text))
