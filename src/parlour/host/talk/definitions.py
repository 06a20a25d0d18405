"""Answers from the dictionary: what a word means, whether one thing is another, kinds and parts.

`word_questions.py` reads what a line may ask; here the words are looked up, and the first question
whose words are in the dictionary is answered. Of several meanings he takes the one that goes with
the line and with the talk, else the commonest. He says what the dictionary says, and that it is the
dictionary that says it: what it does not have he neither affirms nor denies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise

from parlour.core import all_of, capital, one_of, sentence
from parlour.host import language
from parlour.host.language import NUMBERS, SMALL_WORDS, Line, dictionary, english, normalise, texts
from parlour.host.language.dictionary import LIKELY, Sense, find_base
from parlour.host.session import LastLine, Session
from parlour.host.talk import word_questions
from parlour.host.talk.subjects import UNIQUE, WORDS, Subject, find_taught, is_teachable, list_forms
from parlour.host.talk.topics import TOO_PLAIN, guess_word
from parlour.host.talk.word_questions import DESCRIBES, ONLY_IF_SURE, OWN, SHAPES, Question

LINES = "talk/lines/dictionary.txt"
WIDER = 3  # meanings of a word that another may be a kind of
KNOWN, WELL_KNOWN, NOT_RARE = 3, 6, 9  # how common a word is that says what is asked for
MAX_TELLING = 8  # words of a description that are searched for
A_FEW = 5  # words in a list
LONG = 8  # letters of a word in which a slip leaves no doubt
MANY = 400  # meanings below another that are looked at for its kinds
STATES = re.compile(r"(?:an?|any|the|one|either|each|some\w*|all|several|two) ")
COUNTS = re.compile(r"(?:an?|any|one|either|each) ")
MASS = re.compile(r"(?:phobia|mania|ism|nomy|(?<!ap|th)ology|ness)$")
PAIRS = texts.read_pairs("talk/dictionary.txt")
OPPOSITES = {b: a for a, b in reversed(PAIRS["opposites"].items())} | PAIRS["opposites"]
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "plural": ("noun", english.plural),
    "past": ("verb", english.past),
    "comparative": ("adjective", english.comparative),
    "superlative": ("adjective", english.superlative),
    "third person": ("verb", english.third),
    "gerund": ("verb", english.ing),
}
PREFIXES = ("un", "in", "im", "dis", "non", "ir", "il")
IS_A = ("is a", "are", "says that it is", "either")
AS_SUCH = (*FORMS, "said", "spelling", "letters", "rhyme", "sentence")  # kinds about the mere word
NEVER_OF_A_GAME = (
    *(*AS_SUCH, "opposite", "same words", "part of", "whole", "word kind", "says its kind"),
    *("parts", "made of", "call"),
)
DEFINING = ("means", "what is", "alone")
OF_THINGS = ("kinds", "parts", "made of", "whole", "part of", "call", "does", "about", "exists")
Lines = tuple[str, ...]


def answer_word_question(
    session: Session, line: Line, known: bool = False, sure: bool = False
) -> Lines | None:
    """Answer a question for the dictionary, perhaps only about words that it has; else None.

    A line that is surely such a question is searched for it, and may ask it in any way.
    """
    sure |= "=" in line.text or bool(SHAPES["is a clue"].search(line.plain))
    line = word_questions.join_possessives(line)
    tried: list[Asked] = []
    subject = _find_subject(line) if not known and _asks_about(line, sure) else ""
    whole = Question(
        "subject",
        {"x": subject},
        line.plain if word_questions.list_quoted(line) else "",
        loose=True,
    )
    about = [*word_questions.read_loosely(line, subject), whole] if subject else []
    for question in chain(
        _list_follow_ups(session, line), word_questions.read_questions(line, sure), about
    ):
        if any(_is_less(question, each) for each in tried) or _misses(question, line):
            continue
        asked = Asked(session, line, question, sure and not known)
        if question is not whole and (lines := _answer(asked)):
            return lines
        tried.append(asked)
    tried.sort(key=lambda a: (a.kind in DESCRIBES, a.kind == "subject", len(a.gap("x").split())))
    unknown = map(_answer_unknown, [] if known else tried)
    return next(filter(None, unknown), None)


def _is_less(question: Question, tried: Asked) -> bool:
    """Say whether a question leaves out what makes sense of one that was tried before it.

    The son of a king is not any son, and `once in a blue moon` has nothing to do with moons.
    """
    whole, text = tried.question.text, question.gaps.get("x", "")
    if tried.kind == "described" and question.kind != "described":
        return question.text != whole and question.text in whole
    defines = question.kind in DEFINING
    if defines and text in OWN["of words"]:
        return tried.kind not in DEFINING
    if question.loose and defines:
        return tried.kind in (*AS_SUCH, "family", "word kind")
    return defines and tried.kind == "means" and tried.gap("x").endswith(f" {text}")


@lru_cache(maxsize=64)
def _find_subject(line: Line) -> str:
    """Return what is quoted in a line, else the name or the word in it that is much the rarest."""
    quoted = next(iter(word_questions.list_quoted(line)), "")
    if quoted and dictionary.find_senses(quoted):
        return quoted
    runs = [run.split() for run in word_questions.list_telling(quoted or line.plain)]
    pairs = [f"{one} {two}" for run in runs for one, two in pairwise(run)]
    named = [pair for pair in pairs if dictionary.find_exactly(pair)]
    words = dict.fromkeys(word for run in runs for word in run if word not in WORDS["plain"])
    odd = [word for word in words if len(word) > LIKELY and word.capitalize() in line.text]
    if named := named + [word for word in odd if not dictionary.find_senses(word)]:
        return named[0]
    ranked = sorted((dictionary.get_frequency(word), word) for word in words)[:MAX_TELLING]
    clear = len(ranked) == 1 or (ranked and ranked[0][0] + LIKELY <= ranked[1][0])
    return ranked[0][1] if clear and ranked[0][0] <= (NOT_RARE if line.words[1:] else KNOWN) else ""


def _asks_about(line: Line, sure: bool) -> bool:
    """Say whether a line asks what a definition may tell, and nothing about the two who talk."""
    rest = SHAPES["lead"].sub("", line.plain)
    others = OWN["of the games"] | OWN["of a game"] | OWN["at a table"] | OWN["who talk"]
    asks = SHAPES["asks about"].search(f"{rest} ?" if "?" in line.text[1:] else rest)
    return bool(asks and not others & set(rest.split())) or (
        sure and bool(word_questions.list_quoted(line))
    )


def _misses(question: Question, line: Line) -> bool:
    """Say whether part of a line asks about a plain word, and the line about another."""
    text, gives = question.gaps.get("x", ""), question.kind in (*DEFINING, "kinds")
    ends = "it" in question.gaps or (
        line.plain.endswith(question.text) and not word_questions.list_quoted(line)
    )
    plain = gives and not ends and dictionary.get_frequency(text) >= NOT_RARE
    subject = _find_subject(line) if plain else ""
    return bool(subject) and subject not in text and text not in subject


def asks_for_word(line: Line) -> bool:
    """Say whether a line is about a word as such, whatever the word may also mean in a game."""
    kinds = {"means", "described", "difference", "same", *NEVER_OF_A_GAME}
    questions = word_questions.read_questions(replace(line, text=line.text.replace("?", " ")))
    clue = SHAPES["is a clue"].search(line.plain)
    return bool(clue) or any(each.kind in kinds for each in questions if not each.loose)


def admit_ignorance(session: Session, line: Line) -> Lines | None:
    """Say that the dictionary has no answer, if it can be expected to have one."""
    rest = SHAPES["lead"].sub("", line.plain).split()
    asks = session.mode != "talk" or "?" in line.text or OWN["asking"] & set(rest[:1])
    return _say(session, "no answer") if asks else None


def _list_follow_ups(session: Session, line: Line) -> list[Question]:
    """List the question of the line before, if it is asked again of another word."""
    gaps = word_questions.read_follow_up(line)
    last = _find_last_question(session) if gaps else None
    if not gaps or not last or "x" not in last.gaps:
        return []
    return [replace(last, gaps=last.gaps | gaps, text=line.plain)]


def _find_last_question(session: Session) -> Question | None:
    """Return the question that the line before asked, if the dictionary has an answer to it."""
    line, before = normalise(session.last.text), session.replace(last=LastLine())
    for question in word_questions.read_questions(line, session.last.intent == "ask-word"):
        if not question.loose and _answer(Asked(before, line, question)):
            return question
    return None


def _answer(asked: Asked) -> Lines | None:
    """Answer a question, if the words that it is about are known."""
    names, answer = ANSWERS[asked.kind]
    words = [asked.word(name, taught=asked.kind in IS_A[:3]) for name in names]
    lines = answer(asked, *words) if all(words) else None
    slips = [asked.word(name) for name in "xy" if asked.gap(name)] if lines else []
    for word in slips:
        if word and word.typed and lines:
            lines = (*asked.say("read as", word=f"'{word.typed}'", list=f"'{word.text}'"), *lines)
    return lines


@dataclass(frozen=True)
class Word:
    """A word that was asked about, with its meanings, the likeliest first."""

    text: str
    senses: tuple[Sense, ...]
    taught: str = ""  # what it is a kind of, if that is all he knows
    modifier: str = ""  # what stands before the word that has the meanings
    typed: str = ""  # what was typed, if he took it for a slip

    def of_kind(self, kind: str) -> list[Sense]:
        """Return the meanings of one kind of word."""
        return [sense for sense in self.senses if sense.kind == kind]


@dataclass(frozen=True)
class Asked:
    """A question that somebody asks, with all that helps to find the words that are meant."""

    session: Session
    line: Line
    question: Question
    sure: bool = False  # whether it is surely one
    last: bool = False  # whether nothing else has an answer

    @property
    def kind(self) -> str:
        """The kind of question."""
        return self.question.kind

    def gap(self, name: str) -> str:
        """Return what fills a gap of the question."""
        return self.question.gaps.get(name, "")

    def word(self, name: str, taught: bool = False) -> Word | None:
        """Return the word in a gap, perhaps one that was taught; an article or `to` before it
        tells its kind.
        """
        text = self.gap(name) or ("it" if name == "x" and self.gap("it") else "")
        if not text or ((name == "x" or self.kind not in IS_A) and self.is_of_a_game(text)):
            return None
        if text in OWN["pointing at what was named"]:
            return self._find_named(name) if self.kind != "origin" else None
        names_words = set(text.split()) <= OWN["of words"]
        if names_words and (self.question.loose or self.kind in IS_A):
            return None
        lead = self.question.find_lead(name)
        owner, _, rest = text.partition(" ")
        if self.sure and owner in OWN["owners"] and dictionary.is_kin(rest):
            text = rest
        word = find_word(
            self.session, text, lead, self._list_around(), word_questions.list_excluded(self.line)
        )
        if word is None and name != "x" and self.kind in IS_A:
            word = _find_by_last(self.session, text)
        if word and self.kind in OF_THINGS:  # `bears` is asked about as animals, not as a verb
            word = replace(word, senses=(*word.of_kind("noun"), *word.senses))
        if word and self.kind in OF_THINGS + IS_A and word.senses[0].kind == "adverb":
            return None
        if word and name == "x" and any(map(self.is_of_a_game, [s.word for s in word.senses[:1]])):
            return None  # `passing` is of a game as `pass` is
        return word if word and (taught or not word.taught) else None

    def _find_named(self, name: str) -> Word | None:
        """Return what `it` points at: named in the line, asked about before, or the topic."""
        before = self.line.plain.partition(self.question.text)[0]
        outside = replace(self.line, words=tuple(before.split()))
        around = self._list_around()
        words = [
            find_word(self.session, text, "", around)
            for text in word_questions.list_quoted(self.line)
        ]
        for both, first in word_questions.list_things(outside):
            found_both = find_word(self.session, both, "a", around)
            words.append(found_both or find_word(self.session, first, "a", around))
        found = [word for word in words if word]
        if name != "x" and self.kind in IS_A:
            return found[1] if len(found) > 1 else None
        last = _find_last_question(self.session) if self.session.last.text else None
        topic = self.session.talk.topic if self.session.mode == "talk" else ""
        later = [last.gaps.get("x", "") if last else "", topic]
        return next(iter(found), None) or next(
            (word for text in later if text and (word := find_word(self.session, text))), None
        )

    def _list_around(self) -> list[str]:
        """List the subjects of the question, and the nouns in the rest of the line."""
        left = self.line.plain.replace(self.question.text, " ", 1).split()
        nouns = [find_base(word) for word in left if len(word) > 2 and word not in WORDS["plain"]]
        return [*self.gap("about").split(), *nouns]

    def is_of_a_game(self, text: str) -> bool:
        """Say whether a word is left to the games in a question of this kind."""
        mode = self.session.mode
        if self.kind in NEVER_OF_A_GAME or self.gap("sort"):
            return False
        if OWN["of the games"] & set(text.split()):
            return True
        if mode == "talk" or self.sure or "dictionary" in self.line.words:
            return False
        here = OWN["at a table"] if mode != "chat" else frozenset()
        return bool((OWN["of a game"] | here) & set(text.split()))

    def say(self, section: str, /, **gaps: str) -> Lines:
        """Return a line of a section, another each turn."""
        return _say(self.session, section, **gaps)


def _say(session: Session, section: str, /, **gaps: str) -> Lines:
    lines = texts.read_sections(LINES)[section]
    text = lines[(session.turn + session.seed) % len(lines)]
    both = gaps | {capital(name): capital(gap) for name, gap in gaps.items()}
    return (sentence(text.format_map(both).replace(".;", ";")),)


def find_word(
    session: Session,
    text: str,
    lead: str = "",
    around: Iterable[str] = (),
    excluded: Iterable[str] = (),
) -> Word | None:
    """Return a word that may be asked about, if he knows it."""
    words = text.split()
    if len(text) < 2 or OWN["persons"] & set(words) or english.is_rude(text):
        return None
    if taught := find_taught(session.memory, text):
        above = dictionary.find_senses(taught.is_a[0]) if taught.is_a else ()
        return Word(taught.word, above, taught=taught.is_a[0] if taught.is_a else "?")
    senses, typed = dictionary.find_senses(f"{lead} {text}" if lead else text), ""
    if not senses and len(words) == 1 and text not in WORDS["plain"]:
        meant = _mend(text)
        senses = dictionary.find_senses(f"{lead} {meant}" if lead else meant) if meant else ()
        text, typed = (meant, text) if senses else (text, "")
    if not senses and len(words) > 1:
        senses = dictionary.find_inflected(words)
    if len(text) <= LIKELY:  # `or` is not Oregon
        senses = tuple(sense for sense in senses if not sense.word.isupper())
    topic = session.talk.topic if session.mode == "talk" else ""
    denied = list(excluded)
    near = [each for each in (topic, *around) if each and each not in (*denied, *words)]
    ordered = dictionary.order(senses, near, denied)
    return Word(text, ordered, typed=typed) if senses else None


def _mend(text: str) -> str:
    """Return the word that a slip is surely meant to be."""
    meant, sure = guess_word(text)
    alike = dictionary.list_alike(text) if not sure else []
    known = len(alike) == 1 and (len(text) > LONG or english.look_up(alike[0]))
    return meant if sure else alike[0] if known else ""


def _find_by_last(session: Session, text: str) -> Word | None:
    """Return a compound that the dictionary does not have, by its last word."""
    front, _, last = text.partition(" ")
    plain = OWN["of words"] | SMALL_WORDS | WORDS["plain"]
    if not last or " " in last or last in plain or not dictionary.find_senses(front):
        return None
    word = find_word(session, last)
    return Word(text, word.senses, modifier=front) if word and not word.taught else None


# How a meaning is named


def _name(sense: Sense) -> str:
    """Name a meaning with its article: a whale, music, to run."""
    if sense.kind != "noun":
        return f"to {sense.word}" if sense.kind == "verb" else sense.word
    if MASS.search(sense.word) or sense.word.isupper():
        return sense.word
    for entry in english.find_entries(sense.word, "noun"):
        if entry.word == sense.word:
            one = entry.counted and (sense.word in OWN["counted too"] or sense.rank > 1)
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
    section = "adjective" if sense.kind == "adverb" else sense.kind
    if sense.kind == "noun":
        many = name == sense.word and sense.word in WORDS["plural only"]
        section = ("nouns" if many else "noun") if STATES.match(gloss) else "colon"
    elif sense.kind == "verb":
        first = re.split(r"\W", gloss)[0]
        acts = any(entry.word == first for entry in english.find_entries(first, "verb"))
        section = "verb" if acts or first == "be" else "colon"
    return asked.say(section, a=name, word=sense.word, gloss=gloss)


def _answer_where(asked: Asked, word: Word) -> Lines | None:
    """Say where a place is, or whether it lies in another."""
    place = next((sense for sense in word.senses if sense.name and sense.wholes), None)
    if place is None:
        named = [s for s in word.senses if s.name and asked.kind == "where"]
        return _describe(asked, named[0]) if named else None
    around = dictionary.list_around(place)
    listed = all_of(whole.word for whole in around[: len(place.wholes)])
    if asked.kind == "where":
        return asked.say("where", a=place.word, list=listed, gloss=place.gloss)
    wanted = asked.word("y")
    if wanted is None:
        return None
    role = asked.gap("as")
    said = rf"\b{role}\b(?: and [a-z ]+)? of (?:the )?{wanted.senses[0].word.lower()}\b"
    if role and not re.search(said, place.gloss.lower()):
        return asked.say("not filed", gloss=place.gloss)
    lies = {sense.at for sense in around} & {sense.at for sense in wanted.senses}
    return asked.say(
        "lies in" if lies else "lies elsewhere", a=place.word, b=wanted.senses[0].word, list=listed
    )


def _name_kind(sense: Sense, but: Iterable[Sense] = ()) -> str:
    """Name the best known thing that it is a kind of, and that others are not."""
    shared = {above.at for other in but for above in (other, *dictionary.list_above(other))}
    above = [each for each in dictionary.list_above(sense) if each.at not in shared]
    telling = (each for each in above if each.word not in WORDS["trivial"])
    weighed = [(dictionary.get_common(each), each) for each in telling]
    near = next((each for common, each in weighed if common >= WELL_KNOWN), None)
    best = near or max(weighed, key=lambda each: each[0])[1] if weighed else None
    counted = best and best.rank > 1 and COUNTS.match(best.gloss) and not best.name
    return english.a(best.word) if best and counted else _name(best) if best else ""


# What is it


def _answer_meaning(asked: Asked) -> Lines | None:
    if english.is_rude(asked.gap("x")):
        return asked.say("rude")
    if meaning := PAIRS["small meanings"].get(asked.gap("x")):
        return asked.say("adjective", word=asked.gap("x"), gloss=meaning)
    about = dictionary.find_senses(asked.gap("about"))
    if about and dictionary.is_kind(about[0], dictionary.find_exactly("language")[:1]):
        return asked.say("no origin")
    word = asked.word("x", taught=True)
    plain = (TOO_PLAIN | SMALL_WORDS) - OWN["pointing at what was named"]
    if asked.gap("x") in plain and not re.search(r"\bmean|[\"']", asked.line.text):
        return None
    compared = word and asked.kind == "what is" and re.search("(?:er|est)$", asked.gap("x"))
    if compared and word and word.senses[0].word != asked.gap("x"):
        return None  # what is heavier
    if word is None or (asked.kind == "what is" and not _asks_for_meaning(asked, word)):
        return None
    if word.taught:
        if word.taught == "?":
            return asked.say("taught bare", word=word.text)
        return asked.say("taught", a=english.a(word.text), b=word.taught)
    first, brief = word.senses[0], " " not in word.senses[0].gloss  # to haggle is to wrangle
    others = [s for s in word.senses if (" " in s.gloss if brief else s.rank == 1)][:1]
    also = [s.gloss for s in others if brief or (first.rank, first.kind) == (0, s.kind)]
    return _describe(asked, first) + (asked.say("also", gloss=also[0]) if any(also) else ())


def _answer_by_definition(asked: Asked, word: Word) -> Lines | None:
    """Give the definition to a question that it may answer: what a thing does, and what for."""
    shape, text = asked.kind, asked.gap("x")
    senses = [s for s in word.senses if s.gloss and (s.name or shape != "who")]
    if "who" in asked.line.words:  # the composer, not his music
        senses.sort(key=lambda s: "person" not in {each.word for each in dictionary.list_above(s)})
    of_things = ("does", "about") if asked.session.mode != "game" else ("does", "about", "subject")
    if not senses or (shape in of_things and senses[0].kind != "noun"):
        return None
    clauses = [" ".join(words) for words, mark in asked.line.clauses[:1] if "?" in mark]
    if shape == "alone" and (text in TOO_PLAIN or text not in (*clauses, asked.line.plain)):
        return None
    if shape in ("does", "alone"):
        return _describe(asked, senses[0])
    return asked.say(shape, a=_name(senses[0]), gloss=senses[0].gloss)


def _asks_for_meaning(asked: Asked, word: Word) -> bool:
    """Say whether `what is the x` asks for a definition, and not for an x at hand."""
    text = asked.gap("x") if asked.session.mode == "talk" else word.text
    if asked.gap("it"):
        return True
    if word.taught or (
        text in OWN["not asked of a dictionary"] and asked.gap("the").strip() not in ("a", "an")
    ):
        return bool(word.taught)
    if asked.gap("the").strip() == "the":
        alone = text in UNIQUE or " " in text or word.senses[0].name
        one = english.to_key(text) in word.senses[0].words  # not `what are the orders`
        return alone or (one and asked.session.mode in ("chat", "talk"))
    loose = word.senses[0].kind == "noun" or asked.session.mode in ("chat", "talk")
    return bool(asked.gap("the")) or (loose and text not in TOO_PLAIN)


def _answer_unknown(asked: Asked) -> Lines | None:
    """Say that a word is not in the dictionary, if it can be one; in a talk he asks about it."""
    mode, weak = asked.session.mode, asked.kind in ("what is", "who", "says that it is")
    if asked.kind == "subject" and (lines := _answer(asked)):
        return lines
    if asked.kind in ONLY_IF_SURE or asked.gap("d"):
        return _answer_described(replace(asked, last=True)) if asked.kind == "described" else None
    if weak and (mode == "talk" or not asked.gap("the")):
        return None
    for name in ("x", "y"):
        words = asked.gap(name).split()
        odd = [word for word in words if word not in WORDS["plain"]]
        text = " ".join(words)
        not_his = OWN["persons"] & set(words) or asked.is_of_a_game(text)
        fits = odd and all(map(is_teachable, odd)) and not not_his
        if not fits or dictionary.find_senses(text) or (len(words) > 1 and asked.kind != "means"):
            continue
        quality = [s for s in dictionary.find_senses(text.removesuffix("ly")) if s.kind[0] == "a"]
        if quality and text.endswith("ly"):
            gaps = {"word": text, "list": quality[0].word, "gloss": quality[0].gloss}
            return asked.say("adverb", **gaps)
        alike = [f"'{word}'" for word in dictionary.list_alike(text)[:2]]
        section = "did you mean" if alike else "unknown"
        return asked.say(section, word=f"'{text}'", list=one_of(alike))
    return None


# Is it one


def _judge(word: Word, other: Word) -> tuple[str, Sense, Sense] | None:
    """Say how a thing stands to another, by which meaning of each; None if they are no things."""
    ours, theirs = word.of_kind("noun"), other.of_kind("noun")
    if word.senses[0].kind == other.senses[0].kind == "verb":
        ours, theirs = word.of_kind("verb"), other.of_kind("verb")
    if not ours or not theirs:
        return None
    if (hit := dictionary.is_kind(ours[0], theirs[:WIDER])) and _fits(ours[0], other):
        return ("yes itself" if hit.at == ours[0].at and not word.taught else "yes"), ours[0], hit
    if hit:
        return "not filed", ours[0], hit
    if dictionary.is_kind(theirs[0], ours[:1]):
        return "other way round", ours[0], theirs[0]
    base = find_base(theirs[0].word)
    in_gloss = map(find_base, re.findall("[a-z]+", ours[0].gloss.lower()))
    if base and base in in_gloss and _fits(ours[0], other):
        return "in a way", ours[0], theirs[0]
    for sense in ours[1:]:
        if (hit := dictionary.is_kind(sense, theirs[:WIDER])) and _fits(sense, other):
            likely = hit in theirs[:2] and (sense.rank == 1 or ours[0].name)
            return "yes in one sense" if likely else "yes in a rare sense", sense, hit
    return ("no", *dictionary.find_closest(ours, theirs))


def _fits(sense: Sense, other: Word) -> bool:
    """Say whether the dictionary says of a meaning what stands before the other word."""
    each = (sense, *dictionary.list_above(sense)) if other.modifier else ()
    said = " ".join(text for near in each for text in (near.gloss, *near.words)).lower()
    stem = dictionary.find_stem(other.modifier)
    return not other.modifier or bool(re.search(rf"\b{stem}", said))


def _answer_is_a(asked: Asked, word: Word, other: Word) -> Lines | None:
    if word.text == other.text or (
        asked.kind == "says that it is" and not asked.line.text.rstrip().endswith("?")
    ):
        return None
    bare = asked.gap("y") if asked.kind == "are" else ""
    single = bare and any(s.word == bare != english.plural(bare) for s in other.senses[:1])
    judged = _judge(word, other)
    if judged is None or (single and (other.senses[0].kind != "noun" or judged[0] == "no")):
        return None  # `are whales big` is no question for a dictionary
    section, sense, theirs = judged
    name, others = (english.a(word.text) if word.taught else _name(sense)), other.of_kind("noun")
    kind = _name_kind(word.of_kind("noun")[0] if "sense" in section else sense, but=others[:1])
    their_name = english.a(f"{other.modifier} {theirs.word}") if other.modifier else _name(theirs)
    solid = dictionary.find_exactly("physical entity")  # of nothing else he is sure what it is not
    if section == "yes" and word.taught:
        section = "yes taught"
    elif section == "yes" and not other.modifier:
        nearer = [s for s in dictionary.list_above(sense) if dictionary.is_kind(s, [theirs])]
        nearer = [s for s in nearer if s.at != theirs.at and dictionary.get_common(s) >= KNOWN]
        section, kind = ("yes nearer", _name(nearer[0])) if nearer else (section, kind)
    elif section == "no" and not all([kind, *(dictionary.is_kind(s, solid) for s in judged[1:])]):
        section = "not filed"
    elif section == "in a way" and not kind:
        section = "yes"
    return asked.say(section, a=name, b=their_name, c=kind, gloss=sense.gloss)


def _answer_either(asked: Asked, word: Word, one: Word) -> Lines | None:
    two = asked.word("z")
    judged = [_judge(word, other) for other in (one, two) if other]
    fit = [each for each in judged if each and each[0] in ("yes", "yes itself", "in a way")]
    if two is None or not all(judged):
        return None
    sense = fit[0][1] if fit else word.of_kind("noun")[0]
    section = "either both" if len(fit) == 2 else "either" if fit else "either neither"
    return asked.say(section, b=_name(fit[0][2]) if fit else "", gloss=sense.gloss)


def _answer_word_kind(asked: Asked, word: Word) -> Lines | None:
    wanted = asked.gap("kind")
    if wanted == "word" and not any(word.text in list_forms(s.word, s.kind) for s in word.senses):
        return asked.say("unknown", word=f"'{word.text}'")
    if asked.kind == "says its kind" and not asked.line.text.rstrip().endswith("?"):
        return None
    kinds = list(dict.fromkeys(sense.kind for sense in word.senses))
    names = all_of(texts.read_sections(LINES)[f"{kind} name"][0] for kind in kinds)
    section = "no adverbs" if wanted == "adverb" else "kinds of word only"
    section = "kinds of word" if wanted in (*kinds, "word") else section
    return asked.say(section, word=f"'{word.text}'", list=names)


def _answer_family(asked: Asked, word: Word) -> Lines | None:
    """Name a word of the same family that is of the kind that is asked for."""
    base = word.senses[0].word
    kin = [k for e in english.find_entries(base) for k in e.kin if k[:LIKELY] == base[:LIKELY]]
    found = [
        k for k in kin if any(e.kind == asked.gap("kind") for e in english.find_entries(k)[:1])
    ]
    gaps = {"form": asked.gap("kind"), "word": word.text}
    return asked.say("form", list=one_of(dict.fromkeys(found)), **gaps) if found else None


def _answer_measure(asked: Asked) -> Lines | None:
    found = [asked.word("x"), asked.word("y")] if asked.gap("y") else [asked.word("x")]
    things = [word.of_kind("noun") for word in found if word and word.senses[0].kind == "noun"]
    if len(things) < len(found):
        return None
    senses = dictionary.find_closest(*things) if len(things) > 1 else ()
    return tuple(chain(asked.say("measure"), *(_describe(asked, sense) for sense in senses)))


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
    front, _, last = asked.gap("x").rpartition(" ")
    own = PAIRS["kinds of"].get(f"{front} {find_base(last)}") if front else ""
    if own:
        return asked.say("kinds", list=all_of(own.split("; ")))
    word = asked.word("x")
    if word is None:
        return None
    first = word.senses[0]
    if first.kind != "noun" or first.word in OWN["at a table"] | WORDS["plain"]:
        return None
    if asked.gap("few") and word.text == first.word:
        return None  # what needs no plural is hardly asked for by a number
    if own := PAIRS["kinds of"].get(word.senses[0].word):
        return asked.say("kinds", list=all_of(own.split("; ")))
    kinds = _list_kinds(word)
    plain = [kind for kind in kinds if word.senses[0].word not in kind.split()]
    plain = [kind for kind in plain if kind not in WORDS["trivial"]]
    names = [_pluralise(kind) for kind in (plain if len(plain) > 2 else kinds)[:A_FEW]]
    return asked.say("kinds" if names else "no kinds", word=word.text, list=all_of(names))


def _list_kinds(word: Word) -> list[str]:
    """List what is a kind of a thing: by the lexicon, else what lies below its likely meanings."""
    if len(listed := _list_related(word, "kinds")) > 1:
        return listed
    below = [
        each
        for sense in word.of_kind("noun")[:LIKELY]
        for each in dictionary.list_below(sense, MANY)
        if each.depth <= sense.depth + LIKELY and each.gloss and not each.name
    ]
    below.sort(key=lambda each: (-dictionary.get_common(each), each.depth))
    return list(dict.fromkeys(each.word for each in below)) or listed


def _pluralise(word: str) -> str:
    entries = english.find_entries(word, "noun")[:1]
    return next((Subject(entry).phrase for entry in entries if entry.word == word), word)


def _answer_parts(asked: Asked, word: Word) -> Lines | None:
    """Name the parts of a thing, or what it is part of; and say what it is if none are known."""
    if word.senses[0].kind != "noun":
        return None
    relation, join = ("parts", all_of) if asked.kind == "parts" else ("part_of", one_of)
    named = {f"the {word.senses[0].word}", f"the {english.plural(word.senses[0].word)}"}
    wholes = [whole for whole, own in PAIRS["parts of"].items() if named & {*own.split("; ")}]
    related = ((join is one_of and wholes) or _list_related(word, relation))[:A_FEW]
    listed = [_name(found[0]) for each in related if (found := dictionary.find_senses(each))]
    if relation == "parts" and (own := PAIRS["parts of"].get(word.senses[0].word)):
        listed = own.split("; ")
    section = asked.kind if listed else f"no {asked.kind}"
    lines = asked.say(section, a=_name(word.senses[0]), list=join(listed))
    return lines if listed else lines + _describe(asked, word.senses[0])


def _answer_made_of(asked: Asked, word: Word) -> Lines | None:
    """Say what a thing is made of: stuff, its parts, or else what it is."""
    noun = next(iter(word.of_kind("noun")), None)
    if noun is None:
        return None
    if stuff := PAIRS["made of"].get(noun.word):
        return asked.say("made of", a=_name(noun), list=all_of(stuff.split("; ")))
    if noun.word in PAIRS["parts of"] or not re.search(r"\b(?:made|of|from)\b", noun.gloss):
        return _answer_parts(replace(asked, question=replace(asked.question, kind="parts")), word)
    return _describe(asked, noun)


def _answer_opposite(asked: Asked) -> Lines | None:
    """Name the opposite of a word: his own, the lexicon's, or one by a prefix."""
    word = asked.word("x")
    base = word.senses[0].word if word else asked.gap("x")
    own = OPPOSITES.get(asked.gap("x")) or OPPOSITES.get(base)
    if own or word is None:
        return asked.say("opposite", word=base, list=own) if own else None
    listed = _list_related(word, "opposites")[:A_FEW]
    mutual = [e for each in listed[:1] for e in english.find_entries(each) if base in e.opposites]
    if not listed:
        listed = [p + base for p in PREFIXES if dictionary.find_exactly(p + base)][:1]
    section = "opposite" if mutual else "near opposite" if listed else "no opposite"
    return asked.say(section, word=base, list=one_of(listed))


def _answer_same_words(asked: Asked, word: Word) -> Lines | None:
    first = word.senses[0]
    listed = _list_related(word, "same") or [w for w in first.words if w != first.word]
    near = _list_related(word, "beside") if first.kind == "adjective" else []
    if first.kind == "adjective" and not near:
        below = sorted(dictionary.list_below(first, A_FEW**2), key=dictionary.get_common)
        near = [each.word for each in reversed(below)]
    section = "same words" if listed else "near words" if near else "no same words"
    return asked.say(section, word=first.word, list=one_of((listed or near)[:A_FEW]))


def _answer_part_of(asked: Asked, part: Word, whole: Word) -> Lines | None:
    if part.senses[0].kind != "noun":
        return None
    names = {part.senses[0].word, *part.senses[0].words}
    wholes = [s for w in _list_related(part, "part_of") for s in dictionary.find_exactly(w)]
    own = PAIRS["parts of"].get(whole.senses[0].word, "")
    listed = names & {*_list_related(whole, "parts"), *re.findall("[a-z]+", own)}
    yes = listed or dictionary.is_kind(whole.senses[0], wholes)
    gaps = {"a": _name(part.senses[0]), "b": _name(whole.senses[0])}
    return asked.say("part yes" if yes else "part unknown", **gaps)


def _answer_difference(asked: Asked, word: Word, other: Word) -> Lines | None:
    """Set two definitions side by side, and say what the two have in common."""
    if {word.text, other.text} <= SMALL_WORDS:
        return None
    one, two = dictionary.find_closest(word.senses, other.senses)
    first = [each.senses[0] for each in (word, other)]
    if one.kind == "noun" and asked.kind != "same" and one.at not in [s.at for s in first]:
        one, two = first  # an ocean and a sea, though there are oceans and seas of troubles
    true = [dictionary.find_exactly(f"true {each.word}")[:1] for each in (one, two)]
    if one.at == two.at and all(true):  # a toad is a frog, but a true toad no true frog
        one, two = chain(*true)
    if one.at == two.at:
        return asked.say("same", gloss=one.gloss)
    shared = dictionary.find_common(one, two)
    if asked.kind == "same" and shared and shared.at in (one.at, two.at):
        narrow, wide = (one, two) if shared.at == two.at else (two, one)
        if one.kind == "adjective":
            return asked.say("near the other", a=narrow.word, word=wide.word, gloss=narrow.gloss)
        return asked.say("kind of the other", a=_name(narrow), word=wide.word)
    lines = [line for sense in (one, two) for line in _describe(asked, sense)]
    if asked.kind == "same":
        lines = [*asked.say("not the same"), *lines]
    if one.kind == "noun" and shared and shared.at not in (one.at, two.at):
        near = shared.depth >= min(one.depth, two.depth) - 1
        if (near or dictionary.get_common(shared) >= KNOWN) and shared.word not in WORDS["trivial"]:
            lines += asked.say("both", c=shared.word)
    return tuple(lines)


# Forms of a word, and names of animals


def _answer_form(asked: Asked) -> Lines | None:
    word, shape = asked.word("x"), asked.kind
    shape = "plural" if shape == "one and two" else shape
    kind, inflect = FORMS[shape if shape in FORMS else "past"]
    base = next((s.word for s in word.senses if s.kind == kind), "") if word else asked.gap("x")
    if shape == "singular":
        base = next((sense.word for sense in word.of_kind("noun")), "") if word else ""
        return asked.say("form", form=shape, word=asked.gap("x"), list=base) if base else None
    if not base or (word is None and not is_teachable(base)):
        return None
    form = inflect(base)
    if shape == "participle":
        forms = [form for entry in english.find_entries(base, "verb") for form in entry.forms]
        form = next((f for f in forms if f.endswith("n") or f[-3:] in ("ung", "unk")), form)
    return asked.say("form", form=shape, word=base, list=form)


def _mend_form(text: str) -> str:
    """Return the right form for one that was made by rule: oxen for oxes, taught for teached."""
    for base in dict.fromkeys(word for word, _ in english.list_bases(text)):
        for kind, inflect in FORMS.values():
            right = inflect(base)
            known = any(sense.kind == kind for sense in dictionary.find_exactly(base))
            ends = text.removeprefix(base) in ("s", "es", "ed", "d", "er", "est")
            if known and ends and right != text and right[-2:] != text[-2:]:
                return right
    return ""


def _answer_spelling(asked: Asked) -> Lines | None:
    """Spell a word, or say which of two spellings is in the dictionary."""
    text, other = asked.gap("x"), asked.gap("y")
    if text in OWN["of words"]:
        return None
    right = [t for t in (text, other) if dictionary.find_senses(t) or t in WORDS["plain"]]
    if asked.kind == "spelt either":
        pairs = ((text, other), (other, text))
        if form := next((one for one, two in pairs if _mend_form(two) == one), ""):
            return asked.say("said", list=form)
        alike = language.distance(text, other) < LIKELY and len(right) == 1
        return asked.say("spelt", word=right[0]) if alike else None
    word = right[0] if right else guess_word(text)[0]
    spelt = asked.say("spelling", word=word, list="-".join(word.upper()))
    return spelt if word else asked.say("unknown", word=f"'{text}'")


def _answer_letters(asked: Asked) -> Lines | None:
    text, unit = asked.gap("x"), asked.gap("unit")
    counted = {"letters": "[a-z]", "vowels": "[aeiou]", "consonants": "[b-df-hj-np-tv-z]"}[unit]
    many = len(re.findall(counted, text))
    count = f"{many} {unit if many != 1 else unit[:-1]}"
    return asked.say("letters", word=f"'{text}'", list=count)


def _answer_call(asked: Asked, word: Word) -> Lines | None:
    """Say what the young, a group, the male or the female of an animal is called."""
    which = [PAIRS["whose"].get(each) for each in asked.gap("which").split()]
    section = next(filter(None, which), "group of")
    noun = word.senses[0].word
    name = PAIRS[section].get(noun)
    if not name and section in ("male of", "female of"):
        name = OPPOSITES.get(noun) if noun in OWN["with a counterpart"] else None
    return asked.say("called", a=english.a(name)) if name else None


def _answer_described(asked: Asked) -> Lines | None:
    """Name a thing by its description, if a definition has most of its words."""
    words = asked.gap("d").split()
    kin = [word for word in words if dictionary.is_kin(word)]
    if len(kin) > 1 and set(words) <= {*kin, *OWN["owners"], "of", "the", "a"}:
        whose, who = reversed(kin) if "of" in words else kin  # `your father's mother`
        relative = dictionary.find_relative(who, whose)
        return asked.say("described", a=_name(relative), gloss=relative.gloss) if relative else None
    not_his = OWN["not described"] & set(words[:2]) or any(map(asked.is_of_a_game, words))
    if not_his or (asked.kind == "asks who" and OWN["persons"] & set(words)):
        return None
    lead = {"who": ["person"], "where": ["place"]}.get(asked.question.text.split()[0], [])
    words = [PAIRS["genus"].get(word, word) for word in lead + words]
    words = [word for word in words if word not in OWN["said in a description"]] or [""]
    wide = PAIRS["of genus"].get(words[0])
    if "from" in asked.gap("d").split() and wide == "person":
        words = [words[0], "native", "inhabitant", *words[1:]]
    telling = words if wide is None or words[0] in OWN["telling"] else words[1:]
    if len(telling) < 1 + (not wide) or len(telling) > MAX_TELLING:
        return None
    genus = [] if words[0] in NUMBERS or words[0].isdecimal() else [words[0]]
    nouns = [
        sense
        for each in (genus if wide is None else wide.split())
        for sense in dictionary.find_exactly(each)
        if sense.kind == "noun" and (wide is None or sense.rank <= 1)
    ]
    found = dictionary.find_described(tuple(dict.fromkeys(telling)), nouns, bool(wide))
    found = [sense for sense in found if wide != "" or sense.kind == "noun"]
    if wide is None and nouns:
        found = [s for s in found if s.word in dictionary.OWN or dictionary.is_kind(s, nouns)]
    if not found and wide == "person":  # somebody who carves wood is a carver
        verbs = [entry.word for entry in english.find_entries(telling[0], "verb")]
        names = [verb + ending for verb in verbs for ending in ("r", "er", "or")]
        senses = [sense for each in names for sense in dictionary.find_exactly(each)[:1]]
        found = [sense for sense in senses if dictionary.is_kind(sense, nouns)]
    if not found:
        return asked.say("not called") if asked.last and asked.kind == "described" else None
    return asked.say("described", a=_name(found[0]), gloss=found[0].gloss)


# The words that a question of each kind must have, by their gaps, and who answers it.
ANSWERS: dict[str, tuple[str, Callable[..., Lines | None]]] = {
    **dict.fromkeys(("means", "what is"), ("", _answer_meaning)),
    **dict.fromkeys(IS_A[:3], ("xy", _answer_is_a)),
    "either": ("xy", _answer_either),
    **dict.fromkeys(("difference", "same", "versus"), ("xy", _answer_difference)),
    "kinds": ("", _answer_kinds),
    **dict.fromkeys(("parts", "whole"), ("x", _answer_parts)),
    "made of": ("x", _answer_made_of),
    "part of": ("xy", _answer_part_of),
    "opposite": ("", _answer_opposite),
    "same words": ("x", _answer_same_words),
    **dict.fromkeys(DESCRIBES, ("", _answer_described)),
    "call": ("x", _answer_call),
    **dict.fromkeys("exists who does about alone subject".split(), ("x", _answer_by_definition)),
    **dict.fromkeys(("where", "is in"), ("x", _answer_where)),
    "measure": ("", _answer_measure),
    **dict.fromkeys(("word kind", "says its kind"), ("x", _answer_word_kind)),
    "family": ("x", _answer_family),
    **dict.fromkeys((*FORMS, "one and two", "singular", "participle"), ("", _answer_form)),
    **dict.fromkeys(("spelling", "spelt either"), ("", _answer_spelling)),
    "said": ("", lambda a: a.say("said", list=put) if (put := _mend_form(a.gap("x"))) else None),
    "letters": ("", _answer_letters),
    "rhyme": ("", lambda asked: asked.say("no rhyme")),
    "origin": ("x", lambda asked, word: asked.say("no origin")),
    "sentence": ("x", lambda a, word: a.say("no sentence") + _describe(a, word.senses[0])),
}
