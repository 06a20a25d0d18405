"""The homework section: its pages, what they need of the app, and which of them are live.

The pages are in `form`, `page`, `work` and `tournaments`. Everything is a form that works without
scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.faces.web.classes.homework import form, page, tournaments, work
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds
from parlour.faces.web.classes.homework.service import HANDED_IN, RESULTS, WORK, HomeworkService
from parlour.faces.web.classes.homework.view import describe_results, describe_rounds, describe_work
from parlour.faces.web.classes.service import TEACHER, ClassService
from parlour.faces.web.clients import Visitor
from parlour.faces.web.live import Topic
from parlour.faces.web.requests import TEMPLATES, Section
from parlour.faces.web.services import Services
from parlour.faces.web.table import Sources


def start_section(services: Services) -> None:
    """Make the homework and the tournaments of classes, and keep open pages up to date."""
    homework = services.add(HomeworkService(services))
    services.add(form.FormReader(services))
    rounds = services.add(Rounds(services))
    services.get(Sources)[HANDED_IN] = homework
    classes, topics = services.get(ClassService), services.hub.topics
    topics[WORK] = _topic(
        "homework_pupil_main.html",
        homework.load_work,
        role=lambda found, visitor: visitor.owns(found.pupil.owner),
        show=lambda found, _: describe_work(homework, found),
    )
    topics[RESULTS] = _topic(
        "homework_teacher_main.html",
        homework.load_results,
        role=lambda found, visitor: classes.role_of(found.homework.class_id, visitor) == TEACHER,
        show=lambda found, _: describe_results(homework, found),
        pause=0.2,
    )
    topics[ROUNDS] = _topic(
        "class_rounds_main.html",
        rounds.load,
        role=lambda found, visitor: classes.role_of(found.class_id, visitor),
        show=lambda found, visitor: describe_rounds(classes, found, visitor),
    )


def _topic(
    template: str,
    fetch: Callable[[str], Any],
    role: Callable[[Any, Visitor], str | bool],
    show: Callable[[Any, Visitor], dict[str, Any]],
    pause: float = 0.0,
) -> Topic:
    """Return a topic whose pages are empty for those who have no role there."""
    main = TEMPLATES.get_template(template)

    def render(found: Any, visitor: Visitor, _: str) -> str:
        return main.render(**show(found, visitor)) if role(found, visitor) else ""

    return Topic(fetch, role, render, pause=pause)


SECTION = Section((form.router, page.router, work.router, tournaments.router), start=start_section)
