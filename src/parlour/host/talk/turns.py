"""Whose turn it is to lead: beginning on a topic, carrying on with it, and moving to the next.

A topic is changed for a reason, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.host.session import MOST_KEPT
from parlour.host.talk.draft import PAGES, Asked, Draft
from parlour.host.talk.facts import facts, neighbours
from parlour.host.talk.lines import Line
from parlour.host.talk.memory import LENT, compared_likes, owns, recalled, recalled_taste
from parlour.host.talk.mirror import is_own
from parlour.host.talk.topics import related
from parlour.host.talk.words import UNIQUE, Subject

LONG_ENOUGH = 5  # turns on a topic, after which he looks round for another
TOO_LONG = 8
PATIENCE = 6  # turns more, while the person has something to say
A_WHILE = 10  # turns in a talk, after which a game would be a change
SETTLED = 6  # turns in a talk, after which one may ask for a name
QUIET = 5  # short lines, of the last few, that make a quiet talk
DOINGS = frozenset("activity sport game music food drink".split())
GRIM = frozenset(
    """
death war murder kill die crime grief funeral cancer violence abuse terrorism torture slavery
poverty hunger famine disease massacre genocide bomb victim suffering suffer depression misery
accident disaster earthquake plague killing dying weapon gun assault attack hate hatred cruelty
bully corpse grave prison drown starve poison wound injury divorce
""".split()
)
HOUSE = "winter bread rain clock letter bridge silence garden window journey patience apple".split()
WILD = frozenset(
    "water stream river lake sea ocean mountain hill valley desert glacier "
    "cave cliff volcano".split()
) | {"body of water", "natural elevation", "geological formation"}
RAW = frozenset(
    "fruit vegetable nut meat herb spice grain berry citrus edible fish seafood egg seed bean "
    "poultry mushroom produce salt sugar honey".split()
) | {"edible fruit", "citrus fruit", "root vegetable"}
VERB_SORTS = ("motion", "eating", "making", "thought", "speech", "contest")
GAMES = "nim, chopsticks and othello"
GAME_WORDS = {
    "stick": "game-stick", "match": "game-stick", "matchstick": "game-stick",
    "hand": "game-hand", "finger": "game-hand", "chopsticks": "game-hand",
    "chopstick": "game-hand", "fist": "game-hand", "thumb": "game-hand",
    "coin": "game-coin", "pile": "game-coin", "heap": "game-coin", "penny": "game-coin",
    "counter": "game-coin", "pebble": "game-coin", "nim": "game-coin",
    "disc": "game-disc", "disk": "game-disc", "othello": "game-disc",
    "nought": "game-cross", "tic-tac-toe": "game-cross",
    "chess": "game-chess", "checkers": "game-chess", "draughts": "game-chess",
} | dict.fromkeys(
    "play game player win lose beat winner loser strategy contest opponent champion puzzle board "
    "tournament checkerboard competition compete board_game bored boredom boring playing".split(),
    "game",
)  # fmt: skip


def taken_up(draft: Draft, topic: Subject) -> Draft:
    """The draft with this as its topic, and nothing said of it yet."""
    same = draft.talk.topic == topic.word
    trail = draft.talk.trail if same else (*draft.talk.trail, topic.word)[-MOST_KEPT:]
    turns = draft.talk.turns if same else 0
    draft = draft.noting(f"as:{topic.word}:{topic.entry.kind}")
    if not same:
        over = ("they:", "hushed:", LENT)
        kept = tuple(key for key in draft.talk.used if not key.startswith(over))
        draft = draft.talking(used=kept)
    return draft.talking(topic=topic.word, trail=trail, turns=turns)


def begin(draft: Draft, topic: Subject, led: bool = False) -> Draft:
    """Start on a topic; if he led there himself, the reason has been said already."""
    before, same = draft.topic, draft.talk.topic == topic.word
    known_place = topic.word in draft.talk.trail
    draft = taken_up(draft, topic)
    if not led:
        draft = _bridge(draft, before, topic, same, known_place)
    with_game = offer_game(draft)
    if with_game is not draft:
        return with_game
    if not same:
        for recall in (recalled, lambda draft: recalled_taste(draft, topic)):
            after = recall(draft)
            if after is not draft:
                return after if after.asks else question(after)
    brief = sum(len(sentence.split()) for sentence in draft.said) < 5
    if brief and draft.lot(0.6):
        draft = tell(draft)
    return draft if draft.asks else question(draft)


def carry_on(draft: Draft, ask: float = 0.0, patient: bool = False) -> Draft:
    """One more step: a memory, a question, something to tell, or the next topic.

    He is patient with somebody who still has something to say of this one.
    """
    topic = draft.topic
    if topic is None:
        return ask_topic(draft)
    turns = draft.talk.turns - (PATIENCE if patient else 0)
    if _is_quiet(draft) and not draft.noted("game-quiet"):
        return draft.noting("game-quiet").say("game-quiet")
    if Asked.read(draft.talk.asked).section in ("new", "asked-topic"):
        return move_on(draft, topic, insist=True)
    if turns > TOO_LONG or (turns > LONG_ENOUGH and draft.lot(0.35)):
        return move_on(draft, topic)
    strange = not draft.memory.name and not draft.noted("who")
    if strange and patient and len(draft.talk.recent) > SETTLED and draft.lot(0.2):
        return draft.say("who").noting("who")
    if draft.talk.turns >= 3 and draft.lot(0.4):
        after = recalled(draft)
        if after is draft and draft.lot(0.3):
            after = compared_likes(draft)
        if after is not draft:
            return after
    asked_before = draft.talk.recent[-1:] and draft.talk.recent[-1].endswith("?")
    if draft.lot(ask or (0.5 if asked_before else 0.8)):
        after = question(draft)
    else:
        after = tell(draft)
        if not after.asks and after is not draft and len(after.said) < 2 and draft.lot(0.4):
            after = question(after)
    return after if after is not draft else move_on(draft, topic)


def question(draft: Draft) -> Draft:
    """Ask something of the topic."""
    topic = draft.topic
    if topic is None:
        return ask_topic(draft)
    tastes = {*draft.memory.likes, *draft.memory.dislikes}
    key = f"like:{topic.word}"
    told = any(each.topic == topic.word and is_own(each.words) for each in draft.memory.told)
    early = draft.talk.turns < 4 and topic.word not in tastes and not told
    if early and not draft.noted(key) and draft.lot(0.3):
        after = draft.say(_like_section(topic)) if not is_grim(topic) else draft
        if after is not draft:
            return after.noting(key)
    known = owns(draft.memory, topic)
    lines = [line for line in _own(topic) if line.asks and not (known and "{one}" in line.text)]
    return _drawn(draft, lines)


def tell(draft: Draft) -> Draft:
    """Say something of the topic: a fact that was not told yet, or a remark."""
    topic = draft.topic
    if topic is None:
        return draft
    waiting = [
        fact for fact in facts(draft.memory, topic) if not draft.noted(f"{topic.word}/{fact.key}")
    ]
    if waiting and draft.lot(0.65):
        first = [fact for fact in waiting if fact.section.startswith("taught")]
        fact = first[0] if first else draft.chance.choice(waiting)
        after = draft.say(fact.section, fact.other, more={"list": fact.listed})
        if after is not draft:
            return after.noting(f"{topic.word}/{fact.key}")
    return _drawn(draft, [line for line in _own(topic) if not line.asks])


def move_on(draft: Draft, topic: Subject, insist: bool = False) -> Draft:
    """Go to another topic by a relation, by what was mentioned or liked, or ask for a new one."""
    places = list(_places(draft, topic))
    if insist and (not places or draft.lot(0.4)):
        house = [place for word in HOUSE if (place := draft.meant(word))]
        fresh = [place for place in house if place.word not in draft.talk.trail] or house
        place = draft.chance.choice(fresh)
        return begin(draft.say("choose", place), place, led=True)
    if places and (insist or draft.lot(0.75)):
        section, place = draft.chance.choice(places[:4])
        if section == "speaking" and not insist and draft.lot(0.4):
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
    return draft.talking(turns=0).say("asked-topic")


def offer_game(draft: Draft) -> Draft:
    """Turn to games where the topic itself does."""
    topic = draft.topic
    section = GAME_WORDS.get(topic.word.lower(), "") if topic else ""
    key = f"game:{topic.word}" if topic else ""
    if not section or draft.noted(key):
        return draft
    after = draft.say(section, more={"games": GAMES})
    return after if after is draft else after.noting(key)


def _bridge(draft: Draft, before: Subject | None, topic: Subject, same: bool, known: bool) -> Draft:
    """How the new topic follows from the old one."""
    if same:
        return draft.say("still")
    if known:
        after = draft.say("back")
        if after is not draft:
            return after
    relation = _relation(before, topic) if before else ""
    if relation and before and "adjective" not in (before.entry.kind, topic.entry.kind):
        after = draft.say(relation, before)
        if after is not draft:
            return after
    if topic.entry.kind == "adjective":
        return draft.say("open-adjective")
    return draft.say("open-grim" if is_grim(topic) else "open")


def _like_section(topic: Subject) -> str:
    """Where the question stands whether the person likes such a thing."""
    if topic.entry.kind == "adjective":
        return "like-adjective"
    return "like-doing" if topic.entry.kind == "verb" or topic.entry.sort in DOINGS else "like"


def is_grim(topic: Subject) -> bool:
    """Whether it is no subject for dry remarks."""
    return topic.entry.sort == "illness" or bool({topic.word, *topic.entry.is_a} & GRIM)


def _relation(before: Subject, topic: Subject) -> str:
    old, new = before.entry, topic.entry
    if new.word in old.kinds or old.word in new.is_a[:2]:
        return "narrower" if before.entry.kind == "noun" == topic.entry.kind else "near"
    if old.word in new.kinds or new.word in old.is_a[:2]:
        return "wider" if before.entry.kind == "noun" == topic.entry.kind else "near"
    if new.word in old.opposites:
        return "opposite"
    return "near" if new.word in related(old) or old.word in related(new) else ""


def _own(topic: Subject) -> list[Line]:
    """The lines that suit a topic of this kind and sort."""
    kind, sort = topic.entry.kind, topic.entry.sort
    if kind == "adjective":
        return list(PAGES["adjective"])
    if kind == "verb" and is_grim(topic):
        return list(PAGES["grim"])
    if kind == "verb":
        return [*PAGES["verb"], *(PAGES[sort] if sort in VERB_SORTS else ()), *PAGES["any"]]
    if is_grim(topic):
        return [*PAGES["grim"], *(line for line in PAGES["any"] if line.asks)]
    above = {topic.word, *topic.entry.is_a}
    inside = topic.entry.part_of and not {"place", "room"} & above
    if sort == "place" and WILD & above:
        sort = "nature"  # a river is neither owned nor mended
    elif sort == "place" and inside and not topic.entry.name and topic.word not in UNIQUE:
        sort = "artifact"  # a window is a place to the dictionary only
    more = PAGES["price"] if sort in ("artifact", "food", "drink", "vehicle", "clothing") else ()
    if sort == "food" and not RAW & above:
        more = (*more, *PAGES["dish"])  # somebody makes it
    return [*PAGES.get(sort, ()), *more, *PAGES["any"]]


def _drawn(draft: Draft, lines: list[Line]) -> Draft:
    """A line for just this sort of thing if there is one left, else one for anything."""
    used, word = set(draft.talk.used), f" {draft.talk.topic} "
    lines = [line for line in lines if word not in line.text]  # no story with stories in it
    close = [line for line in lines if not line.id.startswith("any.") and "#" + line.id not in used]
    after = draft.say(close) if close and draft.lot(0.7) else draft
    return after if after is not draft else draft.say(lines)


def _places(draft: Draft, topic: Subject) -> Iterator[tuple[str, Subject]]:
    """Where the talk could go, with the reason."""
    trail = set(draft.talk.trail)
    for key in reversed(draft.talk.used):
        if key.startswith("mention:"):
            place = draft.meant(key.removeprefix("mention:"))
            if place and place.word not in trail:
                yield "speaking-mentioned", place
                break
    for place in neighbours(topic):
        if place.word not in trail and topic.entry.kind == place.entry.kind:
            yield "speaking", place
    for word in draft.memory.likes:
        liked = draft.meant(word)
        if liked and liked.word not in trail and liked.entry.kind != "adjective":
            yield "speaking-liked", liked


def _is_quiet(draft: Draft) -> bool:
    short = [key for key in draft.talk.used if key.startswith("short:")]
    lately = [key for key in short if draft.session.turn - int(key[6:]) < 2 * QUIET]
    return len(draft.talk.recent) >= A_WHILE and len(lately) >= QUIET


def asked_of(draft: Draft) -> tuple[Asked, Subject | None, Subject | None]:
    """What he said last, the topic it was about, and the second word in it."""
    asked = Asked.read(draft.talk.asked)
    return asked, draft.meant(asked.topic), draft.meant(asked.other)
