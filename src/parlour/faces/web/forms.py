"""Options as forms: each field is made from the option's own declaration, which also reads it."""

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
    options_of,
    plain,
    quote,
    registry,
    whole,
)

LONGEST = 2_000  # characters of one field
WORDS = {"misere": ("Misère", "Standard")}  # names for yes and no
LABELS = {
    "misere": "Objective",
    "dies_at": "Dies at",
    "hit_self": "Hitting yourself",
    "split_least": "A split leaves at least",
    "split_same": "A split to the same pair",
    "revive": "Dead hands revive",
}
BOARD = ("columns", "rows")
PRESETS = {
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
    return LABELS.get(option, option.replace("_", " ").capitalize())


def preset_name(option: Option, preset: str) -> str:
    """Return the label of a preset, with the size of its board."""
    name = PRESETS.get(preset, preset.replace("-", " ").capitalize())
    brings = (option.presets or {})[preset]
    return f"{name}, {brings['columns']}×{brings['rows']}" if set(BOARD) <= set(brings) else name


def _brings(known: Mapping[str, Option], option: Option) -> tuple[tuple[str, str, str], ...]:
    """List the presets of an option, each with what it sets differently from the others."""
    presets = option.presets or {}
    found = []
    for preset, brings in presets.items():
        settings = [
            f"{label(name).lower()} {known[name].write(value)}"
            for name, value in brings.items()
            if name not in BOARD and any(other[name] != value for other in presets.values())
        ]
        found.append((preset, preset_name(option, preset), ", ".join(settings)))
    return tuple(found)


def _field(known: Mapping[str, Option], option: Option, value: Any) -> Field:
    kind, choices = "text", tuple((each, each) for each in option.choices)
    brings = _brings(known, option)
    if brings:
        choices = tuple((preset, name) for preset, name, _ in brings)
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
    text = "" if value is None else option.write(value)
    return Field(
        option.name,
        label(option.name),
        option.about,
        kind,
        text,
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
    """Return the options after a form was sent; another preset brings its own values."""
    cls = registry.find("games", name)
    known = options_of(cls)
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
    return _check(name, before | changed)


def add(name: str, options: Mapping[str, Any], option: str, text: str) -> dict[str, Any]:
    """Return the options with one more item in a list: a number, or a list of numbers."""
    found = _find_list(name, option)
    items = plain(getattr(registry.game(name, **options), option))
    digits = re.findall("[0-9]+", text[:LONGEST])
    if found.depth == 2:
        if not digits:
            raise BadText(f"{quote(text)} has no digits; type sizes such as 1, 2, 3")
        item: Any = [whole(run) for run in digits]
        if sorted(item) in [sorted(each) for each in items]:
            raise BadText(f"{_item(tuple(item))} is already among the {option}")
    else:
        if not re.fullmatch("[0-9]+", text.strip()):
            raise BadText(f"{quote(text)} is not a number; use digits only")
        item = whole(text.strip())
        if not item:
            raise BadText(f"a {option.removesuffix('s')} cannot be 0; type 1 or more")
    single = replace(
        found, name=f"this {option.removesuffix('s')}", depth=found.depth - 1, longest=None
    )
    single.check(item)  # so that an error is about this item alone
    if found.longest is not None and len(items) >= found.longest:
        raise BadText(f"there are already {len(items)} {option}, the maximum")
    return _check(name, {**options, option: [*items, item]})


def add_bundle(name: str, options: Mapping[str, Any], option: str, bundle: str) -> dict[str, Any]:
    """Return the options with the missing items of a bundle added."""
    found = _find_list(name, option)
    if bundle not in found.bundles:
        raise UnknownName(f"{option} has no {quote(bundle)}")
    items = plain(getattr(registry.game(name, **options), option))
    there = [sorted(each) for each in items]
    fresh = [plain(each) for each in found.bundles[bundle] if sorted(each) not in there]
    return _check(name, {**options, option: [*items, *fresh]})


def drop(name: str, options: Mapping[str, Any], option: str, at: int | None) -> dict[str, Any]:
    """Return the options without one item of a list."""
    _find_list(name, option)
    items = plain(getattr(registry.game(name, **options), option))
    if at is None or at not in range(len(items)):
        raise BadText(f"that {option.removesuffix('s')} is no longer there")
    return _check(name, {**options, option: items[:at] + items[at + 1 :]})


def _find_list(name: str, option: str) -> Option:
    known = options_of(registry.find("games", name))
    if option not in known or not known[option].depth or known[option].kind is not int:
        raise UnknownName(f"{name} has no list {quote(option)}")
    return known[option]


def _check(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options if they make a game, else raise the reason."""
    registry.game(name, **options)
    return dict(options)
