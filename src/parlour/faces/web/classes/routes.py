"""The pages of classes: the way in, the page of a pupil, and the page of the teacher.

Both pages are live. A pupil's page is a topic of its own, so that an answer is shown to the pupil
who gave it and to the teacher, and to nobody else. Everything works without scripts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import BadText
from parlour.faces.web.classes import positions, view
from parlour.faces.web.classes.attendance import Attendance
from parlour.faces.web.classes.questions import Questions
from parlour.faces.web.classes.service import (
    CLASS,
    DAYS,
    MAX_DAYS,
    MINUTE,
    PUPIL,
    TEACHING,
    ClassesDep,
    ClassService,
    PupilPage,
    TeacherPage,
)
from parlour.faces.web.clients import Visitor
from parlour.faces.web.live import Topic
from parlour.faces.web.prefix import see_other
from parlour.faces.web.presence import BEAT
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    NOT_BARRED,
    TEMPLATES,
    Form,
    Section,
    StoreDep,
    VisitorDep,
    page,
    redirect,
    respond_to_form,
    show_again,
    visitor_of,
)
from parlour.faces.web.services import Services, services_of
from parlour.store import Classroom

router = APIRouter(include_in_schema=False)


def start_section(services: Services) -> None:
    """Make the classes, and keep their pages up to date."""
    store, hub = services.store, services.hub
    classes = services.add(ClassService(store, hub))
    services.repeat(MINUTE, classes.delete_ended)
    services.add(Questions(store, classes))
    attendance = services.add(Attendance(store, hub))
    services.repeat(BEAT, attendance.beat)
    for kind in (CLASS, PUPIL, TEACHING):
        services.receivers[kind.rstrip(":")] = classes.receive

    def is_own(subject: PupilPage, visitor: Visitor) -> bool:
        return subject.pupil is not None and visitor.owns(subject.pupil.owner)

    def render_pupil(subject: PupilPage, visitor: Visitor, _: str) -> str:
        if subject.pupil is None or subject.lesson is None or not is_own(subject, visitor):
            return TEMPLATES.get_template("class_gone.html").render(teacher=False)
        values = view.describe_pupil(store, subject.lesson, subject.pupil)
        return TEMPLATES.get_template("class_pupil_main.html").render(**values)

    def teaches(subject: TeacherPage, visitor: Visitor) -> bool:
        lesson = subject.lesson
        return lesson is not None and classes.is_teacher(lesson.classroom, visitor)

    def render_teaching(subject: TeacherPage, visitor: Visitor, _: str) -> str:
        if subject.lesson is None or not teaches(subject, visitor):
            return TEMPLATES.get_template("class_gone.html").render(teacher=True)
        values = view.describe_teaching(store, classes, subject.lesson)
        return TEMPLATES.get_template("class_teacher_main.html").render(**values)

    hub.topics[PUPIL.rstrip(":")] = Topic(classes.fetch_pupil, is_own, render_pupil)
    hub.topics[TEACHING.rstrip(":")] = Topic(
        classes.fetch_teaching, teaches, render_teaching, pause=0.1
    )


SECTION = Section((router, positions.router), ("/classes", "Classes"), start_section)


# The way in


@router.get("/classes")
def show_classes(request: Request, classes: ClassesDep) -> Response:
    """Show how to join a class and how to open one, and the classes one has."""
    return _classes_page(request, classes)


def _classes_page(
    request: Request,
    classes: ClassService,
    notice: str = "",
    status: int = 200,
    typed: dict[str, str] | None = None,
) -> Response:
    visitor = visitor_of(request)
    return page(
        request,
        "classes.html",
        code=status,
        notice=notice,
        back="/classes",
        taught=classes.list_taught(visitor),
        joined=classes.list_joined(visitor),
        typed=typed or {},
        days=DAYS,
        max_days=MAX_DAYS,
    )


@router.post("/classes", dependencies=LIMIT_CREATION)
def open_class(request: Request, form: Form, classes: ClassesDep) -> Response:
    """Open a class, and go to its page."""
    show_again(request, partial(_classes_page, request, classes, typed=form))
    opened = classes.create(visitor_of(request), form.get("name", ""), form.number("days"))
    return redirect(request, f"/classes/{opened.id}/teach")


@router.get("/classes/join")
def find_class(request: Request, classes: ClassesDep, code: str = "") -> Response:
    """Ask for the name with which somebody joins the class with this code."""
    show_again(request, partial(_classes_page, request, classes, typed={"code": code[:20]}))
    classroom = classes.find_by_code(visitor_of(request), code)
    mine = classes.find_pupil(classroom.id, visitor_of(request))
    if mine is not None:
        return see_other(f"/classes/{classroom.id}")
    return _join_page(request, classroom)


def _join_page(
    request: Request,
    classroom: Classroom,
    notice: str = "",
    status: int = 200,
    typed: dict[str, str] | None = None,
) -> Response:
    return page(
        request,
        "class_join.html",
        code=status,
        notice=notice,
        back=f"/classes/join?code={classroom.code}",
        classroom=classroom,
        taken=status == 409,
        typed=typed or {},
    )


def _refuse_barred(request: Request) -> None:
    """Refuse somebody who is barred; nothing is stored of where a pupil comes from."""
    services_of(request).visitors.refuse_barred(visitor_of(request))


@router.post("/classes/join", dependencies=[Depends(_refuse_barred)])
def join_class(request: Request, form: Form, classes: ClassesDep) -> Response:
    """Join a class under a first name, or come back with one's key."""
    visitor, code = visitor_of(request), form.get("code", "")
    show_again(request, partial(_classes_page, request, classes, typed=form))
    classroom = classes.find_by_code(visitor, code)
    show_again(request, partial(_join_page, request, classroom, typed=form))
    pupil = classes.join(visitor, code, form.get("name", ""), form.get("key", ""))
    return redirect(request, f"/classes/{pupil.class_id}")


# A pupil


@router.get("/classes/{class_id}")
def show_class(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Show a pupil their page of the class; others are sent to the way in."""
    visitor = visitor_of(request)
    pupil = classes.find_pupil(class_id, visitor)
    if pupil is None:
        return see_other("/classes")
    return view.show_pupil(request, classes, pupil)


@router.post("/classes/{class_id}/sign-out")
def sign_out(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Free this device for another pupil; one comes back with the key."""
    _, pupil = classes.require_pupil(class_id, visitor_of(request))
    classes.sign_out(pupil)
    return redirect(request, "/classes")


@router.post("/classes/{class_id}/leave")
def leave_class(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Delete what the class keeps of this pupil."""
    classroom, pupil = classes.require_pupil(class_id, visitor_of(request))
    classes.remove(classroom, pupil.id)
    return redirect(request, "/classes")


# The teacher


@router.get("/classes/{class_id}/teach")
def show_teaching(
    request: Request, class_id: str, classes: ClassesDep, store: StoreDep
) -> Response:
    """Show the teacher who is there and what they answer."""
    return _teacher_page(request, class_id, classes, store)


def _teacher_page(
    request: Request,
    class_id: str,
    classes: ClassService,
    store: StoreDep,
    notice: str = "",
    status: int = 200,
) -> Response:
    classes.require_teacher(class_id, visitor_of(request))
    lesson = classes.require_lesson(class_id)
    return page(
        request,
        "class_teacher.html",
        code=status,
        notice=notice,
        back=f"/classes/{class_id}/teach",
        live=f"{TEACHING}{class_id}",
        version=lesson.version,
        waiting=True,
        **view.describe_teaching(store, classes, lesson),
    )


@router.get("/classes/{class_id}/wall")
def show_wall(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Show how to join in letters that can be read from the wall."""
    classroom = classes.require_teacher(class_id, visitor_of(request))
    return page(
        request,
        "class_wall.html",
        back=f"/classes/{class_id}/wall",
        classroom=classroom,
        address=f"{request.base_url}classes".partition("://")[2],
        code_text=view.write_code(classroom.code),
    )


@router.get("/classes/{class_id}/settings")
def show_settings(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Show the secret link, the day on which the class is deleted, and the files of it."""
    return _settings_page(request, class_id, classes)


def _settings_page(
    request: Request, class_id: str, classes: ClassService, notice: str = "", status: int = 200
) -> Response:
    classroom = classes.require_teacher(class_id, visitor_of(request))
    return page(
        request,
        "class_settings.html",
        code=status,
        notice=notice,
        back=f"/classes/{class_id}/settings",
        classroom=classroom,
        link=f"/classes/{class_id}/teach/{classes.secret_of(classroom)}",
        days_left=view.days_left(classroom),
        max_days=MAX_DAYS,
    )


@router.get("/classes/{class_id}/teach/{secret}")
def follow_link(request: Request, class_id: str, secret: str, classes: ClassesDep) -> Response:
    """Ask whether to open the class as its teacher: programs that look at links do not press."""
    visitor = visitor_of(request)
    classroom = classes.check_secret(class_id, secret, visitor)
    if classes.is_teacher(classroom, visitor):
        return see_other(f"/classes/{class_id}/teach")
    return page(request, "class_link.html", back="/classes", classroom=classroom, secret=secret)


@router.post("/classes/{class_id}/teach/{secret}", dependencies=NOT_BARRED)
def use_link(request: Request, class_id: str, secret: str, classes: ClassesDep) -> Response:
    """Make this browser a teacher of the class."""
    classes.add_teacher(class_id, secret, visitor_of(request))
    return redirect(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/link")
def replace_link(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Make a new secret link, and let nobody teach who used the old one."""
    classes.replace_link(class_id, visitor_of(request))
    return redirect(request, f"/classes/{class_id}/settings")


@router.post("/classes/{class_id}/close")
def close_class(
    request: Request, class_id: str, form: Form, visitor: VisitorDep, classes: ClassesDep
) -> Response:
    """Close the class to newcomers, or let them in again."""
    classes.require_teacher(class_id, visitor)
    classes.set_closed(class_id, form.get("closed") == "yes")
    return respond_to_form(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/day")
def set_day(request: Request, class_id: str, form: Form, classes: ClassesDep) -> Response:
    """Choose when the class is deleted."""
    show_again(request, partial(_settings_page, request, class_id, classes))
    classes.require_teacher(class_id, visitor_of(request))
    classes.set_day(class_id, form.number("days"))
    return redirect(request, f"/classes/{class_id}/settings")


@router.post("/classes/{class_id}/delete")
def delete_class(request: Request, class_id: str, form: Form, classes: ClassesDep) -> Response:
    """Delete everything of the class."""
    show_again(request, partial(_settings_page, request, class_id, classes))
    classes.require_teacher(class_id, visitor_of(request))
    if form.get("sure") != "yes":
        raise BadText("tick the box first: the class and everything in it will be deleted")
    classes.delete(class_id)
    return redirect(request, "/classes")


@router.get("/classes/{class_id}/pupils/{pupil_id}")
def show_pupil(request: Request, class_id: str, pupil_id: str, classes: ClassesDep) -> Response:
    """Show the teacher a pupil: the name, the key, and what to do about them."""
    return _one_pupil_page(request, class_id, pupil_id, classes)


def _one_pupil_page(
    request: Request,
    class_id: str,
    pupil_id: str,
    classes: ClassService,
    notice: str = "",
    status: int = 200,
) -> Response:
    classroom = classes.require_teacher(class_id, visitor_of(request))
    values: dict[str, Any] = {
        "classroom": classroom,
        "pupil": classes.read_pupil(classroom, pupil_id),
    }
    back = f"/classes/{class_id}/pupils/{pupil_id}"
    return page(request, "class_one_pupil.html", code=status, notice=notice, back=back, **values)


@router.post("/classes/{class_id}/pupils/{pupil_id}/rename")
def rename_pupil(
    request: Request, class_id: str, pupil_id: str, form: Form, classes: ClassesDep
) -> Response:
    """Give a pupil another name."""
    show_again(request, partial(_one_pupil_page, request, class_id, pupil_id, classes))
    classroom = classes.require_teacher(class_id, visitor_of(request))
    classes.rename(classroom, pupil_id, form.get("name", ""))
    return redirect(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/pupils/{pupil_id}/remove")
def remove_pupil(request: Request, class_id: str, pupil_id: str, classes: ClassesDep) -> Response:
    """Remove a pupil, and delete what is kept of them."""
    classroom = classes.require_teacher(class_id, visitor_of(request))
    classes.remove(classroom, pupil_id)
    return redirect(request, f"/classes/{class_id}/teach")
