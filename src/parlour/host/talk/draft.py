"""A reply in the making: templates, what has been said so far, and chance among the lines left.

His lines are in `lines/`. A line is never said twice within ten turns, nor another from the same
template while one that has rested longer would do.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from parlour.core import sentence
from parlour.host.language import read_sections
from parlour.host.session import MOST_KEPT, Memory, Session, Talk
from parlour.host.talk.words import Subject, find_subject

STILL_MEANT = 2  # lines in which `they` are what the person spoke of
REMEMBERED = 10  # turns in which nothing is said twice
ANSWERS = {"y:": "yes", "n:": "no", "w:": "why", "t:": "fact"}


@dataclass(frozen=True)
class Template:
    """A sentence with gaps, and what he says to the answers."""

    id: str
    text: str
    single: bool = False  # only of what can stand in the singular
    yes: str = ""
    no: str = ""
    why: str = ""
    fact: str = ""  # what a yes says of the person

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.endswith("?")

    def fill(self, forms: Mapping[str, str], part: str = "text") -> str:
        """Fill the gaps of the sentence, or of one of its answers."""
        return str(getattr(self, part)).format_map(forms)


FILES = ("things", "any_topic", "replies", "answers", "manners")


@cache
def load_templates() -> dict[str, tuple[Template, ...]]:
    """Return everything he can say in a talk, by section."""
    found: dict[str, tuple[Template, ...]] = {}
    for name in FILES:
        for section, rows in read_sections(f"talk/lines/{name}.txt").items():
            found[section] = _read_templates(section, rows)
    return found


def _read_templates(section: str, rows: Iterable[str]) -> tuple[Template, ...]:
    lines: list[Template] = []
    for row in rows:
        if row[:2] in ANSWERS:
            answer: dict[str, Any] = {ANSWERS[row[:2]]: row[2:].strip()}
            lines[-1] = replace(lines[-1], **answer)
        else:
            lines.append(Template(f"{section}.{len(lines)}", row.lstrip("* "), row[0] == "*"))
    return tuple(lines)


def find_template(identifier: str) -> Template | None:
    """Return the template with this identifier, such as `keep.0`."""
    section, _, number = identifier.partition(".")
    lines = load_templates().get(section, ())
    return lines[int(number)] if number.isdecimal() and int(number) < len(lines) else None


@dataclass(frozen=True)
class Question:
    """What he asked or said last: the template, its topic, and the second word in it."""

    line: str = ""
    topic: str = ""
    other: str = ""
    whys: str = ""  # a stroke for each time he was asked why

    def __str__(self) -> str:
        return "|".join((self.line, self.topic, self.other, self.whys))

    @classmethod
    def read(cls, text: str) -> Question:
        """Read it as a session stores it."""
        return cls(*(*text.split("|"), "", "", "", "")[:4])

    @property
    def section(self) -> str:
        """The section of the template."""
        return self.line.partition(".")[0]


@dataclass(frozen=True)
class Draft:
    """A reply in the making: the new session, the sentences so far, and random numbers."""

    session: Session
    chance: random.Random = field(compare=False)
    sentences: tuple[str, ...] = ()
    question: str = ""

    @classmethod
    def of(cls, session: Session) -> Draft:
        """Return an empty reply."""
        return cls(session, session.make_random())

    @property
    def talk(self) -> Talk:
        """The state of the talk."""
        return self.session.talk

    @property
    def memory(self) -> Memory:
        """What is remembered of the person."""
        return self.session.memory

    @property
    def topic(self) -> Subject | None:
        """The present topic, as the kind of word that was meant."""
        return self.find(self.talk.topic)

    @property
    def asks(self) -> bool:
        """Whether the reply ends in a question so far."""
        return bool(self.sentences) and self.sentences[-1].endswith("?")

    @property
    def recent(self) -> frozenset[str]:
        """The sentences of his last turns."""
        return frozenset(text for turn in self.talk.recent for text in turn.split("\n"))

    def find(self, word: str) -> Subject | None:
        """Return a topic of this talk, as the kind of word that was meant."""
        mark = f"as:{word}:"
        kind = next((key[len(mark) :] for key in self.talk.used if key.startswith(mark)), "")
        return find_subject(self.memory, word, kind) if word else None

    @property
    def others(self) -> str:
        """What the person has just mentioned beside the topic, so that `they` means that."""
        for key in self.talk.used:
            if key.startswith("they:"):
                turn, word = key.split(":", 2)[1:]
                return word if self.session.turn - int(turn) <= STILL_MEANT else ""
        return ""

    def happens(self, share: float) -> bool:
        """Decide by chance, with this probability."""
        return self.chance.random() < share

    def change_talk(self, **changes: Any) -> Draft:
        """Return the reply with the talk changed."""
        return replace(self, session=self.session.replace(talk=replace(self.talk, **changes)))

    def change_memory(self, **changes: Any) -> Draft:
        """Return the reply with the memory changed."""
        return replace(self, session=self.session.replace(memory=replace(self.memory, **changes)))

    def mark(self, *keys: str) -> Draft:
        """Mark something as done; the latest mark stands last."""
        kept = tuple(key for key in self.talk.used if key not in keys)
        return self.change_talk(used=(*kept, *keys)[-MOST_KEPT:])

    def is_marked(self, key: str) -> bool:
        """Say whether something is marked as done."""
        return key in self.talk.used

    def list_forms(
        self, other: Subject | None = None, more: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Return what can fill the gaps."""
        found: dict[str, str] = {"name": self.memory.name}
        if topic := self.topic:
            found |= topic.forms()
        if other:
            found |= other.forms("x")
        for name, form in (more or {}).items():
            found[name] = form
            found[name[0].upper() + name[1:]] = form[:1].upper() + form[1:]
        return found

    def pick(
        self, lines: Iterable[Template], forms: Mapping[str, str], about: Subject | None = None
    ) -> Template | None:
        """Draw a template from those not used yet, or else return the longest rested."""
        about = about or self.topic
        recent = {*self.recent, *self.sentences}
        fit = []
        for line in lines:
            if line.single and not (about and about.single):
                continue
            try:
                text = sentence(line.fill(forms))
            except KeyError:
                continue
            if text not in recent:
                fit.append(line)
        last = {key: place for place, key in enumerate(self.talk.used) if key.startswith("#")}
        unused = [line for line in fit if "#" + line.id not in last]
        if unused:
            return self.chance.choice(unused)
        return min(fit, key=lambda line: last["#" + line.id], default=None)

    def say(
        self,
        lines: str | Iterable[Template],
        other: Subject | None = None,
        about: Subject | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Draft:
        """Add a sentence from this section, if there is a fresh one."""
        if isinstance(lines, str):
            lines = load_templates().get(lines, ())
        forms = self.list_forms(other, more or {})
        if about:
            forms |= about.forms()
        line = self.pick(lines, forms, about)
        if line is None:
            return self
        topic = about or self.topic
        question = Question(line.id, topic.word if topic else "", other.word if other else "")
        return self.add(line.fill(forms), str(question)).mark("#" + line.id)

    def add(self, text: str, question: str = "") -> Draft:
        """Add this sentence, whatever came before."""
        return replace(self, sentences=(*self.sentences, sentence(text)), question=question)

    def expect(self, question: Question) -> Draft:
        """Take the next line as an answer to this question."""
        return replace(self, question=str(question))

    def finish(self, *lines: str) -> tuple[Session, tuple[str, ...]]:
        """Return the session after the reply, and the reply, after the lines given here."""
        recent = (*self.talk.recent, "\n".join(self.sentences))[-REMEMBERED:]
        final = self.change_talk(recent=recent, asked=self.question)
        return final.session, (*lines, *([" ".join(self.sentences)] if self.sentences else []))
