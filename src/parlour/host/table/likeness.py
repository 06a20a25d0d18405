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

from parlour.host.language import (
    Line,
    normalise,
    read_expressions,
    read_pairs,
    read_sections,
    read_words,
)
from parlour.host.understand import find_bots

ASKED, TERMS = "table/asked.txt", "table/terms.txt"
SHAPES = read_expressions("understand/expressions/reviews.txt")
ALSO_WORDS = ("random", "perfect", "standard")  # bots whose names are also words
VAGUE = frozenset("can # how not who best which move game".split())  # that alone say little
UNKNOWN = 6.0  # the weight of a word that is in none of them
NAMED = 0.15  # what is added where a question is about a bot that is named
CLAUSE, FEW, MANY = 0.88, 0.65, 1.12  # what likeness counts for in a clause, and by how many words


@cache
def _load_alike() -> dict[str, str]:
    """Return the word that stands for each of some that mean the same in a question."""
    rows = [row.split() for row in read_sections(TERMS)["alike"]]
    return {word: row[0] for row in rows for word in row}


def _list_terms(plain: str) -> frozenset[str]:
    """Return what a question is about: its telling words, without endings, alike ones as one."""
    for phrase, word in read_pairs(TERMS)["joined"].items():
        plain = plain.replace(phrase, word)
    alike, left_out = _load_alike(), read_words(TERMS)["left out"]
    words = (alike.get(word, word) for word in plain.split() if word not in left_out)
    stems = (re.sub("(?<=...)(?:ings?|ed|e?s|e|ly)$", "", word) for word in words)
    return frozenset("#" if stem.isdecimal() else alike.get(stem, stem) for stem in stems)


@dataclass(frozen=True)
class Asked:
    """A question of the list: its section, its terms, and the sum of their squared weights."""

    section: str
    terms: frozenset[str]
    norm: float


@cache
def _load_asked() -> tuple[dict[str, float], dict[str, list[Asked]]]:
    """Return what each term weighs, and the questions that have it."""
    asked = [
        (section, _list_terms(normalise(row).plain))
        for section, rows in read_sections(ASKED).items()
        for row in rows
    ]
    held = Counter(term for _, term in {(section, t) for section, some in asked for t in some})
    number = len(read_sections(ASKED))
    weights = {term: math.log(1 + number / many) ** 2 for term, many in held.items()}
    found: dict[str, list[Asked]] = {}
    for section, terms in asked:
        question = Asked(section, terms, sum(weights[term] for term in terms))
        for term in terms:
            found.setdefault(term, []).append(question)
    return weights, found


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

    They have to share so many telling terms; one alone counts for less, unless it is all there is.
    """
    weights, asked = _load_asked()
    terms = _list_terms(plain)
    norm = sum(weights.get(term, UNKNOWN) for term in terms)
    likeness: dict[str, float] = {}
    seen: set[int] = set()
    for each in (question for term in terms for question in asked.get(term, ())):
        _, _, games = each.section.partition(" @ ")
        if id(each) in seen or (games and game and game not in games.split()):
            continue
        seen.add(id(each))
        common = terms & each.terms
        telling = len(common - VAGUE)
        if telling >= max(1, shared):
            like = sum(weights[term] for term in common) / math.sqrt(norm * each.norm)
            like *= MANY if telling > 2 else FEW if telling < 2 and terms != each.terms else 1
            likeness[each.section] = max(like, likeness.get(each.section, 0))
    return likeness
