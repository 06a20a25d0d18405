"""Variants of games in addresses and forms: reading them, listing games and presets.

An address holds the options that differ from the defaults. Whatever is wrong with one is shown
beside its field.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from parlour.core import (
    BadOption,
    BadText,
    Game,
    Option,
    describe,
    options_of,
    quote,
    registry,
    title,
)
from parlour.faces.web import boards, forms
from parlour.faces.web.forms import Field

ORDER = ("nim", "sticks", "chopsticks", "tictactoe", "othello")  # in lists; others follow
OURS = frozenset({"position", "move", "why", "page", "talk"})  # not options
LONGEST = 4_000  # characters of one option


@dataclass(frozen=True)
class Variant:
    """The variant of an address: what was typed, and the game or what is wrong with it."""

    name: str
    cls: type
    typed: Mapping[str, str]
    wrong: Mapping[str, str]  # by option
    game: Game | None

    @property
    def fields(self) -> list[Field]:
        """The form of its options; if something is wrong, just as it was typed."""
        game = self.game or registry.build(self.cls, self.name, {})
        fields = [
            replace(field, value="") if field.kind in ("list", "lists") and not field.items
            else field
            for field in forms.fields(game)
        ]  # fmt: skip
        if self.game is not None:
            return fields
        return [replace(each, value=self.typed.get(each.name, each.value)) for each in fields]

    def require_game(self) -> Game:
        """Return the game, or refuse the first option that is wrong."""
        if self.game is None:
            option, why = next(iter(self.wrong.items()))
            raise BadText(f"{forms.label(option)}: {why}")
        return self.game


def read_variant(name: str, query: Mapping[str, str]) -> Variant:
    """Read the variant of an address; refuse unknown games and options."""
    cls = registry.find("games", name)
    known = options_of(cls)
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
            game = registry.build(cls, named, options)
        except BadOption as refusal:
            wrong[refusal.option] = _why_not(refusal)
    return Variant(named, cls, typed, wrong, game)


def _why_not(refusal: BadOption) -> str:
    """Say what is wrong with an option, beside its field."""
    return f"it cannot be {quote(refusal.value)}; {refusal.allowed}"


def _read(option: Option, text: str) -> Any:
    if len(text) > LONGEST:
        raise BadOption(option.name, text, f"at most {LONGEST:,} characters are read")
    return option.read(text)


def list_changes(game: Game) -> dict[str, str]:
    """Return the options that differ from their defaults, each as text."""
    return dict(part.split("=", 1) for part in shlex.split(describe(game))[1:])


def order_games() -> list[str]:
    """Return the names of all games, ours first."""
    names = registry.games()
    return [*(name for name in ORDER if name in names), *(n for n in names if n not in ORDER)]


def list_cards(address: Callable[[Game], str]) -> list[dict[str, Any]]:
    """Return a card for each game, with its picture and a link."""
    games: list[Game] = [registry.game(name) for name in order_games()]
    return [
        {
            "href": address(game),
            "title": title(game),
            "options": [field.label.lower() for field in forms.fields(game)],
            "picture": boards.picture(game, game.start()),
        }
        for game in games
    ]


def list_presets(found: Variant) -> list[tuple[str, Game]]:
    """Return the default variant and the presets, each with its label."""

    def make(**options: Any) -> Game:
        game: Game = registry.build(found.cls, found.name, options)
        return game

    named = [("Default rules", make())]
    for name, option in options_of(found.cls).items():
        named += [
            (forms.preset_name(option, preset), make(**{name: preset}))
            for preset in option.presets or ()
            if preset != option.default
        ]
    return named
