"""Benedict's conversation: he takes a topic, tells, asks, listens, remembers and is taught.

Everything is a function of the session, so the same session says the same; what he knows of words
comes from the lexicon, and what he says from the files in `lines/`. A word that he does not know he
asks to be taught: what kind of word it is, then what it is a kind of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from parlour.host.language import Line, distance, english, normalise, texts
from parlour.host.session import MAX_KEPT, Memories, Session, Talk, TaughtWord
from parlour.host.talk import facts, listening, subjects, topics, turns
from parlour.host.talk import memory as memories
from parlour.host.talk.draft import (
    Answer,
    Draft,
    Mark,
    Question,
    fill,
    find_template,
    load_templates,
)
from parlour.host.talk.listening import QUESTIONS, has_rude_word, is_question, is_sad, is_topical
from parlour.host.talk.memory import MOODS, record_taste, remember, resolve_pronoun
from parlour.host.talk.subjects import Subject, find_subject, is_teachable

TEACHING = texts.read_expressions("talk/expressions/teaching.txt")
CONSENT = texts.read_expressions("talk/expressions/consent.txt")
INVITING = ("on-", "shape-", "go-on", "mention", "hushed", "answered", "reflect", "recall")
KNOCKING = ("on-knock", "knock-who")
WHOSE = ("my", "our", "he", "she", "his", "her", "they", "their")  # of others' tastes
LIKES = ("like", "like-doing", "like-adjective")
REQUIRED = ("shall", "game", "new", "teach")  # questions that need their answer
SHORT = 2  # words of a line that makes a talk quieter
A_MOMENT = 2  # turns after something sad in which he asks for nothing
MAX_DROPPING = 4  # words of `please just forget it`
MAX_WHY = 3  # words of a why that asks for his reason
MAX_NAME = 30
MAX_NAMING = 6  # words of a line that only tells a name
MAX_LENGTH = 400  # characters of a slot that are looked at
Slots = Mapping[str, str]


def open_talk(session: Session, topic: str = "") -> Answer:
    """Begin a talk, on a topic if there is one."""
    already = session.mode == "talk" and bool(session.talk.topic)
    talk = replace(session.talk, topic="", turns=0, asked="")
    draft = Draft.of(session.replace(mode="talk", talk=talk))
    draft.unmark(Mark.TALK_FOR_PERMISSION)
    word = topic.strip().lower()
    if topic and (found := find_subject(session.memory, topic)):
        turns.begin(draft, found)
    elif topic and has_rude_word(topic[:MAX_LENGTH].casefold().split()):
        turns.ask_topic(draft, after="rude")
    elif topic and is_teachable(word):
        _ask_or_guess_word(draft, word)
    elif already and not topic:
        draft.unmark(Mark.GRAVE)
        turns.ask_topic(draft, after="else")
    else:
        draft.expect(Question("asked-topic.0"))
        return draft.finish(fill("first"))
    return draft.finish()


def continue_talk(session: Session, intent: str, slots: Mapping[str, object], line: Line) -> Answer:
    """Answer a line in a talk, given its intent."""
    filled = {name: str(value) for name, value in slots.items()}
    draft = Draft.of(session)
    if session.mode != "talk" and intent == "name":
        _answer_name_given(draft, filled, line)
        return _ask_permission(draft) if session.mode == "chat" else draft.finish()
    draft.change_talk(turns=draft.talk.turns + 1)
    values = " ".join(value[:MAX_LENGTH] for value in filled.values())
    if MOODS["care"].search(line.plain):  # not a moment for jokes
        draft.note(Mark.GRAVE)
        draft.say("care", "sorry")
        return draft.finish()
    if has_rude_word((*line.words, *values.casefold().split())):
        _answer_rude(draft, intent, line)
        return draft.finish()
    question, _, other = _read_question(draft)
    if question.section == "mean" and other and {"it", "they", "them"} & set(line.words):
        turns.take_up(draft, other)  # that is what was meant
        if line.words[0] == "i" and distance(line.words[1], "like") < 2:
            intent, filled = "like", {"what": other.word}
    if intent in ("say", "unknown", "topic") and not topics.is_readable(session, line):
        return _answer_unreadable(draft, line)
    if (lines := facts.answer_about_person(session, line)) is not None:
        return session, lines
    return _answer_line(draft, intent, filled, line)


def _answer_rude(draft: Draft, intent: str, line: Line) -> None:
    """Answer a line with a word that he does not take up; anger is met, not the word."""
    if intent in ("topic", "talk", "like", "dislike") or is_question(line):
        turns.ask_topic(draft, after="rude")
    elif subjects.WORDS["about him"] & set(line.words):
        draft.say("vent-him")
    elif not (len(line.words) > SHORT and listening.answer_theme(draft, line)):
        draft.say("vent-on" if draft.talk.turns > 1 else "vent", "vent", "rude")


def _answer_line(draft: Draft, intent: str, slots: Slots, line: Line) -> Answer:
    """Answer a line that can be read, by the first part of him that has an answer."""
    section = Question.read(draft.talk.asked).section
    if section in (*KNOCKING, "riddle") and not is_question(line):
        if section == "riddle":
            draft.say("riddle-end")
        else:
            listening.answer_knock(draft, line)
        return draft.finish()
    if QUESTIONS["dropped"].search(line.plain) and len(line.words) <= MAX_DROPPING:
        turns.ask_topic(draft, after="dropped")
        return draft.finish()
    if QUESTIONS["remark"].fullmatch(line.plain) and draft.say("remarked"):
        return draft.finish()
    puzzled = listening.ELLIPTIC["meant"].fullmatch(line.plain)
    if (intent not in ("yes", "no") or puzzled or not draft.asked_last) and (
        listening.answer_elliptic(draft, line)
    ):
        return draft.finish()
    kidding = QUESTIONS["kidding"].search(line.plain) and draft.say("kidding")
    if kidding or listening.answer_complaint(draft, line):
        return draft.finish()
    if QUESTIONS["insult"].search(line.plain):
        if not draft.say("insult"):
            turns.carry_on(draft)
        return draft.finish()
    if len(line.words) <= SHORT and intent not in ("topic", "name"):
        draft.note(Mark.SHORT)
    if _learn_answer(draft, intent, line):
        return draft.finish()
    if intent in ("yes", "no") and not listening.is_yes_or_no(line):
        intent = "say"  # do you think it is bad if I don't go?
    loose = intent in ("say", "unknown")
    asked_name = draft.talk.asked.startswith("who") and (loose or intent == "topic")
    if asked_name and (name := topics.find_name(line.text)):
        _answer_name_given(draft, {"is": name}, line)
        return _ask_permission(draft)
    if loose and listening.answer_aside(draft, line):
        return draft.finish()
    asked = Question.read(draft.talk.asked).section
    if intent == "topic" and asked.startswith(INVITING) and {*line.words[:1]} & {"a", "an"}:
        intent = "say"  # what something is that he has just asked about
    if (loose or intent in ("say", "topic")) and _answer_short(draft, line):
        return draft.finish()
    if loose and topics.EXPRESSIONS["turns to"].match(line.plain):
        intent = "topic"
    strange = intent == "unknown" or (intent == "say" and topics.find_unknown(draft.session, line))
    if strange and not turns.is_mood_grave(draft):
        return _answer_unknown(draft, slots, line)
    HANDLERS.get(intent, _answer_statement)(draft, slots, line)
    _say_something(draft)
    if intent == "topic" or is_sad(line) or turns.is_mood_grave(draft):
        return draft.finish()
    memories.mark_referent(draft, line.words)
    return _ask_permission(draft)


def note_facts(session: Session) -> Answer | None:
    """Repeat the last fact about the person in a line; None if the line has none."""
    told = facts.list_told(session)
    if not told:
        return None
    draft = Draft.of(session)
    fact = facts.join_facts(told[-1:])
    if not draft.say("noted", more={"fact": fact}):
        draft.add(fact)
    return _ask_permission(draft) if session.mode in ("chat", "talk") else draft.finish()


def forget(session: Session) -> Answer:
    """Forget everything about the person, and what he was taught with it."""
    if session.memory == Memories():
        return session, (fill("nothing-to-forget"),)
    talk = session.talk
    used = tuple(key for key in talk.used if key.startswith("#"))
    topic = talk.topic if english.look_up(talk.topic) else ""
    fresh = Talk(topic=topic, trail=(topic,) if topic else (), used=used, turns=talk.turns)
    return session.replace(memory=Memories(), talk=fresh), (fill("forgotten"),)


def _read_question(draft: Draft) -> tuple[Question, Subject | None, Subject | None]:
    """Return what he said last, the topic it was about, and the second word in it."""
    question = Question.read(draft.talk.asked)
    return question, draft.find(question.topic), draft.find(question.other)


def _say_something(draft: Draft) -> None:
    if not draft.sentences:
        turns.carry_on(draft, ask=1.0)
    if not draft.sentences:
        draft.say("asked-topic")


# Topics and statements


def _answer_topic(draft: Draft, slots: Slots, line: Line) -> None:
    entry = topics.find_topic(draft.session, line)
    word = slots.get("is", "") or (entry.word if entry else "")
    found = find_subject(draft.memory, word, entry.kind if entry and entry.word == word else "")
    if found is None:
        if listening.answer_about_himself(draft, line):
            return
        if is_question(line):
            listening.answer_question(draft, line)
        elif is_teachable(word) and word not in subjects.PLAIN:
            _ask_or_guess_word(draft, word)
        else:
            _answer_statement(draft, slots, line)
    elif is_question(line) and QUESTIONS["asks him"].match(line.plain):
        turns.take_up(draft, found)
        listening.answer_question(draft, line)
    elif listening.goes_on(draft, line):
        draft.say("answered", more={"given": listening.turn_words(line.text)})
    elif turns.is_mood_grave(draft) and turns.is_grim(found):
        draft.say("hushed", "grave")  # the word says what it was
    elif topics.EXPRESSIONS["turn"].match(line.plain):
        turns.take_up(draft, found)  # and the statement that brought it is answered
        _answer_statement(draft, slots, line)
    else:
        turns.begin(draft, found)


def _answer_short(draft: Draft, line: Line) -> bool:
    """Take a line as the answer to his question, if it is a short one; else return False."""
    if Question.read(draft.talk.asked).section in listening.HOW_ARE_YOU:
        if listening.ANSWERS["how bad"].search(line.plain):
            return draft.say("how-bad")
        if listening.ANSWERS["how good"].search(line.plain):
            turns.ask_topic(draft, after="how-good")
            return True
    return listening.take_short_answer(draft, line)


def _answer_statement(draft: Draft, slots: Slots, line: Line) -> None:
    if is_question(line):
        listening.answer_question(draft, line)
        return
    named = topics.EXPRESSIONS["own name"].search(line.text[:MAX_LENGTH])
    others = topics.EXPRESSIONS["other name"].search(line.plain)
    if named and not others and not draft.memory.name and _may_be_name(named["name"].lower()):
        _answer_name_given(draft, {"is": named["name"]}, line)
        return
    line = resolve_pronoun(draft, line)
    light = draft.topic is None and not is_sad(line) and not turns.is_mood_grave(draft)
    nouns = (each for each in subjects.find_nouns(draft.memory, line.words) if is_topical(each))
    if light and (entry := next(nouns, None)):
        turns.take_up(draft, Subject(entry))
    remember(draft, line)
    if low := listening.is_low(line):
        draft.note(Mark.LOW)
    waits = _should_ask_permission(draft)
    listening.react(draft, line, only=waits and not low and not is_sad(line))
    if not draft.sentences:
        turns.carry_on(draft)


def _answer_sad(draft: Draft, slots: Slots, line: Line) -> None:
    remember(draft, line)
    listening.comfort(draft, line)


def _answer_unknown(draft: Draft, slots: Slots, line: Line) -> Answer:
    name = topics.find_name(line.text) if not draft.memory.name else ""
    if name.lower() in facts.NAMES:
        _answer_name_given(draft, {"is": name}, line)
        return _ask_permission(draft)
    word = slots.get("is") or slots.get("what") or topics.find_unknown(draft.session, line)
    word = word.strip().lower()
    if not word and len(line.words) == 1:
        word = line.words[0]
    if word and is_teachable(word) and find_subject(draft.memory, word) is None:
        _ask_or_guess_word(draft, word)
        return draft.finish()
    if len(line.words) > 1 and re.search(r"[a-z]", line.plain):
        _answer_statement(draft, slots, line)
        _say_something(draft)
        return _ask_permission(draft)
    return _say_lost(draft)


def _answer_unreadable(draft: Draft, line: Line) -> Answer:
    """Answer a silence, a face made of signs, or a line without words."""
    if face := MOODS["face"].fullmatch(line.text.strip()):
        draft.say("how-bad" if face["sad"] else "laugh")
        return draft.finish()
    if line.text.strip():
        return _say_lost(draft)
    draft.say("silence")
    if draft.happens(0.5):
        turns.carry_on(draft, ask=1.0)
    _say_something(draft)
    return draft.finish()


def _say_lost(draft: Draft) -> Answer:
    """Say that he does not understand, and leave his last question open."""
    draft.say("prompt")
    draft.expect(Question.read(draft.talk.asked))
    return draft.finish(fill("lost"))


# Yes, no and why


def _answer_yes_or_no(draft: Draft, slots: Slots, line: Line, yes: bool) -> None:
    if line.words[-2:] == ("why", "not") and not draft.asked_last:
        _answer_why(draft, slots, line)
        return
    if QUESTIONS["heard"].fullmatch(line.plain) and not draft.asked_last:
        turns.carry_on(
            draft, after="hushed" if turns.is_mood_grave(draft) else "heard", patient=True
        )
        return
    if _says_more(line) and memories.mirror(memories.extract_statement(line.text)):
        remember(draft, line)
    question, topic, other = _read_question(draft)
    section = question.section
    if listening.SHAPES["unsure"].match(line.plain):
        turns.carry_on(draft, after="shape-unsure", ask=1.0)
    elif section == "keep":  # an answer, but not a bare one
        draft.say("keep-unclear" if yes else "keep-not-now")
    elif section in ("mean", "shall") and yes and other:
        turns.begin(draft, other)
    elif section == "mean" and not yes:
        _ask_to_be_taught(draft, question.topic)
    elif section == "shall" and not yes:
        turns.ask_topic(draft, after="shall-no")
    elif section.startswith("game") and not yes:
        turns.carry_on(draft, after="game-no", ask=1.0)
    elif section.startswith("game") and section != "game-yes":
        draft.say("game-yes")
    else:
        _take_answer(draft, question, topic, yes, line)


def _take_answer(
    draft: Draft, question: Question, topic: Subject | None, yes: bool, line: Line
) -> None:
    """Remember what a yes or no says of the person, and answer it."""
    template = find_template(question.line)
    if question.section == "sorry-ask" and not yes:
        draft.unmark(Mark.GRAVE)
    if question.section in LIKES and topic:
        record_taste(draft, topic.word, yes)
        if _should_ask_permission(draft):
            draft.say(_name_taste_section(topic, yes))
            return
    if template and template.fact and topic and yes:
        memories.remember_statement(draft, topic.word, template.fact.format_map(topic.forms()))
    _answer_briefly(draft, "yes" if yes else "no", line)


def _says_more(line: Line) -> bool:
    """Say whether there is a statement after a yes or no."""
    text = memories.extract_statement(line.text)
    return len(text.split()) > 3 and not text.lower().endswith((" so", " do", " not"))


def _answer_briefly(draft: Draft, which: str, line: Line) -> None:
    """Answer a yes or no with a line that follows his last one, or that always fits."""
    if not _says_more(line) and listening.take_rest(draft, line):
        return
    if _says_more(line) or turns.is_mood_grave(draft):
        listening.react(draft, line)
        return
    question, topic, other = _read_question(draft)
    template = find_template(question.line)
    own = getattr(template, which) if template else ""
    text = own.rstrip("~").format_map(draft.gap_forms(other, about=topic))
    if text and text not in draft.recent:
        draft.add(text, Question("open", question.topic, question.other))
        if not draft.asks and not own.endswith("~") and draft.is_begun:
            turns.carry_on(draft)
        return
    section = f"{which}-{'open' if _is_open(question) else 'said'}"
    enough = section == "yes-open" or not draft.is_begun
    if not (enough and draft.happens(0.7) and draft.say(section)):
        turns.carry_on(draft, after=section, ask=1.0)


def _answer_why(draft: Draft, slots: Slots, line: Line) -> None:
    if len(line.words) > MAX_WHY and not QUESTIONS["why he"].search(line.plain):
        _answer_statement(draft, slots, line)  # not about what he said
        return
    question, topic, other = _read_question(draft)
    template = find_template(question.line)
    again = bool(question.whys)
    if not question.line and not draft.talk.recent:
        turns.carry_on(draft, after="why-none")
        return
    own = template.why if template and not again else ""
    reason = own.format_map(draft.gap_forms(other, about=topic))
    if reason and reason not in draft.recent:
        draft.add(reason)
    else:
        asks = _is_open(question)
        sort = "ask" if asks else "fact" if question.section in subjects.WORDS["facts"] else "said"
        sort = "self" if question.section.startswith(("their", "short-turn")) and not asks else sort
        draft.say("why-again" if again else f"why-{sort}")
    if question.section == "keep":
        _put_permission(draft)
    elif draft.sentences:
        draft.expect(replace(question, whys="i"))
    else:
        turns.carry_on(draft, ask=0.8)


def _is_open(question: Question) -> bool:
    template = find_template(question.line)
    invites = question.line == "open" or question.section.startswith(INVITING)
    return bool(template and template.asks) or invites


# Tastes and names


def _answer_taste(draft: Draft, slots: Slots, line: Line, yes: bool) -> None:
    word = slots.get("what", "")
    if not listening.SHAPES.search("taste", line.plain):
        _answer_statement(draft, slots, line)
        return
    pointing = subjects.WORDS["pointing at a topic"]
    points = word in pointing or (not word and pointing & set(line.words))
    if points and not (draft.is_begun or memories.find_referent(draft)):
        draft.say("liked-it" if yes else "shape-you")
        return
    of_others = bool({*line.words[:1]} & {*WHOSE}) and "favorite" not in line.words
    of_others = of_others or bool({"him", "her"} & set(line.words))
    if turns.is_mood_grave(draft) or of_others:
        _answer_statement(draft, slots, line)
        return
    if word in ("", *subjects.WORDS["pointing at a topic"]):
        found = draft.topic
    elif (found := find_subject(draft.memory, word)) is None:
        meant, sure = topics.guess_word(word)
        found = find_subject(draft.memory, meant) if sure else None
    clear = resolve_pronoun(draft, line)
    if clear is not line:
        other = find_subject(draft.memory, memories.find_referent(draft))
        found, line = (other, clear) if other else (found, line)
    if found is None:
        _answer_statement(draft, slots, line)
        return
    turns.take_up(draft, found)
    record_taste(draft, found.word, yes)
    draft.say(_name_taste_section(found, yes))
    if _should_ask_permission(draft):
        return
    kind = "-adjective" if found.entry.kind == "adjective" else ""
    if not draft.say("like-ask" if yes else f"dislike-ask{kind}"):
        turns.ask_question(draft)


def _name_taste_section(found: Subject, yes: bool) -> str:
    """Return the section of the lines that take note of a taste."""
    kind = "-adjective" if found.entry.kind == "adjective" else ""
    return f"{'like' if yes else 'dislike'}{kind}-said"


def _may_be_name(word: str) -> bool:
    return word not in subjects.PLAIN and (word in facts.NAMES or english.look_up(word) is None)


def _is_no_name(name: str, line: Line) -> bool:
    """Say whether a name is only a word after `it is`: it is very windy."""
    word = name.partition(" ")[0].lower()
    said = {"name", "call", "called"} & set(line.words)
    small = word in subjects.PLAIN or (word not in facts.NAMES and line.words[:2] == ("it", "is"))
    return small and not said and word.capitalize() not in line.text


def _answer_name_given(draft: Draft, slots: Slots, line: Line) -> None:
    name = " ".join(slots.get("is", "").split())[:MAX_NAME]
    proper = re.fullmatch(r"[^\W\d_][^\d_]*", name) and name.isprintable()
    if not proper or topics.EXPRESSIONS["other name"].search(line.plain) or _is_no_name(name, line):
        _answer_statement(draft, slots, line)
        return
    old = draft.memory.name
    name = name if name != name.lower() else name.title()
    draft.change_memory(name=name)
    section = "name" if not old else "name-same" if old == name else "name-new"
    if not draft.say(section, more={"old": old}):
        draft.add(fill("name-again", name=name))
    again = memories.mirror(line.text) if "name" not in memories.mirror(line.text) else ""
    told = name.lower() in again.lower().split() or len(again.split()) > listening.MAX_MIRRORED
    if again and not told and len(line.words) > MAX_NAMING:
        draft.say("reflect", more={"turned": again})
    if not _should_ask_permission(draft) and draft.is_begun and draft.session.mode == "talk":
        turns.ask_question(draft)


# Permission to remember


def answer_consent(session: Session, line: Line, *, more: bool = False) -> Answer | None:
    """Take a bare yes or no to his question whether he may remember; None for any other line.

    Only the very next line can answer it, unless a later one says itself what he may do. Whoever
    asks to be remembered is asked as well. Where more follows, he adds nothing of his own.
    """
    draft = Draft.of(session)
    asked = draft.talk.asked.startswith("keep") and draft.list_recent(Mark.ASKED_PERMISSION, 2)
    plain = "" if "?" in line.text else line.plain
    permits = draft.is_marked(Mark.ASKED_PERMISSION) and CONSENT["permits"].fullmatch(plain)
    waits = session.memory.agreed is None and permits
    agrees = bool(waits or (asked and CONSENT["yes"].fullmatch(plain)))
    if CONSENT["remember me"].fullmatch(plain) and not agrees:
        if session.memory.agreed:
            draft.say("keep-already")
        else:
            _put_permission(draft)
        return draft.finish()
    if CONSENT["never"].search(plain) and not session.memory.agreed:
        _record_permission(draft, False)
        return draft.finish()
    if not agrees and not (asked and CONSENT["no"].fullmatch(plain)):
        return None
    _record_permission(draft, agrees, more)
    return draft.finish()


def _should_ask_permission(draft: Draft) -> bool:
    """Say whether to ask now if he may remember: at the first personal thing he hears."""
    asked = draft.memory.agreed is not None or draft.is_marked(Mark.ASKED_PERMISSION)
    asked = asked or turns.is_mood_grave(draft) or bool(draft.list_recent(Mark.LOW, A_MOMENT))
    return not asked and memories.is_personal(draft.memory)


def _record_permission(draft: Draft, yes: bool, more: bool = False) -> None:
    """Record whether he may remember; a talk begun only to ask that ends."""
    keep = load_templates()["keep"][0]
    draft.change_memory(agreed=yes)
    draft.add(keep.yes if yes else keep.no)
    if more:
        return
    told = draft.memory.statements[-1:]
    line = normalise(told[0].words) if told else Line("", ())
    named = listening.SHAPES["named"].search(line.plain)
    called = {"called": named["called"].title()} if named else {}
    if draft.say("shape-named-ask", more=called) or listening.answer_theme(draft, line, lead=False):
        draft.unmark(Mark.TALK_FOR_PERMISSION)
    elif draft.is_marked(Mark.TALK_FOR_PERMISSION):
        draft.session = draft.session.replace(mode="chat")
    else:
        turns.carry_on(draft, patient=bool(told))


def _ask_permission(draft: Draft) -> Answer:
    """Finish the reply, and ask for permission at its end if this is the moment.

    It comes instead of a question that needs no answer.
    """
    if not _should_ask_permission(draft):
        return draft.finish()
    optional = not Question.read(draft.question).section.startswith(REQUIRED)
    if draft.asks and optional and len(draft.sentences) > 1:
        draft.sentences = draft.sentences[:-1]
    if draft.asks:
        return draft.finish()
    said = " ".join(draft.sentences)
    _put_permission(draft)
    session, _ = draft.finish()
    return session, tuple(filter(None, (said, draft.sentences[-1])))


def _put_permission(draft: Draft) -> None:
    """Put the question; it is answered in a talk, which ends with it if there was none."""
    line = load_templates()["keep"][0]
    draft.mark(Mark.ASKED_PERMISSION)
    draft.note(Mark.ASKED_PERMISSION)
    draft.add(line.text, Question(line.id))
    if draft.session.mode == "chat":
        draft.mark(Mark.TALK_FOR_PERMISSION)
        draft.session = draft.session.replace(mode="talk")


# Teaching


def _ask_or_guess_word(draft: Draft, word: str) -> None:
    """Ask about a word he does not know, or take up the one that was surely meant."""
    meant, sure = topics.guess_word(word)
    found = find_subject(draft.memory, meant) if meant and not english.is_rude(meant) else None
    if found and sure:
        turns.begin(draft, found)
    elif found and draft.say("mean", other=found):
        draft.expect(Question("mean.0", word, found.word))
    else:
        _ask_to_be_taught(draft, word)


def _ask_to_be_taught(draft: Draft, word: str) -> None:
    if draft.say("teach", "teach-again", more={"word": word}):
        draft.expect(Question("teach-kind.0", word))
    else:
        turns.carry_on(draft)


def _learn_answer(draft: Draft, intent: str, line: Line) -> bool:
    """Learn from an answer; return False if he had asked nothing of the kind."""
    question = Question.read(draft.talk.asked)
    if question.section not in ("teach-kind", "teach-is") or topics.find_topic(draft.session, line):
        return False  # or the person has turned to something else
    if intent == "no" or TEACHING["not known"].search(line.plain):
        _give_up(draft, question)
    elif memories.speaks_of_self(line.text) or _is_elsewhere(question, line):
        return False
    elif question.section == "teach-kind":
        _learn_kind(draft, question, line.plain)
    else:
        above = _find_known(draft, line.plain, question.other)
        _learn(draft, question.topic, question.other, above)
    return True


def _is_elsewhere(question: Question, line: Line) -> bool:
    """Say whether a longer line says nothing of the kind of a word."""
    says = any(TEACHING[name].search(line.plain) for name in ("kind said", "to do", "a thing"))
    kinds = any(word in subjects.KIND_OF for word in line.words)
    return question.section == "teach-kind" and len(line.words) > MAX_WHY and not (says or kinds)


def _learn_kind(draft: Draft, question: Question, words: str) -> None:
    kinds = [subjects.KIND_OF[word] for word in words.split() if word in subjects.KIND_OF]
    whole = TEACHING["kind said"].search(words)
    above = None
    if whole and "word" not in whole["x"].split():
        above = _find_known(draft, whole["x"], "")
    elif not kinds and TEACHING["to do"].match(words):
        above = _find_known(draft, words, "verb")
    elif not kinds and (TEACHING["a thing"].match(words) or len(words.split()) == 1):
        above = _find_known(draft, words, "noun")
    if above:
        _learn(draft, question.topic, above.entry.kind, above)
    elif kinds:
        word = subjects.guess_base(question.topic, kinds[0])
        about = Subject(subjects.to_entry(TaughtWord(word, kinds[0])))
        if not draft.say(f"teach-{kinds[0]}", about=about):
            draft.add(fill("teach-like", word=word))
        draft.expect(Question("teach-is.0", word, kinds[0]))
    elif question.line == "teach-kind.1":
        _give_up(draft, question)
    else:
        draft.say("teach-again", more={"word": question.topic})
        draft.expect(Question("teach-kind.1", question.topic))


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
            own = subjects.find_entry(draft.memory, phrase) if not only else None
            if own and own.kind == kind:
                return Subject(own)
    return None


def _learn(draft: Draft, word: str, kind: str, above: Subject | None) -> None:
    word = subjects.guess_base(word, kind)
    if not is_teachable(word):
        turns.carry_on(draft)
        return
    new = TaughtWord(word, kind, above.word if above else "")
    others = tuple(each for each in draft.memory.words if each.word != word)
    draft.change_memory(words=(*others, new)[-MAX_KEPT:])
    about = Subject(subjects.to_entry(new))
    if above and above.entry.kind == kind:
        draft.say(f"taught-{kind}", other=above, about=about)
    else:
        draft.say("taught-bare", about=about)
    draft.mark(f"{word}/taught-is:{new.is_a}")
    if draft.asks:
        turns.ask_question(draft)
    else:
        turns.begin(draft, about, led=True)


def _give_up(draft: Draft, question: Question) -> None:
    if question.section == "teach-is":
        _learn(draft, question.topic, question.other, None)
    else:
        draft.say("teach-given-up", more={"word": question.topic})
        turns.carry_on(draft)


HANDLERS: dict[str, Callable[[Draft, Slots, Line], None]] = {
    "sad": _answer_sad,
    "topic": _answer_topic,
    "yes": partial(_answer_yes_or_no, yes=True),
    "no": partial(_answer_yes_or_no, yes=False),
    "why": _answer_why,
    "like": partial(_answer_taste, yes=True),
    "dislike": partial(_answer_taste, yes=False),
    "name": _answer_name_given,
}
