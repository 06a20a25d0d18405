"""Benedict's dictionary: what words mean, and what is above and below each meaning.

The definitions are WordNet's, chosen and cut by `tools/lexicon` and shipped as one compressed file.
Its first part has a line for each sense, `n4010|bank|…|`: the kind of word, the depth, the rank of
the sense for each word (a letter for a name), the words, and what it is a kind of besides. What a
sense is a kind of is the nearest line before it that is one less deep, so nothing has to be built:
a word is found by searching the bytes.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from parlour.host.language import english

FILE = Path(__file__).with_name("glosses.bin")
BLOCK = 8192  # definitions in one part of the file
DEPTHS = "0123456789abcdefghijklmnopqrstuvwxyz"
RANKS, NAMES, INITIALS = "012345678", "ABCDEFGHI", "abcdefghi"
SMALL = frozenset({"of", "the", "and", "in", "de", "la", "von", "on", "by"})


@dataclass(frozen=True)
class Sense:
    """One meaning, by one of its words."""

    at: int  # where its line begins; the same for all words of this meaning
    word: str
    kind: str  # "noun", "verb" or "adjective"
    rank: int  # 0 for the likeliest meaning of the word
    name: bool
    depth: int
    words: tuple[str, ...]  # all words of this meaning
    besides: tuple[str, ...]  # more that it is a kind of, as `word@rank`

    @property
    def gloss(self) -> str:
        """The definition; nothing for what is not for a parlour."""
        part, line = divmod(_unpack_heads().count(b"\n", 0, self.at), BLOCK)
        return _unpack_texts(part)[line].decode()


@lru_cache(maxsize=1)
def _read_parts() -> list[bytes]:
    """Return the parts of the file, each after its length."""
    data, found = FILE.read_bytes(), []
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        found.append(data[4:end])
        data = data[end:]
    return found


@lru_cache(maxsize=1)
def _unpack_heads() -> bytes:
    """Return the lines of the senses, each between two line breaks; this takes time, once."""
    return lzma.decompress(_read_parts()[0])


@lru_cache
def _unpack_texts(part: int) -> list[bytes]:
    return lzma.decompress(_read_parts()[part + 1]).split(b"\n")


@lru_cache(maxsize=4096)
def find_exactly(word: str) -> tuple[Sense, ...]:
    """Return the senses of a word as it stands, the likeliest of each kind first."""
    heads = _unpack_heads()
    key, at = b"|" + word.lower().encode("ascii", "ignore") + b"|", 0
    found = []
    while (at := heads.find(key, at)) >= 0:
        found.append(_parse(heads.rfind(b"\n", 0, at), word.lower()))
        at += 1
    return tuple(sorted(found, key=lambda sense: sense.rank))


@lru_cache(maxsize=4096)
def _parse(at: int, word: str = "") -> Sense:
    """Parse the line that begins after this line break; without a word, by its first word."""
    heads = _unpack_heads()
    head, *words, besides = heads[at + 1 : heads.index(b"\n", at + 1)].decode().split("|")
    place = words.index(word) if word else 0
    mark = head[2 + place]
    spelt = tuple(_spell(*pair) for pair in zip(words, head[2:], strict=True))
    return Sense(
        at=at,
        word=spelt[place],
        kind=english.KINDS[head[0]],
        rank=next(marks.index(mark) for marks in (RANKS, NAMES, INITIALS) if mark in marks),
        name=mark in NAMES,
        depth=DEPTHS.index(head[1]),
        words=spelt,
        besides=tuple(besides.split(",")) if besides else (),
    )


def _spell(word: str, mark: str) -> str:
    if mark in INITIALS:
        return word.upper()
    parts = (part if part in SMALL or mark in RANKS else part.capitalize() for part in word.split())
    return " ".join(parts)


def find_senses(text: str) -> tuple[Sense, ...]:
    """Return what a text may mean, in any inflection, the likeliest kind and sense first."""
    key = english.to_key(text)
    return _rank_senses(key) if key else ()


@lru_cache(maxsize=1024)
def _rank_senses(key: str) -> tuple[Sense, ...]:
    entries = english.find_entries(key)
    first, _, rest = key.partition(" ")
    asked = "verb" if first == "to" else "noun" if first in english.ARTICLES else ""
    listed = list(dict.fromkeys((entry.word.lower(), entry.kind) for entry in entries))
    words = {rest if asked and rest else key, key.replace(" ", "-"), key.replace("-", " ")}
    bases = {(word, kind) for word in words for kind in english.KINDS.values()}
    if not entries:
        bases |= {(base, kind) for word in words for base, kind in english.list_bases(word)}
    found = [
        (sense.kind != asked if asked else 0, order, sense)
        for order, (word, kind) in enumerate([*listed, *sorted(bases - {*listed})])
        for sense in find_exactly(word)
        if sense.kind == kind
    ]
    found.sort(key=lambda each: (each[0], min(each[1], len(listed)), each[2].rank))
    return tuple(sense for *_, sense in found)


@lru_cache(maxsize=4096)
def list_above(sense: Sense) -> tuple[Sense, ...]:
    """Return what a sense is a kind of, and so on up, the nearest first."""
    found = {sense.at: sense}
    waiting = [sense]
    for each in waiting:
        for above in _find_parents(each):
            if above.at not in found:
                found[above.at] = above
                waiting.append(above)
    return tuple(found.values())[1:]


@lru_cache(maxsize=8192)
def _find_parents(sense: Sense) -> tuple[Sense, ...]:
    heads = _unpack_heads()
    kind = next(letter for letter, name in english.KINDS.items() if name == sense.kind)
    found = []
    if sense.depth:
        sign = f"\n{kind}{DEPTHS[sense.depth - 1]}".encode()
        found.append(_parse(heads.rfind(sign, 0, sense.at)))
    for reference in sense.besides:
        word, _, rank = reference.partition("@")
        found += [s for s in find_exactly(word) if s.kind == sense.kind and s.rank == int(rank)]
    return tuple(found)


def find_common(one: Sense, other: Sense) -> Sense | None:
    """Return the nearest sense that both are kinds of, or one of the two if it is the wider."""
    others = {each.at for each in (other, *list_above(other))}
    return next((each for each in (one, *list_above(one)) if each.at in others), None)


def is_kind(sense: Sense, others: Iterable[Sense]) -> Sense | None:
    """Return the one of some senses that this is a kind of, or the same as."""
    wanted = {other.at: other for other in others}
    return next((wanted[a.at] for a in (sense, *list_above(sense)) if a.at in wanted), None)
