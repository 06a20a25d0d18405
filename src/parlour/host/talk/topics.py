"""Which topic a line brings into a talk, if any: a bare word, a request, or a turn elsewhere.

A statement that can be about the present topic is about it; only a clear turn changes the subject.
"""

from __future__ import annotations

import re
from functools import lru_cache

from parlour.host.language import SMALL_WORDS, Line, WordSense, distance, english, texts
from parlour.host.session import Session
from parlour.host.talk.draft import Draft, Mark
from parlour.host.talk.memory import is_grave
from parlour.host.talk.subjects import KIND_OF, PLAIN, WORDS, find_entry, find_taught, is_teachable

EXPRESSIONS = texts.read_expressions("talk/expressions/topics.txt")
POINTERS = WORDS["pointers"]
TOO_PLAIN = PLAIN - WORDS["topical"]  # some plain words are good topics when they stand alone
FEWEST, MAX_LETTERS = 5, 20  # letters of a word in which a slip can be recognised
FEWEST_WORDS = 3  # of a statement
APART = 3  # doublings by which a word must be commoner than its rivals
RARE = 2  # how common a verb is at most that may be a name
MAX_BARE = 4  # words of a line that is a topic and nothing else
ANSWERED_BY_A_WORD = ("teach", "who")  # questions that a bare word answers; it is not a topic


def find_topic(session: Session, line: Line) -> WordSense | None:
    """Return the entry of the topic that a line of a talk brings; None if it brings none."""
    phrase, explicit = _find_phrase(session, line)
    if not phrase or find_stranger(session, line):
        return None
    if not explicit and session.talk.asked.startswith(ANSWERED_BY_A_WORD):
        return _find_instead(session, phrase, line.text)
    if explicit and _find_capital(phrase, line.text):
        for entry in english.find_entries(" ".join(_strip_articles(phrase.split())), "noun"):
            return entry
    return _find_bare(session, phrase) or (_find_head(session, phrase) if explicit else None)


def find_stranger(session: Session, line: Line) -> str:
    """Return the name of somebody he has never heard of, if the line asks about one or is one.

    A capital letter inside a line makes a name, whatever verb may be spelt the same.
    """
    phrase, explicit = _find_phrase(session, line)
    name = _find_capital(phrase, line.text) if phrase else ""
    entries = list(english.find_entries(name)) if name else []
    if not name or any(entry.kind == "noun" for entry in entries) or english.is_rude(name):
        return ""
    if session.talk.asked.startswith(ANSWERED_BY_A_WORD) or find_taught(session.memory, name):
        return ""
    if explicit:
        chief = _find_head(session, phrase) if not line.words[0].startswith("who") else None
        return "" if chief and chief.kind == "noun" else name
    rare = [entry for entry in entries if entry.common <= RARE and entry.word == name.lower()]
    return name if entries and len(rare) == len(entries) else ""


def _find_capital(phrase: str, text: str) -> str:
    """Return the phrase as it is spelt in a text, if each word of it has a capital letter."""
    words = _strip_articles(phrase.split())
    spelt = {word.lower(): word for word in re.findall(r"[^\W\d_]+", text)}
    found = [spelt.get(word, "") for word in words]
    return " ".join(found) if words and all(word.istitle() for word in found) else ""


def _find_instead(session: Session, word: str, text: str) -> WordSense | None:
    """Return the topic of somebody who was asked for a name, or for the kind of a new word.

    A capital letter makes a name. A word that says what kind it is makes an answer, and so does,
    the first time, whatever the new word may be a kind of.
    """
    if session.talk.asked.startswith("who"):
        return None if find_name(text) else _find_bare(session, word)
    word = " ".join(_strip_articles(word.split()))
    first, entry = session.talk.asked.startswith("teach-kind.0"), _find_bare(session, word)
    if not session.talk.asked.startswith("teach-kind") or entry is None or word in KIND_OF:
        return None
    return None if first and entry.word == word else entry


def find_name(text: str) -> str:
    """Return the name that a short answer gives: with a capital letter, or no other word."""
    found = EXPRESSIONS["name"].fullmatch(text.strip())
    if not found or english.is_rude(found["name"]) or found["name"].lower() in PLAIN:
        return ""
    name = found["name"]
    given = found["lead"] or (name[0].isupper() and not name.isupper()) or not english.look_up(name)
    return name if given else ""


def find_unknown(session: Session, line: Line) -> str:
    """Return the word that a line brings as a topic and that he does not know."""
    phrase, explicit = _find_phrase(session, line)
    if (not explicit and session.talk.asked.startswith(ANSWERED_BY_A_WORD)) or not phrase:
        return ""
    words = _strip_articles(phrase.split())
    if find_stranger(session, line) or len(words) != 1:
        return ""
    word = words[0]
    adverb = word.endswith("ly") and find_entry(session.memory, word.removesuffix("ly"))
    known = word in PLAIN | WORDS["noises"] or find_entry(session.memory, word)
    slip = not known and guess_word(word)[0] in PLAIN  # of a small word
    return word if is_teachable(word) and not (known or slip or adverb) else ""


def is_readable(session: Session, line: Line) -> bool:
    """Say whether there is anything in a line that he can take for words, or for a number."""
    if not all(char.isprintable() or char.isspace() for char in line.text):
        return False
    words = line.words
    letters = [word for word in words if word.isascii() and not word.isdigit()]
    if not letters:
        return bool(words) and all(word.isdigit() and len(word) < 5 for word in words)
    right = PLAIN | SMALL_WORDS | WORDS["noises"]
    adverbs = [word for word in letters if word.endswith("ly") and len(word) > FEWEST]
    if adverbs or any(word in right or find_entry(session.memory, word) for word in letters):
        return not (set(words) <= WORDS["mashed"])
    new = len(words) == 1 and is_teachable(letters[0])
    return new or any(guess_word(word)[0] for word in letters)


def is_statement(session: Session, line: Line) -> bool:
    """Say whether a line is talk: a sentence in plain words, or anything after his own talk."""
    if Draft.of(session).list_recent(Mark.SPOKE, 2):
        return True
    words, small = line.words, PLAIN | SMALL_WORDS
    known = [word for word in words if word in small or find_entry(session.memory, word)]
    long = len(words) >= FEWEST_WORDS and len(known) >= len(words) * 2 / 3
    return long and bool(WORDS["starts"] & set(words))


def guess_word(word: str) -> tuple[str, bool]:
    """Guess the common word that an unknown one is meant to be, and say whether that is sure.

    One slip is enough in a word of some length, and two where they do not change the sound.
    """
    if not FEWEST <= len(word) <= MAX_LETTERS or not word.isascii() or not word.isalpha():
        return "", False
    stem = word.removesuffix("ing")
    for base in (stem, stem + "e", stem[:-1], stem[:-1] + "e") if stem != word else ():
        if any(each.word == base for each in english.find_entries(base, "verb")):
            return english.ing(base), True
    found: list[tuple[int, int, str]] = []
    for ending in ("", "s") if word.endswith("s") else ("",):
        bare = word.removesuffix(ending) if ending else word
        for other, common, kind in _list_alike(bare[0], len(bare)):
            fits = (kind == "n" or not ending) and len(set(bare) ^ set(other)) <= 4
            slips = distance(bare, other) if fits else 3
            if slips == 1 or (slips == 2 and distance(_sound(bare), _sound(other)) < 1):
                plural = english.plural(other) if ending else other
                found.append((slips, -common, plural))
    if not found:
        return "", False
    found.sort()
    rival = len(found) > 1 and found[1][0] == found[0][0] and found[1][1] - found[0][1] < APART
    return found[0][2], found[0][0] == 1 and not rival and len(word) > FEWEST


def _sound(word: str) -> str:
    """Spell a word as it sounds, roughly."""
    word = re.sub(r"(.)\1", r"\1", word.replace("ph", "f").replace("ck", "k").replace("c", "k"))
    return word.replace("ei", "ie").replace("y", "i").replace("z", "s")


@lru_cache(maxsize=512)
def _list_alike(first: str, length: int) -> tuple[tuple[str, int, str], ...]:
    """List the common words with this first letter, about as long."""
    lines = english.unpack()
    start = max(0, lines.find(b"\n" + first.encode()))
    end = lines.find(b"\n" + chr(ord(first) + 1).encode(), start)
    mark = rb"\n(.[a-z]{%d,%d})\t(?:[\^~=][^\t\n]*\t)*([nva])([4-9a-f])"
    wanted = re.compile(mark % (max(length - 3, 2), length + 1))
    found = [
        (word.decode(), int(common, 16), kind.decode())
        for word, kind, common in wanted.findall(lines, start, end if end > 0 else len(lines))
    ]
    small = [(word, 15, "") for word in PLAIN if word[0] == first and abs(len(word) - length) < 3]
    return tuple({each[0]: each for each in [*found, *small]}.values())


def _find_phrase(session: Session, line: Line) -> tuple[str, bool]:
    """Return the words that name the topic, and whether the line asks for it explicitly."""
    raw = english.to_key(line.text)
    bare = raw and raw not in PLAIN and len(raw.split()) <= MAX_BARE
    if bare and not set(raw.split()) & POINTERS and find_entry(session.memory, raw):
        return raw, False
    plain = EXPRESSIONS["before"].sub("", line.plain + " ").strip()
    plain = EXPRESSIONS["after"].sub("", plain)
    if found := EXPRESSIONS["request"].match(plain):
        return found["x"].strip(), True
    if found := EXPRESSIONS["question"].match(plain):
        phrase = found["x"].strip()
        entry = _find_bare(session, phrase) or _find_head(session, phrase)
        present = entry is not None and entry.word == session.talk.topic
        return ("", False) if present else (phrase, True)
    if (found := EXPRESSIONS["turn"].match(plain)) and not is_grave(line.text):
        return (found["x"], True) if _is_new(session, found["x"]) else ("", False)
    if len(plain.split()) <= MAX_BARE and not plain.startswith(("i ", "you ", "we ", "it ")):
        return plain, False
    return "", False


def _find_bare(session: Session, phrase: str) -> WordSense | None:
    """Return the entry that the whole phrase names, apart from an article."""
    words = _strip_articles(phrase.split())
    if not words or len(words) > MAX_BARE or set(words) & POINTERS or words[0] in TOO_PLAIN:
        return None
    return find_entry(session.memory, " ".join(words))


def _find_head(session: Session, phrase: str) -> WordSense | None:
    """Return the entry of the chief word: `dogs` of `big dogs in the park`."""
    words = _strip_articles(phrase.split())
    cut = next((i for i, word in enumerate(words) if i and word in WORDS["joints"]), len(words))
    words = words[:cut]
    for start in range(len(words)):
        rest = words[start:]
        if len(rest) <= MAX_BARE and not set(rest) & POINTERS:
            entry = find_entry(session.memory, " ".join(rest))
            if entry and not (len(rest) == 1 and rest[0] in TOO_PLAIN):
                return entry
    return None


def _is_new(session: Session, word: str) -> bool:
    """Say whether a word has nothing to do with the present topic, as far as he knows."""
    here, there = find_entry(session.memory, session.talk.topic), find_entry(session.memory, word)
    if there is None or word in PLAIN or (here is not None and here.kind != "noun"):
        return False
    if here is None:
        return True
    related = {there.word, *there.related}
    return here.sort != there.sort and not {here.word, *here.is_a} & related


def _strip_articles(words: list[str]) -> list[str]:
    while len(words) > 1 and words[0] in WORDS["articles"]:
        words = words[1:]
    return words
