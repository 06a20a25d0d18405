"""What Benedict remembers of a person's lines, which of them fit now, and how he repeats one.

A statement is turned round when he repeats it: `I'm afraid of them` is `you are afraid of whales`.
Only a plain statement can be turned round and stay grammatical; anything else is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from parlour.host.language import Line, english, normalise, texts
from parlour.host.session import MAX_KEPT, Memories, Session, Statement
from parlour.host.talk.draft import Draft, Mark
from parlour.host.talk.subjects import PLAIN, WORDS, Subject, find_nouns, find_subject

STATEMENTS = texts.read_expressions("talk/expressions/statements.txt")
MOODS = texts.read_expressions("talk/expressions/moods.txt")
QUESTIONS = texts.read_expressions("talk/expressions/questions.txt")
HEARD = texts.read_expressions("talk/expressions/heard.txt")
MIRRORED = texts.read_pairs("talk/mirror.txt")
POINTING = WORDS["pointing"]
MAX_WORDS = 16
MAX_LETTERS = 100
OWNED = ("mine", "he", "she")
STILL_MEANT = 3  # turns in which `they` are what the person spoke of
FRESH = 4  # turns before a statement can be brought up again
RECALL_INTERVAL = 5  # turns between two memories
SHORTEST = 3  # words of a statement that can bring something new
REPEAT_INTERVAL = 6  # turns between repeating a statement and recalling it
START = 40  # characters by which a statement is known again
Item = TypeVar("Item")


@lru_cache(maxsize=4096)
def find_words(text: str) -> tuple[str, ...]:
    """Return the words of a statement that is remembered."""
    return normalise(text).words


def append(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Append an item that may have been there before, the latest last."""
    return (*(each for each in items if each != item), item)[-MAX_KEPT:]


def add_taste(memory: Memories, word: str, yes: bool) -> Memories:
    """Add a like or a dislike; the one replaces the other."""
    likes = tuple(each for each in memory.likes if each != word)
    dislikes = tuple(each for each in memory.dislikes if each != word)
    if yes:
        return replace(memory, likes=append(likes, word), dislikes=dislikes)
    return replace(memory, likes=likes, dislikes=append(dislikes, word))


def record_taste(draft: Draft, word: str, yes: bool) -> None:
    """Remember a taste, so that he does not ask about it."""
    draft.session = draft.session.replace(memory=add_taste(draft.memory, word, yes))
    draft.mark(f"{Mark.LIKE}:{word}")


def remember(draft: Draft, line: Line) -> None:
    """Remember what a line says of the topic, if it says anything."""
    if draft.talk.topic and (text := _find_telling(line)):
        remember_statement(draft, draft.talk.topic, text)


def keep_words(session: Session, line: Line) -> Session:
    """Keep what the person tells, whatever the topic."""
    draft = Draft.of(session)
    for sentence in re.split(r"(?<=[.!?;])\s+", line.text[: 4 * MAX_LETTERS]):
        part = line if sentence == line.text else normalise(sentence)
        personal = speaks_of_self(sentence) or session.mode == "talk"
        text = _find_telling(part) if personal else ""
        about_him = WORDS["about him"] & set(part.words)
        if text and not about_him and not STATEMENTS["wish"].search(text.lower()):
            remember_statement(draft, "", text)
    return draft.session


def _find_telling(line: Line) -> str:
    """Return the statement in a line, if it says anything that can be repeated."""
    text = "" if QUESTIONS["asks"].match(line.plain) else extract_statement(line.text)
    fits = len(text.split()) >= SHORTEST and bool(mirror(text) or quote_whole(text))
    return text if fits and not any(english.is_rude(word) for word in line.words) else ""


def remember_statement(draft: Draft, topic: str, words: str) -> None:
    """Remember a statement of a topic, in the person's own words or as a yes says it."""
    draft.note(Mark.HEARD, words[:START])
    draft.change_memory(statements=append(draft.memory.statements, Statement(topic, words)))


def find_statements(memory: Memories, words: str) -> tuple[Statement, ...]:
    """Return the statements about a topic, or about anything with that word in it."""
    found = find_subject(memory, words)
    if found is None:
        return ()
    forms = {found.word.lower(), found.phrase.lower()}
    return tuple(
        each
        for each in memory.statements
        if each.topic == found.word or forms & set(find_words(each.words))
    )


def is_personal(memory: Memories) -> bool:
    """Say whether he knows anything of the person that he should not keep without permission."""
    own = any(each.topic and speaks_of_self(each.words) for each in memory.statements)
    return bool(memory.name or memory.likes or memory.dislikes or memory.facts or own)


def owns(memory: Memories, about: Subject | None) -> bool:
    """Say whether the person has spoken of one of their own."""
    if about is None or not about.single:
        return False
    word = re.escape(about.word)
    own = re.compile(rf"\b(?:my|(?:have|got|own|kept|keep) an?)(?: \w+)? {word}\b|\bmine\b")
    said = [each.words.lower() for each in memory.statements if each.topic == about.word]
    return any(map(own.search, said))


# What pronouns mean


def mark_referent(draft: Draft, words: tuple[str, ...]) -> None:
    """Mark the thing that `they` or `it` will mean in the next line."""
    if len(words) < SHORTEST or set(words) & POINTING:
        return
    own = {draft.topic.word.lower(), draft.topic.phrase.lower()} if draft.topic else set()
    found = [
        (entry.word, word)
        for before, word in zip(("", *words), words, strict=False)
        for entry in find_nouns(draft.memory, (before, word))
        if Subject(entry).single and entry.word not in own and not {before, word} & own
        and (english.plural(entry.word) == word or before in ("the", "my", "our"))
        and entry.sort not in ("time", "person", "amount", "abstract")
        and entry.word == _find_base(word)
    ]  # fmt: skip
    draft.unmark(Mark.REFERENT)
    if len({entry for entry, _ in found}) == 1 and not own & set(words):
        draft.note(Mark.REFERENT, found[-1][1])


def find_referent(draft: Draft) -> str:
    """Return what the person has just mentioned besides the topic, so that `they` means that."""
    return "".join(draft.list_recent(Mark.REFERENT, STILL_MEANT)[:1])


def _find_base(word: str) -> str:
    entry = english.look_up(word)
    return entry.word if entry else word


def resolve_pronoun(draft: Draft, line: Line) -> Line:
    """Name `they` or `it` where that is what the person spoke of last."""
    word, text = find_referent(draft), line.text
    if not word:
        return line
    many = _find_base(word) != word
    sign, name = (r"\b(?:they|them)\b", word) if many else (r"\bit\b(?!')", f"the {word}")
    clear = re.sub(sign, name, text, count=1, flags=re.IGNORECASE)
    if clear == text:
        return line
    return normalise(clear[:1].upper() + clear[1:] if text[:1].isupper() else clear)


# What he brings up again; each returns whether he did


def recall(draft: Draft) -> bool:
    """Bring up something the person said before, if it fits and is not too fresh."""
    if draft.list_recent(Mark.RECALLED, RECALL_INTERVAL):
        return False
    for each in _list_due(draft):
        about = draft.find(each.topic)
        said = False
        if line := mirror(each.words, about, owns(draft.memory, about)):
            now = STATEMENTS["now"].match(line) and draft.happens(0.5)
            said = draft.say("recall-now" if now else "recall", more={"turned": line})
        elif each.topic and each.words.count(" ") > SHORTEST and (words := quote_whole(each.words)):
            said = draft.say("recall-quote", about=about, more={"quote": words})
        if said:
            draft.mark(_name_statement(each), f"{Mark.RECALLED}:{draft.session.turn}")
            return True
    return False


def recall_taste(draft: Draft, topic: Subject) -> bool:
    """Bring up what the person thinks of the topic."""
    key = f"{Mark.TASTE}:{topic.word}"
    likes = topic.word in draft.memory.likes
    known = likes or topic.word in draft.memory.dislikes
    if topic.entry.kind == "adjective" or draft.is_marked(key) or not known:
        return False
    draft.say("recall-like" if likes else "recall-dislike")
    draft.mark(key)
    return True


def _list_due(draft: Draft) -> Iterator[Statement]:
    """List the statements on this topic, oldest first, that are neither too fresh nor used up."""
    fresh = draft.list_recent(Mark.HEARD, FRESH) + draft.list_recent(Mark.REPEATED, REPEAT_INTERVAL)
    topic, begun = draft.talk.topic, draft.is_begun
    told = [each for each in draft.memory.statements if speaks_of_self(each.words)]
    for each in find_statements(draft.memory, topic) if begun else told:
        used = each.words[:START] in fresh or draft.is_marked(_name_statement(each))
        if not used and not is_grave(each.words):
            yield each


def _name_statement(statement: Statement) -> str:
    return f"{Mark.STATEMENT}:{statement.words[:START]}"


# Statements


def extract_statement(text: str) -> str:
    """Return the first sentence of a text, without fillers; nothing if it is not a statement."""
    line = " ".join(text[: 4 * MAX_LETTERS].replace("’", "'").split())
    if "?" in line or not re.fullmatch(r"[\w\s',.;:!\-()]*", line) or not line.isprintable():
        return ""
    line = HEARD["greeting"].sub("", line, count=1)
    parts = re.split(r"[.;!()](?:\s|$)", line)
    first = next((part for part in parts if len(part.split()) >= SHORTEST), parts[0]).strip(" ,.!'")
    for cut in ("after name", "fillers", "trailers", "trailers"):
        first = STATEMENTS[cut].sub("", first).strip(" ,")
    return first if len(first) <= MAX_LETTERS and len(first.split()) >= 2 else ""


def mirror(text: str, about: Subject | None = None, owned: bool | None = None) -> str:
    """Turn a statement round, as he would repeat it to the person; nothing if that is impossible.

    Later on nobody knows who `he` was, unless the topic is something that the person owns.
    """
    words = [part for word in extract_statement(text).split() for part in _expand(word)]
    bare = [word.strip(",").lower() for word in words]
    if not SHORTEST <= len(words) <= MAX_WORDS or not _begins_with_subject(bare, about):
        return ""
    if STATEMENTS["broken"].search(" ".join(bare)):
        return ""
    if WORDS["about him"] & set(bare) or not STATEMENTS["verbs"].search(" ".join(bare[1:])):
        return ""
    others = WORDS["others"]
    if owned is not None and others & set(bare) and not (owned and about and bare[0] in others):
        return ""
    found: list[str] = []
    for place, (word, plain) in enumerate(zip(words, bare, strict=True)):
        before, starts = bare[place - 1] if place else "", owned and not place
        comma = "," if word.endswith(",") else ""
        if plain in MIRRORED["after i"] and before == "i":
            again = MIRRORED["after i"][plain]
        elif about and about.single and (plain == "mine" or (starts and plain in OWNED)):
            again = f"your {about.word}"
        elif before in ("called", "named") and plain != "the":
            again = word.rstrip(",").capitalize()
        else:
            again = MIRRORED["turned"].get(plain) or _spell(word.rstrip(","), place == 0)
        found.append(again + comma)
    line = " ".join(found)
    return _name_pronoun(line, about) if about else ("" if bare[0] in POINTING else line)


def speaks_of_self(text: str) -> bool:
    """Say whether the person speaks of themselves."""
    return bool(re.search(r"\b(?:i|i'm|im|ive|i've|my|mine|me|we|our)\b", text[:400].lower()))


def quote_whole(text: str) -> str:
    """Return a text to be repeated word for word; nothing if it is too long or odd."""
    line = " ".join(text[: 4 * MAX_LETTERS].split())
    fit = 3 <= len(line.split()) <= MAX_WORDS and len(line) <= MAX_LETTERS
    if not fit or not line.isprintable() or not line.isascii() or re.search(r"[\"<>{}\\]", line):
        return ""
    return line[0].upper() + line[1:] + ("" if line[-1] in ".!?" else ".")


def _expand(word: str) -> list[str]:
    comma = "," if word.endswith(",") else ""
    spelt = MIRRORED["opened"].get(word.rstrip(",").lower())
    return (spelt + comma).split() if spelt else [word]


def _begins_with_subject(bare: list[str], about: Subject | None) -> bool:
    """Say whether a sentence begins with its subject, as far as one can see."""
    if bare[0] in WORDS["starts"]:
        return bare[0] != "i" or bare[1] not in ("and", "or")
    entry = english.look_up(bare[0]) if bare[0] not in PLAIN else None
    if entry and entry.kind == "noun" and Subject(entry).phrase == bare[0] != entry.word:
        return True
    return bool(about) and _names(bare[0], about)


def _names(word: str, about: Subject | None) -> bool:
    return about is not None and word in (about.word.lower(), about.phrase.lower())


def _spell(word: str, first: bool) -> str:
    """Spell a word for the middle of a sentence; names have their capital."""
    entry = english.look_up(word)
    verb = word.islower() and english.find_entries(word, "verb")
    named = entry and entry.name and word.lower() not in PLAIN and not verb  # polish, Polish
    if entry and named and entry.word.lower() == word.lower():
        return entry.word
    if entry and entry.name and entry.word.lower() + "s" == word.lower():
        return entry.word + "s"
    named = not entry and word.lower() not in PLAIN
    return word if named or not first else word[:1].lower() + word[1:]


def is_grave(text: str) -> bool:
    """Say whether a text speaks of something that is not lightly brought up again."""
    plain = " ".join(find_words(text[:400]))
    return not MOODS.search("joking", plain) and bool(
        MOODS["grave"].search(MOODS["light"].sub("", plain))
    )


def _name_pronoun(line: str, about: Subject) -> str:
    """Replace the first `it` or `them` that can only mean the topic by its name."""
    words = line.split()
    named = any(_names(word.strip(",").lower(), about) for word in words)
    if about.entry.kind == "adjective" or named:
        return "" if words[0] in ("they", "this", "these", "those") else line
    many = about.forms()["them"] == "them"
    for place, word in enumerate(words):
        bare = word.strip(",")
        fits = {"they": many, "them": many, "it": not many and about.entry.kind == "noun"}
        if fits.get(bare):
            words[place] = about.phrase + word[len(bare) :]
            return " ".join(words)
        if bare in POINTING:
            break
    return line if words[0] not in POINTING else ""
