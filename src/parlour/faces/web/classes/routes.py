"""The pages of classes: the way in, the page of a pupil, and the page of the teacher.

Both pages are live. A pupil's page is a topic of its own, so that an answer is shown to the pupil
who gave it and to the teacher, and to nobody else. Everything works without scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import BadText, say
from parlour.faces.web import requests as web
from parlour.faces.web.classes import positions, service, view
from parlour.faces.web.classes.questions import Questions
from parlour.faces.web.classes.service import (
    ClassesDep,
    ClassService,
    Ended,
    Joined,
    Lesson,
    Taught,
)
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import require
from parlour.faces.web.live import BEAT
from parlour.faces.web.prefix import see_other
from parlour.faces.web.services import Services, services_of
from parlour.store import Classroom

router = APIRouter(include_in_schema=False)


def start_section(services: Services) -> None:
    """Make the classes, and keep their pages up to date."""
    store, hub = services.store, services.hub
    classes = services.add(ClassService(store, hub))
    services.repeat(service.MINUTE, classes.delete_ended)
    services.add(Questions(store, classes))
    attendance = services.add(service.Attendance(store, hub))
    services.repeat(BEAT, attendance.beat)
    for kind in (service.CLASS, service.PUPIL, service.TEACHING):
        services.receivers[kind.rstrip(":")] = classes.receive

    def is_own(found: Lesson | Ended, visitor: Visitor) -> bool:
        if isinstance(found, Ended):
            return False
        if found.reader is not None:
            return visitor.owns(found.reader.owner)
        return classes.is_teacher(found.classroom, visitor)

    hub.topics[service.PUPIL.rstrip(":")] = service.live_page(
        "class_pupil_main.html",
        classes.fetch_pupil,
        is_own,
        lambda found, _: view.describe_pupil(store, found, found.reader),
    )
    hub.topics[service.TEACHING.rstrip(":")] = service.live_page(
        "class_teacher_main.html",
        classes.fetch_lesson,
        is_own,
        lambda found, _: view.describe_teaching(store, found),
        pause=0.1,
    )


SECTION = web.Section((router, positions.router), ("/classes", say("Classes")), start_section)


# The way in


@router.get("/classes")
def show_classes(request: Request, classes: ClassesDep) -> Response:
    """Show how to join a class and how to open one, and the classes one has."""
    return _classes_page(request, classes, {})


def _classes_page(request: Request, classes: ClassService, typed: Mapping[str, str]) -> Response:
    visitor = web.visitor_of(request)
    return web.page(
        request,
        "classes.html",
        back="/classes",
        taught=classes.list_taught(visitor),
        joined=classes.list_joined(visitor),
        typed=typed,
        days=service.DAYS,
        max_days=service.MAX_DAYS,
    )


@router.post("/classes", dependencies=web.LIMIT_CREATION)
def open_class(request: Request, form: web.Form, classes: ClassesDep) -> Response:
    """Open a class, and go to its page."""
    web.show_refusal_on(request, partial(_classes_page, request, classes, form))
    opened = classes.create(web.visitor_of(request), form.get("name", ""), _read_day(form))
    return web.redirect(request, f"/classes/{opened.id}/teach")


def _read_day(form: web.Fields) -> str:
    """Return the day on which a class is to be deleted."""
    days = form.number("days", 1, service.MAX_DAYS)
    return service.today(service.DAYS if days is None else days)


@router.get("/classes/join")
def find_class(request: Request, classes: ClassesDep, code: str = "") -> Response:
    """Ask for the name with which somebody joins the class with this code."""
    web.show_refusal_on(request, partial(_classes_page, request, classes, {"code": code[:20]}))
    classroom = classes.find_by_code(web.visitor_of(request), code)
    mine = classes.find_pupil(classroom.id, web.visitor_of(request))
    if mine is not None:
        return see_other(f"/classes/{classroom.id}")
    return _join_page(request, classroom, {})


def _join_page(request: Request, classroom: Classroom, typed: Mapping[str, str]) -> Response:
    back = f"/classes/join?code={classroom.code}"
    return web.page(request, "class_join.html", back=back, classroom=classroom, typed=typed)


def _refuse_barred(request: Request) -> None:
    """Refuse somebody who is barred; nothing is stored of where a pupil comes from."""
    services_of(request).visitors.refuse_barred(web.visitor_of(request))


@router.post("/classes/join", dependencies=[Depends(_refuse_barred)])
def join_class(request: Request, form: web.Form, classes: ClassesDep) -> Response:
    """Join a class under a first name, or come back with one's key."""
    visitor, code = web.visitor_of(request), form.get("code", "")
    web.show_refusal_on(request, partial(_classes_page, request, classes, form))
    classroom = classes.find_by_code(visitor, code)
    web.show_refusal_on(request, partial(_join_page, request, classroom, form))
    pupil = classes.join(visitor, code, form.get("name", ""), form.get("key", ""))
    return web.redirect(request, f"/classes/{pupil.class_id}")


# A pupil


@router.get("/classes/{class_id}")
def show_class(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Show a pupil their page of the class; others are sent to the way in."""
    pupil = classes.find_pupil(class_id, web.visitor_of(request))
    return see_other("/classes") if pupil is None else view.show_pupil(request, classes, pupil)


@router.post("/classes/{class_id}/sign-out")
def sign_out(request: Request, joined: Joined, classes: ClassesDep) -> Response:
    """Free this device for another pupil; one comes back with the key."""
    classes.sign_out(joined[1])
    return web.redirect(request, "/classes")


@router.post("/classes/{class_id}/leave")
def leave_class(request: Request, joined: Joined, classes: ClassesDep) -> Response:
    """Delete what the class keeps of this pupil."""
    classroom, pupil = joined
    classes.remove(classroom, pupil.id)
    return web.redirect(request, "/classes")


# The teacher


@router.get("/classes/{class_id}/teach")
def show_teaching(
    request: Request, classroom: Taught, classes: ClassesDep, store: web.StoreDep
) -> Response:
    """Show the teacher who is there and what they answer."""
    lesson = require(classes.fetch_lesson(classroom.id))
    return web.page(
        request,
        "class_teacher.html",
        live=f"{service.TEACHING}{classroom.id}",
        version=lesson.version,
        waiting=True,
        **view.describe_teaching(store, lesson),
    )


@router.get("/classes/{class_id}/wall")
def show_wall(request: Request, classroom: Taught) -> Response:
    """Show how to join in letters that can be read from the wall."""
    return web.page(
        request,
        "class_wall.html",
        classroom=classroom,
        address=f"{request.base_url}classes".partition("://")[2],
        code_text=view.write_code(classroom.code),
    )


@router.get("/classes/{class_id}/settings")
def show_settings(request: Request, classroom: Taught, classes: ClassesDep) -> Response:
    """Show the secret link, the day on which the class is deleted, and the files of it."""
    return web.page(
        request,
        "class_settings.html",
        back=f"/classes/{classroom.id}/settings",
        classroom=classroom,
        link=f"/classes/{classroom.id}/teach/{classes.secret_of(classroom)}",
        days_left=view.days_left(classroom),
        max_days=service.MAX_DAYS,
    )


@router.get("/classes/{class_id}/teach/{secret}")
def follow_link(request: Request, class_id: str, secret: str, classes: ClassesDep) -> Response:
    """Ask whether to open the class as its teacher: programs that look at links do not press."""
    visitor = web.visitor_of(request)
    classroom = classes.check_secret(class_id, secret, visitor)
    if classes.is_teacher(classroom, visitor):
        return see_other(f"/classes/{class_id}/teach")
    return web.page(request, "class_link.html", back="/classes", classroom=classroom, secret=secret)


@router.post("/classes/{class_id}/teach/{secret}", dependencies=web.NOT_BARRED)
def use_link(request: Request, class_id: str, secret: str, classes: ClassesDep) -> Response:
    """Make this browser a teacher of the class."""
    classes.add_teacher(class_id, secret, web.visitor_of(request))
    return web.redirect(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/link")
def replace_link(request: Request, classroom: Taught, classes: ClassesDep) -> Response:
    """Make a new secret link, and let nobody teach who used the old one."""
    teachers = (web.visitor_of(request).owner,)
    classes.change(
        classroom.id, lambda found: replace(found, link=found.link + 1, teachers=teachers)
    )
    return web.redirect(request, f"/classes/{classroom.id}/settings")


@router.post("/classes/{class_id}/close")
def close_class(
    request: Request, classroom: Taught, form: web.Form, classes: ClassesDep
) -> Response:
    """Close the class to newcomers, or let them in again."""
    closed = form.get("closed") == "yes"
    classes.change(classroom.id, lambda found: replace(found, closed=closed))
    return web.respond_to_form(request, f"/classes/{classroom.id}/teach")


@router.post("/classes/{class_id}/day")
def set_day(request: Request, classroom: Taught, form: web.Form, classes: ClassesDep) -> Response:
    """Choose when the class is deleted."""
    web.show_refusal_on(request, partial(show_settings, request, classroom, classes))
    ends = _read_day(form)
    classes.change(classroom.id, lambda found: replace(found, ends=ends))
    return web.redirect(request, f"/classes/{classroom.id}/settings")


@router.post("/classes/{class_id}/delete")
def delete_class(
    request: Request, classroom: Taught, form: web.Form, classes: ClassesDep
) -> Response:
    """Delete everything of the class."""
    web.show_refusal_on(request, partial(show_settings, request, classroom, classes))
    if form.get("sure") != "yes":
        raise BadText(service.UNTICKED)
    classes.delete(classroom.id)
    return web.redirect(request, "/classes")


@router.get("/classes/{class_id}/pupils/{pupil_id}")
def show_pupil(request: Request, classroom: Taught, pupil_id: str, classes: ClassesDep) -> Response:
    """Show the teacher a pupil: the name, the key, and what to do about them."""
    back = f"/classes/{classroom.id}/pupils/{pupil_id}"
    pupil = classes.read_pupil(classroom, pupil_id)
    return web.page(request, "class_one_pupil.html", back=back, classroom=classroom, pupil=pupil)


@router.post("/classes/{class_id}/pupils/{pupil_id}/rename")
def rename_pupil(
    request: Request, classroom: Taught, pupil_id: str, form: web.Form, classes: ClassesDep
) -> Response:
    """Give a pupil another name."""
    web.show_refusal_on(request, partial(show_pupil, request, classroom, pupil_id, classes))
    classes.rename(classroom, pupil_id, form.get("name", ""))
    return web.redirect(request, f"/classes/{classroom.id}/teach")


@router.post("/classes/{class_id}/pupils/{pupil_id}/remove")
def remove_pupil(
    request: Request, classroom: Taught, pupil_id: str, classes: ClassesDep
) -> Response:
    """Remove a pupil, and delete what is kept of them."""
    classes.remove(classroom, pupil_id)
    return web.redirect(request, f"/classes/{classroom.id}/teach")
