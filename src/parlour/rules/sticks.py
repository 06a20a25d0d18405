"""The Game of Sticks: one heap, take a few, and whoever takes the last stick loses.

It is misère Nim on one pile with a limit on the take, and has its rules: a state is
`(turn, left, sticks)`, a move `(0, amount)`. Only the words are its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from parlour.core import BadText, Extras, count, option, quote, say, say_number, span, whole
from parlour.rules.board import find_sentences
from parlour.rules.nim import NimMove, NimState, TakeAwayGame, at_a_time, tally

SENTENCES = find_sentences("sticks")
MAX_STICKS = 100


@dataclass(frozen=True)
class Sticks(TakeAwayGame):
    """A heap of sticks that two people take from in turn."""

    name: ClassVar[str] = "sticks"
    seats: ClassVar[int] = 2
    misere = True
    endings = ()
    draws: ClassVar[bool] = False
    extras: ClassVar[Extras] = Extras(
        method="parlour.truth.impartial:SticksMethod",
        explainer="parlour.truth.explain.nim:SticksExplainer",
        choices={"sticks": range(10, 31), "take": range(1, 6)},
        skin="parlour.players.skins:SticksSkin",
        board="parlour.boards.sticks",
        reader="parlour.host.understand.piles:read_sticks",
        reader_words="piles",
        wish_reader="parlour.host.understand.wishes:read_heap",
        wish_numbers=("take",),
        facts="parlour.host.table.knowledge:describe_taking",
        facts_now="parlour.host.table.knowledge:describe_piles_now",
        reason="parlour.host.table.knowledge:explain_sticks",
        place=2,
        about=say("Twenty sticks, up to three at a time."),
        quick_bot="perfect",
        easier_bot="perfect level=2",
        puzzle_variants=({}, {"sticks": 30, "take": 4}, {"sticks": 40, "take": 5}),
    )

    sticks: int = option(20, say("the sticks on the table at the start"), low=10, high=MAX_STICKS)
    take: int = option(3, say("the most sticks one move may take"), low=1, high=MAX_STICKS)

    @cached_property
    def piles(self) -> tuple[int, ...]:
        """The only pile."""
        return (self.sticks,)

    def hat_number(self, state: NimState) -> int:
        return state[2]

    def observe(self, state: NimState, seat: int) -> tuple[int, ...]:
        """1 in the place of the number of sticks, from 0 up; then whether it is the seat's turn."""
        turn, _, sticks = state
        lie = [0] * (self.sticks + 1)
        lie[sticks] = 1
        return (*lie, int(turn == seat))

    def write_move(self, move: NimMove) -> str:
        return str(move[1])

    def read_move(self, state: NimState, text: str) -> NimMove:
        """`2`, `take 2`, `2 sticks`"""
        found = re.fullmatch(r"(?:take )?([0-9]+)(?: sticks?)?", " ".join(text.casefold().split()))
        if not found:
            raise BadText("{text} is not a move; {how}", text=quote(text), how=self.how_to_move())
        move = (0, whole(found[1]))
        self.play(state, move)
        return move

    def _why_not(self, state: NimState, move: object) -> str:
        possible = self.moves(state)
        if not possible:
            return say("the game is over")
        return say_number(
            state[2],
            "there is only 1 stick; take {span}",
            "there are {number} sticks; take {span}",
            span=span(1, len(possible)),
        )

    def read(self, text: str) -> NimState:
        """`17:2`, the sticks on the table and the seat to move."""
        try:
            state = super().read(text)
        except BadText:
            state = ()
        if len(state) != 3 or state[2] > MAX_STICKS:
            raise BadText(
                "{text} is not a position; write how many sticks lie on the table, at most "
                "{max_sticks}, and the seat to move, like '17:2'",
                text=quote(text),
                max_sticks=MAX_STICKS,
            )
        return state

    def draw(self, state: NimState) -> str:
        return f"{count(state[2], 'stick')}  {tally(state[2])}".rstrip()

    # In words

    def title(self, full: bool = False) -> str:
        usual = Sticks()
        name = SENTENCES("name")
        if full or self.sticks != usual.sticks:
            name = SENTENCES("with", name=name, parts=count(self.sticks, "stick"))
        return at_a_time(name, self.take if full or self.take != usual.take else None)

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        most = min(self.take, self.sticks)
        return (
            SENTENCES("sticks", general=general, sticks=self.sticks),
            SENTENCES("turns", number=most, span=span(1, most)),
            SENTENCES("last"),
        )

    def how_to_move(self) -> str:
        return SENTENCES("how-to-move", amount=min(2, self.take))
