"""Homework that is set, and the work of each pupil, as both are stored.

A pupil's work is one row for each homework, changed only if it is still as it was read: two windows
lose nothing. It holds what was done and when; `results` says what that is worth. A bot that is
handed in is judged in the background. While it waits it is part of the work, and reading the work
wakes the judge, so that it goes on after a restart.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from parlour.core import BadText, ParlourError, say
from parlour.faces.web.background import KeyedTasks
from parlour.faces.web.classes.homework.results import BOT, Result, compute_result, percent_right
from parlour.faces.web.classes.service import ClassService
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import TooBig, check_room, require
from parlour.faces.web.requests import service
from parlour.faces.web.services import Services
from parlour.faces.web.table import PlayerSource, TableService
from parlour.faces.web.workers import Priority
from parlour.store import Classroom, Homework, Pupil, PupilWork, Seat, Store, Table, Training

MAX_HOMEWORK = 50  # of one class
MAX_KEPT = 30  # games, won or not, and hats of one pupil that are kept of a homework
MAX_OWN_HATS = 20  # of a pupil, in the school
MAX_BOTS = 5  # of one pupil, besides the best
MAX_FILE = 64 * 1024  # bytes of a bot
CHECKING = 60.0  # seconds until a bot must have been checked
PLAYING = 90.0  # seconds for all games against one opponent
MEASURING = 20.0  # seconds until hats must have been measured
WORK, RESULTS = "work", "results"  # topics of pages about one homework
HANDED_IN = "handed-in"  # begins the seat of a pupil's bot in a tournament

Done = Mapping[str, Any]


@dataclass(frozen=True)
class Sheet:
    """All results of a class: a row for each pupil, a column for each homework."""

    classroom: Classroom
    homework: tuple[Homework, ...]
    pupils: tuple[Pupil, ...]
    results: tuple[tuple[Result, ...], ...]

    @property
    def rows(self) -> list[tuple[Pupil, tuple[Result, ...]]]:
        """Each pupil with their results."""
        return list(zip(self.pupils, self.results, strict=True))

    @property
    def by_name(self) -> list[tuple[str, tuple[Result, ...]]]:
        """Each pupil's name with their results."""
        return [(pupil.name, results) for pupil, results in self.rows]


@dataclass(frozen=True)
class Progress:
    """A homework, and what some have done of it: one pupil, or the class."""

    homework: Homework
    pupils: tuple[Pupil, ...]
    works: Mapping[str, PupilWork]  # by the ids of pupils

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        return self.homework.version + sum(each.version + 1 for each in self.works.values())


class HomeworkService(PlayerSource):
    """The homework of all classes; also a source of players for tournaments: pupils' bots."""

    def __init__(self, services: Services) -> None:
        self.store = services.store
        self._workers = services.workers
        self._classes = services.get(ClassService)
        self._judge_tasks = KeyedTasks(self._judge)
        services.get(TableService).counters.append(self.count_game)

    # What is set

    def read(self, homework_id: str) -> Homework:
        """Return a homework."""
        return require(self.store.homework.get(homework_id))

    def read_for(self, visitor: Visitor, homework_id: str) -> Homework:
        """Return a homework of a class that the visitor is in, or refuse."""
        found = self.read(homework_id)
        return require(found if self._classes.role_of(found.class_id, visitor) else None)

    def add(self, homework: Homework) -> Homework:
        """Set a class a homework."""
        check_room(len(list_homework(self.store, homework.class_id)), MAX_HOMEWORK)
        named = replace(homework, id=self.store.new_id(), begun=time.time())
        with self.store.transaction():
            added = self.store.homework.add(named)
            self._classes.publish(homework.class_id)
        return added

    def set_due(self, homework: Homework, due: float) -> None:
        """Choose until when a homework counts."""
        self.store.homework.update(homework.id, lambda found: replace(found, due=due))
        self._classes.publish(homework.class_id)

    def remove(self, homework: Homework) -> None:
        """Delete a homework with all that was done of it."""
        with self.store.transaction():
            self.store.homework.remove(homework.id)
            self._classes.publish(homework.class_id)

    # What was done

    def work_of(self, homework: Homework, pupil: Pupil) -> PupilWork | None:
        """Return what a pupil has done of a homework."""
        found = self.store.pupil_work.get(work_id_of(homework.id, pupil.id))
        if found is not None:
            self._go_on(found)
        return found

    def _go_on(self, work: PupilWork) -> None:
        """Judge the bot that waits in a work, if there is one."""
        if work.done.get("waiting"):
            self._judge_tasks.wake(work.id)

    def sheet(self, classroom: Classroom) -> Sheet:
        """Return all results of a class."""
        homework = list_homework(self.store, classroom.id)
        pupils = self._classes.list_pupils(classroom.id)
        works = {
            (each.homework, each.pupil): each
            for one in homework
            for each in self.store.pupil_work.find(homework=one.id)
        }
        results = tuple(
            tuple(compute_result(each, works.get((each.id, pupil.id))) for each in homework)
            for pupil in pupils
        )
        return Sheet(classroom, homework, pupils, results)

    def sheet_of(self, classroom: Classroom, pupil: Pupil) -> Sheet:
        """Return the results of one pupil, as a sheet with a single row."""
        homework = list_homework(self.store, classroom.id)
        results = tuple(compute_result(each, self.work_of(each, pupil)) for each in homework)
        return Sheet(classroom, homework, (pupil,), (results,))

    def export(self, classroom: Classroom) -> list[dict[str, Any]]:
        """Return the homework of a class with everything that was done, as plain data."""
        names = {pupil.id: pupil.name for pupil in self._classes.list_pupils(classroom.id)}
        return [
            {
                "name": each.name,
                "kind": each.kind,
                "game": each.game,
                "options": dict(each.options),
                "settings": dict(each.settings),
                "points": each.points,
                "set": each.begun,
                "due": each.due or None,
                "work": [
                    {
                        "pupil": names.get(work.pupil, ""),
                        "score": compute_result(each, work).score,
                        **work.done,
                    }
                    for work in self.store.pupil_work.find(homework=each.id)
                ],
            }
            for each in list_homework(self.store, classroom.id)
        ]

    def change(
        self, homework_id: str, pupil_id: str, change: Callable[[Done], Done | None]
    ) -> None:
        """Change what a pupil has done, and show it to the teacher.

        A change that returns None changes nothing.
        """
        new = PupilWork(id=work_id_of(homework_id, pupil_id), homework=homework_id, pupil=pupil_id)

        def work(before: PupilWork) -> PupilWork | None:
            after = change(before.done)
            return None if after is None else replace(before, done=after)

        stored = self.store.pupil_work.update(new.id, work, default=new)
        homework = self.store.homework.get(homework_id)
        if stored is not None and homework is not None:
            self._classes.touch(homework.class_id, pupil_id)
            self._classes.announce(f"{WORK}:{new.id}", f"{RESULTS}:{homework_id}")

    def load_work(self, work_id: str) -> Progress | None:
        """Return what the page of a homework shows a pupil."""
        homework_id, _, pupil_id = work_id.partition("-")
        homework, pupil = self.store.homework.get(homework_id), self.store.pupils.get(pupil_id)
        if homework is None or pupil is None or pupil.class_id != homework.class_id:
            return None
        work = self.work_of(homework, pupil)
        return Progress(homework, (pupil,), {pupil.id: work} if work else {})

    def load_results(self, homework_id: str) -> Progress | None:
        """Return what the page of a homework shows the teacher."""
        homework = self.store.homework.get(homework_id)
        if homework is None:
            return None
        works = {each.pupil: each for each in self.store.pupil_work.find(homework=homework_id)}
        for each in works.values():
            self._go_on(each)
        return Progress(homework, self._classes.list_pupils(homework.class_id), works)

    # Puzzles

    def answer(self, homework: Homework, pupil: Pupil, puzzle: str, move: str, right: bool) -> None:
        """Store the first answer to a puzzle."""

        def add(done: Done) -> Done | None:
            answers = done.get("answers", {})
            if puzzle in answers:
                return None
            first = {"move": move, "right": right, "at": time.time()}
            return {**done, "answers": {**answers, puzzle: first}}

        self.change(homework.id, pupil.id, add)

    # Games against a bot

    def count_game(self, table: Table) -> None:
        """Count a game of a homework that is over; within the transaction that ends it."""
        kind, _, rest = table.counts_for.partition(" ")
        homework_id, _, pupil_id = rest.partition(" ")
        if kind != "homework" or table.result is None:
            return
        if self.store.homework.get(homework_id) is None or self.store.pupils.get(pupil_id) is None:
            return
        seats = [at for at, seat in enumerate(table.seats) if seat.kind == "person"]
        points = (1 + max((table.result[at] for at in seats), default=-1)) / 2
        game = {"table": table.id, "points": points, "at": time.time()}

        def add(done: Done) -> Done | None:
            games = done.get("games", ())
            if any(each["table"] == table.id for each in games):
                return None
            won = [each for each in games if each["points"] == 1]
            lost = [each for each in games if each["points"] != 1]
            kept = sorted([*won[-MAX_KEPT:], *lost[-MAX_KEPT:]], key=lambda each: each["at"])
            return {**done, "games": [*kept, game]}

        self.change(homework_id, pupil_id, add)

    # Hats

    def list_hats(self, pupil: Pupil) -> list[Training]:
        """List the hats that a pupil has in the school, by whatever rules."""
        return self.store.trainings.find(owner=pupil.owner, limit=MAX_OWN_HATS)

    async def hand_in_hats(self, homework: Homework, pupil: Pupil, training_id: str) -> None:
        """Measure hats that a pupil has trained, and store how good they are."""
        training = await asyncio.to_thread(self.store.trainings.get, training_id)
        training = require(training if training and training.owner == pupil.owner else None)
        if (training.game, training.options) != (homework.game, homework.options):
            raise BadText(say("these hats play by other rules than those of this homework"))
        found = await self._workers.run(
            "homework-hats", {"hats": training.hats}, MEASURING, client=pupil.owner
        )
        new = {**found, "training": training.id, "at": time.time()}

        def add(done: Done) -> Done:
            kept = _keep_best(done.get("hats", ()), percent_right, MAX_KEPT)
            return {**done, "hats": [*kept, new]}

        await asyncio.to_thread(self.change, homework.id, pupil.id, add)

    # Bots

    async def why_no_sandbox(self) -> str:
        """Return why no bot can be handed in here, or nothing."""
        why: str = await self._workers.run("homework-sandbox", {}, CHECKING)
        return why

    def hand_in_bot(self, homework: Homework, pupil: Pupil, name: str, file: bytes) -> None:
        """Store a bot to be judged; it replaces one that still waits."""
        if not file.strip():
            raise BadText(say("choose the file of your bot, such as my_bot.py"))
        if len(file) > MAX_FILE:
            raise TooBig("this is too large; at most {most:,} kB fit", most=MAX_FILE // 1024)
        try:
            source = file.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadText(
                say("this is not a Python file; hand in a text file such as my_bot.py")
            ) from None
        waiting = {"file": name[-60:], "source": source, "at": time.time()}
        self.change(homework.id, pupil.id, lambda done: {**done, "waiting": waiting})
        self._judge_tasks.wake(work_id_of(homework.id, pupil.id))

    async def _judge(self, work_id: str) -> None:
        """Judge the bot that waits in a work."""
        work = await asyncio.to_thread(self.store.pupil_work.get, work_id)
        homework = await asyncio.to_thread(self.store.homework.get, work.homework) if work else None
        if work is None or homework is None or not work.done.get("waiting"):
            return
        waiting = work.done["waiting"]
        judged = {**waiting, **await self._play(homework, waiting["source"], work.pupil)}

        def add(done: Done) -> Done | None:
            if done.get("waiting") != waiting:
                return None  # another one was handed in meanwhile, or another server was quicker
            bots = _keep_best(done.get("bots", ()), partial(_worth, homework), MAX_BOTS)
            rest = {key: each for key, each in done.items() if key != "waiting"}
            return {**rest, "bots": [*bots, judged]}

        await asyncio.to_thread(self.change, work.homework, work.pupil, add)

    async def _play(self, homework: Homework, source: str, pupil_id: str) -> dict[str, Any]:
        """Return a bot's flaw, if one was found, and its points against each opponent."""
        payload = {"game": homework.game, "options": homework.options, "source": source}
        run = partial(
            self._workers.run, client=pupil_id, priority=Priority.BACKGROUND, patient=True
        )
        scores: dict[str, tuple[float, int]] = {}
        try:
            found = await run("homework-check", payload, CHECKING)
            flaw = found["flaw"]
            for opponent in homework.settings["opponents"] if not flaw else ():
                games = {"opponent": opponent, "games": homework.settings["games"], "seed": 1}
                found = await run("homework-play", payload | games, PLAYING)
                scores[opponent] = found["points"], found["games"]
                flaw = flaw or found["flaw"]
        except ParlourError as error:
            flaw = error.text
        return {"flaw": flaw, "scores": scores}

    def list_bots(self, homework: Homework) -> dict[str, str]:
        """Return the bots that play without a flaw, as tournaments know them, by their pupils."""
        found = {}
        for pupil in self._classes.list_pupils(homework.class_id):
            work = self.store.pupil_work.get(work_id_of(homework.id, pupil.id))
            if work is not None and _best_bot(homework, work) is not None:
                found[pupil.name] = f"{HANDED_IN} {work.id}"
        return found

    # Bots as players of a tournament

    async def describe_player(self, seat: Seat) -> dict[str, str]:
        """Return what a worker needs to let a pupil's bot play."""
        work = await asyncio.to_thread(self.store.pupil_work.get, seat.bot.partition(" ")[2])
        homework = await asyncio.to_thread(self.store.homework.get, work.homework) if work else None
        best = _best_bot(homework, work) if homework and work else None
        best = require(best, say("this bot is no longer there"))
        return {"source": str(best["source"])}


HomeworkDep = Annotated[HomeworkService, service(HomeworkService)]


def list_homework(store: Store, class_id: str) -> tuple[Homework, ...]:
    """List the homework of a class, the oldest first."""
    found = store.homework.find(class_id=class_id)
    return tuple(sorted(found, key=lambda each: (each.begun, each.id)))


def work_id_of(homework_id: str, pupil_id: str) -> str:
    """Return the id of what a pupil has done for a homework."""
    return f"{homework_id}-{pupil_id}"


def _keep_best(done: Sequence[Done], worth: Callable[[Done], float], most: int) -> Sequence[Done]:
    """Return the latest that were handed in before, and the best."""
    best = max(done, key=worth, default=None)
    return [each for at, each in enumerate(done) if each is best or at >= len(done) - most]


def _worth(homework: Homework, judged: Done) -> float:
    work = PupilWork(id="", homework=homework.id, pupil="", done={"bots": [judged]})
    return compute_result(replace(homework, due=0.0), work).share


def _best_bot(homework: Homework, work: PupilWork) -> Done | None:
    """Return the best bot without a flaw that was handed in, the latest among equals."""
    fine = [each for each in work.done.get("bots", ()) if not each["flaw"]]
    if homework.kind != BOT or not fine:
        return None
    best: Done = max(reversed(fine), key=partial(_worth, homework))
    return best
