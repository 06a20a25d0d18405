"""The definitions that Benedict answers from: which senses, in which words, under which others.

The first part of the file has a line for each sense, so ordered that a sense comes after what it is
a kind of, with its depth: what is above a line is the nearest line before it that is one less deep.
The other parts have the definitions, in the same order, cut to what a person would say; they are
packed apart, so that an answer needs few of them. `parlour/host/language/dictionary.py` reads them.
"""

from __future__ import annotations

import lzma
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tools.lexicon.choices import ASKED, ASKED_NAMES, NAMES, UNSAID

if TYPE_CHECKING:
    from tools.lexicon.__main__ import Builder
    from tools.lexicon.wordnet import Synset

PACKING = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}
BLOCK = 16384  # definitions in one part of the file
DEPTHS = "0123456789abcdefghijklmnopqrstuvwxyz"
RANKS = {"small": "012345678", "name": "ABCDEFGHI", "initials": "abcdefghi"}
PLAIN_ADVERB = re.compile(
    r"(?:in|with) (?:an? )?[\w-]+(?: (?:or|and) [\w-]+)?(?: (?:manner|way|fashion))?(?:;|$)"
)
SELDOM = 5  # the rank from which a sense has to be tagged at least once
COMPOUND = 4  # how often a compound is seen at least in other definitions
EVERYDAY, EVERYDAY_COMPOUND = (5, 13), 1  # animals and food, and the same for them
NAME, PLACE, FULL_NAME = 4, 2, 1  # the same for a name, a place, a person with the first name
PLACES = (15, 17)  # countries and towns, rivers and mountains
NOUN, ADJECTIVE, VERB = 2, 1, 0  # and for other words; `mope` and `kick the bucket` are asked for
SPECIAL = (8, 14, 20, 26, 27)  # plants, diseases …: the files with most names that nobody asks
# for, unless another definition needs them; and so are these, among the tools and the buildings
SPECIALISTS = frozenset({"medicine", "drug", "chemical", "fabric", "radio-radiogram", "antibiotic"})
PERSON = 18
CLOSE = 0.5  # how likely a second sense is, measured against the first, to be told with it
HARMLESS = frozenset("ass cock erection horny prick retarded sex suicide urine".split())
LAST = 8  # the rank of all senses beyond
LONG, SHORT = 100, 30  # characters: of a definition that is cut, and of one that needs its aside
DERIVED = re.compile(
    r"(?:ness|[ibv]ility|osity|ivity|er|or|ing|ship|cy|osis|itis|tomy|scopy|emia)$"
)
LATIN = re.compile(r"^(?:\w+ ){0,3}(?:genus|genera|family|order|class|phylum|suborder|subfamily)\b")
ASIDE = re.compile(r"\s*\(([^()]*)\)")
TELLING = re.compile(
    r"^(?:especially|usually|often|such|as|like|including|but|sometimes|normally|generally|or|and"
    r"|typically|with|made|in|used|that|which|containing|having)\b"
)


def clean(gloss: str) -> str:
    """Return a definition as one would say it: its first part, without asides and jargon."""
    parts = [part.strip() for part in re.split(r";(?![^()]*\))", gloss.replace("`", "'")) if part]
    text = re.sub(r"^\([^()]*\)\s*", "", parts[0]) if parts else ""
    whole = ASIDE.sub(lambda a: f", {a[1]}" if TELLING.match(a[1]) else "", text, count=1)
    whole, bare = ASIDE.sub("", whole), ASIDE.sub("", text)
    text = whole if len(bare) < 2 * SHORT and len(whole) < LONG else bare
    if len(bare) < SHORT / 2 and len(parts) > 1:
        text = f"{text}; {ASIDE.sub('', parts[1])}"
    if len(text) > LONG and (cut := text.rfind(", ", 2 * SHORT, LONG)) > 0:
        text = text[:cut]
    return " ".join(re.sub(r"\s+,", ",", text).replace("|", "/").strip(" ,:;.").split())


def _least_compound(synset: Synset) -> int:
    if synset.key[0] in "vr":
        return VERB
    if synset.lex == PERSON and synset.words[0][0].isupper():
        return FULL_NAME
    return EVERYDAY_COMPOUND if synset.lex in EVERYDAY else COMPOUND


class Glosses:
    """The senses that are worth a definition."""

    def __init__(self, builder: Builder) -> None:
        self.net, self.ranked = builder.net, builder.ranked
        self.synsets = self.net.synsets | self.net.adverbs
        self.rank = {
            (word, key): min(rank, LAST)
            for (word, kind), keys in self.net.senses.items()
            for rank, key in enumerate(dict.fromkeys([*self.ranked[word, kind], *keys]))
        } | {
            (word, key): min(rank, LAST)
            for word, keys in self.net.adverb_senses.items()
            for rank, key in enumerate(keys)
        }
        self.mark = {  # the rank, with the second place left free where the first sense is meant
            (word, key): min(rank + (rank > 0 and not self._is_close(builder, word, key[0])), LAST)
            for (word, key), rank in self.rank.items()
        }
        chosen = {key for key, synset in self.synsets.items() if self._is_wanted(synset)}
        self.keys = chosen | {
            up
            for key in chosen - self.net.adverbs.keys()
            for up in self.net.ancestors(key, "@", "@i", "&")
        }
        self.keys = {key for key in self.keys if self.words(self.synsets[key])}

    def _is_close(self, builder: Builder, word: str, kind: str) -> bool:
        """Say whether the second sense of a word is about as likely as the first."""
        if kind == "r":
            return False
        shares = [builder.share[word, key] for key in self.ranked[word, kind][:2]]
        return len(shares) > 1 and shares[1] >= CLOSE * shares[0]

    def words(self, synset: Synset) -> list[str]:
        """The words of a sense that may be said; compounds only where they are usual, or alone."""
        fit = [
            word
            for word in dict.fromkeys(synset.words)
            if not {word.lower(), *re.split("[_-]", word.lower())} & UNSAID
        ]
        usual = [
            word
            for word in fit
            if "_" not in word
            or word.lower() in ASKED | ASKED_NAMES
            or self.net.common[word.lower(), synset.key[0]] >= _least_compound(synset)
        ]
        return usual or fit[:1]

    def _is_wanted(self, synset: Synset) -> bool:
        kind, words = synset.key[0], self.words(synset)
        if (
            self.is_hidden(synset)
            or not words
            or (words[0][0].isupper() and LATIN.match(synset.gloss))
        ):
            return False
        return any(self._is_asked(word, kind, synset) for word in words)

    def is_hidden(self, synset: Synset) -> bool:
        """Say whether a definition is not for a parlour."""
        words = set(re.findall(r"\w+", synset.gloss.lower()))
        return synset.rude or synset.intimate or bool(words & UNSAID - HARMLESS)

    def _is_asked(self, word: str, kind: str, synset: Synset) -> bool:
        """Say whether people may ask for a word in this sense."""
        low = word.lower()
        common, rank = self.net.common[low, kind], self.rank[low, synset.key]
        if rank >= SELDOM and not self.net.tags[low, kind, synset.key]:
            return False
        if word in ASKED:
            return True
        if kind == "r":
            return not (word.endswith("ly") and PLAIN_ADVERB.match(synset.gloss))
        if word != low:
            return low in NAMES | ASKED_NAMES or common >= (PLACE if synset.lex in PLACES else NAME)
        least = {"v": VERB, "a": ADJECTIVE}.get(kind, NOUN)
        if common < least and (kind != "n" or not self._is_worth_asking(word, synset)):
            return False
        return common >= _least_compound(synset) or "_" not in word

    def _is_worth_asking(self, word: str, synset: Synset) -> bool:
        """Say whether people may ask for a rare noun: mostly not for a plant or a medicine."""
        if synset.lex == PERSON or word.endswith("phobia"):
            return True
        above = self.net.ancestors(synset.key, "@")
        words = {word for key in above for word in self.net.synsets[key].words}
        return synset.lex not in SPECIAL and not words & SPECIALISTS and not DERIVED.search(word)

    def order(self) -> list[tuple[str, int]]:
        """Every sense with its depth, each after what it is a kind of."""
        below: dict[str, list[str]] = defaultdict(list)
        tops: list[str] = []
        for key in sorted(self.keys):
            above = self._above(key)
            (below[above[0]] if above else tops).append(key)
        found: dict[str, int] = {}
        waiting = [(key, 0) for key in reversed([*tops, *sorted(self.keys)])]
        while waiting:  # the rest, after the tops, is only there for the loop among the verbs
            key, depth = waiting.pop()
            if key not in found:
                found[key] = depth
                waiting += [(down, depth + 1) for down in reversed(below[key])]
        return list(found.items())

    def _above(self, key: str) -> list[str]:
        synset = self.synsets[key]
        heads = synset.to("&") if key[0] == "a" and not synset.to("!") else []
        return [up for up in [*synset.to("@", "@i"), *heads[:1]] if up in self.keys]

    def _wholes(self, key: str) -> list[str]:
        """Where a place is, by the name of what it is part of."""
        synset = self.synsets[key]
        if synset.lex not in PLACES or synset.words[0].islower():
            return []
        wholes = [whole for whole in synset.to("#p") if whole in self.keys]
        return [self.words(self.synsets[whole])[0].lower() for whole in wholes[:2]]

    def line(self, key: str, depth: int) -> str:
        """One sense: kind and depth, a rank for each word, the words, and what else is above."""
        words = self.words(self.synsets[key])
        ranks = "".join(
            RANKS["small" if word == word.lower() else "initials" if word.isupper() else "name"][
                self.mark[word.lower(), key]
            ]
            for word in words
        )
        others = [self.words(self.net.synsets[up])[0].lower() for up in self._above(key)[1:]]
        ups = self._above(key)[1:]
        more = [f"{word}@{self.mark[word, up]}" for word, up in zip(others, ups, strict=True)]
        more += [f"#{whole}" for whole in self._wholes(key)]
        listed = "|".join(word.lower() for word in words).replace("_", " ")
        return f"{key[0]}{DEPTHS[depth]}{ranks}|{listed}|{','.join(more)}".replace("_", " ")


def pack(data: bytes) -> bytes:
    """Return the data as small as they get."""
    return lzma.compress(data, lzma.FORMAT_ALONE, filters=[PACKING])


def pack_glosses(builder: Builder) -> bytes:
    """Return the file: its parts packed one by one, each after its length in four bytes."""
    glosses = Glosses(builder)
    order = glosses.order()
    heads = "".join(f"\n{glosses.line(key, depth)}" for key, depth in order) + "\n"
    synsets = [glosses.synsets[key] for key, _ in order]
    texts = ["" if glosses.is_hidden(each) else clean(each.gloss) for each in synsets]
    blocks = ["\n".join(texts[at : at + BLOCK]) for at in range(0, len(texts), BLOCK)]
    packed = [pack(part.encode("ascii", "ignore")) for part in (heads, *blocks)]
    return b"".join(len(part).to_bytes(4, "big") + part for part in packed)
