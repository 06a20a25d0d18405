"""How Benedict listens: to a question, a statement of a familiar shape, a thing mentioned."""

from __future__ import annotations

import re

from parlour.host.language import SMALL, TENS, heard, lexicon
from parlour.host.language import inflect as english
from parlour.host.talk.draft import Draft
from parlour.host.talk.facts import TRIVIAL, facts
from parlour.host.talk.memory import hushed, is_hushed, listened
from parlour.host.talk.mirror import is_grave, is_own, statement, turned
from parlour.host.talk.topics import POINTS
from parlour.host.talk.turns import carry_on, question, taken_up, tell
from parlour.host.talk.words import PLAIN, Subject, known, nouns, subject

SAD = re.compile(
    r"\b(?:died|dead|death|sick(?! of)|cancer|cried|crying|sad|lonely|hurt|hurts|broke|divorced"
    r"|funeral|miss (?:him|her|them)|lost my|ill|drowned|failed|passed away|put down|stolen|killed"
    r"|miserable|depressed|bullied|fired|unhappy|awful|terrible)\b"
)
GLAD = re.compile(
    r"\b(?:happy|glad|won|passed|married|born|birthday|proud|better now|great|wonderful|lovely"
    r"|amazing|excellent|beautiful|fantastic|best day|enjoyed|brilliant)\b"
)
LAUGH = re.compile(r"^(?:(?:ha|he|hi|lo)+l?|lol|lmao|rofl|funny|(?:ha ?)+)$")
UPSET = re.compile(
    r"\b(?:i|we) (?:am|feel|are|was|felt) (?:so |very |really |a bit |quite |too |just )*"
    r"(?:sad|lonely|unhappy|depressed|miserable|heartbroken|desperate|ill|sick(?! of)|hurt)\b"
)
NOT_SAD = re.compile(r"\bnot (?:\w+ )?(?:sad|ill|sick|hurt|lonely|dead|unhappy|awful|terrible)\b")
NEGATED = re.compile(r"\b(?:not|never|no|cannot)\b")
CARE = re.compile(
    r"\b(?:suicid\w*|kill myself|killing myself|end my life|want to die|wish i was dead|hurt myself"
    r"|self harm|take my own life|better off dead)\b"
)
FAMILY = (
    r"mother|mum|mom|father|dad|sister|brother|son|daughter|wife|husband|friend|teacher|aunt|uncle"
    r"|grandmother|grandma|gran|granny|grandfather|grandpa|grandad|cousin|boss|neighbour|neighbor"
    r"|doctor|girlfriend|boyfriend|partner|captain|boy|girl|nephew|niece"
)
SHAPES: list[tuple[str, re.Pattern[str]]] = [
    ("unsure", re.compile(r"^(?:i )?(?:do not know|am not sure|have no idea|no idea|not sure)\b")),
    ("afraid", re.compile(r"\b(?:i am|i was|i feel|me) (?:so |very |really |still |quite )?"
                          r"(?:afraid|scared|frightened|terrified)\b")),
    ("named", re.compile(r"\b(?:called|named|name is|name was) (?P<called>[a-z]{2,16})\b")),
    ("kin", re.compile(rf"\bmy (?:old |little |big |best |late )?(?P<who>{FAMILY})\b")),
    ("child", re.compile(r"\bwhen i was (?:a |very |little|young|small|\d+|at school)")),
    ("used", re.compile(r"\b(?:i|we) used to \w+")),
    ("want", re.compile(r"\bi (?:want|wish|hope|would like|would love|dream)\b")),
    ("cannot", re.compile(r"\bi (?:cannot|could not|can not|am not able)\b")),
    ("remember", re.compile(r"\bi (?:still )?remember\b")),
    ("am", re.compile(r"\bi (?:am|feel|was|felt) (?:so |very |really |a bit |quite |too )?"
                      r"(?P<adj>[a-z]{3,})(?: (?:today|now|about|because|of|when|and|all)\b|$)")),
    ("think", re.compile(r"\bi (?:think|believe|guess|suppose|reckon)\b")),
    ("because", re.compile(r"^(?:well )?because\b")),
    ("everybody", re.compile(r"(?<!am )\b(?:everybody|everyone|nobody)\b")),
    ("never", re.compile(r"\b(?:i|we) (?:have )?never\b(?!.*\bagain\b)")),
    ("always", re.compile(r"\b(?:always|every (?:day|time|night|year|week|morning))\b")),
    ("count", re.compile(r"\b(?P<number>\d{1,4}) (?!years|days|weeks|months|hours|minutes|times)"
                         r"(?:of|[a-z]{3,}s)\b")),
    ("did", re.compile(r"\b(?:i|we) (?:once |just |even |already |finally |both )?"
                       r"(?:went|saw|made|did|tried|wrote|sailed|played|swam|ran|built|caught|met"
                       r"|visited|took|sang|bought|cooked|climbed|found|learned|learnt)\b")),
]  # fmt: skip
GOES_ON = re.compile(
    r"(?:is|are|was|were|do|does|did|can|could|will|would|have|has|had|always|never|often|make|get"
    r"|taste|smell|live|eat|sing|sleep|help|seem|look|sound|need|keep|scare|bore) "
)
ASKS = re.compile(
    r"^(?:(?:and|but|so|okay|well|hey|benedict) )*(?:what|how|where|when|who|which|whose|do|does"
    r"|did|are|is|was|were|can|could|would|will|have|has|should|am|ever)\b"
)
SELF = re.compile(
    r"\b(?:are you (?:a |an )?(?:robot|human|real|alive|person|computer|ai|bot|machine|program)"
    r"|who are you|what are you|how old are you|where (?:do|are) you|your name)\b"
)


def needs_care(text: str) -> bool:
    """Whether somebody speaks of harming themselves, which is no matter for wit."""
    return bool(CARE.search(" ".join(heard(text))))


def is_rude(text: str) -> bool:
    """Whether there is a word in it that he does not take up."""
    return any(lexicon.is_unsaid(word) for word in heard(text))


def is_sad(text: str) -> bool:
    """Whether something is told that wants a kind word first."""
    line = " ".join(heard(text))
    return is_grave(text) or is_grave(line) or bool(SAD.search(line) and not NOT_SAD.search(line))


def numbered(digits: str) -> str:
    """A number as one says it: words as far as there is one word for it."""
    words = {str(number): word for word, number in (SMALL | TENS).items()}
    return words.get(digits, digits)


def is_question(text: str) -> bool:
    """Whether the person asks him something."""
    words = " ".join(heard(text))
    asks = text.rstrip()[-400:].endswith("?")
    return bool(words) and (bool(ASKS.match(words)) if not asks else True)


def answer(draft: Draft, text: str) -> Draft:
    """What he says to a question, as far as he knows."""
    line = " ".join(heard(text))
    topic = draft.topic
    if re.fullmatch(r"(?:and |so )?(?:what about |how about )?you(?:rself)?", line):
        return draft.say("their-view" if topic and topic.entry.kind == "noun" else "their-how")
    if re.match(r"^(?:and |but |so )?do you (?:have|own|keep)\b", line):
        return question(draft.say("their-own"))
    if SELF.search(line):
        return carry_on(draft.say("their-self"))
    if topic and re.match(r"^(?:and |so )?what (?:is|are|does)\b", line) and len(line.split()) < 6:
        above = [fact for fact in facts(draft.memory, topic) if fact.section == "is_a"]
        after = draft.say("their-what", above[0].other) if above else draft.say("their-what-not")
        return carry_on(after.noting(f"{topic.word}/{above[0].key}") if above else after)
    if re.match(r"^(?:and |but |so )?(?:have you|did you|were you|ever)\b", line):
        after = draft.say("their-ever")
    elif re.search(r"^(?:and |but |so )?(?:do|are|would|can|could|will) you\b", line) or (
        re.search(r"\bdo you (?:think|feel|like|make)\b", line)
    ):
        adjective = topic is None or topic.entry.kind == "adjective"
        after = draft.say("their-know" if adjective else "their-view")
    else:
        after = draft.say("their-know")
    if after.asks:
        return after
    told = tell(after) if draft.lot(0.5) else after
    return told if told is not after else carry_on(after)


def react(draft: Draft, text: str, only: bool = False) -> Draft:
    """How he takes a statement: what he says to it and, unless only that, how he goes on."""
    line = " ".join(heard(text))
    draft = listened(draft, text)
    if is_grave(text) or is_grave(line) or (UPSET.search(line) and not NOT_SAD.search(line)):
        after = hushed(draft).say("grave")
        return after if only else after.say("sorry-ask")
    if is_hushed(draft) and not GLAD.search(line):
        after = draft.say("hushed")
        return after if after is not draft else draft.say("grave")
    if draft.chance.random() < 0.9 or only:
        for section, shape in SHAPES:
            found = shape.search(line) if section != "kin" or not is_sad(text) else None
            reply = _shaped(draft, section, found, text, only) if found else None
            if reply is not None:
                return reply
    mentioned = None if only else _mentioned(draft, line)
    asking = mentioned is not None and draft.lot(0.6)
    if only and (again := turned(text, draft.topic)) and len(again.split()) <= 12:
        return draft.say("reflect", more={"turned": again})
    draft = _acknowledged(draft, line, text, "ack-plain" if asking else "ack")
    if only:
        return draft if draft.said else draft.say("ack")
    if mentioned and asking:
        after = draft.say("mention", mentioned, more=_this(mentioned, line))
        if after is not draft:
            return after.noting(f"mentioned:{draft.session.turn}")
    return carry_on(draft, patient=len(line.split()) > 2)


def returned(draft: Draft, text: str) -> Draft:
    """The draft on an earlier topic, if the person speaks of that one and not of the present."""
    words = heard(text)
    named = {entry.word: entry for entry in nouns(draft.memory, words)}
    if any(each.word == draft.talk.topic for word in words for each in lexicon.entries(word)):
        return draft
    for word, entry in named.items():
        if word in draft.talk.trail[-4:]:
            return taken_up(draft, Subject(entry))
    return draft


def followed(draft: Draft, text: str) -> Draft | None:
    """The draft on the thing that a statement is about, if it is another than before."""
    words = heard(text)
    before = draft.topic
    if before is None or len(words) < 3 or POINTS & set(words) or before.entry.kind == "adjective":
        return None
    entry = known(draft.memory, words[0]) if words[0] not in PLAIN else None
    own = {before.word.lower(), before.said.lower(), english.plural(before.word)}
    if entry is None or entry.kind != "noun" or entry.name or entry.common < 4:
        return None
    if entry.word == before.word or own & set(words) or not GOES_ON.match(" ".join(words[1:3])):
        return None
    after = taken_up(draft, Subject(entry))
    return question(listened(after, text).say("follow", before))


def _shaped(
    draft: Draft, section: str, found: re.Match[str], text: str, only: bool
) -> Draft | None:
    """The reply to a statement of this shape, if it has one left."""
    more = {name: value for name, value in found.groupdict().items() if value}
    if "number" in more:
        more["number"] = numbered(more["number"])
    if section in ("am", "named") and not _fits(draft, section, more, text):
        return None
    if section in ("named", "count", "because", "unsure"):
        after = draft.say(f"shape-{section}", more=more)
        if after is draft:
            return None
        if only:
            return after
        if section == "named" and draft.lot(0.7):
            return after.say("shape-named-ask", more=more)
        return carry_on(after, patient=True)
    if only:
        return None
    if draft.noted(f"#turn:{section}") and draft.talk.used.index(f"#turn:{section}") > (
        len(draft.talk.used) - 12
    ):
        return None
    lead = _acknowledged(draft, found.string, text, "ack-plain")
    if section == "kin" and draft.topic and draft.topic.entry.kind == "adjective":
        return None
    after = lead.say(f"shape-{section}", more=more)
    return None if after is lead else after.noting(f"#turn:{section}")


def _fits(draft: Draft, section: str, more: dict[str, str], text: str) -> bool:
    """Whether what was caught is what the shape needs: an adjective, or a name."""
    if section == "am":
        entry = subject(draft.memory, more["adj"])
        return bool(entry and entry.entry.kind == "adjective" and entry.word == more["adj"])
    if more["called"] in ("after", "the", "him", "her", "it", "them", "me", "for", "off", "on"):
        return False
    more["called"] = more["called"].capitalize()
    if draft.topic and draft.topic.entry.sort in ("animal", "person"):
        words = set(heard(text))
        he, she = words & {"he", "his", "him"}, words & {"she", "her"}
        more["cthem"] = "him" if he else "her" if she else "them"
    return True


def _acknowledged(draft: Draft, line: str, text: str, plainly: str) -> Draft:
    """A word to show that he has heard; the person's own, turned round, if they are short."""
    for section, sign in (("laugh", LAUGH), ("sorry", SAD), ("glad", GLAD)):
        denied = {"glad": NEGATED, "sorry": NOT_SAD}.get(section)
        if sign.search(line) and not (denied and denied.search(line)):
            after = draft.say(section)
            if after is not draft:
                return after
    topic = draft.topic
    again = turned(text, topic) if is_own(text) else ""
    if again and len(again.split()) <= 9 and draft.lot(0.5):
        after = draft.say("reflect", more={"turned": again})
        if after is not draft:
            return after.noting(f"said:{draft.session.turn}:{statement(text)[:40]}")
    if draft.memory.name and draft.lot(0.25):
        return draft.say("ack-name")
    plainly = "ack-plain" if is_own(text) else plainly  # one does not judge another's life
    return draft.say(plainly) if draft.lot(0.75) else draft


def _this(thing: Subject, line: str) -> dict[str, str]:
    """The thing as the person spoke of it: `your shoes`, `the sofa`, `goats`."""
    words = ["", *line.split()]
    forms = (thing.word.lower(), thing.said.lower(), english.plural(thing.word).lower())
    place = next((i for i, word in enumerate(words) if word in forms), 0)
    word = words[place] or thing.said
    many = word == english.plural(thing.word).lower() and (thing.single or word != thing.word)
    before = words[max(place - 1, 0)]
    if before in ("my", "our"):
        this = f"your {word}"
    elif many or not thing.single:
        this = word
    else:
        this = f"the {word}"
    return {"this": this, "tdoes": "do" if many else "does", "tthem": "them" if many else "it"}


def _mentioned(draft: Draft, line: str) -> Subject | None:
    """Something the person brought into it, common enough to be asked about."""
    words = tuple(line.split())
    lately = [key for key in draft.talk.used if key.startswith("mentioned:")]
    if any(draft.session.turn - int(key[10:]) < 3 for key in lately):
        return None
    for entry in nouns(draft.memory, words):
        if (
            entry.word != draft.talk.topic
            and entry.common >= 4
            and entry.word not in TRIVIAL
            and entry.sort not in ("amount", "abstract", "time", "thing", "quality")
            and not entry.name
            and not draft.noted(f"mention:{entry.word}")
            and not re.fullmatch(FAMILY, entry.word)
        ):
            return Subject(entry)
    return None


def mentioned_in(draft: Draft, text: str) -> Draft:
    """The draft with a thing the person mentioned marked, so that he can come back to it."""
    found = _mentioned(draft, " ".join(heard(text)))
    return draft.noting(f"mention:{found.word}") if found else draft
