"""Benedict's conversation: he takes a topic, tells, asks, listens, remembers and is taught.

Everything is a function of the session, so the same session says the same; what he knows of words
comes from the lexicon, and what he says from the files in `lines/`. A word that he does not know he
asks to be taught: what kind of word it is, then what it is a kind of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from parlour.host.language import Line, distance, english, read_expressions
from parlour.host.session import Memory, Session, Talk, TaughtWord
from parlour.host.talk.draft import Draft, Question, find_template
from parlour.host.talk.listening import (
    QUESTIONS,
    answer_about_person,
    answer_aside,
    answer_question,
    explain_word,
    follow,
    has_rude_word,
    is_question,
    is_sad,
    mark_mention,
    needs_care,
    react,
    return_to_topic,
)
from parlour.host.talk.memory import (
    LENT,
    LIKES,
    add_taste,
    add_word,
    ask_leave,
    awaits_leave,
    extract_statement,
    is_hushed,
    is_lent,
    keep_waiting,
    lift_mood,
    mark_referent,
    may_be_leave,
    mirror,
    record_leave,
    remember,
    remember_answer,
    resolve_pronoun,
    should_ask_leave,
)
from parlour.host.talk.topics import find_name, find_topic, find_unknown, guess_word, is_readable
from parlour.host.talk.turns import (
    ask_question,
    ask_topic,
    begin,
    carry_on,
    read_question,
    take_up,
)
from parlour.host.talk.words import (
    KIND_OF,
    WORDS,
    Subject,
    find_entry,
    find_nouns,
    find_subject,
    guess_base,
    is_teachable,
    to_entry,
)

TEACHING = read_expressions("talk/expressions/teaching.txt")

FIRST = "Okay, what do you want to talk about?"
LOST = "I don't understand"
FORGOTTEN = "It is forgotten: I know nothing about you."
NOTHING = "There is nothing to forget; I know nothing about you."
SHORT = 2  # words of a line that makes a talk quieter
LONGEST_NAME = 30
LONGEST = 400  # characters of a slot that are looked at
Answer = tuple[Session, tuple[str, ...]]


def open_talk(session: Session, topic: str = "") -> Answer:
    """Begin a talk, on a topic if there is one."""
    used = tuple(key for key in session.talk.used if key != LENT)
    talk = replace(session.talk, topic="", turns=0, asked="", used=used)
    already = session.mode == "talk" and bool(session.talk.topic)
    session = session.replace(mode="talk", talk=talk)
    draft = Draft.of(session)
    found = find_subject(session.memory, topic) if topic else None
    if found:
        return begin(draft, found).finish()
    if topic and has_rude_word(topic[:LONGEST].casefold().split()):
        return ask_topic(draft.say("rude")).finish()
    if topic and is_teachable(word := topic.strip().lower()):
        return _ask_about(draft, word).finish()
    if already and not topic:
        return ask_topic(lift_mood(draft).say("else")).finish()
    return draft.expect(Question("asked-topic.0")).finish(FIRST)


def continue_talk(session: Session, intent: str, slots: Mapping[str, str], line: Line) -> Answer:
    """Answer a line in a talk, given its intent."""
    slots = {name: str(value) for name, value in slots.items()}
    if session.mode != "talk" and intent == "name":
        after = _answer_name_given(Draft.of(session), slots, line)
        return ask_leave(after) if session.mode == "chat" else after.finish()
    draft = Draft.of(session)
    draft = draft.change_talk(turns=draft.talk.turns + 1)
    words = line.words
    if needs_care(line):
        after = draft.say("care")
        return (after if after is not draft else draft.say("sorry")).finish()
    values = " ".join(value[:LONGEST] for value in slots.values())
    if has_rude_word((*words, *values.casefold().split())):
        after = draft.say("rude")
        return (carry_on(after, ask=1.0) if draft.talk.topic else ask_topic(after)).finish()
    question, _, other = read_question(draft)
    if question.section == "mean" and other and {"it", "they", "them"} & set(words):
        draft = take_up(draft, other)  # so it was that
        if words[0] == "i" and distance(words[1], "like") < 2:
            intent, slots = "like", {"what": other.word}
    loose = intent in ("say", "unknown", "topic")
    if loose and not is_readable(session, line):
        return _answer_unreadable(draft, line)
    if (lines := answer_about_person(session, line)) is not None:
        return session, lines
    if QUESTIONS["insult"].search(line.plain):
        after = draft.say("insult")
        return (after if after is not draft else carry_on(draft)).finish()
    if len(words) <= SHORT and intent not in ("topic", "name"):
        draft = draft.mark(f"short:{session.turn}")
    if (means := explain_word(draft, line)) is not None:
        return keep_waiting(means).finish()
    if (lesson := _learn_answer(draft, intent, line)) is not None:
        return lesson.finish()
    if draft.talk.asked.startswith("who") and loose and (name := find_name(line.text)):
        return ask_leave(_answer_name_given(draft, {"is": name}, line))
    if intent in ("say", "unknown") and (own := answer_aside(draft, line)) is not None:
        return keep_waiting(own).finish()
    if intent == "unknown" or (intent == "say" and find_unknown(session, line)):
        return _answer_unknown(draft, slots, line)
    after = _say_something(HANDLERS.get(intent, _answer_statement)(draft, slots, line))
    if intent == "topic" or is_sad(line) or is_hushed(after):
        return after.finish()
    return ask_leave(mark_referent(after, words))


def forget(session: Session) -> Answer:
    """Forget everything about the person, and what he was taught with it."""
    if session.memory == Memory():
        return session, (NOTHING,)
    talk = session.talk
    used = tuple(key for key in talk.used if key.startswith("#"))
    topic = talk.topic if english.look_up(talk.topic) else ""
    fresh = Talk(topic=topic, trail=(topic,) if topic else (), used=used, turns=talk.turns)
    return session.replace(memory=Memory(), talk=fresh), (FORGOTTEN,)


def _answer_topic(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    entry = find_topic(draft.session, line)
    word = slots.get("is", "") or (entry.word if entry else "")
    found = find_subject(draft.memory, word, entry.kind if entry and entry.word == word else "")
    if found is None:
        return (
            _ask_about(draft, word) if is_teachable(word) else _answer_statement(draft, slots, line)
        )
    if not is_question(line) or not QUESTIONS["asks him"].match(line.plain):
        return begin(draft, found)
    return answer_question(take_up(draft, found), line)


def _answer_statement(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    draft = return_to_topic(draft, line)
    if is_question(line):
        return answer_question(draft, line)
    line = resolve_pronoun(draft, line)
    if draft.topic is None and not is_sad(line) and not is_hushed(draft):
        for entry in find_nouns(draft.memory, line.words):
            return begin(draft, Subject(entry))
    if (after := follow(draft, line)) is not None and draft.happens(0.8):
        return after
    waits = should_ask_leave(remember(draft, line)) or awaits_leave(draft)
    only = waits and not is_sad(line)
    draft = mark_mention(react(draft, line, only), line.words)
    return draft if draft.sentences else carry_on(draft)


def _answer_yes(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    draft = _remember_more(draft, line)
    question, topic, other = read_question(draft)
    template = find_template(question.line)
    if question.section == "keep" or may_be_leave(draft, template):
        return record_leave(draft, True) if is_lent(draft) else carry_on(record_leave(draft, True))
    if question.section == "mean" and other:
        return begin(draft, other)
    if question.section.startswith("game") and question.section != "game-yes":
        return draft.say("game-yes")
    if question.section == "shall" and other:
        return begin(draft, other)
    if question.section in LIKES and topic:
        draft = _record_taste(draft, topic, True)
        if should_ask_leave(draft):
            return draft.say(_name_taste_section(topic, "like"))
    if template and template.fact and topic:
        draft = remember_answer(draft, topic.word, template.fill(topic.forms(), "fact"))
    return _answer_briefly(draft, "yes")


def _remember_more(draft: Draft, line: Line) -> Draft:
    """Remember what a yes or no goes on to say."""
    text = extract_statement(line.text)
    says_more = len(text.split()) > 3 and not text.lower().endswith((" so", " do", " not"))
    return remember(draft, line) if says_more and mirror(text) else draft


def _answer_no(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    draft = _remember_more(draft, line)
    question, topic, _ = read_question(draft)
    template = find_template(question.line)
    if question.section == "keep" or may_be_leave(draft, template):
        return (
            record_leave(draft, False) if is_lent(draft) else carry_on(record_leave(draft, False))
        )
    if question.section == "sorry-ask":
        draft = lift_mood(draft)
    if question.section == "mean":
        return _ask_about_word(draft, question.topic)
    if question.section.startswith("game"):
        return carry_on(draft.say("game-no"), ask=1.0)
    if question.section == "shall":
        return ask_topic(draft.say("shall-no"))
    if question.section in LIKES and topic:
        draft = _record_taste(draft, topic, False)
        if should_ask_leave(draft):
            return draft.say(_name_taste_section(topic, "dislike"))
    return _answer_briefly(draft, "no")


def _answer_briefly(draft: Draft, which: str) -> Draft:
    """Answer a yes or no by what belongs to his last line, or by what always fits."""
    question, topic, other = read_question(draft)
    template = find_template(question.line)
    own = getattr(template, which) if template else ""
    if own:
        forms = draft.list_forms(other) | (topic.forms() if topic else {})
        text = own.rstrip("~").format_map(forms)
        if text not in draft.recent:
            after = draft.add(text, str(Question("open", question.topic, question.other)))
            return after if after.asks or own.endswith("~") else carry_on(after)
    asks = bool(template and template.asks) or question.line == "open"
    after = draft.say(f"{which}-{'open' if asks else 'said'}")
    return carry_on(after, ask=0.75)


def _answer_why(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    question, topic, other = read_question(draft)
    template = find_template(question.line)
    again = bool(question.whys)
    if not question.line and not draft.talk.recent:
        return carry_on(draft.say("why-none"))
    own = template.why if template and not again else ""
    after = draft
    if own:
        forms = draft.list_forms(other) | (topic.forms() if topic else {})
        reason = own.format_map(forms)
        if reason not in draft.recent:
            after = draft.add(reason)
    if after is draft:
        asks = bool(template and template.asks) or question.line == "open"
        sort = (
            "fact" if question.section in WORDS["facts"] and not asks else "ask" if asks else "said"
        )
        after = draft.say("why-again" if again else f"why-{sort}")
    waits = question.section in ("keep", "shall", "new") or question.section.startswith("game")
    if not again and after is not draft and (waits or draft.happens(0.45)):
        return after.expect(replace(question, whys="i"))
    return carry_on(after, ask=0.8)


def _answer_like(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    return _answer_taste(draft, slots, line, True)


def _answer_dislike(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    return _answer_taste(draft, slots, line, False)


def _answer_taste(draft: Draft, slots: Mapping[str, str], line: Line, yes: bool) -> Draft:
    word = slots.get("what", "")
    pointing = word in ("", "it", "them", "that", "this", "those", "these")
    found = (
        draft.topic if pointing else find_subject(draft.memory, word) or _find_misspelt(draft, word)
    )
    clear = resolve_pronoun(draft, line)
    if clear is not line and (other := find_subject(draft.memory, draft.others)):
        found, line = other, clear
    if found is None:
        return _answer_statement(draft, slots, line)
    draft = _record_taste(take_up(draft, found), found, yes)
    kind = "-adjective" if found.entry.kind == "adjective" else ""
    side = "like" if yes else "dislike"
    draft = draft.say(_name_taste_section(found, side))
    if should_ask_leave(draft):
        return draft
    after = draft.say(f"{side}-ask{kind}" if not yes else "like-ask")
    return after if after is not draft else ask_question(draft)


def _name_taste_section(found: Subject, side: str) -> str:
    """Return the section of the lines that take note of a taste."""
    return f"{side}-adjective-said" if found.entry.kind == "adjective" else f"{side}-said"


def _record_taste(draft: Draft, found: Subject, yes: bool) -> Draft:
    memory = add_taste(draft.memory, found.word, yes)
    return draft.change_memory(likes=memory.likes, dislikes=memory.dislikes).mark(
        f"like:{found.word}"
    )


def _answer_name_given(draft: Draft, slots: Mapping[str, str], line: Line) -> Draft:
    name = " ".join(slots.get("is", "").split())[:LONGEST_NAME]
    if not name or not re.fullmatch(r"[^\W\d_][^\d_]*", name) or not name.isprintable():
        return _answer_statement(draft, slots, line)
    old = draft.memory.name
    name = name if name != name.lower() else name.title()
    draft = draft.change_memory(name=name)
    section = "name" if not old else "name-same" if old == name else "name-new"
    after = draft.say(section, more={"old": old})
    after = after if after is not draft else draft.add(f"{name}, as you say.")
    return after if should_ask_leave(after) or draft.session.mode != "talk" else ask_question(after)


def _answer_unknown(draft: Draft, slots: Mapping[str, str], line: Line) -> Answer:
    word = slots.get("is") or slots.get("what") or find_unknown(draft.session, line)
    word = word.strip().lower()
    if not word and len(line.words) == 1:
        word = line.words[0]
    if word and is_teachable(word) and find_subject(draft.memory, word) is None:
        return _ask_about(draft, word).finish()
    if len(line.words) > 1 and re.search(r"[a-z]", line.plain):
        return ask_leave(_say_something(_answer_statement(draft, slots, line)))
    return draft.say("prompt").expect(Question.read(draft.talk.asked)).finish(LOST)


def _ask_about(draft: Draft, word: str) -> Draft:
    """Ask about a word he does not know, or take up the one that was surely meant."""
    meant, sure = guess_word(word)
    found = find_subject(draft.memory, meant) if meant else None
    if found is None or english.is_rude(meant):
        return _ask_about_word(draft, word)
    if sure:
        return begin(draft, found)
    after = draft.say("mean", found)
    if after is draft:
        return _ask_about_word(draft, word)
    return after.expect(Question("mean.0", word, found.word))


def _find_misspelt(draft: Draft, word: str) -> Subject | None:
    """Return the topic that a misspelt word surely means."""
    meant, sure = guess_word(word)
    return find_subject(draft.memory, meant) if sure else None


def _answer_unreadable(draft: Draft, line: Line) -> Answer:
    """Answer a silence, or a line without words."""
    if not line.text.strip():
        after = draft.say("silence")
        return _say_something(carry_on(after, ask=1.0) if draft.happens(0.5) else after).finish()
    return draft.say("prompt").expect(Question.read(draft.talk.asked)).finish(LOST)


def _say_something(draft: Draft) -> Draft:
    """Say at least something."""
    if draft.sentences:
        return draft
    after = carry_on(draft, ask=1.0)
    return after if after.sentences else draft.say("asked-topic")


# Teaching


def _ask_about_word(draft: Draft, word: str) -> Draft:
    """Ask what kind of word this is."""
    forms = {"word": word, "Word": word.capitalize()}
    after = draft.say("teach", more=forms)
    after = after if after is not draft else draft.say("teach-again", more=forms)
    if after is draft:
        return carry_on(draft)
    return after.expect(Question("teach-kind.0", word))


def _learn_answer(draft: Draft, intent: str, line: Line) -> Draft | None:
    """Learn from an answer; return None if he had asked nothing of the kind."""
    question = Question.read(draft.talk.asked)
    if question.section not in ("teach-kind", "teach-is"):
        return None
    if find_topic(draft.session, line):
        return None  # the person has turned to something else
    if intent == "no" or TEACHING["not known"].search(line.plain):
        return _give_up(draft, question)
    if question.section == "teach-kind":
        return _learn_kind(draft, question, line.plain)
    above = _find_known(draft, line.plain, question.other)
    return _learn(draft, question.topic, question.other, above)


def _learn_kind(draft: Draft, question: Question, words: str) -> Draft:
    kinds = [KIND_OF[word] for word in words.split() if word in KIND_OF]
    whole = TEACHING["kind said"].search(words)
    above = None
    if whole and "word" not in whole["x"].split():
        above = _find_known(draft, whole["x"], "")
    elif not kinds and re.match(r"^(?:it is |is )?to ", words):
        above = _find_known(draft, words, "verb")
    elif not kinds and (re.match(r"^(?:it is |is )?an? ", words) or len(words.split()) == 1):
        above = _find_known(draft, words, "noun")
    if above:
        return _learn(draft, question.topic, above.entry.kind, above)
    if not kinds:
        if question.line == "teach-kind.1":
            return _give_up(draft, question)
        forms = {"word": question.topic, "Word": question.topic.capitalize()}
        after = draft.say("teach-again", more=forms)
        return after.expect(Question("teach-kind.1", question.topic))
    kind = kinds[0]
    word = guess_base(question.topic, kind)
    about = Subject(to_entry(TaughtWord(word, kind)))
    after = draft.say(f"teach-{kind}", about=about)
    after = after if after is not draft else draft.add(f"And what is {word} like?")
    return after.expect(Question("teach-is.0", word, kind))


def _find_known(draft: Draft, words: str, kind: str) -> Subject | None:
    """Return the known word that an answer names, of this kind if possible."""
    rest = TEACHING["lead"].sub("", words + " ").strip().split()[:6]
    phrases = [" ".join(rest[:3]), " ".join(rest[:2]), *rest]
    for only in [kind, ""] if kind else ["noun", "verb", "adjective"]:
        for phrase in phrases:
            if not phrase or english.is_rude(phrase):
                continue
            for entry in english.find_entries(phrase):
                if entry.kind == only:
                    return Subject(entry)
            own = find_entry(draft.memory, phrase) if not only else None
            if own and own.kind == kind:
                return Subject(own)
    return None


def _learn(draft: Draft, word: str, kind: str, above: Subject | None) -> Draft:
    word = guess_base(word, kind)
    if not is_teachable(word):
        return carry_on(draft)
    new = TaughtWord(word, kind, above.word if above else "")
    draft = draft.change_memory(words=add_word(draft.memory, new).words)
    about = Subject(to_entry(new))
    if above and above.entry.kind == kind:
        after = draft.say(f"taught-{kind}", above, about)
    else:
        after = draft.say("taught-bare", about=about)
    after = after.mark(f"{word}/taught-is:{new.is_a}")
    return begin(after, about, led=True) if not after.asks else ask_question(after)


def _give_up(draft: Draft, question: Question) -> Draft:
    if question.section == "teach-is":
        return _learn(draft, question.topic, question.other, None)
    after = draft.say("teach-given-up", more={"word": question.topic})
    return carry_on(after)


HANDLERS = {
    "topic": _answer_topic,
    "yes": _answer_yes,
    "no": _answer_no,
    "why": _answer_why,
    "like": _answer_like,
    "dislike": _answer_dislike,
    "name": _answer_name_given,
}
