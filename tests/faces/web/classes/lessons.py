"""Classes for tests: opened by a teacher, joined by pupils, asked a position."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from parlour.store import Pupil
from tests.faces.web.house import Answer, Guest, OpenHouse


def open_class(teacher: Guest, name: str = "7b") -> str:
    sent = teacher.post("/classes", {"name": name, "days": 7})
    assert sent.status == 303, sent.said
    found = re.fullmatch(r"/classes/(\w+)/teach", sent.headers["location"])
    assert found
    return found[1]


def code_of(house: OpenHouse, class_id: str) -> str:
    found = house.store.classes.get(class_id)
    assert found is not None
    return found.code


def join(
    house: OpenHouse, class_id: str, name: str, guest: Guest | None = None, key: str = ""
) -> tuple[Guest, Answer]:
    guest = guest or house.browser()
    form = {"code": code_of(house, class_id), "name": name, "key": key}
    return guest, guest.post("/classes/join", form)


def pupil_named(house: OpenHouse, class_id: str, name: str) -> Pupil:
    return next(each for each in house.store.pupils.find(class_id=class_id) if each.name == name)


def ask(teacher: Guest, class_id: str, game: str = "nim", **query: str) -> None:
    """Put a position on every screen."""
    sent = teacher.post(f"/classes/{class_id}/position/{game}/ask?{urlencode(query)}")
    assert (sent.status, sent.headers["location"]) == (303, f"/classes/{class_id}/teach"), sent.said
