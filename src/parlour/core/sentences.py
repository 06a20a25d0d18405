"""Sentences that remember what they were made of.

`say("pile {pile} has only {coins}", pile=2, coins=count(3, "coin"))` is the English sentence, and
keeps its template and its values. So a face can say it in another language, and whoever needs a
fact reads the value: nobody takes a sentence apart. Values are numbers, names and moves, which no
language changes, further texts, and lists of them, for which a placeholder may say what stands
before the last: `{moves:or}`.

Quotations and numbers stand in sentences too. Input may be 100 kB of anything, so quoting shortens
and escapes it, and reading a number never fails on its length.
"""

from __future__ import annotations

import difflib
import math
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

MAX_SUGGESTED = 3  # names that begin as typed
MAX_QUOTE = 40
MAX_ERROR = 200
MAX_DIGITS = 18  # more than any count in any game, and far below what int() refuses
LETTER = re.compile(r"[^\W\d_]")
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
PACKED = "$say"  # the one key of a text in JSON


class Text(str):
    """English that remembers its template, its values, and how it begins and ends."""

    __slots__ = ("finish", "plural", "template", "values")
    template: str
    plural: str  # the template unless `number` is 1, or nothing
    values: Mapping[str, Any]
    finish: str  # "capital" with a capital letter, "sentence" with a full stop too

    def __new__(
        cls, template: str, values: Mapping[str, Any], plural: str = "", finish: str = ""
    ) -> Text:
        """Make the text of a template, or of its plural if `number` asks for that."""
        text = super().__new__(cls, ENGLISH.write(template, plural, values, finish))
        text.template, text.plural, text.values, text.finish = template, plural, values, finish
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return Text, (self.template, self.values, self.plural, self.finish)

    def __add__(self, other: str) -> Text:
        """Return both, one after the other; each is still known."""
        return Text("{first}{second}", {"first": self, "second": other})

    def __radd__(self, other: str) -> Text:
        return Text("{first}{second}", {"first": other, "second": self})


class Language(string.Formatter):
    """How texts are said in one language; this one is English."""

    group = ","  # between groups of three digits
    sides = False  # whether seats are called as the board shows them

    def find(self, template: str, plural: str, number: Any) -> str:
        """Return the template to fill, for this number if there is a plural."""
        return plural if plural and number != 1 else template

    def write(self, template: str, plural: str, values: Mapping[str, Any], finish: str) -> str:
        """Return a text in this language."""
        if has_words(template):
            template = self.find(template, plural, values.get("number"))
        text = self.vformat(template, (), values)
        return _finish(text, finish) if finish else text

    def say(self, value: object) -> str:
        """Return a text in this language, and anything else as it is."""
        if type(value) is Text:
            if self.sides and {"at", "side"} <= value.values.keys():  # it is the name of a seat
                return self.write("{side}", "", value.values, value.finish)
            return self.write(value.template, value.plural, value.values, value.finish)
        return str(value)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value where its placeholder stands."""
        if isinstance(value, str):
            return self.say(value)
        if isinstance(value, list | tuple):
            return self._join([self.say(each) for each in value], format_spec)
        shown = format(value, format_spec)
        return shown.replace(",", self.group) if "," in format_spec else shown

    def _join(self, items: list[str], last: str) -> str:
        if last not in ("and", "or"):
            return (last or ", ").join(items)
        *most, final = items or [""]
        word = self.find(last, "", None)
        return f"{', '.join(most)} {word} {final}" if most else final


ENGLISH = Language()
current_language: ContextVar[Language] = ContextVar("current_language", default=ENGLISH)


def say(template: str, /, **values: Any) -> Text:
    """Return the text of a template: a literal, with `{name}` for each value."""
    return Text(template, values)


def say_number(number: int, one: str, many: str, /, **values: Any) -> Text:
    """Return the text of the template for this number: for 1, or for another `{number}`."""
    return Text(one, {"number": number, **values}, many)


def count(number: int, thing: str) -> Text:
    """`1 stick`, `2 sticks`"""
    return say_number(number, f"{{number}} {thing}", f"{{number}} {thing}s")


def join(separator: str, items: Iterable[object]) -> Text:
    """Return a list with a separator, which may be neither "and" nor "or"."""
    return Text(f"{{items:{separator}}}", {"items": tuple(items)})


def one_of(items: Iterable[object]) -> Text:
    """`1, 2 or 3`"""
    return say("{items:or}", items=tuple(items))


def all_of(items: Iterable[object]) -> Text:
    """`1, 2 and 3`"""
    return say("{items:and}", items=tuple(items))


def span(low: int, high: int) -> Text:
    """`1, 2 or 3`, or `1 to 12` for a longer range."""
    if high - low < 3:
        return one_of(range(low, high + 1))
    return say("{low} to {high}", low=low, high=high)


def write_large(number: int) -> Text:
    """`3,072`, or `about 10^19` from a billion on."""
    if number < 10**9:
        return say("{number:,}", number=number)
    return say("about 10^{exponent}", exponent=round(math.log10(number)))


def suggest(word: str, words: Iterable[str]) -> Text:
    """A suggestion for a shortened or misspelt name: `; did you mean 'piles'?`, or nothing."""
    known = list(words)
    close = [each for each in known if word.strip("-") and each.startswith(word)]
    if not 0 < len(close) <= MAX_SUGGESTED:
        close = difflib.get_close_matches(word[:MAX_QUOTE], known, n=1)
    if not close:
        return say("")
    return say("; did you mean {names:or}?", names=tuple(map(repr, close)))


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return _restyle(text, "capital")


def sentence(text: str) -> str:
    """The text as a sentence: a capital letter first, and a full stop unless it ends already."""
    return _restyle(text, "sentence")


def _restyle(text: str, finish: str) -> str:
    if not isinstance(text, Text):
        return _finish(text, finish)
    if text.finish == "sentence":
        return text
    return Text(text.template, text.values, text.plural, finish)


def _finish(text: str, finish: str) -> str:
    if finish == "capital":
        return text[:1].upper() + text[1:]
    text = text.strip()
    ended = not text or text.rstrip("\"'”’)").endswith((".", "!", "?", "…", ":"))
    return text[:1].upper() + text[1:] + ("" if ended else ".")


def has_words(template: str) -> bool:
    """Return whether there is anything in a template to translate."""
    return LETTER.search(PLACEHOLDER.sub("", template)) is not None


# Quotations and numbers


def quote(value: object) -> str:
    """The value as it can stand in a sentence: on one line, escaped and short."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python writes out
        return say("a number that long")
    except RecursionError:
        return say("lists nested that deep")
    if len(shown) > MAX_QUOTE:
        shown = shown[: MAX_QUOTE - 1] + "…"
    return shown


def conjugate(verb: str, who: str) -> str:
    """`take` for I and you, `takes` for anybody else"""
    third = "has" if verb == "have" else verb + ("es" if verb[-1] in "sxo" else "s")
    return verb if who in ("I", "you") else third


def format_signed(number: float, digits: int = 0) -> str:
    """`+12`, `0`, or a negative number with a sign as wide as the plus."""
    rounded = round(number, digits)
    return f"{rounded:+g}".replace("-", "−") if rounded else "0"


def describe_error(error: BaseException) -> str:
    """An unexpected error on one line: `ZeroDivisionError: division by zero`"""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:MAX_ERROR]}".removesuffix(": ")


def whole(digits: str) -> int:
    """The number in these decimal digits; one of more than 18 digits becomes 10**18 - 1."""
    return int(digits) if len(digits) <= MAX_DIGITS else int("9" * MAX_DIGITS)


# In text files, for people who write well but no Python


def read_sections(path: Path, joint: str = " ") -> dict[str, tuple[str, ...]]:
    """Return the lines of a text file by section, in order.

    A `#` at the beginning of a line is a comment, `[name]` opens a section, an indented line
    continues the one before, and everything else is a line of its own.
    """
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for row in path.read_text(encoding="utf-8").splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        if row[0] == "[" and row[-1] == "]":
            lines = found.setdefault(row[1:-1], [])
        elif row[0] == " ":
            lines[-1] += joint + row.strip()
        else:
            lines.append(row)
    return {section: tuple(lines) for section, lines in found.items()}


@dataclass(frozen=True)
class Phrase:
    """The template of a sentence, or those for 1 and for other numbers, and when it is said."""

    conditions: tuple[str, ...]
    one: str
    many: str = ""

    def fits(self, values: Mapping[str, Any]) -> bool:
        """Return whether these values meet all conditions."""
        for condition in self.conditions:
            name, equals, wanted = condition.partition("=")
            found = values.get(name)
            if str(found) != wanted if equals else not found:
                return False
        return True

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The names of the values that it needs."""
        parsed = string.Formatter().parse(self.one + self.many)
        names = ["number"] if self.many else []
        return tuple(dict.fromkeys([*names, *(name for _, name, _, _ in parsed if name)]))

    def fill(self, values: Mapping[str, Any]) -> Text:
        """Return the sentence with these values."""
        return Text(self.one, {name: values[name] for name in self.gaps}, self.many)


class Phrases:
    """The sentences of a text file, which are read when one of them is first asked for.

    A section is named by what the sentence is about, and then by what must be so for it to be said:
    `[reply only outcome=draw]` is taken if `only` is neither nothing nor 0, and the outcome is a
    draw. Of several sections the first that fits is taken. It has one line, or two of which the
    first is for the `number` 1.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _found(self) -> dict[str, list[Phrase]]:
        found: dict[str, list[Phrase]] = {}
        for section, lines in read_sections(self.path).items():
            about, *conditions = section.split()
            found.setdefault(about, []).append(Phrase(tuple(conditions), *lines))
        return found

    def __iter__(self) -> Iterator[Phrase]:
        for phrases in self._found.values():
            yield from phrases

    def __call__(self, about: str, /, **values: Any) -> Text:
        """Return the first of the sentences about something that fits, with these values."""
        return next(each for each in self._found[about] if each.fits(values)).fill(values)


# In JSON


def pack(value: Any) -> Any:
    """Return a value for JSON, in which texts keep what they were made of; `unpack` reads it."""
    if type(value) is Text:
        parts = [value.template, value.plural, value.finish, pack(dict(value.values))]
        return {PACKED: parts}
    if isinstance(value, Mapping):
        return {name: pack(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [pack(each) for each in value]
    return value


def unpack(value: Any) -> Any:
    """Return what was packed; tuples have become lists."""
    if isinstance(value, list):
        return [unpack(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {PACKED}:
        template, plural, finish, values = value[PACKED]
        return Text(template, cast("dict[str, Any]", unpack(values)), plural, finish)
    return {name: unpack(each) for name, each in value.items()}


OUTCOME_NAMES = {"loss": say("loss"), "draw": say("draw"), "win": say("win")}
