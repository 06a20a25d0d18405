"""A new class, as its form is shown and read: the game with its options, and how it is to learn."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from parlour.core import BadText, Game, ParlourError, declared, quote, registry, title
from parlour.faces.web import forms
from parlour.faces.web.errors import NotThere
from parlour.faces.web.requests import Fields
from parlour.faces.web.table import LONGEST_NAME, person_name
from parlour.learn import AGAINST, RULES, STARTS, check_boxes

FIRST = ("sticks", "tictactoe", "nim", "chopsticks")
USUAL_GAMES = 100_000
MOST_GAMES = 100_000_000  # in all, in one class
MOST_SEED = 10**6  # of those that are drawn; one may type longer ones
OPTION = "option-"  # what the names of fields for the game's own options begin with
RULE_NAMES = {"hats": "Hats", "menace": "MENACE"}
WHOM = {
    "another": "Another who learns too",
    "itself": "Itself, from the same hats",
    "random": "A random player",
    "perfect": "The perfect player",
}
BEGINS = {"alternate": "Each in turn", "first": "Always the first"}


@dataclass(frozen=True)
class Wish:
    """A new class, as its form was filled in."""

    name: str
    game: Game
    settings: Mapping[str, Any]  # how hats are made
    games: int


@cache
def learnable() -> dict[str, str]:
    """The titles of the games that hats may learn, by name."""
    names = registry.games()
    found = {}
    for name in [*(n for n in FIRST if n in names), *(n for n in names if n not in FIRST)]:
        try:
            game = registry.game(name)
            check_boxes(game)
        except ParlourError:
            continue
        found[name] = title(game)
    return found


def check_learnable(name: str) -> str:
    """The name, if hats may learn the game."""
    if name not in learnable():
        raise NotThere(f"hats cannot learn {quote(name)}; choose a game from the list")
    return name


def fields(name: str, typed: Mapping[str, str]) -> list[forms.Field]:
    """The game's own options, filled in as typed; a preset brings its values along."""
    known = declared(registry.find("games", name))
    presets = {
        option.name: typed[OPTION + option.name]
        for option in known.values()
        if option.presets and typed.get(OPTION + option.name) in option.choices
    }
    return [
        replace(each, name=OPTION + each.name, value=typed.get(OPTION + each.name, each.value))
        for each in forms.fields(registry.game(name, **presets), without=("seats",))
    ]


def wished(form: Fields) -> Wish:
    """What the form asks for; refused in one sentence where that cannot be."""
    name = check_learnable(form.get("game", ""))
    game = registry.game(name, **_options(name, form))
    settings: dict[str, Any] = {}
    for what, choices in (("rule", tuple(RULES)), ("against", AGAINST), ("starts", STARTS)):
        settings[what] = form.get(what) or choices[0]
        if settings[what] not in choices:
            raise BadText(f"{what} cannot be {quote(settings[what])}; choose one that is offered")
    seed, games = form.number("seed"), form.number("games")
    settings["seed"] = secrets.randbelow(MOST_SEED) if seed is None else seed
    if games is None:
        games = USUAL_GAMES
    if games > MOST_GAMES:
        raise BadText(f"a class plays {MOST_GAMES:,} games at most")
    usual = f"{title(game)[: LONGEST_NAME - 8]}, {RULE_NAMES[settings['rule']]}"
    return Wish(person_name(form.get("name", "").strip() or usual), game, settings, games)


def _options(name: str, form: Fields) -> dict[str, Any]:
    known = declared(registry.find("games", name))
    return {
        option.name: option.read(form[OPTION + option.name][: forms.LONGEST])
        for option in known.values()
        if OPTION + option.name in form
    }
