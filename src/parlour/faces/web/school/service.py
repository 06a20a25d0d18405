"""The school: who teaches each class of hats, a little at a time, for as long as it is to learn.

A class is stored after every few games, if nobody else has changed it; so it survives any end of
the server, and no game counts twice, however many servers are at it. Where another server is
teaching, this one stands by.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote as percent_encoded

from parlour.core import Game, Match, ParlourError, quote, values
from parlour.faces.web.background import Errands
from parlour.faces.web.errors import Changed, NotThere
from parlour.faces.web.workers import TooMany
from parlour.store import Seat, Table, Training, Unavailable

if TYPE_CHECKING:
    from parlour.faces.web.house import House

LESSON = 0.3  # seconds of games between two looks at a class
PACE = 0.12  # seconds from one look to the next at least, so that one can follow
LIMIT = 20.0  # seconds until a worker must have answered; the first time it lists every situation
AT_ONCE = 2  # classes of this server that are being taught in the same moment
TRIES = 4  # times that go wrong, one after another, until a class is given up
SILENCE = 3.0  # seconds after which a class is taken over from another server
MOST_TRIES = 20
MOST_WOKEN = 500
MOST_TOLD = 200  # classes of which it is remembered what there is to see
MOST_VIEWS = 12  # boxes of one class that are open somewhere
LOOKED = 60.0  # seconds after which a box that nobody looks at is closed
MOST_TAUGHT = 100  # tables that are remembered to have taught already

Change = Callable[[Training], Training]


@dataclass(frozen=True)
class Lesson:
    """A class as it is shown: what is stored of it, and what a worker has told of its hats."""

    training: Training
    told: Mapping[str, Any] | None  # None while nobody could be asked

    @property
    def version(self) -> int:
        """The version of the class."""
        return self.training.version


def games_of(training: Training) -> int:
    """How many games a class has played."""
    return int(training.settings.get("games", 0))


class School:
    """All classes that this server teaches or shows."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.name = house.store.new_id()  # who teaches, among several servers
        self._errands = Errands(self._teach)
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._told: OrderedDict[str, Lesson] = OrderedDict()
        self._open: dict[str, dict[str, float]] = {}  # views of a class, and when looked at last
        self._opening: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def _ask(self, thought: str, payload: Mapping[str, Any], whose: str = "school") -> Any:
        return await self.house.thinkers.ask(thought, payload, LIMIT, whose=whose)

    def _topic(self, name: str) -> str:
        return f"training:{name}"

    # Classes

    def read(self, name: str) -> Training:
        """The class of this name."""
        training = self.house.store.trainings.get(name)
        if training is None:
            raise NotThere(
                f"there is no class {quote(name)} any more; the school lists those there are"
            )
        return training

    async def begin(
        self, owner: str, name: str, game: Game, settings: Mapping[str, Any], games: int
    ) -> Training:
        """A new class, which begins to learn at once; refused where hats cannot learn the game."""
        payload = {
            "game": game.name,
            "options": values(game),
            "settings": settings,
            "until": games,
            "views": [],
        }
        answer = await self._ask("school-begin", payload, owner)
        training = Training(
            id=self.house.store.new_id(),
            owner=owner,
            name=name,
            game=game.name,
            options=values(game),
            settings={**settings, "games": 0, "teacher": self.name},
            target=games,
            hats=answer["hats"],
            state="on" if games else "done",
        )
        training = await self.house.run(self.house.store.trainings.add, training)
        self._remember(Lesson(training, answer["told"]))
        self.wake(training)
        return training

    def change(self, name: str, how: Change) -> Training:
        """A class after a change, stored; one that is overtaken looks again."""
        for _ in range(MOST_TRIES):
            training = self.read(name)
            changed = how(training)
            if changed == training:
                return training
            if stored := self._put(changed):
                self.wake(stored)
                return stored
        raise Changed("too much is going on in this class; try again")

    def _put(self, training: Training, told: Mapping[str, Any] | None = None) -> Training | None:
        """The class as it is stored now, if nobody else was quicker; its pages are told."""
        topic = self._topic(training.id)
        stored = self.house.store.trainings.put(training, announce=topic)
        if stored is not None:
            known = self._told.get(training.id)
            if told is None and known and known.training.hats == stored.hats:
                told = known.told
            lesson = Lesson(stored, told) if told else None
            if lesson:
                self._remember(lesson)
            self.house.hub.announce(topic, lesson)
        return stored

    def remove(self, name: str) -> None:
        """Forget a class and all it has learned."""
        self.house.store.trainings.remove(name)
        self._told.pop(name, None)

    # Teaching

    def wake(self, training: Training) -> None:
        """Go on with a class that is to learn, if nobody does; from any thread."""
        if training.state == "on":
            self._errands.wake(training.id)

    def wake_all(self) -> None:
        """Go on with every class that a server has left."""
        for training in self.house.store.trainings.find(state="on", limit=MOST_WOKEN):
            self.wake(training)

    async def _teach(self, name: str) -> None:
        """Lesson after lesson, until there is nothing left to learn or nobody wants it any more."""
        wrong = 0
        while True:
            begun = time.monotonic()
            try:
                async with self._turns:
                    on = await self._taught(name)
                if on is None:
                    return
                wrong, pause = 0, PACE if on else SILENCE / 3
            except (TooMany, Unavailable):  # which is not the fault of the class
                pause = SILENCE
            except ParlourError as trouble:
                wrong += 1
                pause = float(wrong)
                if wrong == TRIES:
                    await self.house.run(self._give_up, name, str(trouble))
                    return
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - begun)))

    async def _taught(self, name: str) -> bool | None:
        """Whether a class has had a lesson; None if it needs none."""
        training = await self.house.run(self.house.store.trainings.get, name)
        if training is None or training.state != "on":
            return None
        if self._is_taught_elsewhere(training):
            return False
        answer = await self._ask("school-train", self._lesson(training))
        await self.house.run(self._learned, training, answer)
        return True

    def _is_taught_elsewhere(self, training: Training) -> bool:
        """Whether another server has stored something of it just now."""
        recent = time.time() - training.changed < SILENCE
        return recent and training.settings.get("teacher") != self.name

    def _lesson(self, training: Training) -> dict[str, Any]:
        return {
            "hats": training.hats,
            "until": training.target,
            "seconds": LESSON,
            "views": self._views(training.id),
        }

    def _learned(self, training: Training, answer: Mapping[str, Any]) -> None:
        """Store what was learned, unless somebody has changed the class meanwhile."""
        after = replace(
            training,
            hats=answer["hats"],
            settings={**training.settings, "games": answer["games"], "teacher": self.name},
            state="on" if answer["games"] < training.target else "done",
            note="",
        )
        self._put(after, answer["told"])

    def _give_up(self, name: str, why: str) -> None:
        def how(training: Training) -> Training:
            on = training.state == "on"
            return replace(training, state="failed", note=why) if on else training

        with contextlib.suppress(NotThere, Changed, Unavailable):
            self.change(name, how)

    # Showing

    def _remember(self, lesson: Lesson) -> None:
        name, known = lesson.training.id, self._told.get(lesson.training.id)
        if known is None or known.version <= lesson.version:
            self._told[name] = lesson
            self._told.move_to_end(name)
            while len(self._told) > MOST_TOLD:
                self._told.popitem(last=False)

    def _views(self, name: str) -> list[str]:
        """The boxes of a class that somebody has looked at just now."""
        now, open_now = time.monotonic(), list(self._open.get(name, {}).items())
        views = {view: at for view, at in open_now if now - at < LOOKED}
        if views:
            self._open[name] = views
        else:
            self._open.pop(name, None)
        return list(views)[-MOST_VIEWS:]

    def known(self, training: Training, view: str) -> Lesson | None:
        """What is known of a class without asking anybody, if that is all that a view shows."""
        if view:
            views = self._open.setdefault(training.id, {})
            views.pop(view, None)  # the one looked at last comes last
            views[view] = time.monotonic()
        lesson = self._told.get(training.id)
        if lesson is None or lesson.version != training.version or lesson.told is None:
            return None
        return lesson if not view or view in lesson.told["boxes"] else None

    async def look(self, training: Training, view: str = "") -> Lesson:
        """A class with all that a view shows of it."""
        lesson = self.known(training, view)
        if lesson is not None:
            return lesson
        payload = {"hats": training.hats, "views": self._views(training.id)}
        try:
            told = await self._ask("school-told", payload, training.owner)
        except ParlourError:
            return Lesson(training, None)
        lesson = Lesson(training, told)
        self._remember(lesson)
        return lesson

    def has_open(self, lesson: Lesson, view: str) -> bool:
        """Whether the box of a view can be shown; if not yet, its pages are told when it can be."""
        if lesson.told is None or not view:
            return False
        self.known(lesson.training, view)
        if view in lesson.told["boxes"]:
            return True
        self.house.loop.call_soon_threadsafe(self._begin_to_open, lesson.training.id, view)
        return False

    def _begin_to_open(self, name: str, view: str) -> None:
        if (name, view) not in self._opening:
            self._opening[name, view] = self.house.loop.create_task(self._open_soon(name, view))

    async def _open_soon(self, name: str, view: str) -> None:
        try:
            training = await self.house.run(self.house.store.trainings.get, name)
            if training is not None:
                self.house.hub.announce(self._topic(name), await self.look(training, view))
        finally:
            del self._opening[name, view]

    # Playing

    async def at_seat(self, seat: Seat) -> dict[str, str]:
        """What a worker is asked for a seat where a class plays; nothing for any other seat."""
        played = playing(seat)
        if played is None:
            return {}
        training = await self.house.run(self.read, played.name)
        likeliest = " likeliest=yes" if played.likeliest else ""
        return {"bot": f"hats{likeliest}", "hats": training.hats}

    async def learn(self, table: Table) -> None:
        """Let the classes that play at a table and learn from it do so, once."""
        if table.reason.startswith("could not move"):
            return
        for played in {p for p in map(playing, table.seats) if p is not None and p.learning}:
            seats = [at for at, seat in enumerate(table.seats) if playing(seat) == played]
            await self._taught_by(table, played.name, seats)

    async def _taught_by(self, table: Table, name: str, seats: Sequence[int]) -> None:
        for _ in range(MOST_TRIES):
            training = await self.house.run(self.read, name)
            taught = tuple(training.settings.get("taught", ()))
            if table.id in taught:
                return
            payload = {
                "hats": training.hats,
                "record": table.record().to_json(),
                "seats": seats,
                "views": self._views(name),
            }
            answer = await self._ask("school-learn", payload, training.owner)
            settings = {
                **training.settings,
                "games": answer["games"],
                "taught": (*taught, table.id)[-MOST_TAUGHT:],
            }
            after = replace(training, hats=answer["hats"], settings=settings)
            if await self.house.run(self._put, after, answer["told"]):
                return


# Seats


@dataclass(frozen=True)
class Playing:
    """A class at a seat: how it plays, and whether it learns from the game."""

    name: str
    likeliest: bool = False
    learning: bool = False

    def seat(self, name: str) -> Seat:
        """The seat, for somebody who is called so."""
        ways = {"likeliest": self.likeliest, "learning": self.learning}
        words = ["school", self.name, *(way for way, is_so in ways.items() if is_so)]
        return Seat("bot", name, " ".join(words))


def playing(seat: Seat) -> Playing | None:
    """The class at a seat; None for anybody else."""
    word, *rest = seat.bot.split() or [""]
    if seat.kind != "bot" or word != "school" or not rest:
        return None
    return Playing(rest[0], "likeliest" in rest[1:], "learning" in rest[1:])


def drawn_from(table: Table, match: Match, at: int) -> str:
    """Where to look at the box that a class drew from last at a seat; nothing at other seats."""
    played = playing(table.seats[at])
    if played is None:
        return ""
    game = match.game
    own = [
        state
        for state, move in table.record().replay(game)
        if move is not None and game.turn(state) == at
    ]
    state = own[-1] if own else match.state
    return f"/school/{played.name}?position={percent_encoded(game.write(state))}#open"
