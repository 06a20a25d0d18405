"""Whose turn it is to lead: beginning on a topic, carrying on with it, and moving to the next.

A topic is changed for a reason, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.host.language import read_sections
from parlour.host.session import MOST_KEPT
from parlour.host.talk.draft import Draft, Question, Template, load_templates
from parlour.host.talk.memory import (
    LENT,
    compare_likes,
    owns,
    recall,
    recall_taste,
    speaks_of_self,
)
from parlour.host.talk.topics import list_related
from parlour.host.talk.words import UNIQUE, WORDS, Subject, list_facts, list_neighbours

LONG_ENOUGH = 5  # turns on a topic, after which he looks round for another
TOO_LONG = 8
PATIENCE = 6  # turns more, while the person has something to say
A_WHILE = 10  # turns in a talk, after which a game would be a change
SETTLED = 6  # turns in a talk, after which one may ask for a name
QUIET = 5  # short lines, of the last few, that make a quiet talk
HIS_OWN = read_sections("talk/words.txt")["his own topics"][0].split()
GAME_SECTIONS = [name for name in WORDS if name == "game" or name.startswith("game-")]
VERB_SORTS = ("motion", "eating", "making", "thought", "speech", "contest")
GAMES = "nim, chopsticks and othello"


def take_up(draft: Draft, topic: Subject) -> Draft:
    """Take up a topic, without saying anything of it yet."""
    same = draft.talk.topic == topic.word
    trail = draft.talk.trail if same else (*draft.talk.trail, topic.word)[-MOST_KEPT:]
    turns = draft.talk.turns if same else 0
    draft = draft.mark(f"as:{topic.word}:{topic.entry.kind}")
    if not same:
        over = ("they:", "hushed:", LENT)
        kept = tuple(key for key in draft.talk.used if not key.startswith(over))
        draft = draft.change_talk(used=kept)
    return draft.change_talk(topic=topic.word, trail=trail, turns=turns)


def begin(draft: Draft, topic: Subject, led: bool = False) -> Draft:
    """Start on a topic; if he led there himself, he has said why already."""
    before, same = draft.topic, draft.talk.topic == topic.word
    known_place = topic.word in draft.talk.trail
    draft = take_up(draft, topic)
    if not led:
        draft = _bridge(draft, before, topic, same, known_place)
    with_game = offer_game(draft)
    if with_game is not draft:
        return with_game
    if not same:
        for bring_up in (recall, lambda draft: recall_taste(draft, topic)):
            after = bring_up(draft)
            if after is not draft:
                return after if after.asks else ask_question(after)
    brief = sum(len(sentence.split()) for sentence in draft.sentences) < 5
    if brief and draft.happens(0.6):
        draft = tell_fact(draft)
    return draft if draft.asks else ask_question(draft)


def carry_on(draft: Draft, ask: float = 0.0, patient: bool = False) -> Draft:
    """One more step: a memory, a question, something to tell, or the next topic.

    He is patient with somebody who still has something to say of this one.
    """
    topic = draft.topic
    if topic is None:
        return ask_topic(draft)
    turns = draft.talk.turns - (PATIENCE if patient else 0)
    if _is_quiet(draft) and not draft.is_marked("game-quiet"):
        return draft.mark("game-quiet").say("game-quiet")
    if Question.read(draft.talk.asked).section in ("new", "asked-topic"):
        return move_on(draft, topic, insist=True)
    if turns > TOO_LONG or (turns > LONG_ENOUGH and draft.happens(0.35)):
        return move_on(draft, topic)
    strange = not draft.memory.name and not draft.is_marked("who")
    if strange and patient and len(draft.talk.recent) > SETTLED and draft.happens(0.2):
        return draft.say("who").mark("who")
    if draft.talk.turns >= 3 and draft.happens(0.4):
        after = recall(draft)
        if after is draft and draft.happens(0.3):
            after = compare_likes(draft)
        if after is not draft:
            return after
    asked_before = draft.talk.recent[-1:] and draft.talk.recent[-1].endswith("?")
    if draft.happens(ask or (0.5 if asked_before else 0.8)):
        after = ask_question(draft)
    else:
        after = tell_fact(draft)
        if (
            not after.asks
            and after is not draft
            and len(after.sentences) < 2
            and draft.happens(0.4)
        ):
            after = ask_question(after)
    return after if after is not draft else move_on(draft, topic)


def ask_question(draft: Draft) -> Draft:
    """Ask something about the topic."""
    topic = draft.topic
    if topic is None:
        return ask_topic(draft)
    tastes = {*draft.memory.likes, *draft.memory.dislikes}
    key = f"like:{topic.word}"
    known = any(
        each.topic == topic.word and speaks_of_self(each.words) for each in draft.memory.told
    )
    early = draft.talk.turns < 4 and topic.word not in tastes and not known
    if early and not draft.is_marked(key) and draft.happens(0.3):
        after = draft.say(_name_like_section(topic)) if not is_grim(topic) else draft
        if after is not draft:
            return after.mark(key)
    owned = owns(draft.memory, topic)
    lines = [
        line
        for line in _list_templates(topic)
        if line.asks and not (owned and "{one}" in line.text)
    ]
    return _say_drawn(draft, lines)


def tell_fact(draft: Draft) -> Draft:
    """Say something about the topic: a new fact, or a remark."""
    topic = draft.topic
    if topic is None:
        return draft
    waiting = [
        fact
        for fact in list_facts(draft.memory, topic)
        if not draft.is_marked(f"{topic.word}/{fact.key}")
    ]
    if waiting and draft.happens(0.65):
        first = [fact for fact in waiting if fact.section.startswith("taught")]
        fact = first[0] if first else draft.chance.choice(waiting)
        after = draft.say(fact.section, fact.other, more={"list": fact.words})
        if after is not draft:
            return after.mark(f"{topic.word}/{fact.key}")
    return _say_drawn(draft, [line for line in _list_templates(topic) if not line.asks])


def move_on(draft: Draft, topic: Subject, insist: bool = False) -> Draft:
    """Go to another topic by a relation, by what was mentioned or liked, or ask for a new one."""
    places = list(_list_places(draft, topic))
    if insist and (not places or draft.happens(0.4)):
        house = [place for word in HIS_OWN if (place := draft.find(word))]
        fresh = [place for place in house if place.word not in draft.talk.trail] or house
        place = draft.chance.choice(fresh)
        return begin(draft.say("choose", place), place, led=True)
    if places and (insist or draft.happens(0.75)):
        section, place = draft.chance.choice(places[:4])
        if section == "speaking" and not insist and draft.happens(0.4):
            return draft.say("shall", place)
        if section == "speaking" and topic.entry.kind == "adjective":
            section = "speaking-adjective"
        after = draft.say(section, place)
        if after is not draft:
            return begin(after, place, led=True)
    if topic.entry.kind == "adjective":
        return ask_topic(draft)
    after = draft.say("new")
    return after if after is not draft else ask_topic(draft)


def ask_topic(draft: Draft) -> Draft:
    """Ask what to talk about, and leave the old topic alone."""
    return draft.change_talk(turns=0).say("asked-topic")


def offer_game(draft: Draft) -> Draft:
    """Turn to games where the topic itself does."""
    topic = draft.topic
    section = _name_game_section(topic.word.lower()) if topic else ""
    key = f"game:{topic.word}" if topic else ""
    if not section or draft.is_marked(key):
        return draft
    after = draft.say(section, more={"games": GAMES})
    return after if after is draft else after.mark(key)


def _bridge(draft: Draft, before: Subject | None, topic: Subject, same: bool, known: bool) -> Draft:
    """How the new topic follows from the old one."""
    if same:
        return draft.say("still")
    if known:
        after = draft.say("back")
        if after is not draft:
            return after
    relation = _name_relation(before, topic) if before else ""
    if relation and before and "adjective" not in (before.entry.kind, topic.entry.kind):
        after = draft.say(relation, before)
        if after is not draft:
            return after
    if topic.entry.kind == "adjective":
        return draft.say("open-adjective")
    return draft.say("open-grim" if is_grim(topic) else "open")


def _name_game_section(word: str) -> str:
    """Return the section of the offer that a word leads to; nothing if it leads to no game."""
    return next((section for section in GAME_SECTIONS if word in WORDS[section]), "")


def _name_like_section(topic: Subject) -> str:
    """Return the section of the question whether the person likes such a thing."""
    if topic.entry.kind == "adjective":
        return "like-adjective"
    return (
        "like-doing"
        if topic.entry.kind == "verb" or topic.entry.sort in WORDS["doings"]
        else "like"
    )


def is_grim(topic: Subject) -> bool:
    """Say whether a topic is no subject for dry remarks."""
    return topic.entry.sort == "illness" or bool({topic.word, *topic.entry.is_a} & WORDS["grim"])


def _name_relation(before: Subject, topic: Subject) -> str:
    old, new = before.entry, topic.entry
    if new.word in old.kinds or old.word in new.is_a[:2]:
        return "narrower" if before.entry.kind == "noun" == topic.entry.kind else "near"
    if old.word in new.kinds or new.word in old.is_a[:2]:
        return "wider" if before.entry.kind == "noun" == topic.entry.kind else "near"
    if new.word in old.opposites:
        return "opposite"
    return "near" if new.word in list_related(old) or old.word in list_related(new) else ""


def _list_templates(topic: Subject) -> list[Template]:
    """List the templates that suit a topic of this kind and sort."""
    sections = load_templates()
    kind, sort = topic.entry.kind, topic.entry.sort
    if kind == "adjective":
        return list(sections["adjective"])
    if kind == "verb" and is_grim(topic):
        return list(sections["grim"])
    if kind == "verb":
        return [
            *sections["verb"],
            *(sections[sort] if sort in VERB_SORTS else ()),
            *sections["any"],
        ]
    if is_grim(topic):
        return [*sections["grim"], *(line for line in sections["any"] if line.asks)]
    above = {topic.word, *topic.entry.is_a}
    inside = topic.entry.part_of and not {"place", "room"} & above
    if sort == "place" and WORDS["wild"] & above:
        sort = "nature"  # a river is neither owned nor mended
    elif sort == "place" and inside and not topic.entry.name and topic.word not in UNIQUE:
        sort = "artifact"  # a window is a place to the dictionary only
    more = sections["price"] if sort in ("artifact", "food", "drink", "vehicle", "clothing") else ()
    if sort == "food" and not WORDS["raw"] & above:
        more = (*more, *sections["dish"])  # somebody makes it
    return [*sections.get(sort, ()), *more, *sections["any"]]


def _say_drawn(draft: Draft, lines: list[Template]) -> Draft:
    """Say a line for just this sort of thing if there is one left, else one for anything."""
    used, word = set(draft.talk.used), f" {draft.talk.topic} "
    lines = [line for line in lines if word not in line.text]  # no story with stories in it
    close = [line for line in lines if not line.id.startswith("any.") and "#" + line.id not in used]
    after = draft.say(close) if close and draft.happens(0.7) else draft
    return after if after is not draft else draft.say(lines)


def _list_places(draft: Draft, topic: Subject) -> Iterator[tuple[str, Subject]]:
    """List where the talk could go, with the reason."""
    trail = set(draft.talk.trail)
    for key in reversed(draft.talk.used):
        if key.startswith("mention:"):
            place = draft.find(key.removeprefix("mention:"))
            if place and place.word not in trail:
                yield "speaking-mentioned", place
                break
    for place in list_neighbours(topic):
        if place.word not in trail and topic.entry.kind == place.entry.kind:
            yield "speaking", place
    for word in draft.memory.likes:
        liked = draft.find(word)
        if liked and liked.word not in trail and liked.entry.kind != "adjective":
            yield "speaking-liked", liked


def _is_quiet(draft: Draft) -> bool:
    short = [key for key in draft.talk.used if key.startswith("short:")]
    lately = [key for key in short if draft.session.turn - int(key[6:]) < 2 * QUIET]
    return len(draft.talk.recent) >= A_WHILE and len(lately) >= QUIET


def read_question(draft: Draft) -> tuple[Question, Subject | None, Subject | None]:
    """Return what he said last, the topic it was about, and the second word in it."""
    question = Question.read(draft.talk.asked)
    return question, draft.find(question.topic), draft.find(question.other)
