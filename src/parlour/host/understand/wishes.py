"""A game asked for in one sentence: `nim with 3, 4 and 5, misère, you start`.

What the sentence says of piles, sizes and rules becomes the options of the game; the rest is who
begins, whom to play against, and how well.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from parlour.core import Option, options_of, registry, title, whole
from parlour.host.language import normalise, read_expressions, read_sections
from parlour.rules import Nim

EXPRESSIONS = read_expressions("understand/expressions/wishes.txt")
GAME_NAMES = read_sections("understand/words/games.txt")
BOT_NAMES = {"perfect": ("perfect", "perfection"), "hats": ("hats", "hat"), "random": ("random",)}
N = r"(?<!\S)(-?\d+(?:\.\d+)?)(?!\S)"  # a number as a line has it
LIMIT = rf"(?:at most|(?:no|never|not) more than|up to|maximum(?: of)?|max|limit(?: of)?) {N}"
LEVEL = rf"\b(?:level|strength|difficulty) (?:to |of |at )?{N}"
PILE = r"(?:pile|heap|row|stack)"
PEOPLE = re.compile(
    rf"(?:\bfor )?{N} (?:people|players?|seats?|persons?|of us)\b"
    rf"|\bfor {N}(?= with\b| misere\b| please\b| where\b|$)"
)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play."""

    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    begins: str = ""  # "me" is the person, "you" the opponent
    against: str = ""
    level: int | None = None  # the nearest whole one


def find_game(words: Sequence[str]) -> str:
    """Return the game that a line names, by the longest name; others' by their names and titles."""
    text = EXPRESSIONS["tic tac toe"].sub("tic tac toe", f" {' '.join(words)} ")
    found = [
        (len(name), game)
        for game, names in GAME_NAMES.items()
        for name in names
        if f" {name} " in text
    ]
    for game, claim in registry.claims("games").items():
        if game not in GAME_NAMES:
            names = _list_names(game, claim.load())
            found += [(len(name), game) for name in names if f" {name} " in text]
    return max(found)[1] if found else ""


@cache
def _list_names(game: str, cls: type) -> frozenset[str]:
    """Return what a game from elsewhere may be called in a line: its name, and its title."""
    names = {game, _speak(game), _speak(game.replace("_", " "))}
    with contextlib.suppress(Exception):  # others' games may fail in any way
        names.add(_speak(title(registry.build(cls, game, {}))))
    return frozenset(names)


@cache
def _speak(name: str) -> str:
    """Return the name of a bot or a game as a line has it: `tic tac toe` of `tic-tac-toe`."""
    return normalise(name).plain


def find_bots(words: Sequence[str]) -> list[str]:
    """Return the bots that a line names, in order."""
    text = f" {' '.join(words)} "
    found = []
    for name in {*registry.claims("bots"), "menace"}:
        for form in BOT_NAMES.get(name, (_speak(name),)):
            for match in re.finditer(rf" {re.escape(form)}(?= )", text):
                found.append((match.start(), name))
    return [name for _, name in sorted(found)]


def read_wish(words: Sequence[str], game: str = "") -> Wish:
    """Return what a sentence asks for; `game` is the one on the table, if it names none itself."""
    name = find_game(words)
    game = name or game
    text, level = _split_level(words)
    bots = [bot for bot in find_bots(text.split()) if bot != "benedict"]
    if game == "sticks" or "hats" in bots:
        bots = [bot for bot in bots if bot != "hats"] + ["hats"] * ("hats" in bots)
    options = _read_options(game, _without_bots(text)) if game else {}
    if options.get("opening") in bots:
        bots.remove(options["opening"])
    return Wish(game, options, _find_beginner(text, name), bots[0] if bots else "", level)


def _split_level(words: Sequence[str]) -> tuple[str, int | None]:
    """Return a line without its level, and the level: the nearest whole one, or either end."""
    text = re.sub(r"\b(the|last|that|this|perfect|other|bot) 1\b", r"\1 one", " ".join(words))
    text = re.sub(r"\bminus (?=\d)", "-", text)
    if level := re.search(LEVEL, text):
        return " ".join(re.sub(LEVEL, " ", text).split()), round(float(level[1]))
    if EXPRESSIONS["hardest"].search(text):
        return text, 10
    return text, 1 if EXPRESSIONS["easiest"].search(text) else None


def _find_beginner(text: str, game: str) -> str:
    """Return who begins; `othello second` says it of the person, where a game is named."""
    me = EXPRESSIONS["person begins"].search(text)
    you = EXPRESSIONS["opponent begins"].search(text)
    is_clear = me or you or not game or EXPRESSIONS["before another game"].search(text)
    if not is_clear and (alone := EXPRESSIONS["first or second"].search(text)):
        return "me" if alone[1] == "first" else "you"
    return "me" if me and not you else "you" if you and not me else ""


def find_counts(words: Sequence[str]) -> list[int]:
    """Return the numbers of a line that count piles or coins: no limit, no players, no level."""
    _, text = _split_limit(_without_bots(_split_level(words)[0]))
    left = PEOPLE.sub(" ", text).split()
    return [int(word) for word in left if word.isdigit() and len(word) < 12]


def _without_bots(text: str) -> str:
    """Remove the names of bots that have a number in them: `1 at a time` is no pile."""
    for name in map(_speak, registry.claims("bots")):
        if re.search(r"\d", name):
            text = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", " ", text)
    return " ".join(text.split())


def _to_number(text: str) -> int | float:
    """Return a number, whether or not a game can have it."""
    if "." in text:
        return float(text)
    return -whole(text[1:]) if text[0] == "-" else whole(text)


def _find_numbers(text: str) -> list[int | float]:
    return [_to_number(number) for number in re.findall(N, text)]


def _split_limit(text: str) -> tuple[dict[str, Any], str]:
    """Return a limit on what one move may take, and the text without it."""
    found = re.search(LIMIT, text)
    if not found:
        return {}, text
    return {"take": _to_number(found[1])}, text.replace(found[0], " ")


def _last_loses(text: str) -> bool | None:
    """Say whether taking the last loses; None when the text does not say so."""
    taken = r"(?:is )?(?:who(?:ever)? )?(?:takes?|taking|gets?|has|picks?|draws?)\b.*\blast\b"
    if re.search(
        r"\bmisere\b|\blast\b.* (?:loses?|losing|loser|lost)\b|\bloses?\b.*\blast\b"
        rf"|\bloser {taken}",
        text,
    ):
        return True
    normal = r"\bnormal\b|\blast\b.* (?:wins?|winner)\b|\bwins?\b.*\blast\b"
    if re.search(rf"{normal}|\bwinner {taken}", text):
        return False
    return None


def _read_nim(text: str) -> dict[str, Any]:
    options, text = _split_limit(text)
    if seats := PEOPLE.search(text):
        options["seats"] = _to_number(seats[1] or seats[2])
        text = f"{text[: seats.start()]} {text[seats.end() :]}"
    misere = _last_loses(text)
    if misere is not None:
        options["misere"] = misere
    if "class ending" in text:
        options["endings"] = options_of(Nim)["endings"].bundles["class-endings"]
    if piles := _read_piles(re.sub(rf"\b1 {PILE} (?=of|with|holding)", "pile ", text)):
        options["piles"] = piles
    return options


def _read_piles(text: str) -> tuple[int | float, ...]:
    """Read the piles: `3 4 5`, `3 piles of 5`, `2 heaps with 7 coins in each`."""
    text = re.sub(rf"(\b{PILE} (?:of|with) \S+ and )1 (?=(?:of|with)\b)", r"\1", text)
    numbers = _find_numbers(text)
    equal = re.search(rf"{N} {PILE}s (?:of|with|holding) {N}", text)
    if not equal or len(numbers) != 2:
        equal = re.search(rf"{N} {PILE}s\b.* {N} (?:\w+ )?in each", text)
    if equal:
        many, size = _to_number(equal[1]), _to_number(equal[2])
        return (size,) * min(int(many), 65) if _is_count(many) else (many, size)
    count = re.search(rf"{N} {PILE}s", text)
    if len(numbers) == 1 and not re.search(r"\b(?:piles?|heaps?|with|of|nim) -?\d", text):
        return ()
    if count and len(numbers) == _to_number(count[1]) + 1:
        numbers = _find_numbers(text.replace(count[0], " ", 1))
    return () if count and len(numbers) == 1 and _is_count(numbers[0]) else tuple(numbers)


def _is_count(number: int | float) -> bool:
    return isinstance(number, int) and number > 0


def _read_sticks(text: str) -> dict[str, Any]:
    options, text = _split_limit(text)
    numbers = _find_numbers(text)
    if numbers:
        options["sticks"] = numbers[0]
    return options


def _read_chopsticks(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "feather" in text:
        options["rules"] = "feathers-revive" if "reviv" in text else "feathers"
    dies = re.search(rf"(?:dies?|dead|die|out|dying) (?:at|with|on) {N}", text)
    if dies:
        options["dies_at"] = _to_number(dies[1])
        text = text.replace(dies[0], " ")
    if re.search(r"\bwrap|\broll over\b|\bleftover\b", text):
        options["overflow"] = "wraps"
    if EXPRESSIONS["no repeats"].search(text):
        options["loops"] = "barred"
    if re.search(
        r"\b(?:hit|hitting|tap|attack\w*)\b.*\b(?:own|self|yourself|myself|itself)\b", text
    ):
        options["hit_self"] = True
    dead = re.search(
        r"\b(?:no|without|not|never)\b.*\b(?:reviv\w*|com(?:e|ing) back|resurrect\w*)", text
    )
    if dead and "rules" not in options:
        options["revive"] = False
    fingers = re.search(rf"{N} fingers?", text)
    if fingers:
        options["fingers"] = _to_number(fingers[1])
    return options


def _read_size(text: str) -> dict[str, Any]:
    found = re.search(rf"{N}(?: columns)? (?:x|by|times|and) {N}(?: rows)?", text)
    if found and (re.search(r"\d (?:x|by|times) -?\d", text) or "columns" in text):
        return {"columns": _to_number(found[1]), "rows": _to_number(found[2])}
    square = re.search(rf"{N} (?:squares? )?(?:on|to) (?:a |each )?side\b", text)
    return {"columns": _to_number(square[1]), "rows": _to_number(square[1])} if square else {}


def _read_tictactoe(text: str) -> dict[str, Any]:
    options = _read_size(text)
    line = re.search(rf"{N} in (?:a )?(?:row|line)|line of {N}", text)
    loses = re.search(r"\b(?:row|line)\b.*\bloses?\b", text)
    long = _to_number(line[1] or line[2]) if line else None
    if long is not None and not (loses and long == 3):
        options["line"] = long
    backwards = (
        r"\bmisere\b|\bbackwards?\b|\breversed?\b|\binverted?\b|\b(?:line|row)\b.*\bloses?\b"
    )
    if re.search(backwards + r"|\bavoid\b|\bloses?\b.*\bline\b", text):
        options["misere"] = True
    return options


def _read_othello(text: str) -> dict[str, Any]:
    options = _read_size(text)
    opening = re.search(r"\b(benedict|despacito|standard)(?: is)? (?:opening|start|setup)\b", text)
    if opening or (opening := re.search(r"\bopening (benedict|despacito|standard)\b", text)):
        options["opening"] = opening[1]
    return options


def _read_options(game: str, text: str) -> dict[str, Any]:
    """Return the options that a line names; for games from elsewhere, those they declare."""
    if game in READERS:
        return READERS[game](text)
    known = options_of(registry.find("games", game))
    found = _read_size(text) if {"columns", "rows"} <= known.keys() else {}
    for name, option in known.items():
        if name not in found and not option.depth:
            value = _find_value(option, _speak(name.replace("_", " ")), text)
            found |= {} if value is None else {name: value}
    return found


def _find_value(option: Option, name: str, text: str) -> Any:
    """Return what a line says of an option: `4 columns`, `without centre`, one of its choices."""
    if option.choices:
        choices = [choice for choice in option.choices if f" {_speak(choice)} " in f" {text} "]
        return choices[0] if len(choices) == 1 else None
    if option.kind is bool:
        found = re.search(rf"\b(no |not |without )?(?:the )?{re.escape(name)}\b", text)
        return None if found is None else not found[1]
    if option.kind is int:
        thing = rf"{re.escape(name.removesuffix('s'))}s?"
        found = re.search(rf"{N} {thing}\b|\b{thing} (?:of )?{N}", text)
        return None if found is None else _to_number(found[1] or found[2])
    return None


READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "nim": _read_nim,
    "sticks": _read_sticks,
    "chopsticks": _read_chopsticks,
    "tictactoe": _read_tictactoe,
    "othello": _read_othello,
}
