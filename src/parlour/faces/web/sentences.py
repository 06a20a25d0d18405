"""English sentences from the packages below, in the reader's language.

Rules, solvers and bots speak plain English and know no other language. The catalogue holds their
sentences as patterns with a placeholder for each value, `pile {pile} has only {size} coins`; a
sentence is translated by finding the pattern it fits and putting its values into the translation
of that pattern. Values that are words, lists or sentences themselves are translated in turn. What
fits no pattern stays English, and a page marks it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parlour.core import capital

MAX_LENGTH = 2_000  # characters of a sentence that is looked up
MAX_LIST = 60  # items
MAX_KEPT = 20_000  # translations
LEAST_KNOWN = 0.4  # of the letters of a sentence, where a value in it cannot be translated
ITEM_COMMAS = 3  # that one item of a list may hold itself
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")
WORD = re.compile(r"[^\W\d_]+")
GROUPED = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")
SENTENCE_END = re.compile(r"(?<=[\w)…%’'][.!?]) (?=[A-Z≈])")
TAIL = re.compile(r"(.+?) (\d+|\((.+)\))", re.DOTALL)  # a number or a remark behind a value
LINK = re.compile(r"; |, (?:and |or )?| and | or ")


@dataclass(frozen=True)
class Pattern:
    """A pattern of English sentences, and its translation."""

    regexes: tuple[re.Pattern[str], ...]  # the first values as short as can be, or as long
    names: tuple[str, ...]
    translation: str
    weight: int  # the letters that are not placeholders


@dataclass(frozen=True)
class Match:
    """A translation by one pattern."""

    text: str
    weight: int
    settled: bool  # whether nothing in it is left in English


class Patterns:
    """All patterns of one language, by a word that a sentence must have to fit."""

    def __init__(self, texts: Mapping[str, str], group: str) -> None:
        self._group = group  # what stands between groups of three digits
        self._look_up = lru_cache(maxsize=MAX_KEPT)(self._look_up_now)
        self._whole = {
            _unescape(text): _unescape(found) for text, found in texts.items() if "{" not in text
        }
        self._by_word: dict[str, list[Pattern]] = {}
        for text, found in texts.items():
            if "{" in text:
                self._add(text, found)

    def _add(self, text: str, translation: str) -> None:
        short, long, names, place, literal = "", "", [], 0, ""
        holes = list(PLACEHOLDER.finditer(text))
        for hole in holes:
            piece = text[place : hole.start()]
            place = hole.end()
            if hole[1] is None:
                piece += hole[0][0]
            short += re.escape(piece)
            long += re.escape(piece)
            literal += piece
            if hole[1] is not None:
                names.append(hole[1])
                short += "(.+?)"
                long += "(.+)"
                literal += "\0"
        short += re.escape(text[place:])
        long += re.escape(text[place:])
        literal += text[place:]
        words = [
            found[0]
            for found in WORD.finditer(literal)
            if "\0" not in literal[max(0, found.start() - 1) : found.end() + 1]
        ]
        several = len(names) > 1
        pattern = Pattern(
            tuple(re.compile(each, re.DOTALL) for each in ((short, long) if several else (short,))),
            tuple(names),
            translation,
            sum(map(len, words)),
        )
        self._by_word.setdefault(max(words, key=len, default=""), []).append(pattern)

    def _find(self, text: str, linked: bool) -> Iterator[Match]:
        """Find the patterns that a text fits; unless `linked`, no value may be a list."""
        if (found := self._whole.get(text)) is not None:
            yield Match(found, len(text), True)
        for pattern, groups in self._fitting(text):
            if not linked and any(map(LINK.search, groups)):
                continue
            values = [self._translate_value(value) for value in groups]
            named = dict(zip(pattern.names, (value for value, _ in values), strict=True))
            settled = all(settled for _, settled in values)
            if not settled and pattern.weight < LEAST_KNOWN * sum(map(len, WORD.findall(text))):
                continue
            yield Match(fill(pattern.translation, named), pattern.weight, settled)
            if settled:
                return

    def _fitting(self, text: str) -> Iterator[tuple[Pattern, tuple[str, ...]]]:
        """Yield each pattern that a text fits, with the values of its placeholders."""
        for pattern in self._candidates(text):
            matches = [regex.fullmatch(text) for regex in pattern.regexes]
            for groups in dict.fromkeys(match.groups() for match in matches if match):
                yield pattern, groups

    def _candidates(self, text: str) -> list[Pattern]:
        words = {*WORD.findall(text), ""}
        found = [pattern for word in words for pattern in self._by_word.get(word, ())]
        return sorted(found, key=lambda pattern: -pattern.weight)

    def translate_parts(self, text: str) -> Sequence[tuple[str, bool]]:
        """Translate a text, else each of its sentences; say of each part whether it could be."""
        if not WORD.search(text) or len(text) > MAX_LENGTH:
            return [(self._regroup(text), len(text) <= MAX_LENGTH)]
        if (found := self._look_up(text, linked=True, part=True)) is not None:
            return [(found, True)]
        value, settled = self._translate_value(text)
        if settled:
            return [(value, True)]
        parts = SENTENCE_END.split(text)
        if len(parts) == 1:
            found = self._look_up(text)  # perhaps with a name of several words in it
            return [(value, False) if found is None else (found, True)]
        translated: list[tuple[str, bool]] = []
        for part in parts:
            translated += [*([(" ", True)] if translated else []), *self.translate_parts(part)]
        return translated

    def _look_up_now(self, text: str, linked: bool = True, part: bool = False) -> str | None:
        """Return a translation, whether or not the text has become a sentence with a full stop.

        What is part of a sentence must be translated whole.
        """
        bare = text.removesuffix(".")
        small = text[:1].lower() + text[1:]
        tried = [(text, False, False)]
        tried += [(small, True, False)] if small != text else []
        tried += [(each.removesuffix("."), is_capital, True) for each, is_capital, _ in tried]
        found = [
            (match.settled, match.weight, match.text, is_capital, is_stopped)
            for each, is_capital, is_stopped in tried
            if not is_stopped or bare != text
            for match in self._find(each, linked)
            if match.settled or not part
        ]
        if not found:
            return None
        _, _, best, is_capital, is_stopped = max(found, key=lambda each: each[:2])
        best = capital(best) if is_capital else best
        return f"{best}." if is_stopped and best[-1:] not in ".!?…" else best

    def _translate_value(self, value: str) -> tuple[str, bool]:
        """Return a value in a sentence, and whether nothing in it is left to translate."""
        shown = value.strip()
        if shown != value:
            found, settled = self._translate_value(shown) if shown else (shown, True)
            return value.replace(shown, found) if shown else value, settled
        if not WORD.search(value) or value[:1] in "'\"‘“":
            return self._regroup(value), True
        if (whole := self._look_up(value, linked=False, part=True)) is not None:
            return whole, True
        links = list(LINK.finditer(value))
        for link in links[:ITEM_COMMAS] if len(links) < MAX_LIST else ():
            item, is_item = self._translate_value(value[: link.start()])
            if not is_item:
                continue
            rest, is_rest = self._translate_value(value[link.end() :])
            if is_rest:
                word = link[0].strip(" ,;")
                between = f" {self._whole.get(word, word)} " if word else link[0]
                return f"{item}{between}{rest}", True
        if links and (whole := self._look_up(value, linked=True, part=True)) is not None:
            return whole, True
        if (tail := TAIL.fullmatch(value)) is not None:
            known, remark = self._look_up_part(tail[1]), self._look_up_part(tail[3] or "")
            if known is not None and remark is not None:
                return f"{known} ({remark})" if remark else f"{known} {tail[2]}", True
        return self._regroup(value), " " not in value

    def _look_up_part(self, text: str) -> str | None:
        """Return a part of a value in this language, or None if it is not known."""
        return self._look_up(text, part=True) if WORD.search(text) else self._regroup(text)

    def _regroup(self, text: str) -> str:
        return GROUPED.sub(lambda found: found[0].replace(",", self._group), text)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put values into the placeholders of a text."""

    def replace(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else values.get(found[1], found[0])

    return PLACEHOLDER.sub(replace, text)


def _unescape(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")
