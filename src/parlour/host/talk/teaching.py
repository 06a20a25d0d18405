"""How Benedict is taught a word: he asks what kind of word it is, then what it is a kind of."""

from __future__ import annotations

import re

from parlour.host.language import heard, lexicon
from parlour.host.session import Taught
from parlour.host.talk.draft import Asked, Draft
from parlour.host.talk.memory import taught
from parlour.host.talk.topics import brought
from parlour.host.talk.turns import begin, carry_on, question
from parlour.host.talk.words import KIND_OF, Subject, as_entry, base_of, known, teachable

LEAD = re.compile(
    r"^(?:(?:well|so|um|oh|i think|i guess|maybe|perhaps|probably|yes|it|that|this|he|she|they"
    r"|is|are|was|means?|would be|just|like|similar to|close to|the same as|kind of|sort of"
    r"|type of|form of|way of|way to|a|an|the|some|to|much|most|more|very|another|word|for) )+"
)
NOT_KNOWN = re.compile(r"\b(?:do not know|no idea|not sure|never mind|nothing|forget it|skip)\b")
KIND_SAID = re.compile(r"\b(?:kind|sort|type) of (?:an? |the )?(?P<x>[a-z][a-z ]*)$")


def asked_about(draft: Draft, word: str) -> Draft:
    """Ask what kind of word this is."""
    forms = {"word": word, "Word": word.capitalize()}
    after = draft.say("teach", more=forms)
    after = after if after is not draft else draft.say("teach-again", more=forms)
    if after is draft:
        return carry_on(draft)
    return after.meaning(Asked("teach-kind.0", word))


def answered(draft: Draft, meaning: str, text: str) -> Draft | None:
    """What an answer teaches him; None if he had asked nothing of the kind."""
    asked = Asked.read(draft.talk.asked)
    if asked.section not in ("teach-kind", "teach-is"):
        return None
    if brought(draft.session, text):
        return None  # the person has turned to something else
    words = " ".join(heard(text))
    if meaning == "no" or NOT_KNOWN.search(words):
        return _given_up(draft, asked)
    if asked.section == "teach-kind":
        return _kind_told(draft, asked, words)
    return _is_told(draft, asked, words)


def _kind_told(draft: Draft, asked: Asked, words: str) -> Draft:
    said = [KIND_OF[word] for word in words.split() if word in KIND_OF]
    whole = KIND_SAID.search(words)
    above = None
    if whole and "word" not in whole["x"].split():
        above = _above(draft, whole["x"], "")
    elif not said and re.match(r"^(?:it is |is )?to ", words):
        above = _above(draft, words, "verb")
    elif not said and (re.match(r"^(?:it is |is )?an? ", words) or len(words.split()) == 1):
        above = _above(draft, words, "noun")
    if above:
        return _learned(draft, asked.topic, above.entry.kind, above)
    if not said:
        if asked.line == "teach-kind.1":
            return _given_up(draft, asked)
        forms = {"word": asked.topic, "Word": asked.topic.capitalize()}
        after = draft.say("teach-again", more=forms)
        return after.meaning(Asked("teach-kind.1", asked.topic))
    kind = said[0]
    word = base_of(asked.topic, kind)
    about = Subject(as_entry(Taught(word, kind)))
    after = draft.say(f"teach-{kind}", about=about)
    after = after if after is not draft else draft.saying(f"And what is {word} like?")
    return after.meaning(Asked("teach-is.0", word, kind))


def _is_told(draft: Draft, asked: Asked, words: str) -> Draft:
    above = _above(draft, words, asked.other)
    return _learned(draft, asked.topic, asked.other, above)


def _above(draft: Draft, words: str, kind: str) -> Subject | None:
    """The known word that an answer names, of this kind if it can be."""
    rest = LEAD.sub("", words + " ").strip().split()[:6]
    tried = [" ".join(rest[:3]), " ".join(rest[:2]), *rest]
    for only in [kind, ""] if kind else ["noun", "verb", "adjective"]:
        for phrase in tried:
            if not phrase or lexicon.is_unsaid(phrase):
                continue
            for entry in lexicon.entries(phrase):
                if entry.kind == only:
                    return Subject(entry)
            own = known(draft.memory, phrase) if not only else None
            if own and own.kind == kind:
                return Subject(own)
    return None


def _learned(draft: Draft, word: str, kind: str, above: Subject | None) -> Draft:
    word = base_of(word, kind)
    if not teachable(word):
        return carry_on(draft)
    new = Taught(word, kind, above.word if above else "")
    draft = draft.knowing(words=taught(draft.memory, new).words)
    about = Subject(as_entry(new))
    if above and above.entry.kind == kind:
        after = draft.say(f"taught-{kind}", above, about)
    else:
        after = draft.say("taught-bare", about=about)
    after = after.noting(f"{word}/taught-is:{new.is_a}")
    return begin(after, about, led=True) if not after.asks else question(after)


def _given_up(draft: Draft, asked: Asked) -> Draft:
    if asked.section == "teach-is":
        return _learned(draft, asked.topic, asked.other, None)
    after = draft.say("teach-given-up", more={"word": asked.topic})
    return carry_on(after)
