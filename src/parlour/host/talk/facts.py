"""What Benedict's dictionary lets him say of a topic, fact by fact.

The lexicon knows more than makes good talk: a fact is told only if its words are common, and if
they are of the kind that the sentence needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from parlour.host.language import Entry, lexicon
from parlour.host.language import inflect as english
from parlour.host.session import Memory
from parlour.host.talk.words import Subject

TRIVIAL = frozenset(
    """
thing object artifact activity quality state substance idea event group place person entity
device feeling being act action matter attribute creature body adult instrumentality material
way part unit area structure condition content change communication cause relation amount
property male female whole mixture compound organism individual
""".split()
) | {"time of year", "time period"}
NO_PARTS = frozenset("coat section foundation receptacle cannon surface layer side".split())
SEVERAL = frozenset("wing feather leg eye ear claw hoof fin horn tooth arm petal leaf".split())
TOUCHABLE = frozenset("artifact vehicle body plant animal instrument clothing place".split())
ALIKE = frozenset(
    """
animal food drink plant vehicle instrument clothing sport game color feeling person music artifact
""".split()
)
CLEAR = (ALIKE | TOUCHABLE | {"nature"}) - {"place", "person"}  # where kinds are plain to see
LEAST = 4  # how common a word is that he brings up
LEAST_VERB = 5


@dataclass(frozen=True)
class Fact:
    """One thing to be told of a topic: where the lines for it stand, and the words they need."""

    section: str
    other: Subject | None = None
    listed: str = ""

    @property
    def key(self) -> str:
        """What he notes once he has told it."""
        return f"{self.section.partition('-')[0]}:{self.other.word if self.other else ''}"


def facts(memory: Memory, topic: Subject) -> Iterator[Fact]:
    """All he could tell of it."""
    for taught in memory.words:
        if taught.word == topic.word:
            if above := _fit(taught.is_a, taught.kind, 0):
                kind = "" if taught.kind == "noun" else f"-{taught.kind}"
                yield Fact(f"taught-is{kind}", above)
            return
        if taught.is_a == topic.word and topic.entry.kind == taught.kind == "noun":
            yield Fact("taught-kind", Subject(Entry(taught.word, "noun", "thing", 1)))
    if topic.entry.kind == "noun":
        yield from _of_noun(topic)
    elif topic.entry.kind == "verb":
        yield from _of_verb(topic)
    else:
        yield from _of_adjective(topic)


def neighbours(topic: Subject) -> Iterator[Subject]:
    """Where one could go from here, by a relation that can be felt."""
    entry = topic.entry
    words = (*entry.opposites, *entry.kinds[:3], *entry.is_a[:2], *entry.beside[:3])
    for word in (*words, *entry.part_of[:1], *entry.kin[:2]):
        found = lexicon.look(word)
        if (
            found
            and found.common >= LEAST + 1
            and word not in TRIVIAL
            and " " not in word
            and not _same_stem(word, topic.word)
            and (found.kind == entry.kind or word in entry.kin)
        ):
            yield Subject(found)


def _of_noun(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    above = [found for word in entry.is_a if (found := _fit(word, "noun", 3))]
    for found in [found for found in above if found.word not in TRIVIAL][:1]:
        named = entry.name and found.single
        if named or not entry.name:
            yield Fact("is_a-name" if named else "is_a", found)
    kinds = [found for word in entry.kinds if (found := _fit(word, "noun", LEAST))]
    kinds = [found for found in kinds if " " not in found.word]
    counted = [found for found in kinds if found.single]
    kinds = counted if len(counted) > 1 else kinds
    if len(kinds) > 1 and not entry.name and entry.sort in CLEAR:
        names = english.listed(found.said for found in kinds[:3])
        yield Fact("kinds", None, names)
        either = english.listed((found.said for found in kinds[:3]), "or")
        yield Fact("kinds-ask", None, either)
    parts = [found for word in entry.parts[:3] if (found := _fit(word, "noun", LEAST))]
    parts = [one for one in parts if one.entry.sort in TOUCHABLE and one.word not in NO_PARTS]
    parts = [one for one in parts if " " not in one.word and one.word not in entry.is_a]
    if entry.sort in TOUCHABLE and entry.sort != "place" and parts:
        yield Fact("parts", None, english.listed(_part(found) for found in parts[:2]))
    for found in [found for word in entry.part_of[:1] if (found := _fit(word, "noun", LEAST))]:
        fits = entry.sort in ("body", "artifact", "vehicle", "plant") and found.single
        if fits and found.entry.sort in TOUCHABLE | {"person"}:
            yield Fact("part_of", found)
    yield from _pairs(entry, "noun", "opposites", entry.opposites[:1], LEAST)
    if not entry.name and topic.single:
        yield from _pairs(entry, "noun", "same", entry.same[:1], LEAST + 1)
    beside = [found for word in entry.beside if (found := _fit(word, "noun", LEAST + 2))]
    if entry.sort in ALIKE:
        for found in [one for one in beside if one.entry.sort == entry.sort][:2]:
            if found.single == topic.single and found.word not in entry.is_a:
                yield Fact("beside", found)


def _of_verb(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    if topic.single:
        for word in entry.is_a[:1]:
            above = _fit(word, "verb", LEAST_VERB)
            if above and above.single:
                yield Fact("is_a-verb", above)
        kinds = [found for word in entry.kinds if (found := _fit(word, "verb", LEAST))]
        kinds = [found for found in kinds if found.single]
        if len(kinds) > 1:
            yield Fact("kinds-verb", None, english.listed((k.word for k in kinds[:3]), "or"))
    yield from _pairs(entry, "verb", "opposites", entry.opposites[:1], LEAST)
    yield from _kin(topic)


def _of_adjective(topic: Subject) -> Iterator[Fact]:
    entry = topic.entry
    for relation in ("opposites", "same", "beside"):
        words = getattr(entry, relation)[:2]
        yield from _pairs(entry, "adjective", f"{relation}-adjective", words, LEAST)
    yield from _kin(topic)


def _pairs(
    entry: Entry, kind: str, section: str, words: tuple[str, ...], least: int
) -> Iterator[Fact]:
    for word in words:
        found = _fit(word, kind, least)
        mutual = found and entry.word in (*found.entry.opposites, *found.entry.same)
        if found and kind == "noun" and not Subject(entry).single:
            found = Subject(replace(found.entry, counted=False))  # injustice, as of justice
        if found and not _same_stem(word, entry.word) and (mutual or section[0] == "b"):
            yield Fact(section, found)


def _kin(topic: Subject) -> Iterator[Fact]:
    for word in topic.entry.kin[:2]:
        found = lexicon.look(word)
        of_it = word[:3] == topic.word[:3] and not word.endswith("ing")
        if found and found.common >= LEAST and of_it:
            yield Fact("kin", Subject(found))


def _part(found: Subject) -> str:
    """A part as one names it: a tail, but wings."""
    return found.said if found.word in SEVERAL else found.forms()["a"]


def _fit(word: str, kind: str, least: int) -> Subject | None:
    """The word as it is said beside the topic, if people know it."""
    first = lexicon.look(word)
    if first and first.kind == kind and first.word == word and first.common >= least:
        return Subject(first)
    return None


def _same_stem(one: str, other: str) -> bool:
    """Whether the two are one word in two dresses: `harbor` and `harbour`."""
    short = min(len(one), len(other))
    return one[: max(4, short - 2)] == other[: max(4, short - 2)] and short > 3
