"""Questions for the dictionary: what a word means, whether one thing is another, kinds and parts.

A question must have a shape from `expressions/dictionary.txt`, and its words must be in the
dictionary; anything else is left to the rest of him. Of several meanings he takes the one that
goes with the talk, else the commonest. He says what the dictionary says, and that it is the
dictionary that says it: what it does not have he neither affirms nor denies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parlour.core import all_of, capital, one_of, sentence
from parlour.host.language import (
    SMALL_WORDS,
    Line,
    dictionary,
    english,
    read_expressions,
    read_pairs,
    read_sections,
    read_words,
)
from parlour.host.language.dictionary import Sense
from parlour.host.session import Session
from parlour.host.talk.subjects import UNIQUE, WORDS, Subject, find_taught, is_teachable
from parlour.host.talk.topics import TOO_PLAIN, guess_word

SHAPES = read_expressions("talk/expressions/dictionary.txt")
LINES = "talk/lines/dictionary.txt"
MAX_WORDS = 40  # of a line that may ask for a word
LIKELY = 3  # meanings of a word that are looked at for what it is a kind of
WIDER = 5  # the same for what it may be a kind of
KNOWN, WELL_KNOWN = 3, 6  # how common a word is that says what something is
LESS_LIKELY = 0.5  # how many shared words make up for each place further down
RARE, RATHER_RARE = 4, 7  # how common a word is at most that counts for three or two
A_FEW = 5  # words in a list
STATES = re.compile(r"(?:an?|any|the|one|either|each|some\w*|all|several|two) ")
COUNTS = re.compile(r"(?:an?|any|one|either|each) ")
OWN = read_words("talk/dictionary.txt")
PAIRS = read_pairs("talk/dictionary.txt")
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "plural": ("noun", english.plural),
    "past": ("verb", english.past),
    "comparative": ("adjective", english.comparative),
    "superlative": ("adjective", english.superlative),
}
IS_A = ("is a", "says that it is", "either")
NEVER_OF_A_GAME = (*FORMS, "opposite", "same words", "part of", "whole", "word kind")
Lines = tuple[str, ...]


def answer_word_question(session: Session, line: Line, known: bool = False) -> Lines | None:
    """Answer a question for the dictionary, perhaps only about words that it has; else None."""
    if not 1 < len(line.words) <= MAX_WORDS:
        return None
    texts = _list_beginnings(line)
    matches = [
        (Asked(session, line, shape, text, found), answer)
        for text in texts
        for shape, answer in ANSWERS.items()
        if (found := SHAPES[shape].match(text))
    ]
    for asked, answer in matches:
        if lines := answer(asked):
            return lines
    unknown = map(_answer_unknown, (asked for asked, _ in reversed(matches) if not known))
    return next(filter(None, unknown), None)


def _list_beginnings(line: Line) -> list[str]:
    """List the line and its beginnings, up to a stop or a remark, the longest first."""
    plain = SHAPES["lead"].sub("", line.plain)
    ends = {found.start() for found in SHAPES["rest"].finditer(plain)}
    at = 0
    for stop in re.finditer(r"([a-z]+)[\"'”’)]*[?.,;:!]", line.text[: len(plain) * 2].lower()):
        if (start := plain.find(stop[1], at)) >= 0:
            ends.add(at := start + len(stop[1]))
    return [plain, *(plain[:end] for end in sorted(ends, reverse=True) if 0 < end < len(plain))]


@dataclass(frozen=True)
class Word:
    """A word that was asked about, with its meanings, the likeliest first."""

    text: str
    senses: tuple[Sense, ...]
    taught: str = ""  # what it is a kind of, if that is all he knows

    def of_kind(self, kind: str) -> list[Sense]:
        """Return the meanings of one kind of word."""
        return [sense for sense in self.senses if sense.kind == kind]


@dataclass(frozen=True)
class Asked:
    """A question that has a shape: where, in which words, and where the shape finds its gaps."""

    session: Session
    line: Line
    shape: str
    text: str
    found: re.Match[str]

    def gap(self, name: str) -> str:
        """Return what fills a gap of the shape, under any of its numbers."""
        groups = self.found.groupdict()
        return next((t for key, t in groups.items() if t and key.rstrip("0123456789") == name), "")

    def word(self, name: str, taught: bool = False) -> Word | None:
        """Return the word in a gap, perhaps one that was taught; an article or `to` before it
        tells its kind.
        """
        text = self.gap(name)
        key = next((k for k, t in self.found.groupdict().items() if t == text), name)
        lead = self.text[: self.found.start(key)].split()[-1:] if text else []
        first = lead[0] if lead and lead[0] in ("a", "an", "to") else ""
        if (name == "x" or self.shape not in IS_A) and self.of_a_game & set(text.split()):
            return None
        word = _find(self.session, text, first, self.gap("about")) if text else None
        if word and name == "x" and {sense.word for sense in word.senses[:1]} & self.of_a_game:
            return None  # `passing` is of a game as `pass` is
        return word if word and (taught or not word.taught) else None

    @property
    def of_a_game(self) -> frozenset[str]:
        """The words that are left to the games in a question of this shape."""
        mode = self.session.mode
        if mode == "talk" or self.shape in NEVER_OF_A_GAME:
            return frozenset()
        here = OWN["at a table"] if mode != "chat" else frozenset()
        return OWN["of a game"] | here

    def say(self, section: str, /, **gaps: str) -> Lines:
        """Return a line of a section, another each turn."""
        lines = read_sections(LINES)[section]
        text = lines[(self.session.turn + self.session.seed) % len(lines)]
        both = gaps | {capital(name): capital(gap) for name, gap in gaps.items()}
        return (sentence(text.format_map(both).replace(".;", ";")),)


def asks_for_word(line: Line) -> bool:
    """Say whether a line is about a word as such, whatever the word may also mean in a game."""
    shapes = ("means", *NEVER_OF_A_GAME)
    return any(SHAPES[s].match(text) for text in _list_beginnings(line) for s in shapes)


# Words and their meanings


def _find(session: Session, text: str, lead: str = "", about: str = "") -> Word | None:
    """Return a word that may be asked about, if he knows it."""
    if text in OWN["pointing at what was named"] and session.mode == "talk":
        text = session.talk.topic
    words = text.split()
    left_alone = (OWN["persons"] | OWN["of the games"]) & set(words)
    if not words or left_alone or english.is_rude(text):
        return None
    if taught := find_taught(session.memory, text):
        above = dictionary.find_senses(taught.is_a[0]) if taught.is_a else ()
        return Word(taught.word, above, taught=taught.is_a[0] if taught.is_a else "?")
    senses = dictionary.find_senses(f"{lead} {text}" if lead else text)
    if not senses and len(words) == 1 and text not in WORDS["plain"]:
        meant, _ = guess_word(text)
        senses = dictionary.find_senses(f"{lead} {meant}" if lead else meant) if meant else ()
    topic = about or (session.talk.topic if session.mode == "talk" else "")
    return Word(text, _order(senses, topic)) if senses else None


def _order(senses: tuple[Sense, ...], topic: str) -> tuple[Sense, ...]:
    """Move meanings up that have to do with a topic."""
    if not topic or len(senses) < 2 or english.to_key(topic) in senses[0].words:
        return senses
    around = _list_topical(topic)

    def weigh(item: tuple[int, Sense]) -> float:
        place, sense = item
        shared = (around & _list_things(sense)) - {sense.word}
        return LESS_LIKELY * place - sum(map(_weigh, shared))

    return tuple(sense for _, sense in sorted(enumerate(senses), key=weigh))


def _weigh(word: str) -> int:
    """Return how much a shared word says: the rarer, the more."""
    entry = english.look_up(word)
    common = entry.common if entry else 0
    return 1 + (common <= RATHER_RARE) + (common <= RARE)


@lru_cache(maxsize=64)
def _list_topical(topic: str) -> frozenset[str]:
    """List the words that have to do with a topic."""
    entries = english.find_entries(topic)[:1]
    related = {word for entry in entries for word in entry.related}
    senses = dictionary.find_senses(topic)[:1]
    return frozenset({topic, *related}.union(*map(_list_things, senses)))


@lru_cache(maxsize=512)
def _list_things(sense: Sense) -> frozenset[str]:
    """List the things in a definition, and what it is a kind of, in their base forms."""
    near = [word for above in dictionary.list_above(sense)[:3] for word in above.words]
    words = {*re.findall(r"[a-z]{3,}", sense.gloss.lower()), *near, *sense.words}
    bases = {_find_base(word) for word in words - WORDS["plain"] - SMALL_WORDS}
    return frozenset(bases - WORDS["trivial"] - {""})


@lru_cache(maxsize=4096)
def _find_base(word: str) -> str:
    """Return the noun that this is a form of, or a word that the lexicon does not have."""
    entries = english.find_entries(word)
    return next((e.word for e in entries if e.kind == "noun"), "" if entries else word)


# How a meaning is named


def _name(sense: Sense) -> str:
    """Name a meaning with its article: a whale, music, to run."""
    if sense.kind != "noun":
        return f"to {sense.word}" if sense.kind == "verb" else sense.word
    for entry in english.find_entries(sense.word):
        if entry.kind == "noun" and entry.word == sense.word:
            one = entry.counted and sense.word in OWN["counted too"]
            return english.a(sense.word) if one else Subject(entry).forms()["a"]
    solid = any(above.word == "object" for above in dictionary.list_above(sense))
    counted = COUNTS.match(sense.gloss) or (solid and not sense.gloss.endswith("s"))
    return english.a(sense.word) if counted and not sense.name else sense.word


def _describe(asked: Asked, sense: Sense) -> Lines:
    """Say what a meaning is."""
    name, gloss = _name(sense), sense.gloss
    if sense.kind == "noun" and asked.gap("the") == "the ":
        name = f"the {sense.word}"
    if not gloss:
        above = dictionary.list_above(sense)[:1]
        return asked.say("colon", a=name, gloss=_name(above[0])) if above else ()
    section = sense.kind
    if sense.kind == "noun":
        many = name == sense.word and sense.word in WORDS["plural only"]
        section = ("nouns" if many else "noun") if STATES.match(gloss) else "colon"
    elif sense.kind == "verb":
        first = re.split(r"\W", gloss)[0]
        acts = any(e.kind == "verb" and e.word == first for e in english.find_entries(first))
        section = "verb" if acts or first == "be" else "colon"
    return asked.say(section, a=name, word=sense.word, gloss=gloss)


def _name_kind(sense: Sense, but: Iterable[Sense] = ()) -> str:
    """Name the best known thing that it is a kind of, and that others are not."""
    shared = {above.at for other in but for above in (other, *dictionary.list_above(other))}
    above = [each for each in dictionary.list_above(sense) if each.at not in shared]
    weighed = [(_get_common(each), each) for each in above if each.word not in WORDS["trivial"]]
    near = next((each for common, each in weighed if common >= WELL_KNOWN), None)
    best = near or max(weighed, key=lambda each: each[0])[1] if weighed else None
    return _name(best) if best else ""


def _get_common(sense: Sense) -> int:
    entries = english.find_entries(sense.word)
    fit = (e.common for e in entries if e.kind == sense.kind and e.word == sense.word)
    return next(fit, 0) if sense.rank < LIKELY else 0


# What is it


def _answer_meaning(asked: Asked) -> Lines | None:
    if english.is_rude(asked.gap("x")):
        return asked.say("rude")
    word = asked.word("x", taught=True)
    if word is None or (asked.shape == "what is" and not _asks_for_meaning(asked, word)):
        return None
    if word.taught:
        if word.taught == "?":
            return asked.say("taught bare", word=word.text)
        return asked.say("taught", a=english.a(word.text), b=word.taught)
    return _describe(asked, word.senses[0])


def _asks_for_meaning(asked: Asked, word: Word) -> bool:
    """Say whether `what is the x` asks for a definition, and not for an x at hand."""
    text = asked.gap("x")
    if word.taught or text in OWN["not asked of a dictionary"]:
        return bool(word.taught)
    if asked.gap("the").strip() == "the":
        alone = text in UNIQUE or " " in text or word.senses[0].name
        one = english.to_key(text) in word.senses[0].words  # not `what are the orders`
        return alone or (one and asked.session.mode in ("chat", "talk"))
    loose = word.senses[0].kind == "noun" or asked.session.mode in ("chat", "talk")
    return bool(asked.gap("the")) or (loose and text not in TOO_PLAIN)


def _answer_who(asked: Asked) -> Lines | None:
    word = asked.word("x")
    names = [sense for sense in word.senses if sense.name and sense.gloss] if word else []
    return asked.say("who", a=_name(names[0]), gloss=names[0].gloss) if names else None


def _answer_unknown(asked: Asked) -> Lines | None:
    """Say that a word is not in the dictionary, if it can be one; in a talk he asks about it."""
    mode, weak = asked.session.mode, asked.shape in ("what is", "who", "says that it is")
    if weak and (mode == "talk" or not asked.gap("the")):
        return None
    not_his = OWN["persons"] | OWN["of the games"] | asked.of_a_game
    for name in ("x", "y"):
        words = asked.gap(name).split()
        odd = [word for word in words if word not in WORDS["plain"]]
        fits = odd and all(map(is_teachable, odd)) and not not_his & set(words)
        text = " ".join(words)
        if not fits or dictionary.find_senses(text) or (len(words) > 1 and asked.shape != "means"):
            continue
        quality = [s for s in dictionary.find_senses(text.removesuffix("ly")) if s.kind[0] == "a"]
        if quality and text.endswith("ly"):
            return asked.say("adverb", word=text, list=quality[0].word)
        return asked.say("unknown", word=f"'{text}'")
    return None


# Is it one


def _judge(word: Word, other: Word) -> tuple[str, Sense, Sense] | None:
    """Say how a thing stands to another, by which meaning of each; None if they are no things."""
    ours, theirs = word.of_kind("noun"), other.of_kind("noun")
    if not ours or not theirs:
        return None
    if hit := dictionary.is_kind(ours[0], theirs[:WIDER]):
        return ("yes itself" if hit.at == ours[0].at and not word.taught else "yes"), ours[0], hit
    if dictionary.is_kind(theirs[0], ours[:1]):
        return "other way round", ours[0], theirs[0]
    base = _find_base(theirs[0].word)
    if base in map(_find_base, re.findall("[a-z]+", ours[0].gloss.lower())):
        return "in a way", ours[0], theirs[0]
    for sense in ours[1:LIKELY]:
        if hit := dictionary.is_kind(sense, theirs[:2]):
            return "yes in one sense", sense, hit
    return ("no", *_find_closest(ours, theirs))


def _find_closest(ours: Sequence[Sense], theirs: Sequence[Sense]) -> tuple[Sense, Sense]:
    """Return the likely meanings of two words that have most in common."""
    pairs = [(one, other) for one in ours[:LIKELY] for other in theirs[:LIKELY]]
    return max(pairs, key=lambda pair: _measure_likeness(*pair))


def _measure_likeness(one: Sense, other: Sense) -> float:
    common = dictionary.find_common(one, other)
    depth = 2 * (common.depth + 1) / (one.depth + other.depth + 2) if common else 0.0
    depth += 0.3 * (one.at == other.at)
    return depth - 0.15 * (one.rank + other.rank) - (one.kind != other.kind)


def _answer_is_a(asked: Asked) -> Lines | None:
    word, other = asked.word("x", taught=True), asked.word("y")
    if word is None or other is None or (asked.shape == "says that it is" and not _asks(asked)):
        return None
    bare = asked.found.groupdict().get("y3")
    if bare and any(s.word == bare != english.plural(bare) for s in other.senses[:1]):
        return None  # `are whales big` is no question for a dictionary
    judged = _judge(word, other)
    if judged is None:
        return None
    section, sense, theirs = judged
    name, others = (english.a(word.text) if word.taught else _name(sense)), other.of_kind("noun")
    kind = _name_kind(word.of_kind("noun")[0] if "sense" in section else sense, but=others[:1])
    gaps = {"a": name, "b": _name(theirs), "c": kind, "gloss": sense.gloss}
    if section == "yes":
        above = dictionary.list_above(sense)
        nearer = [each for each in above if dictionary.is_kind(each, [theirs]) and each != theirs]
        nearer = [each for each in nearer if each.at != theirs.at and _get_common(each) >= KNOWN]
        if word.taught:
            return asked.say("yes taught", a=name, b=_name(theirs))
        if nearer:
            gaps["c"] = _name(nearer[0])
        section = "yes nearer" if nearer else section
    elif section in ("no", "in a way") and not kind:
        section = "not filed"
    return asked.say(section, **gaps)


def _asks(asked: Asked) -> bool:
    return asked.line.text.rstrip().endswith("?")


def _answer_either(asked: Asked) -> Lines | None:
    word, others = asked.word("x"), [asked.word("y"), asked.word("z")]
    if word is None or None in others:
        return None
    judged = [_judge(word, other) for other in others if other]
    fit = [each for each in judged if each and each[0] in ("yes", "yes itself", "in a way")]
    if not all(judged):
        return None
    sense = fit[0][1] if fit else word.of_kind("noun")[0]
    section = "either both" if len(fit) == 2 else "either" if fit else "either neither"
    return asked.say(section, b=_name(fit[0][2]) if fit else "", gloss=sense.gloss)


def _answer_word_kind(asked: Asked) -> Lines | None:
    word, wanted = asked.word("x"), asked.gap("kind")
    if word is None or (asked.found.groupdict()["x4"] and not _asks(asked)):
        return None
    kinds = list(dict.fromkeys(sense.kind for sense in word.senses))
    names = all_of(read_sections(LINES)[f"{kind} name"][0] for kind in kinds)
    section = "kinds of word" if wanted in (*kinds, "word") else "kinds of word only"
    return asked.say(section, word=f"'{word.text}'", list=names)


def _answer_measure(asked: Asked) -> Lines | None:
    found = [asked.word("x"), asked.word("y")] if asked.gap("y") else [asked.word("x")]
    things = all(word and word.senses[0].kind == "noun" for word in found)
    return asked.say("measure") if things else None


# Relations


def _list_related(word: Word, relation: str) -> list[str]:
    """List the words that the lexicon relates to a word, by its likeliest meaning first."""
    first = word.senses[0]
    entries = [e for e in english.find_entries(first.word) if e.word == first.word]
    entries.sort(key=lambda entry: entry.kind != first.kind)
    if first.rank:
        entries = entries[1:] + entries[:1]  # the lexicon has two meanings at most
    return next((list(found) for each in entries if (found := getattr(each, relation))), [])


def _answer_kinds(asked: Asked) -> Lines | None:
    word = asked.word("x")
    if word is None or word.senses[0].kind != "noun":
        return None
    if word.senses[0].word in OWN["at a table"] | WORDS["plain"]:
        return None
    kinds = _list_related(word, "kinds")
    plain = [kind for kind in kinds if word.senses[0].word not in kind.split()]
    plain = [kind for kind in plain if kind not in WORDS["trivial"]]
    names = [_pluralise(kind) for kind in (plain if len(plain) > 1 else kinds)[:A_FEW]]
    return asked.say("kinds" if names else "no kinds", word=word.text, list=all_of(names))


def _pluralise(word: str) -> str:
    entry = next((e for e in english.find_entries(word) if e.kind == "noun"), None)
    return Subject(entry).phrase if entry and entry.word == word else word


def _answer_relation(asked: Asked) -> Lines | None:
    relation = {"opposite": "opposites", "parts": "parts", "whole": "part_of"}[asked.shape]
    if asked.shape == "opposite" and (other := PAIRS["small opposites"].get(asked.gap("x"))):
        return asked.say("opposite", word=asked.gap("x"), list=other)
    word = asked.word("x")
    if word is None:
        return None
    name, related = _name(word.senses[0]), _list_related(word, relation)[:A_FEW]
    section = asked.shape if related else f"no {asked.shape}"
    if relation != "opposites":
        related = [_name(found[0]) for each in related if (found := dictionary.find_senses(each))]
    elif related and not _is_mutual(word.senses[0].word, related[0]):
        section = "near opposite"
    join = all_of if relation == "parts" else one_of
    lines = asked.say(section, a=name, word=word.senses[0].word, list=join(related))
    return (
        lines if related or asked.shape == "opposite" else lines + _describe(asked, word.senses[0])
    )


def _is_mutual(word: str, other: str) -> bool:
    return any(word in entry.opposites for entry in english.find_entries(other))


def _answer_same_words(asked: Asked) -> Lines | None:
    word = asked.word("x")
    if word is None:
        return None
    first = word.senses[0]
    listed = _list_related(word, "same") or [w for w in first.words if w != first.word]
    near = _list_related(word, "beside") if first.kind == "adjective" else []
    section = "same words" if listed else "near words" if near else "no same words"
    return asked.say(section, word=first.word, list=one_of((listed or near)[:A_FEW]))


def _answer_part_of(asked: Asked) -> Lines | None:
    part, whole = asked.word("x"), asked.word("y")
    if part is None or whole is None or part.senses[0].kind != "noun":
        return None
    names = {part.senses[0].word, *part.senses[0].words}
    wholes = [s for w in _list_related(part, "part_of") for s in dictionary.find_exactly(w)]
    listed = names & {*_list_related(whole, "parts")}
    yes = listed or dictionary.is_kind(whole.senses[0], wholes)
    gaps = {"a": _name(part.senses[0]), "b": _name(whole.senses[0])}
    return asked.say("part yes" if yes else "part unknown", **gaps)


def _answer_difference(asked: Asked) -> Lines | None:
    """Set two definitions side by side, and say what the two have in common."""
    word, other = asked.word("x"), asked.word("y")
    if word is None or other is None:
        return None
    one, two = _find_closest(word.senses, other.senses)
    if one.at == two.at:
        return asked.say("same", gloss=one.gloss)
    shared = dictionary.find_common(one, two)
    if asked.shape == "same" and shared and shared.at in (one.at, two.at):
        narrow, wide = (one, two) if shared.at == two.at else (two, one)
        return asked.say("kind of the other", a=_name(narrow), word=wide.word)
    lines = [line for sense in (one, two) for line in _describe(asked, sense)]
    if asked.shape == "same":
        lines = [*asked.say("not the same"), *lines]
    if one.kind == "noun" and shared and shared.at not in (one.at, two.at):
        near = shared.depth >= min(one.depth, two.depth) - 1 or _get_common(shared) >= KNOWN
        if near and shared.word not in WORDS["trivial"]:
            lines += asked.say("both", c=shared.word)
    return tuple(lines)


# Forms of a word, and names of animals


def _answer_form(asked: Asked) -> Lines | None:
    word, shape = asked.word("x"), asked.shape
    kind, inflect = FORMS[shape if shape in FORMS else "past"]
    base = next((s.word for s in word.senses if s.kind == kind), "") if word else asked.gap("x")
    if shape == "singular":
        base = next((sense.word for sense in word.of_kind("noun")), "") if word else ""
        return asked.say("form", form=shape, word=asked.gap("x"), list=base) if base else None
    if not base or (word is None and not is_teachable(base)):
        return None
    form = inflect(base)
    if shape == "participle":
        forms = [f for e in english.find_entries(base) if e.kind == "verb" for f in e.forms]
        form = next((f for f in forms if f.endswith("n") or f[-3:] in ("ung", "unk")), form)
    return asked.say("form", form=shape, word=base, list=form)


def _answer_call(asked: Asked) -> Lines | None:
    """Say what the young, a group, the male or the female of an animal is called."""
    word, which = asked.word("x"), asked.gap("which")
    if word is None:
        return None
    found = re.search(r"\b(?:(fe)?male|\w+(?= of\b))", which)
    section = "young" if "child" in which or "son" in which or not found else found[0]
    table = PAIRS[f"{section if section in ('male', 'female', 'young') else 'group'} of"]
    name = table.get(word.senses[0].word)
    return asked.say("called", a=english.a(name)) if name else asked.say("not called")


ANSWERS: dict[str, Callable[[Asked], Lines | None]] = {
    **dict.fromkeys(("plural", "singular", "past", "participle"), _answer_form),
    **dict.fromkeys(("comparative", "superlative"), _answer_form),
    "opposite": _answer_relation,
    "same words": _answer_same_words,
    "kinds": _answer_kinds,
    "parts": _answer_relation,
    "whole": _answer_relation,
    "part of": _answer_part_of,
    "difference": _answer_difference,
    "same": _answer_difference,
    "word kind": _answer_word_kind,
    "measure": _answer_measure,
    "either": _answer_either,
    "is a": _answer_is_a,
    "says that it is": _answer_is_a,
    "call": _answer_call,
    "who": _answer_who,
    "means": _answer_meaning,
    "what is": _answer_meaning,
}
