"""The text files beside the code: what Benedict says and hears, for people who do not write Python.

All of them have one format. A `#` at the beginning of a line is a comment, `[name]` opens a
section, an indented line continues the one before, and everything else is a line of its own:

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

HERE = Path(__file__).parent.parent
FIRST_GAMES = {"nim": "nim", "chopsticks": "chopsticks", "othello": "othello"}  # as he calls them
OTHER_GAMES = {"sticks": "sticks", "tictactoe": "tic-tac-toe"}
GAME_GAPS = ("all_games", "All_games", "any_game", "other_games", "game_count")
Sections = dict[str, tuple[str, ...]]


@cache
def read_sections(name: str, joint: str = " ") -> Sections:
    """Return the lines of a text file of the host by section, in order."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for row in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        if row[0] == "[" and row[-1] == "]":
            lines = found.setdefault(row[1:-1], [])
        elif row[0] == " ":
            lines[-1] += joint + row.strip()
        else:
            lines.append(row)
    return {section: tuple(lines) for section, lines in found.items()}


def fill_lines(name: str, section: str, /, **gaps: object) -> tuple[str, ...]:
    """Return the lines of a section of a text file, with their gaps filled."""
    return tuple(line.format_map(Gaps(gaps)) for line in read_sections(name)[section])


class Gaps(dict[str, object]):
    """What fills the gaps of a line; the games he knows are looked up where a line names them."""

    def __missing__(self, gap: str) -> object:
        if gap not in GAME_GAPS:
            raise KeyError(gap)
        from parlour.core import all_of, capital, one_of  # few lines need them

        others = list_other_games()
        games = [*FIRST_GAMES.values(), *others]
        found = all_of(games), capital(all_of(games)), one_of(games), all_of(others), len(games)
        return dict(zip(GAME_GAPS, found, strict=True))[gap]


def list_other_games() -> list[str]:
    """Return what he calls the games that he does not offer first, those of others included."""
    from parlour.core import registry  # the greeting does without it

    own = FIRST_GAMES | OTHER_GAMES
    guests = [name.replace("_", " ") for name in registry.games() if name not in own]
    return [*OTHER_GAMES.values(), *guests]


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
def read_expressions(name: str) -> Mapping[str, re.Pattern[str]]:
    """Return the regular expression of each section, without those that only others refer to."""
    parts = {section: "|".join(lines) for section, lines in read_sections(name, joint="").items()}
    return _Expressions(parts)


class _Expressions(Mapping[str, re.Pattern[str]]):
    """Regular expressions by section, each compiled when it is first used: there are hundreds."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts
        self._compiled: dict[str, re.Pattern[str]] = {}

    def __getitem__(self, section: str) -> re.Pattern[str]:
        if section not in self._compiled:
            self._compiled[section] = re.compile(self._expand(self._parts[section]))
        return self._compiled[section]

    def __iter__(self) -> Iterator[str]:
        return (section for section in self._parts if not section.isupper())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _expand(self, text: str) -> str:
        return re.sub("<([A-Z_]+)>", lambda match: self._expand(self._parts[match[1]]), text)
