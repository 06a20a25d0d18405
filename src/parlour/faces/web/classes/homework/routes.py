"""The homework section: its pages, what they need of the app, and which of them are live.

The pages are in `form`, `page`, `work` and `tournaments`. Everything is a form that works without
scripts.
"""

from __future__ import annotations

from parlour.faces.web.classes.homework import form, page, tournaments, work
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds
from parlour.faces.web.classes.homework.service import HANDED_IN, RESULTS, WORK, HomeworkService
from parlour.faces.web.classes.homework.view import describe_results, describe_rounds, describe_work
from parlour.faces.web.classes.service import TEACHER, ClassService, live_page
from parlour.faces.web.requests import Section
from parlour.faces.web.services import Services
from parlour.faces.web.table import Sources


def start_section(services: Services) -> None:
    """Make the homework and the tournaments of classes, and keep open pages up to date."""
    homework = services.add(HomeworkService(services))
    rounds = services.add(Rounds(services))
    services.get(Sources)[HANDED_IN] = homework
    classes, topics = services.get(ClassService), services.hub.topics
    topics[WORK] = live_page(
        "homework_pupil_main.html",
        homework.load_work,
        lambda found, visitor: visitor.owns(found.pupils[0].owner),
        lambda found, _: describe_work(homework, found),
    )
    topics[RESULTS] = live_page(
        "homework_teacher_main.html",
        homework.load_results,
        lambda found, visitor: classes.role_of(found.homework.class_id, visitor) == TEACHER,
        lambda found, _: describe_results(homework, found),
        pause=0.2,
    )
    topics[ROUNDS] = live_page(
        "class_rounds_main.html",
        rounds.load,
        lambda found, visitor: classes.role_of(found.class_id, visitor),
        lambda found, visitor: describe_rounds(classes, found, visitor),
    )


SECTION = Section((form.router, page.router, work.router, tournaments.router), start=start_section)
