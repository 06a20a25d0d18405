"""The pages of homework in a browser: a teacher and a pupil on phones, looked at with axe-core."""

from __future__ import annotations

import re

import pytest

from tests.faces.web.axe import axe
from tests.faces.web.browser import DESKTOP, PHONE, arrange, press, see
from tests.faces.web.classes.test_joining import code_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_teacher_sets_homework_and_a_pupil_does_it_on_a_phone(house, browser):
    teacher, pupil = browser(PHONE), browser(PHONE)
    teacher.get(f"{house.url}/classes")
    see(teacher, "form[action='/classes'] [name=name]").send_keys("7b")
    press(teacher, "#open")
    see(teacher, "#code")
    found = re.search(r"/classes/(\w+)/teach", teacher.current_url)
    assert found
    at = f"{house.url}/classes/{found[1]}"
    pupil.get(f"{house.url}/classes/join?code={code_of(house, found[1])}")
    see(pupil, "[name=name]").send_keys("Ida")
    press(pupil, "button", "Join")
    see(pupil, "h1", "7b")
    press(teacher, "#set-homework")
    for kind in ("beat", "hats", "bot"):
        press(teacher, f"#kind-{kind}")
        see(teacher, f"#kind-{kind}[aria-current]")
        assert axe(teacher) == []
    press(teacher, "#kind-puzzles")
    see(teacher, "#kind-puzzles[aria-current]")
    assert axe(teacher) == []
    press(teacher, "#set")
    see(teacher, "#asks")
    task = teacher.current_url
    press(pupil, "a", "5 puzzles")
    press(pupil, "#go-on")
    press(pupil, ".tabletop button", "Take 1")
    see(pupil, "#next")
    press(pupil, "aside a", "5 puzzles")
    see(pupil, "#score")
    assert axe(pupil) == []
    see(teacher, "td", ": 1")  # right or wrong, it arrives by itself
    assert axe(teacher) == []
    for size in (PHONE, DESKTOP):
        arrange(teacher, size, scripts=True, dark=True, motion=False)
        for page in (f"{at}/results", f"{at}/tournament", task):
            teacher.get(page)
            see(teacher, "h1")
            wide = teacher.execute_script("return document.documentElement.scrollWidth")
            assert wide <= size[0], page
            assert axe(teacher) == []
