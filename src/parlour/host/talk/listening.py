"""How Benedict listens: to a question, a statement of a familiar shape, a thing mentioned.

What he says of the person comes from the memory alone; of himself he says that he is a program. A
line can also be about the talk itself: a wish for more or for something else, a number, praise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from parlour.core import all_of, one_of
from parlour.host.language import SMALL, TENS, Line, english, read_expressions
from parlour.host.session import Memory, Session, Statement
from parlour.host.talk.draft import Draft
from parlour.host.talk.memory import (
    MOODS,
    extract_statement,
    find_statements,
    find_words,
    hush,
    is_grave,
    is_hushed,
    lift_mood,
    mirror,
    owns,
    quote_whole,
    remember,
    speaks_of_self,
)
from parlour.host.talk.topics import POINTERS, find_stranger, find_topic
from parlour.host.talk.turns import ask_question, ask_topic, carry_on, take_up, tell_fact
from parlour.host.talk.words import (
    PLAIN,
    TRIVIAL,
    WORDS,
    Subject,
    find_entry,
    find_nouns,
    find_subject,
    find_taught,
    list_facts,
)

QUESTIONS = read_expressions("talk/expressions/questions.txt")
SHAPES = read_expressions("talk/expressions/shapes.txt")
HIMSELF = read_expressions("talk/expressions/himself.txt")
MOOD_SECTIONS = (("laugh", "laugh", ""), ("sorry", "sad", "not sad"), ("glad", "glad", "negated"))
SHORT_REFUSAL = 4  # words of `please just forget it`
NOBODY = "I know nothing about you yet."
LATEST = 2  # statements that he repeats at once
A_FEW = 3  # and when asked for all that he knows of the person


def needs_care(line: Line) -> bool:
    """Say whether somebody speaks of harming themselves, which is no matter for wit."""
    return bool(MOODS["care"].search(line.plain))


def has_rude_word(words: Iterable[str]) -> bool:
    """Say whether there is a word that he does not take up."""
    return any(english.is_rude(word) for word in words)


def is_sad(line: Line) -> bool:
    """Say whether a line wants a kind word first."""
    sad = MOODS["sad"].search(line.plain) and not MOODS["not sad"].search(line.plain)
    return _is_grave(line) or bool(sad)


def _is_grave(line: Line) -> bool:
    return is_grave(line.text) or is_grave(line.plain)


def spell_number(digits: str) -> str:
    """Write a number as one says it: in words as far as there is one word for it."""
    words = {str(number): word for word, number in (SMALL | TENS).items()}
    return words.get(digits, digits)


def is_question(line: Line) -> bool:
    """Say whether the person asks him something."""
    asks = line.text.rstrip()[-400:].endswith("?")
    return bool(line.words) and (asks or bool(QUESTIONS["asks"].match(line.plain)))


def answer_question(draft: Draft, line: Line) -> Draft:
    """Answer a question, as far as he knows."""
    plain, topic = line.plain, draft.topic
    if re.fullmatch(r"(?:and |so )?(?:what about |how about )?you(?:rself)?", plain):
        return draft.say("their-view" if topic and topic.entry.kind == "noun" else "their-how")
    if re.match(r"^(?:and |but |so )?do you (?:have|own|keep)\b", plain):
        return ask_question(draft.say("their-own"))
    if QUESTIONS["self"].search(plain):
        return carry_on(draft.say("their-self"))
    if topic and re.match(r"^(?:and |so )?what (?:is|are|does)\b", plain) and len(line.words) < 6:
        above = [fact for fact in list_facts(draft.memory, topic) if fact.section == "is_a"]
        after = draft.say("their-what", above[0].other) if above else draft.say("their-what-not")
        return carry_on(after.mark(f"{topic.word}/{above[0].key}") if above else after)
    if re.match(r"^(?:and |but |so )?(?:have you|did you|were you|ever)\b", plain):
        after = draft.say("their-ever")
    elif re.search(r"^(?:and |but |so )?(?:do|are|would|can|could|will) you\b", plain) or (
        re.search(r"\bdo you (?:think|feel|like|make)\b", plain)
    ):
        adjective = topic is None or topic.entry.kind == "adjective"
        after = draft.say("their-know" if adjective else "their-view")
    else:
        after = draft.say("their-know")
    if after.asks:
        return after
    more = tell_fact(after) if draft.happens(0.5) else after
    return more if more is not after else carry_on(after)


def react(draft: Draft, line: Line, only: bool = False) -> Draft:
    """Answer a statement and, unless only that, carry on."""
    plain = line.plain
    draft = remember(draft, line)
    upset = MOODS["upset"].search(plain) and not MOODS["not sad"].search(plain)
    if upset or _is_grave(line):
        after = hush(draft).say("grave")
        return after if only else after.say("sorry-ask")
    if is_hushed(draft) and not MOODS["glad"].search(plain):
        after = draft.say("hushed")
        return after if after is not draft else draft.say("grave")
    if draft.chance.random() < 0.9 or only:
        for section, shape in SHAPES.items():
            found = shape.search(plain) if section != "kin" or not is_sad(line) else None
            reply = _answer_shape(draft, section, found, line, only) if found else None
            if reply is not None:
                return reply
    thing = None if only else _find_mention(draft, line.words)
    asking = thing is not None and draft.happens(0.6)
    if only and (again := mirror(line.text, draft.topic)) and len(again.split()) <= 12:
        return draft.say("reflect", more={"turned": again})
    draft = _acknowledge(draft, line, "ack-plain" if asking else "ack")
    if only:
        return draft if draft.sentences else draft.say("ack")
    if thing and asking:
        after = draft.say("mention", thing, more=_name_thing(thing, line.words))
        if after is not draft:
            return after.mark(f"mentioned:{draft.session.turn}")
    return carry_on(draft, patient=len(line.words) > 2)


def return_to_topic(draft: Draft, line: Line) -> Draft:
    """Return to an earlier topic, if the person speaks of that one and not of the present."""
    words = line.words
    mentions = {entry.word: entry for entry in find_nouns(draft.memory, words)}
    if any(each.word == draft.talk.topic for word in words for each in english.find_entries(word)):
        return draft
    for word, entry in mentions.items():
        if word in draft.talk.trail[-4:]:
            return take_up(draft, Subject(entry))
    return draft


def follow(draft: Draft, line: Line) -> Draft | None:
    """Follow a statement to what it is about, if that is another topic."""
    words, before = line.words, draft.topic
    if (
        before is None
        or len(words) < 3
        or POINTERS & set(words)
        or before.entry.kind == "adjective"
    ):
        return None
    entry = find_entry(draft.memory, words[0]) if words[0] not in PLAIN else None
    own = {before.word.lower(), before.phrase.lower(), english.plural(before.word)}
    if entry is None or entry.kind != "noun" or entry.name or entry.common < 4:
        return None
    if (
        entry.word == before.word
        or own & set(words)
        or not QUESTIONS["goes on"].match(" ".join(words[1:3]))
    ):
        return None
    after = take_up(draft, Subject(entry))
    return ask_question(remember(after, line).say("follow", before))


def _answer_shape(
    draft: Draft, section: str, found: re.Match[str], line: Line, only: bool
) -> Draft | None:
    """Answer a statement of this shape, if there is a line left for it."""
    more = {name: value for name, value in found.groupdict().items() if value}
    if "number" in more:
        more["number"] = spell_number(more["number"])
    if section in ("am", "named") and not _fits_shape(draft, section, more, line.words):
        return None
    if section in ("named", "count", "because", "unsure"):
        after = draft.say(f"shape-{section}", more=more)
        if after is draft:
            return None
        if only:
            return after
        if section == "named" and draft.happens(0.7):
            return after.say("shape-named-ask", more=more)
        return carry_on(after, patient=True)
    if only:
        return None
    if draft.is_marked(f"#turn:{section}") and draft.talk.used.index(f"#turn:{section}") > (
        len(draft.talk.used) - 12
    ):
        return None
    lead = _acknowledge(draft, line, "ack-plain")
    if section == "kin" and draft.topic and draft.topic.entry.kind == "adjective":
        return None
    after = lead.say(f"shape-{section}", more=more)
    return None if after is lead else after.mark(f"#turn:{section}")


def _fits_shape(draft: Draft, section: str, more: dict[str, str], words: Iterable[str]) -> bool:
    """Say whether what was caught is what the shape needs: an adjective, or a name."""
    if section == "am":
        entry = find_subject(draft.memory, more["adj"])
        return bool(entry and entry.entry.kind == "adjective" and entry.word == more["adj"])
    if more["called"] in ("after", "the", "him", "her", "it", "them", "me", "for", "off", "on"):
        return False
    more["called"] = more["called"].capitalize()
    if draft.topic and draft.topic.entry.sort in ("animal", "person"):
        he, she = {"he", "his", "him"} & set(words), {"she", "her"} & set(words)
        more["cthem"] = "him" if he else "her" if she else "them"
    return True


def _acknowledge(draft: Draft, line: Line, plainly: str) -> Draft:
    """Show that he listens; by the person's own words, turned round, if they are short."""
    for section, mood, denial in MOOD_SECTIONS:
        denies = denial and MOODS[denial].search(line.plain)
        if MOODS[mood].search(line.plain) and not denies:
            after = draft.say(section)
            if after is not draft:
                return after
    topic = draft.topic
    again = mirror(line.text, topic) if speaks_of_self(line.text) else ""
    if again and len(again.split()) <= 9 and draft.happens(0.5):
        after = draft.say("reflect", more={"turned": again})
        if after is not draft:
            return after.mark(f"said:{draft.session.turn}:{extract_statement(line.text)[:40]}")
    if draft.memory.name and draft.happens(0.25):
        return draft.say("ack-name")
    plainly = (
        "ack-plain" if speaks_of_self(line.text) else plainly
    )  # one does not judge another's life
    return draft.say(plainly) if draft.happens(0.75) else draft


def _name_thing(thing: Subject, line: Sequence[str]) -> dict[str, str]:
    """Name a thing as the person spoke of it: `your shoes`, `the sofa`, `goats`."""
    words = ["", *line]
    forms = (thing.word.lower(), thing.phrase.lower(), english.plural(thing.word).lower())
    place = next((i for i, word in enumerate(words) if word in forms), 0)
    word = words[place] or thing.phrase
    many = word == english.plural(thing.word).lower() and (thing.single or word != thing.word)
    before = words[max(place - 1, 0)]
    if before in ("my", "our"):
        this = f"your {word}"
    elif many or not thing.single:
        this = word
    else:
        this = f"the {word}"
    return {"this": this, "tdoes": "do" if many else "does", "tthem": "them" if many else "it"}


def _find_mention(draft: Draft, words: tuple[str, ...]) -> Subject | None:
    """Find something that the person mentions, common enough to be asked about."""
    lately = [key for key in draft.talk.used if key.startswith("mentioned:")]
    if any(draft.session.turn - int(key[10:]) < 3 for key in lately):
        return None
    for entry in find_nouns(draft.memory, words):
        if (
            entry.word != draft.talk.topic
            and entry.common >= 4
            and entry.word not in TRIVIAL
            and entry.sort not in ("amount", "abstract", "time", "thing", "quality")
            and not entry.name
            and not draft.is_marked(f"mention:{entry.word}")
            and entry.word not in WORDS["family"]
        ):
            return Subject(entry)
    return None


def mark_mention(draft: Draft, words: tuple[str, ...]) -> Draft:
    """Mark a thing that the person mentioned, so that he can come back to it."""
    found = _find_mention(draft, words)
    return draft.mark(f"mention:{found.word}") if found else draft


# The two at the table


def answer_about_person(session: Session, line: Line) -> tuple[str, ...] | None:
    """Say what he knows of the person, if that is the question; else return None."""
    plain = QUESTIONS["trail"].sub("", QUESTIONS["lead"].sub("", line.plain))
    memory = session.memory
    if QUESTIONS["name"].search(plain):
        return (f"You are {memory.name}.",) if memory.name else ("You have not told me yet.",)
    if QUESTIONS["all"].search(plain):
        return (" ".join(_list_all(memory)) or f"{NOBODY} A name would be a beginning.",)
    if QUESTIONS["tastes"].search(plain):
        return (
            _describe_tastes(memory)
            or "You have not told me yet what you like, or what you do not.",
        )
    if found := QUESTIONS["liked"].search(plain):
        return _answer_taste(memory, found["x"])
    if found := QUESTIONS["called"].search(plain):
        return _answer_name(memory, found["x"])
    if (found := QUESTIONS["said"].search(plain)) and (thing := find_subject(memory, found["x"])):
        statements = find_statements(memory, thing.word)
        of_it = [each for each in statements if each.topic == thing.word]
        lines = list(_repeat(memory, of_it)) or list(_repeat(memory, statements))
        if not lines and QUESTIONS["asks what was said"].match(plain):
            return (f"You have told me nothing about {thing.phrase} yet.",)
        return (" ".join(lines[-LATEST:]),) if lines else None
    return None


def _list_all(memory: Memory) -> list[str]:
    own = [each for each in memory.told if speaks_of_self(each.words)]
    others = [each for each in memory.told if not speaks_of_self(each.words)]
    lines = [*_repeat(memory, others), *_repeat(memory, own)]
    taught = all_of(word.word for word in memory.words[-3:])
    return [
        *([f"You are {memory.name}."] if memory.name else []),
        *filter(None, [_describe_tastes(memory)]),
        *lines[-A_FEW:],
        *([f"You taught me {taught}."] if taught else []),
    ]


def _describe_tastes(memory: Memory) -> str:
    """Describe likes and dislikes: `You like cheese, and not rain.`"""
    likes, dislikes = _join(memory, memory.likes, all_of), _join(memory, memory.dislikes, one_of)
    if likes and dislikes:
        return f"You like {likes}, and not {dislikes}."
    return f"You like {likes}." if likes else f"You do not like {dislikes}." if dislikes else ""


def _join(memory: Memory, words: Iterable[str], join: Callable[[Iterable[object]], str]) -> str:
    found = [thing for word in words if (thing := find_subject(memory, word))]
    return join(f"what is {t.word}" if t.entry.kind == "adjective" else t.phrase for t in found)


def _repeat(memory: Memory, statements: Iterable[Statement]) -> Iterable[str]:
    """Repeat what the person said, turned round where that is possible."""
    for each in statements:
        about = find_subject(memory, each.topic)
        if line := mirror(each.words, about, owns(memory, about)):
            yield f"You told me {line}."
        elif line := quote_whole(each.words):
            yield f"You said: '{line}'"


def _answer_taste(memory: Memory, phrase: str) -> tuple[str, ...] | None:
    thing = find_subject(memory, phrase)
    if thing is None:
        return None
    if thing.word in memory.likes:
        return (f"You told me that you like {thing.phrase}.",)
    if thing.word in memory.dislikes:
        return (f"You told me that you do not like {thing.phrase}.",)
    return (f"You have not told me yet what you think of {thing.phrase}.",)


def _answer_name(memory: Memory, thing: str) -> tuple[str, ...]:
    """Say what somebody or something of the person's is called, if he knows."""
    for each in reversed(memory.told):
        found = re.search(r"\b(?:called|named|name is) ([A-Za-z]{2,16})\b", each.words)
        if found and (each.topic == thing or thing in find_words(each.words)):
            return (f"{found[1].capitalize()}, as you told me.",)
    return ("You have not told me yet.",)


def answer_about_himself(draft: Draft, line: Line) -> Draft | None:
    """Answer a question about himself; return None for any other line."""
    plain = QUESTIONS["lead"].sub("", line.plain)
    for section, expression in HIMSELF.items():
        found = expression.search(plain)
        if not found:
            continue
        more = {name: word for name, word in found.groupdict().items() if word}
        if not all(_fits(name, word) for name, word in more.items()):
            continue
        more |= {"what": more["what"].replace("color", "colour")} if "what" in more else {}
        after = draft.say(f"their-{section}", more=more)
        after = after if after is not draft else draft.say("their-self")
        return (
            ask_question(after) if draft.topic and not after.asks and draft.happens(0.4) else after
        )
    return None


def _fits(name: str, word: str) -> bool:
    """Say whether a word caught in a question is of the kind that it has to be there."""
    kinds = {entry.kind for entry in english.find_entries(word)}
    if name == "verb":
        return "verb" in kinds and word not in WORDS["not of him"]
    return name != "adj" or "adjective" in kinds


# The talk itself


def answer_aside(draft: Draft, line: Line) -> Draft | None:
    """Answer a line that is about the talk itself, or about him; else return None."""
    plain = line.plain
    if QUESTIONS["praise"].search(plain):
        return carry_on(draft.say("praise"), ask=1.0)
    if QUESTIONS["dropped"].search(plain) and len(line.words) <= SHORT_REFUSAL:
        return ask_topic(draft.say("dropped"))
    further = QUESTIONS["further"].search(plain)
    if QUESTIONS["else"].search(plain) and not further and not find_topic(draft.session, line):
        return ask_topic(lift_mood(draft).change_talk(topic="").say("else"))
    if QUESTIONS["more"].search(plain):
        after = tell_fact(draft)
        return after if after is not draft else ask_topic(draft.say("more-none"))
    if line.words and all(word.isdigit() for word in line.words):
        return carry_on(draft.say("shape-count", more={"number": spell_number(line.words[0])}))
    if name := find_stranger(draft.session, line):
        after = draft.say("stranger", more={"called": name})
        return after if after is not draft else carry_on(draft)
    return answer_about_himself(draft, line) if is_question(line) else None


def explain_word(draft: Draft, line: Line) -> Draft | None:
    """Say what a word means, if that is the question: as he was taught, or by his dictionary."""
    found = QUESTIONS["means"].match(line.plain)
    word = next(filter(None, found.groups()), "") if found else ""
    about = find_subject(draft.memory, word) if word else None
    if found is None or about is None:
        return None
    taught = next((each for each in draft.memory.words if each.word == about.word), None)
    if find_taught(draft.memory, word) is None or taught is None:
        if found["e"]:
            return None
        simple = Line(f"what is {word}?", ("what", "is", word))
        return answer_question(take_up(draft, about), simple)
    draft = take_up(draft, about)
    above = find_subject(draft.memory, taught.is_a, taught.kind) if taught.is_a else None
    fits = above is not None and above.entry.kind == taught.kind
    after = draft.say(f"means-{taught.kind if fits else 'bare'}", above)
    return after if after is not draft else answer_question(draft, line)
