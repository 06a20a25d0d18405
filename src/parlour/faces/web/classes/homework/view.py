"""What pages show of the homework and the tournaments of a class.

The teacher sees everybody, a pupil only themselves. What a homework asks for is said in one
sentence, the same on every page.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from parlour.arena import format_points
from parlour.core import registry, title
from parlour.faces.web.classes.homework import results, service
from parlour.faces.web.classes.homework.results import BOT, HATS, PUZZLES, compute_result
from parlour.faces.web.classes.homework.rounds import ROUNDS, StoredRounds, find_game, find_rounds
from parlour.faces.web.classes.homework.service import HomeworkService, Progress
from parlour.faces.web.classes.service import TEACHER, ClassService
from parlour.faces.web.clients import Visitor
from parlour.faces.web.table import describe_bot, game_of
from parlour.store import Classroom, Homework, Pupil, Store

# The pages of the class


def list_for_teacher(store: Store, classroom: Classroom) -> list[dict[str, Any]]:
    """List the homework of a class, for the page of the teacher."""
    found = []
    for each in service.list_homework(store, classroom.id):
        works = store.pupil_work.find(homework=each.id)
        done = sum(compute_result(each, work).is_done for work in works)
        found.append({**describe(each), "begun": len(works), "done": done})
    return found


def list_for_pupil(store: Store, classroom: Classroom, pupil: Pupil) -> dict[str, Any]:
    """Return what a pupil has to do, for their page of the class: homework, and a game."""
    rounds, game = find_rounds(store, classroom.id), ""
    if rounds:
        game = find_game(rounds, store.pairings.find(tournament=rounds.id, state="on"), pupil.id)
    return {
        "tasks": [
            {
                **describe(each),
                "result": compute_result(
                    each, store.pupil_work.get(service.work_id_of(each.id, pupil.id))
                ),
            }
            for each in service.list_homework(store, classroom.id)
        ],
        "tournament": rounds.id if rounds else "",
        "game": game,
    }


# Any page of a homework


def describe(homework: Homework) -> dict[str, Any]:
    """Return what every page says of a homework."""
    return vars(homework) | {
        "title": title(game_of(homework)),
        "due": name_day(homework.due),
        "late": results.is_late(homework, time.time()),
    }


def name_day(due: float) -> str:
    """Return the last day on which something counts; nothing if there is none."""
    return time.strftime("%Y-%m-%d", time.gmtime(due - 1)) if due else ""


# The page of one homework


def describe_results(homework: HomeworkService, found: Progress) -> dict[str, Any]:
    """Return what the teacher sees of a homework."""
    task = found.homework
    works = [found.works.get(pupil.id) for pupil in found.pupils]
    rows = [
        (pupil, compute_result(task, work), work)
        for pupil, work in zip(found.pupils, works, strict=True)
    ]
    marks = compute_result(task, None).marks
    return {
        "class_id": task.class_id,
        "homework": describe(task),
        "bot": _name_bot(task),
        "rows": rows,
        "marks": marks,
        "reached": [
            sum(result.marks[at].share >= 1 for pupil, result, work in rows)
            for at in range(len(marks))
        ],
        "puzzles": task.settings.get("puzzles", ()),
        "bots": len(homework.list_bots(task)) if task.kind == BOT else 0,
    }


def describe_work(homework: HomeworkService, found: Progress) -> dict[str, Any]:
    """Return what a pupil sees of a homework."""
    task, (pupil,) = found.homework, found.pupils
    work = found.works.get(pupil.id)
    done: Mapping[str, Any] = work.done if work else {}
    values: dict[str, Any] = {}
    if task.kind == PUZZLES:
        answers = done.get("answers", {})
        values["puzzles"] = [answers.get(each) for each in task.settings["puzzles"]]
        values["next"] = find_unanswered(task, answers)
    elif task.kind == HATS:
        own, rules = homework.list_hats(pupil), (task.game, task.options)
        values["hats"] = [each for each in own if (each.game, each.options) == rules]
    elif task.kind == BOT:
        values["judged"] = (done.get("bots") or (None,))[-1]
        values["judging"] = done.get("waiting")
    return {
        "class_id": task.class_id,
        "homework": describe(task),
        "bot": _name_bot(task),
        "result": compute_result(task, work),
        "games": done.get("games", ()),
        **values,
    }


def _name_bot(homework: Homework) -> str:
    """Name the bot that is to be beaten, if there is one."""
    bot = homework.settings.get("bot", "")
    return describe_bot(game_of(homework), bot) if bot else ""


def find_unanswered(homework: Homework, answers: Mapping[str, Any]) -> int | None:
    """Return the first puzzle without an answer, counted from 0, or None."""
    puzzles = homework.settings["puzzles"]
    return next((at for at, each in enumerate(puzzles) if each not in answers), None)


# The page of a tournament


def describe_rounds(classes: ClassService, found: StoredRounds, visitor: Visitor) -> dict[str, Any]:
    """Return what somebody in the class sees of one of its tournaments."""
    role = classes.role_of(found.class_id, visitor)
    current = found.of_round(found.tournament.rounds)
    game = found.tournament.games[0]
    return {
        "classroom": classes.read(found.class_id),
        "tournament": found.tournament,
        "title": title(registry.build("games", game["game"], game["options"])),
        "teaches": role == TEACHER,
        "my_game": find_game(found.tournament, current, role),
        "current": current,
        "pupil": found.pupil,
        "unfinished": sum(each.state == "on" for each in current),
        "standings": found.standings,
        "going_on": found.tournament.state == ROUNDS,
        "points": format_points,
    }
