"""Variants and positions as addresses: an address tells a variant by its options, and where in it
somebody is by a position and moves; whatever is wrong with it is told beside the field it is in.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from parlour.core import (
    BadOption,
    BadText,
    Game,
    Option,
    ParlourError,
    State,
    declared,
    describe,
    registry,
)
from parlour.core import (
    quote as quoted,
)
from parlour.faces.web import forms
from parlour.faces.web.forms import Field

OURS = frozenset({"position", "move", "why", "page", "talk"})  # what is no option in an address
LONGEST = 4_000  # characters of one option
LONGEST_POSITION = 20_000  # with barred loops it tells all that was seen
MOST_MOVES = 150  # in an address


@dataclass(frozen=True)
class Variant:
    """What an address tells: what was typed, what is wrong with it, else the game."""

    name: str
    cls: type
    typed: Mapping[str, str]
    wrong: Mapping[str, str]  # by option
    game: Game | None

    @property
    def fields(self) -> list[Field]:
        """The form of its options; where something is wrong, just as it was typed."""
        shown = self.game or registry.made(self.cls, self.name, {})
        fields = [
            replace(field, value="") if field.kind in ("list", "lists") and not field.items
            else field
            for field in forms.fields(shown)
        ]  # fmt: skip
        if self.game is not None:
            return fields
        return [replace(each, value=self.typed.get(each.name, each.value)) for each in fields]


def read_variant(name: str, query: Mapping[str, str]) -> Variant:
    """The variant of an address; a game or an option nobody knows is refused."""
    cls = registry.find("games", name)
    known = declared(cls)
    typed = {option: text for option, text in query.items() if option not in OURS}
    options: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for option, text in typed.items():
        try:
            options[option] = _read(known[option], text) if option in known else text
        except BadOption as refusal:
            wrong[option] = _why_not(refusal)
    game: Game | None = None
    named = str(getattr(cls, "name", name))
    if not wrong:
        try:
            game = registry.made(cls, named, options)
        except BadOption as refusal:
            wrong[refusal.option] = _why_not(refusal)
    return Variant(named, cls, typed, wrong, game)


def _why_not(refusal: BadOption) -> str:
    """What is wrong with an option, to be read beside it."""
    return f"it cannot be {quoted(refusal.value)}; {refusal.allowed}"


def _read(option: Option, text: str) -> Any:
    if len(text) > LONGEST:
        raise BadOption(option.name, text, f"at most {LONGEST:,} characters are read")
    return option.read(text)


def told(game: Game) -> dict[str, str]:
    """The options that are not as usual, each as its text."""
    return dict(part.split("=", 1) for part in shlex.split(describe(game))[1:])


def address(game: Game, position: str = "", moves: Iterable[str] = (), **more: str) -> str:
    """Where a variant, a position of it and moves from there are looked at."""
    return _address(f"/lab/{quote(game.name)}", asked(game, position, moves), **more)


def other_address(game: Game, place: str, position: str = "", moves: Iterable[str] = ()) -> str:
    """Another place about the same, `atlas` or `move`."""
    return _address(f"/lab/{quote(game.name)}/{place}", asked(game, position, moves))


def asked(game: Game, position: str = "", moves: Iterable[str] = ()) -> list[tuple[str, str]]:
    """All that such an address tells, in pairs."""
    where = [("position", position)] if position else []
    return [*told(game).items(), *where, *(("move", move) for move in moves)]


def _address(path: str, pairs: Sequence[tuple[str, str]], **more: str) -> str:
    everything = [*pairs, *more.items()]
    return f"{path}?{urlencode(everything, safe=',:', quote_via=quote)}" if everything else path


@dataclass(frozen=True)
class Walk:
    """Where somebody has come to: from the start or a position they typed, by moves they tried."""

    game: Game
    position: str
    moves: tuple[str, ...]
    states: tuple[State, ...]  # before each move, and after the last
    wrong: str = ""  # with the position
    illegal: str = ""  # with a move, where the walk ends

    @property
    def state(self) -> State:
        """The position looked at."""
        return self.states[-1]

    @property
    def is_start(self) -> bool:
        """Whether nobody has gone anywhere."""
        return not self.moves and (not self.position or bool(self.wrong))

    @property
    def back(self) -> str:
        """The address of the position before this one."""
        return address(self.game, self.position, self.moves[:-1])

    def on(self, move: str) -> str:
        """The address of the position after a move; a walk too long to tell begins anew there."""
        if len(self.moves) < MOST_MOVES:
            return address(self.game, self.position, (*self.moves, move))
        game = self.game
        return address(game, game.write(game.play(self.state, game.read_move(self.state, move))))


def walked(game: Game, position: str, moves: Sequence[str]) -> Walk:
    """A position, if there is one, and moves from there, as far as they are legal."""
    wrong = illegal = ""
    state = game.start()
    if position:
        try:
            if len(position) > LONGEST_POSITION:
                raise BadText(f"a position has at most {LONGEST_POSITION:,} characters")
            state = game.read(position)
        except ParlourError as refusal:
            wrong, moves = str(refusal), ()
    made: list[str] = []
    states = [state]
    for text in moves[:MOST_MOVES]:
        try:
            move = game.read_move(states[-1], text)
        except ParlourError as refusal:
            illegal = str(refusal)
            break
        made.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return Walk(game, position, tuple(made), tuple(states), wrong, illegal)
