"""A reply in the making: templates, what has been said so far, and chance among the lines left.

His lines are in `lines/`. A line is never said twice within ten turns, nor another from the same
template while one that has rested longer would do.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any

from parlour.core import capital, sentence
from parlour.host.language import texts
from parlour.host.session import MAX_KEPT, Memories, Session, Talk
from parlour.host.talk.subjects import Subject, find_subject

REMEMBERED = 10  # turns in which nothing is said twice
ANSWERS = {"y:": "yes", "n:": "no", "w:": "why", "t:": "fact"}
FILES = ("things", "any_topic", "replies", "answers", "themes", "manners", "fixed")
Answer = tuple[Session, tuple[str, ...]]


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


@cache
def load_templates() -> dict[str, tuple[Template, ...]]:
    """Return everything he can say in a talk, by section."""
    return {
        section: _read_templates(section, rows)
        for name in FILES
        for section, rows in texts.read_sections(f"talk/lines/{name}.txt").items()
    }


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


def fill(section: str, **gaps: object) -> str:
    """Return the only line of a section, with its gaps filled."""
    return load_templates()[section][0].text.format(**gaps)


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


class Mark(StrEnum):
    """The kinds of marks in a stored talk: `KIND`, `KIND:TEXT`, or `KIND:TURN:TEXT` by `note`."""

    KIND_OF_WORD = "as"  # the topic, and which kind of word it is
    BEGUN = "begun"  # a topic that was asked for, and not only mentioned
    REFERENT = "they"  # what `they` or `it` will mean in the next line
    SPOKEN_OF = "of"  # whose path a pronoun can mean
    GRAVE = "hushed"  # something grave was said
    LOW = "low"  # the person said that they feel low
    GONE = "gone"  # somebody of the person's who has died
    ASKED_PERMISSION = "keep"  # he has asked whether he may remember
    TALK_FOR_PERMISSION = "lent"  # the talk began only so that he could ask that
    HEARD = "heard"  # a statement of the person's
    REPEATED = "said"  # a statement that he has just repeated
    RECALLED = "recalled"  # he has brought up something from before
    STATEMENT = "told"  # the topic and the statement that he brought up
    TASTE = "taste"  # he has brought up what the person thinks of a topic
    LIKE = "like"  # whether the person likes a topic is asked or known
    NAME = "who"  # he has asked for a name
    GAME = "game"  # he has offered a game because of a topic
    QUIET = "game-quiet"  # he has offered a game because the talk was quiet
    NO_GAME = "no-game"  # the person does not want to play
    ASKED_ABOUT = "np"  # a phrase of the person's that he has asked about
    CORRECTED = "corrected"  # the person corrected what they had told
    COMPLAINED = "amiss"  # the person said that he had got something wrong
    SPOKE = "spoke"  # his last line was part of the talk
    SHORT = "short"  # a short line of the person's


@dataclass
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

    def adopt(self, trial: Draft) -> None:
        """Take over what was tried with a copy."""
        vars(self).update(vars(trial))

    @property
    def talk(self) -> Talk:
        """The state of the talk."""
        return self.session.talk

    @property
    def memory(self) -> Memories:
        """What is remembered of the person."""
        return self.session.memory

    @property
    def topic(self) -> Subject | None:
        """The present topic, as the kind of word that was meant."""
        return self.find(self.talk.topic)

    @property
    def is_begun(self) -> bool:
        """Whether the topic was asked for, and not only mentioned."""
        return self.is_marked(f"{Mark.BEGUN}:{self.talk.topic}")

    def find(self, word: str) -> Subject | None:
        """Return a topic of this talk, as the kind of word that was meant."""
        mark = f"{Mark.KIND_OF_WORD}:{word}:"
        kind = next((key[len(mark) :] for key in self.talk.used if key.startswith(mark)), "")
        return find_subject(self.memory, word, kind) if word else None

    def change_talk(self, **changes: Any) -> None:
        """Change the state of the talk."""
        self.session = self.session.replace(talk=replace(self.talk, **changes))

    def change_memory(self, **changes: Any) -> None:
        """Change what is remembered."""
        self.session = self.session.replace(memory=replace(self.memory, **changes))

    def mark(self, *keys: str) -> None:
        """Mark something as done; the latest mark stands last."""
        kept = tuple(key for key in self.talk.used if key not in keys)
        self.change_talk(used=(*kept, *keys)[-MAX_KEPT:])

    def note(self, kind: Mark, text: str = "") -> None:
        """Mark something with the turn in which it happens."""
        self.mark(f"{kind}:{self.session.turn}" + (f":{text}" if text else ""))

    def unmark(self, *kinds: Mark) -> None:
        """Remove all marks of some kinds."""
        self.change_talk(used=tuple(k for k in self.talk.used if k.split(":")[0] not in kinds))

    def drop(self, kind: Mark, text: str) -> None:
        """Remove the notes of a kind with this text."""
        kept = (
            k for k in self.talk.used if not (k.startswith(f"{kind}:") and k.endswith(f":{text}"))
        )
        self.change_talk(used=tuple(kept))

    def is_marked(self, key: str) -> bool:
        """Say whether something is marked as done."""
        return key in self.talk.used

    def list_marked(self, kind: Mark) -> list[str]:
        """List the texts of the marks of a kind that have no turn."""
        return [key.partition(":")[2] for key in self.talk.used if key.startswith(f"{kind}:")]

    def list_recent(self, kind: Mark, turns: int) -> list[str]:
        """List the notes of a kind from the last turns."""
        notes = (key.split(":", 2) for key in self.talk.used if key.startswith(f"{kind}:"))
        return ["".join(n[2:]) for n in notes if self.session.turn - int(n[1]) < turns]

    @property
    def asks(self) -> bool:
        """Whether the reply ends in a question so far."""
        return bool(self.sentences) and self.sentences[-1].endswith("?")

    @property
    def asked_last(self) -> bool:
        """Whether his last reply ended in a question."""
        return bool(self.talk.recent) and self.talk.recent[-1].endswith("?")

    @property
    def recent(self) -> frozenset[str]:
        """The sentences of his last turns."""
        return frozenset(text for turn in self.talk.recent for text in turn.split("\n"))

    def happens(self, share: float) -> bool:
        """Decide by chance, with this probability."""
        return self.chance.random() < share

    def gap_forms(
        self,
        other: Subject | None = None,
        more: Mapping[str, str] | None = None,
        about: Subject | None = None,
    ) -> texts.Gaps:
        """Return what can fill the gaps of a line about a topic, or about the present one."""
        found: dict[str, str] = {"name": self.memory.name}
        if topic := self.topic:
            found |= topic.forms()
        if other:
            found |= other.forms("x")
        for name, form in (more or {}).items():
            found[name] = form
            found[capital(name)] = capital(form)
        return texts.Gaps(found | (about.forms() if about else {}))

    def _pick(
        self, lines: Iterable[Template], forms: texts.Gaps, about: Subject | None
    ) -> Template | None:
        """Draw a template from those not used yet, or else return the longest rested."""
        said = {*self.recent, *self.sentences}
        fit = []
        for line in lines:
            if line.single and not (about and about.single):
                continue
            try:
                text = sentence(line.text.format_map(forms))
            except KeyError:
                continue
            if text not in said:
                fit.append(line)
        last = {key: place for place, key in enumerate(self.talk.used) if key.startswith("#")}
        unused = [line for line in fit if "#" + line.id not in last]
        if unused:
            return self.chance.choice(unused)
        return min(fit, key=lambda line: last["#" + line.id], default=None)

    def say(
        self,
        *sections: str | Iterable[Template],
        other: Subject | None = None,
        about: Subject | None = None,
        more: Mapping[str, str] | None = None,
    ) -> bool:
        """Add a sentence from the first section that has a fresh one; False if none has."""
        forms = self.gap_forms(other, more, about)
        topic = about or self.topic
        for section in sections:
            lines = load_templates().get(section, ()) if isinstance(section, str) else section
            if line := self._pick(lines, forms, topic):
                names = (each.word if each else "" for each in (topic, other))
                self.add(line.text.format_map(forms), Question(line.id, *names))
                self.mark("#" + line.id)
                return True
        return False

    def add(self, text: str, question: Question | None = None) -> None:
        """Add this sentence, whatever came before."""
        self.sentences += (sentence(text),)
        self.question = str(question) if question else ""

    def expect(self, question: Question) -> None:
        """Take the next line as an answer to this question."""
        self.question = str(question)

    def finish(self, *lines: str) -> Answer:
        """Return the session after the reply, and the reply, after the lines given here."""
        recent = (*self.talk.recent, "\n".join(self.sentences))[-REMEMBERED:]
        self.unmark(Mark.SPOKE)
        self.note(Mark.SPOKE)
        self.change_talk(recent=recent, asked=self.question)
        return self.session, (*lines, *([" ".join(self.sentences)] if self.sentences else []))
