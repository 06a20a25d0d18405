"""How Benedict listens: to a question, a statement of a familiar shape, a thing mentioned, a mood.

What he says of the person comes from the memory alone; of himself he says that he is a program. A
line can also be about the talk itself: a wish for more or for something else, a number, praise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from parlour.host.language import Line, english, read_expressions
from parlour.host.talk import memory as memories
from parlour.host.talk import subjects
from parlour.host.talk.arithmetic import work_out
from parlour.host.talk.draft import Draft, Mark, Template, load_templates
from parlour.host.talk.memory import (
    MIRRORED,
    MOODS,
    QUESTIONS,
    SHORTEST,
    START,
    mirror,
    speaks_of_self,
    spell_number,
)
from parlour.host.talk.subjects import WORDS, Subject, find_entry, find_nouns, find_subject
from parlour.host.talk.topics import POINTERS, find_stranger, find_topic
from parlour.host.talk.turns import (
    STILL_FRESH,
    ask_question,
    ask_topic,
    carry_on,
    is_mood_grave,
    take_up,
    tell_fact,
    wonder,
)

SHAPES = read_expressions("talk/expressions/shapes.txt")
HIMSELF = read_expressions("talk/expressions/himself.txt")
ANSWERS = read_expressions("talk/expressions/short_answers.txt")
OTHERS = read_expressions("talk/expressions/others.txt")
MOOD_SECTIONS = (("laugh", "laugh", ""), ("sorry", "sad", "not sad"), ("glad", "glad", "negated"))
ALWAYS_ASKED = ("hurt", "pet")  # shapes that are asked about each time
ENOUGH_SHAPES = ("named", "count", "because", "unsure", "you")  # to which nothing has to be added
SHORT_REFUSAL = 4  # words of `please just forget it`
COMMON = 5  # how common a thing is that becomes the topic by being mentioned
CONCRETE = {"animal", "place", "nature", "food", "drink", "music", "sport", "plant", "vehicle"}
LONG_LINE = 5  # words of a line that tells something
MAX_MIRRORED = 10  # words of a line that he repeats
MAX_ANSWER, MAX_PHRASE = 6, 100  # words and characters of a short answer
ANSWERED_ELSEWHERE = ("teach", "who", "shall", "keep", "new", "mean", "game", "asked-topic")
MENTION_INTERVAL = 3  # turns between two questions about things that were mentioned
SHAPE_INTERVAL = 12  # marks between two replies to statements of one shape


def has_rude_word(words: Iterable[str]) -> bool:
    """Say whether there is a word that he does not take up."""
    return any(
        english.is_rude(word) and f"{before} {word}" not in WORDS["not rude"]
        for before, word in pairwise(("", *words))
    )


def is_sad(line: Line) -> bool:
    """Say whether a line wants a kind word first."""
    sad = MOODS["sad"].search(line.plain) and not MOODS["not sad"].search(line.plain)
    return _is_grave(line) or bool(sad)


def _is_grave(line: Line) -> bool:
    grave = memories.is_grave(line.text) or memories.is_grave(line.plain)
    return grave and not MOODS["joking"].search(line.plain)


def needs_comfort(line: Line) -> bool:
    """Say whether a line speaks of grief, or of a bad day."""
    upset = MOODS["upset"].search(line.plain) and not MOODS["not sad"].search(line.plain)
    return bool(upset) or _is_grave(line)


def is_question(line: Line) -> bool:
    """Say whether the person asks him something."""
    asks = line.text.rstrip().endswith("?")
    return bool(line.words) and (asks or bool(QUESTIONS["asks"].match(line.plain)))


def answer_question(draft: Draft, line: Line) -> None:
    """Answer a question, as far as he knows."""
    plain, topic = line.plain, draft.topic
    if QUESTIONS["and you"].fullmatch(plain):
        draft.say("their-view" if topic and topic.entry.kind == "noun" else "their-how")
        if topic:
            ask_question(draft)
    elif QUESTIONS["do you have"].match(plain):
        ask_question(draft, after="their-own")
    elif topic and QUESTIONS["what is"].match(plain) and len(line.words) < 6:
        above = [
            fact for fact in subjects.list_facts(draft.memory, topic) if fact.section == "is_a"
        ]
        for fact in above[:1]:
            draft.say("their-what", other=fact.other)
            draft.mark(f"{topic.word}/{fact.key}")
        carry_on(draft, after="" if above else "their-what-not")
    else:
        thing = topic is not None and topic.entry.kind != "adjective"
        to_him = QUESTIONS["do you"].search(plain)
        view = "their-know"
        if to_him:
            view = "their-view" if thing and topic and speaks_of(topic, line) else "their-unsure"
        if view == "their-know" and not QUESTIONS["ever"].match(plain):
            decline_question(draft, line)
        else:
            draft.say("their-ever" if QUESTIONS["ever"].match(plain) else view)
        wondered = view == "their-view" and wonder(draft)
        if not draft.asks and not wondered and not is_mood_grave(draft):
            carry_on(draft)


# Statements


def react(draft: Draft, line: Line, only: bool = False) -> None:
    """Answer a statement and, unless only that, carry on."""
    plain = line.plain
    if needs_comfort(line):
        comfort(draft, line, only)
        return
    goes_on = MOODS["of them"].search(plain) or draft.list_recent(Mark.GRAVE, STILL_FRESH)
    if is_mood_grave(draft) and goes_on and not MOODS["better"].search(plain):
        _stay_grave(draft, line)
        return
    for section, shape in SHAPES.items():
        found = shape.search(plain) if section != "kin" or not is_sad(line) else None
        if found and _answer_shape(draft, section, found, line, only):
            return
    if only:
        again = mirror(line.text, draft.topic)
        if again and len(again.split()) <= 12:
            draft.say("reflect", more={"turned": again})
            return
        _acknowledge(draft, line, "ack")
        if not draft.sentences:
            draft.say("ack")
        return
    thing = _find_mention(draft, line.words)
    asking = thing is not None and draft.happens(0.6)
    _acknowledge(draft, line, "ack-plain" if asking else "ack")
    if thing and asking and draft.say("mention", other=thing, more=_name_thing(thing, line.words)):
        draft.note(Mark.MENTIONED)
    elif len(line.words) > LONG_LINE and draft.happens(0.7):
        draft.say("go-on-past" if ANSWERS["past"].search(plain) else "go-on")
    else:
        carry_on(draft, patient=len(line.words) > 2)


def comfort(draft: Draft, line: Line, only: bool = False) -> None:
    """Answer grief or a bad day plainly, and ask about what was told."""
    draft.unmark(Mark.GRAVE)
    draft.note(Mark.GRAVE)
    draft.say("grave")
    if only:
        return
    kin = MOODS["whose"].search(line.plain)
    if kin and (MOODS["gone"].search(line.plain) or _is_grave(line)):
        gone = MOODS["gone"].search(line.plain)
        draft.say("grave-kin" if gone else "grave-ill", "sorry-ask", more={"who": kin["who"]})
    else:
        lonely = MOODS["lonely"].search(line.plain)
        draft.say("lonely" if lonely else "sorry-ask" if _is_grave(line) else "bad-day", "hushed")


def _stay_grave(draft: Draft, line: Line) -> None:
    """Listen to somebody in grief."""
    found = MOODS["of them"].search(line.plain)
    he = found["he"] if found else ""
    him = {"he": "him", "him": "him", "his": "him", "she": "her", "her": "her"}.get(he, "")
    again = mirror(line.text, draft.topic)
    if again and len(again.split()) <= MAX_MIRRORED and draft.happens(0.5):
        draft.say("reflect", more={"turned": again})
    asked_before = draft.talk.recent[-1:] and draft.talk.recent[-1].endswith("?")
    if him and not asked_before:
        draft.say("hushed-he", more={"him": him, "he": "she" if him == "her" else "he"})
    if not draft.sentences:
        draft.say("hushed", "grave")


def take_short_answer(draft: Draft, line: Line) -> bool:
    """Take a phrase as the answer to what he has just asked; False if it is none."""
    asked = draft.talk.recent[-1].split("\n")[-1].lower() if draft.talk.recent else ""
    words = [word for word in line.words if word not in WORDS["articles"]]
    if not asked.endswith("?") or not words or len(line.words) > MAX_ANSWER:
        return False
    if draft.talk.asked.startswith(ANSWERED_ELSEWHERE) or is_question(line) or is_sad(line):
        return False
    if ANSWERS["sentence"].search(line.plain) or has_rude_word(words):
        return False
    offered = re.findall(r"[a-z]+", asked)
    kinds = [kind for kind in ("who", "where", "when") if ANSWERS[f"asks {kind}"].search(asked)]
    kind = next((kind for kind in kinds if ANSWERS[f"tells {kind}"].search(line.plain)), "")
    if ANSWERS["asks which"].search(asked) and all(word in offered for word in words):
        kind = "which"
    elif not kind and not (ANSWERS["fragment"].match(line.plain) and len(line.words) > 1):
        return False
    if not draft.say("answered", more={"given": _turn_round(line.text)}):
        return False
    return draft.say(f"answered-{kind}" if kind else "go-on", "go-on") or True


def _turn_round(text: str) -> str:
    """Return a phrase as he would say it: `with my sister` as with your sister."""
    words = re.findall(r"[\w'’-]+", text[:MAX_PHRASE])
    first = words[0].lower() if words[0].lower() in subjects.PLAIN else words[0]
    turned = (MIRRORED["turned"].get(word.lower(), word) for word in [first, *words[1:]])
    return " ".join(map(spell_number, turned))


def return_to_topic(draft: Draft, line: Line) -> None:
    """Return to an earlier topic, if the person speaks of that one and not of the present."""
    entries = (each for word in line.words for each in english.find_entries(word))
    if any(each.word == draft.talk.topic for each in entries):
        return
    for entry in find_nouns(draft.memory, line.words):
        if entry.word in draft.talk.trail[-4:]:
            take_up(draft, Subject(entry))
            return


def speaks_of(topic: Subject, line: Line) -> bool:
    """Say whether a line names a topic, or points at it."""
    forms = {topic.word.lower(), topic.phrase.lower(), english.plural(topic.word)}
    return bool((forms | POINTERS - {"you", "me", "us"}) & set(line.words))


def follow(draft: Draft, line: Line) -> None:
    """Take up, without a word, what a statement is about: its subject, or a thing in it."""
    own = draft.topic
    if own is None or is_mood_grave(draft) or len(line.words) < SHORTEST or speaks_of(own, line):
        return
    if SHAPES["you"].match(line.plain):
        return
    begins = bool(QUESTIONS["goes on"].match(" ".join(line.words[1:3])))
    first = find_entry(draft.memory, line.words[0]) if begins else None
    for entry in find_nouns(draft.memory, line.words):
        is_thing = entry.sort in CONCRETE and len(line.words) >= LONG_LINE
        if entry.common >= COMMON and not entry.name and (is_thing or entry == first):
            take_up(draft, Subject(entry))
            return


def _answer_shape(draft: Draft, section: str, found: re.Match[str], line: Line, only: bool) -> bool:
    """Answer a statement of this shape; False if there is no line left for it."""
    more = {name: value for name, value in found.groupdict().items() if value}
    if "number" in more:
        more["number"] = spell_number(more["number"])
    if section in ("am", "named") and not _fits_shape(draft, section, more, line.words):
        return False
    if section == "have":
        thing = find_subject(draft.memory, more["thing"])
        sort = thing.entry.sort if thing and thing.entry.word == more["thing"] else ""
        if sort not in subjects.TOUCHABLE | {"person"}:
            return False
        section = "pet" if sort == "animal" else section
    if section in ENOUGH_SHAPES:
        if not draft.say(f"shape-{section}", more=more):
            return False
        asks_more = section == "named" and not only and draft.say("shape-named-ask", more=more)
        if not only and not asks_more and section != "you":
            carry_on(draft, patient=True)
        return True
    key = f"#turn:{section}"
    again = key in draft.talk.used[-SHAPE_INTERVAL + 1 :] and section not in ALWAYS_ASKED
    if only or again:
        return False
    if "he" in more:
        more["him"] = "him" if more["he"] == "he" else "her"
    trial = replace(draft)
    if section != "hurt":
        _acknowledge(trial, line, "ack-plain")
    if not trial.say(_list_open(f"shape-{section}", line), more=more):
        return False
    trial.mark(key)
    draft.adopt(trial)
    return True


def _list_open(section: str, line: Line) -> list[Template]:
    """List the questions of a section that the line has not answered already."""
    told = [
        kind for kind in ("who", "where", "when") if ANSWERS[f"tells {kind}"].search(line.plain)
    ]
    return [
        each
        for each in load_templates()[section]
        if not any(ANSWERS[f"asks {kind}"].match(each.text.lower()) for kind in told)
    ]


def _fits_shape(draft: Draft, section: str, more: dict[str, str], words: Iterable[str]) -> bool:
    """Say whether what was caught is what the shape needs: an adjective, or a name."""
    if section == "am":
        entry = find_subject(draft.memory, more["adj"])
        return bool(entry and entry.entry.kind == "adjective" and entry.word == more["adj"])
    if more["called"] in WORDS["no name"]:
        return False
    more["called"] = more["called"].capitalize()
    if draft.topic and draft.topic.entry.sort in ("animal", "person"):
        he, she = {"he", "his", "him"} & set(words), {"she", "her"} & set(words)
        more["cthem"] = "him" if he else "her" if she else "them"
    return True


def _acknowledge(draft: Draft, line: Line, plainly: str) -> None:
    """Show that he listens; by the person's own words, turned round, if they are short."""
    for section, mood, denial in MOOD_SECTIONS:
        denies = denial and MOODS[denial].search(line.plain)
        if MOODS[mood].search(line.plain) and not denies and draft.say(section):
            return
    personal = speaks_of_self(line.text)
    again = mirror(line.text, draft.topic) if personal else ""
    repeats = again and len(again.split()) <= 9 and draft.happens(0.5)
    if repeats and draft.say("reflect", more={"turned": again}):
        draft.note(Mark.REPEATED, memories.extract_statement(line.text)[:START])
    elif draft.memory.name and draft.happens(0.25):
        draft.say("ack-name")
    elif draft.happens(0.75):
        draft.say("ack-plain" if personal else plainly)  # one does not judge another's life


def _name_thing(thing: Subject, line: Sequence[str]) -> dict[str, str]:
    """Name a thing as the person spoke of it: `your shoes`, `the sofa`, `goats`."""
    words = ["", *line]
    plural = english.plural(thing.word).lower()
    forms = (thing.word.lower(), thing.phrase.lower(), plural)
    place = next((i for i, word in enumerate(words) if word in forms), 0)
    word = words[place] or thing.phrase
    many = word == plural and (thing.single or word != thing.word)
    if words[max(place - 1, 0)] in ("my", "our"):
        this = f"your {word}"
    else:
        this = word if many or not thing.single else f"the {word}"
    return {"this": this, "tdoes": "do" if many else "does", "tthem": "them" if many else "it"}


def _find_mention(draft: Draft, words: tuple[str, ...]) -> Subject | None:
    """Find something that the person mentions, common enough to be asked about."""
    if draft.list_recent(Mark.MENTIONED, MENTION_INTERVAL):
        return None
    for entry in find_nouns(draft.memory, words):
        if (
            entry.common >= 4
            and not entry.name
            and entry.word not in {draft.talk.topic, *subjects.TRIVIAL, *WORDS["family"]}
            and entry.sort not in ("amount", "abstract", "time", "thing", "quality")
            and not draft.is_marked(f"{Mark.MENTION}:{entry.word}")
        ):
            return Subject(entry)
    return None


def mark_mention(draft: Draft, words: tuple[str, ...]) -> None:
    """Mark a thing that the person mentioned, so that he can come back to it."""
    if found := _find_mention(draft, words):
        draft.mark(f"{Mark.MENTION}:{found.word}")


# Himself, the talk, and words; each returns whether the line was of that kind


def answer_about_himself(draft: Draft, line: Line) -> bool:
    """Answer a question about himself; False if it is none that he knows."""
    plain = QUESTIONS["trail"].sub("", QUESTIONS["lead"].sub("", line.plain))
    for section, expression in HIMSELF.items():
        found = expression.search(plain)
        more = {name: word for name, word in found.groupdict().items() if word} if found else {}
        if found and all(_fits(name, word) for name, word in more.items()):
            more |= {"what": more["what"].replace("color", "colour")} if "what" in more else {}
            draft.say(f"their-{section}", "their-unsure", more=more)
            if draft.topic and not draft.asks and draft.happens(0.4):
                ask_question(draft)
            return True
    return False


def _fits(name: str, word: str) -> bool:
    """Say whether a word caught in a question is of the kind that it has to be there."""
    kinds = {entry.kind for entry in english.find_entries(word)}
    if name == "verb":
        return "verb" in kinds and word not in WORDS["not of him"]
    return name != "adj" or "adjective" in kinds


def answer_aside(draft: Draft, line: Line) -> bool:
    """Answer a line that is about the talk itself, or about him."""
    plain = line.plain
    further = QUESTIONS["further"].search(plain)
    if QUESTIONS["simpler"].search(plain):
        draft.say("simpler")
        if not wonder(draft):
            ask_question(draft)
    elif QUESTIONS["bored"].search(plain):
        ask_topic(draft, after="bored")
    elif QUESTIONS["dropped"].search(plain) and len(line.words) <= SHORT_REFUSAL:
        ask_topic(draft, after="dropped")
    elif QUESTIONS["else"].search(plain) and not further and not find_topic(draft.session, line):
        draft.unmark(Mark.GRAVE)
        draft.change_talk(topic="")
        ask_topic(draft, after="else")
    elif QUESTIONS["more"].search(plain):
        if not tell_fact(draft):
            ask_topic(draft, after="more-none")
    elif line.words and all(word.isdigit() for word in line.words):
        draft.say("shape-count", more={"number": spell_number(line.words[0])})
        carry_on(draft)
    elif name := find_stranger(draft.session, line):
        if not draft.say("stranger", more={"called": name}):
            carry_on(draft)
    else:
        return is_question(line) and (answer_sum(draft, line) or answer_about_himself(draft, line))
    return True


def answer_sum(draft: Draft, line: Line) -> bool:
    """Answer a sum; False if there is none in the line."""
    result = work_out(line)
    if result:
        draft.add(draft.chance.choice(load_templates()["other-sum"]).text.format(result=result))
    return bool(result)


def decline_question(draft: Draft, line: Line) -> None:
    """Say plainly that he does not know, by what was asked about."""
    section = next((name for name, each in OTHERS.items() if each.search(line.plain)), "")
    clock = "their-clock" if HIMSELF["clock"].search(line.plain) else "other"
    draft.say(f"other-{section}" if section else clock, "other")
