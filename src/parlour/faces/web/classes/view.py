"""What the pages of a class show: to the teacher everything, to a pupil what is theirs."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import Any

from parlour.faces.web.classes.attendance import list_present
from parlour.faces.web.classes.homework import list_for_pupil, list_for_teacher
from parlour.faces.web.classes.service import CODE_LENGTH, ClassService, Lesson
from parlour.store import Classroom, Pupil, Store


def write_code(code: str) -> str:
    """Write a code so that it can be read out."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def days_left(classroom: Classroom) -> int:
    """Return how many days a class is still kept."""
    return (date.fromisoformat(classroom.ends) - datetime.now(UTC).date()).days


def describe_pupil(store: Store, lesson: Lesson, pupil: Pupil) -> dict[str, Any]:
    """Return what a pupil sees."""
    return {
        "classroom": lesson.classroom,
        "pupil": pupil,
        "homework": list_for_pupil(store, lesson.classroom, pupil),
    }


def describe_teaching(store: Store, classes: ClassService, lesson: Lesson) -> dict[str, Any]:
    """Return what the teacher sees."""
    present = list_present(lesson.sightings, time.time())
    return {
        "classroom": lesson.classroom,
        "code_text": write_code(lesson.classroom.code),
        "days_left": days_left(lesson.classroom),
        "pupils": [
            {"id": each.id, "name": each.name, "here": each.id in present} for each in lesson.pupils
        ],
        "present": len(present),
        "homework": list_for_teacher(store, lesson.classroom),
    }
