"""Benedict's English: the words he knows, what they are related to, and how they are inflected.

The relations are WordNet's, chosen by `tools/lexicon` and shipped as sorted lines in one compressed
file. A word is found by bisection in the bytes, so that the first answer comes at once and nothing
is built for the forty thousand words that are not asked for.

Regular forms follow the rules of spelling; irregular ones come from `words/inflection.txt`, or from
the lexicon, which knows the inflections of its own words (`prefer`, `preferred`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from parlour.host.language.texts import read_pairs, read_words

FILE = Path(__file__).with_name("lexicon.bin")
MAX_LENGTH = 60  # characters of anything that could be a topic
KINDS = {"n": "noun", "v": "verb", "a": "adjective"}
ARTICLES = frozenset({"a", "an", "the", "some", "my", "your"})
AROUND = " \t\r\n.,;:!?\"'()[]*_…"  # what may stand around a word
ENDINGS = {  # regular endings of each kind, and what they stand for
    "n": (("s", ""), ("es", ""), ("ies", "y"), ("men", "man")),
    "v": (
        *(("s", ""), ("es", ""), ("ies", "y"), ("ied", "y")),
        *(("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    ),
    "a": (*(("er", ""), ("er", "e"), ("ier", "y")), *(("est", ""), ("est", "e"), ("iest", "y"))),
}
# How much a reading of a text is preferred, in doublings of how common it is.
AS_TYPED = 4  # the word itself, before being a form of another
AS_FORM_TOO = 1  # but less where it looks like one: `running`, `words`
NOT_A_VERB = 2  # a word by itself is more likely a thing or a quality
PLURAL = 3  # a word in -s is more likely a plural than a verb
ASKED = 20  # `to run` is a verb, whatever else it may be


@dataclasses.dataclass(frozen=True)
class WordSense:
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
    beside: tuple[str, ...] = ()  # words with the same hypernym: red, beside blue
    kin: tuple[str, ...] = ()  # words of its family: teacher, of teach
    forms: tuple[str, ...] = ()  # irregular inflections

    @property
    def related(self) -> tuple[str, ...]:
        """Every word that it leads to."""
        return tuple(word for name in RELATIONS for word in getattr(self, name))


RELATIONS = ("is_a", "kinds", "parts", "part_of", "opposites", "same", "beside", "kin")


def look_up(text: str) -> WordSense | None:
    """Return the entry that a word most likely means, in any inflection; None if it is unknown."""
    found = find_entries(text)
    return found[0] if found else None


def find_entries(text: str, kind: str = "") -> tuple[WordSense, ...]:
    """Return every entry that a text may mean, perhaps only of one kind, likeliest first."""
    words = to_key(text)
    found = _rank_entries(words) if words else ()
    return tuple(entry for entry in found if entry.kind == kind) if kind else found


def is_rude(text: str) -> bool:
    """Say whether this is a word that Benedict neither says nor learns."""
    return any("!" in _find_records(word) for word in {to_key(text), *to_key(text).split()})


def to_key(text: str) -> str:
    """Spell a text as the lexicon does; return nothing if it is too long or odd for a word."""
    if len(text) > MAX_LENGTH:
        return ""
    words = " ".join(text.casefold().replace("’", "'").split()).strip(AROUND)
    return words.removesuffix("'s") if words.isascii() else ""


@lru_cache(maxsize=1024)
def _rank_entries(words: str) -> tuple[WordSense, ...]:
    first, _, rest = words.partition(" ")
    asked = ""
    if rest and not _find_records(words):
        asked = "v" if first == "to" else "n" if first in ARTICLES else ""
        words = rest if asked else words
    if not _find_records(words):
        words = words.replace("-", " ")
    weighed: dict[WordSense, int] = {}
    for base, kind in list_bases(words):
        for entry in _parse_entries(base, kind):
            weight = entry.common + (ASKED if kind == asked else 0)
            if base == words:
                weight += AS_FORM_TOO if _is_form(entry) else AS_TYPED
                weight += NOT_A_VERB if kind != "v" else 0
            elif kind == "n" and words.endswith("s"):
                weight += PLURAL
            weighed[entry] = max(weight, weighed.get(entry, 0))
    return tuple(sorted(weighed, key=lambda entry: -weighed[entry]))


def _is_form(entry: WordSense) -> bool:
    """Say whether an entry of its own is more likely an inflection of another word."""
    if entry.kind == "noun" and entry.word.endswith("s"):
        return any(_parse_entries(base, "n") for base in _strip_endings(entry.word, "n"))
    if entry.kind != "verb" and entry.word.endswith("ing") and not entry.counted:
        return any(_parse_entries(base, "v") for base in _strip_endings(entry.word, "v"))
    return False


def list_bases(words: str) -> list[tuple[str, str]]:
    """List the base words, with their kinds, that a text may be a form of."""
    found = [(words, kind) for kind in KINDS]
    found += [(record[2:], record[1]) for record in _find_records(words) if record[0] == "="]
    found += [(base, kind) for kind in KINDS for base in _strip_endings(words, kind)]
    return list(dict.fromkeys(found))


def _strip_endings(words: str, kind: str) -> list[str]:
    """Return what a word may be without a regular ending of this kind."""
    found = []
    for ending, instead in ENDINGS[kind]:
        stem = words.removesuffix(ending)
        if len(stem) > 1 and stem != words:
            found.append(stem + instead)
            if not instead and kind != "n" and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found


@lru_cache(maxsize=4096)
def _parse_entries(word: str, kind: str) -> tuple[WordSense, ...]:
    """Parse the entries of one kind that the lexicon has for exactly this word."""
    records = _find_records(word)
    spelt = next((record[1:] for record in records if record[0] == "^"), word)
    forms = tuple(record[2:] for record in records if record[:2] == "~" + kind)
    found = []
    for record in records:
        if record[0] == kind:
            head, *related = record.split("|")
            found.append(
                WordSense(
                    word=spelt if kind == "n" else word,
                    kind=KINDS[kind],
                    sort=head[3:],
                    common=int(head[1], 16),
                    counted=kind == "n" and head[2] == "+",
                    transitive=kind == "v" and head[2] == "+",
                    name=kind == "n" and spelt != word,
                    forms=forms,
                    **{
                        name: tuple(words.split(","))
                        for name, words in zip(RELATIONS, related, strict=False)
                        if words
                    },
                )
            )
    return tuple(found)


@lru_cache(maxsize=1)
def unpack() -> bytes:
    """Unpack all lines, each between two line breaks; this takes time, once."""
    import lzma  # not needed to greet

    return lzma.decompress(FILE.read_bytes())


@lru_cache(maxsize=4096)
def _find_records(word: str) -> tuple[str, ...]:
    lines, key = unpack(), word.encode()
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


# Inflection


VOWELS = "aeiou"
# How a word sounds at its beginning, where its first letter misleads.
VOWEL_SOUND = re.compile(r"hour|honest|heir|honou?r|[aefhilmnorsx](?![a-z])|8|1[18](?!\d)")
CONSONANT_SOUND = re.compile(
    r"one(?![a-z])|ones|once|uni[cflqostv]|us[aeu]|ut[eio]|ubi|u[fk]|ur[aeiou]|eu|ewe|u(?![a-z])"
)
INITIALS = re.compile(r"[AEFHILMNORSX](?:[A-Z]{1,2}|[B-DF-HJ-NP-TV-Z]+)s?(?![A-Za-z])")


PREFIXES = ("re", "over", "under", "mis", "out", "un", "fore", "with", "up")
COMPARED_BY_ENDING = ("y", "le", "ow")  # though of two syllables: happier, simpler, narrower
FORMS = read_pairs("language/words/inflection.txt")
ALIKE = read_words("language/words/inflection.txt")


def a(word: str) -> str:
    """Put the article before a word by its sound: `an hour`, `a unicorn`."""
    spoken = word.lower()
    if VOWEL_SOUND.match(spoken) or INITIALS.match(word):
        return f"an {word}"
    if CONSONANT_SOUND.match(spoken) or spoken[:1] not in VOWELS or not word:
        return f"a {word}"
    return f"an {word}"


def plural(noun: str) -> str:
    """Return the plural; a compound changes its last word, or that before `of`: `cups of tea`."""
    if joint := re.search(r"(?<=\S) (?:of|in|at) ", noun):
        return plural(noun[: joint.start()]) + noun[joint.start() :]
    front, gap, last = noun.rpartition(" ")
    known = last.lower()
    if known in ALIKE["unchanged plurals"]:
        return noun
    if known in FORMS["plurals"]:
        return front + gap + FORMS["plurals"][known]
    for ending, instead in FORMS["plural endings"].items():
        if known.endswith(ending):
            return noun[: -len(ending)] + instead
    return front + gap + _add_s(last)


def third(verb: str) -> str:
    """Return the third person: `goes`, and `gives up` of `give up`."""
    return _inflect_first(verb, lambda word: FORMS["third person"].get(word) or _add_s(word))


def past(verb: str) -> str:
    """Return the past: `went`."""
    return _inflect_first(verb, _form_past)


def ing(verb: str) -> str:
    """Return the present participle: `running`."""
    return _inflect_first(verb, _form_ing)


def comparative(adjective: str) -> str:
    """Return the comparative: `bigger`, `happier`, `more beautiful`."""
    return _compare(adjective, "comparatives", "er", "more")


def superlative(adjective: str) -> str:
    """Return the superlative: `biggest`, `happiest`, `most beautiful`."""
    return _compare(adjective, "superlatives", "est", "most")


def _inflect_first(verb: str, change: Callable[[str], str]) -> str:
    first, gap, rest = verb.partition(" ")
    return change(first) + gap + rest if first else verb


def _add_s(word: str) -> str:
    """Add the s of nouns and verbs: `boxes`, `cities`, `boys`."""
    if re.search(r"[^aeiou]y$", word) and word.islower():
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return word + ("zes" if re.search(r"[^aeiou][aeiou]z$", word) else "es")
    return word + "s"


def _form_past(verb: str) -> str:
    irregular = FORMS["past"]
    if verb in irregular:
        return irregular[verb]
    for prefix in PREFIXES:
        if verb.startswith(prefix):
            stem = verb.removeprefix(prefix)
            if stem in irregular and verb != "relay":
                return prefix + irregular[stem]
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return _double_last(verb, "ed", "verb") + "ed"


def _form_ing(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if re.search(r"[^eoy]e$", verb) and verb not in ("be", "singe"):
        return verb[:-1] + "ing"
    return _double_last(verb, "ing", "verb") + "ing"


def _compare(adjective: str, degree: str, ending: str, word: str) -> str:
    if adjective in FORMS[degree]:
        return FORMS[degree][adjective]
    many = _count_syllables(adjective)
    short = many == 1 or (many == 2 and adjective.endswith(COMPARED_BY_ENDING))
    ends = short or adjective in ALIKE["always with an ending"]
    spelt = [form for form in _irregular_forms(adjective, "adjective") if form.endswith(ending)]
    participle = adjective.endswith(("ed", "ing")) and not spelt
    alone = participle or "-" in adjective or adjective in ALIKE["always with more"]
    if spelt and not alone and (ends or adjective.endswith("y")):
        return spelt[0]
    if alone or not ends:
        return f"{word} {adjective}"
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if re.search(r"[^aeiou]y$", adjective):
        return adjective[:-1] + "i" + ending
    return _double_last(adjective, ending, "adjective") + ending


def _double_last(word: str, ending: str, kind: str) -> str:
    """Double the last letter where the ending would otherwise change the sound."""
    if word.endswith("c") and _count_syllables(word) > 1:
        return word + "k"
    twice = word + word[-1:]
    if not re.search(r"(?:[^aeiou]|qu)[aeiou][^aeiouwxy]$", word):
        return word
    if _count_syllables(word) == 1 or (
        word[-1] != "s" and twice + ending in _irregular_forms(word, kind)
    ):
        return twice
    return word


def _irregular_forms(word: str, kind: str) -> list[str]:
    """List the irregular inflections that the lexicon has for exactly this word."""
    entries = (entry for entry in find_entries(word, kind) if entry.word == word)
    return [form for entry in entries for form in entry.forms]


def _count_syllables(word: str) -> int:
    """Estimate the number of syllables: groups of vowels, without a silent e at the end."""
    spoken = re.sub(r"(?<=[aeiou])y(?=[aeiou])|(?<=q)u|(?<=[^aeiou])e$(?<!le)", "-", word.lower())
    return max(1, len(re.findall(r"[aeiouy]+", spoken)))
