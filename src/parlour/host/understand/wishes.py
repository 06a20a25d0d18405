"""A game asked for in one sentence: `nim with 3, 4 and 5, misère, you start`.

What is said of piles, sizes and rules becomes the options of the game; the rest is who begins,
whom to play against, and how well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from parlour.core import declared, registry, whole
from parlour.host.language import heard
from parlour.rules import Nim

NAMES = {
    "nim": ("nim", "nym"),
    "sticks": ("game of sticks", "sticks", "stick game", "stick"),
    "chopsticks": ("chopsticks", "chop sticks", "chopstick", "finger game", "fingers game"),
    "tictactoe": (
        *("tictactoe", "tic tac toe", "noughts and crosses", "ttt", "xs and os", "tictac toe"),
        *("tic tactoe", "x and o", "noughts crosses", "naughts and crosses", "tic tac"),
    ),
    "othello": ("othello", "othelo"),
}
STARTS = r"(?:starts?|begins?|opens?|leads?|(?:go|goes|play|plays|move|moves|be) first|first)"
FIRST = r"(?:have|has|take|takes|make|makes|get|gets) the (?:first|opening)"
MAY = r"(?:(?:will|would|shall|can|could|may|should|rather|am|(?:want|like|get|have) to) )*"
TIC_TAC = re.compile(r"\bti[ck]k? (?:ta[ck]k?|take)\b(?: toe?\b)?")  # as it may be spelt or mended
BE = r"(?:am|be|are|play|take|want|have|choose|get)(?: to be)?(?: as)?"
LEADS = r"(?:x|black|crosses)(?! and o)\b"
FOLLOWS = r"(?:o|white|noughts?)(?! and)\b"
OTHER = r"(?:you|it|he|they|she|bot|computer|opponent)"
ME = re.compile(
    rf"\bi {MAY}(?:{STARTS}|{FIRST})\b|\bme first\b|\blet me (?:{STARTS}|{FIRST})\b"
    rf"|\bi {MAY}{BE} {LEADS}|\b{OTHER} {MAY}{BE} {FOLLOWS}|(?<!you )\bas {LEADS}"
    rf"|\b{OTHER} {MAY}(?:(?:go|goes|are|is|play|plays|move|moves) )?second\b"
    r"|\bmy (?:turn|move|go) first\b|\bwith me (?:starting|first|beginning)\b"
)
YOU = re.compile(
    rf"\b{OTHER} {MAY}(?:{STARTS}|{FIRST})\b"
    rf"|\byour (?:turn|move|go) first\b|\bi {MAY}(?:go|am|play|move|be) second\b|\bafter you\b"
    rf"|\bi {MAY}{BE} {FOLLOWS}|\b{OTHER} {MAY}{BE} {LEADS}|(?<!you )\bas {FOLLOWS}"
    rf"|\blet (?:it|him|the \w+) {STARTS}\b"
    r"|\bwith you (?:starting|first|beginning)\b|\bme second\b"
)
ALONE = re.compile(r"(?<!\bthe )(?<!\ba )(?<!\bmy )(?<!\byour )\b(first|second)(?: please)?$")
TOGETHER = re.compile(
    r"\b(?:us|we|then)\b.* first\b"
)  # `let us play nim first`: before another game
N = r"(?<!\S)(-?\d+(?:\.\d+)?)(?!\S)"  # a number as it is heard
LIMIT = rf"(?:at most|(?:no|never|not) more than|up to|maximum(?: of)?|max|limit(?: of)?) {N}"
LEVEL = rf"\b(?:level|strength|difficulty) (?:to |of |at )?{N}"
EXTREMES = {
    10: re.compile(
        r"\b(?:hardest|strongest|toughest|most difficult)\b|\b(?:highest|top|maximum) level\b"
    ),
    1: re.compile(r"\b(?:easiest|weakest|simplest)\b|\b(?:lowest|bottom|minimum) level\b"),
}
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
    begins: str = ""  # "me" is the person, "you" is whoever plays against them
    against: str = ""
    level: int | None = None  # the nearest whole one


def game_named(words: Sequence[str]) -> str:
    """The game that is named, the longest name first; games of strangers by their own names."""
    text = TIC_TAC.sub("tic tac toe", f" {' '.join(words)} ")
    found = [
        (len(name), game) for game, names in NAMES.items() for name in names if f" {name} " in text
    ]
    found += [(len(game), game) for game in registry.games() if f" {game} " in text]
    return max(found)[1] if found else ""


def bots_named(words: Sequence[str]) -> list[str]:
    """The bots that are named, in order."""
    text = f" {' '.join(words)} "
    names = {name: " ".join(heard(name)) for name in registry.claims("bots")}
    names["menace"] = "menace"
    spoken = {"perfect": ("perfect", "perfection"), "hats": ("hats", "hat"), "random": ("random",)}
    found = []
    for name, plain in names.items():
        for form in spoken.get(name, (plain,)):
            for each in re.finditer(rf" {re.escape(form)}(?= )", text):
                found.append((each.start(), name))
    return [name for _, name in sorted(found)]


def wish(words: Sequence[str], game: str = "") -> Wish:
    """What a sentence asks for; `game` is the one on the table, if it names none itself."""
    named = game_named(words)
    game = named or game
    text, grade = _graded(words)
    bots = [name for name in bots_named(text.split()) if name != "benedict"]
    if game == "sticks" or "hats" in bots:
        bots = [name for name in bots if name != "hats"] + ["hats"] * ("hats" in bots)
    options = _options(game, _without_bots(text))
    if options.get("opening") in bots:
        bots.remove(options["opening"])
    return Wish(game, options, _begins(text, named), bots[0] if bots else "", grade)


def _graded(words: Sequence[str]) -> tuple[str, int | None]:
    """A line without its level, and the level: the nearest whole one, or either end of them."""
    text = re.sub(r"\b(the|last|that|this|perfect|other|bot) 1\b", r"\1 one", " ".join(words))
    text = re.sub(r"\bminus (?=\d)", "-", text)
    if level := re.search(LEVEL, text):
        return " ".join(re.sub(LEVEL, " ", text).split()), round(float(level[1]))
    return text, next((end for end, said in EXTREMES.items() if said.search(text)), None)


def _begins(text: str, named: str) -> str:
    """Who begins; `othello second` tells it of the person, where a game is named."""
    me, you = ME.search(text), YOU.search(text)
    if not me and not you and named and not TOGETHER.search(text) and (alone := ALONE.search(text)):
        return "me" if alone[1] == "first" else "you"
    return "me" if me and not you else "you" if you and not me else ""


def counts(words: Sequence[str]) -> list[int]:
    """The numbers of a line that count piles or coins: no limit, no players, no level."""
    _, text = _limited(_without_bots(_graded(words)[0]))
    left = PEOPLE.sub(" ", text).split()
    return [int(word) for word in left if word.isdigit() and len(word) < 12]


def _without_bots(text: str) -> str:
    """A text without the names of bots that have a number in them: `1 at a time` is no pile."""
    for name in registry.claims("bots"):
        spoken = " ".join(heard(name))
        if re.search(r"\d", spoken):
            text = re.sub(rf"(?<!\S){re.escape(spoken)}(?!\S)", " ", text)
    return " ".join(text.split())


def _options(game: str, text: str) -> dict[str, Any]:
    reader = {
        "nim": _nim,
        "sticks": _sticks,
        "chopsticks": _chopsticks,
        "tictactoe": _tictactoe,
        "othello": _othello,
    }.get(game)
    return reader(text) if reader else {}


def _number(said: str) -> int | float:
    """The number that was said, whether or not a game can have it."""
    if "." in said:
        return float(said)
    return -whole(said[1:]) if said[0] == "-" else whole(said)


def _numbers(text: str) -> list[int | float]:
    return [_number(said) for said in re.findall(N, text)]


def _limited(text: str) -> tuple[dict[str, Any], str]:
    """A limit on what one move may take, and the text without it."""
    found = re.search(LIMIT, text)
    if not found:
        return {}, text
    return {"take": _number(found[1])}, text.replace(found[0], " ")


def _loses(text: str) -> bool | None:
    """Whether taking the last is said to lose; None when nothing is said of it."""
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


def _nim(text: str) -> dict[str, Any]:
    options, text = _limited(text)
    if seats := PEOPLE.search(text):
        options["seats"] = _number(seats[1] or seats[2])
        text = f"{text[: seats.start()]} {text[seats.end() :]}"
    misere = _loses(text)
    if misere is not None:
        options["misere"] = misere
    if "class ending" in text:
        options["endings"] = declared(Nim)["endings"].bundles["class-endings"]
    if piles := _piles(re.sub(rf"\b1 {PILE} (?=of|with|holding)", "pile ", text)):
        options["piles"] = piles
    return options


def _piles(text: str) -> tuple[int | float, ...]:
    """The piles: `3 4 5`, `3 piles of 5`, `2 heaps with 7 coins in each`."""
    text = re.sub(rf"(\b{PILE} (?:of|with) \S+ and )1 (?=(?:of|with)\b)", r"\1", text)
    numbers = _numbers(text)
    equal = re.search(rf"{N} {PILE}s (?:of|with|holding) {N}", text)
    if not equal or len(numbers) != 2:
        equal = re.search(rf"{N} {PILE}s\b.* {N} (?:\w+ )?in each", text)
    if equal:
        many, size = _number(equal[1]), _number(equal[2])
        return (size,) * min(int(many), 65) if _is_count(many) else (many, size)
    count = re.search(rf"{N} {PILE}s", text)
    if len(numbers) == 1 and not re.search(r"\b(?:piles?|heaps?|with|of|nim) -?\d", text):
        return ()
    if count and len(numbers) == _number(count[1]) + 1:
        numbers = _numbers(text.replace(count[0], " ", 1))
    return () if count and len(numbers) == 1 and _is_count(numbers[0]) else tuple(numbers)


def _is_count(number: int | float) -> bool:
    return isinstance(number, int) and number > 0


def _sticks(text: str) -> dict[str, Any]:
    options, text = _limited(text)
    numbers = _numbers(text)
    if numbers:
        options["sticks"] = numbers[0]
    return options


REPEATS = re.compile(r"\b(?:no|without|not|never|forbid\w*)\b.*\b(?:repeat\w*|loops?)\b|\bbarred\b")


def _chopsticks(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "feather" in text:
        options["rules"] = "feathers-revive" if "reviv" in text else "feathers"
    dies = re.search(rf"(?:dies?|dead|die|out|dying) (?:at|with|on) {N}", text)
    if dies:
        options["dies_at"] = _number(dies[1])
        text = text.replace(dies[0], " ")
    if re.search(r"\bwrap|\broll over\b|\bleftover\b", text):
        options["overflow"] = "wraps"
    if REPEATS.search(text):
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
        options["fingers"] = _number(fingers[1])
    return options


def _size(text: str) -> dict[str, Any]:
    found = re.search(rf"{N}(?: columns)? (?:x|by|times|and) {N}(?: rows)?", text)
    if found and (re.search(r"\d (?:x|by|times) -?\d", text) or "columns" in text):
        return {"columns": _number(found[1]), "rows": _number(found[2])}
    square = re.search(rf"{N} (?:squares? )?(?:on|to) (?:a |each )?side\b", text)
    return {"columns": _number(square[1]), "rows": _number(square[1])} if square else {}


def _tictactoe(text: str) -> dict[str, Any]:
    options = _size(text)
    line = re.search(rf"{N} in (?:a )?(?:row|line)|line of {N}", text)
    loses = re.search(r"\b(?:row|line)\b.*\bloses?\b", text)
    long = _number(line[1] or line[2]) if line else None
    if long is not None and not (loses and long == 3):
        options["line"] = long
    backwards = (
        r"\bmisere\b|\bbackwards?\b|\breversed?\b|\binverted?\b|\b(?:line|row)\b.*\bloses?\b"
    )
    if re.search(backwards + r"|\bavoid\b|\bloses?\b.*\bline\b", text):
        options["misere"] = True
    return options


def _othello(text: str) -> dict[str, Any]:
    options = _size(text)
    opening = re.search(r"\b(benedict|despacito|standard)(?: is)? (?:opening|start|setup)\b", text)
    if opening or (opening := re.search(r"\bopening (benedict|despacito|standard)\b", text)):
        options["opening"] = opening[1]
    return options
