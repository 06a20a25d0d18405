"""Whose turn it is to lead: beginning on a topic, carrying on with it, and moving to the next.

A topic is changed for a reason, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.host.language import texts
from parlour.host.session import MAX_KEPT, Session
from parlour.host.talk.draft import Draft, Mark, Question, Template, fill, load_templates
from parlour.host.talk.memory import owns, recall, recall_taste, speaks_of_self
from parlour.host.talk.subjects import UNIQUE, WORDS, Subject, list_facts, list_neighbours

LONG_ENOUGH = 5  # turns on a topic before he looks for another
TOO_LONG = 8
A_WHILE = 10  # turns in a talk, after which a game would be a change
SETTLED = 6  # turns in a talk, after which one may ask for a name
QUIET = 5  # short lines, of the last few, that make a quiet talk
STAYS_GRAVE = 12  # turns in which nothing light is said after something grave
NO_OFFERS = 12  # turns without a game being offered to somebody who does not want to play
HIS_OWN = texts.read_sections("talk/words.txt")["his own topics"][0].split()
GAME_SECTIONS = [name for name in WORDS if name == "game" or name.startswith("game-")]
VERB_SORTS = ("motion", "eating", "making", "thought", "speech", "contest")
WITH_A_PRICE = ("artifact", "food", "drink", "vehicle", "clothing")


def is_mood_grave(draft: Draft) -> bool:
    """Say whether something grave was said a moment ago, so that jokes are out of place."""
    return bool(draft.list_recent(Mark.GRAVE, STAYS_GRAVE))


def may_offer_game(draft: Draft) -> bool:
    """Say whether the person may be offered a game: not in grief, nor after refusing one."""
    plays = draft.session.mode in ("setup", "game")  # and so wants to after all
    refused = not plays and draft.list_recent(Mark.NO_GAME, NO_OFFERS)
    low = draft.list_recent(Mark.LOW, STAYS_GRAVE)
    return not is_mood_grave(draft) and not refused and not low


def turn_away(session: Session) -> Session:
    """Return the session after somebody in grief has turned to a game; none is offered yet."""
    draft = Draft.of(session)
    if is_mood_grave(draft):
        draft.unmark(Mark.GRAVE)
        draft.note(Mark.LOW)
    return draft.session


def take_up(draft: Draft, topic: Subject) -> None:
    """Take up a topic, without saying anything of it yet."""
    draft.mark(f"{Mark.KIND_OF_WORD}:{topic.word}:{topic.entry.kind}")
    if draft.talk.topic != topic.word:
        draft.unmark(Mark.REFERENT, Mark.TALK_FOR_PERMISSION)
        trail = (*draft.talk.trail, topic.word)[-MAX_KEPT:]
        draft.change_talk(topic=topic.word, trail=trail, turns=0)


def begin(draft: Draft, topic: Subject, led: bool = False) -> None:
    """Start on a topic; if he led there himself, he has said why already."""
    before, trail = draft.topic, draft.talk.trail
    same = draft.talk.topic == topic.word
    draft.unmark(Mark.GRAVE)
    take_up(draft, topic)
    draft.mark(f"{Mark.BEGUN}:{topic.word}")
    if not led:
        _lead_in(draft, before, topic, same, topic.word in trail)
    if _offer_game(draft):
        return
    if not same and (recall(draft) or recall_taste(draft, topic)):
        if not draft.asks:
            ask_question(draft)
        return
    brief = sum(len(sentence.split()) for sentence in draft.sentences) < 5
    if brief and draft.happens(0.6):
        tell_fact(draft)
    if not draft.asks:
        ask_question(draft)


def carry_on(draft: Draft, after: str = "", ask: float = 0.0, patient: bool = False) -> None:
    """Take one more step, after a line of a section: a memory, a question, a fact, a new topic.

    He does not leave the topic of somebody who still has something to say of it.
    """
    draft.say(after)
    topic = draft.topic
    turns = draft.talk.turns
    begun = topic is not None and draft.is_begun
    strange = not (draft.memory.name or draft.is_marked(Mark.NAME) or is_mood_grave(draft))
    long = len(draft.talk.recent) >= A_WHILE and not draft.is_marked(Mark.QUIET)
    quiet = long and len(draft.list_recent(Mark.SHORT, 2 * QUIET)) >= QUIET
    if is_mood_grave(draft):
        draft.say("hushed", "grave")
    elif strange and not patient and len(draft.talk.recent) > SETTLED and draft.happens(0.2):
        draft.say("who")
        draft.mark(Mark.NAME)
    elif topic is None or not begun:
        _pick_up(draft, patient)
    elif quiet and may_offer_game(draft):
        draft.mark(Mark.QUIET)
        draft.say("game-quiet")
    elif not patient and Question.read(draft.talk.asked).section in ("new", "asked-topic"):
        move_on(draft, topic, insist=True)
    elif not patient and (turns > TOO_LONG or (turns > LONG_ENOUGH and draft.happens(0.35))):
        move_on(draft, topic)
    elif _remember_or_ask(draft, ask, patient) or (patient and draft.say("go-on")):
        pass
    else:
        move_on(draft, topic)


def _pick_up(draft: Draft, patient: bool) -> None:
    """Return to something that the person said, where they have not asked for a topic."""
    said = patient and draft.happens(0.5) and draft.say("go-on")
    if not (said or _ask_after(draft) or recall(draft) or (patient and draft.say("go-on"))):
        ask_topic(draft)


def _ask_after(draft: Draft) -> bool:
    """Go back to somebody the person has mentioned; False if there is nobody new."""
    paths = [each.whose for each in draft.memory.facts if each.whose.startswith("you.")]
    for path in dict.fromkeys(paths):
        whose = "your " + "'s ".join(path.split(".")[1:])
        key = f"{Mark.ASKED_ABOUT}:{whose}"
        if not draft.is_marked(key) and draft.say("back-to", more={"whose": whose}):
            draft.mark(key)
            return True
    return False


def _remember_or_ask(draft: Draft, ask: float, patient: bool) -> bool:
    """Bring up a memory, ask a question or tell something; False if there is nothing new."""
    remembers = draft.talk.turns >= 3 and draft.happens(0.15 if patient else 0.4)
    if remembers and recall(draft):
        return True
    if draft.happens(ask or (0.5 if draft.asked_last else 0.8)):
        return ask_question(draft)
    said = tell_fact(draft)
    if said and not draft.asks and len(draft.sentences) < 2 and draft.happens(0.4):
        ask_question(draft)
    return said


def ask_question(draft: Draft, after: str = "") -> bool:
    """Ask something about the topic, after a line of a section; False if nothing is new."""
    draft.say(after)
    topic = draft.topic
    if topic is None:
        ask_topic(draft)
        return True
    said = [each.words for each in draft.memory.statements if each.topic == topic.word]
    early = draft.talk.turns < 4 and not any(map(speaks_of_self, said))
    if early and draft.happens(0.3) and wonder(draft):
        return True
    owned = owns(draft.memory, topic)
    lines = [line for line in _list_templates(topic) if line.asks]
    return _say_one_of(draft, [line for line in lines if not (owned and "{one}" in line.text)])


def wonder(draft: Draft) -> bool:
    """Ask whether the person likes the topic; False if he knows, or has asked before."""
    topic = draft.topic
    if topic is None or topic.word in {*draft.memory.likes, *draft.memory.dislikes}:
        return False
    key = f"{Mark.LIKE}:{topic.word}"
    if is_grim(topic) or draft.is_marked(key) or not draft.say(_name_like_section(topic)):
        return False
    draft.mark(key)
    return True


def tell_fact(draft: Draft) -> bool:
    """Say something about the topic, a new fact or a remark; False if there is nothing new."""
    topic = draft.topic
    if topic is None:
        return False
    facts = [(f"{topic.word}/{fact.key}", fact) for fact in list_facts(draft.memory, topic)]
    waiting = [(key, fact) for key, fact in facts if not draft.is_marked(key)]
    if waiting and draft.happens(0.65):
        taught = [each for each in waiting if each[1].section.startswith("taught")]
        key, fact = taught[0] if taught else draft.chance.choice(waiting)
        if draft.say(fact.section, other=fact.other, more={"list": fact.words}):
            draft.mark(key)
            return True
    return _say_one_of(draft, [line for line in _list_templates(topic) if not line.asks])


def move_on(draft: Draft, topic: Subject, insist: bool = False) -> None:
    """Go to another topic by a relation, by what was mentioned or liked, or ask for a new one."""
    places = list(_list_places(draft, topic))
    is_quality = topic.entry.kind == "adjective"
    if insist and (not places or draft.happens(0.4)):
        house = [place for word in HIS_OWN if (place := draft.find(word))]
        fresh = [place for place in house if place.word not in draft.talk.trail] or house
        place = draft.chance.choice(fresh)
        draft.say("choose", other=place)
        begin(draft, place, led=True)
        return
    if places and (insist or draft.happens(0.75)):
        section, place = draft.chance.choice(places[:4])
        if section == "speaking" and not insist and draft.happens(0.4):
            draft.say("shall", other=place)
            return
        if section == "speaking" and is_quality:
            section = "speaking-adjective"
        if draft.say(section, other=place):
            begin(draft, place, led=True)
            return
    if is_quality or not draft.say("new"):
        ask_topic(draft)


def ask_topic(draft: Draft, after: str = "") -> None:
    """Ask what to talk about, after a line of a section, and leave the old topic alone."""
    draft.say(after)
    draft.change_talk(turns=0)
    draft.say("asked-topic")


def _offer_game(draft: Draft) -> bool:
    """Turn to games where the topic itself does; False if it does not."""
    word = draft.talk.topic
    section = next((name for name in GAME_SECTIONS if word.lower() in WORDS[name]), "")
    key = f"{Mark.GAME}:{word}"
    more = {"games": fill("games")}
    wanted = bool(section) and not draft.is_marked(key) and may_offer_game(draft)
    said = wanted and draft.say(section, more=more)
    if said:
        draft.mark(key)
    return said


def _lead_in(draft: Draft, before: Subject | None, topic: Subject, same: bool, known: bool) -> None:
    if same:
        draft.say("still")
        return
    if known and draft.say("back"):
        return
    relation = _name_relation(before, topic) if before else ""
    if relation and draft.say(relation, other=before):
        return
    if topic.entry.kind == "adjective":
        draft.say("open-adjective")
    else:
        draft.say("open-grim" if is_grim(topic) else "open")


def _name_like_section(topic: Subject) -> str:
    if topic.entry.kind == "adjective":
        return "like-adjective"
    does = topic.entry.kind == "verb" or topic.entry.sort in WORDS["doings"]
    return "like-doing" if does else "like"


def is_grim(topic: Subject) -> bool:
    """Say whether dry remarks about a topic would be out of place."""
    return topic.entry.sort == "illness" or bool({topic.word, *topic.entry.is_a} & WORDS["grim"])


def _name_relation(before: Subject, topic: Subject) -> str:
    """Return the section that says how two topics are related; nothing for adjectives."""
    old, new = before.entry, topic.entry
    if "adjective" in (old.kind, new.kind):
        return ""
    nouns = old.kind == "noun" == new.kind
    if new.word in old.kinds or old.word in new.is_a[:2]:
        return "narrower" if nouns else "near"
    if old.word in new.kinds or new.word in old.is_a[:2]:
        return "wider" if nouns else "near"
    if new.word in old.opposites:
        return "opposite"
    return "near" if new.word in old.related or old.word in new.related else ""


def _list_templates(topic: Subject) -> list[Template]:
    sections = load_templates()
    kind, sort, grim = topic.entry.kind, topic.entry.sort, is_grim(topic)
    if kind == "adjective":
        return list(sections["adjective"])
    if kind == "verb":
        own = sections[sort] if sort in VERB_SORTS else ()
        return list(sections["grim"] if grim else (*sections["verb"], *own, *sections["any"]))
    if grim:
        return [*sections["grim"], *(line for line in sections["any"] if line.asks)]
    above = {topic.word, *topic.entry.is_a}
    inside = topic.entry.part_of and not {"place", "room"} & above
    if sort == "place" and WORDS["wild"] & above:
        sort = "nature"  # a river is neither owned nor mended
    elif sort == "place" and inside and not topic.entry.name and topic.word not in UNIQUE:
        sort = "artifact"  # a window is a place to the dictionary only
    more = sections["price"] if sort in WITH_A_PRICE else ()
    if sort == "food" and not WORDS["raw"] & above:
        more = (*more, *sections["dish"])  # somebody makes it
    return [*sections.get(sort, ()), *more, *sections["any"]]


def _say_one_of(draft: Draft, lines: list[Template]) -> bool:
    """Say a line for just this sort of thing if there is one left, else one for anything."""
    used, word = set(draft.talk.used), f" {draft.talk.topic} "
    lines = [line for line in lines if word not in line.text]  # no story with stories in it
    close = [line for line in lines if not line.id.startswith("any.") and "#" + line.id not in used]
    if close and draft.happens(0.7):
        return draft.say(close, lines)
    return draft.say(lines)


def _list_places(draft: Draft, topic: Subject) -> Iterator[tuple[str, Subject]]:
    """List where the talk could go, with the reason."""
    trail = set(draft.talk.trail)
    for place in list_neighbours(topic):
        if place.word not in trail and topic.entry.kind == place.entry.kind:
            yield "speaking", place
    for word in draft.memory.likes:
        liked = draft.find(word)
        if liked and liked.word not in trail and liked.entry.kind != "adjective":
            yield "speaking-liked", liked
