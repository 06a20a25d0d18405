"""Thirty pupils answer at once; the teacher's page counts them all, and nothing is left after."""

from __future__ import annotations

import contextlib
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faces.web.classes.lessons import ask, join, open_class, pupil_named
from tests.faces.web.house import opened_in, wait_until
from tests.store.test_classes import bytes_with, rows_with

pytestmark = [pytest.mark.server, pytest.mark.slow]

NAMES = [f"Quokka{number}" for number in range(30)]


def test_thirty_pupils_answer_and_the_teacher_sees_every_one(tmp_path):
    url = f"sqlite:///{tmp_path}/parlour.sqlite"
    with opened_in(tmp_path) as house:
        teacher = house.browser()
        class_id = open_class(teacher)
        pupils = {name: join(house, class_id, name)[0] for name in NAMES}
        ask(teacher, class_id, piles="3,4,5")
        with contextlib.ExitStack() as open_pages:
            for name, guest in pupils.items():
                topic = f"pupil:{pupil_named(house, class_id, name).id}"
                line = open_pages.enter_context(guest.live(topic))
                json.loads(line.recv(timeout=30))
            board = open_pages.enter_context(teacher.live(f"teaching:{class_id}"))
            with ThreadPoolExecutor(8) as threads:
                form = {"move": "2 from 1", "at": 1}
                sent = threads.map(
                    lambda guest: guest.send(f"/classes/{class_id}/answer", form).status,
                    pupils.values(),
                )
                assert set(sent) == {200}

            def count():
                page = json.loads(board.recv(timeout=30))["html"]
                return re.search(r'<progress id="answered" value="30"', page) and page

            page = wait_until(count)
            assert all(name in page for name in NAMES)
            assert page.count('presence here"') == len(NAMES)
            assert rows_with(url, "Quokka") >= {"pupils"}
            gone = teacher.post(f"/classes/{class_id}/delete", {"sure": "yes"})
            assert gone.status == 303, gone.said
        assert rows_with(url, "Quokka") == set()
        assert bytes_with(url, "Quokka") == set()
        wait_until(lambda: not house.state.attendance._changed)  # the goings of closed pages
        wait_until(lambda: not house.state.attendance._here)
        for guest in pupils.values():
            assert guest.get(f"/classes/{class_id}").status == 303
