"""Who is in a class: opened by a teacher, joined with a code, and closed to all others."""

import html
import re

from parlour.faces.web.classes import service
from tests.faces.web.classes.lessons import code_of, join, open_class, pupil_named


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
    assert code[1] in teacher.get(f"/classes/{class_id}/wall").text
    assert "7b" in pupil.get("/classes").text


def test_no_pupil_takes_the_name_of_another(house):
    class_id = open_class(house.browser())
    ida, _ = join(house, class_id, "Ida")
    key = pupil_named(house, class_id, "Ida").key
    for taken in ("Ida", "iDA", " ida", "Ｉｄａ"):
        thief, sent = join(house, class_id, taken)
        assert sent.status == 409
        assert "already called Ida" in sent.said
        assert thief.get(f"/classes/{class_id}").status == 303, "they are not in the class"
        _, sent = join(house, class_id, taken, thief, key="22222")
        assert sent.status == 409
        page = thief.get(f"/classes/join?code={code_of(house, class_id)}").text
        assert key not in html.unescape(page)
    phone, sent = join(house, class_id, "Ida", key=key)
    assert sent.status == 303, "with the key she comes back"
    assert phone.get(f"/classes/{class_id}").status == 200
    assert ida.get(f"/classes/{class_id}").status == 303, "on one device at a time"
    assert join(house, open_class(house.browser()), "Ida")[1].status == 303, "in another class"


TEACHERS_PAGES = ("teach", "settings", "pupils/PUPIL")
TEACHERS_FORMS = (
    ("close", {"closed": "yes"}),
    ("day", {"days": 3}),
    ("delete", {"sure": "yes"}),
    ("link", {}),
    ("pupils/PUPIL/rename", {"name": "Max"}),
    ("pupils/PUPIL/remove", {}),
)


def test_only_the_teacher_of_a_class_manages_it(house):
    class_id = open_class(house.browser())
    ida, _ = join(house, class_id, "Ida")
    pupil = pupil_named(house, class_id, "Ida")
    other = house.browser()
    own = open_class(other)
    before = house.store.classes.get(class_id)
    for guest in (ida, other, house.nobody()):
        for page in TEACHERS_PAGES:
            refused = guest.get(f"/classes/{class_id}/{page.replace('PUPIL', pupil.id)}")
            assert refused.status == 403
            assert before.code not in refused.text
        for action, form in TEACHERS_FORMS:
            path = f"/classes/{class_id}/{action.replace('PUPIL', pupil.id)}"
            assert guest.post(path, form).status == 403, action
    for action in ("rename", "remove"):  # by way of a class of one's own
        sent = other.post(f"/classes/{own}/pupils/{pupil.id}/{action}", {"name": "Max"})
        assert sent.status == 404
    assert house.store.classes.get(class_id) == before
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


def test_a_pupil_is_renamed_signs_out_and_is_removed(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    ida, _ = join(house, class_id, "Ida")
    assert join(house, class_id, "Max", ida)[1].status == 409, "one device is one pupil"
    assert ida.post(f"/classes/{class_id}/sign-out").status == 303
    max_, sent = join(house, class_id, "Max", ida)
    assert sent.status == 303
    assert {each.name for each in house.store.pupils.find(class_id=class_id)} == {"Ida", "Max"}
    key = pupil_named(house, class_id, "Ida").key
    ida, _ = join(house, class_id, "Ida", key=key)
    at = f"/classes/{class_id}/pupils/{pupil_named(house, class_id, 'Ida').id}"
    assert teacher.post(f"{at}/rename", {"name": "mAX"}).status == 409
    assert teacher.post(f"{at}/rename", {"name": "Ida K"}).status == 303
    assert "Ida K" in ida.get(f"/classes/{class_id}").text
    assert teacher.post(f"{at}/remove").status == 303
    assert ida.get(f"/classes/{class_id}").status == 303
    assert ida.post(f"/classes/{class_id}/leave").status == 403
    assert max_.get(f"/classes/{class_id}").status == 200


def test_a_closed_class_admits_only_its_pupils_and_after_its_day_nothing_works(house, monkeypatch):
    teacher = house.browser()
    class_id = open_class(teacher)
    ida, _ = join(house, class_id, "Ida")
    assert teacher.post(f"/classes/{class_id}/close", {"closed": "yes"}).status == 303
    assert join(house, class_id, "Max")[1].status == 403
    assert ida.get(f"/classes/{class_id}").status == 200
    key = pupil_named(house, class_id, "Ida").key
    phone, sent = join(house, class_id, "Ida", key=key)
    assert sent.status == 303
    teacher.post(f"/classes/{class_id}/close", {"closed": "no"})
    assert join(house, class_id, "Max")[1].status == 303
    ends = house.store.classes.get(class_id).ends
    monkeypatch.setattr(service, "today", lambda days=0: ends)
    assert teacher.get(f"/classes/{class_id}/teach").status == 403
    assert phone.get(f"/classes/{class_id}").status == 404
    assert join(house, class_id, "Zoe")[1].status == 404
