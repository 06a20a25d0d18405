"""The pages of homework: one task, and all results of a class, also as files.

The teacher sees everybody's work, a pupil their own; page and files show the same results. Other
modules ask here whether a visitor may act on a homework; a refusal is shown on its page.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import BadText
from parlour.faces.web import requests as web
from parlour.faces.web.classes.homework.form import read_day
from parlour.faces.web.classes.homework.results import (
    GRADESCOPE_FILE,
    write_csv,
    write_json,
    write_zip,
)
from parlour.faces.web.classes.homework.service import RESULTS, WORK, HomeworkDep, Sheet, work_id_of
from parlour.faces.web.classes.homework.view import describe, describe_results, describe_work
from parlour.faces.web.classes.service import TEACHER, UNTICKED, Attendance, ClassesDep, Taught
from parlour.faces.web.errors import require
from parlour.faces.web.services import services_of
from parlour.store import Homework, Pupil

router = APIRouter(include_in_schema=False)


@router.get("/homework/{homework_id}")
def show_homework(
    request: Request, homework_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the teacher how everybody is getting on; a pupil, what they have to do."""
    visitor = web.visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    show = partial(web.page, request, here="/classes", back=f"/homework/{homework_id}")
    if classes.role_of(found.class_id, visitor) == TEACHER:
        results = require(homework.load_results(homework_id))
        return show(
            "homework_teacher.html",
            live=f"{RESULTS}:{homework_id}",
            version=results.version,
            **describe_results(homework, results),
        )
    pupil = classes.require_pupil(found.class_id, visitor)[1]
    services_of(request).get(Attendance).note_view(pupil)
    name = work_id_of(homework_id, pupil.id)
    loaded = require(homework.load_work(name))
    values = describe_work(homework, loaded)
    return show(
        "homework_pupil.html",
        live=f"{WORK}:{name}",
        version=loaded.version,
        waiting=bool(values.get("judging")),
        **values,
    )


# Who may act on it


def _find_taught(
    request: Request, homework_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Homework:
    """Return a homework of a class that the visitor teaches."""
    web.show_refusal_on(request, partial(show_homework, request, homework_id, classes, homework))
    visitor = web.visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    classes.require_teacher(found.class_id, visitor)
    return found


Doing = tuple[Homework, Pupil]  # a homework, and the pupil who does it


def to_do(kind: str) -> Any:
    """Return a dependency: the homework of an address, of this kind, and the pupil who does it."""

    def find_work(
        request: Request, homework_id: str, classes: ClassesDep, homework: HomeworkDep
    ) -> Doing:
        visitor = web.visitor_of(request)
        found = homework.read_for(visitor, homework_id)
        pupil = classes.require_pupil(found.class_id, visitor)[1]
        show = partial(show_homework, request, homework_id, classes, homework)
        web.show_refusal_on(request, show)
        return require(found if found.kind == kind else None), pupil

    return Depends(find_work)


TaughtHomework = Annotated[Homework, Depends(_find_taught)]  # of an address, for its teachers


@router.post("/homework/{homework_id}/due")
def change_due(
    request: Request, found: TaughtHomework, form: web.Form, homework: HomeworkDep
) -> Response:
    """Change the day on which a homework is due."""
    homework.set_due(found, read_day(form.get("due", "")))
    return web.redirect(request, f"/homework/{found.id}")


@router.post("/homework/{homework_id}/delete")
def delete_homework(
    request: Request, found: TaughtHomework, form: web.Form, homework: HomeworkDep
) -> Response:
    """Delete a homework, and all the work that pupils have done for it."""
    if form.get("sure") != "yes":
        raise BadText(UNTICKED)
    homework.remove(found)
    return web.redirect(request, f"/classes/{found.class_id}/teach")


# All results of a class


def _find_sheet(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep, pupil: str = ""
) -> Sheet:
    """Return to the teacher all results or those of a pupil; to pupils always their own."""
    visitor = web.visitor_of(request)
    if classes.role_of(class_id, visitor) != TEACHER:
        return homework.sheet_of(*classes.require_pupil(class_id, visitor))
    classroom = classes.read(class_id)
    if pupil:
        return homework.sheet_of(classroom, classes.read_pupil(classroom, pupil))
    return homework.sheet(classroom)


SheetDep = Annotated[Sheet, Depends(_find_sheet)]


@router.get("/classes/{class_id}/results")
def show_results(request: Request, sheet: SheetDep, classes: ClassesDep) -> Response:
    """Show the teacher the results of every pupil in every homework; a pupil, only their own."""
    return web.page(
        request,
        "class_results.html",
        classroom=sheet.classroom,
        homework=[describe(each) for each in sheet.homework],
        rows=sheet.rows,
        most=sum(each.points for each in sheet.homework),
        teaches=classes.is_teacher(sheet.classroom, web.visitor_of(request)),
    )


@router.get("/classes/{class_id}/results.csv")
def download_csv(classroom: Taught, homework: HomeworkDep) -> Response:
    """Download all results as a CSV file."""
    sheet = homework.sheet(classroom)
    text = "\ufeff" + write_csv(sheet.homework, sheet.by_name)  # tells Excel that this is UTF-8
    return web.download(text, "text/csv; charset=utf-8", "results.csv")


@router.get("/classes/{class_id}/results.zip")
def download_zip(classroom: Taught, homework: HomeworkDep) -> Response:
    """Download a results.json for each pupil, in the format that Gradescope reads."""
    sheet = homework.sheet(classroom)
    return web.download(write_zip(sheet.homework, sheet.by_name), "application/zip", "results.zip")


@router.get("/classes/{class_id}/results.json")
def download_json(sheet: SheetDep) -> Response:
    """Download one pupil's results.json."""
    text = write_json(sheet.homework, require(next(iter(sheet.results), None)))
    return web.download(text, "application/json", GRADESCOPE_FILE)
