"""Who is in a class: opened by a teacher, joined with a code, and nobody else's business."""

from __future__ import annotations

import html
import re

import pytest

from parlour.faces.web.classes import service
from tests.faces.web.classes.lessons import code_of, join, open_class, pupil_named

pytestmark = pytest.mark.server


def test_a_pupil_joins_with_the_code_and_a_name(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    page = teacher.get(f"/classes/{class_id}/teach").text
    code = re.search(r'id="code"[^>]*>([\w-]+)<', page)
    assert code
    pupil = house.browser()
    asked = pupil.get(f"/classes/join?code={code[1].upper()}")
    assert asked.status == 200
    assert "7b" in asked.text
    sent = pupil.post("/classes/join", {"code": code[1], "name": " Ida "})
    assert (sent.status, sent.headers["location"]) == (303, f"/classes/{class_id}")
    assert "Ida" in pupil.get(f"/classes/{class_id}").text
    assert "Ida" in teacher.get(f"/classes/{class_id}/teach").text
    assert "7b" in pupil.get("/classes").text


@pytest.mark.parametrize("taken", ["Ida", "iDA", " ida", "Ｉｄａ"])
def test_nobody_takes_another_name(house, taken):
    class_id = open_class(house.browser())
    ida, _ = join(house, class_id, "Ida")
    thief, sent = join(house, class_id, taken)
    assert sent.status == 409
    assert "already called Ida" in sent.said
    assert thief.get(f"/classes/{class_id}").status == 303, "they are not in the class"
    _, sent = join(house, class_id, taken, thief, key="22222")
    assert sent.status == 409
    key = pupil_named(house, class_id, "Ida").key
    assert key not in html.unescape(
        thief.get(f"/classes/join?code={code_of(house, class_id)}").text
    )
    phone, sent = join(house, class_id, "Ida", key=key)
    assert sent.status == 303, "with the key she comes back"
    assert phone.get(f"/classes/{class_id}").status == 200
    assert ida.get(f"/classes/{class_id}").status == 303, "on one device at a time"


def test_another_class_may_have_the_same_name(house):
    for _ in range(2):
        assert join(house, open_class(house.browser()), "Ida")[1].status == 303


TEACHERS_PAGES = ("teach", "settings", "pupils/PUPIL")
TEACHERS_FORMS = (
    ("close", {"closed": "yes"}),
    ("day", {"days": 3}),
    ("delete", {"sure": "yes"}),
    ("link", {}),
    ("pupils/PUPIL/rename", {"name": "Max"}),
    ("pupils/PUPIL/remove", {}),
)


def test_a_pupil_and_a_stranger_can_do_nothing_of_the_teacher(house):
    class_id = open_class(house.browser())
    ida, _ = join(house, class_id, "Ida")
    pupil = pupil_named(house, class_id, "Ida")
    others = house.browser()
    open_class(others)
    before = house.store.classes.get(class_id)
    for guest in (ida, others, house.nobody()):
        for each in TEACHERS_PAGES:
            refused = guest.get(f"/classes/{class_id}/{each.replace('PUPIL', pupil.id)}")
            assert refused.status == 403
            assert before.code not in refused.text
        for each, form in TEACHERS_FORMS:
            path = f"/classes/{class_id}/{each.replace('PUPIL', pupil.id)}"
            assert guest.post(path, form).status == 403, each
    assert house.store.classes.get(class_id) == before
    assert pupil_named(house, class_id, "Ida") == pupil


def test_a_teacher_of_one_class_cannot_touch_the_pupils_of_another(house):
    class_id = open_class(house.browser())
    join(house, class_id, "Ida")
    pupil = pupil_named(house, class_id, "Ida")
    other = house.browser()
    own = open_class(other)
    for each in ("rename", "remove"):
        sent = other.post(f"/classes/{own}/pupils/{pupil.id}/{each}", {"name": "Max"})
        assert sent.status == 404
    assert pupil_named(house, class_id, "Ida") == pupil


def test_the_secret_link_makes_a_teacher_and_a_new_one_ends_it(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    link = re.search(
        r'id="secret-link"[^>]* href="([^"]+)"|href="([^"]+)" id="secret-link"',
        teacher.get(f"/classes/{class_id}/settings").text,
    )
    assert link
    path = link[1] or link[2]
    colleague = house.browser()
    assert colleague.get(path).status == 200
    assert colleague.get(f"/classes/{class_id}/teach").status == 403, "looking is not enough"
    assert colleague.post(path).status == 303
    assert colleague.get(f"/classes/{class_id}/teach").status == 200
    wrong = path[:-1] + ("0" if path[-1] != "0" else "1")
    assert house.browser().post(wrong).status == 404
    assert teacher.post(f"/classes/{class_id}/link").status == 303
    assert colleague.get(f"/classes/{class_id}/teach").status == 403
    assert house.browser().post(path).status == 404
    assert teacher.get(f"/classes/{class_id}/teach").status == 200


def test_who_is_removed_or_renamed(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    ida, _ = join(house, class_id, "Ida")
    max_, _ = join(house, class_id, "Max")
    pupil = pupil_named(house, class_id, "Ida")
    at = f"/classes/{class_id}/pupils/{pupil.id}"
    assert teacher.post(f"{at}/rename", {"name": "mAX"}).status == 409
    assert teacher.post(f"{at}/rename", {"name": "Ida K"}).status == 303
    assert "Ida K" in ida.get(f"/classes/{class_id}").text
    assert teacher.post(f"{at}/remove").status == 303
    assert ida.get(f"/classes/{class_id}").status == 303
    assert ida.post(f"/classes/{class_id}/leave").status == 403
    assert max_.get(f"/classes/{class_id}").status == 200


def test_a_closed_class_lets_nobody_in_but_who_was_there(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    ida, _ = join(house, class_id, "Ida")
    assert teacher.post(f"/classes/{class_id}/close", {"closed": "yes"}).status == 303
    assert join(house, class_id, "Max")[1].status == 403
    assert ida.get(f"/classes/{class_id}").status == 200
    key = pupil_named(house, class_id, "Ida").key
    assert join(house, class_id, "Ida", key=key)[1].status == 303
    teacher.post(f"/classes/{class_id}/close", {"closed": "no"})
    assert join(house, class_id, "Max")[1].status == 303


def test_one_device_is_one_pupil_until_they_sign_out(house):
    class_id = open_class(house.browser())
    tablet, _ = join(house, class_id, "Ida")
    assert join(house, class_id, "Max", tablet)[1].status == 409
    assert tablet.post(f"/classes/{class_id}/sign-out").status == 303
    assert join(house, class_id, "Max", tablet)[1].status == 303
    assert {each.name for each in house.store.pupils.find(class_id=class_id)} == {"Ida", "Max"}


def test_nothing_of_a_class_works_after_its_day(house, monkeypatch):
    teacher = house.browser()
    class_id = open_class(teacher)
    ida, _ = join(house, class_id, "Ida")
    ends = house.store.classes.get(class_id).ends
    monkeypatch.setattr(service, "today", lambda days=0: ends)
    assert teacher.get(f"/classes/{class_id}/teach").status == 403
    assert ida.get(f"/classes/{class_id}").status == 404
    assert join(house, class_id, "Max")[1].status == 404
