"""Results follow from what pupils did, and nothing else: computed here a second time."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.faces.web.classes.homework.results import (
    BEAT,
    BOT,
    HATS,
    PUZZLES,
    compute_result,
    write_csv,
)
from parlour.store import Homework, PupilWork

DUE = 1_000.0


def set_homework(kind: str, points: float = 10.0, due: float = 0.0, **settings: Any) -> Homework:
    return Homework(
        id="h", class_id="c", kind=kind, name=kind, game="sticks", settings=settings,
        points=points, due=due,
    )  # fmt: skip


def work(**done: Any) -> PupilWork:
    return PupilWork(id="h-p", homework="h", pupil="p", done=done)


answers = st.dictionaries(
    st.integers(0, 9), st.tuples(st.booleans(), st.floats(0, 2 * DUE)), max_size=10
)


@given(st.integers(1, 10), st.integers(1, 100), answers, st.booleans())
def test_puzzles_count_by_their_first_answers_until_they_are_due(number, points, given_, has_end):
    homework = set_homework(
        PUZZLES, float(points), DUE if has_end else 0.0, puzzles=[str(n) for n in range(number)]
    )
    done = {
        str(at): {"move": "1", "right": right, "at": when} for at, (right, when) in given_.items()
    }
    result = compute_result(homework, work(answers=done))
    solved = [
        at
        for at in range(number)
        if at in given_ and given_[at][0] and not (has_end and given_[at][1] > DUE)
    ]
    assert abs(Fraction(len(solved) * points, number) - Fraction(result.score)) <= Fraction(1, 199)
    assert [at for at, mark in enumerate(result.marks) if mark.share] == solved
    assert result.is_done == (len(solved) == number)


def test_games_against_a_bot_count_by_wins_and_no_more_than_were_asked_for():
    homework = set_homework(BEAT, 12.0, DUE, bot="perfect level=3", wins=3)
    games = [(1, 10), (0.5, 20), (1, 30), (0, 40), (1, DUE + 1)]
    done = [{"table": str(n), "points": won, "at": at} for n, (won, at) in enumerate(games)]
    assert compute_result(homework, work(games=done)).score == 8  # two of three, the last too late
    done += [{"table": f"again {n}", "points": 1, "at": 50} for n in range(5)]
    result = compute_result(homework, work(games=done))
    assert result.score == 12
    assert result.is_done


def test_the_best_hats_count_and_reaching_the_mark_is_enough():
    homework = set_homework(HATS, 10.0, DUE, mark=80)
    tries = [
        {"right": 4, "of": 10, "games": 10, "at": 1},
        {"right": 6, "of": 10, "games": 100, "at": 2},
        {"right": 5, "of": 10, "games": 200, "at": 3},
        {"right": 10, "of": 10, "games": 9000, "at": DUE + 1},
    ]
    result = compute_result(homework, work(hats=tries))
    assert result.score == 7.5  # 60 of 80 percent
    assert "6 of 10" in result.marks[0].words
    enough = {"right": 9, "of": 10, "games": 300, "at": 4}
    assert compute_result(homework, work(hats=[*tries, enough])).score == 10


def test_the_best_bot_is_worth_a_share_for_each_thing_it_was_asked_for():
    homework = set_homework(BOT, 9.0, opponents=["random", "perfect"], games=10, mark=50)
    results = []
    for flaw, scores, points in (
        ("", {"random": (9.0, 10), "perfect": (5.0, 10)}, 9),
        ("", {"random": (9.0, 10), "perfect": (4.5, 10)}, 6),
        ("", {"random": (4.5, 10), "perfect": (0.0, 10)}, 3),
        ("it crashed", {}, 0),
        ("ran out of time", {"random": (10.0, 10), "perfect": (1.0, 10)}, 3),
    ):
        results.append({"flaw": flaw, "scores": scores, "at": 5.0})
        assert compute_result(homework, work(bots=results[-1:])).score == points
    assert compute_result(homework, work(bots=results)).is_done


@pytest.mark.parametrize(
    "homework",
    [
        set_homework(PUZZLES, puzzles=["a", "b"]),
        set_homework(BEAT, bot="random", wins=1),
        set_homework(HATS, mark=90),
        set_homework(BOT, opponents=["random"], games=10, mark=50),
    ],
    ids=lambda homework: homework.kind,
)
def test_who_has_not_begun_has_no_points(homework):
    result = compute_result(homework, None)
    assert (result.score, result.is_begun, result.is_done) == (0, False, False)
    assert result.marks


def test_the_table_has_a_line_for_each_pupil_and_no_formula():
    homework = [set_homework(PUZZLES, 4.0, puzzles=["a", "b"]), set_homework(HATS, mark=50)]
    one = work(answers={"a": {"move": "1", "right": True, "at": 1.0}})
    two = work(hats=[{"right": 1, "of": 1, "games": 1, "at": 1.0}])
    rows = [
        ("=1+1", [compute_result(homework[0], one), compute_result(homework[1], None)]),
        ('Zoë "Z", Ann', [compute_result(homework[0], None), compute_result(homework[1], two)]),
    ]
    read = list(csv.reader(io.StringIO(write_csv(homework, rows))))
    assert read == [
        ["Pupil", "puzzles", "hats", "Total"],
        ["Maximum", "4", "10", "14"],
        ["'=1+1", "2", "0", "2"],
        ['Zoë "Z", Ann', "0", "10", "10"],
    ]
