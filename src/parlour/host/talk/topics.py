"""Which topic a line brings into a talk, if any: a bare word, a request, or a turn elsewhere.

A statement that can be about the present topic is about it; only a clear turn changes the subject.
"""

from __future__ import annotations

import re
from functools import lru_cache

from parlour.host.language import SMALL_WORDS, Entry, distance, heard, lexicon
from parlour.host.language import inflect as english
from parlour.host.session import Session
from parlour.host.talk.mirror import is_grave
from parlour.host.talk.words import KIND_OF, PLAIN, known, learned, teachable

FEWEST, MOST_LETTERS = 5, 20  # letters of a word in which a slip can be told
APART = 3  # doublings by which a word is commoner than its rivals, to be sure
RARE = 2  # how common a verb may be that is rather a name
MOST_READ = 400  # characters
MOST_BARE = 4  # words of a line that is a topic and nothing else
BEFORE = re.compile(
    r"^(?:(?:no|yes|yeah|okay|well|so|and|but|oh|hmm|right|anyway|now|actually|please|then"
    r"|enough of (?:that|this|it|them)|enough|never mind|forget (?:that|it)|i know|hey|benedict"
    r"|next topic|new topic|topic|fine|sure|maybe|perhaps|by the way|alright|thanks) )+"
)
AFTER = re.compile(
    r"(?: (?:please|instead|now|then|too|today|again|maybe|perhaps|next|benedict|though|anyway"
    r"|for a (?:bit|change|while|moment|minute)|as well|at all|if you (?:like|do not mind|want)"
    r"|this time|a bit|a little|or something|rather))+$"
)
TALK = r"(?:talk|speak|chat|hear|know|learn|discuss|go on|talking|hearing|speaking|chatting)"
REQUEST = [  # whatever stands at the end is the topic, the present one too
    re.compile(pattern + r" (?P<x>.+)$")
    for pattern in (
        r"^(?:what|how) about",
        rf"^let us (?:just |rather |now |please )?{TALK}(?: more| something)?"
        r"(?: about| of| on| to)?",
        r"^let us (?:do|try|turn to|move on to|go (?:on|back) to|return to|have)",
        r"^(?:can|could|may|shall|might|should) (?:we|you|i) (?:please |just |maybe )?"
        rf"(?:{TALK}|tell me)(?: more| something| me)?(?: about| of| on)?",
        r"^(?:can|could|may|shall|might) (?:we|you|i) (?:please )?"
        r"(?:change|switch|turn|move|go back)"
        r"(?: the)?(?: subject| topic)?(?: on)? to",
        r"^(?:change|switch)(?: the)? (?:subject|topic)(?: to)?",
        r"^(?:please )?tell me(?: more| something| a bit| a story| everything| a little| all)?"
        r"(?: you know)? (?:about|of)",
        r"^(?:what|anything) (?:do|can|could|would|did) you"
        r" (?:know|tell me|say|think|make|feel|hear)"
        r"(?: me)? (?:about|of|on)",
        r"^do you know (?:anything|something|much|a lot|a thing|more) (?:about|of)",
        r"^how do you feel about",
        r"^(?:i|we) (?:want|would like|would love|would rather|would prefer|wish|like|prefer|need)"
        rf"(?: to)? (?:{TALK})(?: more| something)?(?: about| of)?",
        r"^(?:any|your) (?:thoughts?|views?|opinions?)(?: on| about| of)",
        r"^(?:speaking|talking) (?:of|about)",
        r"^(?:that|this|it|which) (?:reminds|makes) me (?:of|think (?:of|about))",
        r"^i (?:am|was|have been|keep) (?:just )?thinking (?:of|about)",
        r"^my favorite (?:[a-z]+ )?(?:topic|subject|thing|animal|food|color|game|sport|music) is",
        r"^(?:something|anything|more) about",
        r"^(?:move on to|back to|on to|now for|next up)",
        r"^(?:did|do) you know(?: that)?(?= [a-z]+s (?:can|have|are|do|eat|sing|dance|live|sleep))",
    )
]
ASKED = [  # the same, but of the present topic it is merely a question
    re.compile(pattern + r" (?P<x>.+)$")
    for pattern in (
        r"^do you (?:like|love|enjoy|hate|prefer|have|own|want|believe in|play|eat|drink|keep)",
        r"^are you (?:fond of|afraid of|scared of|interested in|into|good at)",
        r"^(?:have you )?(?:ever )"
        r"(?:been to|seen|heard of|heard about|heard|tried|had|met|read|eaten"
        r"|tasted|played|owned|touched|ridden|visited|thought about|thought of)",
        r"^have you (?:been to|seen|heard of|tried|met|eaten|tasted|ridden|visited)",
        r"^(?:what|who) (?:is|are|was|were)(?: an?| the)?(?= [a-z]+(?: [a-z]+)?$)",
        r"^do you know(?: what)?(?: an?)?(?= [a-z]+(?: (?:is|are|means))?$)",
    )
]
TURN = re.compile(  # `I have an exam tomorrow`, said of nothing before
    r"^(?:i|we|my (?:mother|mum|mom|father|dad|sister|brother|son|daughter|wife|husband|friend))"
    r" (?:just |also |recently |finally |only )?"
    r"(?:have|has|had|got|bought|own|owns|am getting|am buying)"
    r" (?:got )?(?:an?|my|some|the)(?: new| big| little| small)? (?P<x>[a-z]+)"
    r"(?: (?:today|tomorrow|yesterday|tonight|now|last \w+|next \w+|this \w+|on \w+))*$"
)
NAME = re.compile(
    r"(?P<lead>(?:i am|i'm|im|my name is|my name's|call me|it is|it's|you can call me) )?"
    r"(?P<name>[^\W\d_]{2,20})[.!]*",
    re.IGNORECASE,
)
POINTS = frozenset(
    "it they them their its he she him her mine ours this that these those one ones there too such "
    "his hers itself something anything nothing everything me you us".split()
)
JOINTS = frozenset(
    "in on at with from for to by because when who which while if under over is are means".split()
)
ANSWERED_BY_A_WORD = ("teach", "who")  # what he may have asked, so that a bare word is no topic


def brings(session: Session, text: str) -> str:
    """The topic that a line in a talk brings, in its base form; nothing if it brings none."""
    entry = brought(session, text)
    return entry.word if entry else ""


def brought(session: Session, text: str) -> Entry | None:
    """The entry of that topic."""
    phrase, explicit = _phrase(session, text)
    if not phrase or unmet(session, text):
        return None
    if not explicit and session.talk.asked.startswith(ANSWERED_BY_A_WORD):
        return _instead(session, phrase, text)
    if explicit and _capital(phrase, text):
        for entry in lexicon.entries(" ".join(_unarticled(phrase.split()))):
            if entry.kind == "noun":
                return entry
    return _bare(session, phrase) or (_headed(session, phrase) if explicit else None)


def unmet(session: Session, text: str) -> str:
    """The name of somebody he has never heard of, if the line asks about one or is one.

    A capital letter inside a line makes a name, whatever verb may be spelt the same.
    """
    phrase, explicit = _phrase(session, text)
    name = _capital(phrase, text) if phrase else ""
    entries = list(lexicon.entries(name)) if name else []
    if not name or any(entry.kind == "noun" for entry in entries) or learned(session.memory, name):
        return ""
    if session.talk.asked.startswith(ANSWERED_BY_A_WORD) or lexicon.is_unsaid(name):
        return ""
    if explicit:
        chief = _headed(session, phrase) if not heard(text)[0].startswith("who") else None
        return "" if chief and chief.kind == "noun" else name
    rare = [entry for entry in entries if entry.common <= RARE and entry.word == name.lower()]
    return name if entries and len(rare) == len(entries) else ""


def _capital(phrase: str, text: str) -> str:
    """The phrase as it is spelt in the line, if each word of it has a capital letter."""
    words = _unarticled(phrase.split())
    spelt = {word.lower(): word for word in re.findall(r"[^\W\d_]+", text[:MOST_READ])}
    found = [spelt.get(word, "") for word in words]
    return " ".join(found) if words and all(word.istitle() for word in found) else ""


def _instead(session: Session, word: str, text: str) -> Entry | None:
    """The topic that somebody names who was asked for a name, or what kind of word a new one is.

    A capital letter makes a name. A word that says what kind it is makes an answer, and so does,
    the first time, whatever the new word may be a kind of.
    """
    if session.talk.asked.startswith("who"):
        return None if is_name(text) else _bare(session, word)
    word = " ".join(_unarticled(word.split()))
    first, entry = session.talk.asked.startswith("teach-kind.0"), _bare(session, word)
    if not session.talk.asked.startswith("teach-kind") or entry is None or word in KIND_OF:
        return None
    return None if first and entry.word == word else entry


def is_name(text: str) -> str:
    """The name that a short answer gives: one with a capital letter, or one that is no word."""
    said = NAME.fullmatch(text.strip())
    if not said or lexicon.is_unsaid(said["name"]) or said["name"].lower() in PLAIN:
        return ""
    name = said["name"]
    given = said["lead"] or (name[0].isupper() and not name.isupper()) or not lexicon.look(name)
    return name if given else ""


def puzzling(session: Session, text: str) -> str:
    """The word a line brings as a topic that he does not know, if it looks like a word."""
    phrase, explicit = _phrase(session, text)
    if (not explicit and session.talk.asked.startswith(ANSWERED_BY_A_WORD)) or not phrase:
        return ""
    words = _unarticled(phrase.split())
    if unmet(session, text):
        return ""
    if len(words) != 1 or words[0] in PLAIN | NOISES or known(session.memory, words[0]):
        return ""
    if near(words[0])[0] in PLAIN:
        return ""  # a small word with a slip in it is no topic
    if words[0].endswith("ly") and known(session.memory, words[0].removesuffix("ly")):
        return ""  # an adverb: it says how, and is no topic
    return words[0] if teachable(words[0]) else ""


def is_readable(session: Session, text: str) -> bool:
    """Whether there is anything in a line that he can take for words, or for a number."""
    if not all(char.isprintable() or char.isspace() for char in text[:MOST_READ]):
        return False
    words = heard(text)
    letters = [word for word in words if word.isascii() and not word.isdigit()]
    if not letters:
        return bool(words) and all(word.isdigit() and len(word) < 3 for word in words)
    right = PLAIN | SMALL_WORDS | NOISES
    if any(word in right or known(session.memory, word) for word in letters):
        return not (set(words) <= MASHED)
    return (len(words) == 1 and teachable(letters[0])) or any(near(word)[0] for word in letters)


def near(word: str) -> tuple[str, bool]:
    """The common word that an unknown one is probably meant to be, and whether that is sure.

    One slip is enough in a word of some length, and two where they do not change the sound.
    """
    if not FEWEST <= len(word) <= MOST_LETTERS or not word.isascii() or not word.isalpha():
        return "", False
    stem = word.removesuffix("ing")
    for base in (stem, stem + "e", stem[:-1], stem[:-1] + "e") if stem != word else ():
        if any(each.kind == "verb" and each.word == base for each in lexicon.entries(base)):
            return english.ing(base), True
    found: list[tuple[int, int, str]] = []
    for ending in ("", "s") if word.endswith("s") else ("",):
        bare = word.removesuffix(ending) if ending else word
        for other, common, kind in _alike(bare[0], len(bare)):
            fits = (kind == "n" or not ending) and _may_be(bare, other)
            slips = distance(bare, other) if fits else 3
            if slips == 1 or (slips == 2 and distance(_sounded(bare), _sounded(other)) < 1):
                plural = english.plural(other) if ending else other
                found.append((slips, -common, plural))
    if not found:
        return "", False
    found.sort()
    rival = len(found) > 1 and found[1][0] == found[0][0] and found[1][1] - found[0][1] < APART
    return found[0][2], found[0][0] == 1 and not rival and len(word) > FEWEST


def _may_be(word: str, other: str) -> bool:
    """Whether two words share enough letters to be a slip or two apart."""
    return len(set(word) ^ set(other)) <= 4


def _sounded(word: str) -> str:
    """The word as it sounds, roughly."""
    word = re.sub(r"(.)\1", r"\1", word.replace("ph", "f").replace("ck", "k").replace("c", "k"))
    return word.replace("ei", "ie").replace("y", "i").replace("z", "s")


@lru_cache(maxsize=512)
def _alike(first: str, length: int) -> tuple[tuple[str, int, str], ...]:
    """The common words with this first letter, about as long."""
    lines = lexicon._lines()
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


def _phrase(session: Session, text: str) -> tuple[str, bool]:
    """The words that name the topic, and whether the line asks for it in so many words."""
    raw = lexicon.plain(text)
    bare = raw and raw not in PLAIN and len(raw.split()) <= MOST_BARE
    if bare and not set(raw.split()) & POINTS and known(session.memory, raw):
        return raw, False
    words = heard(text)
    line = AFTER.sub("", BEFORE.sub("", " ".join(words) + " ").strip())
    for patterns, also_present in ((REQUEST, True), (ASKED, False)):
        for pattern in patterns:
            if found := pattern.match(line):
                phrase = found["x"].strip()
                entry = _bare(session, phrase) or _headed(session, phrase)
                present = entry is not None and entry.word == session.talk.topic
                return ("", False) if present and not also_present else (phrase, True)
    if (found := TURN.match(line)) and not is_grave(text):
        return (found["x"], True) if _is_new(session, found["x"]) else ("", False)
    if len(line.split()) <= MOST_BARE and not line.startswith(("i ", "you ", "we ", "it ")):
        return line, False
    return "", False


def _bare(session: Session, phrase: str) -> Entry | None:
    """The entry that the whole phrase names, apart from an article."""
    words = _unarticled(phrase.split())
    if not words or len(words) > MOST_BARE or set(words) & POINTS or words[0] in PLAIN - TOPICAL:
        return None
    return known(session.memory, " ".join(words))


def _headed(session: Session, phrase: str) -> Entry | None:
    """The entry of the chief word: `dogs` of `big dogs in the park`."""
    words = _unarticled(phrase.split())
    cut = next((i for i, word in enumerate(words) if i and word in JOINTS), len(words))
    words = words[:cut]
    for start in range(len(words)):
        rest = words[start:]
        if len(rest) <= MOST_BARE and not set(rest) & POINTS:
            entry = known(session.memory, " ".join(rest))
            if entry and not (len(rest) == 1 and rest[0] in PLAIN - TOPICAL):
                return entry
    return None


def _is_new(session: Session, word: str) -> bool:
    """Whether the word has nothing to do with the present topic, as far as he knows."""
    here, there = known(session.memory, session.talk.topic), known(session.memory, word)
    if there is None or word in PLAIN or (here is not None and here.kind != "noun"):
        return False
    if here is None:
        return True
    return here.sort != there.sort and not {here.word, *here.is_a} & {there.word, *related(there)}


def related(entry: Entry) -> tuple[str, ...]:
    """Every word it leads to."""
    return (
        *entry.is_a, *entry.kinds, *entry.parts, *entry.part_of, *entry.opposites, *entry.same,
        *entry.beside, *entry.kin,
    )  # fmt: skip


def _unarticled(words: list[str]) -> list[str]:
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return words


# What people type that is no word to be taught.
NOISES = frozenset(
    """
meh yup ugh ehh eww aww yay whoa yikes oops hah hehe hihi haha lol lmao rofl omg idk tbh wtf bruh
yeah yea yep nope nah nvm asdf qwerty huh hmmm hmm erm uhh umm ooh ahh wow cool okay kinda sorta
gotcha alrighty dude mate sup yo hiya howdy cheerio
""".split()
)
MASHED = frozenset("asdf qwerty".split())
ARTICLES = frozenset("a an the some any my your our his her their all those these more".split())
# Words too plain to be noticed in a sentence, but good topics when they stand alone.
TOPICAL = frozenset(
    """
game fun love hate work world night day year week time morning evening afternoon god help kid guy
bad old young big little hard happy free high low
think talk run go make give take call keep name place person idea word question answer number hour
minute reason end want need conversation
""".split()
)
