"""What the pages of a class show: to the teacher everything, to a pupil what is theirs.

What others answered reaches the values of a pupil's page only once the teacher has shown it, and
then as numbers without names.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import Game, ParlourError, State, capital, seat_name
from parlour.faces.web.classes import service
from parlour.faces.web.classes.homework import list_for_pupil, list_for_teacher
from parlour.faces.web.classes.questions import judgement_of
from parlour.faces.web.classes.service import CODE_LENGTH, PUPIL, Attendance, ClassService, Lesson
from parlour.faces.web.errors import require
from parlour.faces.web.position import draw_line, name_line
from parlour.faces.web.prefix import url
from parlour.faces.web.requests import page
from parlour.faces.web.services import services_of
from parlour.faces.web.table import game_of, list_rules, mark_of, title_of
from parlour.players import Assessment
from parlour.store import Classroom, Pupil, PupilAnswer, Question, Store

Values = dict[str, Any]  # of a template


def write_code(code: str) -> str:
    """Write a code so that it can be read out."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def days_left(classroom: Classroom) -> int:
    """Return how many days a class is still kept."""
    return (date.fromisoformat(classroom.ends) - datetime.now(UTC).date()).days


def name_mover(game: Game, state: State) -> str:
    """Name whose turn it is, as the board does."""
    return capital(seat_name(game, game.turn(state)))


# The position on the screen


def _describe_question(question: Question, answers: Sequence[PupilAnswer], **board: Any) -> Values:
    """Return what everybody may see of a question."""
    try:
        game = game_of(question)
        state = game.read(question.position)
    except ParlourError:  # a game that was removed since
        return {"known": False}
    truth = question.truth
    assessed = Assessment.from_dict(truth) if truth else Assessment()
    marks = {each.move: mark_of(each) for each in assessed.moves}
    counted = Counter(answer.move for answer in answers)
    judged = {
        move: {**_describe_answer(game, state, question, move), "value": marks.get(move)}
        for move in counted
    }
    most_first = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return {
        "known": True,
        "number": question.number,
        "shown": question.shown,
        "title": title_of(question),
        "mover": name_mover(game, state),
        "rules": list_rules(game),
        "board": boards.board(game, state, marks=marks, at=question.number, **board),
        "judged": judged,
        "spread": [
            {**judged[move], "count": number, "percent": round(100 * number / len(answers))}
            for move, number in most_first
            if question.shown
        ],
        "value": assessed.value if truth else None,
        "source": truth.get("source", ""),
        "reasons": truth.get("reasons", ()),
        "right": [boards.name_move(text, game, state) for text in truth.get("right", ())],
        "answered": len(answers),
    }


def _describe_answer(game: Game, state: State, question: Question, move: str) -> Values:
    """Return the name of an answer and what the truth says of it."""
    judged = judgement_of(question, move)
    name = boards.name_move(move, game, state)
    return {**judged, "name": name, "line": name_line(game, state, judged["line"])}


# The page of a pupil


def describe_pupil(store: Store, lesson: Lesson, pupil: Pupil) -> Values:
    """Return what a pupil sees."""
    question, shown = lesson.question, None
    own = next((each for each in lesson.answers if each.pupil == pupil.id), None)
    if question is not None:
        visible = lesson.answers if question.shown else ([own] if own else [])
        action = "" if question.shown else url(f"/classes/{lesson.classroom.id}/answer")
        shown = _describe_question(question, visible, playable=not question.shown, action=action)
        if own is not None and shown["known"]:
            shown["mine"] = shown["judged"][own.move]
            game, line = game_of(question), judgement_of(question, own.move)["line"]
            shown["refutation"] = draw_line(game, game.read(question.position), line[:2])
    return {
        "classroom": lesson.classroom,
        "pupil": pupil,
        "question": shown,
        "homework": list_for_pupil(store, lesson.classroom, pupil),
    }


def show_pupil(request: Request, classes: ClassService, pupil: Pupil) -> Response:
    """Return the page of a pupil."""
    lesson = require(classes.fetch_lesson(pupil.class_id, pupil))
    services = services_of(request)
    services.get(Attendance).note_view(pupil)
    values = describe_pupil(services.store, lesson, pupil)
    question = values["question"]
    return page(
        request,
        "class_pupil.html",
        back=f"/classes/{pupil.class_id}",
        live=f"{PUPIL}{pupil.id}",
        version=lesson.version,
        waiting=question is None or question.get("shown") or "mine" in question,
        **values,
    )


# The page of the teacher


def describe_teaching(store: Store, lesson: Lesson) -> Values:
    """Return what the teacher sees."""
    classroom, question = lesson.classroom, lesson.question
    present = service.list_present(lesson.sightings, time.time())
    shown = _describe_question(question, lesson.answers) if question else None
    judged: Mapping[str, Values] = shown.get("judged", {}) if shown else {}
    return {
        "classroom": classroom,
        "code_text": write_code(classroom.code),
        "question": shown,
        "pupils": lesson.pupils,
        "present": present & {each.id for each in lesson.pupils},
        "answers": {
            each.pupil: judged[each.move] for each in lesson.answers if each.move in judged
        },
        "homework": list_for_teacher(store, classroom),
    }
