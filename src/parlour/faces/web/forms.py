"""The options of games in forms and addresses.

A field is made from the option's own declaration, which also reads what was typed. An address holds
the options that differ from the defaults; an error in one is shown beside its field.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from parlour import boards, core
from parlour.core import BadOption, BadText, Game, Option, UnknownName, options_of, registry, say

MAX_LENGTH = 4_000  # characters of one option
OPTION = "option-"  # begins the names of fields for options beside others
YES, NO = say("yes"), say("no")
YES_AND_NO = {"misere": (say("misère"), say("standard"))}
WORDS = {
    "misere": say("objective"),
    "take": say("most per move"),
    "dies_at": say("dies at"),
    "hit_self": say("hitting yourself"),
    "split_least": say("a split leaves at least"),
    "split_same": say("a split to the same pair"),
    "revive": say("dead hands revive"),
}
BOARD = ("columns", "rows")
PRESETS = {
    "benedict": say("Benedict’s"),
    "despacito": say("Despacito’s"),
    "feathers-revive": say("Feathers with revival"),
}
NOT_OPTIONS = frozenset({"position", "move", "why", "page", "talk"})  # in the query of an address

Options = Mapping[str, Any]


# Fields


@dataclass(frozen=True)
class Field:
    """One option as a form shows it."""

    name: str
    label: str
    about: str
    kind: str  # "choice", "number", "text", "list" or "lists"
    value: str
    choices: tuple[tuple[str, str], ...] = ()  # value and label
    low: float | None = None
    high: float | None = None
    optional: bool = False
    items: tuple[str, ...] = ()  # of a list
    single: str = ""  # the name of one of them
    bundles: tuple[tuple[str, str, str], ...] = ()  # value, label, its items
    brings: tuple[tuple[str, str, str], ...] = ()  # value and label of each preset, what it sets

    @property
    def is_preset(self) -> bool:
        """Whether it sets other options."""
        return bool(self.brings)


def fields(game: Game, *, without: tuple[str, ...] = ()) -> list[Field]:
    """Return the form of a game's options, filled with their values."""
    known = options_of(type(game))
    preset_first = sorted(known.values(), key=lambda option: not option.presets)
    return [
        _field(known, each, getattr(game, each.name))
        for each in preset_first
        if each.name not in without
    ]


def label(option: str) -> str:
    """Return the label of an option."""
    return core.capital(words(option))


def words(option: str) -> str:
    """Return what an option is called in a sentence."""
    return WORDS.get(option) or say(option.replace("_", " "))


def name_values(option: Option) -> dict[str, str]:
    """Return what each of the few values of an option is called, by how it is written."""
    if option.kind is bool:
        return dict(zip(("yes", "no"), YES_AND_NO.get(option.name, (YES, NO)), strict=True))
    return {value: say(value) for value in option.choices}


def _field(known: Mapping[str, Option], option: Option, value: Any) -> Field:
    kind, choices = "text", tuple(name_values(option).items())
    brings = _brings(known, option)
    if brings:
        choices = tuple((preset, name) for preset, name, _ in brings)
    if option.depth:
        kind = "list" if option.depth == 1 else "lists"
    elif option.kind is bool:
        kind, choices = "choice", tuple((value, core.capital(name)) for value, name in choices)
    elif choices:
        kind = "choice"
    elif option.kind in (int, float):
        kind = "number"
    return Field(
        option.name,
        label(option.name),
        option.about,
        kind,
        value="" if value in (None, ()) else option.write(value),
        choices=choices,
        low=option.low,
        high=option.high,
        optional=option.optional,
        items=tuple(map(_write_item, value)) if option.depth else (),
        single=say(option.name.removesuffix("s")),
        bundles=tuple(
            (name, say(name.replace("-", " ")), "; ".join(map(_write_item, items)))
            for name, items in option.bundles.items()
        ),
        brings=brings,
    )


def _brings(known: Mapping[str, Option], option: Option) -> tuple[tuple[str, str, str], ...]:
    """List the presets of an option, each with what it sets differently from the others."""
    presets = option.presets or {}
    found = []
    for preset, brings in presets.items():
        settings = [
            say("{option} {value}", option=words(name), value=_name_value(known[name], value))
            for name, value in brings.items()
            if name not in BOARD and any(other[name] != value for other in presets.values())
        ]
        found.append((preset, _preset_name(option, preset), core.join(", ", settings)))
    return tuple(found)


def _name_value(option: Option, value: Any) -> str:
    written = option.write(value)
    return name_values(option).get(written, written)


def _preset_name(option: Option, preset: str) -> str:
    """Return the label of a preset, with the size of its board."""
    name = PRESETS.get(preset) or core.capital(say(preset.replace("-", " ")))
    brings = (option.presets or {})[preset]
    return (
        say("{name}, {columns}×{rows}", name=name, columns=brings["columns"], rows=brings["rows"])
        if set(BOARD) <= set(brings)
        else name
    )


def _write_item(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Options beside other fields


def fields_beside(name: str, typed: Mapping[str, str]) -> list[Field]:
    """Return the fields of a game's options, filled in as typed; a preset fills in others.

    Their names begin with `OPTION`, so that the form can have fields of its own.
    """
    known = options_of(registry.find("games", name))
    presets = {
        option.name: typed[OPTION + option.name]
        for option in known.values()
        if option.presets and typed.get(OPTION + option.name) in option.choices
    }
    return [
        replace(each, name=OPTION + each.name, value=typed.get(OPTION + each.name, each.value))
        for each in fields(registry.build("games", name, presets), without=("seats",))
    ]


def read_beside(name: str, typed: Mapping[str, str]) -> Game:
    """Return the game that such fields ask for."""
    options = {
        option.name: option.read(typed[OPTION + option.name][:MAX_LENGTH])
        for option in options_of(registry.find("games", name)).values()
        if OPTION + option.name in typed and option.name != "seats"
    }
    game: Game = registry.build("games", name, options)
    return game


# Options after a form was sent


def change(name: str, options: Options, typed: Mapping[str, str]) -> Options:
    """Return the options with what was typed; another preset brings its own values."""
    known = options_of(registry.find("games", name))
    before = dict(options)
    changed = {
        option: known[option].read(text[:MAX_LENGTH])
        for option, text in typed.items()
        if option in known and not known[option].depth
    }
    for option, value in changed.items():
        if known[option].presets and before.get(option, known[option].default) != value:
            kept = {each for each, opt in known.items() if opt.has_default}
            before = {each: before[each] for each in before if each in kept}
            changed = {each: changed[each] for each in changed if each in kept}
            break
    return _check(name, before | changed)


def add(name: str, options: Options, option: str, text: str) -> Options:
    """Return the options with one more item in a list: a number, or a list of numbers."""
    found, items = _find_list(name, options, option)
    single = say(option.removesuffix("s"))
    item: Any
    if found.depth == 2:
        item = [core.whole(digits) for digits in re.findall("[0-9]+", text[:MAX_LENGTH])]
        if not item:
            raise BadText("{text} has no digits; type sizes such as 1, 2, 3", text=core.quote(text))
        if sorted(item) in map(sorted, items):
            raise BadText(
                "{write_item} is already among the {option}",
                write_item=_write_item(tuple(item)),
                option=words(option),
            )
    else:
        if not re.fullmatch("[0-9]+", text.strip()):
            raise BadText("{text} is not a number; use digits only", text=core.quote(text))
        item = core.whole(text.strip())
        if not item:
            raise BadText("a {single} cannot be 0; type 1 or more", single=single)
    one = replace(
        found, name=say("this {single}", single=single), depth=found.depth - 1, longest=None
    )
    one.check(item)  # so that an error is about this item alone
    if found.longest is not None and len(items) >= found.longest:
        raise BadText(
            "there are already {items} {option}, the maximum",
            items=len(items),
            option=words(option),
        )
    return _check(name, {**options, option: [*items, item]})


def add_bundle(name: str, options: Options, option: str, bundle: str) -> Options:
    """Return the options with the missing items of a bundle added."""
    found, items = _find_list(name, options, option)
    if bundle not in found.bundles:
        raise UnknownName("{name} has no {part}", name=words(option), part=core.quote(bundle))
    there = [sorted(each) for each in items]
    fresh = [core.plain(each) for each in found.bundles[bundle] if sorted(each) not in there]
    return _check(name, {**options, option: [*items, *fresh]})


def drop(name: str, options: Options, option: str, at: int | None) -> Options:
    """Return the options without one item of a list."""
    _, items = _find_list(name, options, option)
    if at is None or at not in range(len(items)):
        raise BadText("that {item} is no longer there", item=say(option.removesuffix("s")))
    return _check(name, {**options, option: items[:at] + items[at + 1 :]})


def _find_list(name: str, options: Options, option: str) -> tuple[Option, list[Any]]:
    """Return an option that is a list of numbers, and its present items."""
    game = registry.build("games", name, options)
    found = options_of(type(game)).get(option)
    if found is None or not found.depth or found.kind is not int:
        raise UnknownName("{name} has no {part}", name=name, part=core.quote(option))
    return found, core.plain(getattr(game, option))


def _check(name: str, options: Options) -> Options:
    """Return the options if they make a game, else raise the reason."""
    registry.build("games", name, options)
    return options


# Variants in addresses


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
        game = self.game or registry.build("games", self.cls)
        typed = self.typed if self.game is None else {}
        return [replace(each, value=typed.get(each.name, each.value)) for each in fields(game)]

    def require_game(self) -> Game:
        """Return the game, or refuse the first option that is wrong."""
        if self.game is None:
            option, why = next(iter(self.wrong.items()))
            raise BadText("{option}: {why}", option=label(option), why=why)
        return self.game


def read_variant(name: str, query: Mapping[str, str]) -> Variant:
    """Read the variant of an address; refuse unknown games and options."""
    cls = registry.find("games", name)
    known = options_of(cls)
    typed = {option: text for option, text in query.items() if option not in NOT_OPTIONS}
    options: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for option, text in typed.items():
        try:
            options[option] = _read(known[option], text) if option in known else text
        except BadOption as error:
            wrong[option] = _why_not(error)
    game: Game | None = None
    named = str(getattr(cls, "name", name))
    if not wrong:
        try:
            game = registry.build("games", cls, options)
        except BadOption as error:
            wrong[error.option] = _why_not(error)
    return Variant(named, cls, typed, wrong, game)


def _why_not(error: BadOption) -> str:
    """Say what is wrong with an option, beside its field."""
    return say(
        "it cannot be {value}; {allowed}", value=core.quote(error.value), allowed=error.allowed
    )


def _read(option: Option, text: str) -> Any:
    if len(text) > MAX_LENGTH:
        raise BadOption(
            option.name,
            text,
            say("at most {max_length:,} characters are read", max_length=MAX_LENGTH),
        )
    return option.read(text)


def list_changes(game: Game) -> dict[str, str]:
    """Return the options that differ from their defaults, each as text."""
    return dict(part.split("=", 1) for part in shlex.split(core.describe(game))[1:])


def order_games() -> list[str]:
    """Return the names of all games, those with a place of their own first."""
    games = {name: claim.load() for name, claim in registry.claims("games").items()}
    return sorted(games, key=lambda name: core.extra(games[name], "place"))


def list_cards(address: Callable[[Game], str]) -> list[dict[str, Any]]:
    """Return a card for each game, with its picture and a link."""
    games: list[Game] = [registry.build("games", name) for name in order_games()]
    return [
        {
            "name": game.name,
            "href": address(game),
            "title": core.title(game),
            "options": [words(option) for option in options_of(type(game))],
            "picture": boards.picture(game, game.start()),
        }
        for game in games
    ]


def list_presets(found: Variant) -> list[tuple[str, Game]]:
    """Return the default variant and the presets, each with its label."""
    named: list[tuple[str, Game]] = [(say("Default rules"), registry.build("games", found.cls))]
    for name, option in options_of(found.cls).items():
        named += [
            (_preset_name(option, preset), registry.build("games", found.cls, {name: preset}))
            for preset in option.presets or ()
            if preset != option.default
        ]
    return named


def describe_variant(found: Variant, address: Callable[[Game], str]) -> dict[str, Any]:
    """Return what the pages with the form of a variant show of it."""
    return {
        "name": found.name,
        "title": core.title(found.game or registry.build("games", found.cls)),
        "fields": found.fields,
        "wrong_rules": {option: core.sentence(text) for option, text in found.wrong.items()},
        "options": list_changes(found.game) if found.game else {},
        "presets": [
            (label, address(other), other == found.game) for label, other in list_presets(found)
        ],
    }
