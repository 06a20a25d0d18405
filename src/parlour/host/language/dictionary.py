"""Benedict's dictionary: what words mean, and what is above and below each meaning.

The definitions are WordNet's, chosen and cut by `tools/lexicon` and shipped as one compressed file.
Its first part has a line for each sense, `n4010|bank|…|`: the kind of word, the depth, the rank of
the sense for each word (a letter for a name), the words, and what it is a kind of besides or, after
a #, part of. What a sense is a kind of is the nearest line before it that is one less deep, so
nothing has to be built: a word is found by searching the bytes. A definition is found by its words
in the same way.
"""

from __future__ import annotations

import lzma
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from parlour.host.language import english
from parlour.host.language.line import SMALL_WORDS, spell_number
from parlour.host.language.texts import read_pairs

FILE = Path(__file__).with_name("glosses.bin")
BLOCK = 16384  # definitions in one part of the file
KINDS = english.KINDS | {"r": "adverb"}
DEPTHS = "0123456789abcdefghijklmnopqrstuvwxyz"
RANKS, NAMES, INITIALS = "012345678", "ABCDEFGHI", "abcdefghi"
LOWER = frozenset({"of", "the", "and", "in", "de", "la", "von", "on", "by"})
_READ = read_pairs("language/words/descriptions.txt")
OWN = _READ["descriptions"]  # in the words people use
GOES_WITH = {
    key.partition(" ")[::2]: set(words.split()) for key, words in _READ["meanings"].items()
}
LIKELY = 3  # meanings of a word that are looked at for what they have in common with others
A_FEW_UP = 6  # meanings above another that say what kind of thing it is
LESS_LIKELY = 0.5  # how many shared words make up for each place further down
RARE, RATHER_RARE, COMMON = 4, 7, 13  # how common a word is that counts for three, two or none
ENOUGH, OFTEN_ENOUGH = 0.65, 0.85  # how much of a description his own words, or others, must have
A_PERSON = 20  # words too many in a definition of one, where nobody asked for a person
SHORTEST, LONGEST = 5, 20  # letters of a word in which a slip can be recognised
MEANT, NOT_MEANT = 4, 12  # how much it weighs that a meaning is of a kind that is named, or denied
MANY = 40  # definitions that are looked at more closely
STEM = re.compile(r"(.{3,}?)(?:([^ls])\2(?:ing|ed|ers?)|ings?|e?s|e?d|e|ers?|ors?|ions?|ists?)?")


@dataclass(frozen=True)
class Sense:
    """One meaning, by one of its words."""

    at: int  # where its line begins; the same for all words of this meaning
    word: str
    kind: str  # "noun", "verb", "adjective" or "adverb"
    rank: int  # 0 for the likeliest meaning of the word
    name: bool
    depth: int
    words: tuple[str, ...]  # all words of this meaning
    besides: tuple[str, ...]  # more that it is a kind of, as `word@rank`
    wholes: tuple[str, ...]  # what a place is part of

    @property
    def gloss(self) -> str:
        """The definition; nothing for what is not for a parlour."""
        part, line = divmod(bisect_left(_list_starts(), self.at), BLOCK)
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


@lru_cache(maxsize=1)
def _list_starts() -> list[int]:
    """List where each line of the senses begins: at the line break before it."""
    lines = _unpack_heads()[1:-1].split(b"\n")
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))


@lru_cache
def _unpack_texts(part: int) -> list[bytes]:
    return lzma.decompress(_read_parts()[part + 1]).split(b"\n")


@lru_cache(maxsize=1)
def _list_words() -> frozenset[bytes]:
    """Return every word, and some signs: to see that one is there is quicker than to find where."""
    return frozenset(_unpack_heads().replace(b"\n", b"|").split(b"|"))


@lru_cache(maxsize=4096)
def find_exactly(word: str) -> tuple[Sense, ...]:
    """Return the senses of a word as it stands, the likeliest of each kind first."""
    heads = _unpack_heads()
    spelt, at = word.lower().encode("ascii", "ignore"), 0
    found = []
    while spelt in _list_words() and (at := heads.find(b"|" + spelt + b"|", at)) >= 0:
        found.append(_parse(heads.rfind(b"\n", 0, at), word.lower()))
        at += 1
    return tuple(sorted(found, key=lambda sense: sense.rank))


@lru_cache(maxsize=4096)
def _parse(at: int, word: str = "") -> Sense:
    """Parse the line that begins after this line break; without a word, by its first word."""
    heads = _unpack_heads()
    head, *words, related = heads[at + 1 : heads.index(b"\n", at + 1)].decode().split("|")
    besides = tuple(related.split(",")) if related else ()
    place = words.index(word) if word else 0
    mark = head[2 + place]
    spelt = tuple(_spell(*pair) for pair in zip(words, head[2:], strict=True))
    return Sense(
        at=at,
        word=spelt[place],
        kind=KINDS[head[0]],
        rank=next(marks.index(mark) for marks in (RANKS, NAMES, INITIALS) if mark in marks),
        name=mark in NAMES,
        depth=DEPTHS.index(head[1]),
        words=spelt,
        besides=tuple(each for each in besides if each[0] != "#"),
        wholes=tuple(each[1:] for each in besides if each[0] == "#"),
    )


def _spell(word: str, mark: str) -> str:
    if mark in INITIALS:
        return word.upper()
    parts = (part if part in LOWER or mark in RANKS else part.capitalize() for part in word.split())
    return " ".join(parts)


def find_senses(text: str) -> tuple[Sense, ...]:
    """Return what a text may mean, in any inflection, the likeliest kind and sense first."""
    key = english.to_key(text)
    return _rank_senses(key) if key else ()


@lru_cache(maxsize=1024)
def _rank_senses(key: str) -> tuple[Sense, ...]:
    bees = key.removesuffix("es") if key.endswith("ees") else ""  # not a form of be
    entries = [entry for entry in english.find_entries(key) if entry.word != bees]
    first, _, rest = key.partition(" ")
    asked = "verb" if first == "to" else "noun" if first in english.ARTICLES else ""
    listed = list(dict.fromkeys((entry.word.lower(), entry.kind) for entry in entries))
    words = {rest if asked and rest else key, key.replace(" ", "-"), key.replace("-", " ")}
    bases = {(word, kind) for word in words for kind in KINDS.values()}
    forms = [pair for word in words for pair in english.list_bases(word) if pair[0] != bees]
    bases |= {(base, english.KINDS[kind]) for base, kind in forms}
    found = [
        (sense.kind != asked if asked else 0, order, sense)
        for order, (word, kind) in enumerate([*listed, *sorted(bases - {*listed})])
        for sense in find_exactly(word)
        if sense.kind == kind
    ]
    found.sort(key=lambda each: (each[0], min(each[1], len(listed)), each[2].rank))
    return tuple(sense for *_, sense in found)


def find_inflected(words: Sequence[str]) -> tuple[Sense, ...]:
    """Return the senses of a compound whose words end otherwise: `string instrument`."""
    stems = [find_stem(word).encode() + rb"[a-z]{0,3}" for word in words]
    found = re.search(rb"\|(" + b" ".join(stems) + rb")\|", _unpack_heads())
    return find_exactly(found[1].decode()) if found else ()


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
    kind = next(letter for letter, name in KINDS.items() if name == sense.kind)
    found = []
    if sense.depth:
        sign = f"\n{kind}{DEPTHS[sense.depth - 1]}".encode()
        found.append(_parse(heads.rfind(sign, 0, sense.at)))
    for reference in sense.besides:
        word, _, rank = reference.partition("@")
        found += [s for s in find_exactly(word) if s.kind == sense.kind and s.rank == int(rank)]
    return tuple(found)


def list_around(sense: Sense) -> list[Sense]:
    """Return what a place is part of, and so on outwards, the nearest first."""
    found = [sense]
    for each in found:
        wholes = [next((s for s in find_exactly(w) if s.name), None) for w in each.wholes]
        found += [whole for whole in wholes if whole and whole not in found]
    return found[1:]


def is_kin(word: str) -> bool:
    """Say whether a word means somebody's relative, in the first place."""
    kin = [sense for sense in find_exactly("relative") if sense.kind == "noun"]
    return any(is_kind(sense, kin) for sense in find_senses(word)[:1])


def list_alike(word: str) -> list[str]:
    """List the words within one slip of another, the commonest first."""
    if not word.isascii() or not SHORTEST <= len(word) <= LONGEST:
        return []
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    slips = {a + b[1:] for a, b in cuts} | {a + b[1] + b[0] + b[2:] for a, b in cuts if b[1:]}
    slips |= {a + c + rest for a, b in cuts for c in letters for rest in (b, b[1:])} - {word}
    found = [slip for slip in slips if slip.encode() in _list_words()]
    return sorted(found, key=lambda w: (-max(map(get_common, find_exactly(w)), default=0), w))


def find_common(one: Sense, other: Sense) -> Sense | None:
    """Return the nearest sense that both are kinds of, or one of the two if it is the wider."""
    others = {each.at for each in (other, *list_above(other))}
    return next((each for each in (one, *list_above(one)) if each.at in others), None)


def is_kind(sense: Sense, others: Iterable[Sense]) -> Sense | None:
    """Return the one of some senses that this is a kind of, or the same as."""
    wanted = {other.at: other for other in others}
    return next((wanted[a.at] for a in (sense, *list_above(sense)) if a.at in wanted), None)


def list_below(sense: Sense, most: int) -> Iterator[Sense]:
    """Yield the kinds of a sense, each by its first word, from at most this many lines."""
    heads, at = _unpack_heads(), sense.at
    for _ in range(most):
        at = heads.index(b"\n", at + 1)
        if at + 3 > len(heads) or DEPTHS.index(chr(heads[at + 2])) <= sense.depth:
            return
        yield _parse(at)


def get_common(sense: Sense) -> int:
    """Return how common a word is, from 0 to 15, if this is one of its likely meanings."""
    entries = english.find_entries(sense.word, sense.kind)
    fit = (entry.common for entry in entries if entry.word == sense.word)
    return next(fit, 0) if sense.rank <= LIKELY else 0


def get_frequency(word: str) -> int:
    """Return how common a word is in any meaning, from 0 to 15; no adverb is rare, nor a slip."""
    rare = [sense for sense in find_senses(word) if sense.kind != "adverb"]
    entries = english.find_entries(word)
    return max((e.common for e in entries), default=0 if rare else COMMON)


def find_closest(ours: Sequence[Sense], theirs: Sequence[Sense]) -> tuple[Sense, Sense]:
    """Return the likely meanings of two words that have most in common."""
    pairs = [(one, other) for one in ours[:LIKELY] for other in theirs[:LIKELY]]
    return max(pairs, key=lambda pair: _measure_likeness(*pair))


def _measure_likeness(one: Sense, other: Sense) -> float:
    common = find_common(one, other)
    depth = 2 * (common.depth + 1) / (one.depth + other.depth + 2) if common else 0.0
    same = one.at == other.at
    return depth + 0.3 * same - 0.2 * (one.rank + other.rank) - (one.kind != other.kind)


# Meanings that have to do with something


def order(
    senses: tuple[Sense, ...], around: Iterable[str], excluded: Iterable[str] = ()
) -> tuple[Sense, ...]:
    """Move meanings up that have to do with the words around, and down what is excluded."""
    near = list(around)
    topical = {word for each in near for word in _list_topical(each)}
    denied = [sense for each in excluded for sense in find_senses(each)[:LIKELY]]
    if len(senses) < 2 or not (topical or denied):
        return senses
    cues = {
        cue
        for (word, cue), with_it in GOES_WITH.items()
        if with_it & set(near) and word == senses[0].word
    }

    def weigh(item: tuple[int, Sense]) -> float:
        place, sense = item
        shared = (topical & list_things(sense)) - {sense.word}
        kinds = {word for above in list_above(sense)[:A_FEW_UP] for word in above.words}
        weight = sum(map(_weigh, shared)) + MEANT * any(cue in sense.gloss for cue in cues)
        weight += MEANT * (sense.kind == "noun" and bool(kinds & set(near)))
        return LESS_LIKELY * place - weight + NOT_MEANT * bool(is_kind(sense, denied))

    return tuple(sense for _, sense in sorted(enumerate(senses), key=weigh))


def _weigh(word: str) -> int:
    """Return how much a shared word says: the rarer, the more."""
    entry = english.look_up(word)
    common = entry.common if entry else 0
    return (common < COMMON) + (common <= RATHER_RARE) + (common <= RARE)


@lru_cache(maxsize=64)
def _list_topical(topic: str) -> frozenset[str]:
    """List the words that have to do with a topic."""
    related = {word for entry in english.find_entries(topic)[:1] for word in entry.related}
    return frozenset({topic, *related}.union(*map(list_things, find_senses(topic)[:1])))


@lru_cache(maxsize=512)
def list_things(sense: Sense) -> frozenset[str]:
    """List the things in a definition, and what it is a kind of, in their base forms."""
    near = [word for above in list_above(sense)[:3] for word in above.words]
    words = {*re.findall(r"[a-z]{3,}", sense.gloss.lower()), *near, *sense.words}
    return frozenset({find_base(word) for word in words - SMALL_WORDS} - {""})


@lru_cache(maxsize=4096)
def find_base(word: str) -> str:
    """Return the noun that this is a form of, if any."""
    return next((entry.word for entry in english.find_entries(word, "noun")), "")


# Definitions by their words


@lru_cache(maxsize=1)
def _join_texts() -> tuple[bytes, list[int]]:
    """Return all definitions, his own descriptions after them, and where each line begins."""
    lines = [line for part in range(len(_read_parts()) - 1) for line in _unpack_texts(part)]
    lines += [text.encode() for text in OWN.values()]
    starts = list(accumulate((len(line) + 2 for line in lines[:-1]), initial=0))
    return b" " + b"\n ".join(lines).lower().replace(b"-", b" "), starts


@lru_cache(maxsize=65536)
def find_stem(word: str) -> str:
    """Return what the forms of a word have in common: `mak` of makes and makers."""
    spelt = re.sub(r"(?<=..[^aeiou])(?:y$|ie(?=[sdr]s?$))", "i", word)
    found = STEM.fullmatch(spelt)
    return found[1] + (found[2] or "") if found else spelt


@lru_cache(maxsize=256)
def _find_lines(word: str) -> frozenset[int]:
    """Return the numbers of the definitions that have a word in some form."""
    text, starts = _join_texts()
    stem = find_stem(word)
    sign, token = b" " + stem.removesuffix("i").encode(), re.compile(rb"[a-z0-9]+")
    at, lines = text.find(sign), set()
    while at >= 0:
        found = token.match(text, at + 1)
        if found and find_stem(found[0].decode()) == stem:
            lines.add(bisect_left(starts, at + 1) - 1)
        at = text.find(sign, at + 1)
    return frozenset(lines)


def find_described(words: Sequence[str], genus: Sequence[Sense], strict: bool) -> list[Sense]:
    """Return the things whose definitions have most of some words, the best first.

    A rare word says more than a common one. What is known to be of the genus comes first, and
    nothing else comes if it is strict.
    """
    starts, somebody = _join_texts()[1], find_exactly("person")[:1]
    hits = {word: _find_lines(word) | _find_lines(spell_number(word)) for word in words}
    weights = {word: math.log(len(starts) / (1 + len(lines))) for word, lines in hits.items()}
    found: Counter[int] = Counter()
    for word, lines in hits.items():
        found.update(dict.fromkeys(lines, weights[word]))
    found.update({line: 0.01 for line in found if line >= len(_list_starts())})  # looked at first
    wants_person = any(is_kind(each, somebody) for each in genus)
    total, names = sum(weights.values()), list(OWN)
    fit: list[tuple[float, Sense]] = []
    for line, weight in found.most_common(MANY):
        own = line - len(_list_starts())
        text = OWN[names[own]] if own >= 0 else ""
        sense = _find_meant(names[own], text, genus) if text else _parse(_list_starts()[line])
        if weight < (ENOUGH if text else OFTEN_ENOUGH) * total or sense is None:
            continue
        right = not genus or is_kind(sense, genus) is not None
        person = is_kind(sense, somebody) is not None
        right |= bool(text) and (sense.kind != "noun" or person == wants_person)
        vague = sense.kind != "noun" or (len(words) == 1 and get_common(sense) < LIKELY)
        if (strict and not right) or (vague and not text):
            continue
        length = len((text or sense.gloss).split())
        length += A_PERSON * (not strict and person)
        right_kind = right and (sense.kind == "noun" or not genus)
        value = (
            weight / total
            + 0.3 * right
            + 0.2 * right_kind
            + 0.02 * get_common(sense)
            - 0.015 * length
        )
        fit.append((value + 0.3 * bool(text), sense))
    fit.sort(key=lambda each: -each[0])
    return [sense for value, sense in fit if value >= ENOUGH]


def find_relative(who: str, whose: str) -> Sense | None:
    """Return what the mother, or any other relative, of somebody's relative is to them."""
    told = ((name, *text.split(" of ", 1)) for name, text in OWN.items() if " of " in text)
    names = [n for n, one, other in told if who in one.split() and whose in other.split()]
    return next((s for name in names[:1] for s in find_exactly(name) if s.kind == "noun"), None)


def _find_meant(word: str, text: str, genus: Sequence[Sense]) -> Sense | None:
    """Return the sense of a word that a description means."""
    said = set(map(find_stem, set(text.split()) - SMALL_WORDS))

    def rate(sense: Sense) -> int:
        shared = said & set(map(find_stem, re.findall("[a-z0-9]{2,}", sense.gloss.lower())))
        return 2 * len(shared) - 3 * sense.name + (is_kind(sense, genus) is not None)

    return max(find_senses(word), key=rate, default=None)
