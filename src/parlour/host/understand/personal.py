"""What people say of themselves: their names, what they like and cannot stand, and topics."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.host.session import Session
from parlour.host.talk import NAMES
from parlour.host.understand.grammar import FILLER
from parlour.host.understand.meaning import Meaning, Scene
from parlour.host.understand.wishes import game_named

LONGEST = 400  # characters that are looked at
NAMED = re.compile(
    r"\b(?:my name is|my name's|my names|call me|i am called|i'm called|name is|people call me"
    r"|they call me|address me as|known as|i go by|name:)\s+([^\W\d_][\w'-]{0,30})",
    re.IGNORECASE,
)
I_AM = re.compile(r"\b[Ii](?:['’]?[Mm]| am| AM) ([^\W\d_]{2,20})\b(?=\s*(?:[.,!?]|$|by\b|and\b))")
FORGET_IT = re.compile(
    r"^(?:please |just |oh |okay |well )*forget (?:it|that|this)(?: please| then)?$"
)
LIKES = {"love", "like", "adore", "enjoy", "loving", "fond"}
HATES = {"hate", "dislike", "loathe", "detest", "despise"}
PRONOUNS = {"it", "them", "that", "this", "those", "these", "him", "her"}
GOOD = "my favorite|the best|great|lovely|wonderful|awesome|amazing|fantastic"
BAD = r"horrible|awful|terrible|disgusting|yucky|boring|the worst(?! \w)|nasty|vile"
LOVED = re.compile(
    rf"^(?P<it>.+?) (?:is|are) (?:{GOOD})"
    r"|\bi (?:am|have)(?: \w+)? (?:crazy|mad|nuts|wild|passionate|keen|fond|into)"
    r"(?: about| on| of)? (?P<that>.+)|\bmy favorite (?:\w+ )?(?:is|are) (?P<those>.+)"
    r"|\b(?:me|i) (?:\w+ )?(?:likes|loves|enjoys) (?P<them>.+)"
)
LOATHED = re.compile(
    rf"^(?P<it>.+?) (?:is|are) (?:{BAD})"
    r"|\bi am not (?:\w+ )?(?:keen on|fond of|into|a fan of) (?P<that>.+)"
    r"|^(?P<those>.+?) (?:drives?|makes?) me (?:mad|sick|angry|crazy|sad)"
    r"|\bcannot (?:stand|bear|abide) (?P<them>.+)"
)
NO_TOPIC = frozenset("subject topic instead something anything else different other".split())
ABOUT = (  # the clearest first, and of each the last in the line
    re.compile(r".*\b(?:about|regarding|subject of|topic of) (.+)$"),
    re.compile(r".*\b(?:over|on|of) (.+)$"),
)


def personal(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    """A name, or a taste where one may be told; `forget it` is no wish to be forgotten."""
    if scene.mode != "game" and FORGET_IT.match(" ".join(words)):
        return Meaning("say" if scene.mode == "talk" else "no")
    if found := NAMED.search(text[:LONGEST]):
        return Meaning("name", {"is": found[1][:1].upper() + found[1][1:]})
    found = I_AM.search(text[:LONGEST])
    if found and _may_be_name(found[1]):
        return Meaning("name", {"is": found[1].capitalize()})
    return None if scene.mode == "game" or game_named(words) else _taste(scene, words)


def _may_be_name(word: str) -> bool:
    """A common first name in any spelling, or a capital where no verb or adjective is meant."""
    from parlour.host.language import look

    if word.lower() in NAMES:
        return True
    entry = look(word) if word.istitle() else None
    if entry and "inhabitant" in entry.is_a:
        return False  # a German is not called so
    return word.istitle() and (entry is None or entry.kind == "noun")


def _taste(scene: Scene, words: Sequence[str]) -> Meaning | None:
    """`I love whales`, `I can't stand the rain`; `I'd like to` is a wish and no taste."""
    line = " ".join(words)
    for intent, pattern in (("dislike", LOATHED), ("like", LOVED)):
        if found := pattern.search(line):
            return _tasted(intent, scene, next(filter(None, found.groups())).split())
    for at, word in enumerate(words):
        before, after = words[:at], words[at + 1 :]
        wished = {"would", "should"} & set(before) or (after[:1] == ("to",) and word == "like")
        if not after or wished or "i" not in before:
            continue
        if word in HATES:
            return _tasted("dislike", scene, after)
        if word in LIKES:
            return _tasted("dislike" if "not" in before else "like", scene, after)
    return None


def _tasted(intent: str, scene: Scene, rest: Sequence[str]) -> Meaning | None:
    if scene.topic and PRONOUNS & set(rest[:2]):
        return Meaning(intent, {"what": scene.topic})
    telling = [word for word in rest if word not in FILLER]
    what = _known(telling[:2], telling[:1], telling[1:2]) or next(iter(telling), "")
    return Meaning(intent, {"what": what}) if what else None


def _known(*phrases: Sequence[str]) -> str:
    """The first of some phrases that is a word he knows, in its base form."""
    from parlour.host.language import look

    for words in phrases:
        if words and (entry := look(" ".join(words))) is not None:
            return entry.word
    return ""


def talking(words: Sequence[str]) -> Meaning:
    """A wish to talk, perhaps about something."""
    line = " ".join(words)
    found = ABOUT[0].search(line) or ABOUT[1].search(line)
    rest = found[1].split() if found else []
    telling = [word for word in rest if word not in FILLER and word not in NO_TOPIC]
    topic = _known(telling[:2], telling[:1]) or next(iter(telling), "")
    return Meaning("talk", {"topic": topic} if topic else {})


def in_talk(session: Session, text: str) -> Meaning:
    """A line of a talk that is no command: it brings a topic, or says something of the present."""
    from parlour.host.talk import brings

    topic = brings(session, text)
    return Meaning("topic", {"is": topic}) if topic else Meaning("say")
