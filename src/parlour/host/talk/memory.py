"""What Benedict keeps of what a person says, what of it fits the moment, and how he repeats it.

A statement is turned round when he repeats it: `I'm afraid of them` is `you are afraid of whales`.
Only a plain statement can be turned round and stay grammatical; anything else is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from parlour.host.language import Line, english, normalise, read_expressions, read_pairs
from parlour.host.session import MOST_KEPT, Memory, Session, Statement, TaughtWord
from parlour.host.talk.draft import Draft, Question, Template, load_templates
from parlour.host.talk.words import PLAIN, WORDS, Subject, find_nouns, find_subject

STATEMENTS = read_expressions("talk/expressions/statements.txt")
MOODS = read_expressions("talk/expressions/moods.txt")
MIRRORED = read_pairs("talk/mirror.txt")
POINTING = WORDS["pointing"]
MOST_WORDS = 16
MOST_LETTERS = 100
OWNED = ("mine", "he", "she")
LIKES = ("like", "like-doing", "like-adjective")
LENT = "lent"  # the mark of a talk that began only to ask for leave
STAYS_GRAVE = 2  # lines in which nothing light is said after something grave
STAYS_OPEN = 3  # lines after which the question whether he may remember has lapsed
FRESH = 4  # turns before a statement can be brought up again
BETWEEN = 5  # turns between two memories
SHORTEST = 3  # words of a statement that can bring something new
RESTED = 6  # turns between repeating a statement and recalling it


@lru_cache(maxsize=4096)
def find_words(text: str) -> tuple[str, ...]:
    """Return the words of a statement that is remembered."""
    return normalise(text).words


def append(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """Append an item, the latest last."""
    return (*(each for each in items if each != item), item)[-MOST_KEPT:]


def add_taste(memory: Memory, word: str, yes: bool = True) -> Memory:
    """Add a like or a dislike; the one replaces the other."""
    likes = tuple(each for each in memory.likes if each != word)
    dislikes = tuple(each for each in memory.dislikes if each != word)
    if yes:
        return replace(memory, likes=append(likes, word), dislikes=dislikes)
    return replace(memory, likes=likes, dislikes=append(dislikes, word))


def add_statement(memory: Memory, topic: str, words: str) -> Memory:
    """Add a statement of a topic, in the person's own words."""
    new = Statement(topic, words)
    return replace(memory, told=(*(each for each in memory.told if each != new), new)[-MOST_KEPT:])


def add_word(memory: Memory, word: TaughtWord) -> Memory:
    """Add a word that he was taught."""
    others = tuple(each for each in memory.words if each.word != word.word)
    return replace(memory, words=(*others, word)[-MOST_KEPT:])


def find_statements(memory: Memory, words: str) -> tuple[Statement, ...]:
    """Return what was said of a topic, or of something else with that word in it."""
    found = find_subject(memory, words)
    if found is None:
        return ()
    forms = {found.word.lower(), found.phrase.lower()}
    return tuple(
        each
        for each in memory.told
        if each.topic == found.word or forms & set(find_words(each.words))
    )


def remember(draft: Draft, line: Line) -> Draft:
    """Remember what a line says of the topic, if it says anything."""
    text = extract_statement(line.text)
    if not draft.talk.topic or len(text.split()) < 3 or not (mirror(text) or quote_whole(text)):
        return draft
    if any(english.is_rude(word) for word in line.words):
        return draft
    return remember_answer(draft, draft.talk.topic, text)


def mark_referent(draft: Draft, words: tuple[str, ...]) -> Draft:
    """Mark the thing that `they` or `it` will mean in the next line."""
    if draft.topic is None or len(words) < SHORTEST or set(words) & POINTING:
        return draft
    own = {draft.topic.word.lower(), draft.topic.phrase.lower()}
    rest = tuple(key for key in draft.talk.used if not key.startswith("they:"))
    found = [
        (entry.word, word)
        for before, word in zip(("", *words), words, strict=False)
        for entry in find_nouns(draft.memory, (before, word))
        if Subject(entry).single and entry.word not in own and not {before, word} & own
        and (english.plural(entry.word) == word or before in ("the", "my", "our"))
        and entry.sort not in ("time", "person", "amount", "abstract")
        and entry.word == _find_base(word)
    ]  # fmt: skip
    if len({entry for entry, _ in found}) != 1 or own & set(words):
        return draft.change_talk(used=rest)
    return draft.change_talk(used=(*rest, f"they:{draft.session.turn}:{found[-1][1]}"))


def _find_base(word: str) -> str:
    entry = english.look_up(word)
    return entry.word if entry else word


def resolve_pronoun(draft: Draft, line: Line) -> Line:
    """Name `they` or `it` where that is what the person spoke of last."""
    word, text = draft.others, line.text
    if not word:
        return line
    many = _find_base(word) != word
    sign, name = (r"\b(?:they|them)\b", word) if many else (r"\bit\b(?!')", f"the {word}")
    clear = re.sub(sign, name, text, count=1, flags=re.IGNORECASE)
    if clear == text:
        return line
    return normalise(clear[:1].upper() + clear[1:] if text[:1].isupper() else clear)


def remember_answer(draft: Draft, topic: str, words: str) -> Draft:
    """Remember a statement of a topic, such as what a yes says."""
    draft = draft.mark(f"heard:{draft.session.turn}:{words[:40]}")
    return draft.change_memory(told=add_statement(draft.memory, topic, words).told)


def is_personal(memory: Memory) -> bool:
    """Say whether he knows anything of the person that he should not keep without leave."""
    return bool(
        memory.name
        or memory.likes
        or memory.dislikes
        or any(speaks_of_self(each.words) for each in memory.told)
    )


def recall(draft: Draft) -> Draft:
    """Bring up something the person said before, if it fits and is not too fresh."""
    if any(
        draft.session.turn - int(key[9:]) < BETWEEN
        for key in draft.talk.used
        if key.startswith("recalled:")
    ):
        return draft
    for each in _list_due(draft):
        about = draft.find(each.topic)
        key = f"told:{each.topic}:{each.words[:40]}"
        line = mirror(each.words, about, owns(draft.memory, about))
        if line:
            now = STATEMENTS["now"].match(line) and draft.happens(0.5)
            after = draft.say("recall-now" if now else "recall", more={"turned": line})
        elif words := quote_whole(each.words):
            after = draft.say("recall-quote", about=about, more={"quote": words})
        else:
            continue
        if after is not draft:
            return after.mark(key, f"recalled:{draft.session.turn}")
    return draft


def owns(memory: Memory, about: Subject | None) -> bool:
    """Say whether the person has spoken of one of their own."""
    if about is None or not about.single:
        return False
    word = re.escape(about.word)
    own = re.compile(rf"\b(?:my|(?:have|got|own|kept|keep) an?)(?: \w+)? {word}\b|\bmine\b")
    return any(own.search(each.words.lower()) for each in memory.told if each.topic == about.word)


def recall_taste(draft: Draft, topic: Subject) -> Draft:
    """Bring up what the person thinks of the topic."""
    memory, key = draft.memory, f"taste:{topic.word}"
    if topic.entry.kind == "adjective" or draft.is_marked(key):
        return draft
    if topic.word in memory.likes:
        return draft.say("recall-like").mark(key)
    if topic.word in memory.dislikes:
        return draft.say("recall-dislike").mark(key)
    return draft


def compare_likes(draft: Draft) -> Draft:
    """Ask about two things that the person likes."""
    likes = [found for word in draft.memory.likes if (found := draft.find(word))]
    likes = [found for found in likes if found.entry.kind != "adjective"]
    if len(likes) < 2 or draft.is_marked("likes"):
        return draft
    one, two = likes[-2:]
    after = draft.say("likes", more={"one": one.phrase, "two": two.phrase})
    return after if after is draft else after.mark("likes")


def _list_due(draft: Draft) -> Iterator[Statement]:
    """List what was said on this topic, oldest first, that is neither too fresh nor used up."""
    marks = [key.split(":", 2) for key in draft.talk.used if key.startswith("heard:")]
    fresh = {mark[2] for mark in marks if draft.session.turn - int(mark[1]) < FRESH}
    marks = [key.split(":", 2) for key in draft.talk.used if key.startswith("said:")]
    fresh |= {mark[2] for mark in marks if draft.session.turn - int(mark[1]) < RESTED}
    for each in find_statements(draft.memory, draft.talk.topic):
        key = f"told:{each.topic}:{each.words[:40]}"
        if is_grave(each.words):
            continue
        if each.words[:40] not in fresh and not draft.is_marked(key):
            yield each


# Grief


def hush(draft: Draft) -> Draft:
    """Take the mood that grief asks for, for some lines from now on."""
    return lift_mood(draft).mark(f"hushed:{draft.session.turn}")


def lift_mood(draft: Draft) -> Draft:
    """Return to the usual mood."""
    return draft.change_talk(
        used=tuple(key for key in draft.talk.used if not key.startswith("hushed:"))
    )


def is_hushed(draft: Draft) -> bool:
    """Say whether something grave was said a moment ago, so that no dry word fits."""
    marks = [int(key[7:]) for key in draft.talk.used if key.startswith("hushed:")]
    return bool(marks) and draft.session.turn - marks[-1] <= STAYS_GRAVE


# Leave to remember


def should_ask_leave(draft: Draft) -> bool:
    """Say whether to ask now if he may remember: at the first personal thing he hears."""
    return draft.memory.agreed is None and not draft.is_marked("keep") and is_personal(draft.memory)


def record_leave(draft: Draft, yes: bool) -> Draft:
    """Record that leave to remember is given or refused; a talk begun only for that ends."""
    line = load_templates()["keep"][0]
    after = draft.change_memory(agreed=yes).add(line.yes if yes else line.no)
    return replace(after, session=after.session.replace(mode="chat")) if is_lent(draft) else after


def is_lent(draft: Draft) -> bool:
    """Say whether the talk began only because he had to ask for leave."""
    return draft.is_marked(LENT)


def awaits_leave(draft: Draft) -> bool:
    """Say whether he asked for leave a moment ago, and has no answer yet."""
    marks = [int(key[5:]) for key in draft.talk.used if key.startswith("keep:")]
    lately = bool(marks) and draft.session.turn - marks[-1] <= STAYS_OPEN
    return lately and draft.memory.agreed is None


def may_be_leave(draft: Draft, line: Template | None) -> bool:
    """Say whether a yes or no cannot answer his last line, and so is about leave."""
    waits = draft.talk.asked.startswith((*LIKES, "shall", "game", "mean", "teach"))
    return awaits_leave(draft) and not waits and not (line and line.yes)


def keep_waiting(draft: Draft) -> Draft:
    """Drop another question, while that one waits for its answer."""
    if not awaits_leave(draft):
        return draft
    if draft.asks and len(draft.sentences) > 1 and _is_loose(draft):
        draft = replace(draft, sentences=draft.sentences[:-1])
    return draft if draft.asks else draft.expect(Question("keep.0"))


def _is_loose(draft: Draft) -> bool:
    """Say whether the question at the end can wait, because nothing depends on it."""
    return not Question.read(draft.question).section.startswith(("shall", "game", "new", "teach"))


def ask_leave(draft: Draft) -> tuple[Session, tuple[str, ...]]:
    """Finish the reply, and ask for leave at its end if this is the moment."""
    if should_ask_leave(draft) and draft.asks and len(draft.sentences) > 1 and _is_loose(draft):
        draft = replace(draft, sentences=draft.sentences[:-1])
    if not should_ask_leave(draft) or draft.asks:
        return keep_waiting(draft).finish()
    line = load_templates()["keep"][0]
    first = " ".join(draft.sentences)
    draft = draft.mark("keep", f"keep:{draft.session.turn}")
    after = replace(draft, sentences=(*draft.sentences, line.text)).expect(Question(line.id))
    final, _ = after.finish()
    if final.mode == "chat":  # his question is answered in a talk, which ends with the answer
        final = after.mark(LENT).finish()[0].replace(mode="talk")
    return final, tuple(filter(None, (first, line.text)))


# Statements


def extract_statement(text: str) -> str:
    """Return the first sentence of a text, without fillers; nothing if it is no statement."""
    line = " ".join(text[: 4 * MOST_LETTERS].replace("’", "'").split())
    if "?" in line or not re.fullmatch(r"[\w\s',.;:!\-()]*", line) or not line.isprintable():
        return ""
    first = re.split(r"[.;:!()](?:\s|$)", line)[0].strip(" ,.!'")
    for cut in ("fillers", "trailers", "trailers"):
        first = STATEMENTS[cut].sub("", first).strip(" ,")
    return first if len(first) <= MOST_LETTERS and len(first.split()) >= 2 else ""


def mirror(text: str, about: Subject | None = None, owned: bool | None = None) -> str:
    """Turn a statement round, as he would repeat it to the person; nothing if that is impossible.

    Later on nobody knows who `he` was, unless the topic is something that the person owns.
    """
    words = [part for word in extract_statement(text).split() for part in _expand(word)]
    bare = [word.strip(",").lower() for word in words]
    if (
        not 3 <= len(words) <= MOST_WORDS
        or WORDS["about him"] & set(bare)
        or not _begins_with_subject(bare, about)
    ):
        return ""
    if not STATEMENTS["verbs"].search(" ".join(bare[1:])):
        return ""
    others = WORDS["others"]
    if owned is not None and others & set(bare) and not (owned and about and bare[0] in others):
        return ""
    found: list[str] = []
    for place, (word, plain) in enumerate(zip(words, bare, strict=True)):
        before = bare[place - 1] if place else ""
        comma = "," if word.endswith(",") else ""
        if plain in MIRRORED["after i"] and before == "i":
            again = MIRRORED["after i"][plain]
        elif (
            about
            and about.single
            and (plain == "mine" or (owned and place == 0 and plain in OWNED))
        ):
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
    line = " ".join(text[: 4 * MOST_LETTERS].split())
    fit = 3 <= len(line.split()) <= MOST_WORDS and len(line) <= MOST_LETTERS
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
    if entry and entry.name and entry.word.lower() == word.lower() and word.lower() not in PLAIN:
        return entry.word
    if entry and entry.name and entry.word.lower() + "s" == word.lower():
        return entry.word + "s"
    named = not entry and word.lower() not in PLAIN
    return word if named or not first else word[:1].lower() + word[1:]


def is_grave(text: str) -> bool:
    """Say whether a text speaks of something that is not lightly brought up again."""
    return bool(MOODS["grave"].search(MOODS["not grave"].sub("", text[:400].lower())))


def _name_pronoun(line: str, about: Subject) -> str:
    """Replace the first `it` or `them` that can only mean the topic by its name."""
    words = line.split()
    if about.entry.kind == "adjective" or _is_named(words, about):
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


def _is_named(words: list[str], about: Subject) -> bool:
    return any(_names(word.strip(",").lower(), about) for word in words)
