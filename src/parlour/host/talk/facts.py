"""What a person tells of themselves and of theirs, as facts: whose, which relation, what value.

`My sister is called Ann. She lives in Rome` tells `you.sister name Ann` and `you.sister lives in
Rome`. Only what parses is kept: no jokes, no suppositions, no quotations, nothing that others say.
A later fact replaces an earlier one where there can only be one, and a correction removes what the
line before has told. The person's own name and tastes are kept by themselves in the memory.

When they ask what he knows, he answers from the memory alone, or says that he was not told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from parlour.core import all_of, capital, one_of
from parlour.host.language import Line, english, spell_number, texts
from parlour.host.session import MAX_KEPT, Fact, Memories, Session, Statement
from parlour.host.talk import memory as memories
from parlour.host.talk.draft import Draft, Mark, fill, load_templates
from parlour.host.talk.memory import MIRRORED, QUESTIONS, find_words, is_grave, speaks_of_self
from parlour.host.talk.subjects import PLAIN, WORDS, find_subject

FACTS = texts.read_expressions("talk/expressions/facts.txt")
RELATIONS = FACTS.list_with("who", "value")  # the sections that tell something of somebody
SAME = texts.read_pairs("talk/same.txt")["same"]
COVERS = texts.read_pairs("talk/same.txt")["covers"]
NAMES = texts.read_words("language/words/names.txt")["names"]
KIN = WORDS["he"] | WORDS["she"] | WORDS["he or she"]
FIRST_PERSON = ("i", "we", "my", "our", "me", "us")
THIRD_PERSON = {"his": "he", "him": "he", "her": "she", "their": "they", "them": "they"}
PRONOUNS = ("he", "she", "it", "they")
SPEAKERS = {*FIRST_PERSON, *THIRD_PERSON, *PRONOUNS, "dad", "mum", "mom", "got"}
SEVERAL = ("has", "is", "was", "does", "likes", "dislikes")  # relations with more than one value
OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}
AND_LISTS = ("name", "was-called", "likes", "dislikes", "speaks", "favourite", "has")
OWNABLE = ("animal", "artifact", "vehicle", "instrument", "clothing", "place", "plant")
PLAYED = ("instrument", "sport", "game", "music", "group")
STILL_MEANT = 4  # turns in which a pronoun can mean somebody
MAX_MEANT = 3  # of whom there can be several
MAX_VALUE = 12  # words
MAX_NAME = 4  # words
RECALL = texts.read_expressions("talk/expressions/recall.txt")
ASKED = RECALL.list_with("who")  # the sections that ask about somebody
ANSWERED_BY = texts.read_pairs("talk/same.txt")["answered by"]
NAMES_OF_GAMES = frozenset().union(*(WORDS[name] for name in WORDS if name.startswith("game")))
IN_QUESTIONS = ("he", "she", "his", "her")  # pronouns that can mean somebody who has died
LATEST = 2  # statements that he repeats at once
A_FEW = 3  # and when asked for all that he knows of the person
LONG_AGO = 12  # turns in which `her` in a question can mean somebody
RARE = 5  # how common a word is, at most, that is enough to find a statement by
MANY = 8  # facts that he repeats at once
TITLES = (" mr", " mrs", " ms", " miss", " dr", " professor")


@dataclass
class Notes:
    """What a line tells, while it is read: the facts, and who was spoken of last."""

    session: Session
    text: str
    facts: list[Fact]
    spoken_of: list[str] = field(default_factory=list)  # the latest last

    def add(self, whose: str, relation: str, value: str) -> None:
        """Add a fact, and remove those it contradicts."""
        fact = Fact(whose, relation, value, self.session.turn)
        self.facts = [each for each in self.facts if not _replaces(fact, each)] + [fact]
        if relation in ("name", "was-called") and " " not in value:
            self.move(value, whose)  # facts that were told under the name alone

    def move(self, old: str, new: str) -> None:
        """Move the facts about one path to another."""
        whole = re.compile(rf"{re.escape(old)}(?=\.|$)", re.IGNORECASE)
        self.facts = [replace(each, whose=whole.sub(new, each.whose)) if whole.match(each.whose)
                      else each for each in self.facts]  # fmt: skip

    def remove(self, whose: str, relation: str, value: str) -> None:
        """Remove a fact that is denied."""
        gone = (whose, relation, value.lower())
        self.facts = [f for f in self.facts if (f.whose, f.relation, f.value.lower()) != gone]


def learn_facts(session: Session, line: Line) -> Session:
    """Return the session with what a line tells of the person, and who it speaks of."""
    if session.mode in ("chat", "talk"):
        session = memories.keep_words(session, line)
    if not may_concern(session.memory, line) and not FACTS["takes back"].match(line.plain):
        return session
    notes = Notes(session, line.text, list(session.memory.facts), list_spoken_of(session))
    before = len(notes.spoken_of)
    corrects = _correct(notes, line)
    if not corrects and not _take_name_asked_for(notes, line):
        for sentence in re.findall(r"[^.!?;\n]+[.!?;\n]*", notes.text):
            _read_sentence(notes, sentence, line)
    memory = replace(notes.session.memory, facts=tuple(notes.facts)[-MAX_KEPT:])
    draft = Draft.of(notes.session.replace(memory=memory))
    if corrects:
        draft.note(Mark.CORRECTED)
    if len(notes.spoken_of) > before:
        for path in list(dict.fromkeys(reversed(notes.spoken_of)))[:MAX_MEANT]:
            draft.drop(Mark.SPOKEN_OF, path)
            draft.note(Mark.SPOKEN_OF, path)
    return draft.session


def may_concern(memory: Memories, line: Line) -> bool:
    """Say whether a line can be about the person or somebody of theirs at all."""
    names = {word for each in memory.facts for word in f"{each.whose} {each.value}".lower().split()}
    return bool((SPEAKERS | NAMES | names) & set(line.words) or FACTS["aged"].search(line.text))


def list_told(session: Session) -> list[Fact]:
    """List the facts that this line has told."""
    return [each for each in session.memory.facts if each.turn == session.turn]


def list_spoken_of(session: Session, turns: int = STILL_MEANT) -> list[str]:
    """List the paths that a pronoun can mean now, the latest last."""
    return Draft.of(session).list_recent(Mark.SPOKEN_OF, turns)[::-1]


# Paths


@lru_cache(maxsize=4096)
def find_head(word: str) -> str:
    """Return a noun in the singular; an empty text for a word that is not a noun."""
    if word in KIN or word in SAME:
        return word
    if word.endswith("s") and (word[:-1] in KIN or word[:-1] in SAME):
        return word[:-1]
    entries = english.find_entries(word, "noun")
    forms = {form for each in entries for form in (each.word, english.plural(each.word))}
    return entries[0].word if entries and word in forms and not entries[0].name else ""


def read_path(words: str, spoken_of: list[str], facts: list[Fact]) -> str:
    """Return the path that words name: `my sister's dog` is you.sister.dog; nothing if none."""
    first, _, rest = words.partition(" ")
    base = "you" if first in FIRST_PERSON else _find_referent(first, spoken_of, facts)
    if not base and not rest and head_of(first) in KIN:
        return f"you.{first}"  # mum is a teacher
    rest = rest.removeprefix("is ")  # Kev's daughter
    return _extend(base, rest, facts) if base and rest else base


def _find_referent(word: str, spoken_of: list[str], facts: list[Fact]) -> str:
    """Return who a pronoun or a name means."""
    if THIRD_PERSON.get(word, word) in PRONOUNS:
        return next(iter(list_meant(word, spoken_of)), "")
    for each in reversed(facts):
        named = each.relation in ("name", "was-called") and word in each.value.lower().split()
        if named and " and " not in each.value:
            return each.whose
        if named or (is_bare_name(each.whose) and word == each.whose.lower()):
            return word.capitalize()  # one of several, or somebody known by name only
    return ""


def list_meant(word: str, spoken_of: list[str]) -> list[str]:
    """List whom a pronoun can mean; she is sooner the grandmother than the cousin."""
    pronoun = THIRD_PERSON.get(word, word)
    fitting = [path for path in reversed(spoken_of) if _suits(path, pronoun)]
    surely = [path for path in fitting if head_of(path) in WORDS.get(pronoun, ())]
    pet = fitting[:1] if fitting and _find_sort(head_of(fitting[0])) == "animal" else []
    return [*pet, *surely, *fitting]


def is_bare_name(path: str) -> bool:
    """Say whether a path is only a name, of somebody who may be anybody."""
    return path != "you" and not path.startswith("you.")


def _suits(path: str, pronoun: str) -> bool:
    head = head_of(path)
    animal = _find_sort(head) == "animal"
    last = re.split(r"[ .]", path)[-1]
    if is_bare_name(path):
        return pronoun in ("he", "she")
    if find_head(last) not in ("", last):
        return pronoun == "they"
    if pronoun == "it":
        return head not in KIN or animal
    wrong = {"he": WORDS["she"], "she": WORDS["he"]}.get(pronoun, ())
    return head not in wrong and (head in KIN or animal)


def _extend(base: str, words: str, facts: list[Fact]) -> str:
    """Add `sister's dog` to a path; what is said shortly means what was said at length before."""
    parts = re.split(r" is (?=[a-z])", words)
    first, _, rest = words.partition(" ")
    if len(parts) == 1 and rest and first.endswith("s") and first[:-1] in KIN:
        parts = [first[:-1], rest]  # my sisters dog
    for part in parts:
        *before, last = part.removesuffix(" in law").split() or [""]
        head = find_head(last)
        tells = is_ownable(last) or _find_sort(last) in ("person", "group")
        if not (head and tells and all(map(_describes, before))):
            return ""
        found = " ".join((*before, head + " in law" * part.endswith(" in law")))
        known = {f.whose for f in facts if f.whose.startswith(f"{base}.")}
        same = [each for each in sorted(known) if match_path(f"{base}.{found}", each)]
        base = same[0] if len(same) == 1 else f"{base}.{found}"
    return base


def _describes(word: str) -> bool:
    described = word in WORDS["describing"] or _find_sort(word) in OWNABLE
    return described or bool(english.find_entries(word, "adjective"))


def _find_sort(word: str) -> str:
    nouns = english.find_entries(word, "noun") if word not in PLAIN else ()
    return nouns[0].sort if nouns else ""


def match_path(asked: str, known: str) -> bool:
    """Say whether a path means one that he knows, if perhaps less exactly."""
    pairs = list(zip(asked.split("."), known.split("."), strict=False))
    same = asked.count(".") == known.count(".")
    return same and all(
        head_of(some) == head_of(full) and set(some.split()[:-1]) <= set(full.split()[:-1])
        for some, full in pairs
    )


# Statements


def _read_sentence(notes: Notes, sentence: str, line: Line) -> None:
    """Read a sentence clause by clause; after a supposition nothing in it is certain."""
    if re.search(r"[\"“”«»]", sentence):
        return
    doubtful, subject = sentence.rstrip().endswith("?"), ""
    if not doubtful:
        sentence = FACTS["aged"].sub(lambda found: _tell_age(notes, found), sentence)
    for part in FACTS["joint"].split(FACTS["together"].sub("we", sentence)):
        plain = line.plain if part == line.text else " ".join(find_words(part))
        clause = _strip(plain)
        subject = "they" if plain.startswith("who ") and notes.spoken_of else subject
        asks = not subject and QUESTIONS["asks"].match(plain)
        doubtful = doubtful or bool(asks or FACTS["supposed"].search(clause))
        told = ""
        if clause and not doubtful and not FACTS["not yet"].search(clause):
            told = _read_clause(notes, clause, subject)
            if not told and "," in part:
                first = " ".join(find_words(part.split(",")[0]))
                told = _read_clause(notes, _strip(first), subject)
        subject = told or _mention(notes, clause) or subject


def _tell_age(notes: Notes, found: re.Match[str]) -> str:
    """Note the age of somebody named; return what the sentence is without an inserted one."""
    name = found["name"]
    known = _find_referent(name.lower(), [], notes.facts)
    if not known.startswith("you.") and not _is_person_name(name):
        return found[0]
    path = known or name.capitalize()
    notes.add(path, "age", spell_number(found["value"]))
    notes.spoken_of.append(path)
    return found[0] if " is " in found[0] and "who" not in found[0] else name


def _is_person_name(word: str) -> bool:
    """Say whether a word is known as a name, or has its capital and is no other word."""
    strange = word[0].isupper() and english.look_up(word) is None and word.lower() not in PLAIN
    return word.lower() in NAMES or strange


def _strip(clause: str) -> str:
    clause = clause.replace("childrens", "children")
    return FACTS["trailers"].sub("", FACTS["fillers"].sub("", clause + " ").strip())


def _mention(notes: Notes, clause: str) -> str:
    """Note who a clause speaks of, though it tells nothing; return it if it names only them."""
    for word in (*PRONOUNS, *THIRD_PERSON):
        if word in clause.split() and (path := read_path(word, notes.spoken_of, notes.facts)):
            notes.spoken_of.append(path)
    for found in FACTS["mentions"].finditer(clause):
        words = found["who"].split()
        for size in range(len(words), 1, -1):
            if path := _read_whose(notes, " ".join(words[:size])):
                notes.spoken_of.append(path)
                break
        if path and found[0] == clause:
            return clause
    return ""


def _read_clause(notes: Notes, clause: str, subject: str) -> str:
    """Add what a clause tells; return its subject, or nothing if it tells nothing."""
    clause = FACTS["said twice"].sub(r"\1 ", clause)
    if FACTS["goes on"].match(clause) and (subject or clause.startswith("got")):
        clause = f"{subject or 'i'} {clause}"
    for section in RELATIONS:
        if not (found := FACTS.match_line(section, clause)):
            continue
        parts = {name: value or "" for name, value in found.groupdict().items()}
        who = parts["who"] if not section.endswith(" of") else f"my {parts['who']}"
        who = who.replace("the ", "my ", 1) if who.startswith("the ") else who  # Pixel is the dog
        path = _find_late(notes, section, who) or _read_whose(notes, who)
        path = _keep_plural(path, who, clause)
        if path and _tell(notes, path, section, parts):
            if path != "you":
                notes.spoken_of.append(path)
            return who
    return ""


def _find_late(notes: Notes, section: str, who: str) -> str:
    """Return who has died, where `his name was` can only mean them."""
    pronoun = THIRD_PERSON.get(who, who)
    late = Draft.of(notes.session).list_marked(Mark.GONE)
    paths = [f"you.{each}" for each in late if _suits(f"you.{each}", pronoun)]
    return paths[-1] if section.startswith("was") and pronoun in PRONOUNS and paths else ""


def _keep_plural(path: str, who: str, clause: str) -> str:
    """Return the path in the plural, if the verb is; `my dogs called Rex` is one dog."""
    last, verb = who.rsplit(maxsplit=1)[-1], clause.removeprefix(who).split()[0]
    head = find_head(last)
    several = verb in WORDS["plural verbs"] and head and path.endswith(head)
    return path.removesuffix(head) + last if several else path


def _read_whose(notes: Notes, who: str) -> str:
    """Return whose a fact is; `my neighbour Keith` is named in passing."""
    if who in ("they", "their") and notes.session.talk.topic:
        return ""  # which may be what they are
    if path := read_path(who, notes.spoken_of, notes.facts):
        return path
    before, _, last = who.rpartition(" ")
    title = before.rpartition(" ")[2] if before.endswith(TITLES) else ""
    if title:  # my teacher Mrs Cooper
        before, last = before.removesuffix(f" {title}"), f"{title} {last}"
    typed = re.search(rf"\b{re.escape(last)}\b", notes.text, re.IGNORECASE)
    if before in ("", "baby", "little", "big") and typed and _is_person_name(typed[0]):
        return last.capitalize()
    named = title or _is_name(notes, last)
    path = read_path(before, notes.spoken_of, notes.facts) if named else ""
    if "." not in path or not _suits(path, "they") or not before.startswith(("my ", "our ")):
        return ""
    relation = "was-called" if is_grave(notes.text) else "name"
    notes.add(path, relation, _spell(notes, last, name=True))
    return path


def _is_name(notes: Notes, word: str) -> bool:
    if f" {word}".endswith(TITLES):
        return False
    capital = re.search(rf"\b{re.escape(word.capitalize())}\b", notes.text)
    return bool(capital) or word in NAMES


def _tell(notes: Notes, path: str, section: str, parts: dict[str, str]) -> bool:
    """Add a fact, or remove what is denied, if the value is of the right kind."""
    relation = section.split(maxsplit=1)[0]
    value = FACTS["trailers"].sub("", FACTS["tail"].sub("", parts["value"])).strip()
    if relation not in AND_LISTS and not set(value.split()) <= WORDS["looks"]:
        value = FACTS["after and"].sub("", value).strip()
    words = value.split()
    if not words or len(words) > MAX_VALUE or any(map(english.is_rude, words)):
        return False
    if relation == "has":
        return _tell_has(notes, path, value, parts.get("none", ""))
    if relation in OPPOSITES:
        return _tell_taste(notes, path, relation, value)
    if relation == "works" and words[0] == "as":
        relation, value = "is", value[3:]
    if relation in ("is", "was"):
        pet = _find_sort(head_of(path)) == "animal"
        value = value if pet and set(words) <= WORDS["looks"] else _read_calling(value, pet)
        if value and (home := FACTS["home"].search(value)):  # a student from Turkey
            notes.add(path, "from", _spell(notes, home["place"]))
            value = value[: home.start()]
    elif relation in ("name", "was-called"):
        strange = words[-1] in NAMES or not english.look_up(words[-1])
        known = section != "name owner" or _is_name(notes, value) or strange
        if section == "name plain" and parts["who"] == "it" and not _suits(path, "he"):
            return False
        if section == "name plain":  # my teacher is Mr Smith; but my wife Ann is Moroccan
            named = any(each.whose == path and each.relation == "name" for each in notes.facts)
            people = value not in NAMES and FACTS["people"].search(value)
            known = len(words) == 2 or (strange and _is_name(notes, value))
            known = known and not named and not people
        value = FACTS["after name"].sub("", value)
        value = value if known and path.startswith("you.") and len(words) <= MAX_NAME else ""
    elif relation == "does" and words[0].startswith("play"):
        what = next((word for word in words[1:] if word not in ("the", "in", "for", "a")), "")
        value = value if _find_sort(what) in PLAYED else ""
    elif relation == "married":
        value = value if _is_name(notes, words[0]) or words[0] in ("a", "an", "my") else ""
    if not value or words[0] in WORDS["no value"]:
        return False
    value = _spell(notes, value, name=relation in ("name", "was-called"))
    value = value if relation in AND_LISTS and " and " in value else value.split(",")[0]
    if section == "lives moved":
        value = f"in {value}"
    if relation == "favourite":
        relation = f"favourite {parts['thing'].replace('color', 'colour')}"
    (notes.remove if parts.get("not") else notes.add)(path, relation, value)
    return True


def _tell_taste(notes: Notes, path: str, relation: str, value: str) -> bool:
    """Remember a taste; the person's own are kept as words of the lexicon."""
    value = FACTS["how much"].sub("", value)
    words = value.split()
    if not words or words[0] in WORDS["no value"] - {"to"}:
        return False
    if path != "you":
        notes.add(path, relation, _spell(notes, value))
        return True
    found = find_subject(notes.session.memory, value) if len(words) < 3 else None
    if found is None:
        return False
    memory = memories.add_taste(notes.session.memory, found.word, relation == "likes")
    notes.session = notes.session.replace(memory=memory)
    return True


def _read_calling(value: str, pet: bool = False) -> str:
    """Return what somebody is, with its article: `nurse in Dubai` is a nurse in Dubai."""
    if value in WORDS["lasting"] or value.split(" to ", maxsplit=1)[0] in WORDS["lasting"]:
        return value
    found = FACTS["calling"].match(value)
    words = found["what"].split() if found else [""]
    nouns = english.find_entries(words[-1], "noun")
    first = english.look_up(words[-1])
    if first is None and re.match(r"an? \w+(?:man|woman|ist|ician|keeper|worker|maker)\b", value):
        return value  # a postman, whom the lexicon does not know
    sort = "animal" if pet else "person"
    if not nouns or nouns[0].sort != sort or nouns[0].name or words[-1] in WORDS["no calling"]:
        return ""
    if set(words[:-1]) & (PLAIN - {"old"}) or (
        first and first.kind != "noun" and value[:2] != "a "
    ):
        return ""  # too drunk is no calling
    bare = found and not found["article"] and nouns[0].word == words[-1]
    return f"{english.a(words[0]).split()[0]} {value}" if bare else value


def _tell_has(notes: Notes, path: str, value: str, none: str) -> bool:
    """Add what somebody has: animals, people of theirs and things, with their names."""
    told = False
    for item in FACTS["items"].split(value):
        found = FACTS["item"].fullmatch(f"no {item}" if none and not told else item)
        if not found:
            break
        words, name = found["thing"].split(), found["name"] or ""
        place = next((at for at, word in enumerate(words) if at and word in WORDS["places"]), 99)
        words = words[:place]
        heads = [at for at, word in enumerate(words) if is_ownable(word)]
        names = [at for at in heads if at and _is_name(notes, words[at])]  # a tom is also a cat
        at = max((at for at in heads if at < min(names, default=99)), default=-1)
        after = words[at + 1 :]
        if after and not name and all(word == "and" or _is_name(notes, word) for word in after):
            name, after = " ".join(after), []
        if at < 0 or "of" in after or not all(_describes(word) for word in words[:at]):
            continue
        told = True
        count = spell_number(found["count"])
        notes.add(path, "has", " ".join((count, _spell(notes, " ".join(words[: at + 1])))))
        if count == "no":
            gone = f"{path}.{find_head(words[at])}"
            notes.facts = [each for each in notes.facts if each.whose != gone]
            continue
        notes.spoken_of.append(f"{path}.{' '.join((*words[:at], find_head(words[at])))}")
        name = FACTS["after name"].sub("", FACTS["tail"].sub("", name)).strip()
        if name and len(name.split()) <= MAX_NAME:
            notes.add(notes.spoken_of[-1], "name", _spell(notes, name, name=True))
    return told


@lru_cache(maxsize=4096)
def is_ownable(word: str) -> bool:
    """Say whether a word is something that people tell they have."""
    head = find_head(word)
    if not head or head in WORDS["not owned"] or word in PLAIN - KIN:
        return False
    return head_of(head) in KIN or head in KIN or _find_sort(word) in OWNABLE


def head_of(words: str) -> str:
    """Return the noun of `two big dogs` or of a path, to be compared: `mum` is mother."""
    last = re.split(r"[ .]", words.lower().removesuffix(" in law"))[-1]
    return SAME.get(find_head(last), find_head(last)) or last


def _replaces(new: Fact, old: Fact) -> bool:
    """Say whether a fact can no longer be true beside a new one."""
    same = new.value.lower() == old.value.lower()
    if new.whose != old.whose:
        return same and new.relation == old.relation == "name"  # it was somebody else's
    if new.relation == "has" == old.relation:
        return head_of(new.value) == head_of(old.value)
    if new.relation == old.relation:
        return same or new.relation not in SEVERAL
    return same and OPPOSITES.get(new.relation) == old.relation


def _spell(notes: Notes, value: str, *, name: bool = False) -> str:
    """Spell a value as the person did, turned round, with the capitals that names have."""
    plain = "".join(unicodedata.normalize("NFKD", char)[:1] or char for char in notes.text)
    spelt = r"[\s,’'-]*".join("['’]?".join(word) for word in value.split())
    typed = re.search(rf"\b{spelt}\b", plain, re.IGNORECASE)
    words = [spell_number(word) for word in value.split()]
    if typed:
        words = [word.strip("'’") for word in notes.text[slice(*typed.span())].split()]
    words = [MIRRORED["turned"].get(word.lower(), word) for word in words]
    pairs = list(zip(("", *words), words, strict=False))
    return " ".join(
        word[:1].upper() + word[1:] if name or _is_proper(before, word) else word
        for before, word in pairs
    ).replace(" And ", " and ")


def _is_proper(before: str, word: str) -> bool:
    """Say whether a word is a name: by the lexicon, or an unknown one after `in`."""
    if word != word.lower() or word in PLAIN | KIN or not word.isalpha():
        return word in WORDS["months"]
    entry = english.look_up(word)
    return entry.name if entry else before in WORDS["joints"]


# Corrections


def _correct(notes: Notes, line: Line) -> bool:
    """Undo what the line before has told, if this line says so; then read what it says instead."""
    now = notes.session.turn
    turn = max((each.turn for each in notes.facts), default=-1)
    last = [each for each in notes.facts if each.turn == turn]
    if not now - STILL_MEANT < turn < now or not last:
        return False
    for section in ("renamed", "renamed other", "renamed said"):
        if found := FACTS[section].match(line.plain):
            return _rename(notes, f"my {found['old']}", f"my {found['new']}")
    if found := FACTS["renamed that"].match(line.plain):
        return _rename(notes, last[-1].whose, f"my {found['new']}")
    if found := FACTS["other value"].match(line.plain):
        return _change_value(notes, last[-1], found["rest"] or found["only"])
    found = FACTS["takes back"].match(line.plain)
    if not found or turn != now - 1:
        return False
    rest = found["rest"]
    if FACTS["mentions"].fullmatch(rest):
        return _rename(notes, last[-1].whose, rest)
    notes.facts = [each for each in notes.facts if each.turn != turn]
    if rest.isalpha() and last[-1].relation == "name":
        notes.add(last[-1].whose, "name", _spell(notes, rest, name=True))
    elif rest:
        _read_clause(notes, _strip(rest), "")
    return True


def _take_name_asked_for(notes: Notes, line: Line) -> bool:
    """Take the name of somebody that the person has just asked for in vain: `it's Mrs Cooper`."""
    asked = FACTS["asks for a name"].search(" ".join(find_words(notes.session.last.text)))
    given = FACTS["gives a name"].fullmatch(line.plain)
    who = (asked["who"] or asked["whom"]) if asked else ""
    path = read_path(who, [], notes.facts) if who and given else ""
    value = given["value"] if given else ""
    known = any(each.whose == path and each.relation == "name" for each in notes.facts)
    if "." not in path or known or not (" " in value or _is_name(notes, value)):
        return False
    notes.add(path, "name", _spell(notes, value, name=True))
    return True


def _rename(notes: Notes, old: str, new: str) -> bool:
    """Move the facts told last to somebody else."""
    before = old if "." in old else read_path(old, notes.spoken_of, notes.facts)
    after = read_path(new, notes.spoken_of, notes.facts)
    if before and after:
        notes.move(before, after)
        now = notes.session.turn
        notes.facts = [replace(f, turn=now) if f.whose == after else f for f in notes.facts]
        notes.spoken_of.append(after)
    return bool(before and after)


def _change_value(notes: Notes, fact: Fact, value: str) -> bool:
    """Correct the age, name or place told last; False if the value is not one of those."""
    number, name = value.isdigit(), _is_name(notes, value) and value not in PLAIN
    if fact.relation in ("name", "was-called") and name and not number:
        notes.add(fact.whose, fact.relation, _spell(notes, value, name=True))
    elif fact.relation == "age" and number:
        notes.add(fact.whose, "age", spell_number(value))
    elif fact.relation in ("lives", "from", "works") and name:
        notes.add(
            fact.whose, fact.relation, f"{'in ' * (fact.relation != 'from')}{value.capitalize()}"
        )
    else:
        return False
    return True


def find_facts(memory: Memories, path: str, *relations: str) -> list[Fact]:
    """List the facts about somebody, by the path that was told or the nearest one."""
    known = [each for each in memory.facts if not relations or each.relation in relations]
    bare = ".".join((part.split() or [""])[-1] for part in path.split("."))
    if path.endswith(".pet"):
        return [each for each in known if _find_sort(head_of(each.whose)) == "animal"]
    return (
        [each for each in known if each.whose == path]
        or [each for each in known if match_path(path, each.whose)]
        or [each for each in known if match_path(bare, each.whose) and " " not in each.whose]
    )


# What he knows, when they ask


def answer_about_person(session: Session, line: Line) -> tuple[str, ...] | None:
    """Say what he knows of the person, if that is the question; else return None."""
    if not may_concern(session.memory, line) and "you" not in line.words:
        return None
    for plain in _list_sentences(line):
        if answer := _answer_sentence(session, plain, line):
            return (answer,)
    return None


def _list_sentences(line: Line) -> Iterator[str]:
    """List the whole line, and its sentences if there are several."""
    yield line.plain
    parts = [part for part in re.split(r"[,.;:!?]+(?:\s|$)", line.text) if part.strip()]
    yield from (" ".join(find_words(part)) for part in parts if len(parts) > 1)


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
        said = find_words(each.words)
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
        said = find_words(each.words)
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
    path = read_path(who, list_spoken_of(session, LONG_AGO), list(memory.facts))
    if who in IN_QUESTIONS and not find_facts(memory, path, *ANSWERED_BY.get(kind, kind).split()):
        others = list_meant(who, list_spoken_of(session, LONG_AGO))
        known_of = [each for each in others if find_facts(memory, each, kind)]
        path = known_of[0] if known_of else path
    late = [f"you.{each}" for each in Draft.of(session).list_marked(Mark.GONE)]
    if who in IN_QUESTIONS and late and RECALL["past"].search(sentence):
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
        hobbies = WORDS["hobbies"]
        work = [f for f in facts if f.value.split()[0].removesuffix("s") not in hobbies]
        facts = work or facts
    if kind == "does":
        facts = [each for each in facts if each.value.lower().startswith(thing.split()[0])]
        doer = f"{thing.split()[0].removesuffix('e')}er"  # what I teach, who is a maths teacher
        callings = find_facts(memory, path, "is", "was")
        facts = facts or [each for each in callings if doer in each.value.split()]
    return _tell_or_deny(path, facts)


def _is_person(words: str) -> bool:
    """Say whether words or a path end with a person or an animal, of whom somebody may tell."""
    head = head_of(words)
    entry = english.look_up(head) if head not in WORDS["not owned"] else None
    return head in KIN or bool(entry and entry.sort in ("animal", "person"))


def _answer_has(memory: Memories, path: str, thing: str) -> str:
    """Say whether somebody has such a thing, and what it is called."""
    head = head_of(thing)
    wanted = {head, *COVERS.get(head, "").split()}
    pets = head in ("pet", "animal")

    def fits(fact: Fact) -> bool:
        word = head_of(fact.value if fact.relation == "has" else fact.whose)
        entry = english.look_up(word) if pets else None
        owner = fact.whose if fact.relation == "has" else fact.whose.rpartition(".")[0]
        found = not thing or word in wanted or bool(entry and entry.sort == "animal")
        return found and owner == path and fact.relation in ("has", "name")

    facts = [each for each in memory.facts if fits(each)]
    asks = facts or not thing or is_ownable(head)
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
    if is_bare_name(path):
        return path
    return path if path == "you" else "your " + "'s ".join(path.split(".")[1:])


def tell_fact(fact: Fact) -> str:
    """Say a fact in the person's terms: `Your dog is called Rex.`"""
    whose, head = name_path(fact.whose), re.split(r"[ .]", fact.whose)[-1]
    lists = fact.relation in ("name", "was-called") and " and " in fact.value
    several = lists or find_head(head) not in ("", head)
    if lists and find_head(head) == head:
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
            found.append(line if is_bare_name(fact.whose) else line[0].lower() + line[1:])
    return all_of(found)


def _list_all(memory: Memories) -> list[str]:
    values = {each.value.lower().split()[-1] for each in memory.facts}
    tastes = [find_subject(memory, word) for word in (*memory.likes, *memory.dislikes)]
    values |= {memory.name.lower(), *(each.phrase for each in tastes if each)}
    statements = [s for s in memory.statements if not values & set(find_words(s.words))]
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
        if line := memories.mirror(each.words, about, memories.owns(memory, about)):
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
