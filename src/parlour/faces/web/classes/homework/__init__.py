"""Homework of a class: what is listed on the pages of the teacher and of each pupil."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.classes.homework.view import list_for_pupil, list_for_teacher
else:
    __getattr__ = export(__name__)
