"""Questions about the two at the table: what he knows of the person, and what he is himself.

What he says of the person comes from the memory alone; of himself he says that he is a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from parlour.host.language import heard, lexicon
from parlour.host.language import inflect as english
from parlour.host.session import Memory, Session
from parlour.host.talk.draft import Draft
from parlour.host.talk.memory import owns, remembered
from parlour.host.talk.mirror import is_own, quoted, turned
from parlour.host.talk.turns import question
from parlour.host.talk.words import subject

NOBODY = "I know nothing of you yet."
LATEST = 2  # statements that he repeats at once
A_FEW = 3  # and when asked for all that he knows of the person
LEAD = re.compile(r"^(?:(?:so|and|but|well|okay|please|benedict|hey|now|do you know|tell me) )+")
TRAIL = re.compile(r"(?: (?:so far|now|still|again|benedict|please|then|by now|already|anyway))+$")
ALL = re.compile(
    r"^(?:who i am|who am i|what (?:do|can|did) you (?:still )?(?:know|remember|recall)"
    r"(?: (?:about|of|from) (?:me|us|our talk|last time))?|what have (?:i told you|you learned)"
    r"(?: about me(?:self)?)?|what did i (?:tell you|say)(?: about me| about myself)?|about me"
    r"|about myself|(?:do )?you (?:know|remember|recall) (?:me|who i am|anything(?: about me)?)"
    r"|do you remember what i (?:said|told you)|what i (?:said|told you))$"
)
NAME = re.compile(r"^(?:what (?:is my name|am i called)|(?:do )?you (?:know|remember) my name"
                  r"|my name|what my name is|what i am called)$")  # fmt: skip
TASTES = re.compile(
    r"^what (?:things )?(?:do )?i (?P<like>like|love|enjoy|hate|dislike|not like)(?: and .*)?$"
    r"|^(?:do )?you (?:know|remember) what i (?P<too>like|love|hate|dislike)$"
)
LIKED = re.compile(r"^do i (?:really )?(?:like|love|enjoy|hate|dislike) (?P<x>[a-z ]+)$")
SAID = re.compile(
    r"^(?:what (?:did|have) i (?:say|said|tell you|told you)|what do you (?:know|remember)"
    r"|do you remember what i (?:said|told you))(?: about| of) (?:my )?(?P<x>[a-z ]+)$"
)
ASKS_WHAT_WAS_SAID = re.compile(r"^(?:what (?:did|have) i|do you remember what i) ")
CALLED = re.compile(r"^what is my (?P<x>[a-z]+) (?:called|named|is name)$")
INSULT = re.compile(
    r"\byou (?:are |re )?(?:(?:so|very|really|just|such|quite|a|an|the|too|all|pretty) )*"
    r"(?:stupid|dumb|idiot|idiotic|fool|foolish|moron|useless|boring|ugly|annoying|terrible|awful"
    r"|bad|rubbish|worthless|pathetic|silly|ridiculous|crazy|slow|liar|suck|stink|horrible|nuts"
    r"|hopeless|thick|dull|cheat|cheater|loser|weird|rude|nonsense|not (?:very )?(?:clever|smart"
    r"|bright|helpful|funny|good))\b"
    r"|\bi (?:hate|dislike|do not like) you$|^(?:oh )?(?:shut up|go away|get lost|be quiet)\b"
    r"|^(?:stupid|dumb|silly|bad) (?:bot|machine|program|computer|robot|benedict)\b"
)
PRAISE = re.compile(
    r"\byou are (?:(?:so|very|really|quite|a|an|pretty|rather) )*(?:funny|nice|kind|clever|smart"
    r"|great|good|sweet|wonderful|charming|polite|brilliant|lovely|cool|interesting|amazing|wise"
    r"|helpful)\b(?! at)|^i (?:really )?(?:like|love) (?:you|talking (?:to|with) you)$"
)
DID = r"(?:do|can|could|will|would|did) you (?:(?:ever|really|actually|also|even|sometimes) )*"
OFTEN = r"(?: (?:at night|sometimes|often|too|much|a lot|well|yourself|anything|things|people|me))*"
HIMSELF = [
    (section, re.compile(pattern))
    for section, pattern in (
        ("how", r"\bhow (?:are|do) you(?: do| doing| feeling| feel| today| this evening| tonight)*$"
                r"|\bhow is it going$|\bhow have you been$|^are you (?:well|okay|fine)$"),
        ("colour", r"\byour favorite color\b|\bcolor do you like\b"),
        ("number", r"\byour favorite number\b"),
        ("game", r"\byour favorite game\b"),
        ("favourite", r"\byour favorite (?:kind of |sort of )?(?P<what>[a-z]+)$"),
        ("sure", r"^are you (?:sure|certain|serious|joking|kidding)\b"),
        ("clock", r"\bwhat (?:time|day|year|month) is it\b|\bwhat is the (?:time|date)\b"),
        ("place", r"\bwhere (?:do you (?:live|come from|stay)|are you(?: from| now)?)$"),
        ("age", r"\bhow old are you\b|\bwhen were you born\b|\byour birthday\b"),
        ("work", r"^what do you do(?: all day| for a living| here)?$|\byour (?:job|work)$"),
        ("being", rf"^{DID}get (?:tired|bored|lonely|hungry|old|angry|sad|sick)\b"),
        ("being", rf"^(?:{DID}have|have you) (?:got )?(?:an? |any )?(?:feelings?|friends?|family"
                  r"|body|parents|children|kids|heart|emotions|dreams|soul|wife|hobby|hobbies"
                  r"|life|mother|father|brain|mind|eyes|ears|hands|legs|face|pets?)\b"),
        ("being", rf"^{DID}(?P<verb>[a-z]+){OFTEN}$"),
        ("are", r"^are you (?:(?:ever|really|very|so|always|often|a bit) )*(?P<adj>[a-z]+)"
                r"(?: today| now| sometimes| here| tonight)?$"),
    )
]  # fmt: skip
NOT_OF_HIM = frozenset(
    "think know mean agree remember understand play like care mind want say go ask talk see help "
    "believe recommend suggest win lose cheat".split()
)


def about_person(session: Session, text: str) -> tuple[str, ...] | None:
    """What he knows of the person, if that is what they ask; None if it is not."""
    line = TRAIL.sub("", LEAD.sub("", " ".join(heard(text))))
    memory = session.memory
    if NAME.search(line):
        return (f"You are {memory.name}.",) if memory.name else ("You have not told me yet.",)
    if ALL.search(line):
        return (" ".join(_all(memory)) or f"{NOBODY} A name would be a beginning.",)
    if TASTES.search(line):
        return (_tastes(memory) or "You have not told me yet what you like, or what you do not.",)
    if found := LIKED.search(line):
        return _liked(memory, found["x"], text)
    if found := CALLED.search(line):
        return _called(memory, found["x"])
    if (found := SAID.search(line)) and (thing := subject(memory, found["x"])):
        found_all = remembered(memory, thing.word)
        of_it = [told for told in found_all if told.topic == thing.word]
        said = list(_repeated(memory, of_it)) or list(_repeated(memory, found_all))
        if not said and ASKS_WHAT_WAS_SAID.match(line):
            return (f"You have told me nothing of {thing.said} yet.",)
        return (" ".join(said[-LATEST:]),) if said else None
    return None


def _all(memory: Memory) -> list[str]:
    own = [told for told in memory.told if is_own(told.words)]
    others = [told for told in memory.told if not is_own(told.words)]
    said = [*_repeated(memory, others), *_repeated(memory, own)]
    taught = english.listed(taught.word for taught in memory.words[-3:])
    return [
        *([f"You are {memory.name}."] if memory.name else []),
        *filter(None, [_tastes(memory)]),
        *said[-A_FEW:],
        *([f"You taught me {taught}."] if taught else []),
    ]


def _tastes(memory: Memory) -> str:
    """`You like cheese, and not rain.`"""
    likes, dislikes = _named(memory, memory.likes), _named(memory, memory.dislikes, "or")
    if likes and dislikes:
        return f"You like {likes}, and not {dislikes}."
    return f"You like {likes}." if likes else f"You do not like {dislikes}." if dislikes else ""


def _named(memory: Memory, words: Iterable[str], last: str = "and") -> str:
    found = [thing for word in words if (thing := subject(memory, word))]
    return english.listed(
        (f"what is {t.word}" if t.entry.kind == "adjective" else t.said for t in found), last
    )


def _repeated(memory: Memory, said: Iterable[object]) -> Iterable[str]:
    """What the person said, turned round where it can be."""
    for told in said:
        topic, words = getattr(told, "topic", ""), getattr(told, "words", "")
        about = subject(memory, topic)
        if line := turned(words, about, owns(memory, about)):
            yield f"You told me {line}."
        elif line := quoted(words):
            yield f"You said: '{line}'"


def _liked(memory: Memory, phrase: str, text: str) -> tuple[str, ...] | None:
    thing = subject(memory, phrase)
    if thing is None:
        return None
    if thing.word in memory.likes:
        return (f"You told me that you like {thing.said}.",)
    if thing.word in memory.dislikes:
        return (f"You told me that you do not like {thing.said}.",)
    return (f"You have not told me yet what you think of {thing.said}.",)


def _called(memory: Memory, thing: str) -> tuple[str, ...]:
    """The name of somebody or something of the person's, if it was told."""
    for told in reversed(memory.told):
        found = re.search(r"\b(?:called|named|name is) ([A-Za-z]{2,16})\b", told.words)
        if found and (told.topic == thing or thing in heard(told.words)):
            return (f"{found[1].capitalize()}, as you told me.",)
    return ("You have not told me yet.",)


def himself(draft: Draft, text: str) -> Draft | None:
    """What he says to a question about himself; None if it is none."""
    line = LEAD.sub("", " ".join(heard(text)))
    for section, pattern in HIMSELF:
        found = pattern.search(line)
        if not found:
            continue
        more = {name: word for name, word in found.groupdict().items() if word}
        if not all(_fits(name, word) for name, word in more.items()):
            continue
        more |= {"what": more["what"].replace("color", "colour")} if "what" in more else {}
        after = draft.say(f"their-{section}", more=more)
        after = after if after is not draft else draft.say("their-self")
        return question(after) if draft.topic and not after.asks and draft.lot(0.4) else after
    return None


def _fits(name: str, word: str) -> bool:
    """Whether a word caught in a question is of the kind that it has to be there."""
    kinds = {entry.kind for entry in lexicon.entries(word)}
    if name == "verb":
        return "verb" in kinds and word not in NOT_OF_HIM
    return name != "adj" or "adjective" in kinds
