"""The school: trains each class of hats, a little at a time, until its target is reached.

A class is stored after every few games unless it has changed meanwhile; so it survives the end of
the server, and no game counts twice, however many servers work on it. While another server trains a
class, this one waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote as percent_encoded

from parlour.core import Game, Match, ParlourError, answers, count, quote, say, values
from parlour.faces.web.background import KeyedTasks
from parlour.faces.web.clients import Recent
from parlour.faces.web.errors import Changed, NotThere, require
from parlour.faces.web.live import Hub
from parlour.faces.web.table import OwnPlayer, PlayerSource, game_of, title_of
from parlour.faces.web.workers import QueueFull, WorkerPool
from parlour.store import Conflict, Seat, Store, Table, Training, Unavailable

LESSON = 0.3  # seconds of games between two updates of a class
PACE = 0.12  # least seconds between two updates, so that people can follow
SLOW_PACE = 1.0  # seconds for each ball, where a class is watched slowly
LIMIT = 20.0  # seconds until a worker must have answered; the first time it lists every situation
MAX_CONCURRENT = 2  # classes that this server trains at the same time
MAX_FAILURES = 4  # failures in a row until a class is given up
TAKEOVER_AFTER = 3.0  # seconds after which a class is taken over from another server
MAX_WOKEN = 500
MAX_DETAILS = 200  # classes whose details are remembered
MAX_VIEWS = 12  # boxes of one class that are open somewhere
VIEW_LIFETIME = 60.0  # seconds after which a box nobody looks at is closed
MAX_LISTED = 50  # classes among which those of a game are found
MAX_TAUGHT = 100  # tables remembered as already learned from

Change = Callable[[Training], Training]


@dataclass(frozen=True)
class Lesson:
    """A class as a page shows it: as it is stored, and what a worker has found in its hats."""

    training: Training
    details: Mapping[str, Any] | None  # None if no worker could be asked

    @property
    def version(self) -> int:
        """The version of the class."""
        return self.training.version


def games_of(training: Training) -> int:
    """Return the number of games a class has played."""
    return int(training.settings.get("games", 0))


def balls_shown(training: Training) -> int:
    """Return how many turns of the next game are shown already, where it goes ball by ball."""
    return int(training.settings.get("shown", 0))


def is_slow(training: Training) -> bool:
    """Whether the class is watched ball by ball while it learns."""
    return training.settings.get("speed") == "slow"


def shows_balls(training: Training) -> bool:
    """Whether a page shows the next game ball by ball: unless thousands are played a second."""
    return training.state != "on" or is_slow(training)


def pause(training: Training) -> Training:
    """Return a class that does not learn by itself."""
    return replace(training, state="paused") if training.state == "on" else training


class School(PlayerSource):
    """All classes that this server trains or shows."""

    def __init__(self, store: Store, hub: Hub, workers: WorkerPool) -> None:
        self.store = store
        self._hub = hub
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self.name = store.new_id()  # who teaches, among several servers
        self._tasks = KeyedTasks(self._train)
        self._turns = asyncio.Semaphore(MAX_CONCURRENT)
        self._lessons: Recent[str, Lesson] = Recent(MAX_DETAILS)
        self._open: dict[str, dict[str, float]] = {}  # views of a class, and when last seen
        self._openings = KeyedTasks(self._open_box)

    def _payload(self, training: Training, **more: Any) -> dict[str, Any]:
        """Return the hats of a class, and what a page shows of them."""
        views = self._views(training.id)
        return {"hats": training.hats, "views": views, "next": shows_balls(training), **more}

    async def _ask(self, task: str, payload: Mapping[str, Any], client: str = "school") -> Any:
        return await self._workers.run(task, payload, LIMIT, client=client)

    # Classes

    def read(self, name: str) -> Training:
        """Return the class with this id."""
        return require(
            self.store.trainings.get(name),
            say("there is no class {name}; the school lists those there are", name=quote(name)),
        )

    def fetch(self, name: str) -> Lesson | None:
        """Return the stored class with what a page shows of it; not from the event loop."""
        training = self.store.trainings.get(name)
        if training is None:
            return None
        future = asyncio.run_coroutine_threadsafe(self.look(training), self._loop)
        return future.result(LIMIT * 2)

    async def begin(
        self,
        owner: str,
        name: str,
        game: Game,
        settings: Mapping[str, Any],
        games: int,
        homework: str = "",
    ) -> Training:
        """Start a class, which learns at once, unless hats cannot learn the game."""
        payload = {"settings": settings, "until": games, "views": [], "next": not games}
        answer = await self._ask("school-begin", payload | answers.game_fields(game), owner)
        training = Training(
            id=self.store.new_id(),
            owner=owner,
            name=name,
            game=game.name,
            options=values(game),
            settings={**settings, "games": 0, "teacher": self.name, "homework": homework},
            target=games,
            hats=answer["hats"],
            state="on" if games else "done",
        )
        training = await asyncio.to_thread(self.store.trainings.add, training)
        self._remember(Lesson(training, answer["details"]))
        self.wake(training)
        return training

    def change(self, name: str, how: Change) -> Training:
        """Change a class and store it."""
        found = self.store.trainings.update(name, how, save=lambda _, after: self._put(after))
        stored = found or self.read(name)  # which says that it is gone
        self.wake(stored)
        return stored

    def _put(self, training: Training, details: Mapping[str, Any] | None = None) -> Training | None:
        """Store a class and announce it; return None if it has changed meanwhile."""
        topic = f"training:{training.id}"
        stored = self.store.trainings.put(training, announce=topic)
        if stored is not None:
            known = self._lessons.get(training.id)
            if details is None and known and known.training.hats == stored.hats:
                details = known.details
            if details and shows_balls(stored) and details["next"] is None:
                details = None
            lesson = Lesson(stored, details) if details else None
            if lesson:
                self._remember(lesson)
            self._hub.announce(topic, lesson)
        return stored

    def remove(self, name: str) -> None:
        """Delete a class and all it has learned."""
        self.store.trainings.remove(name)
        self._lessons.pop(name, None)

    def forget(self, owner: str) -> None:
        """Forget the classes of somebody who has deleted them."""
        for name, lesson in list(self._lessons.items()):
            if lesson.training.owner == owner:
                self._lessons.pop(name, None)

    # Training

    def wake(self, training: Training) -> None:
        """Continue training a class unless it is finished or paused; from any thread."""
        if training.state == "on":
            self._tasks.wake(training.id)

    def resume(self) -> None:
        """Continue with every class that a server left unfinished."""
        for training in self.store.trainings.find(state="on", limit=MAX_WOKEN):
            self.wake(training)

    async def _train(self, name: str) -> None:
        """Train a class lesson by lesson, until it is done or paused."""
        failures = 0
        while True:
            begun = time.monotonic()
            pause: float | None
            try:
                async with self._turns:
                    pause = await self._give_lesson(name)
                if pause is None:
                    return
                failures = 0
            except (QueueFull, Unavailable):  # not the fault of the class
                pause = TAKEOVER_AFTER
            except ParlourError as error:
                failures += 1
                pause = float(failures)
                if failures == MAX_FAILURES:
                    await asyncio.to_thread(self._give_up, name, error.text)
                    return
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - begun)))

    async def _give_lesson(self, name: str) -> float | None:
        """Train a class a little, and return the seconds until the next lesson should begin.

        None if it needs no lesson; one that another server trains is only looked at again.
        """
        training = await asyncio.to_thread(self.store.trainings.get, name)
        if training is None or training.state != "on":
            return None
        if self._is_trained_elsewhere(training):
            return TAKEOVER_AFTER / 3
        if is_slow(training):
            await self._draw(training)
            return SLOW_PACE
        await self._train_until(training, training.target)
        return PACE

    async def _train_until(self, training: Training, games: int) -> Training | None:
        """Train towards this many games for a lesson; None if the class has changed meanwhile."""
        payload = self._payload(training, until=games, seconds=LESSON)
        answer = await self._ask("school-train", payload)
        target = max(training.target, games)
        state = "done" if answer["games"] >= target else training.state
        after = replace(training, target=target, state=state, note="")
        return await self._keep(after, answer, teacher=self.name)

    async def _keep(
        self, training: Training, answer: Mapping[str, Any], **settings: Any
    ) -> Training | None:
        """Store what a class has learned; None if it has changed meanwhile."""
        settings |= {"games": answer["games"], "shown": 0}
        after = replace(training, hats=answer["hats"], settings={**training.settings, **settings})
        return await asyncio.to_thread(self._put, after, answer["details"])

    async def draw(self, name: str) -> None:
        """Show the next ball of a class, which pauses; after the last, put all balls back."""
        training = await asyncio.to_thread(self.change, name, pause)
        await self._draw(training)

    async def _draw(self, training: Training) -> None:
        lesson = await self.look(training)
        if lesson.details is None:
            raise Changed(say("the balls cannot be drawn right now; try again in a moment"))
        shown = balls_shown(training)
        if shown < lesson.details["next"]["length"]:
            settings = {**training.settings, "shown": shown + 1, "teacher": self.name}
            await asyncio.to_thread(self._put, replace(training, settings=settings))
        else:
            await self._train_until(training, games_of(training) + 1)

    async def play_game(self, name: str) -> None:
        """Play the whole next game of a class, which pauses, and put the balls back."""
        training = await asyncio.to_thread(self.change, name, pause)
        await self._train_until(training, games_of(training) + 1)

    def _is_trained_elsewhere(self, training: Training) -> bool:
        """Whether another server has stored it just now."""
        recent = time.time() - training.changed < TAKEOVER_AFTER
        return recent and training.settings.get("teacher") != self.name

    def _give_up(self, name: str, why: str) -> None:
        def how(training: Training) -> Training:
            on = training.state == "on"
            return replace(training, state="failed", note=why) if on else training

        with contextlib.suppress(NotThere, Conflict, Unavailable):
            self.change(name, how)

    # Showing

    def _remember(self, lesson: Lesson) -> None:
        name, known = lesson.training.id, self._lessons.get(lesson.training.id)
        if known is None or known.version <= lesson.version:
            self._lessons.keep(name, lesson)

    def _views(self, name: str) -> list[str]:
        """Return the boxes of a class that somebody has looked at recently."""
        now, open_now = time.monotonic(), list(self._open.get(name, {}).items())
        views = {view: at for view, at in open_now if now - at < VIEW_LIFETIME}
        if views:
            self._open[name] = views
        else:
            self._open.pop(name, None)
        return list(views)[-MAX_VIEWS:]

    def recall_lesson(self, training: Training, view: str) -> Lesson | None:
        """Note that a view is open; return the lesson if it is known and has all the view shows."""
        if view:
            views = self._open.setdefault(training.id, {})
            views.pop(view, None)  # most recently used last
            views[view] = time.monotonic()
        lesson = self._lessons.get(training.id)
        if lesson is None or lesson.version != training.version or lesson.details is None:
            return None
        if shows_balls(training) and lesson.details["next"] is None:
            return None
        return lesson if not view or view in lesson.details["boxes"] else None

    async def look(self, training: Training, view: str = "") -> Lesson:
        """Return a class with all that a view shows of it."""
        lesson = self.recall_lesson(training, view)
        if lesson is not None:
            return lesson
        try:
            details = await self._ask("school-describe", self._payload(training), training.owner)
        except ParlourError:
            return Lesson(training, None)
        lesson = Lesson(training, details)
        self._remember(lesson)
        return lesson

    def open_view(self, lesson: Lesson, view: str) -> bool:
        """Return whether the box of a view can be shown; if not yet, it is opened and announced."""
        if lesson.details is None or not view:
            return False
        self.recall_lesson(lesson.training, view)
        if view in lesson.details["boxes"]:
            return True
        self._openings.wake(f"{lesson.training.id} {view}")
        return False

    async def _open_box(self, key: str) -> None:
        name, _, view = key.partition(" ")
        training = await asyncio.to_thread(self.store.trainings.get, name)
        if training is not None:
            self._hub.announce(f"training:{name}", await self.look(training, view))

    # Playing

    def list_players(self, game: str, owner: str) -> list[OwnPlayer]:
        """Return classes that have learned a game: first this owner's, then the newest."""
        own = self.store.trainings.find(owner=owner, limit=MAX_LISTED)
        newest = self.store.trainings.find(limit=MAX_LISTED)
        found = {each.id: each for each in (*own, *newest) if each.game == game}
        return [_enter(Playing(each.id), each) for each in found.values()]

    def find_player(self, bot: str) -> OwnPlayer:
        """Return the class that a bot stands for; `NotThere` if it is gone."""
        playing = read_class(bot)
        if playing is None:
            raise NotThere("{bot} is not a class of the school", bot=quote(bot))
        return _enter(playing, self.read(playing.name))

    async def describe_player(self, seat: Seat) -> dict[str, str]:
        """Return a worker's payload for the class at a seat; empty for any other seat."""
        playing = class_at(seat)
        if playing is None:
            return {}
        training = await asyncio.to_thread(self.read, playing.name)
        likeliest = " likeliest=yes" if playing.likeliest else ""
        return {"bot": f"hats{likeliest}", "hats": training.hats}

    async def learn(self, table: Table) -> None:
        """Teach the game of a table, once, to the classes that play there and learn from it."""
        if table.end == "fault":
            return
        for playing in {p for p in map(class_at, table.seats) if p is not None and p.learning}:
            seats = [at for at, seat in enumerate(table.seats) if class_at(seat) == playing]
            await self._learn_from(table, playing.name, seats)

    async def _learn_from(self, table: Table, name: str, seats: Sequence[int]) -> None:
        training = await asyncio.to_thread(self.read, name)
        taught = tuple(training.settings.get("taught", ()))
        if table.id in taught:
            return
        payload = self._payload(training, record=table.record().to_json(), seats=seats)
        answer = await self._ask("school-learn", payload, training.owner)
        taught = (*taught, table.id)[-MAX_TAUGHT:]
        if await self._keep(training, answer, taught=taught) is None:
            await self._learn_from(table, name, seats)  # it learned something else meanwhile

    def link(self, table: Table, match: Match, seat: int) -> str:
        """Return the address of the box that the class at a seat last drew from."""
        playing = class_at(table.seats[seat])
        if playing is None:
            return ""
        own = [state for state, by in zip(match.states, match.movers, strict=False) if by == seat]
        position = match.game.write(own[-1] if own else match.state)
        return f"/school/{playing.name}?position={percent_encoded(position)}#open"


# Seats


@dataclass(frozen=True)
class Playing:
    """A class at a seat: how it plays, and whether it learns from the game."""

    name: str
    likeliest: bool = False
    learning: bool = False

    def __str__(self) -> str:
        ways = {"likeliest": self.likeliest, "learning": self.learning}
        return " ".join(["school", self.name, *(way for way, is_so in ways.items() if is_so)])

    def seat(self, name: str) -> Seat:
        """Return the seat of this class under a name."""
        return Seat("bot", name, str(self))


def _enter(playing: Playing, training: Training) -> OwnPlayer:
    games = count(games_of(training), "game")
    about = say("{title_of}, trained on {games}", title_of=title_of(training), games=games)
    return OwnPlayer(str(playing), training.name, about, game_of(training))


def class_at(seat: Seat) -> Playing | None:
    """Return the class at a seat, or None for anybody else."""
    return read_class(seat.bot) if seat.kind == "bot" else None


def read_class(bot: str) -> Playing | None:
    """Return the class that a bot stands for, or None for any other bot."""
    word, *rest = bot.split() or [""]
    if word != "school" or not rest:
        return None
    return Playing(rest[0], "likeliest" in rest[1:], "learning" in rest[1:])
