"""Options as forms: each field is made from the option's own declaration, and read back by it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from parlour.core import (
    UNSET,
    BadText,
    Game,
    Option,
    UnknownName,
    declared,
    plain,
    quote,
    registry,
    whole,
)

LONGEST = 2_000  # characters of one field
WORDS = {"misere": ("Misère", "Standard")}  # what yes and no are called, where it has a name
CALLED = {
    "misere": "The last move",
    "dies_at": "Dies at",
    "hit_self": "Hitting oneself",
    "split_least": "A split leaves at least",
    "split_same": "A split to the same pair",
    "revive": "Dead hands revive",
}
BOARD = ("columns", "rows")
PRESETS = {  # by their own name
    "benedict": "Benedict’s",
    "despacito": "Despacito’s",
    "feathers-revive": "Feathers with revival",
}


@dataclass(frozen=True)
class Field:
    """One option as a form shows it."""

    name: str
    label: str
    about: str
    kind: str  # "choice", "number", "text", "list" or "lists"
    value: str
    choices: tuple[tuple[str, str], ...] = ()  # what is sent, and what is shown
    low: float | None = None
    high: float | None = None
    optional: bool = False
    items: tuple[str, ...] = ()  # of a list, as shown
    single: str = ""  # what one of them is called
    bundles: tuple[tuple[str, str, str], ...] = ()  # what is sent, what it is called, its items
    brings: tuple[tuple[str, str, str], ...] = ()  # likewise of presets: what each brings

    @property
    def is_preset(self) -> bool:
        """Whether it chooses values for other options."""
        return bool(self.brings)


def fields(game: Game, *, without: tuple[str, ...] = ()) -> list[Field]:
    """The form of a game's options, filled with the values they have."""
    known = declared(type(game))
    preset_first = sorted(known.values(), key=lambda option: not option.presets)
    return [
        _field(known, each, getattr(game, each.name))
        for each in preset_first
        if each.name not in without
    ]


def label(option: str) -> str:
    """What an option is called."""
    return CALLED.get(option, option.replace("_", " ").capitalize())


def preset_name(option: Option, preset: str) -> str:
    """What a preset is called, with the board that it brings."""
    name = PRESETS.get(preset, preset.replace("-", " ").capitalize())
    brings = (option.presets or {})[preset]
    return f"{name}, {brings['columns']}×{brings['rows']}" if set(BOARD) <= set(brings) else name


def _brings(known: Mapping[str, Option], option: Option) -> tuple[tuple[str, str, str], ...]:
    """The presets of an option, each with what it brings that others do not."""
    presets = option.presets or {}
    found = []
    for preset, brings in presets.items():
        told = [
            f"{label(name).lower()} {known[name].write(value)}"
            for name, value in brings.items()
            if name not in BOARD and any(other[name] != value for other in presets.values())
        ]
        found.append((preset, preset_name(option, preset), ", ".join(told)))
    return tuple(found)


def _field(known: Mapping[str, Option], option: Option, value: Any) -> Field:
    kind, choices = "text", tuple((each, each) for each in option.choices)
    brings = _brings(known, option)
    if brings:
        choices = tuple((preset, called) for preset, called, _ in brings)
    if option.depth:
        kind = "list" if option.depth == 1 else "lists"
    elif choices:
        kind = "choice"
    elif option.kind is bool:
        yes, no = WORDS.get(option.name, ("Yes", "No"))
        kind, choices = "choice", (("yes", yes), ("no", no))
    elif option.kind in (int, float):
        kind = "number"
    items: tuple[str, ...] = ()
    if option.depth:
        items = tuple(_item(each) for each in value)
    shown = "" if value is None else option.write(value)
    return Field(
        option.name,
        label(option.name),
        option.about,
        kind,
        shown,
        choices,
        option.low,
        option.high,
        option.optional,
        items,
        option.name.removesuffix("s"),
        tuple(
            (name, name.replace("-", " "), "; ".join(map(_item, items)))
            for name, items in option.bundles.items()
        ),
        brings,
    )


def _item(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def change(name: str, options: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """The options after a form was sent; another preset brings its own values along."""
    cls = registry.find("games", name)
    known = declared(cls)
    before = dict(options)
    changed: dict[str, Any] = {}
    for option, text in typed.items():
        if option in known and not known[option].depth:
            changed[option] = known[option].read(text[:LONGEST])
    for option, value in changed.items():
        if known[option].presets and before.get(option, known[option].default) != value:
            kept = {each: opt for each, opt in known.items() if opt.default is not UNSET}
            before = {each: before[each] for each in before if each in kept}
            changed = {each: changed[each] for each in changed if each in kept}
            break
    return checked(name, before | changed)


def add(name: str, options: Mapping[str, Any], option: str, text: str) -> dict[str, Any]:
    """The options with one more item in a list: digits for a number, any digits for a list."""
    found = _list(name, option)
    items = plain(getattr(registry.game(name, **options), option))
    digits = re.findall("[0-9]+", text[:LONGEST])
    if found.depth == 2:
        if not digits:
            raise BadText(f"{quote(text)} holds no digits; type sizes such as 1, 2, 3")
        item: Any = [whole(run) for run in digits]
        if sorted(item) in [sorted(each) for each in items]:
            raise BadText(f"{_item(tuple(item))} is among the {option} already")
    else:
        if not re.fullmatch("[0-9]+", text.strip()):
            raise BadText(f"{quote(text)} is no number; type digits only")
        item = whole(text.strip())
        if not item:
            raise BadText(f"a {option.removesuffix('s')} of 0 is none; type 1 or more")
    single = replace(
        found, name=f"this {option.removesuffix('s')}", depth=found.depth - 1, longest=None
    )
    single.check(item)  # what is wrong with it is told of it alone
    if found.longest is not None and len(items) >= found.longest:
        raise BadText(f"there are {len(items)} {option}, the most there may be")
    return checked(name, {**options, option: [*items, item]})


def add_bundle(name: str, options: Mapping[str, Any], option: str, bundle: str) -> dict[str, Any]:
    """The options with the items of a bundle, those that are not there yet."""
    found = _list(name, option)
    if bundle not in found.bundles:
        raise UnknownName(f"{option} has no {quote(bundle)}")
    items = plain(getattr(registry.game(name, **options), option))
    there = [sorted(each) for each in items]
    fresh = [plain(each) for each in found.bundles[bundle] if sorted(each) not in there]
    return checked(name, {**options, option: [*items, *fresh]})


def drop(name: str, options: Mapping[str, Any], option: str, at: int | None) -> dict[str, Any]:
    """The options with one item of a list taken out."""
    _list(name, option)
    items = plain(getattr(registry.game(name, **options), option))
    if at is None or at not in range(len(items)):
        raise BadText(f"there is no such {option.removesuffix('s')} any more")
    return checked(name, {**options, option: items[:at] + items[at + 1 :]})


def _list(name: str, option: str) -> Option:
    known = declared(registry.find("games", name))
    if option not in known or not known[option].depth or known[option].kind is not int:
        raise UnknownName(f"{name} has no list {quote(option)}")
    return known[option]


def checked(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, if they make a game; else the reason why not."""
    registry.game(name, **options)
    return dict(options)
