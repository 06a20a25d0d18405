"""What the pages of a class show of its homework: to the teacher everybody, to a pupil themselves.

What a homework asks for is said in a sentence, the same on every page.
"""

from __future__ import annotations

import time
from typing import Any

from parlour.core import title
from parlour.faces.web.classes.homework.results import (
    BEAT,
    HATS,
    PUZZLES,
    compute_result,
    is_late,
)
from parlour.faces.web.classes.homework.rounds import find_game, find_rounds
from parlour.faces.web.table import describe_bot, game_of
from parlour.faces.web.texts import _, ngettext
from parlour.store import Classroom, Homework, Pupil, Store


def list_for_teacher(store: Store, classroom: Classroom) -> list[dict[str, Any]]:
    """List the homework of a class, for the page of the teacher."""
    found = []
    for each in _list(store, classroom):
        works = store.pupil_work.find(homework=each.id)
        done = sum(compute_result(each, work).is_done for work in works)
        found.append({**describe(each), "begun": len(works), "done": done})
    return found


def list_for_pupil(store: Store, classroom: Classroom, pupil: Pupil) -> dict[str, Any]:
    """Return what a pupil has to do, for their page of the class: homework, and a game."""
    rounds = find_rounds(store, classroom.id)
    return {
        "tasks": [
            {
                **describe(each),
                "result": compute_result(each, store.pupil_work.get(f"{each.id}-{pupil.id}")),
            }
            for each in _list(store, classroom)
        ],
        "tournament": rounds.id if rounds else "",
        "game": find_game(store, rounds, pupil) if rounds else "",
    }


def _list(store: Store, classroom: Classroom) -> list[Homework]:
    found = store.homework.find(class_id=classroom.id)
    return sorted(found, key=lambda each: (each.begun, each.id))


def describe(homework: Homework) -> dict[str, Any]:
    """Return what any page says of a homework."""
    return {
        "id": homework.id,
        "kind": homework.kind,
        "name": homework.name,
        "title": title(game_of(homework)),
        "asks": ask(homework),
        "points": homework.points,
        "due": name_day(homework.due),
        "late": is_late(homework, time.time()),
    }


def name_day(due: float) -> str:
    """Return the last day on which something counts; nothing if there is none."""
    return time.strftime("%Y-%m-%d", time.gmtime(due - 1)) if due else ""


def ask(homework: Homework) -> str:
    """Say what a homework asks for."""
    settings = homework.settings
    if homework.kind == PUZZLES:
        number = len(settings["puzzles"])
        text = ngettext(
            "Solve %(num)s puzzle. Your first answer counts.",
            "Solve %(num)s puzzles. Your first answer to each counts.",
            number,
        )
        return text % {"num": number}
    if homework.kind == BEAT:
        text = ngettext(
            "Win %(num)s game against %(bot)s.",
            "Win %(num)s games against %(bot)s.",
            settings["wins"],
        )
        bot = describe_bot(game_of(homework), settings["bot"])
        return text % {"num": settings["wins"], "bot": bot}
    if homework.kind == HATS:
        return _(
            "Train hats until the likeliest ball is right in %(percent)s%% of them. Hand them in.",
            percent=settings["mark"],
        )
    bots = ", ".join(settings["opponents"])
    return _(
        "Write a bot that plays without a fault and scores %(percent)s%% against %(bots)s.",
        percent=settings["mark"],
        bots=bots,
    )
