"""Classes: opened, joined, taught and deleted, and who may do what there.

A teacher is a browser that opened the class or has used its secret link; the link is made from the
class and a key of the house, so it is stored nowhere. A pupil is a browser that joined with the
code. Pupils have a key of their own, with which they come back on another device; nobody else can
take their name.

Everything of a class is deleted on a day that is shown from the start, or when the teacher says so.
"""

from __future__ import annotations

import contextlib
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Request

from parlour.core import BadText, NameTaken, say
from parlour.faces.web.background import delete_ended_classes
from parlour.faces.web.clients import TOO_MANY_ATTEMPTS, RateLimit, Visitor
from parlour.faces.web.errors import NotThere, NotYours, TooMany, check_room, require
from parlour.faces.web.live import PAUSE, STALE, Hub, Presence, Topic, announce_everywhere
from parlour.faces.web.requests import TEMPLATES, service, visitor_of
from parlour.faces.web.signing import Signer, is_same
from parlour.faces.web.table import clean_name
from parlour.store import Classroom, Pupil, PupilAnswer, Question, Sighting, Store, Unavailable

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that look alike
CODE_LENGTH = 6
KEY_LENGTH = 5
DAYS = 28  # until a class is deleted, unless the teacher chooses another day
MAX_DAYS = 400
MAX_PUPILS = 100
MAX_CLASSES = 30  # of one teacher
MAX_TEACHERS = 10
MAX_TRIES = 20  # to draw a code that is free
GRACE = 5.0  # seconds for which a pupil who left is still there
MINUTE = 60.0  # seconds between two looks whether the day of a class has come
ERASED_AT_ONCE = 64 * 2**20  # bytes of a database that is rewritten while somebody waits

CLASS = "class:"  # the topic of changes of a class, and who it is among deletions
PUPIL = "pupil:"  # the topic of a pupil's page, likewise
TEACHING = "teaching:"  # the topic of the teacher's page
GONE = 2**31  # the version of the page of what was deleted
UNTICKED = say("tick the box first; what is deleted cannot be restored")
BUSY = say("the server is busy; try again in a moment")
TEACHER = "teacher"  # the role of whoever teaches a class; a pupil's is their id


@dataclass(frozen=True)
class Lesson:
    """A class with everything that its pages show."""

    classroom: Classroom
    pupils: tuple[Pupil, ...]
    question: Question | None
    answers: tuple[PupilAnswer, ...]
    sightings: tuple[Sighting, ...]
    reader: Pupil | None  # whose page it is; nobody's is that of the teacher

    @property
    def version(self) -> int:
        """The version of the class, which grows with everything that happens in it."""
        return self.classroom.version


class Ended:
    """What is shown on a page of what was deleted; nothing follows it."""

    version = GONE


def today(days: int = 0) -> str:
    """Return a day, this one or one to come, as in "2026-12-24"; days are those of UTC."""
    return f"{datetime.now(UTC).date() + timedelta(days)}"


def handle_of(name: str) -> str:
    """Return a name as it is compared with others."""
    return unicodedata.normalize("NFKC", name).casefold()


class ClassService:
    """The classes in the store, and the pages that follow them."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._signer = Signer(self._store.secret("classes"))
        # A whole class shares an address, so only wrong codes and keys count
        self._wrong = RateLimit(rate=1 / 5, burst=60)
        self._guesses = RateLimit(rate=5, burst=1_000)
        self._joins = RateLimit(rate=2, burst=200)  # of an address

    # Finding classes and people

    def read(self, class_id: str) -> Classroom:
        """Return the class with this id."""
        return require(self._find(class_id))

    def _find(self, class_id: str) -> Classroom | None:
        found = self._store.classes.get(class_id)
        return found if found is not None and found.ends > today() else None

    def find_by_code(self, visitor: Visitor, typed: str) -> Classroom:
        """Return the class that a code belongs to; wrong ones are counted."""
        code = "".join(c for c in typed[:100].casefold() if c.isalnum())
        if len(code) != CODE_LENGTH or not set(code) <= set(ALPHABET):
            raise BadText(
                "a code has {length} letters and digits, as in abc-234", length=CODE_LENGTH
            )
        self._check_guesses(visitor)
        found = self._store.classes.find(code=code, limit=1)
        if not found or found[0].ends <= today():
            self._count_guess(visitor)
            raise NotThere(say("no class has this code; check it with your teacher"))
        return found[0]

    def _check_guesses(self, visitor: Visitor) -> None:
        if self._wrong.is_spent(visitor.network) or self._guesses.is_spent(""):
            raise TooMany(TOO_MANY_ATTEMPTS)

    def _count_guess(self, visitor: Visitor) -> None:
        self._wrong.take(visitor.network)
        self._guesses.take("")

    def is_teacher(self, classroom: Classroom, visitor: Visitor) -> bool:
        """Whether somebody teaches a class."""
        return any(visitor.owns(each) for each in classroom.teachers)

    def require_teacher(self, class_id: str, visitor: Visitor) -> Classroom:
        """Return a class that the visitor teaches; the same refusal whether it exists or not."""
        found = self._find(class_id)
        if found is None or not self.is_teacher(found, visitor):
            raise NotYours(say("only the teacher can do this; open the class by its secret link"))
        return found

    def find_pupil(self, class_id: str, visitor: Visitor) -> Pupil | None:
        """Return who somebody is in a class, or None."""
        if not visitor.owner:
            return None
        found = self._store.pupils.find(class_id=class_id, owner=visitor.owner, limit=1)
        return found[0] if found else None

    def require_pupil(self, class_id: str, visitor: Visitor) -> tuple[Classroom, Pupil]:
        """Return a class and who the visitor is there; refuse those who have not joined."""
        pupil = self.find_pupil(class_id, visitor)
        if pupil is None:
            raise NotYours(
                say("you are not in this class; join it with the code from your teacher")
            )
        return self.read(class_id), pupil

    def read_pupil(self, classroom: Classroom, pupil_id: str) -> Pupil:
        """Return a pupil of a class."""
        found = self._store.pupils.get(pupil_id)
        return require(found if found and found.class_id == classroom.id else None)

    def role_of(self, class_id: str, visitor: Visitor) -> str:
        """Return what somebody is in a class: `TEACHER`, the id of a pupil, or nothing."""
        try:
            self.require_teacher(class_id, visitor)
        except NotYours:
            pupil = self.find_pupil(class_id, visitor)
            return pupil.id if pupil else ""
        return TEACHER

    def list_pupils(self, class_id: str) -> tuple[Pupil, ...]:
        """List the pupils of a class by name."""
        found = self._store.pupils.find(class_id=class_id)
        return tuple(sorted(found, key=lambda pupil: pupil.handle))

    def list_taught(self, visitor: Visitor) -> list[Classroom]:
        """List the classes that somebody opened."""
        found = self._store.classes.find(owner=visitor.owner) if visitor.owner else []
        return [each for each in found if each.ends > today()]

    def list_joined(self, visitor: Visitor) -> list[tuple[Classroom, Pupil]]:
        """List the classes that somebody is in, and who they are there."""
        pupils = self._store.pupils.find(owner=visitor.owner) if visitor.owner else []
        found = ((self._find(each.class_id), each) for each in pupils)
        return [(each, pupil) for each, pupil in found if each]

    # The teacher

    def create(self, visitor: Visitor, name: str, ends: str) -> Classroom:
        """Open a class, to be deleted on a day."""
        owner = visitor.require_browser() and visitor.owner
        name = clean_name(name)
        check_room(len(self.list_taught(visitor)), MAX_CLASSES)
        for _ in range(MAX_TRIES):
            with contextlib.suppress(NameTaken):  # another class has the code
                return self._store.classes.add(
                    Classroom(
                        id=self._store.new_id(),
                        owner=owner,
                        code=_draw(CODE_LENGTH),
                        ends=ends,
                        name=name,
                        opened=time.time(),
                        teachers=(owner,),
                    )
                )
        raise Unavailable(BUSY)

    def secret_of(self, classroom: Classroom) -> str:
        """Return the secret of the link that makes somebody a teacher of a class."""
        return self._signer.digest(f"{classroom.id} {classroom.link}")

    def check_secret(self, class_id: str, secret: str, visitor: Visitor) -> Classroom:
        """Return the class whose secret link this is."""
        self._check_guesses(visitor)
        found = self._find(class_id)
        if found is None or not is_same(self.secret_of(found), secret):
            self._count_guess(visitor)
            raise NotThere(say("this link does not work any more; ask for a new one"))
        return found

    def add_teacher(self, class_id: str, secret: str, visitor: Visitor) -> None:
        """Let somebody with the secret link teach the class."""
        self.check_secret(class_id, secret, visitor)
        owner = visitor.require_browser() and visitor.owner

        def add(classroom: Classroom) -> Classroom:
            others = tuple(each for each in classroom.teachers if each != owner)
            if len(others) >= MAX_TEACHERS:
                raise TooMany(
                    say("this class has too many teachers; make a new link to begin anew")
                )
            return replace(classroom, teachers=(*others, owner))

        self.change(class_id, add)

    def change(self, class_id: str, change: Callable[[Classroom], Classroom]) -> None:
        """Change a class, store it, and show it to everybody."""
        require(self._store.classes.update(class_id, change))
        self.publish(class_id)

    def delete(self, class_id: str) -> None:
        """Delete everything of a class, here and on the other servers, to the last byte."""
        pupils = self.list_pupils(class_id)
        self._store.deletions.delete(f"{CLASS}{class_id}")
        self._end(f"{TEACHING}{class_id}", *(f"{PUPIL}{pupil.id}" for pupil in pupils))

    def _end(self, *topics: str) -> None:
        """Say on these pages that what they show was deleted, and erase it."""
        for topic in topics:
            self._hub.announce(topic, Ended())
        with contextlib.suppress(Unavailable):
            for topic in topics:
                self._store.notify(topic)
        self._store.deletions.erase(at_most=ERASED_AT_ONCE)

    def delete_ended(self) -> None:
        """Delete the classes whose day has come, to the last byte."""
        if delete_ended_classes(self._store, time.time()):
            self._store.deletions.erase(at_most=ERASED_AT_ONCE)

    # Pupils

    def join(self, visitor: Visitor, code: str, name: str, key: str = "") -> Pupil:
        """Join a class under a name that nobody there has, or come back with one's key."""
        classroom = self.find_by_code(visitor, code)
        owner = visitor.require_browser() and visitor.owner
        name = clean_name(name)
        handle = handle_of(name)
        with self._store.classes.alone(classroom.id):
            mine = self.find_pupil(classroom.id, visitor)
            pupils = {each.handle: each for each in self.list_pupils(classroom.id)}
            if mine is not None and mine.handle == handle:
                return mine
            if mine is not None:
                raise NameTaken(
                    "on this device you are {name}; sign out there first", name=mine.name
                )
            if handle in pupils:
                return self._come_back(visitor, pupils[handle], key)
            if classroom.closed:
                raise NotYours(
                    say("nobody can join this class any more; ask your teacher to open it")
                )
            if len(pupils) >= MAX_PUPILS:
                raise TooMany("this class is full: it has {most} pupils", most=MAX_PUPILS)
            self._joins.check(visitor.network, BUSY)
            pupil = Pupil(
                id=self._store.new_id(),
                class_id=classroom.id,
                owner=owner,
                handle=handle,
                name=name,
                key=_draw(KEY_LENGTH),
                joined=time.time(),
            )
            self._store.pupils.add(pupil)
            self.touch(classroom.id)
        return pupil

    def _come_back(self, visitor: Visitor, pupil: Pupil, key: str) -> Pupil:
        """Let a pupil in on another device, by their key."""
        typed = "".join(c for c in key[:100].casefold() if c.isalnum())
        if not typed:
            raise NameTaken(
                "somebody in this class is already called {name}; choose another name, or "
                "type your key if that is you",
                name=pupil.name,
            )
        self._check_guesses(visitor)
        if not is_same(typed, pupil.key):
            self._count_guess(visitor)
            raise NameTaken(
                "this is not the key of {name}; your teacher can look it up", name=pupil.name
            )
        self._change_pupil(pupil, owner=visitor.owner)
        return pupil

    def _change_pupil(self, pupil: Pupil, **fields: Any) -> None:
        self._store.pupils.update(pupil.id, lambda found: replace(found, **fields))
        self.touch(pupil.class_id, pupil.id)

    def rename(self, classroom: Classroom, pupil_id: str, name: str) -> None:
        """Give a pupil another name that nobody in the class has."""
        name = clean_name(name)
        with self._store.classes.alone(classroom.id):
            pupil = self.read_pupil(classroom, pupil_id)
            handle = handle_of(name)
            others = self.list_pupils(classroom.id)
            if any(each.handle == handle and each.id != pupil.id for each in others):
                raise NameTaken("somebody in this class is already called {name}", name=name)
            self._store.classes.rename_in_games(pupil.id, name)
            self._change_pupil(pupil, name=name, handle=handle)

    def remove(self, classroom: Classroom, pupil_id: str) -> None:
        """Remove a pupil and all that is kept of them; their pages stop working."""
        pupil = self.read_pupil(classroom, pupil_id)
        with self._store.transaction():
            self._store.deletions.delete(f"{PUPIL}{pupil.id}")
            self.touch(classroom.id)
        self._end(f"{PUPIL}{pupil.id}")

    def sign_out(self, pupil: Pupil) -> None:
        """Free this device for somebody else; the pupil comes back with the key."""
        self._change_pupil(pupil, owner="")

    # Pages

    def fetch_lesson(self, class_id: str, reader: Pupil | None = None) -> Lesson | None:
        """Return what the page of the teacher shows, or that of a pupil."""
        classroom = self._find(class_id)
        if classroom is None:
            return None
        question = self._store.questions.get(classroom.question) if classroom.question else None
        return Lesson(
            classroom,
            self.list_pupils(class_id),
            question,
            tuple(self._store.class_answers.find(question.id)) if question else (),
            tuple(self._store.class_presence.find(class_id)),
            reader,
        )

    def fetch_pupil(self, pupil_id: str) -> Lesson | None:
        """Return what the page of a pupil shows."""
        pupil = self._store.pupils.get(pupil_id)
        return self.fetch_lesson(pupil.class_id, pupil) if pupil else None

    def touch(self, class_id: str, pupil_id: str = "") -> None:
        """Count up the version of a class and show it to its teacher, and to a pupil."""
        self._store.classes.touch(class_id)
        self.announce(f"{TEACHING}{class_id}", *([f"{PUPIL}{pupil_id}"] if pupil_id else ()))

    def announce(self, *topics: str) -> None:
        """Show what has changed to those who follow some topics, here and on the other servers."""
        for topic in topics:
            self._store.notify(topic)
            self._store.after_commit(partial(self._hub.announce, topic))

    def publish(self, class_id: str) -> None:
        """Show a class to everybody who follows it, here and on the other servers."""
        self._store.notify(f"{CLASS}{class_id}")
        self._store.after_commit(partial(self.show, class_id))

    def show(self, class_id: str) -> None:
        """Show a class to everybody who follows it here."""
        lesson = self.fetch_lesson(class_id)
        if lesson is None:
            return
        self._hub.announce(f"{TEACHING}{class_id}", lesson)
        for pupil in lesson.pupils:
            self._hub.announce(f"{PUPIL}{pupil.id}", replace(lesson, reader=pupil))

    def receive(self, topic: str) -> None:
        """Show what another server has changed."""
        kind, _, subject_id = topic.partition(":")
        if f"{kind}:" == CLASS:
            self.show(subject_id)
        else:
            self._hub.announce(topic, self._hub.topics[kind].fetch(subject_id) or Ended())


def _draw(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


# Who is there


def list_present(sightings: Iterable[Sighting], now: float) -> set[str]:
    """Return the ids of the pupils who are there."""
    return {
        each.page
        for each in sightings
        if (now - each.gone < GRACE if each.gone else now - each.seen < STALE)
    }


class Attendance(Presence):
    """The pupils with a page of their class open on this server.

    The page of the teacher is shown again after each change. A pupil whose last page closed counts
    as there for a moment more, as a phone does that changes its network.
    """

    def __init__(self, store: Store, hub: Hub) -> None:
        super().__init__(store, hub, store.class_presence, PUPIL, TEACHING)

    def note_view(self, pupil: Pupil) -> None:
        """Note that a pupil has asked for their page, perhaps without scripts; from any thread."""
        self._note_view(pupil.id, pupil.owner, GRACE)

    async def _show(self, changed: Sequence[Sighting], noted: set[str]) -> None:
        """Show the teachers who came and went, and again when those have been gone for long."""
        left = max(each.gone for each in changed) + GRACE - time.time()
        for class_id in noted:
            self._hub.announce(f"{TEACHING}{class_id}")
            if left > 0:
                topic = f"{TEACHING}{class_id}"
                again = partial(announce_everywhere, self._hub, self._store, topic)
                self._loop.call_later(left + PAUSE, self._loop.run_in_executor, None, again)


# The pages, live


def live_page(
    template: str,
    fetch: Callable[[str], Any],
    role: Callable[[Any, Visitor], str | bool],
    values: Callable[[Any, Visitor], Mapping[str, Any]],
    pause: float = 0.0,
) -> Topic:
    """Return a kind of live page; those who have no role there are told that they are out."""
    main, gone = TEMPLATES.get_template(template), TEMPLATES.get_template("class_gone.html")

    def render(found: Any, visitor: Visitor, _: str) -> str:
        return main.render(**values(found, visitor)) if role(found, visitor) else gone.render()

    return Topic(fetch, role, render, pause=pause)


# What endpoints ask for

ClassesDep = Annotated[ClassService, service(ClassService)]


def _find_taught(request: Request, class_id: str, classes: ClassesDep) -> Classroom:
    return classes.require_teacher(class_id, visitor_of(request))


def _find_joined(request: Request, class_id: str, classes: ClassesDep) -> tuple[Classroom, Pupil]:
    return classes.require_pupil(class_id, visitor_of(request))


Taught = Annotated[Classroom, Depends(_find_taught)]  # the class of an address, for its teachers
Joined = Annotated[tuple[Classroom, Pupil], Depends(_find_joined)]  # for those who are in it
