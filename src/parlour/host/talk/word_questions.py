"""Which questions for the dictionary a line asks: of which kind, and about which words.

A question has a shape from `expressions/dictionary.txt`, and may stand anywhere in a line, after
what leads to it and before a remark. Where no shape fits, a word like `opposite` still tells the
kind of a question that is surely one, and what is quoted or stands near that word tells the rest.
Nothing is looked up here: whether the words are in the dictionary is for `definitions.py` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from parlour.host.language import SMALL_WORDS, Line, normalise, texts

SHAPES = texts.read_expressions("talk/expressions/dictionary.txt")
OWN = texts.read_words("talk/dictionary.txt")
MAX_WORDS = 60  # of a line that may ask for a word
MAX_TEXTS = 60  # stretches of it that may be the question
MAX_QUOTED = 4  # words of a quotation that may be asked for as one
LOOSELY = "loosely "  # before the names of expressions that only tell the kind of a question
HELPING = {
    *"lead filler rest start follow-up named not".split(),
    "any rest",
    "asks about",
    "is a clue",
}
KINDS = [shape for shape in SHAPES if shape not in HELPING and not shape.startswith(LOOSELY)]
DESCRIBES = ("described", "asks which", "asks who", "clue")  # a description to the end
ONLY_IF_SURE = ("asks who", "clue", "versus", "about", "alone", "one and two")
PAIRED = ("difference", "same")
JOINS = frozenset("and or from with to vs versus n than against".split())
QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{2,60})[\"“”«»]|(?<!\w)['‘]([^'‘’]{2,60})['’](?!\w)")
OWNED = re.compile(r"\b([a-z]+)['’]s ([a-z]+)")


@dataclass(frozen=True)
class Question:
    """A question of some kind: what fills its gaps, and the stretch of the line that asks it."""

    kind: str
    gaps: dict[str, str]
    text: str = ""
    loose: bool = False  # whether only a word of it tells the kind

    def find_lead(self, name: str) -> str:
        """Return the article, or the `to`, before what fills a gap."""
        found = re.search(rf"\b(an?|to) {re.escape(self.gaps[name])}\b", self.text)
        return found[1] if found else ""


def read_questions(line: Line, sure: bool = False) -> Iterator[Question]:
    """List the questions that a line may ask, the likeliest first.

    A line that is surely such a question is searched for it, and may ask it in any way.
    """
    if not (2 - sure) <= len(line.words) <= MAX_WORDS:
        return
    line = join_possessives(line)
    last = next((words for words, _ in reversed(line.clauses) if words), ())
    begins = SHAPES["lead"].sub("", " ".join(last)).split()[:2]
    later = sure or "?" in line.text or bool(OWN["asking"] & set(begins))
    whole = list(islice(_list_stretches(line, later), MAX_TEXTS))
    cuts = _list_stretches(line, True, cut=True) if sure else ()
    cut = [text for text in cuts if text not in whole][:MAX_TEXTS]
    for text in (*whole, *cut):
        for question in _match_shapes(text):
            clue = question.kind == "clue" and line.text.rstrip().endswith("?")
            fits = sure or clue or question.kind not in ONLY_IF_SURE
            if fits and not (text in cut and question.kind in DESCRIBES):
                yield question
    if sure or (later and list_quoted(line)):
        yield from read_loosely(line)


@lru_cache(maxsize=1024)
def _match_shapes(text: str) -> list[Question]:
    """Return a question of each kind whose shape fits; the same line is read more than once."""
    matches = ((kind, SHAPES.match_line(kind, text)) for kind in KINDS)
    return [Question(kind, _fill_gaps(found), text) for kind, found in matches if found]


def read_follow_up(line: Line) -> dict[str, str] | None:
    """Return what another word is asked of in the words of the line before: `and a kayak?`."""
    found = SHAPES["follow-up"].match(line.plain)
    return _fill_gaps(found) if found else None


def _fill_gaps(found: re.Match[str]) -> dict[str, str]:
    """Return what fills the gaps of a shape, which may stand in it under several numbers."""
    return {key.rstrip("0123456789"): text for key, text in found.groupdict().items() if text}


@lru_cache(maxsize=64)
def join_possessives(line: Line) -> Line:
    """Return a line in which `a person's uncle` is not read as `a person is uncle`."""
    words, ends = list(line.words), list(line.ends)
    for owner, owned in OWNED.findall(line.text.casefold()):
        here = [owner, "is", owned]
        at = next((n for n in range(len(words) - 2) if words[n : n + 3] == here), -1)
        if at >= 0 and not {owner, owned} & OWN["not possessive"] and not owned.endswith("ing"):
            del words[at + 1]
            ends = [(number - (number > at + 1), mark) for number, mark in ends]
    return replace(line, words=tuple(words), ends=tuple(ends))


def _list_stretches(line: Line, later: bool, cut: bool = False) -> Iterator[str]:
    """List the stretches of a line that may be a question, the likeliest first.

    They begin with the line, or with a later clause of it, and end with it, with a clause, or where
    a remark may begin; each with and without the words that change nothing. Those that are cut end
    before any small word, or begin with any that asks.
    """
    for rest, stops in islice(_list_clauses(line), None if later else 1):
        marks = SHAPES["any rest" if cut else "rest"].finditer(rest)
        ends = {**{found.start(): "" for found in marks}, **(stops if not cut else {})}
        stretches = [
            rest[:end] for end in sorted(ends, key=lambda end: ("?" not in ends[end], -end))
        ]
        begins = [found.start() for found in SHAPES["start"].finditer(rest)] if cut else []
        stretches += [rest[begin:end] for begin in begins for end in {min(stops), len(rest)}]
        for text in stretches:
            yield from dict.fromkeys((text, SHAPES["filler"].sub("", text).strip()))


def _list_clauses(line: Line) -> Iterator[tuple[str, dict[int, str]]]:
    """List the line from each clause on, without its lead, and where clauses end in it, and how."""
    marks = {len(" ".join(line.words[:end])): mark for end, mark in line.ends}
    for start in (0, *(end + 1 for end in marks if 0 < end < len(line.plain))):
        rest = SHAPES["lead"].sub("", line.plain[start:])
        begin = len(line.plain) - len(rest)
        stops = {end - begin: mark for end, mark in marks.items() if end > begin}
        yield rest, {len(rest): ""} | stops


# Where no shape fits


def read_loosely(line: Line, subject: str = "") -> Iterator[Question]:
    """List the questions whose kind one word tells, about a subject, or what stands near it."""
    plain = line.plain
    for name in (each for each in SHAPES if each.startswith(LOOSELY)):
        if not (found := SHAPES[name].search(plain)):
            continue
        kind = name.removeprefix(LOOSELY)
        before, after = plain[: found.start()], plain[found.end() :]
        if kind in PAIRED:
            for one, other in _list_pairs(f"{before} {after}"):
                yield Question(kind, {"x": one, "y": other}, loose=True)
            continue
        near = [subject] if subject else [*list_telling(after), *reversed(list_telling(before))]
        for text in (*list_quoted(line), *(near if kind != "means" else ())):
            yield Question(kind, {"x": text}, loose=True)


def _list_pairs(text: str) -> Iterator[tuple[str, str]]:
    """List the words on both sides of an `and` or its like: whole, or the first of each."""
    words = text.split()
    for at, word in enumerate(words):
        if word in JOINS:
            ones = list_telling(" ".join(words[max(0, at - 3) : at]))[-1:]
            others = list_telling(" ".join(words[at + 1 : at + 5]))[:1]
            for one, other in zip(ones, others, strict=False):
                yield one, other
                yield one.split()[0], other.split()[0]


def list_telling(text: str) -> list[str]:
    """List the runs of words that tell something, in the order in which they stand."""
    small = SMALL_WORDS | OWN["said in a description"] | OWN["of words"] | OWN["persons"]
    marked = " ".join("|" if word in small or word.isdecimal() else word for word in text.split())
    return [run.strip() for run in marked.split("|") if run.strip()]


def list_quoted(line: Line) -> list[str]:
    """List what is quoted in a line, or named as a word, if it is short enough to be asked for."""
    quoted = [" ".join(normalise(one or two).words) for one, two in QUOTED.findall(line.text)]
    named = [found["x"] for found in SHAPES["named"].finditer(line.plain)]
    named = [word for word in named if word not in SMALL_WORDS]
    return [text for text in (*quoted, *named) if 0 < len(text.split()) <= MAX_QUOTED]


def list_excluded(line: Line) -> list[str]:
    """List what a line says is not meant: `not the season`."""
    return [found["x"] for found in SHAPES["not"].finditer(line.plain)]


def list_things(line: Line) -> list[tuple[str, str]]:
    """List the things that a line names with `a`, as two words and as one: `I saw a fluke`."""
    found = re.findall(r"\ban? ([a-z]+)((?: [a-z]+)?)", line.plain)
    return [(first + second, first) for first, second in found]
