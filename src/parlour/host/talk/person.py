"""What Benedict says when a person asks what he knows of them and of theirs.

He answers from the memory alone, in the person's terms, or says that he was not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from parlour.core import all_of, capital, one_of
from parlour.host.language import Line, english, read_expressions, read_pairs
from parlour.host.session import Fact, Memories, Session, Statement
from parlour.host.talk import facts as told
from parlour.host.talk import memory as memories
from parlour.host.talk.draft import Draft, Mark, fill, load_templates
from parlour.host.talk.facts import KIN, find_facts, head_of, list_spoken_of
from parlour.host.talk.memory import QUESTIONS, mirror, speaks_of_self
from parlour.host.talk.subjects import PLAIN, WORDS, find_subject

RECALL = read_expressions("talk/expressions/recall.txt")
ASKED = RECALL.list_with("who")  # the sections that ask about somebody
ANSWERED_BY = read_pairs("talk/same.txt")["answered by"]
NAMES_OF_GAMES = frozenset().union(*(WORDS[name] for name in WORDS if name.startswith("game")))
PRONOUNS = ("he", "she", "his", "her")
LATEST = 2  # statements that he repeats at once
A_FEW = 3  # and when asked for all that he knows of the person
LONG_AGO = 12  # turns in which `her` in a question can mean somebody
RARE = 5  # how common a word is, at most, that is enough to find a statement by
MANY = 8  # facts that he repeats at once


def answer_about_person(session: Session, line: Line) -> tuple[str, ...] | None:
    """Say what he knows of the person, if that is the question; else return None."""
    if not told.may_concern(session.memory, line) and "you" not in line.words:
        return None
    for plain in _list_sentences(line):
        if answer := _answer_sentence(session, plain, line):
            return (answer,)
    return None


def _list_sentences(line: Line) -> Iterator[str]:
    """List the whole line, and its sentences if there are several."""
    yield line.plain
    parts = [part for part in re.split(r"[,.;:!?]+(?:\s|$)", line.text) if part.strip()]
    yield from (" ".join(memories.find_words(part)) for part in parts if len(parts) > 1)


def _answer_sentence(session: Session, sentence: str, line: Line) -> str:
    plain = QUESTIONS["trail"].sub("", QUESTIONS["lead"].sub("", sentence))
    memory = session.memory
    if QUESTIONS["name"].search(plain):
        return fill("know-name" if memory.name else "know-no-name", name=memory.name)
    if QUESTIONS["all"].search(plain):
        return " ".join(_list_all(memory)) or fill("know-nothing")
    if QUESTIONS["tastes"].search(plain):
        return _describe_tastes(memory) or fill("know-no-tastes")
    answer = ""
    if found := QUESTIONS["liked"].search(plain):
        answer = _describe_taste(memory, found["x"])
    answer = answer or _answer_from_facts(session, sentence)
    if not answer and (found := QUESTIONS["said"].search(plain)):
        answer = _answer_what_was_said(session, found["x"], plain, line)
    return answer or _answer_by_words(session, plain, line)


def _answer_by_words(session: Session, plain: str, line: Line) -> str:
    """Answer a question about the person by what they said in the same words."""
    if not RECALL["of oneself"].search(plain):
        return ""
    if RECALL["just said"].search(plain) and (last := memories.quote_whole(session.last.text)):
        return fill("know-said", quote=last)
    asked = [_find_bases(word) for word in plain.split() if word not in PLAIN]
    asked = [bases for bases in asked if not bases & WORDS["of asking"]]
    best, most = "", 0.0
    small = {word for word in plain.split() if word in PLAIN}
    before = [each for each in session.memory.statements if each.words not in line.text]
    for each in before:
        said = memories.find_words(each.words)
        words = frozenset().union(*map(_find_bases, said))
        shared = sum(bool(bases & words) for bases in asked)
        if shared and (close := shared + len(small & set(said)) / 100) >= most:  # `to be`
            best, most = each.words, close
    if best:
        return next(_repeat(session.memory, [Statement("", best)]), "")
    if session.mode == "game":
        return ""  # it may ask about the game
    if not {"i", "my", "me", "we", "our"} & set(plain.split()):
        return fill("not-kept")
    return fill("not-told") if RECALL["surely of oneself"].search(plain) else ""


def find_said(session: Session, line: Line, *, surely: bool = False) -> str:
    """Repeat what the person said in the words of a question; nothing if too few are in it.

    A question that surely asks for what was said needs only one word of it.
    """
    asked = [_find_bases(word) for word in line.words if word not in PLAIN and len(word) > 2]
    asked = [bases for bases in asked if not bases & WORDS["of asking"]]
    if not asked or NAMES_OF_GAMES & set(line.words):
        return ""
    small, found = {word for word in line.words if word in PLAIN}, []
    for each in reversed(session.memory.statements):
        said = memories.find_words(each.words)
        words = frozenset().union(*map(_find_bases, said))
        shared = [bases for bases in asked if bases & words]
        enough = surely or len(shared) > 1 or any(map(_is_rare, shared))
        most = len(shared) >= max(len(asked) - (len(asked) > A_FEW - 1), 1)
        if enough and most and each.words not in line.text:
            found.append((len(small & set(said)), each.words))  # `to be`
    best = max(found, key=lambda pair: pair[0])[1] if found else ""
    return next(_repeat(session.memory, [Statement("", best)]), "") if best else ""


def _is_rare(words: Iterable[str]) -> bool:
    """Say whether a word tells so much that it is enough to find a statement by."""
    return all(entry.common < RARE for word in words for entry in english.find_entries(word))


@lru_cache(maxsize=4096)
def _find_bases(word: str) -> frozenset[str]:
    """Return a word and what it may be a form of: `taught` and teach."""
    return frozenset({word, *(entry.word for entry in english.find_entries(word))})


def _answer_what_was_said(session: Session, about: str, plain: str, line: Line) -> str:
    memory = session.memory
    thing = find_subject(memory, about)
    if thing is None:
        return ""
    statements = [each for each in memories.find_statements(memory, thing.word) if each.topic]
    of_it = [each for each in statements if each.topic == thing.word]
    lines = list(_repeat(memory, of_it)) or list(_repeat(memory, statements))
    if not lines and QUESTIONS["asks what was said"].match(plain):
        said = find_said(session, line, surely=True)
        return said or fill("know-not-said", s=thing.phrase)
    return " ".join(lines[-LATEST:])


def _answer_from_facts(session: Session, sentence: str) -> str:
    """Answer a question, perhaps put indirectly, from the facts; nothing if it is another one."""
    indirect = RECALL["asks indirectly"].search(sentence)
    for asked in (sentence, sentence[indirect.end() :] if indirect else ""):
        core = RECALL["trail"].sub("", RECALL["lead"].sub("", asked + " ").strip())
        core = RECALL["said"].sub("", RECALL["said of"].sub("is ", core + " ")).strip()
        for section in ASKED:
            if found := RECALL.match_line(section, core):
                parts = {name: value or "" for name, value in found.groupdict().items()}
                if answer := _answer_of(session, section, parts, core):
                    return answer
    return ""


def _answer_of(session: Session, section: str, parts: dict[str, str], sentence: str) -> str:
    """Answer a question about somebody; nothing if it means something else."""
    memory, who, thing = session.memory, parts["who"], parts.get("thing", "").strip()
    kind, theme = section.split(maxsplit=1)[0], who.split()[-1]
    path = told.read_path(who, list_spoken_of(session, LONG_AGO), list(memory.facts))
    if who in PRONOUNS and not find_facts(memory, path, *ANSWERED_BY.get(kind, kind).split()):
        others = told.list_meant(who, list_spoken_of(session, LONG_AGO))
        known_of = [each for each in others if find_facts(memory, each, kind)]
        path = known_of[0] if known_of else path
    late = [f"you.{each}" for each in Draft.of(session).list_marked(Mark.GONE)]
    if who in PRONOUNS and late and RECALL["past"].search(sentence):
        path = late[-1]
    if kind == "whole" and who.startswith(("my ", "our ")) and theme in ANSWERED_BY:
        path, kind = "you", theme
    known = find_facts(memory, path) if path else []
    if not (path == "you" or known or (path and _is_person(path))) or who in NAMES_OF_GAMES:
        return ""
    if path == "you" and kind == "name":
        return fill("know-name" if memory.name else "know-no-name", name=memory.name)
    vague = (section == "job do" and not parts["tail"]) or (
        section == "is" and not _is_person(thing)
    )
    if path == "you" and (vague or kind in ("likes", "whole")):
        return ""  # what do I do now?
    if kind == "whole":
        said = [] if known else memories.find_statements(memory, theme)
        return " ".join([*dict.fromkeys(_repeat(memory, said))][-LATEST:]) or _tell_whole(
            memory, path, known, who
        )
    if kind == "has":
        return _answer_has(memory, path, thing)
    if kind == "favourite":
        kind = f"favourite {thing.replace('color', 'colour')}"
    relations = ANSWERED_BY.get(kind, "").split() or (kind,)
    facts = find_facts(memory, path, *relations)
    if kind in ("job", "work"):
        work = [each for each in facts if not _is_hobby(each)]
        facts = work or facts
    if kind == "does":
        facts = [each for each in facts if each.value.lower().startswith(thing.split()[0])]
        doer = f"{thing.split()[0].removesuffix('e')}er"  # what I teach, who is a maths teacher
        callings = find_facts(memory, path, "is", "was")
        facts = facts or [each for each in callings if doer in each.value.split()]
    return _tell_or_deny(path, facts)


def _is_hobby(fact: Fact) -> bool:
    return fact.value.split()[0].removesuffix("s") in WORDS["hobbies"]


def _is_person(words: str) -> bool:
    """Say whether words or a path end with a person or an animal, of whom somebody may tell."""
    head = head_of(words)
    entry = english.look_up(head) if head not in WORDS["not owned"] else None
    return head in KIN or bool(entry and entry.sort in ("animal", "person"))


def _answer_has(memory: Memories, path: str, thing: str) -> str:
    """Say whether somebody has such a thing, and what it is called."""
    head = head_of(thing)
    wanted = {head, *told.COVERS.get(head, "").split()}
    pets = head in ("pet", "animal")

    def fits(fact: Fact) -> bool:
        word = head_of(fact.value if fact.relation == "has" else fact.whose)
        entry = english.look_up(word) if pets else None
        owner = fact.whose if fact.relation == "has" else fact.whose.rpartition(".")[0]
        found = not thing or word in wanted or bool(entry and entry.sort == "animal")
        return found and owner == path and fact.relation in ("has", "name")

    facts = [each for each in memory.facts if fits(each)]
    asks = facts or not thing or told.is_ownable(head)
    return _tell_or_deny(path, facts) if asks else ""


def _tell_whole(memory: Memories, path: str, known: list[Fact], who: str) -> str:
    """Tell all that is known of somebody; of a name, whose it is."""
    rest = [each for each in memory.facts if each.whose.startswith(f"{path}.")]
    if not any(each.relation == "name" and who in each.value.lower().split() for each in known):
        return _tell_or_deny(path, [*known, *rest])
    line = fill("fact-whose", value=who.capitalize(), whose=name_path(path))
    rest = [*(each for each in known if each.relation != "name"), *rest]
    return " ".join((line, *map(tell_fact, rest)))


def _tell_or_deny(path: str, facts: Sequence[Fact]) -> str:
    if facts:
        return " ".join(map(tell_fact, facts[-MANY:]))
    return fill("not-told") if path == "you" else fill("not-told-of", whose=name_path(path))


def name_path(path: str) -> str:
    """Return a path in words: `you.sister.dog` is your sister's dog."""
    if told.is_bare_name(path):
        return path
    return path if path == "you" else "your " + "'s ".join(path.split(".")[1:])


def tell_fact(fact: Fact) -> str:
    """Say a fact in the person's terms: `Your dog is called Rex.`"""
    whose, head = name_path(fact.whose), re.split(r"[ .]", fact.whose)[-1]
    lists = fact.relation in ("name", "was-called") and " and " in fact.value
    several = lists or told.find_head(head) not in ("", head)
    if lists and told.find_head(head) == head:
        whose = whose.removesuffix(head) + english.plural(head)
    relation, _, thing = fact.relation.partition(" ")
    number = 0 if fact.whose == "you" or several else 1
    line = load_templates()[f"fact-{relation}"][: number + 1][-1].text
    return line.format(whose=whose, Whose=capital(whose), value=fact.value, thing=thing)


def join_facts(facts: Sequence[Fact]) -> str:
    """Say several facts in one clause: your dog is called Rex and is three."""
    found: list[str] = []
    for before, fact in zip([None, *facts], facts, strict=False):
        line, whose = tell_fact(fact).rstrip("."), name_path(fact.whose)
        same = before is not None and before.whose == fact.whose
        if same and before and before.relation == fact.relation == "has":
            found.append(fact.value)
        elif same and line.lower().startswith(f"{whose} "):
            found.append(line[len(whose) + 1 :])
        else:
            found.append(line if told.is_bare_name(fact.whose) else line[0].lower() + line[1:])
    return all_of(found)


def _list_all(memory: Memories) -> list[str]:
    values = {each.value.lower().split()[-1] for each in memory.facts}
    tastes = [find_subject(memory, word) for word in (*memory.likes, *memory.dislikes)]
    values |= {memory.name.lower(), *(each.phrase for each in tastes if each)}
    statements = [s for s in memory.statements if not values & set(memories.find_words(s.words))]
    telling = [each for each in statements if not RECALL["not telling"].match(each.words.lower())]
    latest = {each.words: each for each in telling if speaks_of_self(each.words)}
    own = list(latest.values())
    others = [each for each in statements if each.topic and not speaks_of_self(each.words)]
    lines = [*_repeat(memory, others), *_repeat(memory, own)]
    taught = all_of(word.word for word in memory.words[-3:])
    found = [
        fill("know-name", name=memory.name) if memory.name else "",
        _describe_tastes(memory),
        *map(tell_fact, memory.facts[-MANY:]),
        *lines[-A_FEW:],
        fill("know-taught", list=taught) if taught else "",
    ]
    return list(filter(None, found))


def _describe_tastes(memory: Memories) -> str:
    likes, dislikes = _join(memory, memory.likes, all_of), _join(memory, memory.dislikes, one_of)
    if not likes and not dislikes:
        return ""
    which = "both-tastes" if likes and dislikes else "likes" if likes else "dislikes"
    return fill(f"know-{which}", one=likes, two=dislikes)


def _join(memory: Memories, words: Iterable[str], join: Callable[[Iterable[object]], str]) -> str:
    found = [thing for word in words if (thing := find_subject(memory, word))]
    return join(f"what is {t.word}" if t.entry.kind == "adjective" else t.phrase for t in found)


def _repeat(memory: Memories, statements: Iterable[Statement]) -> Iterator[str]:
    """Repeat what the person said, turned round where that is possible."""
    for each in statements:
        about = find_subject(memory, each.topic)
        if line := mirror(each.words, about, memories.owns(memory, about)):
            yield fill("know-told", turned=line)
        elif line := memories.quote_whole(each.words):
            yield fill("know-said", quote=line)


def _describe_taste(memory: Memories, phrase: str) -> str:
    thing = find_subject(memory, phrase)
    if thing is None:
        return ""
    likes, dislikes = thing.word in memory.likes, thing.word in memory.dislikes
    which = "like" if likes else "dislike" if dislikes else "no-taste"
    return fill(f"know-{which}", s=thing.phrase)
