"""WordNet's files as values: words, senses, pointers, and how common each of them is.

WordNet tags only a few senses with counts, so commonness is also read off its definitions: a word
that helps to define or illustrate many others is a common one.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from pathlib import Path

FILES = {"n": "noun", "v": "verb", "a": "adj"}
TAGGED = {"1": "n", "2": "v", "3": "a", "5": "a"}  # how the counts spell the kinds of word
NUMBERED_BY_RANK = 9  # senses beyond these are never an everyday one
ENDINGS = {
    "n": [("s", ""), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")],
    "v": [("s", ""), ("ies", "y"), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")],
    "a": [("er", ""), ("er", "e"), ("est", ""), ("est", "e"), ("ier", "y"), ("iest", "y")],
}
BRITISH = [("or(?=$|s$|ful$|ed$|able$|ite$|less$|ing$)", "our"), ("ter$", "tre"), ("gray", "grey")]
INFORMAL = re.compile(
    r"informal|slang|term of address|term of endearment|archaic|obsolete|colloquial|dialect"
    r"|American Civil War|especially formerly|(?:British|Scottish|Australian) term|usually plural"
)
RUDE = re.compile(r"offensive (?:term|name|word)|ethnic slur|obscene (?:term|word)|vulgar|disparag")
INTIMATE = re.compile(
    r"sexual|genital|prostitut|intercourse|copulat|excre|feces|insult|racial|porn"
)


@dataclasses.dataclass(frozen=True)
class Pointer:
    """One relation, from a synset (or the `source`-th word of it) to another."""

    mark: str
    target: str
    source: int
    into: int


@dataclasses.dataclass(frozen=True)
class Synset:
    """Words that share a meaning, and where that meaning leads."""

    key: str
    lex: int  # the number of the lexicographers' file: 5 animals, 18 persons …
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    frames: frozenset[int]
    gloss: str  # the definition, without examples
    informal: bool
    rude: bool
    intimate: bool

    def to(self, *marks: str) -> list[str]:
        """The synsets these marks lead to."""
        return [pointer.target for pointer in self.pointers if pointer.mark in marks]


class WordNet:
    """The database in memory."""

    def __init__(self, source: Path) -> None:
        self.synsets: dict[str, Synset] = {}
        self.senses: dict[tuple[str, str], list[str]] = {}
        self.exceptions: dict[tuple[str, str], list[str]] = {}  # (form, kind) to its base words
        self.tags: Counter[tuple[str, str, str]] = Counter()  # by word, kind and synset
        self.common: Counter[tuple[str, str]] = Counter()
        self.counted: dict[str, tuple[int, int]] = {}  # seen in all, and seen as one of several
        adverbs = (_synset("r", line) for line in _lines(source / "data.adv"))
        self.adverbs = {synset.key: synset for synset, _ in adverbs}  # no topics; only defined
        self.adverb_senses = _read_index("r", source / "index.adv")
        definitions: list[str] = []
        for kind, name in FILES.items():
            for line in _lines(source / f"data.{name}"):
                synset, definition = _synset(kind, line)
                self.synsets[synset.key] = synset
                definitions.append(definition)
            senses = _read_index(kind, source / f"index.{name}")
            self.senses |= {(word, kind): keys for word, keys in senses.items()}
            for line in _lines(source / f"{name}.exc"):
                form, *bases = line.split()
                self.exceptions.setdefault((form, kind), []).extend(bases)
        for line in _lines(source / "cntlist.rev"):
            key, number, times = line.split()
            word, rest = key.split("%")
            if (senses := self.senses.get((word, TAGGED.get(rest[0], "")))) and int(number) <= len(
                senses
            ):
                kind = TAGGED[rest[0]]
                self.tags[word, kind, senses[int(number) - 1]] += int(times)
        self._count(definitions)

    def ancestors(self, key: str, *marks: str) -> list[str]:
        """The synsets above, the nearest first."""
        above = [key]
        for at in above:
            above += [up for up in self.synsets[at].to(*marks) if up not in above]
        return above[1:]

    def bases(self, form: str, kind: str) -> list[str]:
        """The words of this kind that the form may be an inflection of, itself included."""
        found = [form] if (form, kind) in self.senses else []
        found += self.exceptions.get((form, kind), [])
        for ending, instead in ENDINGS[kind]:
            stem = form.removesuffix(ending)
            if stem != form and (stem + instead, kind) in self.senses and len(stem) > 1:
                found.append(stem + instead)
        return list(dict.fromkeys(found))

    def _count(self, definitions: list[str]) -> None:
        """How often each word is tagged or used in a definition, and nouns as one of several."""
        tagged: Counter[tuple[str, str]] = Counter()
        for (word, kind, _), times in self.tags.items():
            tagged[word, kind] += times
        seen: Counter[str] = Counter()
        pairs: Counter[str] = Counter()
        several: Counter[str] = Counter()
        longest = {word for word, _ in self.senses if "_" in word}
        for definition in definitions:
            for nth, stretch in enumerate(definition.split('"')):
                weight = 3 if nth % 2 else 1  # examples sound more like talk than definitions do
                tokens = re.findall(r"[a-z][a-z'-]*|[,;.:()]", stretch.lower())
                for at, token in enumerate(tokens):
                    seen[token] += weight
                    if at and token[0].isalpha() and tokens[at - 1] in ("a", "an", "each", "every"):
                        after = tokens[at + 1] if at + 1 < len(tokens) else "."
                        if not after[0].isalpha() or (after, "n") not in self.senses:
                            several[token] += weight
                    for many in (2, 3):
                        joined = "_".join(tokens[at : at + many])
                        if joined in longest:
                            pairs[joined] += weight
                        elif joined[-1:] == "s" and joined[:-1] in longest:
                            pairs[joined[:-1]] += weight
        plurals: Counter[str] = Counter()
        alone: Counter[str] = Counter()
        for form, times in sorted(seen.items()):
            options = [(base, kind) for kind in FILES for base in self.bases(form, kind)]
            weights = [1 + tagged[option] for option in options]
            for option, weight in zip(options, weights, strict=True):
                self.common[option] += round(times * weight / sum(weights))
                if option[1] == "n":
                    (alone if option[0] == form else plurals)[option[0]] += times
        for joined, times in pairs.items():
            for kind in FILES:
                if (joined, kind) in self.senses:
                    self.common[joined, kind] += times
        for option, times in tagged.items():
            self.common[option] += 3 * times
        self._count_british()
        self.counted = {
            word: (alone[word] + plurals[word], several[word] + plurals[word])
            for word, kind in self.senses
            if kind == "n"
        }

    def _count_british(self) -> None:
        """The counts were made in America; a British spelling is as common, and comes first."""
        for (word, kind), senses in self.senses.items():
            for american, british in BRITISH:
                other = (re.sub(american, british, word), kind)
                shared = set(self.senses.get(other, [])) & set(senses)
                if other[0] != word and shared:
                    self.common[other] = max(self.common[other], self.common[word, kind] + 1)
                    for key in shared:
                        self.tags[(*other, key)] = self.tags[word, kind, key]

    def everyday(self, word: str, kind: str) -> list[tuple[float, str]]:
        """The senses of a word with how much each looks like the one people mean, best first."""
        weighed = []
        for rank, key in enumerate(self.senses.get((word, kind), [])[:NUMBERED_BY_RANK]):
            synset = self.synsets[key]
            if synset.rude:
                continue
            score = 1.5 * self.tags[word, kind, key] - 0.5 * rank
            score += 1.5 * math.log2(1 + len(synset.pointers))
            score += 2 * (synset.words[0].lower() == word)
            score += 1.5 * min(self._compounds[key, word], 6)
            score -= (
                8 * synset.informal
                + 8 * synset.intimate
                + 3 * (synset.lex in (18, 20) and rank > 0)
            )
            score -= 1000 * (word not in synset.words)  # a name
            weighed.append((score, key))
        return sorted(weighed, key=lambda pair: -pair[0])

    @property
    def _compounds(self) -> Counter[tuple[str, str]]:
        """How many kinds of a thing are named after it: `sperm whale` speaks for the animal."""
        if not hasattr(self, "_named_after"):
            self._named_after: Counter[tuple[str, str]] = Counter()
            for key, synset in self.synsets.items():
                for up in self.ancestors(key, "@")[:6]:
                    for word in synset.words:
                        if "_" in word:
                            self._named_after[up, word.rpartition("_")[2].lower()] += 1
        return self._named_after


def _lines(path: Path) -> list[str]:
    text = path.read_text(encoding="latin-1")
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


def _read_index(kind: str, path: Path) -> dict[str, list[str]]:
    """The senses of each word of a kind, the commonest first."""
    parts = (line.split() for line in _lines(path))
    return {part[0]: [kind + at for at in part[6 + int(part[3]) :]] for part in parts}


def _synset(kind: str, line: str) -> tuple[Synset, str]:
    """One line of a data file, and its definition with the examples, whose words are counted."""
    data, _, definition = line.partition(" | ")
    part = data.split()
    many = int(part[3], 16)
    at = 4 + 2 * many
    words = tuple(re.sub(r"\(.*\)", "", word) for word in part[4:at:2])
    ends = at + 1 + 4 * int(part[at])
    pointers = tuple(
        Pointer(mark, where.replace("s", "a") + offset, int(both[:2], 16), int(both[2:], 16))
        for mark, offset, where, both in zip(*[iter(part[at + 1 : ends])] * 4, strict=True)
        if where != "r"
    )
    frames = (
        frozenset(int(number) for number in part[ends + 2 :: 3]) if kind == "v" else frozenset()
    )
    told = definition.partition('"')[0]
    found = Synset(
        kind + part[0],
        int(part[1]),
        words,
        pointers,
        frames,
        told.strip(" ;\n"),
        bool(INFORMAL.search(told)),
        bool(RUDE.search(told)),
        bool(INTIMATE.search(told)),
    )
    return found, definition
