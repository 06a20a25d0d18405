"""Lines that are about the talk itself: a wish for more or for something else, a number, praise.

Also what a taught word means, and names of people whom nobody has told him about.
"""

from __future__ import annotations

import re

from parlour.host.language import heard
from parlour.host.session import Taught
from parlour.host.talk.draft import Draft
from parlour.host.talk.listening import answer, is_question, numbered
from parlour.host.talk.memory import lifted
from parlour.host.talk.person import PRAISE, himself
from parlour.host.talk.topics import brings, unmet
from parlour.host.talk.turns import ask_topic, carry_on, taken_up, tell
from parlour.host.talk.words import learned, subject

MORE = re.compile(
    r"^(?:and |so |please |okay |yes )*(?:tell me|say|go on|continue|keep going|go ahead|anything"
    r"|what|something|one|some)?(?: (?:me|some|any|a bit|a little))*(?: ?(?:more|else|another))"
    r"(?: (?:about|of) (?:it|them|that|this|those))?(?: please)?$"
    r"|^(?:please )?(?:go on|continue|keep going|go ahead|tell me)(?: please| then)?$"
)
DROPPED = re.compile(r"^(?:please |just |oh |okay )*(?:forget (?:it|that|this)|never ?mind)\b")
ELSE = re.compile(
    r"^(?:(?:please|okay|well|so|no|hey|benedict|and|but|now) )*"
    r"(?:(?:(?:can|could|may|shall|should|might) (?:we|you|i)|let us|(?:i|we) (?:want|would|wish"
    r"|prefer|need|should|could|can))\b(?: \w+){0,4} )?"
    r"(?:something|anything|some) (?:else|different|new|other (?:topic|subject))"
    r"(?: (?:please|instead|now|then|to talk about|for a change))*$"
    r"|^(?:\w+ ){0,5}(?:another|different|other|new|(?:change|switch)(?: of| the)?)"
    r" (?:subject|topic)(?: (?:please|now|then|instead))*$"
)
FURTHER = re.compile(r"\b(?:tell|say|know|hear|add|anything)\b")  # of the same topic
MEANS = re.compile(
    r"^(?:(?:and|so|but|well|okay|please|remind me|tell me|do you (?:know|remember)) )*"
    r"(?:what (?:does|do|did) (?:an? |the |to )?(?P<a>[a-z]+) mean"
    r"|what (?:an? |to )?(?P<b>[a-z]+) means?|(?:what is )?the meaning of (?P<c>[a-z]+)"
    r"|define (?P<d>[a-z]+)|what (?:is|are) (?:an? |the |to |it to )?(?P<e>[a-z]+))"
    r"(?: again| then| please)*$"
)


def aside(draft: Draft, text: str) -> Draft | None:
    """What he says to a line that is about the talk itself, or about him."""
    line = " ".join(heard(text))
    if PRAISE.search(line):
        return carry_on(draft.say("praise"), ask=1.0)
    if DROPPED.search(line) and len(line.split()) <= len("please just forget it".split()):
        return ask_topic(draft.say("dropped"))
    if ELSE.search(line) and not FURTHER.search(line) and not brings(draft.session, text):
        return ask_topic(lifted(draft).talking(topic="").say("else"))
    if MORE.search(line):
        after = tell(draft)
        return after if after is not draft else ask_topic(draft.say("more-none"))
    if line and all(word.isdigit() for word in line.split()):
        return carry_on(draft.say("shape-count", more={"number": numbered(line.split()[0])}))
    if name := unmet(draft.session, text):
        after = draft.say("stranger", more={"called": name})
        return after if after is not draft else carry_on(draft)
    return himself(draft, text) if is_question(text) else None


def meaning_of(draft: Draft, text: str) -> Draft | None:
    """What a word means, if that is asked: what he was taught, or what his dictionary has."""
    found = MEANS.match(" ".join(heard(text)))
    word = next(filter(None, found.groups()), "") if found else ""
    about = subject(draft.memory, word) if word else None
    if found is None or about is None:
        return None
    if learned(draft.memory, word) is None or about.word not in _taught(draft):
        return None if found["e"] else answer(taken_up(draft, about), f"what is {word}?")
    taught = _taught(draft)[about.word]
    draft = taken_up(draft, about)
    above = subject(draft.memory, taught.is_a, taught.kind) if taught.is_a else None
    fits = above is not None and above.entry.kind == taught.kind
    after = draft.say(f"means-{taught.kind if fits else 'bare'}", above)
    return after if after is not draft else answer(draft, text)


def _taught(draft: Draft) -> dict[str, Taught]:
    return {taught.word: taught for taught in draft.memory.words}
