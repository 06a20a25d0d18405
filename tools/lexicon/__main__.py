"""Builds the lexicon that Benedict talks from: relations between common English words.

    python -m tools.lexicon [--source FOLDER] [--to FOLDER]

WordNet knows far more than a host should say. A word keeps its everyday sense (a second one if both
are common), and each relation leads to words that are themselves common and mostly mean just that.
The file is sorted lines, compressed as one, the same bytes for the same WordNet and liblzma; how a
line is written stands at `lines`, and `parlour/host/language/english.py` reads it. A second file
has definitions, of more words and more senses: `tools/lexicon/glosses.py`.
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tools.lexicon.choices import (
    INSTEAD,
    KEPT,
    NAMES,
    NO_PARTS,
    NO_TOPICS,
    OPPOSITES,
    SENSES,
    TOO_GENERAL,
    UNOPPOSED,
    UNSAID,
    UNTRUE,
)
from tools.lexicon.glosses import pack, pack_glosses
from tools.lexicon.sorts import ROOFS, find_sort, is_counted
from tools.lexicon.wordnet import FILES, Pointer, WordNet

PACKAGE = "wordnet-base"
TARGET = Path(__file__).parents[2] / "src/parlour/host/language"
LEAST = {"n": 2, "v": 3, "a": 3}  # how common a topic is at least
LEAST_COMPOUND = 3  # the same for `ice cream` and its like
ASIDE = {"n": 0.03, "v": 0.1, "a": 0.1}  # and measured against the word's commonest kind
LEAST_SAID = {"n": 12, "v": 12, "a": 8}  # how common a word is that is said of another
LEAST_KIND = {"n": 0.25, "v": 1.0}  # for kinds of it, the share of that which is enough
AT_MOST = 8  # words in one relation
CROWD = 45  # more than that under one roof have nothing to do with each other
FOOD = 13  # the number of the lexicographers' file
LATIN = (5, 20)  # animals and plants, where the next name above is a scholar's
SECOND_SENSE = 0.3  # how everyday a second sense is at least, measured against the first
SHARED = 0.3  # how much of a word's use a sense has at least, for the word to stand for it
SOMETIMES = 0.05  # the same for parts, where nobody mistakes the leg of a table
MEANT = 2.0  # the same where only the chosen senses will do
MOSTLY = 0.4  # how common a word is as this kind, for people to hear it so
TRANSITIVE = frozenset({8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 30, 31})
INTRANSITIVE = frozenset({1, 2, 3, 4, 22})


class Builder:
    """Chooses the words, their senses, and what is said of them."""

    def __init__(self, net: WordNet) -> None:
        self.net = net
        chosen = dict(SENSES)
        self.senses: dict[tuple[str, str], list[str]] = {}
        self.ranked: dict[tuple[str, str], list[str]] = {}  # every sense, the likeliest first
        self.share: dict[tuple[str, str], float] = {}  # of a word's use, by word and synset
        for word, kind in net.senses:
            weighed = self._weigh(word, kind, chosen)
            self.ranked[word, kind] = [key for _, key in weighed]
            if not weighed:
                continue
            total = sum(max(score, 0.5) for score, _ in weighed)
            for score, key in weighed:
                self.share[word, key] = max(score, 0.5) / total
            self.senses[word, kind] = [weighed[0][1]]
            self.senses[word, kind] += [
                key for _, key in weighed[1:3] if self.is_common_too(word, key, weighed[0][1])
            ][:1]
        self.topics = {pair for pair in self.senses if self._is_topic(*pair)}
        self.below: dict[str, list[str]] = defaultdict(list)
        for key, synset in net.synsets.items():
            for up in synset.to("@"):
                self.below[up].append(key)
        self.opposed: dict[str, list[str]] = defaultdict(list)
        for one, two in OPPOSITES:
            self.opposed[one].append(two)
            self.opposed[two].append(one)
        self.untrue = {(above, key) for above, below in UNTRUE for key in net.senses[below, "n"]}

    def _weigh(self, word: str, kind: str, chosen: dict[str, str]) -> list[tuple[float, str]]:
        weighed = self.net.everyday(word, kind)
        if kind == "n" and word in NAMES:
            weighed = [
                (score + 2000 * (word not in self.net.synsets[key].words), key)
                for score, key in weighed
            ]
            weighed.sort(key=lambda pair: -pair[0])
        if kind == "n" and word in chosen:
            above = {
                key: {
                    w
                    for up in [key, *self.net.ancestors(key, "@", "@i")]
                    for w in self.net.synsets[up].words
                }
                for _, key in weighed
            }
            fitting = [key for _, key in weighed if chosen[word] in above[key]]
            if not fitting:
                sys.exit(f"no sense of {word} is a kind of {chosen[word]}")
            weighed = [(score + 1000 * (key == fitting[0]), key) for score, key in weighed]
            weighed.sort(key=lambda pair: -pair[0])
        return weighed

    def is_common_too(self, word: str, key: str, first: str) -> bool:
        """Whether a second sense is everyday, and as different as an animal and a tool are."""
        if key[0] != "n" or word in NAMES or find_sort(self.net, key) == find_sort(self.net, first):
            return False
        times = self.net.tags[word, "n", key]
        return times >= max(4, SECOND_SENSE * self.net.tags[word, "n", first])

    def _is_topic(self, word: str, kind: str) -> bool:
        synset = self.net.synsets[self.senses[word, kind][0]]
        if {word, *re.split("[_-]", word)} & UNSAID or (word in NO_TOPICS and word not in NAMES):
            return False
        most = max(self.net.common[word, other] for other in FILES)
        tagged = sum(self.net.tags[word, kind, key] for key in self.net.senses[word, kind])
        if self.net.common[word, kind] < ASIDE[kind] * most and tagged < 3:
            return False
        if (
            kind == "a"
            and word.endswith(("er", "est", "worse", "worst"))
            and (set(self.net.bases(word, kind)) - {word})
        ):
            return False  # better is a form of good
        if not re.fullmatch(r"[a-z][a-z'-]*[a-z](?:_[a-z'-]+){0,2}", word):
            return False
        if word not in synset.words:
            return word in NAMES and kind == "n"
        if word in KEPT:
            return True
        if "_" in word:
            return (
                word.partition("_")[0] not in NO_TOPICS
                and kind == "n"
                and self.net.common[word, kind] >= LEAST_COMPOUND
            )
        return self.net.common[word, kind] >= LEAST[kind]

    def choose_words(
        self, keys: Iterable[str], but: str, least: float = 1.0, shared: float = SHARED
    ) -> list[str]:
        """For each synset the best word for it, if there is one that people know."""
        words: list[str] = []
        for key in keys:
            synset, kind = self.net.synsets[key], key[0]
            options = []
            for spelt in synset.words:
                word = spelt.lower()
                share = self.share.get((word, key), 0)
                if (
                    (word, kind) in self.topics
                    and word != but
                    and word not in TOO_GENERAL
                    and self.net.common[word, kind] >= least * LEAST_SAID[kind]
                    and (share >= shared or key in self.senses[word, kind])
                    and (shared < SHARED or self.is_mostly(word, kind))
                ):
                    options.append((self.net.common[word, kind] * share**2, spelt))
            if options and (best := max(options)[1]) not in words:
                words.append(best)
        return words

    def is_mostly(self, word: str, kind: str) -> bool:
        """Whether people hear the word as one of this kind; `wolf` is hardly heard as a verb."""
        most = max(self.net.common[word, other] for other in FILES)
        return self.net.common[word, kind] >= MOSTLY * most

    def rank(self, words: list[str], kind: str, many: int = AT_MOST) -> list[str]:
        """The commonest of them, the commonest first."""
        return sorted(words, key=lambda word: (-self.net.common[word, kind], word))[:many]

    def kinds(self, key: str, but: str) -> list[str]:
        """What is a kind of it: the commonest words below, none of them below another."""
        weighed: dict[str, float] = {}
        lineage: dict[str, set[str]] = {}
        level, depth = [(down, {key}) for down in self.below[key]], 1
        while level and depth < 6:
            following = []
            for at, above in level:
                if at in lineage:
                    continue
                lineage[at] = above
                if self.net.synsets[at].informal or (but, at) in self.untrue:
                    continue
                for word in self.choose_words([at], but, LEAST_KIND[key[0]], MEANT):
                    weighed[at] = self.net.common[word, key[0]] * 0.6**depth
                following += [(down, above | {at}) for down in self.below[at]]
            level, depth = following, depth + 1
        chosen: list[str] = []
        for at in sorted(weighed, key=lambda at: (-weighed[at], at)):
            if not any(at in lineage[other] or other in lineage[at] for other in chosen):
                chosen.append(at)
            if len(chosen) == AT_MOST:
                break
        return self.choose_words(chosen, but, LEAST_KIND[key[0]], MEANT)

    def relations(self, word: str, key: str) -> list[list[str]]:
        """What is said of a word in this sense, in the order in which it is written down."""
        net, kind, synset = self.net, key[0], self.net.synsets[key]
        place = [w.lower() for w in synset.words].index(word) + 1
        own = [p for p in synset.pointers if p.source in (0, place)]
        heads = synset.to("&")
        above = net.ancestors(key, "@", "@i")
        if kind == "a":
            is_a = self.choose_words(heads, word) if len(heads) == 1 else []
            kinds = self.rank(self.choose_words(heads, word), kind) if len(heads) > 1 else []
        else:
            near = [] if synset.lex in LATIN else self.choose_words(synset.to("@", "@i"), word, 0.3)
            alike = (synset.lex, 3, 20) if synset.lex == FOOD else (synset.lex, 3)
            far = [up for up in above if net.synsets[up].lex in alike]
            is_a = list(dict.fromkeys(near + self.choose_words(far, word)))
            if kind == "n" and key == self.senses[word, kind][0]:
                is_a = INSTEAD[word].split(",") if word in INSTEAD else is_a
            for name in is_a:
                if (name.lower().replace(" ", "_"), kind) not in self.topics:
                    sys.exit(f"{word} cannot be a kind of {name}, which is not in the lexicon")
            if not is_a and kind == "n":
                roof = ROOFS.get(find_sort(net, key))
                is_a = [roof] if roof and roof != word.replace("_", " ") else []
            kinds = self.kinds(key, word)
        parts: list[str] = []
        for at in [key, *(above[:4] if kind == "n" and not synset.to("@i") else [])]:
            if at == key or not set(net.synsets[at].words) & NO_PARTS:
                found = self.choose_words(net.synsets[at].to("%p", "%s"), word, 0.5, SOMETIMES)
                parts += [part for part in self.rank(found, "n") if word not in part.split("_")]
        whole = self.choose_words(synset.to("#p", "#m", "#s"), word, 0.5, SOMETIMES)
        if not whole:  # a part of wheeled vehicles is a part of vehicles
            wider = [net.ancestors(at, "@")[:1] for at in synset.to("#p")]
            whole = self.choose_words([at for found in wider for at in found], word)
        whole = self.rank(whole, "n")
        return [
            is_a[: 3 if kind == "n" else 2],
            kinds,
            list(dict.fromkeys(parts))[:AT_MOST],
            whole[:4],
            self.opposites(word, kind),
            self.same(word, synset.words, key),
            self.beside(word, key),
            self.kin(word, own),
        ]

    def opposites(self, word: str, kind: str) -> list[str]:
        """Opposites in any everyday sense: old is opposite to young and to new."""
        found = self.opposed.get(word, [])[:]
        for _, key in self.net.everyday(word, kind)[:4]:
            for pointer in self.net.synsets[key].pointers:
                if pointer.mark == "!":
                    ours = self.net.synsets[key].words[pointer.source - 1].lower()
                    if ours == word:
                        found.append(self.net.synsets[pointer.target].words[pointer.into - 1])
        if not found and kind == "a":  # a word like `gorgeous` has the opposite of `beautiful`
            for head in self.net.synsets[self.senses[word, kind][0]].to("&")[:1]:
                found += [
                    self.net.synsets[p.target].words[p.into - 1]
                    for p in self.net.synsets[head].pointers
                    if p.mark == "!"
                ]
        fit = [
            w
            for w in dict.fromkeys(found)
            if (w, kind) in self.topics
            and w != word
            and w not in TOO_GENERAL
            and (word, w) not in UNOPPOSED
        ]
        return fit[:4]

    def same(self, word: str, words: Iterable[str], key: str) -> list[str]:
        """Other words for it."""
        kind = key[0]
        fit = [
            other
            for other in words
            if (other, kind) in self.topics
            and other != word
            and self.is_mostly(other, kind)
            and word not in other.split("_")
            and self.net.common[other, kind] >= LEAST_SAID[kind] / 2
            and (self.share.get((other, key), 0) >= SHARED or key in self.senses[other, kind])
        ]
        return self.rank(fit, kind, 4)

    def beside(self, word: str, key: str) -> list[str]:
        """Words under the same roof."""
        net, kind, synset = self.net, key[0], self.net.synsets[key]
        if kind == "a":
            heads = synset.to("&") if len(synset.to("&")) == 1 else []
            under = [at for head in heads for at in net.synsets[head].to("&")] + synset.to("^")
        else:
            roofs = [roof for roof in synset.to("@") if len(self.below[roof]) <= CROWD]
            under = [at for roof in roofs for at in self.below[roof]]
        skip = set(self.same(word, synset.words, key)) | set(self.opposites(word, kind))
        words = self.choose_words(under, word, 0.6, MEANT)
        found = [each for each in words if each not in skip and word not in each]
        return self.rank(found, kind)

    def kin(self, word: str, own: list[Pointer]) -> list[str]:
        """Words of its family: `teacher` and `teaching` of `teach`."""
        found = []
        for pointer in own:
            if pointer.mark in ("+", "="):
                words = self.net.synsets[pointer.target].words
                other = words[max(pointer.into - 1, 0)]
                if (
                    (other, pointer.target[0]) in self.topics
                    and other != word
                    and (self.net.common[other, pointer.target[0]] >= 6)
                ):
                    found.append(other)
        return list(dict.fromkeys(found))[:4]

    def record(self, word: str, key: str) -> str:
        """One entry: its kind, how common it is, its sort, and its relations."""
        sort, synset = find_sort(self.net, key), self.net.synsets[key]
        if INSTEAD.get(word) == "place" and key == self.senses[word, "n"][0]:
            sort = "place"
        yes = bool(synset.frames & TRANSITIVE) and not synset.frames & INTRANSITIVE
        if key[0] == "n":
            yes = is_counted(self.net, word, sort) and not synset.to("@i")
        rank = min(15, int(math.log2(1 + self.net.common[word, key[0]])))
        head = f"{key[0]}{rank:x}{'+' if yes else '-'}{sort}"
        fields = [head, *(",".join(words) for words in self.relations(word, key))]
        return "|".join(fields).rstrip("|").replace("_", " ")

    def lines(self) -> list[str]:
        """Every word with its records, sorted; a tab stands before each record.

        `n9+animal|mammal,animal|…` is a noun that is counted, with its relations in order; then
        `~nmice` is an irregular form of it, `=nmouse` what it is a form of, `^Monday` how a name
        is spelt, and `!` a word that stays unsaid.
        """
        made: dict[str, list[str]] = defaultdict(list)
        for word, kind in sorted(self.topics):
            for key in self.senses[word, kind]:
                made[word.replace("_", " ")].append(self.record(word, key))
            synset = self.net.synsets[self.senses[word, kind][0]]
            if word not in synset.words:
                spelt = next(w for w in synset.words if w.lower() == word)
                made[word].append("^" + spelt)
        for (form, kind), bases in sorted(self.net.exceptions.items()):
            for base in bases:
                if (base, kind) in self.topics and form != base and "_" not in form:
                    made[form].append(f"={kind}{base}")
                    made[base].append(f"~{kind}{form}")
        for word in UNSAID:
            made[word] = ["!"]
        return [f"{word}\t" + "\t".join(records) for word, records in sorted(made.items())]


def find_installed() -> Path | None:
    """The folder where Debian's package has put WordNet's files."""
    if not (dpkg := shutil.which("dpkg")):
        return None
    asked = [dpkg, "-L", PACKAGE]
    listed = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return next((Path(name).parent for name in listed.split() if name.endswith("data.noun")), None)


def main() -> None:
    """Read WordNet, choose, and write the file."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--source", type=Path, help="the folder of WordNet's files, if not Debian's")
    ask.add_argument("--to", type=Path, default=TARGET, help="the folder to write to")
    given = ask.parse_args()
    source = given.source or find_installed()
    if source is None or not (source / "data.noun").exists():
        sys.exit(f"No WordNet here: install Debian's package {PACKAGE}, or name a --source folder.")
    builder = Builder(WordNet(source))
    lines = builder.lines()
    raw = ("\n" + "\n".join(lines) + "\n").encode()
    packed = {"lexicon.bin": pack(raw), "glosses.bin": pack_glosses(builder)}
    for name, data in packed.items():
        (given.to / name).write_bytes(data)
        sys.stdout.write(f"{name}: {len(data)} bytes\n")


if __name__ == "__main__":
    main()
