"""The text files beside the code: what Benedict says and hears, for people who do not write Python.

All of them have the format that `core.sentences.read_sections` reads:

    # What he says to thanks
    [thanks]
    You are welcome.

A line that he says may have gaps, such as `{name}`; in any line `{all_games}`, `{any_game}`,
`{other_games}` and `{game_count}` are the games he knows, those of others included. A file of words
has words in its lines, or pairs such as `colour = color`. A file of expressions has regular
expressions: the lines of a section are alternatives, and `<NAME>` stands for the section of that
name, in capitals, in the same file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from parlour import core

HERE = Path(__file__).parent.parent
GAME_GAPS = ("all_games", "All_games", "any_game", "other_games", "game_count")
Sections = dict[str, tuple[str, ...]]
BRACKET = re.compile(r"\((?P<looks>\?<?[=!])?(?:\?:|\?P<\w+>)?(?P<body>[^()]*)\)")
LETTERS = re.compile(r"[a-z ]+(?=[a-z ][?*{])|[a-z ]+(?![?*{a-z ])")  # none that may be left out


@cache
def read_sections(name: str, joint: str = " ") -> Sections:
    """Return the lines of a text file of the host by section, in order."""
    return core.sentences.read_sections(HERE / name, joint)


def fill_lines(name: str, section: str, /, **gaps: object) -> tuple[str, ...]:
    """Return the lines of a section of a text file, with their gaps filled."""
    return tuple(line.format_map(Gaps(gaps)) for line in read_sections(name)[section])


class Gaps(dict[str, object]):
    """What fills the gaps of a line; the games he knows are looked up where a line names them."""

    def __missing__(self, gap: str) -> object:
        if gap not in GAME_GAPS:
            raise KeyError(gap)
        from parlour.core import all_of, capital, one_of  # few lines need them

        first, others = (list(names.values()) for names in name_games())
        games = first + others
        found = all_of(games), capital(all_of(games)), one_of(games), all_of(others), len(games)
        return dict(zip(GAME_GAPS, found, strict=True))[gap]


def name_games() -> tuple[dict[str, str], dict[str, str]]:
    """Return what he calls the games that he plays himself, which he offers first, and all others.

    Those of guests are among the others.
    """
    from parlour.core import extra, registry  # the greeting does without it

    first: dict[str, str] = {}
    others: dict[str, str] = {}
    games = {name: claim.load() for name, claim in registry.claims("games").items()}
    for name, cls in sorted(games.items(), key=lambda each: extra(each[1], "place")):
        group = first if extra(cls, "benedict") else others
        group[name] = extra(cls, "spoken_name") or name.replace("_", " ")
    return first, others


@cache
def read_words(name: str) -> dict[str, frozenset[str]]:
    """Return the words of each section; a line with commas lists phrases."""
    return {
        section: frozenset(
            word.strip()
            for line in lines
            for word in (line.split(",") if "," in line else line.split())
            if word.strip()
        )
        for section, lines in read_sections(name).items()
    }


@cache
def read_pairs(name: str) -> dict[str, dict[str, str]]:
    """Return the pairs of each section: `left = right`, with commas between them."""
    return {
        section: {
            left.strip(): right.strip()
            for line in lines
            for left, _, right in (pair.partition("=") for pair in line.split(","))
            if left.strip()
        }
        for section, lines in read_sections(name).items()
    }


@cache
def read_expressions(name: str) -> Expressions:
    """Return the regular expression of each section, without those that only others refer to."""
    return Expressions(read_sections(name, joint=""))


class Expressions(Mapping[str, re.Pattern[str]]):
    """Regular expressions by section, each compiled when it is first used: there are hundreds."""

    def __init__(self, lines: Sections) -> None:
        self._lines = lines
        self._parts = {section: "|".join(some) for section, some in lines.items()}
        self._compiled: dict[str, re.Pattern[str]] = {}

    def __getitem__(self, section: str) -> re.Pattern[str]:
        return self._compile(self._parts[section])

    def match_line(self, section: str, text: str) -> re.Match[str] | None:
        """Match a text as a whole by the first line of a section that fits.

        A line is compiled only if the words that it cannot do without are in the text.
        """
        fitting = (line for line in self._lines[section] if _may_fit(line, text))
        found = (self._compile(line).fullmatch(text) for line in fitting)
        return next(filter(None, found), None)

    def search(self, section: str, text: str) -> re.Match[str] | None:
        """Search a text by a section, which is compiled only if one of its lines may fit."""
        may_fit = any(_may_fit(line, text) for line in self._lines[section])
        return self[section].search(text) if may_fit else None

    def list_with(self, *gaps: str) -> list[str]:
        """List the sections that have all of some gaps."""
        whole = {section: self._expand(self._parts[section]) for section in self}
        return [name for name, text in whole.items() if all(f"(?P<{gap}>" in text for gap in gaps)]

    def _compile(self, text: str) -> re.Pattern[str]:
        if text not in self._compiled:
            self._compiled[text] = re.compile(self._expand(text))
        return self._compiled[text]

    def __iter__(self) -> Iterator[str]:
        return (section for section in self._parts if not section.isupper())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _expand(self, text: str) -> str:
        return re.sub("<([A-Z_]+)>", lambda match: self._expand(self._parts[match[1]]), text)


def _may_fit(line: str, text: str) -> bool:
    return all(any(one in text for one in some) for some in _list_needed(line))


@cache
def _list_needed(line: str) -> list[tuple[str, ...]]:
    """List what a text must have in it to match: of each row one, by its letters.

    That is what stands outside of brackets, or begins each choice of a bracket there, unless it may
    be left out. Brackets are taken away from the inside out.
    """
    found: list[tuple[str, ...]] = []
    bare = re.sub(r"\\.|\[[^]]*\]|<[A-Z_]+>", "#", line)
    while inner := BRACKET.search(bare):
        before, after = bare[: inner.start()], bare[inner.end() :]
        choices = [LETTERS.match(choice) for choice in inner["body"].split("|")]
        outside = before.count("(") == before.count(")") and after[:1] not in ("?", "*", "{")
        if outside and not inner["looks"] and all(choices):
            found.append(tuple(choice[0] for choice in choices if choice))
        bare = f"{before}#{after}"
    return [] if "|" in bare else [*found, *((each,) for each in LETTERS.findall(bare))]
