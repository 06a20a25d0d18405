"""A typed line as words: one case, no accents, contractions expanded, numbers as digits.

A number keeps its sign and its fraction, `-1` or `2.5`, so that it is not taken for another. Where
a clause ends, and with which mark, is kept beside the words.
Typing errors are corrected towards the words that would be understood, and only where one of them
is clearly meant.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from parlour.host.language.texts import read_pairs, read_sections, read_words

MAX_LENGTH = 400  # characters that are listened to
SPELLING = read_pairs("language/words/spelling.txt")
AROUND_NUMBERS = read_words("language/words/numbers.txt")
SMALL_WORDS = read_words("language/words/small_words.txt")["small words"]
HALF = r"(?<![\w./-])1/2(?![\w/])"
WHOLE = r"[0-9]+(?:st|nd|rd|th)\b|[0-9]+"
FRACTION = r"(?<![0-9.])[0-9]+\.[0-9]+(?!\.?[0-9])"
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")  # a word that is a number
WORD = re.compile(rf"(?:(?<![\w.)-])-)?(?:{FRACTION}|{WHOLE})|[^\W\d_]+(?:'[^\W\d_]+)?")
_SPELT = read_sections("language/words/numbers.txt")
ORDINALS = _SPELT["ordinals"][0].split()
SMALL = {word: number for number, word in enumerate(_SPELT["small numbers"][0].split())}
TENS = {word: 10 * number for number, word in enumerate(_SPELT["tens"][0].split(), start=2)}
SPELT = {str(number): word for word, number in (SMALL | TENS).items()}
STRETCHED = frozenset({"yes", "yeah", "no", "ok", "hi", "bye", "please", "thanks"})
NUMBERS = frozenset({*SMALL, *TENS, "hundred"})
THOUSANDS = re.compile(  # `1,000` and `2,500 coins`, but not the list `100,200,300`
    r"(?<![\w.,])([1-9][0-9]{0,2}(?:,[0-9]{3})*,(?:000|[0-9]{3}(?= [a-z](?!nd\b|r\b))))(?!\w|,\d)"
)
SYMBOLS = re.compile(r"[#$%&<>@\[\]\\^_`{|}~]")  # that stand neither in sentences nor in sums
# A jumble has at least 4 symbols, of at least 3 kinds, and one in at most 12 characters
MIN_SYMBOLS, MIN_KINDS, NOISE = 4, 3, 12
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
CLAUSE_END = re.compile(r"([.!?,;:]+(?=\s|$)|[;:!?()\[\]\"“”]+|—|\s[-–]+(?=\s))")


@dataclass(frozen=True)
class Line:
    """A line as it was typed, up to `MAX_LENGTH`, and its words; it is normalised only once."""

    text: str
    words: tuple[str, ...]
    ends: tuple[tuple[int, str], ...] = ()  # how many words come before each mark, and the mark

    @property
    def plain(self) -> str:
        """The words as one string."""
        return " ".join(self.words)

    @property
    def clauses(self) -> list[tuple[tuple[str, ...], str]]:
        """The words from mark to mark, each with the mark that ends them."""
        found, start = [], 0
        for end, mark in (*self.ends, (len(self.words), "")):
            found.append((self.words[start:end], mark))
            start = end
        return found


def normalise(text: str) -> Line:
    """Return a line with its words: `Let's take TWO!` is let us take 2; a jumble has none."""
    text = text[:MAX_LENGTH]
    halves = re.sub(r"(?<=[0-9]) ?(?:½|(?<= )1/2(?![0-9/]))", ".5", text)
    halves = re.sub(rf"(?:½|{HALF})(?= of\b| the\b)", " half ", halves)
    halves = re.sub(rf"½|{HALF}", "0.5", halves).replace("−", "-")
    halves = re.sub(r"(?<![\w.])\.(?=[0-9])", "0.", halves)
    plain = unicodedata.normalize("NFKD", halves).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    plain = plain.replace("’", "'").replace("`", "'")
    plain = re.sub(r"(?<=[0-9a-z])[-–](?=[a-z])|(?<=[a-z])[-–](?=[0-9a-z])", " ", plain)
    plain = re.sub("→|[-=]>", " to ", plain)
    plain = THOUSANDS.sub(lambda match: match[0].replace(",", ""), plain)
    words: list[str] = []
    ends: list[tuple[int, str]] = []
    parts = CLAUSE_END.split(plain)
    for part, mark in zip(parts[::2], (*parts[1::2], ""), strict=True):
        words += read_numbers(each for word in WORD.findall(part) for each in _expand(word))
        if mark:
            ends.append((len(words), mark.strip()))
    return Line(text, ()) if _is_noise(text) else Line(text, tuple(words), tuple(ends))


def part_question(text: str) -> tuple[str, str]:
    """Return the one question among some sentences, and the others; nothing if there is not one."""
    sentences = SENTENCE_END.split(text[:MAX_LENGTH].strip())
    asked = [sentence for sentence in sentences if sentence.endswith("?")]
    if len(asked) != 1 or len(sentences) < 2:
        return "", ""
    return asked[0], " ".join(sentence for sentence in sentences if sentence is not asked[0])


def _is_noise(text: str) -> bool:
    """Say whether a line is a jumble of symbols, in which no word or number is meant."""
    found = SYMBOLS.findall(text)
    return (
        len(found) >= MIN_SYMBOLS
        and len(set(found)) >= MIN_KINDS
        and NOISE * len(found) > len(text)
    )


def read_numbers(words: Iterable[str]) -> tuple[str, ...]:
    """Return words in their usual spelling, with numbers as digits."""
    respell = SPELLING["spellings"]
    return tuple(_join_signs(_read_number_words([respell.get(word, word) for word in words])))


def _expand(word: str) -> list[str]:
    if (short := re.sub(r"(.)\1{2,}", r"\1", word)) in NUMBERS | STRETCHED:
        return [short]  # twooo, yesss
    if word in SPELLING["contractions"]:
        return SPELLING["contractions"][word].split()
    for ending, full in SPELLING["suffixes"].items():
        if word.endswith(ending):
            return f"{word.removesuffix(ending)} {full}".split()
    return [word.replace("'", "")]


def _read_number_words(words: Sequence[str]) -> list[str]:
    """Write number words as digits; `twenty one` is one number, and `the last one` is not any."""
    found: list[str] = []
    value: int | None = None  # of the number being spelt
    for at, word in enumerate(words):
        number = TENS.get(word, SMALL.get(word))
        if word == "one" and not _counts(words, at):
            number = None
        tail = value is not None and value > 10 and number in range(1, 10)
        if value is not None and word == "hundred":
            value *= 100
        elif value and number is not None and (value % 100 == 0 or (value % 10 == 0 and tail)):
            value += number  # twenty one, one hundred fifty
        elif value is not None and value >= 100 and word == "and":
            continue
        elif number is not None:
            found.append("")
            value = number
        else:
            value = None
            found.append(word)
            continue
        found[-1] = str(value)
    line = re.sub(r"\bhalf (?:a )?dozen\b", "6", " ".join(found))
    return re.sub(r"(?<!\S)([0-9]+) dozen\b", lambda match: str(12 * int(match[1])), line).split()


def _counts(words: Sequence[str], at: int) -> bool:
    """Say whether a `one` is a number: neither `the last one` nor `the bigger one` is."""
    before = words[at - 1] if at else ""
    compares = before.endswith("er") and before not in AROUND_NUMBERS["counters"]
    if at > 1 and compares and words[at - 2] in AROUND_NUMBERS["pointers"]:
        return False
    return before not in AROUND_NUMBERS["ones"] and not before.endswith(("est", "most"))


def _join_signs(words: Sequence[str]) -> list[str]:
    """Write `minus 3` as -3, `2 and a half` and `2 point 5` as 2.5."""
    line = " ".join(words)
    line = re.sub(r"(?<!\S)(-?[0-9]+) and (?:an? |1 )?half(?! of| the|\S)", r"\1.5", line)
    line = re.sub(r"(?<!\S)(-?[0-9]+) point ([0-9]+)(?!\S)", r"\1.\2", line)
    found: list[str] = []
    for word in line.split():
        before = found[-1] if found else ""
        lead = found[-2] if len(found) > 1 else ""
        minus = before == "minus" and (not lead or lead in AROUND_NUMBERS["signs"])
        if (before == "negative" or minus) and word[0].isdecimal():
            found[-1] = f"-{word}"
        else:
            found.append(word)
    return found


def spell_number(digits: str) -> str:
    """Write a number as one says it: in words as far as there is one word for it."""
    return SPELT.get(digits, digits)


def correct(
    words: Iterable[str],
    known: Collection[str],
    is_right: Callable[[str], bool] = lambda word: False,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the words with typing errors corrected, and which word was read as which.

    A word that is known, or right as it stands, is left alone.
    """
    changes: dict[str, str] = {}
    found = []
    for word in words:
        fine = word in known or not word.isalpha() or is_right(word)
        near = word if fine else _find_nearest(word, known)
        if near != word:
            changes[word] = near
        found.append(near)
    return (read_numbers(found) if changes else tuple(found)), changes


def _find_nearest(word: str, known: Collection[str]) -> str:
    """Return the one known word within one slip, or two in a long word; else the word itself."""
    if len(word) < 3 or len(word) > 24:
        return word
    most, letters = 1 if len(word) < 6 else 2, _mark_letters(word)
    alike = (
        (distance(word, other), other)
        for other in known
        if abs(len(other) - len(word)) <= most
        and len(other) > 2
        and (letters ^ _mark_letters(other)).bit_count() <= 2 * most  # a slip changes two at most
    )
    near = sorted((n, *_rank_difference(word, other), other) for n, other in alike if n <= most)
    if not near:
        return word
    if len(word) < 5 and (whole := _restore_vowel(word, [other for *_, other in near])):
        return whole
    equal = [other for *how, other in near if how == list(near[0][:-1])]
    shortest = min(equal, key=len)
    return shortest if all(other.startswith(shortest) for other in equal) else word


@lru_cache(maxsize=65536)
def _mark_letters(word: str) -> int:
    """Return the letters of a word as bits of a number; rare ones may share a bit."""
    return reduce(operator.or_, (1 << ord(letter) % 32 for letter in word))


def _restore_vowel(word: str, near: Sequence[str]) -> str:
    """Return the only word that a short one is with a vowel left out inside: `hnt`.

    Of several it is the one that lost it beside another, where it is not heard: `bord`.
    """
    lost = [
        (other, other[at - 1 : at + 2])
        for other in near
        for at in range(1, len(other) - 1)
        if other[at] in "aeiou" and other[:at] + other[at + 1 :] == word
    ]
    found = {other for other, _ in lost}
    if len(found) > 1:
        found = {other for other, around in lost if re.search("[aeiou]{2}", around)}
    return found.pop() if len(found) == 1 else ""


def _rank_difference(word: str, other: str) -> tuple[bool, bool, int]:
    """Rank how unlike two words look: the same letters, a longer word, the same start."""
    start = max(at for at in range(len(word) + 1) if other.startswith(word[:at]))
    return set(word) != set(other), not other.startswith(word), -start


@lru_cache(maxsize=65536)
def distance(one: str, other: str) -> int:
    """Count the slips between two words: a letter wrong, missing, too many, or two swapped."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        line = [i]
        for j, against in enumerate(other, start=1):
            cost = min(row[j] + 1, line[j - 1] + 1, row[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            line.append(cost)
        before, row = row, line
    return row[-1]
