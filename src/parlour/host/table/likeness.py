"""Which of the questions that people ask about the games a line is most like.

The questions are in `asked.txt`, by topic. A line is compared with each by the telling words that
they share, rare ones weighing more, without regard to their order or endings; words that mean the
same in a question are listed in `terms.txt`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache

from parlour.host.language import Line, read_expressions, read_pairs, read_sections, read_words
from parlour.host.understand import find_bots

ASKED, TERMS = "table/asked.txt", "table/terms.txt"
SHAPES = read_expressions("understand/expressions/reviews.txt")
ALSO_WORDS = ("random", "perfect", "standard")  # bots whose names are also words
VAGUE = frozenset("can # how not who best which move game".split())  # that alone say little
BRIEF = 3  # words of a line that may be no more than a term
UNKNOWN = 6.0  # the weight of a word that is in none of them
NAMED = 0.15  # what is added where a question is about a bot that is named
NEARER = 0.1  # what other words in common may add
CLAUSE, FEW, MANY = 0.88, 0.65, 1.12  # what likeness counts for in a clause, and by how many words


@cache
def _load_alike() -> dict[str, str]:
    """Return the word that stands for each of some that mean the same in a question."""
    rows = [row.split() for row in read_sections(TERMS)["alike"]]
    return {word: row[0] for row in rows for word in row}


def _list_terms(plain: str) -> frozenset[str]:
    """Return what a question is about: its telling words, without endings, alike ones as one."""
    joined = read_pairs(TERMS)["joined"]
    plain = _match_joined().sub(lambda found: joined[found[0]], plain)
    return frozenset(term for term in map(_find_term, plain.split()) if term)


@cache
def _match_joined() -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{phrase}\b" for phrase in read_pairs(TERMS)["joined"]))


@lru_cache(maxsize=4096)
def _find_term(word: str) -> str:
    """Return what a word counts as; nothing for one that says nothing of the topic."""
    if word in read_words(TERMS)["left out"]:
        return ""
    alike = _load_alike()
    stem = re.sub("(?<=...)(?:ings?|ed|e?s|e|ly)$", "", alike.get(word, word))
    return "#" if stem.isdecimal() else alike.get(stem, stem)


@dataclass(frozen=True)
class Asked:
    """A question of the list: its section, words, terms, and the sum of their squared weights."""

    section: str
    words: frozenset[str]
    terms: frozenset[str]
    norm: float


@cache
def _load_rows() -> list[tuple[str, str]]:
    """Return the listed questions, each with its section; they are written as normalised."""
    return [(section, row) for section, rows in read_sections(ASKED).items() for row in rows]


def is_listed(plain: str) -> bool:
    """Say whether a line is one of the listed questions, word for word."""
    return any(plain == row for _, row in _load_rows())


@cache
def _load_asked() -> tuple[dict[str, float], dict[str, list[Asked]]]:
    """Return what each term weighs, and the questions that have it."""
    asked = [(section, row, _list_terms(row)) for section, row in _load_rows()]
    held = Counter(term for _, term in {(section, t) for section, _, some in asked for t in some})
    number = len(read_sections(ASKED))
    weights = {term: math.log(1 + number / many) ** 2 for term, many in held.items()}
    found: dict[str, list[Asked]] = {}
    for section, row, terms in asked:
        norm = sum(weights[term] for term in terms)
        question = Asked(section, frozenset(row.split()), terms, norm)
        for term in terms:
            found.setdefault(term, []).append(question)
    return weights, found


def find_terms(line: Line, *, at_table: bool) -> list[str]:
    """Return the topics of the terms that a line asks about; everyday words only at a table."""
    if not SHAPES["defines"].search(line.plain) and len(line.words) > BRIEF:
        return []
    terms = read_pairs(TERMS)["terms"] | (read_pairs(TERMS)["terms of games"] if at_table else {})
    found = [phrase for phrase in terms if f" {phrase} " in f" {line.plain} "]
    longest = [
        each for each in found if not any(each != other and each in other for other in found)
    ]
    both = len(longest) == 2 and SHAPES["of two terms"].search(line.plain)
    longest.sort(key=len if not both else line.plain.find, reverse=not both)
    return list(dict.fromkeys(terms[each] for each in longest[: 2 if both else 1]))


def rank_topics(line: Line, game: str) -> dict[str, float]:
    """Return how much a line is like the questions of each section, the most like first.

    A clause of it may be the question, and then has to be plainer than the whole line.
    """
    bots = [b for b in find_bots(line.words) if b not in ALSO_WORDS or f"{b} bot" in line.plain]
    found = dict(compare(line.plain, game, 0))
    found |= {s: like + NAMED for s, like in found.items() if any(bot in s for bot in bots)}
    for clause in (" ".join(words) for words, _ in line.clauses):
        if clause == line.plain or not SHAPES["asks"].search(clause):
            continue
        for section, like in compare(clause, game, 2).items():
            found[section] = max(CLAUSE * like, found.get(section, 0))
    # Of two alike, the one about the game at hand comes first, or without one that about all games.
    return dict(sorted(found.items(), key=lambda each: (-each[1], ("@" in each[0]) != bool(game))))


@lru_cache(maxsize=16)
def compare(plain: str, game: str, shared: int) -> dict[str, float]:
    """Return the sections with questions like this one, each with the cosine of their weights.

    They share at least `shared` telling terms; one alone counts for less, unless there is no other.
    """
    weights, asked = _load_asked()
    terms, words = _list_terms(plain), frozenset(plain.split())
    norm = sum(weights.get(term, UNKNOWN) for term in terms)
    names = read_words(TERMS)["names"]
    likeness: dict[str, float] = {}
    seen: set[int] = set()
    for each in (question for term in terms for question in asked.get(term, ())):
        _, _, games = each.section.partition(" @ ")
        if id(each) in seen or (games and game and game not in games.split()):
            continue
        seen.add(id(each))
        common = terms & each.terms
        if (each.terms - common) & names:
            continue
        telling = len(common - VAGUE)
        if telling >= max(1, shared):
            like = sum(weights[term] for term in common) / math.sqrt(norm * each.norm)
            like *= MANY if telling > 2 else FEW if telling < 2 and terms != each.terms else 1
            like *= 1 + NEARER * len(words & each.words) / len(words | each.words)
            likeness[each.section] = max(like, likeness.get(each.section, 0))
    return likeness
