"""A game asked for in one sentence: `nim with 3, 4 and 5, misère, you start`.

What the sentence says of piles, sizes and rules becomes the options of the game; the rest is who
begins, whom to play against, and how well. Sections such as `chopsticks overflow=wraps` in
`expressions/wishes.txt` say how an option is asked for.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from parlour.core import Option, extra, options_of, registry, title, whole
from parlour.host.language import SMALL, normalise, texts

EXPRESSIONS = texts.read_expressions("understand/expressions/wishes.txt")
GAME_NAMES = texts.read_sections("understand/words/games.txt")
GAME_WORDS = frozenset(" ".join(name for some in GAME_NAMES.values() for name in some).split())
BOT_NAMES = {"perfect": ("perfect", "perfection"), "hats": ("hats", "hat")}
N = EXPRESSIONS["number"].pattern
HARDEST, EASIEST = 10, 1
BOTH = "both"  # said of what is either misère or not, so that the game refuses it
Number = int | float  # as it was said, whether or not a game can have it


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play."""

    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    begins: str = ""  # "me" is the person, "you" the opponent
    against: str = ""
    level: int | None = None  # the nearest whole one

    @property
    def slots(self) -> dict[str, Any]:
        """What the sentence says, apart from the game and its options."""
        found = {"begins": self.begins, "against": self.against, "level": self.level}
        return {name: value for name, value in found.items() if value not in ("", None)}


def find_game(words: Sequence[str]) -> str:
    """Return the game that a line names, by the longest name; others' by their names and titles."""
    text = EXPRESSIONS["tic tac toe"].sub("tic tac toe", f" {' '.join(words)} ")
    claims = registry.claims("games").items()
    others = {
        game: _list_names(game, claim.load()) for game, claim in claims if game not in GAME_NAMES
    }
    names = [(name, game) for game, some in (others | GAME_NAMES).items() for name in some]
    found = [(len(name), game) for name, game in names if f" {name} " in text]
    return max(found)[1] if found else ""


def list_names(game: str) -> tuple[str, ...]:
    """Return what a game of others may be called in a line: its name, and its title."""
    return _list_names(game, registry.find("games", game))


@cache
def _list_names(game: str, cls: type) -> tuple[str, ...]:
    names = {game, _speak(game), _speak(game.replace("_", " "))}
    with contextlib.suppress(Exception):  # others' games may fail in any way
        names.add(_speak(title(registry.build("games", cls))))
    return tuple(names)


@cache
def _speak(name: str) -> str:
    """Return the name of a bot or a game as a line has it: `tic tac toe` of `tic-tac-toe`."""
    return normalise(name).plain


def find_bots(words: Sequence[str]) -> list[str]:
    """Return the bots that a line names, in order."""
    text = f" {' '.join(words)} "
    found = [
        (match.start(), name)
        for name in {*registry.claims("bots"), "menace"}
        for form in BOT_NAMES.get(name, (_speak(name),))
        for match in re.finditer(rf" {re.escape(form)}(?= )", text)
    ]
    return [name for _, name in sorted(found)]


def read_wish(words: Sequence[str], game: str = "") -> Wish:
    """Return what a sentence asks for; `game` is the one on the table, if it names none itself."""
    name = find_game(words)
    game = name or game
    text, level = _split_level(words)
    bots = [bot for bot in find_bots(text.split()) if bot != "benedict"]
    bots.sort(key=lambda bot: bot == "hats")  # `against random with hats` is random
    options = _read_options(game, _without_bots(text)) if game else {}
    if options.get("opening") in bots:
        bots.remove(options["opening"])
    return Wish(game, options, _find_beginner(text, name), bots[0] if bots else "", level)


def _split_level(words: Sequence[str]) -> tuple[str, int | None]:
    """Return a line without its level, and the level: the nearest whole one, or either end."""
    text = EXPRESSIONS["a one"].sub(r"\1 one", " ".join(words))
    text = re.sub(r"\bminus (?=\d)", "-", text)
    if level := EXPRESSIONS["level"].search(text):
        return " ".join(EXPRESSIONS["level"].sub(" ", text).split()), round(float(level[1]))
    if EXPRESSIONS["hardest"].search(text):
        return text, HARDEST
    return text, EASIEST if EXPRESSIONS["easiest"].search(text) else None


def _find_beginner(text: str, game: str) -> str:
    """Return who begins; `othello second` says it of the person, where a game is named."""
    me = EXPRESSIONS["person begins"].search(text)
    you = EXPRESSIONS["opponent begins"].search(text)
    is_clear = me or you or not game or EXPRESSIONS["before another game"].search(text)
    if not is_clear and (alone := EXPRESSIONS["first or second"].search(text)):
        return "me" if alone[1] == "first" else "you"
    return "me" if me and not you else "you" if you and not me else ""


def find_counts(words: Sequence[str]) -> list[int]:
    """Return the numbers of a line that count piles or coins, not a limit, players or a level."""
    return [number for number in _find_free_numbers(words) if type(number) is int and number >= 0]


def _find_free_numbers(words: Sequence[str]) -> list[Number]:
    """Return the numbers of a line that are no limit, players, level or ending."""
    text, _ = _take_endings(_without_bots(_split_level(words)[0]))
    _, text = _take_number("take", text)
    return _find_numbers(EXPRESSIONS["seats"].sub(" ", text))


def read_answer(words: Sequence[str], game: str, asked: Sequence[str]) -> Wish:
    """Return what a line says where these options were asked for: a bare number is theirs."""
    wish = read_wish(words, game)
    if asked == ["against"] or set(asked) & wish.options.keys():
        return wish
    numbers = _find_free_numbers(words)
    if asked == ["misere"]:
        verdict = _read_verdict(" ".join(words))
        return wish if verdict is None else replace(wish, options={"misere": verdict})
    if asked == ["endings"] and numbers:
        return replace(wish, options={"endings": _read_endings(" ".join(words))})
    if len(numbers) not in (1, len(asked)):
        return wish
    others = {name: value for name, value in wish.options.items() if value not in numbers}
    named = dict(zip(asked, numbers * len(asked), strict=False))
    return replace(wish, options=others | named)


def _without_bots(text: str) -> str:
    """Remove the names of bots that have a number in them: `1 at a time` is not a pile."""
    for name in map(_speak, registry.claims("bots")):
        if re.search(r"\d", name):
            text = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", " ", text)
    return " ".join(text.split())


def _to_number(text: str) -> Number:
    if "." in text:
        return float(text)
    return -whole(text[1:]) if text[0] == "-" else whole(text)


def _find_numbers(text: str) -> list[Number]:
    return [_to_number(number) for number in re.findall(N, text)]


def _take_number(section: str, text: str) -> tuple[Number | None, str]:
    """Return the number that a text gives by this expression, and the text without it."""
    found = EXPRESSIONS[section].search(text)
    if not found:
        return None, text
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return _to_number(next(filter(None, found.groups()))), rest


# Options


def _read_options(game: str, text: str) -> dict[str, Any]:
    """Return the options that a line names; for games from elsewhere, those they declare."""
    cls = registry.find("games", game)
    known = options_of(cls)
    options: dict[str, Any] = {}
    text, endings = _take_endings(text) if "endings" in known else (text, {})
    for name in extra(cls, "wish_numbers"):
        number, text = _take_number(name, text)
        options |= {} if number is None else {name: number}
    for section, expression in EXPRESSIONS.items():
        if section.startswith(f"{game} ") and expression.search(text):
            name, _, value = section.removeprefix(f"{game} ").partition("=")
            options.setdefault(name, known[name].bundles.get(value) or known[name].read(value))
    if isinstance(endings.get("endings"), tuple):
        options = add_endings(options, endings)
    options = endings | options
    if {"columns", "rows"} <= known.keys():
        options |= _read_size(text)
    if read := extra(cls, "wish_reader"):
        named: dict[str, Any] = read(text)
        return options | named
    if game in GAME_NAMES:
        return options
    for name, option in known.items():
        if name not in options and not option.depth:
            value = _find_value(option, _speak(name.replace("_", " ")), text)
            options |= {} if value is None else {name: value}
    return options or _read_after_name(game, known, text)


def _read_after_name(game: str, known: Mapping[str, Option], text: str) -> dict[str, Any]:
    """Read the numbers right after a game's name as its options in order: `wythoff 3 and 5`."""
    names = "|".join(map(re.escape, sorted(list_names(game), key=len, reverse=True)))
    found = re.search(rf"\b(?:{names})\b{EXPRESSIONS['after the name'].pattern}", text)
    numbers = _find_numbers(found[1]) if found else []
    counted = [name for name, option in known.items() if option.kind is int and not option.depth]
    if len(counted) == 1 and len(set(numbers)) == 1:  # `4 by 4` is one length of a side
        numbers = numbers[:1]
    return dict(zip(counted, numbers, strict=False)) if len(numbers) <= len(counted) else {}


def _take_endings(text: str) -> tuple[str, dict[str, Any]]:
    """Return a line without the endings it asks for, and these; none but a wish for some is text.

    With them comes whether it is misère, where the line says that leaving them wins or loses.
    """
    text = EXPRESSIONS["one pile of"].sub("pile ", text)
    clauses = [found[0] for found in EXPRESSIONS["ending"].finditer(text)]
    if not clauses:
        wished = EXPRESSIONS["an ending"].search(text)
        return text, {"endings": wished[0]} if wished else {}
    verdicts = {verdict for verdict in map(_read_verdict, clauses) if verdict is not None}
    endings = tuple(ending for clause in clauses for ending in _read_endings(clause))
    misere = {"misere": verdicts.pop() if len(verdicts) == 1 else BOTH} if verdicts else {}
    return EXPRESSIONS["ending"].sub(" ", text), {"endings": endings, **misere}


def _read_verdict(text: str) -> bool | None:
    """Return whether a line says that something loses; None when it says neither or both."""
    wins, loses = (EXPRESSIONS[f"ending {verb}"].search(text) for verb in ("wins", "loses"))
    return bool(loses) if bool(wins) != bool(loses) else None


def _read_endings(text: str) -> tuple[tuple[int, ...], ...]:
    """Read endings: `1 2 and 13` is one, `2 2 and 1 1 1` are two, and so are `2 2 or 3`."""
    text = EXPRESSIONS["piles of sizes"].sub(lambda run: _write_piles(run[0]), text)
    endings: list[list[int]] = []
    for group in EXPRESSIONS["next ending"].split(text):
        start = len(endings)
        for part in group.split(" and "):
            numbers = [whole(number) for number in re.findall(r"\d+", part)]
            if len(numbers) == 1 and len(endings) > start:
                endings[-1] += numbers
            elif numbers:
                endings.append(numbers)
    return tuple(map(tuple, endings))


def _write_piles(text: str) -> str:
    """Write `2 piles of 3 and a pile of 1` as the sizes: `3 3 1`."""
    text = re.sub(r"\b(one|two|three|four|five)s\b", lambda word: f"of {SMALL[word[1]]}", text)
    found = re.findall(r"(\d+)?(?: [a-z]+)? ?\b(?:of|with) (\d+)", text)
    return " ".join(" ".join([size] * min(int(many or 1), 65)) for many, size in found)


def add_endings(options: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with more endings; these may not win while the last coin loses."""
    merged = {**options, **found}
    merged["endings"] = (*options.get("endings", ()), *found["endings"])
    if "misere" in options and merged["misere"] != options["misere"]:
        merged["misere"] = BOTH
    return merged


def read_piles(text: str) -> dict[str, Any]:
    """Read the piles: `3 4 5`, `3 piles of 5`, `2 heaps with 7 coins in each`."""
    text = EXPRESSIONS["one pile of"].sub("pile ", text)
    text = EXPRESSIONS["and one of"].sub(r"\1", text)
    numbers = _find_numbers(text)
    equal = EXPRESSIONS["piles of"].search(text)
    if not equal or len(numbers) != 2:
        equal = EXPRESSIONS["in each"].search(text)
    if equal:
        many, size = _to_number(equal[1]), _to_number(equal[2])
        return {"piles": (size,) * min(int(many), 65) if _is_count(many) else (many, size)}
    count = EXPRESSIONS["number of piles"].search(text)
    if len(numbers) == 1 and not EXPRESSIONS["a pile of"].search(text):
        return {}
    if count and len(numbers) == _to_number(count[1]) + 1:
        numbers = _find_numbers(text.replace(count[0], " ", 1))
    only_counted = count and len(numbers) == 1 and _is_count(numbers[0])
    return {"piles": tuple(numbers)} if numbers and not only_counted else {}


def _is_count(number: Number) -> bool:
    return isinstance(number, int) and number > 0


def read_heap(text: str) -> dict[str, Any]:
    """Read how many sticks there are: `with 30`."""
    numbers = _find_numbers(text)
    return {"sticks": numbers[0]} if numbers else {}


def read_line(text: str) -> dict[str, Any]:
    """Read how long a line is; `3 in a row loses` says nothing of that."""
    number, _ = _take_number("line", text)
    loses = number == 3 and EXPRESSIONS["a line loses"].search(text)
    return {} if number is None or loses else {"line": number}


def _read_size(text: str) -> dict[str, Any]:
    if (found := EXPRESSIONS["size"].search(text)) and EXPRESSIONS["surely a size"].search(text):
        return {"columns": _to_number(found[1]), "rows": _to_number(found[2])}
    side, _ = _take_number("side", text)
    return {} if side is None else {"columns": side, "rows": side}


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
        named = rf"{N} {thing}\b|\b{thing} (?:of )?{N}|{N} (?:\w+ )?(?:in|on) (?:the )?{thing}\b"
        found = re.search(named, text)
        return None if found is None else _to_number(next(filter(None, found.groups())))
    return None
