"""A topic as sentences need it: its entry, whether from the lexicon or taught, and its forms.

Templates name the forms they need, as `{s}` for whales, music and running alike, so that one
sentence serves all three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from parlour.host.language import Entry, lexicon
from parlour.host.language import inflect as english
from parlour.host.session import Memory, Taught

PLURAL_ONLY = frozenset(
    """
scissors trousers glasses clothes jeans shorts pyjamas pajamas tongs binoculars people cattle
police chopsticks thanks goods savings premises headquarters earnings surroundings belongings
remains pants tights spectacles pliers tweezers stairs outskirts leggings overalls
""".split()
)
MANY = {"is": "are", "was": "were", "has": "have", "does": "do", "they": "they", "them": "them",
        "their": "their", "one": "one"}  # fmt: skip
ONE = {"is": "is", "was": "was", "has": "has", "does": "does", "they": "it", "them": "it",
       "their": "its", "one": "any"}  # fmt: skip
KINDS = {
    "noun": "noun thing object name animal person place food creature tool",
    "verb": "verb doing action act activity do",
    "adjective": "adjective quality describing describes description descriptive",
}
KIND_OF = {word: kind for kind, words in KINDS.items() for word in words.split()}
UNIQUE = frozenset("sea sun moon sky world universe wind internet earth future past".split())
UNCOUNTED = frozenset(
    """
coffee beer wine paper hair light truth fire work sleep fog mist soup yogurt toast fish popcorn
spaghetti porridge summer winter spring autumn supper juice curry custard plastic hail moss hope
fear joy injustice mustard ketchup fashion crime food dusk dawn poetry
""".split()
) | {"ice cream"}
RARE = 5  # below this a word in -ing is rather the verb
TOO_SHORT = 3  # letters of a word that can be taught, at least
TOO_LONG = 24


@dataclass(frozen=True)
class Subject:
    """A topic, ready to be spoken of."""

    entry: Entry

    @property
    def word(self) -> str:
        """Its base form."""
        return self.entry.word

    @property
    def single(self) -> bool:
        """Whether one can say `a` before it; of a verb, whether it stands without an object."""
        if self.entry.kind == "noun":
            names = self.plural_only or self.entry.name or self.word in UNIQUE | UNCOUNTED
            return self.entry.counted and not names and not self._is_doing
        return not self.entry.transitive

    @property
    def _is_doing(self) -> bool:
        """Whether it is a verb in a noun's dress, of which there are no two: winning."""
        rare = self.entry.sort == "activity" and self.entry.common < RARE
        return rare and self.word.endswith("ing")

    @property
    def plural_only(self) -> bool:
        """Whether it is many by itself, as scissors are."""
        return self.entry.kind == "noun" and self.word.lower() in PLURAL_ONLY

    @property
    def said(self) -> str:
        """What it is called in a sentence: whales, music, running, happy."""
        if self.entry.kind == "verb":
            return english.ing(self.word)
        if self.entry.kind == "noun" and self.single:
            return english.plural(self.word)
        return f"the {self.word}" if self.word in UNIQUE and not self.entry.name else self.word

    def forms(self, mark: str = "") -> dict[str, str]:
        """Every form a template may name; those of a second word begin with a mark."""
        many = self.entry.kind == "noun" and (self.single or self.plural_only)
        found = {"word": self.word, "s": self.said, "a": self.said}
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
        capital = {
            name[0].upper() + name[1:]: form[:1].upper() + form[1:] for name, form in found.items()
        }
        forms = {mark + name: form for name, form in (found | capital).items()}
        if mark:
            forms[mark] = self.word
            forms |= {name.capitalize(): f[:1].upper() + f[1:] for name, f in list(forms.items())}
        return forms


def subject(memory: Memory, text: str, kind: str = "") -> Subject | None:
    """The topic that a word in any inflection means, of this kind if there is one."""
    found = known(memory, text)
    for entry in lexicon.entries(text) if kind else ():
        if entry.kind == kind:
            found = entry
            break
    return Subject(found) if found else None


def known(memory: Memory, text: str) -> Entry | None:
    """The entry of a word, from the lexicon or as it was taught."""
    if lexicon.is_unsaid(text):
        return None
    word = lexicon.plain(text)
    for entry in lexicon.entries(text):
        if not (word.endswith("ees") and entry.word == word[:-2]):  # bees are no form of be
            return entry
    return learned(memory, text)


def learned(memory: Memory, text: str) -> Entry | None:
    """The entry of a word that somebody taught him, in any simple inflection."""
    words = lexicon.plain(text).split()
    if words and (words[0] in lexicon.ARTICLES or words[0] == "to"):
        words = words[1:]
    if len(words) != 1:
        return None
    for taught in reversed(memory.words):
        if words[0] in inflected(taught.word, taught.kind):
            return as_entry(taught)
    return None


def as_entry(taught: Taught) -> Entry:
    """A taught word as an entry; it is of the sort of what it is a kind of."""
    above = lexicon.look(taught.is_a) if taught.is_a else None
    entry = Entry(
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
def inflected(word: str, kind: str) -> frozenset[str]:
    """The word and its forms."""
    if kind == "noun":
        return frozenset({word, english.plural(word)})
    if kind == "verb":
        return frozenset({word, english.third(word), english.past(word), english.ing(word)})
    return frozenset({word, english.comparative(word), english.superlative(word)})


def base_of(word: str, kind: str) -> str:
    """What an unknown word is probably a form of: `frindles` of frindle, `blorfing` of blorf."""
    if kind == "noun" and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if kind == "verb" and word.endswith("ing") and len(word) > 6:
        return word[:-3]
    return word


def teachable(word: str) -> bool:
    """Whether this looks like a word at all, and one he would care to learn."""
    return (
        word.isascii()
        and word.isalpha()
        and TOO_SHORT <= len(word) <= TOO_LONG
        and any(letter in "aeiouy" for letter in word.lower())
        and not any(letter * 3 in word.lower() for letter in "abcdefghijklmnopqrstuvwxyz")
        and not lexicon.is_unsaid(word)
    )


def nouns(memory: Memory, words: tuple[str, ...]) -> Iterator[Entry]:
    """The things that a sentence mentions, in its order."""
    for before, word in zip(("", *words), words, strict=False):
        if len(word) > 2 and word not in PLAIN and before not in NO_NOUN_AFTER:
            entry = known(memory, word)
            doubt = any(other.kind == "verb" for other in lexicon.entries(word))
            if entry and entry.kind == "noun" and (before in NOUN_AFTER or not doubt):
                yield entry


NOUN_AFTER = frozenset(
    "a an the my our his her their some any no in on at of with from for about like by".split()
)
NO_NOUN_AFTER = frozenset("to i you we they it he she that who own your not can will".split())
# Words that say nothing by themselves, though the lexicon knows them.
PLAIN = frozenset(
    """
a able about above after afternoon again ago ah all almost alone already also always am an and
another answer any anybody anyone anything anyway are around as ask at away awful back bad be
because been before being best better big bit both bottom but by bye call came can cannot chat
conversation could course day days did different do does doing done down each eight either else end
enough even evening ever every everybody everyone everything everywhere exactly far few fine first
five for four free from front full fun game gave get gets getting give go god goes going gone good
goodbye gosh got great guess guy guys had haha half happen hard has hate have he hello help her
here hers herself hey hi high him himself his hmm hour how i idea if in instead into is it its
itself just keep kid kind kinds knew know last late later least left less let like likes little lol
long lot lots love low made make makes many may maybe me mean middle might mine minute mom moment
more morning most mr mrs much must my myself nah name need neither never new next nice night nine
no nobody none nope nor not nothing now nowhere number of off often oh ok okay old on once one ones
only or other others our ours out over own part perhaps person place please point pretty probably
put question quite rather real really reason right said same saw say says second see seem seen self
seven shall she should side since six so some somebody someone something sometimes somewhere soon
sorry sort still stuff subject such sure take talk tell ten than thank thanks that the their them
themselves then there these they thing things think third this those though thought three time
times to today together told tomorrow tonight too took top topic true try turn two type um under
until up upon us use used usually very want wanted wants was way ways we week weeks well went were
what whatever when where whether which while who whole whom whose why will with without won word
words work world would wow wrong yeah year years yep yes yesterday yet you young your yours
yourself
""".split()
)
