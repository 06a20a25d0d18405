"""Positions on everybody's screen: who sees what when, and that the truth is true."""

import contextlib
import csv
import html
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import xor

import pytest
from websockets.exceptions import ConnectionClosed

import parlour
from parlour.core import Work
from parlour.faces.web.classes import service
from parlour.faces.web.classes.tasks import tell_truth
from parlour.truth import impartial
from tests.faces.web.classes.lessons import ask, join, open_class, pupil_named
from tests.faces.web.house import wait_until

PILES = {"piles": "3,4,5"}  # with nim-sum 2: taking 2 from the first pile leaves 1, 4, 5, sum 0


def start_lesson(house, *names, **query):
    teacher = house.browser()
    class_id = open_class(teacher)
    pupils = [join(house, class_id, name)[0] for name in names]
    ask(teacher, class_id, **(query or PILES))
    return teacher, class_id, pupils


def answer(guest, class_id, move, at=1):
    return guest.post(f"/classes/{class_id}/answer", {"move": move, "at": at})


def test_the_truth_for_a_class_is_solved_once(monkeypatch):
    solved = []
    solve = impartial.build_table
    monkeypatch.setattr(impartial, "build_table", lambda *given: solved.append(1) or solve(*given))
    question = {"game": "nim", "options": {"piles": [2, 5, 6]}, "position": "2,5,6:1"}
    answers = ["1 from 2", "1 from 1", "2 from 2"]  # 2, 4 and 6 have nim-sum 0
    found = tell_truth({**question, "answers": answers}, Work())
    assert [each["verdict"] for each in found["answers"].values()] == ["right", "wrong", "wrong"]
    assert len(solved) == 1


def test_the_truth_of_a_nim_position_is_that_of_the_nim_sum(house):
    names = ("=1+1", "Max", "Zoe")
    teacher, class_id, pupils = start_lesson(house, *names)
    moves = ("2 from 1", "1 from 3", "3 from 1")
    for guest, move in zip(pupils, moves, strict=True):
        assert answer(guest, class_id, move).status == 303
    sent = teacher.post(f"/classes/{class_id}/truth", {"number": 1})
    assert sent.status == 303, sent.said
    (question,) = json.loads(teacher.get(f"/classes/{class_id}/export.json").body)["questions"]
    game = parlour.game("nim", piles=(3, 4, 5))

    def keeps_the_win(move):
        return reduce(xor, game.play(game.start(), game.read_move(game.start(), move))[2:]) == 0

    assert {each["pupil"]: each["verdict"] for each in question["answers"]} == {
        name: "right" if keeps_the_win(move) else "wrong"
        for name, move in zip(names, moves, strict=True)
    }
    assert question["right"] == [
        text for text in map(game.write_move, game.moves(game.start())) if keeps_the_win(text)
    ]
    text = teacher.get(f"/classes/{class_id}/export.csv").text
    rows = {row["pupil"]: row["answer"] for row in csv.DictReader(io.StringIO(text))}
    assert rows == dict(zip(("'=1+1", "Max", "Zoe"), moves, strict=True)), "a name is no formula"
    right, wrong, _ = (html.unescape(each.get(f"/classes/{class_id}").text) for each in pupils)
    assert 'class="verdict good"' in right.partition('id="step"')[2].partition("</p>")[0]
    assert 'class="verdict mistake"' in wrong.partition('id="step"')[2].partition("</p>")[0]
    assert 'id="refuted"' in wrong
    assert 'id="refuted"' not in right
    assert "nim-sum" in right.casefold(), "the proof's own reason"


def test_a_pupil_sees_no_answer_of_others_before_the_teacher_shows_them(house):
    teacher, class_id, (ida, max_) = start_lesson(house, "Ida", "Max")
    with ida.live(f"pupil:{pupil_named(house, class_id, 'Ida').id}") as line:
        first = json.loads(line.recv(timeout=30))["html"]
        assert answer(max_, class_id, "1 from 3").status == 303
        assert answer(ida, class_id, "2 from 1").status == 303
        own = json.loads(line.recv(timeout=30))["html"]
        page = ida.get(f"/classes/{class_id}").text
        for shown in (first, own, page):
            assert 'id="spread"' not in shown
            assert "Max" not in shown
            assert shown.count("1 from 3") == first.count("1 from 3"), (
                "as on a board without answers"
            )
        assert teacher.post(f"/classes/{class_id}/spread", {"number": 1}).status == 303
        after = json.loads(line.recv(timeout=30))["html"]
    spread = after.partition('id="spread"')[2]
    assert spread.count("<progress") == 2
    assert "Max" not in after, "numbers, not names"
    assert 'class="verdict' not in after, "not yet the truth"
    assert answer(max_, class_id, "2 from 1").status == 409, "too late"


def test_an_answer_can_be_changed_and_one_to_another_position_is_refused(house):
    teacher, class_id, (ida,) = start_lesson(house, "Ida")
    assert answer(ida, class_id, "1 from 3").status == 303
    assert answer(ida, class_id, "2 from 1").status == 303
    refused = answer(ida, class_id, "9 from 1")
    assert refused.status == 422
    assert "<h1" in refused.text
    ask(teacher, class_id, "sticks")
    assert answer(ida, class_id, "1", at=1).status == 409
    assert answer(ida, class_id, "1", at=2).status == 303
    export = json.loads(teacher.get(f"/classes/{class_id}/export.json").body)
    assert [[a["move"] for a in each["answers"]] for each in export["questions"]] == [
        ["2 from 1"],
        ["1"],
    ]


def test_a_page_of_a_class_is_sent_only_to_its_teacher_or_its_pupil(house):
    teacher, class_id, (ida, max_) = start_lesson(house, "Ida", "Max")
    pupil = pupil_named(house, class_id, "Ida")
    other = house.browser()
    own = open_class(other, "8c")
    join(house, own, "Ida")
    strangers = {
        f"pupil:{pupil.id}": (max_, other, teacher, house.nobody()),
        f"teaching:{class_id}": (ida, max_, other, house.nobody()),
    }
    with contextlib.ExitStack() as lines:
        board = lines.enter_context(teacher.live(f"teaching:{class_id}"))
        opened = [
            lines.enter_context(guest.live(topic))
            for topic, guests in strangers.items()
            for guest in guests
        ]
        answer(ida, class_id, "2 from 1")
        wait_until(lambda: 'id="answered" value="1"' in json.loads(board.recv(30))["html"])
        for line in opened:
            assert not re.search(f"Ida|7b|{pupil.key}", "".join(drain(line)))
    for guest in (other, house.nobody()):
        assert guest.get(f"/classes/{class_id}").status == 303
        assert answer(guest, class_id, "2 from 1").status == 403
        for kind in ("csv", "json"):
            assert guest.get(f"/classes/{class_id}/export.{kind}").status == 403
    for guest in (ida, other, house.nobody()):
        for path in ("spread", "truth", "clear", "position/nim/ask", "position/nim/draw"):
            assert guest.post(f"/classes/{class_id}/{path}").status == 403, path


def drain(line):
    """All that has arrived at a page."""
    found = []
    try:
        while True:
            found.append(json.loads(line.recv(timeout=0.05))["html"])
    except (TimeoutError, ConnectionClosed):
        return found


def test_the_page_of_a_removed_pupil_says_so_and_stops(house):
    teacher, class_id, (ida,) = start_lesson(house, "Ida")
    pupil = pupil_named(house, class_id, "Ida")
    with ida.live(f"pupil:{pupil.id}") as line:
        assert "Ida" in json.loads(line.recv(timeout=30))["html"]
        assert teacher.post(f"/classes/{class_id}/pupils/{pupil.id}/remove").status == 303
        assert "no longer in this class" in json.loads(line.recv(timeout=30))["html"]
        ask(teacher, class_id)
        assert drain(line) == []
    assert answer(ida, class_id, "1 from 1", at=2).status == 403
    with ida.live(f"pupil:{pupil.id}") as line, pytest.raises(ConnectionClosed):
        line.recv(timeout=30)


def test_the_teacher_sees_who_comes_and_goes(house, monkeypatch):
    monkeypatch.setattr(service, "GRACE", 0.1)
    teacher, class_id, (ida,) = start_lesson(house, "Ida")
    pupil = pupil_named(house, class_id, "Ida")

    def is_here():
        page = teacher.get(f"/classes/{class_id}/teach").text
        return 'presence here"' in page.partition(f'id="pupil-{pupil.id}"')[2].partition("</li>")[0]

    assert not is_here()
    with ida.live(f"pupil:{pupil.id}"):
        wait_until(is_here)
    wait_until(lambda: not is_here())
    ida.get(f"/classes/{class_id}")
    wait_until(is_here)


@pytest.mark.parametrize(("game", "exact"), [("chopsticks", True), ("othello", False)])
def test_the_truth_of_a_position_is_proven_or_called_an_estimate(house, game, exact):
    teacher, class_id, (ida,) = start_lesson(house, "Ida", game=game)
    found = parlour.game(game)
    move = found.write_move(found.moves(found.start())[0])
    assert answer(ida, class_id, move).status == 303
    sent = teacher.post(f"/classes/{class_id}/truth", {"number": 1})
    assert sent.status == 303, sent.said
    (question,) = house.store.questions.find(class_id=class_id)
    assert question.truth["proven"] is exact
    page = ida.get(f"/classes/{class_id}")
    assert (page.status, 'id="truth"' in page.text) == (200, True)
    assert teacher.get(f"/classes/{class_id}/teach").status == 200


def test_a_position_is_typed_drawn_or_reached_on_the_board(house):
    teacher = house.browser()
    class_id = open_class(teacher)
    at = f"/classes/{class_id}/position"
    assert teacher.get(at).status == 200
    sent = teacher.post(f"{at}/nim/move?piles=3,4,5", {"amount": 2, "pile": 1})
    assert sent.status == 303
    reached = teacher.get(sent.headers["location"])
    assert reached.status == 200
    drawn = teacher.post(f"{at}/tictactoe/draw", {"level": ""})
    assert drawn.status == 303, drawn.said
    assert teacher.get(drawn.headers["location"]).status == 200
    assert teacher.get(f"{at}/nim?piles=3,4,5&position=nonsense").status == 422
    assert teacher.get(f"{at}/nim?piles=nonsense").status == 422
    assert teacher.get(f"{at}/croquet").status == 404


def test_every_answer_of_pupils_who_answer_at_once_is_on_the_teachers_page(house):
    names = [f"Quokka{number}" for number in range(8)]
    teacher, class_id, guests = start_lesson(house, *names)
    with teacher.live(f"teaching:{class_id}") as board, ThreadPoolExecutor(8) as threads:
        statuses = threads.map(lambda guest: answer(guest, class_id, "2 from 1").status, guests)
        assert set(statuses) == {303}
        wait_until(lambda: 'id="answered" value="8"' in json.loads(board.recv(30))["html"])
    page = teacher.get(f"/classes/{class_id}/teach").text
    assert all(name in page for name in names)
    assert teacher.post(f"/classes/{class_id}/delete", {"sure": "yes"}).status == 303
    for guest in guests:
        assert guest.get(f"/classes/{class_id}").status == 303
