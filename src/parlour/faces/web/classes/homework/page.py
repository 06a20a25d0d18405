"""The page of one homework: the teacher sees everybody's work, a pupil their own.

The teacher can change the day on which it is due, and delete it. Other modules ask here whether a
visitor may act on a homework; a refusal is shown on its page.
"""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import BadText, say
from parlour.faces.web.classes.homework.form import read_day
from parlour.faces.web.classes.homework.service import (
    RESULTS,
    WORK,
    HomeworkDep,
    HomeworkService,
    work_id_of,
)
from parlour.faces.web.classes.homework.view import describe_results, describe_work
from parlour.faces.web.classes.service import TEACHER, Attendance, ClassesDep, ClassService
from parlour.faces.web.errors import NotThere
from parlour.faces.web.requests import Form, page, redirect, show_again, visitor_of
from parlour.faces.web.services import services_of
from parlour.store import Homework, Pupil

router = APIRouter(include_in_schema=False)


@router.get("/homework/{homework_id}")
def show_homework(
    request: Request, homework_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the teacher how everybody is getting on; a pupil, what they have to do."""
    return _homework_page(request, classes, homework, homework_id)


def _homework_page(
    request: Request,
    classes: ClassService,
    homework: HomeworkService,
    homework_id: str,
    notice: str = "",
    status: int = 200,
) -> Response:
    visitor = visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    if classes.role_of(found.class_id, visitor) == TEACHER:
        return _teacher_page(request, homework, homework_id, notice, status)
    pupil = classes.require_pupil(found.class_id, visitor)[1]
    return _pupil_page(request, homework, found, pupil, notice, status)


def _teacher_page(
    request: Request, homework: HomeworkService, homework_id: str, notice: str, status: int
) -> Response:
    found = homework.load_results(homework_id)
    if found is None:
        raise NotThere(say("there is no such homework, or no longer"))
    return page(
        request,
        "homework_teacher.html",
        code=status,
        notice=notice,
        here="/classes",
        back=f"/homework/{homework_id}",
        live=f"{RESULTS}:{homework_id}",
        version=found.version,
        **describe_results(homework, found),
    )


def _pupil_page(
    request: Request,
    homework: HomeworkService,
    found: Homework,
    pupil: Pupil,
    notice: str,
    status: int,
) -> Response:
    services_of(request).get(Attendance).note_view(pupil)
    name = work_id_of(found.id, pupil.id)
    loaded = homework.load_work(name)
    if loaded is None:
        raise NotThere(say("there is no such homework, or no longer"))
    return page(
        request,
        "homework_pupil.html",
        code=status,
        notice=notice,
        here="/classes",
        back=f"/homework/{found.id}",
        live=f"{WORK}:{name}",
        version=loaded.version,
        waiting=bool(loaded.work and loaded.work.done.get("waiting")),
        **describe_work(homework, loaded),
    )


@router.post("/homework/{homework_id}/due")
def change_due(
    request: Request, homework_id: str, form: Form, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Change the day on which a homework is due."""
    found = require_taught(request, classes, homework, homework_id)
    homework.set_due(found, read_day(form.get("due", "")))
    return redirect(request, f"/homework/{homework_id}")


@router.post("/homework/{homework_id}/delete")
def delete_homework(
    request: Request, homework_id: str, form: Form, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Delete a homework, and all the work that pupils have done for it."""
    found = require_taught(request, classes, homework, homework_id)
    if form.get("sure") != "yes":
        raise BadText(say("tick the box first: what the pupils have done will be deleted too"))
    homework.remove(found)
    return redirect(request, f"/classes/{found.class_id}/teach")


# Who may act on it


def require_taught(
    request: Request, classes: ClassService, homework: HomeworkService, homework_id: str
) -> Homework:
    """Return a homework of a class that the visitor teaches; a refusal is shown on its page."""
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    visitor = visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    classes.require_teacher(found.class_id, visitor)
    return found


def require_work(
    request: Request,
    classes: ClassService,
    homework: HomeworkService,
    homework_id: str,
    kind: str,
) -> tuple[Homework, Pupil]:
    """Return a homework of this kind and the pupil doing it; a refusal is shown on its page."""
    visitor = visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    pupil = classes.require_pupil(found.class_id, visitor)[1]
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    if found.kind != kind:
        raise NotThere(say("this homework asks for something else"))
    return found, pupil
