"""Homework of a class: what is set, what each pupil has done, and the class's tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.classes.homework.routes import SECTION
    from parlour.faces.web.classes.homework.service import HomeworkDep, HomeworkService
    from parlour.faces.web.classes.homework.tasks import sandboxed_player
    from parlour.faces.web.classes.homework.view import list_for_pupil, list_for_teacher
else:
    __getattr__ = export(__name__)
