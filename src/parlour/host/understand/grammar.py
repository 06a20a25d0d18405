"""A small grammar: patterns of words with gaps, and how well each explains a line.

A pattern is a row of words, `a|b` for either; any other words may stand between. It explains a line
as far as the words that mean something are its own. The pattern that explains most wins, so that no
sentence has to be foreseen as a whole. A `!` before a pattern makes it decisive in a short line.
The patterns are in `patterns/`: what can be said at any time, in a game and in a talk, and what can
be asked about the games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from parlour.core import Game, Match, State
from parlour.host.language import texts

WORDS = texts.read_words("understand/words/intents.txt")
FILLER = WORDS["filler"]
SHORT = 12  # words up to which one decisive word is enough
DECISIVE = 0.6  # the share it then counts for at least
SMALL_WEIGHT = 0.3  # of a filler that a pattern asks for


class Patterns(dict[str, tuple[str, ...]]):
    """The patterns of each intent."""

    @cached_property
    def by_word(self) -> dict[str, list[tuple[int, str, str]]]:
        """The place, the intent and the pattern of all that begin with a word."""
        found: dict[str, list[tuple[int, str, str]]] = {}
        rows = [(intent, pattern) for intent, some in self.items() for pattern in some]
        for place, (intent, pattern) in enumerate(rows):
            for word in _slots(pattern)[0]:
                found.setdefault(word, []).append((place, intent, pattern))
        return found

    def find(self, words: Iterable[str]) -> dict[str, list[str]]:
        """Return the patterns of each intent that begin with one of these words, in order."""
        found: dict[str, list[str]] = {}
        for _, intent, pattern in sorted({r for word in words for r in self.by_word.get(word, ())}):
            found.setdefault(intent, []).append(pattern)
        return found


@dataclass(frozen=True)
class Meaning:
    """What a line means: an intent with its slots, and which words were corrected to find it."""

    intent: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    corrections: Mapping[str, str] = field(default_factory=dict)
    chance: float = 1.0  # that the line has this intent, by the examples


@dataclass(frozen=True)
class Unclear:
    """Why a sentence that asks for a move is not one: in one sentence without a full stop."""

    reason: str
    leftover: tuple[str, ...] = ()  # words that nothing explains


@dataclass(frozen=True)
class Illegal(Unclear):
    """Why a move that is clearly meant is not allowed."""


@dataclass(frozen=True)
class Scene:
    """Where a line is said: the mode, and the game on the table with its position."""

    mode: str
    game: Game | None = None
    state: State = None
    topic: str = ""
    match: Match | None = None  # the game as it stands, so that a line replays it once


@dataclass(frozen=True)
class Reading:
    """One way to understand a line: the intent, how many words speak for it, and what share."""

    intent: str
    matched: float
    share: float

    @property
    def strength(self) -> float:
        """Many words explained, and few left over."""
        return self.matched * self.share


# Patterns


@cache
def load_patterns(mode: str) -> Patterns:
    """Return the patterns of all that can be said in a mode; `game-only` is without the rest."""
    in_talk = texts.read_sections("understand/patterns/in_talk.txt")
    in_game = texts.read_sections("understand/patterns/in_game.txt")
    if mode == "game-only":
        return Patterns(in_game)
    own = {"game": in_game, "talk": in_talk}.get(mode, {"done": in_talk["done"]})
    if mode == "after":
        own = in_game | own
    anytime = texts.read_sections("understand/patterns/anytime.txt")
    return Patterns({**anytime, **load_question_intents(), **own})


@cache
def load_question_intents() -> Patterns:
    """Return the patterns of the questions about the games, as intents `ask TOPIC`."""
    return Patterns({f"ask {topic}": patterns for topic, patterns in load_questions().items()})


@cache
def load_questions() -> Patterns:
    """Return the patterns of the questions about the games by topic, with stand-ins expanded."""
    sections = texts.read_sections("understand/patterns/questions.txt")
    games = {
        name.removeprefix("GAME "): lines
        for name, lines in sections.items()
        if name.startswith("GAME ")
    }
    stand_ins = {name: lines[0] for name, lines in sections.items() if name.isupper()}
    any_game = ("|".join(names[0] for names in games.values()),)
    of_each = {topic[1:]: lines for topic, lines in sections.items() if topic.startswith("_-")}
    found = {
        game + topic: _expand(patterns, names, stand_ins)
        for game, names in games.items()
        for topic, patterns in of_each.items()
    }
    for topic, patterns in sections.items():
        if not topic.startswith(("_-", "GAME ")) and not topic.isupper():
            found[topic] = _expand(patterns, any_game, stand_ins)
    return Patterns(found)


def _expand(
    patterns: Iterable[str], names: Iterable[str], stand_ins: Mapping[str, str]
) -> tuple[str, ...]:
    """Replace every stand-in, and `_` once for each name."""
    found = {
        " ".join(
            "|".join({**stand_ins, "_": name}.get(word, word) for word in part.split("|"))
            for part in pattern.split()
        ): None
        for pattern in patterns
        for name in names
    }
    return tuple(found)


@cache
def load_vocabulary(mode: str) -> frozenset[str]:
    """Return all words that the patterns of a mode ask for."""
    patterns = (pattern for some in load_patterns(mode).values() for pattern in some)
    return frozenset(word for pattern in patterns for slot in _slots(pattern) for word in slot)


# Readings


@cache
def _slots(pattern: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(part.split("|")) for part in pattern.removeprefix("!").split())


def _weigh(word: str) -> float:
    return SMALL_WEIGHT if word in FILLER else 1.0


def _match(pattern: str, words: Sequence[str], distinct: frozenset[str]) -> tuple[int, ...]:
    """Find where the words of a pattern stand in a line, in order and as telling as possible."""
    slots = _slots(pattern)
    if not all(slot & distinct for slot in slots):
        return ()
    nothing: tuple[int, ...] = ()
    best = [(0.0, nothing)] + [(-1.0, nothing)] * len(slots)
    for at, word in enumerate(words):
        for number in range(len(slots), 0, -1):
            weight, places = best[number - 1]
            if word in slots[number - 1] and weight >= 0:
                found = (weight + _weigh(word), (*places, at))
                best[number] = max(best[number], found, key=lambda each: each[0])
    return best[-1][1]


def find_readings(words: Sequence[str], known: Patterns) -> list[Reading]:
    """Return all intents that explain something of a line, the best first.

    What further patterns of the same intent explain counts half.
    """
    meaning = max(SMALL_WEIGHT, sum(_weigh(word) for word in words if word not in FILLER))
    distinct = frozenset(words)
    found = []
    for intent, patterns in known.find(distinct).items():
        matches = {
            pattern: places for pattern in patterns if (places := _match(pattern, words, distinct))
        }
        if not matches:
            continue
        best = max(matches.values(), key=lambda places: sum(_weigh(words[at]) for at in places))
        more = {at for places in matches.values() for at in places} - set(best)
        matched = sum(_weigh(words[at]) for at in best)
        matched += sum(_weigh(words[at]) for at in more) / 2
        if matched < 1 <= meaning:
            continue  # small words alone, beside others that mean something
        share = min(1.0, matched / meaning)
        if len(words) <= SHORT and any(pattern[0] == "!" for pattern in matches):
            share = max(share, DECISIVE)
        found.append(Reading(intent, matched, share))
    return sorted(found, key=lambda reading: -reading.strength)


@lru_cache(maxsize=16)
def read_patterns(mode: str, words: tuple[str, ...]) -> tuple[Reading, ...]:
    """Return the readings of a line in a mode; it is asked more than once for the same line."""
    return tuple(find_readings(words, load_patterns(mode)))


# Rewriting


def rewrite(line: str, expressions: Mapping[str, re.Pattern[str]]) -> str:
    """Write a line as the sections `write …` of a file of expressions say."""
    for section, expression in expressions.items():
        if section.startswith("write "):
            line = expression.sub(section.removeprefix("write "), line)
    return line
