"""A reply in the making: what has been said so far in it, and lots drawn among the lines left.

A line is never said twice within ten turns, nor another from the same template while one that has
rested longer would do.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from parlour.core import sentence
from parlour.host.session import MOST_KEPT, Memory, Session, Talk
from parlour.host.talk.answers import ANSWERS
from parlour.host.talk.any_topic import ANY
from parlour.host.talk.lines import Line
from parlour.host.talk.manners import MANNERS
from parlour.host.talk.replies import REPLIES
from parlour.host.talk.things import THINGS
from parlour.host.talk.words import Subject, subject

PAGES: dict[str, tuple[Line, ...]] = {
    **THINGS,
    **ANY,
    **REPLIES,
    **ANSWERS,
    **MANNERS,
}
BY_ID = {line.id: line for lines in PAGES.values() for line in lines}
STILL_MEANT = 2  # lines in which `they` are what was spoken of
REMEMBERED = 10  # turns in which nothing is said twice


@dataclass(frozen=True)
class Asked:
    """What he asked or said last: the line, the topic it was about, and a second word in it."""

    line: str = ""
    topic: str = ""
    other: str = ""
    whys: str = ""  # a stroke for each time he was asked why

    def __str__(self) -> str:
        return "|".join((self.line, self.topic, self.other, self.whys))

    @classmethod
    def read(cls, text: str) -> Asked:
        """The same from the words it was stored as."""
        return cls(*(*text.split("|"), "", "", "", "")[:4])

    @property
    def section(self) -> str:
        """Where the line stands."""
        return self.line.partition(".")[0]


@dataclass(frozen=True)
class Draft:
    """The session as it will be, the sentences so far, and the lots."""

    session: Session
    chance: random.Random = field(compare=False)
    said: tuple[str, ...] = ()
    asked: str = ""

    @classmethod
    def of(cls, session: Session) -> Draft:
        """An empty reply."""
        return cls(session, session.chance())

    @property
    def talk(self) -> Talk:
        """Where the conversation stands."""
        return self.session.talk

    @property
    def memory(self) -> Memory:
        """What is remembered of the person."""
        return self.session.memory

    @property
    def topic(self) -> Subject | None:
        """The present topic, as the kind of word it was meant as."""
        return self.meant(self.talk.topic)

    @property
    def asks(self) -> bool:
        """Whether the reply ends in a question by now."""
        return bool(self.said) and self.said[-1].endswith("?")

    @property
    def heard(self) -> frozenset[str]:
        """The sentences of his last turns."""
        return frozenset(said for turn in self.talk.recent for said in turn.split("\n"))

    def meant(self, word: str) -> Subject | None:
        """A topic of this talk, as the kind of word it was meant as."""
        mark = f"as:{word}:"
        kind = next((key[len(mark) :] for key in self.talk.used if key.startswith(mark)), "")
        return subject(self.memory, word, kind) if word else None

    @property
    def others(self) -> str:
        """What the person has just spoken of beside the topic, so that `they` are those."""
        for key in self.talk.used:
            if key.startswith("they:"):
                turn, word = key.split(":", 2)[1:]
                return word if self.session.turn - int(turn) <= STILL_MEANT else ""
        return ""

    def lot(self, share: float) -> bool:
        """Whether a lot that wins so often has won."""
        return self.chance.random() < share

    def talking(self, **changes: Any) -> Draft:
        """The same with the talk changed."""
        return replace(self, session=self.session.but(talk=replace(self.talk, **changes)))

    def knowing(self, **changes: Any) -> Draft:
        """The same with the memory changed."""
        return replace(self, session=self.session.but(memory=replace(self.memory, **changes)))

    def noting(self, *keys: str) -> Draft:
        """The same, with something marked as done; the latest mark stands last."""
        kept = tuple(key for key in self.talk.used if key not in keys)
        return self.talking(used=(*kept, *keys)[-MOST_KEPT:])

    def noted(self, key: str) -> bool:
        """Whether it is marked as done."""
        return key in self.talk.used

    def forms(
        self, other: Subject | None = None, more: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """What can stand in a gap."""
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
        self, lines: Iterable[Line], forms: Mapping[str, str], about: Subject | None = None
    ) -> Line | None:
        """A line whose turn it is: drawn from those not used yet, or else the longest rested."""
        about = about or self.topic
        heard = {*self.heard, *self.said}
        fit = []
        for line in lines:
            if line.single and not (about and about.single):
                continue
            try:
                text = sentence(line.filled(forms))
            except KeyError:
                continue
            if text not in heard:
                fit.append(line)
        last = {key: place for place, key in enumerate(self.talk.used) if key.startswith("#")}
        unused = [line for line in fit if "#" + line.id not in last]
        if unused:
            return self.chance.choice(unused)
        return min(fit, key=lambda line: last["#" + line.id], default=None)

    def say(
        self,
        lines: str | Iterable[Line],
        other: Subject | None = None,
        about: Subject | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Draft:
        """The reply with one more sentence from this section, if there is a fresh one."""
        if isinstance(lines, str):
            lines = PAGES.get(lines, ())
        forms = self.forms(other, more or {})
        if about:
            forms |= about.forms()
        line = self.pick(lines, forms, about)
        if line is None:
            return self
        topic = about or self.topic
        asked = Asked(line.id, topic.word if topic else "", other.word if other else "")
        return self.saying(line.filled(forms), str(asked)).noting("#" + line.id)

    def saying(self, text: str, asked: str = "") -> Draft:
        """The reply with this sentence, whatever was said before."""
        return replace(self, said=(*self.said, sentence(text)), asked=asked)

    def meaning(self, asked: Asked) -> Draft:
        """The reply as it stands, but meaning this question."""
        return replace(self, asked=str(asked))

    def done(self, *lines: str) -> tuple[Session, tuple[str, ...]]:
        """The session after the reply, and the reply; lines given here stand before it."""
        recent = (*self.talk.recent, "\n".join(self.said))[-REMEMBERED:]
        final = self.talking(recent=recent, asked=self.asked)
        return final.session, (*lines, *([" ".join(self.said)] if self.said else []))
