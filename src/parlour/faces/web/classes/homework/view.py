"""What the pages of a class show of its homework."""

from __future__ import annotations

from typing import Any

from parlour.store import Classroom, Pupil, Store


def list_for_teacher(store: Store, classroom: Classroom) -> list[dict[str, Any]]:
    """List the homework of a class, for the page of the teacher."""
    return []


def list_for_pupil(store: Store, classroom: Classroom, pupil: Pupil) -> list[dict[str, Any]]:
    """List the homework of a class, for the page of one pupil."""
    return []
