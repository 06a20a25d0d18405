"""What Benedict knows of words: for a noun, verb or adjective, the words it is related to.

The relations are WordNet's, chosen by `tools/build_lexicon.py` and shipped as sorted lines in one
compressed file. A word is found by bisection in the bytes, so that the first answer comes at once
and nothing is built for the forty thousand words that nobody asked about.
"""

from __future__ import annotations

import dataclasses
import zlib
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("lexicon.bin")
LONGEST = 60  # characters of anything that could be a topic
KINDS = {"n": "noun", "v": "verb", "a": "adjective"}
ARTICLES = frozenset({"a", "an", "the", "some", "my", "your"})
AROUND = " \t\r\n.,;:!?\"'()[]*_…"  # what may stand around a word
ENDINGS = {  # regular endings of each kind, and what they stand for
    "n": (("s", ""), ("es", ""), ("ies", "y"), ("men", "man")),
    "v": (
        *(("s", ""), ("es", ""), ("ies", "y"), ("ied", "y")),
        *(("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    ),
    "a": (
        *(("er", ""), ("er", "e"), ("ier", "y")),
        *(("est", ""), ("est", "e"), ("iest", "y")),
    ),
}
# How much a reading of a text is preferred, in doublings of how common it is.
AS_TYPED = 4  # the word itself, before being a form of another
AS_FORM_TOO = 1  # but less where it looks like one: `running`, `words`
NOT_A_VERB = 2  # a word alone is rather a thing or a quality
PLURAL = 3  # what ends in s is rather nouns than a verb
ASKED = 20  # `to run` is a verb, whatever else it may be


@dataclasses.dataclass(frozen=True)
class Entry:
    """One everyday sense of a word, and the words it leads to, in each case the best ones first."""

    word: str
    kind: str  # "noun", "verb" or "adjective"
    sort: str  # what manner of thing: "animal", "person", "food", "place", "feeling" …
    common: int  # how common, from 0 to 15; each step is twice as common
    counted: bool = True  # of a noun: whether one says `a` before it
    transitive: bool = False  # of a verb: whether it usually has an object
    name: bool = False  # of a noun: whether it is a name, as Monday is
    is_a: tuple[str, ...] = ()  # what it is a kind of, nearest first
    kinds: tuple[str, ...] = ()  # what is a kind of it
    parts: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()
    same: tuple[str, ...] = ()  # other words for it
    beside: tuple[str, ...] = ()  # words under the same roof: red, beside blue
    kin: tuple[str, ...] = ()  # words of its family: teacher, of teach
    forms: tuple[str, ...] = ()  # irregular inflections

    @property
    def near(self) -> tuple[str, ...]:
        """The words near it: other words for it, and those beside it."""
        return self.same + self.beside


RELATIONS = ("is_a", "kinds", "parts", "part_of", "opposites", "same", "beside", "kin")


def look(text: str) -> Entry | None:
    """The entry that a word in any inflection most likely means; None if it is not a known one."""
    found = entries(text)
    return found[0] if found else None


def entries(text: str) -> tuple[Entry, ...]:
    """Every entry the text may mean, the likeliest first: each kind of word, and each sense."""
    words = plain(text)
    return _entries(words) if words else ()


def is_unsaid(text: str) -> bool:
    """Whether this is a word that Benedict neither says nor learns."""
    return any("!" in _records(word) for word in {plain(text), *plain(text).split()})


def plain(text: str) -> str:
    """The text as the lexicon spells words; nothing if it is too long or odd to be one."""
    if len(text) > LONGEST:
        return ""
    words = " ".join(text.casefold().replace("’", "'").split()).strip(AROUND)
    return words.removesuffix("'s") if words.isascii() else ""


@lru_cache(maxsize=1024)
def _entries(words: str) -> tuple[Entry, ...]:
    first, _, rest = words.partition(" ")
    asked = ""
    if rest and not _records(words):
        asked = "v" if first == "to" else "n" if first in ARTICLES else ""
        words = rest if asked else words
    if not _records(words):
        words = words.replace("-", " ")
    weighed: dict[Entry, int] = {}
    for base, kind in _readings(words):
        for entry in _written(base, kind):
            weight = entry.common + (ASKED if kind == asked else 0)
            if base == words:
                weight += AS_FORM_TOO if _is_form(entry) else AS_TYPED
                weight += NOT_A_VERB if kind != "v" else 0
            elif kind == "n" and words.endswith("s"):
                weight += PLURAL
            weighed[entry] = max(weight, weighed.get(entry, 0))
    return tuple(sorted(weighed, key=lambda entry: -weighed[entry]))


def _is_form(entry: Entry) -> bool:
    """Whether a word of its own is rather heard as an inflection of another."""
    if entry.kind == "noun" and entry.word.endswith("s"):
        return any(_written(base, "n") for base in _regular(entry.word, "n"))
    if entry.kind != "verb" and entry.word.endswith("ing") and not entry.counted:
        return any(_written(base, "v") for base in _regular(entry.word, "v"))
    return False


def _readings(words: str) -> list[tuple[str, str]]:
    """The base words, with their kinds, that the words may be or be a form of."""
    found = [(words, kind) for kind in KINDS]
    found += [(record[2:], record[1]) for record in _records(words) if record[0] == "="]
    found += [(base, kind) for kind in KINDS for base in _regular(words, kind)]
    return list(dict.fromkeys(found))


def _regular(words: str, kind: str) -> list[str]:
    """What the words would be without a regular ending of this kind."""
    found = []
    for ending, instead in ENDINGS[kind]:
        stem = words.removesuffix(ending)
        if len(stem) > 1 and stem != words:
            found.append(stem + instead)
            if not instead and kind != "n" and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found


@lru_cache(maxsize=4096)
def _written(word: str, kind: str) -> tuple[Entry, ...]:
    """The entries of one kind that the lexicon has for a word spelt just so."""
    records = _records(word)
    spelt = next((record[1:] for record in records if record[0] == "^"), word)
    forms = tuple(record[2:] for record in records if record[:2] == "~" + kind)
    found = []
    for record in records:
        if record[0] == kind:
            head, *related = record.split("|")
            found.append(
                Entry(
                    word=spelt if kind == "n" else word,
                    kind=KINDS[kind],
                    sort=head[3:],
                    common=int(head[1], 16),
                    counted=kind == "n" and head[2] == "+",
                    transitive=kind == "v" and head[2] == "+",
                    name=kind == "n" and spelt != word,
                    forms=forms,
                    **{
                        name: tuple(said.split(","))
                        for name, said in zip(RELATIONS, related, strict=False)
                        if said
                    },
                )
            )
    return tuple(found)


@lru_cache(maxsize=1)
def _lines() -> bytes:
    """All lines, each begun and ended by a line break; this is what takes time, once."""
    return zlib.decompress(FILE.read_bytes())


@lru_cache(maxsize=4096)
def _records(word: str) -> tuple[str, ...]:
    """What is written after this word, found by halving the lines that can hold it."""
    lines, key = _lines(), word.encode()
    low, high = 0, len(lines) - 1  # both at line breaks, the word between them
    while low < high:
        begin = lines.rfind(b"\n", low, (low + high) // 2 + 1)
        end = lines.index(b"\n", begin + 1)
        here, _, written = lines[begin + 1 : end].partition(b"\t")
        if here == key:
            return tuple(written.decode().split("\t"))
        if here < key:
            low = end
        else:
            high = begin
    return ()
