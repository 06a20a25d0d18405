"""Benedict's conversation: he takes a topic, tells, asks, listens, remembers and is taught.

Everything is a function of the session, so the same session says the same; what he knows of words
comes from the lexicon, and what he says stands in the `talk_` modules beside this one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from parlour.host.language import distance, heard, lexicon
from parlour.host.session import Memory, Session, Talk
from parlour.host.talk.asides import aside, meaning_of
from parlour.host.talk.draft import BY_ID, Asked, Draft
from parlour.host.talk.listening import (
    answer,
    followed,
    is_question,
    is_rude,
    is_sad,
    mentioned_in,
    needs_care,
    react,
    returned,
)
from parlour.host.talk.memory import (
    LENT,
    LIKES,
    answered_with,
    consented,
    given,
    is_free,
    is_hushed,
    is_lent,
    is_open,
    lifted,
    liked,
    listened,
    open_still,
    pointed,
    remembered,
    should_ask,
    spoken_of,
)
from parlour.host.talk.mirror import statement, turned
from parlour.host.talk.person import INSULT, about_person
from parlour.host.talk.teaching import answered, asked_about
from parlour.host.talk.topics import brings, brought, is_name, is_readable, near, puzzling
from parlour.host.talk.turns import ask_topic, asked_of, begin, carry_on, question, taken_up
from parlour.host.talk.words import Subject, nouns, subject, teachable

__all__ = ["about_person", "brings", "forgotten", "opened", "puzzling", "remembered", "spoken"]

FIRST = "Okay, what do you want to talk about?"
LOST = "I don't understand"
FORGOTTEN = "It is forgotten: I know nothing of you."
NOTHING = "There is nothing to forget; I know nothing of you."
FACTS = frozenset(
    "is_a kinds kinds-ask parts part_of opposites same beside is_a-verb kinds-verb kin is_a-name "
    "opposites-adjective same-adjective beside-adjective taught-is taught-kind".split()
)
ASKS_HIM = re.compile(
    r"^(?:and |but |so )?(?:do you (?!know (?:any|some|much|more|a)\b)|are you\b|have you\b"
    r"|(?:what|who) (?:is|are)\b)"
)
SHORT = 2  # words in a line that add to a quiet talk
LONGEST_NAME = 30
Said = tuple[Session, tuple[str, ...]]


def opened(session: Session, topic: str = "") -> Said:
    """A talk begins, on a topic if there is one."""
    used = tuple(key for key in session.talk.used if key != LENT)
    talk = replace(session.talk, topic="", turns=0, asked="", used=used)
    already = session.mode == "talk" and bool(session.talk.topic)
    session = session.but(mode="talk", talk=talk)
    draft = Draft.of(session)
    found = subject(session.memory, topic) if topic else None
    if found:
        return begin(draft, found).done()
    if topic and is_rude(topic):
        return ask_topic(draft.say("rude")).done()
    if topic and teachable(word := topic.strip().lower()):
        return _puzzled(draft, word).done()
    if already and not topic:
        return ask_topic(lifted(draft).say("else")).done()
    return draft.meaning(Asked("asked-topic.0")).done(FIRST)


def spoken(session: Session, meaning: str, slots: Mapping[str, str], text: str) -> Said:
    """His answer to a line in a talk, once it is known what was meant."""
    slots = {name: str(value) for name, value in slots.items()}
    if session.mode != "talk" and meaning == "name":
        named = _name(Draft.of(session), slots, text)
        return consented(named) if session.mode == "chat" else named.done()
    draft = Draft.of(session)
    draft = draft.talking(turns=draft.talk.turns + 1)
    words = heard(text)
    if needs_care(text):
        after = draft.say("care")
        return (after if after is not draft else draft.say("sorry")).done()
    if is_rude(text) or any(is_rude(value) for value in slots.values()):
        after = draft.say("rude")
        return (carry_on(after, ask=1.0) if draft.talk.topic else ask_topic(after)).done()
    asked, _, other = asked_of(draft)
    if asked.section == "mean" and other and {"it", "they", "them"} & set(words):
        draft = taken_up(draft, other)  # so it was that
        if words[0] == "i" and distance(words[1], "like") < 2:
            meaning, slots = "like", {"what": other.word}
    loose = meaning in ("say", "unknown", "topic")
    if loose and not is_readable(session, text):
        return _unreadable(draft, text)
    if (lines := about_person(session, text)) is not None:
        return session, lines
    if INSULT.search(" ".join(words)):
        after = draft.say("insult")
        return (after if after is not draft else carry_on(draft)).done()
    if len(words) <= SHORT and meaning not in ("topic", "name"):
        draft = draft.noting(f"short:{session.turn}")
    if (means := meaning_of(draft, text)) is not None:
        return open_still(means).done()
    if (lesson := answered(draft, meaning, text)) is not None:
        return lesson.done()
    if draft.talk.asked.startswith("who") and loose and (name := is_name(text)):
        return consented(_name(draft, {"is": name}, text))
    if meaning in ("say", "unknown") and (own := aside(draft, text)) is not None:
        return open_still(own).done()
    if meaning == "unknown" or (meaning == "say" and puzzling(session, text)):
        return _unknown(draft, slots, text)
    handler = {
        "topic": _topic,
        "yes": _yes,
        "no": _no,
        "why": _why,
        "like": _like,
        "dislike": _dislike,
        "name": _name,
    }.get(meaning, _say)
    after = _spoken(handler(draft, slots, text))
    if meaning == "topic" or is_sad(text) or is_hushed(after):
        return after.done()
    return consented(spoken_of(after, text))


def forgotten(session: Session) -> Said:
    """Everything about the person is gone, and what he was taught with it."""
    if session.memory == Memory():
        return session, (NOTHING,)
    talk = session.talk
    used = tuple(key for key in talk.used if key.startswith("#"))
    topic = talk.topic if lexicon.look(talk.topic) else ""
    kept = Talk(topic=topic, trail=(topic,) if topic else (), used=used, turns=talk.turns)
    return session.but(memory=Memory(), talk=kept), (FORGOTTEN,)


def _topic(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    entry = brought(draft.session, text)
    word = slots.get("is", "") or (entry.word if entry else "")
    found = subject(draft.memory, word, entry.kind if entry and entry.word == word else "")
    if found is None:
        return _puzzled(draft, word) if teachable(word) else _say(draft, slots, text)
    if not is_question(text) or not ASKS_HIM.match(" ".join(heard(text))):
        return begin(draft, found)
    return answer(taken_up(draft, found), text)


def _say(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    draft = returned(draft, text)
    if is_question(text):
        return answer(draft, text)
    text = pointed(draft, text)
    if draft.topic is None and not is_sad(text) and not is_hushed(draft):
        for entry in nouns(draft.memory, heard(text)):
            return begin(draft, Subject(entry))
    if (after := followed(draft, text)) is not None and draft.lot(0.8):
        return after
    waits = should_ask(listened(draft, text)) or is_open(draft)
    only = waits and not is_sad(text)
    draft = mentioned_in(react(draft, text, only), text)
    return draft if draft.said else carry_on(draft)


def _yes(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    draft = _more_than_that(draft, text)
    asked, topic, other = asked_of(draft)
    line = BY_ID.get(asked.line)
    if asked.section == "keep" or is_free(draft, line):
        return given(draft, True) if is_lent(draft) else carry_on(given(draft, True))
    if asked.section == "mean" and other:
        return begin(draft, other)
    if asked.section.startswith("game") and asked.section != "game-yes":
        return draft.say("game-yes")
    if asked.section == "shall" and other:
        return begin(draft, other)
    if asked.section in LIKES and topic:
        draft = _tasted(draft, topic, True)
        if should_ask(draft):
            return draft.say(_taste_section(topic, "like"))
    if line and line.told and topic:
        draft = answered_with(draft, topic.word, line.filled(topic.forms(), "told"))
    return _briefly(draft, "yes")


def _more_than_that(draft: Draft, text: str) -> Draft:
    """A yes or no that goes on to say something is listened to as well."""
    line = statement(text)
    says_more = len(line.split()) > 3 and not line.lower().endswith((" so", " do", " not"))
    return listened(draft, text) if says_more and turned(line) else draft


def _no(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    draft = _more_than_that(draft, text)
    asked, topic, _ = asked_of(draft)
    line = BY_ID.get(asked.line)
    if asked.section == "keep" or is_free(draft, line):
        return given(draft, False) if is_lent(draft) else carry_on(given(draft, False))
    if asked.section == "sorry-ask":
        draft = lifted(draft)
    if asked.section == "mean":
        return asked_about(draft, asked.topic)
    if asked.section.startswith("game"):
        return carry_on(draft.say("game-no"), ask=1.0)
    if asked.section == "shall":
        return ask_topic(draft.say("shall-no"))
    if asked.section in LIKES and topic:
        draft = _tasted(draft, topic, False)
        if should_ask(draft):
            return draft.say(_taste_section(topic, "dislike"))
    return _briefly(draft, "no")


def _briefly(draft: Draft, which: str) -> Draft:
    """To a yes or no: the answer that belongs to his last line, or one that always fits."""
    asked, topic, other = asked_of(draft)
    line = BY_ID.get(asked.line)
    own = getattr(line, which) if line else ""
    if own:
        forms = draft.forms(other) | (topic.forms() if topic else {})
        text = own.rstrip("~").format_map(forms)
        if text not in draft.heard:
            after = draft.saying(text, str(Asked("open", asked.topic, asked.other)))
            return after if after.asks or own.endswith("~") else carry_on(after)
    asks = bool(line and line.asks) or asked.line == "open"
    after = draft.say(f"{which}-{'open' if asks else 'said'}")
    return carry_on(after, ask=0.75)


def _why(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    asked, topic, other = asked_of(draft)
    line = BY_ID.get(asked.line)
    again = bool(asked.whys)
    if not asked.line and not draft.talk.recent:
        return carry_on(draft.say("why-none"))
    own = line.why if line and not again else ""
    after = draft
    if own:
        forms = draft.forms(other) | (topic.forms() if topic else {})
        reason = own.format_map(forms)
        if reason not in draft.heard:
            after = draft.saying(reason)
    if after is draft:
        asks = bool(line and line.asks) or asked.line == "open"
        sort = "fact" if asked.section in FACTS and not asks else "ask" if asks else "said"
        after = draft.say("why-again" if again else f"why-{sort}")
    waits = asked.section in ("keep", "shall", "new") or asked.section.startswith("game")
    if not again and after is not draft and (waits or draft.lot(0.45)):
        return after.meaning(replace(asked, whys="i"))
    return carry_on(after, ask=0.8)


def _like(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    return _taste(draft, slots, text, True)


def _dislike(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    return _taste(draft, slots, text, False)


def _taste(draft: Draft, slots: Mapping[str, str], text: str, yes: bool) -> Draft:
    word = slots.get("what", "")
    pointing = word in ("", "it", "them", "that", "this", "those", "these")
    found = draft.topic if pointing else subject(draft.memory, word) or _slipped(draft, word)
    if (said := pointed(draft, text)) != text and (other := subject(draft.memory, draft.others)):
        found, text = other, said
    if found is None:
        return _say(draft, slots, text)
    draft = _tasted(taken_up(draft, found), found, yes)
    kind = "-adjective" if found.entry.kind == "adjective" else ""
    side = "like" if yes else "dislike"
    draft = draft.say(_taste_section(found, side))
    if should_ask(draft):
        return draft
    after = draft.say(f"{side}-ask{kind}" if not yes else "like-ask")
    return after if after is not draft else question(draft)


def _taste_section(found: Subject, side: str) -> str:
    """Where the lines stand that take note of a taste."""
    return f"{side}-adjective-said" if found.entry.kind == "adjective" else f"{side}-said"


def _tasted(draft: Draft, found: Subject, yes: bool) -> Draft:
    memory = liked(draft.memory, found.word, yes)
    return draft.knowing(likes=memory.likes, dislikes=memory.dislikes).noting(f"like:{found.word}")


def _name(draft: Draft, slots: Mapping[str, str], text: str) -> Draft:
    name = " ".join(slots.get("is", "").split())[:LONGEST_NAME]
    if not name or not re.fullmatch(r"[^\W\d_][^\d_]*", name) or not name.isprintable():
        return _say(draft, slots, text)
    old = draft.memory.name
    name = name if name != name.lower() else name.title()
    draft = draft.knowing(name=name)
    section = "name" if not old else "name-same" if old == name else "name-new"
    after = draft.say(section, more={"old": old})
    after = after if after is not draft else draft.saying(f"{name}, as you say.")
    return after if should_ask(after) or draft.session.mode != "talk" else question(after)


def _unknown(draft: Draft, slots: Mapping[str, str], text: str) -> Said:
    word = (slots.get("is") or slots.get("what") or puzzling(draft.session, text)).strip().lower()
    if not word and len(heard(text)) == 1:
        word = heard(text)[0]
    if word and teachable(word) and subject(draft.memory, word) is None:
        return _puzzled(draft, word).done()
    if heard(text) and re.search(r"[a-z]", " ".join(heard(text))) and len(heard(text)) > 1:
        return consented(_spoken(_say(draft, slots, text)))
    return draft.say("prompt").meaning(Asked.read(draft.talk.asked)).done(LOST)


def _puzzled(draft: Draft, word: str) -> Draft:
    """To a word he does not know: the one that was meant, if it can be told, or a lesson."""
    meant, sure = near(word)
    found = subject(draft.memory, meant) if meant else None
    if found is None or lexicon.is_unsaid(meant):
        return asked_about(draft, word)
    if sure:
        return begin(draft, found)
    after = draft.say("mean", found)
    if after is draft:
        return asked_about(draft, word)
    return after.meaning(Asked("mean.0", word, found.word))


def _slipped(draft: Draft, word: str) -> Subject | None:
    """The topic that a misspelt word surely means."""
    meant, sure = near(word)
    return subject(draft.memory, meant) if sure else None


def _unreadable(draft: Draft, text: str) -> Said:
    """An empty line is a silence; a line without words is not understood."""
    if not text.strip():
        after = draft.say("silence")
        return _spoken(carry_on(after, ask=1.0) if draft.lot(0.5) else after).done()
    return draft.say("prompt").meaning(Asked.read(draft.talk.asked)).done(LOST)


def _spoken(draft: Draft) -> Draft:
    """The draft, which says at least something."""
    if draft.said:
        return draft
    after = carry_on(draft, ask=1.0)
    return after if after.said else draft.say("asked-topic")
