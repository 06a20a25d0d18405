"""What a person said, turned round: `I'm afraid of them` is `you are afraid of whales`.

Only a plain statement can be turned and stay grammatical; anything else is kept as it was said.
"""

from __future__ import annotations

import re

from parlour.host.language import lexicon
from parlour.host.talk.words import PLAIN, Subject

MOST_WORDS = 16
MOST_LETTERS = 100
FILLERS = re.compile(
    r"^(?:(?:well|yes|yeah|yep|no|nope|oh|ah|um|hmm|so|and|but|because|actually|honestly|okay|ok"
    r"|anyway|by the way|you know|you see|i mean|to be honest|also|then)\b[\s,]*)+",
    re.IGNORECASE,
)
TRAILERS = re.compile(
    r"[\s,]*\b(?:to be honest|tbh|lol|haha|you know|i guess|though|actually|really|honestly|too"
    r"|i suppose|i think|as well|of course)$",
    re.IGNORECASE,
)
OPENED = {
    "i'm": "I am", "im": "I am", "i've": "I have", "ive": "I have", "i'll": "I will",
    "i'd": "I would", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't",
    "isnt": "isn't", "wont": "won't", "wasnt": "wasn't", "havent": "haven't", "thats": "that's",
    "arent": "aren't", "wouldnt": "wouldn't", "couldnt": "couldn't", "theyre": "they are",
    "they're": "they are", "its": "its", "gonna": "going to", "wanna": "want to",
    "cuz": "because", "cos": "because", "bc": "because",
}  # fmt: skip
TURNED = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "we": "you", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
    "am": "are",
}  # fmt: skip
AFTER_I = {"was": "were", "wasn't": "weren't", "am": "are"}
ABOUT_HIM = frozenset("you your yours yourself u ur benedict".split())
STARTS = frozenset(
    """
i my mine we our it they he she there this that these those the a an some many most all every
his her their nobody everybody everyone people nothing one
""".split()
)
VERBS = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|do|does|did|can|cannot|can't|could|will|would|should|may"
    r"|might|must|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|wouldn't|couldn't|haven't"
    r"|got|went|came|made|said|like|love|hate|live|play|want|need|think|know|feel|eat|sing|sleep"
    r"|see|saw|read|work|go|get|make|take|give|keep|use|used|remember|always|never|often|\w{3,}ed"
    r"|\w{3,}s)\b",
    re.IGNORECASE,
)
GRAVE = re.compile(
    r"\b(?:died|dead|death|cancer|tumou?r|leukaemia|leukemia|dementia|funeral|buried|passed away"
    r"|killed|murdered|drowned|divorced?|dying|suffering|suicide|hospice|miscarriage|widowed"
    r"|heart attack|had a stroke|in a coma|ill|unwell|sick(?! of\b)|put (?:him |her |it )?down"
    r"|(?<!work )(?<!works )(?<!worked )(?<!working )(?:in|to) (?:the |a )?hospital"
    r"|lost (?:my|our|his|her) (?:mother|mum|mom|father|dad|wife|husband|son|daughter|child|baby"
    r"|brother|sister|friend))\b"
)
NOT_GRAVE = re.compile(r"\b(?:not|never|isn't|wasn't|aren't) (?:\w+ )?(?:ill|unwell|sick|dead)\b")
OWNED = ("mine", "he", "she")
OTHERS = frozenset("he she him her his hers".split())
POINTING = frozenset("it they them this that these those its their".split())


def statement(text: str) -> str:
    """The first sentence of what was said, without fillers; nothing if it is no statement."""
    line = " ".join(text[: 4 * MOST_LETTERS].replace("’", "'").split())
    if "?" in line or not re.fullmatch(r"[\w\s',.;:!\-()]*", line) or not line.isprintable():
        return ""
    first = re.split(r"[.;:!()](?:\s|$)", line)[0].strip(" ,.!'")
    for cut in (FILLERS, TRAILERS, TRAILERS):
        first = cut.sub("", first).strip(" ,")
    return first if len(first) <= MOST_LETTERS and len(first.split()) >= 2 else ""


def turned(text: str, about: Subject | None = None, owned: bool | None = None) -> str:
    """The statement as he would repeat it to the person; nothing if it cannot be turned.

    Later on nobody knows who `he` was, unless the topic is something that the person owns.
    """
    words = [part for word in statement(text).split() for part in _opened(word)]
    bare = [word.strip(",").lower() for word in words]
    if not 3 <= len(words) <= MOST_WORDS or ABOUT_HIM & set(bare) or not _begins(bare, about):
        return ""
    if not VERBS.search(" ".join(bare[1:])):
        return ""
    if owned is not None and OTHERS & set(bare) and not (owned and about and bare[0] in OTHERS):
        return ""
    found: list[str] = []
    for place, (word, plain) in enumerate(zip(words, bare, strict=True)):
        before = bare[place - 1] if place else ""
        comma = "," if word.endswith(",") else ""
        if plain in AFTER_I and before == "i":
            said = AFTER_I[plain]
        elif (
            about
            and about.single
            and (plain == "mine" or (owned and place == 0 and plain in OWNED))
        ):
            said = f"your {about.word}"
        elif before in ("called", "named") and plain != "the":
            said = word.rstrip(",").capitalize()
        else:
            said = TURNED.get(plain) or _spelt(word.rstrip(","), place == 0)
        found.append(said + comma)
    line = " ".join(found)
    return _named(line, about) if about else ("" if bare[0] in POINTING else line)


def is_own(text: str) -> bool:
    """Whether the person speaks of themselves."""
    return bool(re.search(r"\b(?:i|i'm|im|ive|i've|my|mine|me|we|our)\b", text[:400].lower()))


def quoted(text: str) -> str:
    """What was said, to be repeated word for word; nothing if it is too long or odd."""
    line = " ".join(text[: 4 * MOST_LETTERS].split())
    fit = 3 <= len(line.split()) <= MOST_WORDS and len(line) <= MOST_LETTERS
    if not fit or not line.isprintable() or not line.isascii() or re.search(r"[\"<>{}\\]", line):
        return ""
    return line[0].upper() + line[1:] + ("" if line[-1] in ".!?" else ".")


def _opened(word: str) -> list[str]:
    comma = "," if word.endswith(",") else ""
    spelt = OPENED.get(word.rstrip(",").lower())
    return (spelt + comma).split() if spelt else [word]


def _begins(bare: list[str], about: Subject | None) -> bool:
    """Whether the sentence begins with its subject, as far as one can see."""
    if bare[0] in STARTS:
        return bare[0] != "i" or bare[1] not in ("and", "or")
    entry = lexicon.look(bare[0]) if bare[0] not in PLAIN else None
    if entry and entry.kind == "noun" and Subject(entry).said == bare[0] != entry.word:
        return True
    return bool(about) and _means(bare[0], about)


def _means(word: str, about: Subject | None) -> bool:
    return about is not None and word in (about.word.lower(), about.said.lower())


def _spelt(word: str, first: bool) -> str:
    """The word as it is spelt in the middle of a sentence; names have their capital."""
    entry = lexicon.look(word)
    if entry and entry.name and entry.word.lower() == word.lower() and word.lower() not in PLAIN:
        return entry.word
    if entry and entry.name and entry.word.lower() + "s" == word.lower():
        return entry.word + "s"
    named = not entry and word.lower() not in PLAIN
    return word if named or not first else word[:1].lower() + word[1:]


def is_grave(text: str) -> bool:
    """Whether it speaks of something that is not lightly brought up again."""
    return bool(GRAVE.search(NOT_GRAVE.sub("", text[:400].lower())))


def _named(line: str, about: Subject) -> str:
    """The first `it` or `them` that can only mean the topic, named."""
    words = line.split()
    if about.entry.kind == "adjective" or _is_named(words, about):
        return "" if words[0] in ("they", "this", "these", "those") else line
    many = about.forms()["them"] == "them"
    for place, word in enumerate(words):
        bare = word.strip(",")
        fits = {"they": many, "them": many, "it": not many and about.entry.kind == "noun"}
        if fits.get(bare):
            words[place] = about.said + word[len(bare) :]
            return " ".join(words)
        if bare in POINTING:
            break
    return line if words[0] not in POINTING else ""


def _is_named(words: list[str], about: Subject) -> bool:
    return any(_means(word.strip(",").lower(), about) for word in words)
