"""What Benedict keeps of what a person tells him, and what of it fits the moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from parlour.host.language import heard, lexicon
from parlour.host.language import inflect as english
from parlour.host.session import MOST_KEPT, Memory, Session, Taught, Told
from parlour.host.talk.draft import BY_ID, Asked, Draft
from parlour.host.talk.lines import Line
from parlour.host.talk.mirror import POINTING, is_grave, is_own, quoted, statement, turned
from parlour.host.talk.words import Subject, nouns, subject

LIKES = ("like", "like-doing", "like-adjective")
LENT = "lent"  # the mark of a talk that was only begun to ask for leave
STAYS_GRAVE = 2  # lines in which nothing light is said after something grave
STAYS_OPEN = 3  # lines after which the question whether he may remember has lapsed
LATEST = 4  # turns after which a statement is no longer too fresh to be brought up
APART = 5  # turns between two memories
NOW = re.compile(
    r"^you (?:are|play|like|love|hate|live|work|can't|cannot|don't|want|keep|often|always|never)\b"
)
SHORTEST = 3  # words of a statement that can bring something new
RESTED = 6  # turns between repeating a statement and recalling it


def kept(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """The list with one more, the latest last."""
    return (*(each for each in items if each != item), item)[-MOST_KEPT:]


def liked(memory: Memory, word: str, yes: bool = True) -> Memory:
    """The memory with a like, or a dislike; the one replaces the other."""
    likes = tuple(each for each in memory.likes if each != word)
    dislikes = tuple(each for each in memory.dislikes if each != word)
    if yes:
        return replace(memory, likes=kept(likes, word), dislikes=dislikes)
    return replace(memory, likes=likes, dislikes=kept(dislikes, word))


def told(memory: Memory, topic: str, words: str) -> Memory:
    """The memory with a statement of a topic, in the person's own words."""
    said = Told(topic, words)
    return replace(
        memory, told=(*(each for each in memory.told if each != said), said)[-MOST_KEPT:]
    )


def taught(memory: Memory, word: Taught) -> Memory:
    """The memory with a word that he was taught."""
    others = tuple(each for each in memory.words if each.word != word.word)
    return replace(memory, words=(*others, word)[-MOST_KEPT:])


def remembered(memory: Memory, words: str) -> tuple[Told, ...]:
    """What was said of a topic, or of something else with that word in it."""
    found = subject(memory, words)
    if found is None:
        return ()
    forms = {found.word.lower(), found.said.lower()}
    return tuple(
        each for each in memory.told if each.topic == found.word or forms & set(heard(each.words))
    )


def listened(draft: Draft, text: str) -> Draft:
    """The draft with what the text says of the topic remembered, if it says anything."""
    line = statement(text)
    if not draft.talk.topic or len(line.split()) < 3 or not (turned(line) or quoted(line)):
        return draft
    if any(lexicon.is_unsaid(word) for word in heard(line)):
        return draft
    draft = draft.noting(f"heard:{draft.session.turn}:{line[:40]}")
    return draft.knowing(told=told(draft.memory, draft.talk.topic, line).told)


def spoken_of(draft: Draft, text: str) -> Draft:
    """The draft with the thing marked that `they` or `it` will mean, if it is said next."""
    words = heard(text)
    if draft.topic is None or len(words) < SHORTEST or set(words) & POINTING:
        return draft
    own = {draft.topic.word.lower(), draft.topic.said.lower()}
    rest = tuple(key for key in draft.talk.used if not key.startswith("they:"))
    found = [
        (entry.word, word)
        for before, word in zip(("", *words), words, strict=False)
        for entry in nouns(draft.memory, (before, word))
        if Subject(entry).single and entry.word not in own and not {before, word} & own
        and (english.plural(entry.word) == word or before in ("the", "my", "our"))
        and entry.sort not in ("time", "person", "amount", "abstract") and entry.word == _base(word)
    ]  # fmt: skip
    if len({entry for entry, _ in found}) != 1 or own & set(words):
        return draft.talking(used=rest)
    return draft.talking(used=(*rest, f"they:{draft.session.turn}:{found[-1][1]}"))


def _base(word: str) -> str:
    entry = lexicon.look(word)
    return entry.word if entry else word


def pointed(draft: Draft, text: str) -> str:
    """The statement with `they` or `it` named, where that is what the person spoke of last."""
    word = draft.others
    if not word:
        return text
    many = _base(word) != word
    sign, name = (r"\b(?:they|them)\b", word) if many else (r"\bit\b(?!')", f"the {word}")
    named = re.sub(sign, name, text, count=1, flags=re.IGNORECASE)
    return named[:1].upper() + named[1:] if text[:1].isupper() else named


def answered_with(draft: Draft, topic: str, words: str) -> Draft:
    """The draft with what a yes has told him."""
    draft = draft.noting(f"heard:{draft.session.turn}:{words[:40]}")
    return draft.knowing(told=told(draft.memory, topic, words).told)


def is_personal(memory: Memory) -> bool:
    """Whether he knows anything of the person that one should ask about before keeping it."""
    return bool(
        memory.name
        or memory.likes
        or memory.dislikes
        or any(is_own(each.words) for each in memory.told)
    )


def recalled(draft: Draft) -> Draft:
    """The draft with something the person said before, if it fits and was not brought up yet."""
    if any(
        draft.session.turn - int(key[9:]) < APART
        for key in draft.talk.used
        if key.startswith("recalled:")
    ):
        return draft
    for each in _waiting(draft):
        about = draft.meant(each.topic)
        key = f"told:{each.topic}:{each.words[:40]}"
        line = turned(each.words, about, owns(draft.memory, about))
        if line:
            now = NOW.match(line) and draft.lot(0.5)
            after = draft.say("recall-now" if now else "recall", more={"turned": line})
        elif words := quoted(each.words):
            after = draft.say("recall-quote", about=about, more={"quote": words})
        else:
            continue
        if after is not draft:
            return after.noting(key, f"recalled:{draft.session.turn}")
    return draft


def owns(memory: Memory, about: Subject | None) -> bool:
    """Whether the person has spoken of one of their own."""
    if about is None or not about.single:
        return False
    word = re.escape(about.word)
    own = re.compile(rf"\b(?:my|(?:have|got|own|kept|keep) an?)(?: \w+)? {word}\b|\bmine\b")
    return any(own.search(each.words.lower()) for each in memory.told if each.topic == about.word)


def recalled_taste(draft: Draft, topic: Subject) -> Draft:
    """The draft with what the person thinks of the topic, or of two that they like."""
    memory, key = draft.memory, f"taste:{topic.word}"
    if topic.entry.kind == "adjective" or draft.noted(key):
        return draft
    if topic.word in memory.likes:
        return draft.say("recall-like").noting(key)
    if topic.word in memory.dislikes:
        return draft.say("recall-dislike").noting(key)
    return draft


def compared_likes(draft: Draft) -> Draft:
    """The draft with a question about two things that the person likes."""
    likes = [found for word in draft.memory.likes if (found := draft.meant(word))]
    likes = [found for found in likes if found.entry.kind != "adjective"]
    if len(likes) < 2 or draft.noted("likes"):
        return draft
    one, two = likes[-2:]
    after = draft.say("likes", more={"one": one.said, "two": two.said})
    return after if after is draft else after.noting("likes")


def _waiting(draft: Draft) -> Iterator[Told]:
    """What was said on this topic, oldest first, that is neither too fresh nor used up."""
    marks = [key.split(":", 2) for key in draft.talk.used if key.startswith("heard:")]
    fresh = {mark[2] for mark in marks if draft.session.turn - int(mark[1]) < LATEST}
    marks = [key.split(":", 2) for key in draft.talk.used if key.startswith("said:")]
    fresh |= {mark[2] for mark in marks if draft.session.turn - int(mark[1]) < RESTED}
    for each in remembered(draft.memory, draft.talk.topic):
        key = f"told:{each.topic}:{each.words[:40]}"
        if is_grave(each.words):
            continue
        if each.words[:40] not in fresh and not draft.noted(key):
            yield each


# Grief


def hushed(draft: Draft) -> Draft:
    """The draft in the mood that grief asks for, from now on for some lines."""
    return lifted(draft).noting(f"hushed:{draft.session.turn}")


def lifted(draft: Draft) -> Draft:
    """The draft in its usual mood again."""
    return draft.talking(
        used=tuple(key for key in draft.talk.used if not key.startswith("hushed:"))
    )


def is_hushed(draft: Draft) -> bool:
    """Whether something grave was told a moment ago, so that no dry word is in place."""
    marks = [int(key[7:]) for key in draft.talk.used if key.startswith("hushed:")]
    return bool(marks) and draft.session.turn - marks[-1] <= STAYS_GRAVE


# Leave to remember


def should_ask(draft: Draft) -> bool:
    """Whether this is the moment to ask if he may remember: the first personal thing he hears."""
    return draft.memory.agreed is None and not draft.noted("keep") and is_personal(draft.memory)


def given(draft: Draft, yes: bool) -> Draft:
    """The draft once leave to remember is given or refused; a talk lent for that is over."""
    line = BY_ID["keep.0"]
    after = draft.knowing(agreed=yes).saying(line.yes if yes else line.no)
    return replace(after, session=after.session.but(mode="chat")) if is_lent(draft) else after


def is_lent(draft: Draft) -> bool:
    """Whether there is a talk only because he had to ask for leave."""
    return draft.noted(LENT)


def is_open(draft: Draft) -> bool:
    """Whether that question was put a moment ago, and something else was said since."""
    marks = [int(key[5:]) for key in draft.talk.used if key.startswith("keep:")]
    lately = bool(marks) and draft.session.turn - marks[-1] <= STAYS_OPEN
    return lately and draft.memory.agreed is None


def is_free(draft: Draft, line: Line | None) -> bool:
    """Whether a yes or no cannot be the answer to his last line, and so is his leave."""
    waits = draft.talk.asked.startswith((*LIKES, "shall", "game", "mean", "teach"))
    return is_open(draft) and not waits and not (line and line.yes)


def open_still(draft: Draft) -> Draft:
    """The reply without another question, while that one waits for its answer."""
    if not is_open(draft):
        return draft
    if draft.asks and len(draft.said) > 1 and _is_loose(draft):
        draft = replace(draft, said=draft.said[:-1])
    return draft if draft.asks else draft.meaning(Asked("keep.0"))


def _is_loose(draft: Draft) -> bool:
    """Whether the question at the end can wait: it leads nowhere that the reply depends on."""
    return not Asked.read(draft.asked).section.startswith(("shall", "game", "new", "teach"))


def consented(draft: Draft) -> tuple[Session, tuple[str, ...]]:
    """The reply, with that question at its end if the moment has come."""
    if should_ask(draft) and draft.asks and len(draft.said) > 1 and _is_loose(draft):
        draft = replace(draft, said=draft.said[:-1])
    if not should_ask(draft) or draft.asks:
        return open_still(draft).done()
    line = BY_ID["keep.0"]
    first = " ".join(draft.said)
    draft = draft.noting("keep", f"keep:{draft.session.turn}")
    after = replace(draft, said=(*draft.said, line.text)).meaning(Asked(line.id))
    final, _ = after.done()
    if final.mode == "chat":  # his question is answered in a talk, which ends with the answer
        final = after.noting(LENT).done()[0].but(mode="talk")
    return final, tuple(filter(None, (first, line.text)))
