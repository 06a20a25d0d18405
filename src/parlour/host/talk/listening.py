"""How Benedict listens: to a question, a statement of a familiar shape, a thing mentioned, a mood.

What he says of the person comes from the memory alone; of himself he says that he is a program. A
line can also be about the talk itself: a wish for more or for something else, a number, praise.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from parlour.host.language import Line, WordSense, english, normalise, spell_number, texts
from parlour.host.session import Fact
from parlour.host.talk import facts, subjects, turns
from parlour.host.talk import memory as memories
from parlour.host.talk.draft import Draft, Mark, Question, Template, load_templates
from parlour.host.talk.facts import KIN, NAMES
from parlour.host.talk.memory import MIRRORED, MOODS, QUESTIONS, SHORTEST, find_words, mirror
from parlour.host.talk.subjects import WORDS, Subject, find_subject
from parlour.host.talk.topics import find_stranger, find_topic

SHAPES = texts.read_expressions("talk/expressions/shapes.txt")
HIMSELF = texts.read_expressions("talk/expressions/himself.txt")
ANSWERS = texts.read_expressions("talk/expressions/short_answers.txt")
OTHERS = texts.read_expressions("talk/expressions/others.txt")
THEMES = texts.read_expressions("talk/expressions/themes.txt")
ELLIPTIC = texts.read_expressions("talk/expressions/elliptic.txt")
GROUPS = texts.read_words("groups.txt")
NO_REST = subjects.PLAIN - WORDS["topical"]  # words after a yes that add nothing to it
WORSE = {"guilt": "grave-guilt", "fear": "grave-fear", "at a loss": "grave-lost"}
TOO_COMMON = 9  # how common a word is that says too little to be asked about
POINTING_AT = ("the", "a", "an", "this", "that", "those", "these")
SHORT_TELLING = 9  # words of a line that is better repeated than its facts
A_FEW = 4  # facts that he repeats
BEFORE_THEMES = ("leaving", "fine", "unsure", "afraid", "hurt", "ambition", "said")
MOOD_SECTIONS = (("laugh", "laugh", ""), ("glad", "glad", "negated"))
ALWAYS_ASKED = ("hurt",)  # shapes that are asked about each time
LONG_LINE = 5  # words of a line that tells something
MAX_MIRRORED = 10  # words of a line that he repeats
OFTEN = 0.35  # and how often he does so
HIM = {"he": "him", "him": "him", "his": "him", "she": "her", "her": "her", "they": "them"}
MAX_BARE = 2  # words of a line that may only go on
MAX_ANSWER, MAX_PHRASE = 8, 100  # words and characters of a short answer
ANSWERED_ELSEWHERE = ("teach", "who", "shall", "keep", "new", "mean", "game", "asked-topic")
HOW_ARE_YOU = ("their-how", "how-game")  # after which a short line says how the person is
LONG_ANNOYED = 8  # turns in which a second complaint is answered otherwise
SHAPE_INTERVAL = 12  # marks between two replies to statements of one shape
SPOKEN = texts.read_pairs("talk/sums.txt")["spoken"]  # operations in words, as signs
NUMBER = r"-?\d+(?:\.\d+)?"
STEP = rf" ?([-+/*^%x×÷]) ?({NUMBER})"
SUM = re.compile(rf"(?<![\w.])(?<!\d )({NUMBER})((?:{STEP})+)(?![.\w]*\w)")
MAX_DIGITS, MAX_POWER = 15, 64
MAX_PARTS, MAX_DECIMALS, MAX_LETTERS = 20, 4, 40


def goes_on(draft: Draft, line: Line) -> bool:
    """Say whether a bare word goes on with what the person was telling, and is no new topic."""
    asked = Question.read(draft.talk.asked).section.startswith(("ask-", "on-", "shape-"))
    bare = len(line.words) <= MAX_BARE
    return bare and draft.asked_last and asked and not draft.is_begun


def has_rude_word(words: Iterable[str]) -> bool:
    """Say whether there is a word that he does not take up."""
    return any(
        english.is_rude(word) and f"{before} {word}" not in WORDS["not rude"]
        for before, word in pairwise(("", *words))
    )


def is_sad(line: Line) -> bool:
    """Say whether a line speaks of grief or of a bad day, and so wants a kind word first."""
    upset = MOODS["upset"].search(MOODS["light"].sub("", line.plain))
    return (bool(upset) or memories.is_grave(line.plain)) and not is_no_grief(line)


def is_no_grief(line: Line) -> bool:
    """Say whether what sounds sad is a joke, a lost game, a thing that broke, or about himself."""
    plain = line.plain
    asks = is_question(line) and not {"i", "my", "me", "we", "our"} & set(line.words)
    light = any(THEMES.search(name, plain) for name in ("lost game", "tooth", "for him", "broken"))
    joking = MOODS.search("joking", plain) or MOODS.search("no harm", plain)
    return (
        asks
        or bool(joking)
        or ((light or bool(MOODS.search("light", plain))) and not memories.is_grave(plain))
    )


def is_question(line: Line) -> bool:
    """Say whether the person asks him something."""
    asks = line.text.rstrip().endswith("?")
    return bool(line.words) and (asks or bool(QUESTIONS["asks"].match(line.plain)))


def is_yes_or_no(line: Line) -> bool:
    """Say whether a line that seems to be a yes or no begins as one, or is as short as one."""
    begins = QUESTIONS["yes or no"].match(line.text) or {*line.words[:1]} & WORDS["answers"]
    short = len(line.words) <= SHORTEST
    return bool(begins or short) and not line.text.rstrip().endswith("?")


def answer_question(draft: Draft, line: Line) -> None:
    """Answer a question, as far as he knows."""
    entry = find_topic(draft.session, line) if QUESTIONS["do you"].search(line.plain) else None
    if entry is not None:
        turns.take_up(draft, Subject(entry))
    plain, topic = line.plain, draft.topic
    if THEMES.search("guess", plain) and answer_theme(draft, line):
        return
    if _name_other(plain) in (*GROUPS["of the asker"], "thing"):
        decline_question(draft, line)
    elif QUESTIONS["do you have"].match(plain):
        turns.ask_question(draft, after="their-own")
    else:
        thing = topic is not None and topic.entry.kind != "adjective"
        to_him = QUESTIONS["do you"].search(plain) or "your" in line.words
        view = "their-know"
        if to_him:
            named = thing and topic and draft.is_begun and speaks_of(topic, line)
            view = "their-view" if named else "their-unsure"
            view = "their-view" if entry is not None else view
        unsure = view == "their-know" or OTHERS.search("people", plain)
        if unsure and not QUESTIONS["ever"].match(plain):
            decline_question(draft, line)
        else:
            draft.say("their-ever" if QUESTIONS["ever"].match(plain) else view)
        if view == "their-view" and not draft.asks:
            turns.wonder(draft)


# Statements


def react(draft: Draft, line: Line, only: bool = False) -> None:
    """Answer a statement and, unless only that, carry on."""
    line = drop_lead(line)
    plain = line.plain
    if is_sad(line):
        comfort(draft, line, only)
        return
    if turns.is_mood_grave(draft) and not _turns_away(line):
        _stay_grave(draft, line)
        return
    draft.unmark(Mark.GRAVE)
    urgent = any(SHAPES.search(name, plain) for name in BEFORE_THEMES)
    if GROUPS["news"] & find_themes(plain).keys() and not only and answer_theme(draft, line):
        return
    if not urgent and answer_facts(draft, line, only):
        return
    if not only and not urgent and answer_theme(draft, line):
        return
    for section in (each for each in SHAPES if each != "taste"):
        found = SHAPES.search(section, plain)
        if found and _answer_shape(draft, section, found, line, only):
            return
    if only:
        again = turn_round(draft, line)
        if again and len(again.split()) <= 12:
            draft.say("reflect", more={"turned": again})
            return
        if answer_theme(draft, line):
            return
        _acknowledge(draft, line, "ack")
        if not draft.sentences:
            draft.say("ack")
        return
    given = turn_words(re.split(r"[.!?]", line.text)[0])
    if _is_fragment(line) and given and draft.say("answered", more={"given": given}):
        ask_on(draft, line)
        return
    _acknowledge(draft, line, "ack")
    if len(line.words) >= SHORTEST:
        ask_on(draft, line)
    else:
        turns.carry_on(draft, patient=len(line.words) > 1)


def ask_on(draft: Draft, line: Line) -> None:
    """Ask what came next, about somebody or something in the line, or only for more."""
    if draft.is_begun and draft.happens(0.3) and memories.recall(draft):
        return
    past = is_past(line) and len(line.words) > LONG_LINE
    phrase = find_phrase(draft, line.text)
    if past and draft.happens(0.5) and draft.say("go-on-past"):
        return
    if phrase and draft.say("ask-about", more={"given": phrase}):
        draft.mark(f"{Mark.ASKED_ABOUT}:{phrase.lower()}")
        return
    draft.say("go-on-past" if past else "go-on", "go-on")


def is_past(line: Line) -> bool:
    """Say whether a line tells of something past."""
    pairs = zip(("", *line.words), line.words, strict=False)
    ends = [word for before, word in pairs if word.endswith("ed") and before not in WORDS["be"]]
    forms = (each for word in ends for each in english.find_entries(word) if each.word != word)
    return bool(ANSWERS["past"].search(line.plain)) or any(each.kind == "verb" for each in forms)


def find_phrase(draft: Draft, text: str) -> str:
    """Return the best thing in a line to ask about, in his words: your roses, Ella, the shed."""
    found: list[tuple[float, str]] = []
    plain = re.sub(r"['’]s\b", "", text[: MAX_PHRASE * 2])
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?]", plain)
    for at, word in enumerate(words):
        before, low = words[at - 1].lower() if at else ".", word.lower()
        nouns = english.find_entries(low, "noun")
        entry = nouns[0] if nouns and low not in subjects.PLAIN and len(low) > 2 else None
        named = word.istitle() and before not in (".", "!", "?") and low not in subjects.PLAIN
        if before in ("my", "our") and (low in WORDS["family"] or entry):
            sort = entry.sort if entry else "person"
            after = words[at + 1].lower() if at + 1 < len(words) else ""
            compound = entry and _is_noun_only(after) and english.look_up(f"{low} {after}")
            if sort not in GROUPS["unasked"]:
                close = low in WORDS["family"] or sort in ("person", "animal")
                phrase = f"your {low} {after}" if compound else f"your {low}"
                found.append((4 if close else 2.5, phrase))
        elif (
            named
            and (low in NAMES or entry is None or entry.name)
            and low not in MIRRORED["opened"]
        ):
            if entry is None or entry.sort != "time":
                found.append((5 if entry is None else 3, word))
        elif entry and entry.sort in GROUPS["askable"] and entry.common < TOO_COMMON:
            many = english.plural(entry.word) == low != entry.word
            described = bool(english.find_entries(before, "adjective"))
            pointed = before in POINTING_AT or (
                described and at > 1 and words[at - 2].lower() in POINTING_AT
            )
            if many and not described and not pointed and _is_noun_only(low):
                found.append((3, low))
            elif (many and described) or pointed:
                found.append((3 if entry.sort == "animal" else 2, f"the {low}"))
    fresh = [each for each in found if not draft.is_marked(f"{Mark.ASKED_ABOUT}:{each[1].lower()}")]
    return max(fresh, key=lambda each: each[0])[1] if fresh else ""


def _is_noun_only(word: str) -> bool:
    return bool(word) and {each.kind for each in english.find_entries(word)} == {"noun"}


def answer_facts(draft: Draft, line: Line, only: bool = False) -> bool:
    """Repeat the facts that a line tells, and ask about the last; False if it tells none."""
    told = facts.list_told(draft.session)
    if not told:
        return False
    again = turn_round(draft, line) if len(told) == 1 or len(line.words) < SHORT_TELLING else ""
    if again and len(again.split()) <= MAX_MIRRORED + 2:
        draft.say("reflect", more={"turned": again})
    else:
        draft.say("noted", more={"fact": facts.join_facts(told[-A_FEW:])})
    if not only:
        _ask_about_fact(draft, told[-1], line)
    return True


def _ask_about_fact(draft: Draft, fact: Fact, line: Line) -> None:
    """Ask about a fact, in words that fit its kind and its person."""
    own, relation = fact.whose == "you", fact.relation.partition(" ")[0]
    several = (" and " in fact.value and relation == "name") or fact.whose.endswith("s")
    head = facts.head_of(fact.value if relation == "has" else fact.whose)
    ages = fact.relation == "has" and any(
        each.relation == "age" and each.turn == fact.turn for each in draft.memory.facts
    )
    more = {
        "whose": facts.name_path(fact.whose), "called": fact.value, "value": fact.value,
        "is": "are" if several else "is", "does": "do" if several else "does", "thing": head,
    }  # fmt: skip
    if relation == "has":
        sort = next((each.sort for each in english.find_entries(head)), "")
        many = fact.value.split()[0] not in ("a", "an", "one")
        kind = "pet" if sort == "animal" else "kin" if head in KIN else "thing"
        sections = [f"ask-has-{kind}{'s' * many}"] if fact.value.split()[0] != "no" else []
        if kind == "thing" and ANSWERS["tells when"].search(line.plain):
            sections = ["shape-going"]  # a concert on the 14th
        if ages:
            sections = ["ask-has-aged"]
    elif relation == "is" and any(each.sort == "animal" for each in english.find_entries(head)):
        sections = ["ask-is-pet"]
    else:
        sections = [f"ask-{relation}{'-you' * own}"]
    if not draft.say(*sections, more=more):
        ask_on(draft, line)


@lru_cache(maxsize=64)
def find_themes(plain: str) -> dict[str, re.Match[str]]:
    """Return what a line is about, the most telling first."""
    return {name: found for name in THEMES if (found := THEMES.search(name, plain))}


def is_low(line: Line) -> bool:
    """Say whether the person is in no mood to be asked for anything."""
    return bool(GROUPS["low"] & find_themes(line.plain).keys())


def answer_theme(draft: Draft, line: Line, lead: bool = True) -> bool:
    """Answer a statement by what it is about; False if he has nothing left to say of that."""
    to_him, first = QUESTIONS["to him"].search(line.plain), set(line.words[:3])
    of_others = not {"i", "we", "me", "us"} & set(line.words) and (
        (WORDS["others"] & set(line.words) and not memories.speaks_of_self(line.text))
        or NAMES & first
        or WORDS["family"] & first
    )
    for name, found in find_themes(line.plain).items():
        if (to_him and name not in GROUPS["of him"]) or (
            of_others and name in GROUPS["of the person"]
        ):
            continue
        fresh = [
            each for each in _list_open(f"on-{name}", line) if not draft.is_marked("#" + each.id)
        ]
        if not fresh:
            continue
        chosen = draft.chance.choice(fresh)
        if (
            lead
            and chosen.asks
            and name not in GROUPS["no lead"]
            and not re.search(r"[.;:!] ", chosen.text)
        ):
            _acknowledge(draft, line, "ack-plain")
        more = {key: _spell(value, line.text) for key, value in found.groupdict().items() if value}
        return draft.say([chosen], more=more)
    return False


def _spell(words: str, text: str) -> str:
    """Return words of a line as they were typed there."""
    found = re.search(rf"\b{re.escape(words)}\b", text, re.IGNORECASE)
    return found[0] if found else words


def turn_round(draft: Draft, line: Line) -> str:
    """Turn a statement round, with the person that `he` or `she` means named."""
    text = ANSWERS["runs on"].sub(", ", memories.extract_statement(line.text))
    if has_rude_word(line.words) or SHAPES["think"].match(text.lower()):
        return ""
    found = re.match(r"(?i)(he|she)(?:'s)? ", text)
    paths = facts.list_spoken_of(draft.session) if found else []
    later = line.words[line.words.index(found[1].lower()) :] if found else ()
    paths = [path for path in paths if re.split(r"[ .]", path)[-1] not in later]
    if found and (path := facts.read_path(found[1].lower(), paths, list(draft.memory.facts))):
        verb = "is " if "'s" in found[0] else ""
        text = f"my {' '.join(path.split('.')[1:])} {verb}{text[found.end() :]}"
    about = draft.topic if draft.is_begun else None
    return mirror(text, about) or mirror(text.rpartition(", ")[2], about)


def comfort(draft: Draft, line: Line, only: bool = False) -> None:
    """Answer grief or a bad day plainly, and ask about it."""
    kin, gone = MOODS.search("whose", line.plain), MOODS.search("gone", line.plain)
    grave = memories.is_grave(line.plain) or bool(kin and gone)
    draft.unmark(Mark.GRAVE if grave else Mark.LOW)
    draft.note(Mark.GRAVE if grave else Mark.LOW)
    draft.say("grave")
    if only:
        return
    if kin and grave:
        if gone:
            draft.mark(f"{Mark.GONE}:{kin['who']}")
        draft.say("grave-kin" if gone else "grave-ill", "sorry-ask", more={"who": kin["who"]})
    else:
        lonely = MOODS.search("lonely", line.plain)
        missed = MOODS.search("missed", line.plain)
        low = "missing" if missed else "lonely" if lonely else "bad-day"
        draft.say("sorry-ask" if grave and not missed else low, "hushed")


def _turns_away(line: Line) -> bool:
    """Say whether somebody in grief feels better, turns to something else, or has good news."""
    own = GROUPS["glad"] & find_themes(line.plain).keys() and not HIM.keys() & set(line.words)
    return bool(own or MOODS.search("better", line.plain) or MOODS.search("turns away", line.plain))


def _stay_grave(draft: Draft, line: Line) -> None:
    """Listen to somebody in grief."""
    found = MOODS.search("of them", line.plain)
    he = found["he"] if found else ""
    him = HIM.get(he, "")
    named = next((name for name in WORSE if MOODS.search(name, line.plain)), "")
    if found or named:
        draft.unmark(Mark.GRAVE)
        draft.note(Mark.GRAVE)
    if named and draft.say(WORSE[named]):
        return
    again = turn_round(draft, line)
    if again and len(again.split()) <= MAX_MIRRORED and draft.happens(0.9):
        draft.say("reflect-grave", "reflect", more={"turned": again})
    elif _is_fragment(line):
        draft.say("answered", more={"given": turn_words(line.text)})
    if him and not draft.asked_last:
        draft.say("hushed-he", more={"him": him, "he": "she" if him == "her" else "he"})
    if not draft.sentences:
        draft.say("hushed", "grave")


def take_short_answer(draft: Draft, line: Line) -> bool:
    """Take a phrase as the answer to his last question; False if it is not one."""
    first, _, rest = line.text.partition(". ")
    if rest and draft.asked_last and not is_question(line):
        line = normalise(ANSWERS["hedge"].sub("", first))  # and what follows explains it
    if draft.talk.asked.startswith("stranger") and not is_question(line):
        line = normalise(re.split(r"[.;!,]", line.text)[0])
        given = turn_words(line.text) if 0 < len(line.words) <= MAX_ANSWER else ""
        return bool(given) and draft.say("answered", more={"given": given}) and draft.say("go-on")
    asked = draft.talk.recent[-1].split("\n")[-1].lower() if draft.talk.recent else ""
    words = [word for word in line.words if word not in WORDS["articles"]]
    if not asked.endswith("?") or not words or len(line.words) > MAX_ANSWER:
        return False
    if draft.talk.asked.startswith(ANSWERED_ELSEWHERE) or is_question(line) or is_sad(line):
        return False
    if is_low(line):
        return False
    if (ANSWERS["sentence"].search(line.plain) and not _is_fragment(line)) or has_rude_word(words):
        return False
    offered = re.findall(r"[a-z]+", asked)
    kinds = [kind for kind in ("who", "where", "when") if ANSWERS[f"asks {kind}"].search(asked)]
    kind = next((kind for kind in kinds if ANSWERS[f"tells {kind}"].search(line.plain)), "")
    if ANSWERS["asks which"].search(asked) and all(word in offered for word in words):
        kind = "which"
    elif not kind and not (ANSWERS["fragment"].match(line.plain) and len(line.words) > 1):
        return False
    if not draft.say("answered", more={"given": turn_words(line.text)}):
        return False
    after = "hushed" if turns.is_mood_grave(draft) else f"answered-{kind}" if kind else "go-on"
    return draft.say(after, "go-on") or True


def _is_fragment(line: Line) -> bool:
    """Say whether a line is a phrase and no sentence: `since I was ten`."""
    whole = ANSWERS["sentence"].search(line.plain) and not ANSWERS["clause"].match(line.plain)
    begins = ANSWERS["fragment"].match(line.plain)
    return bool(begins) and not whole and 1 < len(line.words) <= MAX_ANSWER


def turn_words(text: str) -> str:
    """Return a phrase as he would say it: `with my sister` as with your sister."""
    words = re.findall(r"[\w'’-]+,?", text[:MAX_PHRASE].rstrip(" ,")) or [""]
    words[0] = words[0].lower() if words[0].lower() in subjects.PLAIN else words[0]
    found = []
    for before, word in zip(["", *words], words, strict=False):
        after_i = MIRRORED["after i"] if before.lower() == "i" else {}
        bare = word.rstrip(",").lower()
        again = after_i.get(bare) or MIRRORED["turned"].get(bare)
        found.append(again + "," * word.endswith(",") if again else spell_number(word))
    return " ".join(found)


def speaks_of(topic: Subject, line: Line) -> bool:
    """Say whether a line names a topic, or points at it."""
    forms = {topic.word.lower(), topic.phrase.lower(), english.plural(topic.word)}
    points = WORDS["pointing"] | {"mine", "one", "ones"}
    return bool((forms | points) & set(line.words))


def is_topical(entry: WordSense) -> bool:
    """Say whether a thing that is only mentioned may become the topic."""
    return entry.word not in WORDS["family"] and entry.sort not in GROUPS["not topical"]


def _answer_shape(draft: Draft, section: str, found: re.Match[str], line: Line, only: bool) -> bool:
    """Answer a statement of this shape; False if there is no line left for it."""
    more = {name: value for name, value in found.groupdict().items() if value}
    if "number" in more:
        more["number"] = spell_number(more["number"])
    if section in ("am", "named") and not _fits_shape(draft, section, more, line.words):
        return False
    if section == "kin" and ("late" in line.words or draft.is_marked(f"{Mark.GONE}:{more['who']}")):
        section = "gone"
    if section in GROUPS["enough said"]:
        if not draft.say(f"shape-{section}", more=more):
            return False
        if section == "named" and not only:
            draft.say("shape-named-ask", more=more)
        elif section in ("because", "unsure") and draft.is_begun and not only:
            turns.carry_on(draft, patient=True)
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
    """List the questions of a section that fit its tense and are not answered in the line."""
    ahead = bool(ANSWERS["future"].search(line.plain))
    behind = is_past(line) and not ahead
    told = [
        kind for kind in ("who", "where", "when") if ANSWERS[f"tells {kind}"].search(line.plain)
    ]
    return [
        each
        for each in load_templates()[section]
        if not any(ANSWERS[f"asks {kind}"].match(each.text.lower()) for kind in told)
        and not (ahead and ANSWERS["of the past"].search(each.text.lower()))
        and not (behind and ANSWERS["of the future"].search(each.text.lower()))
    ]


def _fits_shape(draft: Draft, section: str, more: dict[str, str], words: Iterable[str]) -> bool:
    """Say whether what was caught is what the shape needs: an adjective, or a name."""
    if section == "am":
        entry = find_subject(draft.memory, more["adj"])
        return bool(entry and entry.entry.kind == "adjective" and entry.word == more["adj"])
    if more["called"] in WORDS["no name"]:
        return False
    more["called"] = more["called"].title()
    if draft.topic and draft.topic.entry.sort in ("animal", "person"):
        he, she = {"he", "his", "him"} & set(words), {"she", "her"} & set(words)
        more["cthem"] = "him" if he else "her" if she else "them"
    return True


def _acknowledge(draft: Draft, line: Line, plainly: str) -> None:
    """Show that he listens; by the person's own words, turned round, if they are short."""
    for section, mood, denial in () if turns.is_mood_grave(draft) else MOOD_SECTIONS:
        denies = denial and MOODS.search(denial, line.plain)
        if MOODS.search(mood, line.plain) and not denies and draft.say(section):
            return
    personal = memories.speaks_of_self(line.text)
    again = turn_round(draft, line)
    repeats = again and len(again.split()) <= MAX_MIRRORED and draft.happens(OFTEN)
    if repeats and draft.say("reflect", more={"turned": again}):
        draft.note(Mark.REPEATED, memories.extract_statement(line.text)[: memories.START])
    elif draft.memory.name and draft.happens(0.25):
        draft.say("ack-name")
    elif draft.happens(0.75):
        draft.say("ack-plain" if personal else plainly)  # one does not judge another's life


# Himself, the talk, and words; each returns whether the line was of that kind


def answer_about_himself(draft: Draft, line: Line) -> bool:
    """Answer a question about himself; False for any other line."""
    plain = QUESTIONS["trail"].sub("", QUESTIONS["lead"].sub("", line.plain))
    for section in HIMSELF:
        found = HIMSELF.search(section, plain) or HIMSELF.search(section, line.plain)
        more = {name: word for name, word in found.groupdict().items() if word} if found else {}
        if (
            found
            and section in ("opinion", "judge")
            and _name_other(plain) in GROUPS["of the asker"]
        ):
            decline_question(draft, line)
            return True
        if found and all(_fits(name, word) for name, word in more.items()):
            if section == "like" and (liked := find_subject(draft.memory, more["what"])):
                turns.take_up(draft, liked)
            if "what" in more:
                more["what"] = turn_words(more["what"].replace("color", "colour"))
            more |= {"him": HIM[more["he"]]} if "he" in more else {}
            draft.say(f"their-{section}", "their-unsure", more=more)
            return True
    return False


def _fits(name: str, word: str) -> bool:
    """Say whether a word caught in a question is of the kind that it has to be there."""
    if name == "verb":
        return bool(english.find_entries(word, "verb")) and word not in WORDS["not of him"]
    return name != "adj" or bool(english.find_entries(word, "adjective"))


def answer_elliptic(draft: Draft, line: Line) -> bool:
    """Answer a line such as `really?` from his last line; False for any other line."""
    name = next((name for name in ELLIPTIC if ELLIPTIC.match_line(name, line.plain)), "")
    if not name or (name in ("so what", "which", "since when") and "?" not in line.text):
        return False
    of_word = draft.session.last.intent == "ask-word"
    question, last = Question("is_a.0" if of_word else ""), ""  # from his books
    if draft.list_recent(Mark.SPOKE, 2):
        question, last = Question.read(draft.talk.asked), draft.talk.recent[-1].split("\n")[-1]
    section, asked = question.section, re.split(r"(?<=[.!]) ", last)[-1]
    if section.startswith(("teach", "mean", "keep")):
        return False
    if name == "turn" and (section in HOW_ARE_YOU or "fine" in line.words):
        return draft.say("their-how")
    kind = "ask" if last.endswith("?") else "fact" if section in WORDS["facts"] else "said"
    kind = "self" if section.startswith("their") and kind != "ask" else kind
    said = draft.say(f"short-{name}-{kind}", f"short-{name}", more={"quote": asked})
    if said and kind == "ask" and not draft.asks:
        draft.expect(question)
    return said


def answer_knock(draft: Draft, line: Line) -> None:
    """Play the part of the one who is told a knock-knock joke."""
    waits = Question.read(draft.talk.asked).section == "on-knock"
    given = " ".join(re.findall(r"[\w'’-]+", line.text[:MAX_PHRASE])[:MAX_ANSWER]).capitalize()
    draft.say("knock-who" if waits else "knock-end", "laugh", more={"given": given})


def take_rest(draft: Draft, line: Line) -> bool:
    """Take the phrase after a yes or no as the answer: `yes, in Hull`; False if there is none."""
    rest = line.text
    while found := QUESTIONS["yes or no"].match(rest):
        rest = rest[found.end() :]
    rest = rest.strip(" ,.!")
    words = [word for word in find_words(rest) if word not in WORDS["noises"]]
    empty = all(word in NO_REST for word in words) or len(words) > MAX_ANSWER
    empty = empty or bool(ANSWERS["sentence"].search(" ".join(words))) or "." in rest
    nouns = any(english.find_entries(word, "noun") for word in words)
    empty = empty or not (nouns or any(map(str.isdigit, words)))
    if (
        empty
        or not draft.asked_last
        or is_question(line)
        or rest.lower().endswith((" so", " not", " do", " am"))
    ):
        return False
    said = draft.say("answered", more={"given": turn_words(rest)})
    return said and (draft.say("go-on") or True)


def answer_complaint(draft: Draft, line: Line) -> bool:
    """Answer a complaint about what he has just said by returning to the person's own words."""
    repeats = QUESTIONS["repeated"].search(line.plain)
    if not repeats and not QUESTIONS["missed"].search(line.plain):
        return False
    again = draft.list_recent(Mark.COMPLAINED, LONG_ANNOYED)
    draft.note(Mark.COMPLAINED)
    if again:
        return draft.say("missed-again")
    if repeats:
        return draft.say("repeated")
    quote = quote_last(draft, line)
    return draft.say("missed" if quote else "missed-bare", "missed-bare", more={"quote": quote})


def quote_last(draft: Draft, line: Line) -> str:
    """Quote what the person said before this line, what has most of its words if there is any."""
    words = {word for word in line.words if word not in subjects.PLAIN}
    before = [each.words for each in draft.memory.statements if each.words not in line.text]
    before = [each for each in before if not QUESTIONS["excuse"].match(each)] or before
    alike = [each for each in before if words & set(find_words(each))]
    return memories.quote_whole((alike or before)[-1]) if before else ""


def drop_lead(line: Line) -> Line:
    """Return a line without a sorry, a laugh or a don't know before what it says."""
    rest = QUESTIONS["idle lead"].sub("", line.text, count=1)
    shorter = rest != line.text and len(rest.split()) >= SHORTEST
    return normalise(rest) if shorter else line


def answer_aside(draft: Draft, line: Line) -> bool:
    """Answer a line that is about the talk itself, or about him."""
    plain = line.plain
    further = QUESTIONS["further"].search(plain)
    if QUESTIONS["heard"].fullmatch(plain):
        if draft.is_begun or not draft.say("heard"):
            turns.carry_on(draft, patient=True)
    elif QUESTIONS["simpler"].search(plain):
        draft.say("simpler")
        if not turns.wonder(draft):
            turns.ask_question(draft)
    elif QUESTIONS["bored"].search(plain):
        turns.ask_topic(draft, after="bored")
    elif _wants_else(draft, line) and not further and not find_topic(draft.session, line):
        draft.unmark(Mark.GRAVE)
        draft.change_talk(topic="")
        turns.ask_topic(draft, after="else")
    elif QUESTIONS["more"].search(plain):
        if not turns.tell_fact(draft):
            turns.ask_topic(draft, after="more-none")
    elif line.words and all(word.isdigit() for word in line.words):
        number = spell_number(line.words[0])
        year = number.isdigit() or turns.is_mood_grave(draft)
        draft.say("answered" if year else "shape-count", more={"number": number, "given": number})
        turns.carry_on(draft, patient=True)
    elif name := find_stranger(draft.session, line):
        if not draft.say("stranger", more={"called": name}):
            turns.carry_on(draft)
    else:
        return is_question(line) and (answer_sum(draft, line) or answer_about_himself(draft, line))
    return True


def _wants_else(draft: Draft, line: Line) -> bool:
    """Say whether a line wants another subject; in grief it has to speak of talking."""
    told = turns.is_mood_grave(draft) and not MOODS.search("turns away", line.plain)
    return bool(QUESTIONS["else"].search(line.plain)) and not (told and "i" in line.words)


def answer_sum(draft: Draft, line: Line) -> bool:
    """Answer a sum; False if there is none in the line."""
    result = work_out(line)
    if result:
        draft.add(draft.chance.choice(load_templates()["other-sum"]).text.format(result=result))
    return bool(result)


def _name_other(plain: str) -> str:
    """Return what a question is about that he cannot answer."""
    return next((name for name in OTHERS if OTHERS.search(name, plain)), "")


def decline_question(draft: Draft, line: Line) -> None:
    """Say plainly that he does not know, by what was asked about."""
    section = _name_other(line.plain)
    if section == "judged" and turns.is_mood_grave(draft):
        draft.say("other-judged-grave")
        return
    if section not in GROUPS["of the asker"] and (said := facts.find_said(draft.session, line)):
        draft.add(said)
        return
    found = OTHERS.search(section, line.plain) if section else None
    more = (
        {name: _spell(word, line.text) for name, word in found.groupdict().items()} if found else {}
    )
    clock = "their-clock" if HIMSELF.search("clock", line.plain) else "other"
    draft.say(f"other-{section}" if section else clock, "other", more=more)


# Sums, worked out exactly: `what is 17 times 3`, `3 + 4 * 5`, `a third of 14`


def work_out(line: Line) -> str:
    """Return the result of the sum in a line, as one writes it; nothing if there is none."""
    spoken = line.plain
    for words, sign in SPOKEN.items():
        spoken = re.sub(rf"\b{words}(?!\w)", sign, spoken)
    found = SUM.search(line.text[:200]) or SUM.search(spoken)
    if found is None:
        return ""
    parts = [found[1], *(part for step in re.findall(STEP, found[2]) for part in step)]
    if len(parts) > MAX_PARTS or max(map(len, parts)) > MAX_DIGITS:
        return ""
    try:
        result = _write(_evaluate(parts))
    except (ValueError, ArithmeticError):  # it has no result, or one that is too large
        return ""
    return result if len(result) <= MAX_LETTERS else ""


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or not 0 <= exponent <= MAX_POWER:
        raise ValueError("this is too large")
    return Fraction(base ** int(exponent))


OPERATIONS: dict[str, tuple[int, Callable[[Fraction, Fraction], Fraction]]] = {
    "+": (1, operator.add), "-": (1, operator.sub),
    "*": (2, operator.mul), "x": (2, operator.mul), "×": (2, operator.mul),
    "/": (2, operator.truediv), "÷": (2, operator.truediv), "%": (2, operator.mod),
    "^": (3, _power),
}  # fmt: skip


def _evaluate(parts: list[str], least: int = 1) -> Fraction:
    """Work out numbers and signs from the left, as far as these bind so tightly; use them up."""
    value = Fraction(parts.pop(0))
    while parts and OPERATIONS[parts[0]][0] >= least:
        tight, apply = OPERATIONS[parts.pop(0)]
        value = apply(value, _evaluate(parts, tight + 1))
    return value


def _write(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    decimals = f"{float(value):.{MAX_DECIMALS}f}".rstrip("0")
    return decimals if Fraction(decimals) == value else f"{value}, about {float(value):.2f}"
