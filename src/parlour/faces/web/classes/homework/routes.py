"""The homework section: its pages, what they need of the app, and which of them are live.

The pages are in `class_results`, `form`, `page`, `work` and `tournaments`. Everything is a form
that works without scripts.
"""

from __future__ import annotations

from parlour.faces.web.classes.homework import (
    class_results,
    form,
    page,
    tournaments,
    work,
)
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds, StoredRounds
from parlour.faces.web.classes.homework.service import (
    HANDED_IN,
    RESULTS,
    WORK,
    HomeworkService,
    ResultsPage,
    WorkPage,
)
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
    own = TEMPLATES.get_template("homework_pupil_main.html")
    everybody = TEMPLATES.get_template("homework_teacher_main.html")
    tournament = TEMPLATES.get_template("class_rounds_main.html")

    def is_own(found: WorkPage, visitor: Visitor) -> bool:
        return visitor.owns(found.pupil.owner)

    def render_work(found: WorkPage, visitor: Visitor, _: str) -> str:
        return own.render(**describe_work(homework, found)) if is_own(found, visitor) else ""

    def teaches(found: ResultsPage, visitor: Visitor) -> bool:
        return classes.role_of(found.homework.class_id, visitor) == TEACHER

    def render_results(found: ResultsPage, visitor: Visitor, _: str) -> str:
        if not teaches(found, visitor):
            return ""
        return everybody.render(**describe_results(homework, found))

    def role(found: StoredRounds, visitor: Visitor) -> str:
        return classes.role_of(found.class_id, visitor)

    def render_rounds(found: StoredRounds, visitor: Visitor, _: str) -> str:
        if not role(found, visitor):
            return ""
        return tournament.render(**describe_rounds(classes, found, visitor))

    topics[WORK] = Topic(homework.load_work, is_own, render_work)
    topics[RESULTS] = Topic(homework.load_results, teaches, render_results, pause=0.2)
    topics[ROUNDS] = Topic(rounds.load, role, render_rounds)


SECTION = Section(
    (
        class_results.router,
        form.router,
        page.router,
        work.router,
        tournaments.router,
    ),
    start=start_section,
)
