"""The results of a class, on a page and in files: CSV, and the JSON that Gradescope reads.

The teacher sees everybody, and pupils see only themselves. Page and files show the same sheet, so
they always agree.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.arena import format_points
from parlour.faces.web.classes.homework import gradescope
from parlour.faces.web.classes.homework.results import write_csv
from parlour.faces.web.classes.homework.service import HomeworkDep, HomeworkService, Sheet
from parlour.faces.web.classes.homework.view import describe
from parlour.faces.web.classes.service import TEACHER, ClassesDep
from parlour.faces.web.requests import page, visitor_of
from parlour.store import Classroom, Pupil

router = APIRouter(include_in_schema=False)


@router.get("/classes/{class_id}/results")
def show_results(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the teacher the results of every pupil in every homework; a pupil, only their own."""
    visitor = visitor_of(request)
    if classes.role_of(class_id, visitor) != TEACHER:
        classroom, pupil = classes.require_pupil(class_id, visitor)
        sheet = _sheet_of_one(homework, classroom, pupil)
        return _results_page(request, sheet, teaches=False)
    return _results_page(request, homework.sheet(classes.read(class_id)), teaches=True)


def _results_page(request: Request, sheet: Sheet, *, teaches: bool) -> Response:
    return page(
        request,
        "class_results.html",
        back=f"/classes/{sheet.classroom.id}/results",
        classroom=sheet.classroom,
        homework=[describe(each) for each in sheet.homework],
        rows=sheet.rows,
        most=sum(each.points for each in sheet.homework),
        points=format_points,
        teaches=teaches,
    )


def _sheet_of_one(homework: HomeworkService, classroom: Classroom, pupil: Pupil) -> Sheet:
    """Return a sheet with a single row, that of one pupil."""
    found = homework.results_of(classroom.id, pupil)
    return Sheet(
        classroom,
        tuple(each for each, result in found),
        (pupil,),
        (tuple(result for each, result in found),),
    )


@router.get("/classes/{class_id}/results.csv")
def download_csv(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Download all results as a CSV file."""
    sheet = homework.sheet(classes.require_teacher(class_id, visitor_of(request)))
    text = "\ufeff" + write_csv(sheet.homework, sheet.by_name)  # tells Excel that this is UTF-8
    return _download(text.encode(), "text/csv; charset=utf-8", "results.csv")


@router.get("/classes/{class_id}/results.zip")
def download_zip(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Download a results.json for each pupil, in the format that Gradescope reads."""
    sheet = homework.sheet(classes.require_teacher(class_id, visitor_of(request)))
    content = gradescope.write_zip(sheet.homework, sheet.by_name)
    return _download(content, "application/zip", "results.zip")


@router.get("/classes/{class_id}/results.json")
def download_json(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep, pupil: str = ""
) -> Response:
    """Download one pupil's results.json; pupils always get their own, whoever they ask for."""
    visitor = visitor_of(request)
    if classes.role_of(class_id, visitor) == TEACHER:
        classroom = classes.read(class_id)
        found = classes.read_pupil(classroom, pupil)
    else:
        classroom, found = classes.require_pupil(class_id, visitor)
    sheet = _sheet_of_one(homework, classroom, found)
    text = gradescope.write_json(sheet.homework, sheet.results[0])
    return _download(text.encode(), "application/json", gradescope.FILE)


def _download(content: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)
