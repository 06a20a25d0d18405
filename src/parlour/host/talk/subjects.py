"""A topic as sentences need it: its entry, its forms, and what the dictionary has to say of it.

Templates name the forms they need, as `{s}` for whales, music and running alike, so that one
sentence serves all three. The lexicon knows more than makes good talk: he mentions a fact only if
its words are common, and of the kind that the sentence needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from parlour.core import all_of, capital, one_of
from parlour.host.language import WordSense, english, texts
from parlour.host.session import Memories, TaughtWord

WORDS = texts.read_words("talk/words.txt")
PLAIN = WORDS["plain"]  # words that say nothing by themselves, though the lexicon knows them
UNIQUE, UNCOUNTED = WORDS["unique"], WORDS["uncounted"]
KIND_OF = {word: kind for kind in ("noun", "verb", "adjective") for word in WORDS[kind]}
TRIVIAL, TOUCHABLE, ALIKE = WORDS["trivial"], WORDS["touchable"], WORDS["alike"]
CLEAR = (ALIKE | TOUCHABLE | {"nature"}) - {"place", "person"}  # where kinds are plain to see
LEAST, LEAST_VERB = 4, 5  # how common a word is that he brings up
MANY = {"is": "are", "was": "were", "has": "have", "does": "do", "they": "they", "them": "them",
        "their": "their", "one": "one"}  # fmt: skip
ONE = {"is": "is", "was": "was", "has": "has", "does": "does", "they": "it", "them": "it",
       "their": "its", "one": "any"}  # fmt: skip
TOO_SHORT = 3  # letters of a word that can be taught, at least
TOO_LONG = 24


@dataclass(frozen=True)
class Subject:
    """A topic, ready to be spoken of."""

    entry: WordSense

    @property
    def word(self) -> str:
        """Its base form."""
        return self.entry.word

    @property
    def single(self) -> bool:
        """Whether one can say `a` before it; of a verb, whether it stands without an object.

        Of an adjective, whether there is more of it and less: nothing is more wooden.
        """
        if self.entry.kind == "noun":
            names = self.plural_only or self.entry.name or self.word in UNIQUE | UNCOUNTED
            is_doing = self.entry.sort == "activity" and self.word.endswith("ing")  # winning
            return self.entry.counted and not names and not is_doing
        if self.entry.kind == "adjective":
            return self.word not in WORDS["not graded"]
        return not self.entry.transitive

    @property
    def plural_only(self) -> bool:
        """Whether it has only a plural, as scissors."""
        return self.entry.kind == "noun" and self.word.lower() in WORDS["plural only"]

    @property
    def phrase(self) -> str:
        """What it is called in a sentence: whales, music, running, happy."""
        if self.entry.kind == "verb":
            return english.ing(self.word)
        if self.entry.kind == "noun" and self.single:
            return english.plural(self.word)
        return f"the {self.word}" if self.word in UNIQUE and not self.entry.name else self.word

    def forms(self, mark: str = "") -> dict[str, str]:
        """Return every form that a template may name; those of a second word begin with a mark."""
        many = self.entry.kind == "noun" and (self.single or self.plural_only)
        found = {"word": self.word, "s": self.phrase, "a": self.phrase}
        found |= MANY if many else ONE
        if self.entry.kind == "noun" and self.single:
            found["a"] = english.a(self.word)
        elif self.plural_only:
            found["one"] = "any"
        if self.entry.kind == "verb":
            found["third"] = english.third(self.word)
        if self.entry.kind == "adjective":
            found["more"] = english.comparative(self.word)
            found["most"] = english.superlative(self.word)
        found["kin"] = next((kin for kin in self.entry.kin if kin != self.word), self.word)
        found |= {capital(name): capital(form) for name, form in found.items()}
        if not mark:
            return found
        forms = {mark: self.word} | {mark + name: form for name, form in found.items()}
        return forms | {name.capitalize(): capital(form) for name, form in forms.items()}


def find_subject(memory: Memories, text: str, kind: str = "") -> Subject | None:
    """Return the topic that a word in any inflection means, of this kind if there is one."""
    of_kind = english.find_entries(text, kind) if kind else ()
    found = of_kind[0] if of_kind else find_entry(memory, text)
    return Subject(found) if found else None


def find_entry(memory: Memories, text: str) -> WordSense | None:
    """Return the entry of a word, from the lexicon or as it was taught."""
    if english.is_rude(text):
        return None
    word = english.to_key(text)
    for entry in english.find_entries(text):
        if not (word.endswith("ees") and entry.word == word[:-2]):  # bees is not a form of be
            return entry
    return find_taught(memory, text)


def find_taught(memory: Memories, text: str) -> WordSense | None:
    """Return the entry of a word that somebody taught him, in any simple inflection."""
    words = english.to_key(text).split()
    if words and (words[0] in english.ARTICLES or words[0] == "to"):
        words = words[1:]
    if len(words) != 1:
        return None
    for taught in reversed(memory.words):
        if words[0] in list_forms(taught.word, taught.kind):
            return to_entry(taught)
    return None


def to_entry(taught: TaughtWord) -> WordSense:
    """Return a taught word as an entry, of the same sort as what it is a kind of."""
    above = english.look_up(taught.is_a) if taught.is_a else None
    entry = WordSense(
        word=taught.word,
        kind=taught.kind,
        sort="quality" if taught.kind == "adjective" else "thing",
        common=1,
        counted=taught.kind == "noun",
    )
    if above is None:
        return replace(entry, is_a=(taught.is_a,) if taught.is_a else ())
    counted = entry.counted and (above.counted or above.kind != "noun")
    return replace(entry, is_a=(above.word,), sort=above.sort, counted=counted)


@lru_cache(maxsize=1024)
def list_forms(word: str, kind: str) -> frozenset[str]:
    """Return a word and its forms."""
    if kind == "noun":
        return frozenset({word, english.plural(word)})
    if kind == "verb":
        return frozenset({word, english.third(word), english.past(word), english.ing(word)})
    return frozenset({word, english.comparative(word), english.superlative(word)})


def guess_base(word: str, kind: str) -> str:
    """Guess what an unknown word is a form of: `frindles` of frindle, `blorfing` of blorf."""
    if kind == "noun" and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if kind == "verb" and word.endswith("ing") and len(word) > 6:
        return word[:-3]
    return word


def is_teachable(word: str) -> bool:
    """Say whether this looks like a word at all, and one he would care to learn."""
    return (
        word.isascii()
        and word.isalpha()
        and TOO_SHORT <= len(word) <= TOO_LONG
        and any(letter in "aeiouy" for letter in word.lower())
        and not any(letter * 3 in word.lower() for letter in "abcdefghijklmnopqrstuvwxyz")
        and not english.is_rude(word)
    )


def find_nouns(memory: Memories, words: tuple[str, ...]) -> Iterator[WordSense]:
    """Find the things that a sentence mentions, in order."""
    for before, word in zip(("", *words), words, strict=False):
        if len(word) > 2 and word not in PLAIN and before not in WORDS["no noun after"]:
            entry = find_entry(memory, word)
            sure = before in WORDS["noun after"] or not english.find_entries(word, "verb")
            if entry and entry.kind == "noun" and sure:
                yield entry


# Facts


@dataclass(frozen=True)
class Fact:
    """A fact about a topic: the section of the lines for it, and the words they need."""

    section: str
    other: Subject | None = None
    words: str = ""

    @property
    def key(self) -> str:
        """The mark of having said it."""
        return f"{self.section.partition('-')[0]}:{self.other.word if self.other else ''}"


def list_facts(memory: Memories, topic: Subject) -> Iterator[Fact]:
    """List everything he could say of a topic."""
    for taught in memory.words:
        if taught.word == topic.word:
            kind = "" if taught.kind == "noun" else f"-{taught.kind}"
            for above in _find_fitting((taught.is_a,), taught.kind, 0):
                yield Fact(f"taught-is{kind}", above)
            return
        if taught.is_a == topic.word and topic.entry.kind == taught.kind == "noun":
            yield Fact("taught-kind", Subject(WordSense(taught.word, "noun", "thing", 1)))
    lists = {"noun": _list_noun_facts, "verb": _list_verb_facts, "adjective": _list_adjective_facts}
    yield from lists[topic.entry.kind](topic)


def list_neighbours(topic: Subject) -> Iterator[Subject]:
    """List the topics near this one, by a relation that people notice."""
    entry = topic.entry
    words = (*entry.opposites, *entry.kinds[:3], *entry.is_a[:2], *entry.beside[:3])
    for word in (*words, *entry.part_of[:1], *entry.kin[:2]):
        found = english.look_up(word)
        if (
            found
            and found.common >= LEAST + 1
            and word not in TRIVIAL
            and " " not in word
            and not _share_stem(word, topic.word)
            and (found.kind == entry.kind or word in entry.kin)
        ):
            yield Subject(found)


def _list_noun_facts(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    above = [found for found in _find_fitting(entry.is_a, "noun", 3) if found.word not in TRIVIAL]
    for found in above[:1]:
        if found.single or not entry.name:
            yield Fact("is_a-name" if entry.name else "is_a", found)
    kinds = [found for found in _find_fitting(entry.kinds, "noun", LEAST) if " " not in found.word]
    counted = [found for found in kinds if found.single]
    kinds = counted if len(counted) > 1 else kinds
    if len(kinds) > 1 and not entry.name and entry.sort in CLEAR:
        names = [found.phrase for found in kinds[:3]]
        yield Fact("kinds", None, all_of(names))
        yield Fact("kinds-ask", None, one_of(names))
    if entry.sort in TOUCHABLE and entry.sort != "place":
        parts = [
            found
            for found in _find_fitting(entry.parts[:3], "noun", LEAST)
            if found.entry.sort in TOUCHABLE
            and " " not in found.word
            and found.word not in (*WORDS["no parts"], *entry.is_a)
        ]
        if parts:
            names = [
                found.phrase if found.word in WORDS["several"] else found.forms()["a"]
                for found in parts[:2]  # a tail, but wings
            ]
            yield Fact("parts", None, all_of(names))
    for found in _find_fitting(entry.part_of[:1], "noun", LEAST):
        fits = entry.sort in ("body", "artifact", "vehicle", "plant") and found.single
        if fits and found.entry.sort in TOUCHABLE | {"person"}:
            yield Fact("part_of", found)
    yield from _list_pairs(entry, "noun", "opposites", entry.opposites[:1], LEAST)
    if not entry.name and topic.single:
        yield from _list_pairs(entry, "noun", "same", entry.same[:1], LEAST + 1)
    if entry.sort in ALIKE:
        beside = _find_fitting(entry.beside, "noun", LEAST + 2)
        for found in [one for one in beside if one.entry.sort == entry.sort][:2]:
            if found.single == topic.single and found.word not in entry.is_a:
                yield Fact("beside", found)


def _list_verb_facts(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    if topic.single:
        for above in _find_fitting(entry.is_a[:1], "verb", LEAST_VERB):
            if above.single:
                yield Fact("is_a-verb", above)
        kinds = [found for found in _find_fitting(entry.kinds, "verb", LEAST) if found.single]
        if len(kinds) > 1:
            yield Fact("kinds-verb", None, one_of(found.word for found in kinds[:3]))
    yield from _list_pairs(entry, "verb", "opposites", entry.opposites[:1], LEAST)
    yield from _list_kin(topic)


def _list_adjective_facts(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    for relation in ("opposites", "same", "beside"):
        words = getattr(entry, relation)[:2]
        yield from _list_pairs(entry, "adjective", f"{relation}-adjective", words, LEAST)
    yield from _list_kin(topic)


def _list_pairs(
    entry: WordSense, kind: str, section: str, words: tuple[str, ...], least: int
) -> Iterator[Fact]:
    for found in _find_fitting(words, kind, least):
        mutual = entry.word in (*found.entry.opposites, *found.entry.same)
        if not _share_stem(found.word, entry.word) and (mutual or section[0] == "b"):
            uncounted = kind == "noun" and not Subject(entry).single  # injustice, as of justice
            yield Fact(
                section, Subject(replace(found.entry, counted=False)) if uncounted else found
            )


def _list_kin(topic: Subject) -> Iterator[Fact]:
    for word in topic.entry.kin[:2]:
        found = english.look_up(word)
        of_it = word[:3] == topic.word[:3] and not word.endswith("ing")
        if found and found.common >= LEAST and of_it:
            yield Fact("kin", Subject(found))


def _find_fitting(words: Iterable[str], kind: str, least: int) -> list[Subject]:
    """Return those of some words as topics that are of this kind and common enough."""
    entries = [entry for word in words if (entry := english.look_up(word)) and entry.word == word]
    return [Subject(each) for each in entries if each.kind == kind and each.common >= least]


def _share_stem(one: str, other: str) -> bool:
    """Say whether two words are spellings of one: `harbor` and `harbour`."""
    short = min(len(one), len(other))
    return one[: max(4, short - 2)] == other[: max(4, short - 2)] and short > 3
