"""Gradescope's `results.json`, by a schema written from the specification of its autograders.

The specification: https://gradescope-autograders.readthedocs.io/en/latest/specs/. Either the whole
or every test has a score; visibility, status and formats are one of a few words. What we do not
write is left out.
"""

from __future__ import annotations

import io
import json
import zipfile

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.faces.web.classes.homework.results import Mark, Result, write_json, write_zip
from parlour.store import Homework

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "anyOf": [
        {"required": ["score"]},
        {"required": ["tests"], "properties": {"tests": {"items": {"required": ["score"]}}}},
    ],
    "properties": {
        "score": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "score": {"type": "number", "minimum": 0},
                    "max_score": {"type": "number", "minimum": 0},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "visibility": VISIBILITY,
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


def task(points: float) -> Homework:
    return Homework(id="h", class_id="c", kind="puzzles", name="Übung", game="nim", points=points)


shares = st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 1.0]), min_size=1, max_size=20)


@given(st.lists(st.tuples(st.integers(1, 1000), shares), max_size=5))
def test_a_file_follows_the_specification_and_its_tests_add_up(sets):
    homework = [task(float(points)) for points, _ in sets]
    results = [
        Result(float(points), tuple(Mark(f"m{at}", share) for at, share in enumerate(marks)), True)
        for points, marks in sets
    ]
    found = json.loads(write_json(homework, results))
    jsonschema.validate(found, SCHEMA)
    expected = sum(points * sum(marks) / len(marks) for points, marks in sets)
    assert found["score"] == pytest.approx(expected, abs=0.01 * max(1, len(sets)))
    tests = found["tests"]
    assert sum(each["score"] for each in tests) == pytest.approx(found["score"], abs=0.02)
    assert sum(each["max_score"] for each in tests) == pytest.approx(
        sum(points for points, _ in sets)
    )
    for each in tests:
        assert 0 <= each["score"] <= each["max_score"] + 0.02  # what rounding leaves over
        assert each["visibility"] == "visible"


def test_a_class_is_a_folder_for_each_pupil_whatever_they_are_called():
    names = ["Ann", "ann", "../../etc", "Zoë", "", "a/b\\c"]
    results = [Result(10.0, (Mark("m", 1.0, "right"),), True)]
    packed = write_zip([task(10.0)], [(name, results) for name in names])
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        paths = archive.namelist()
        contents = [json.loads(archive.read(path)) for path in paths]
    assert len({path.casefold() for path in paths}) == len(names)
    for path in paths:
        folder, _, file = path.partition("/")
        assert file == "results.json"
        assert folder.strip(". ")
        assert "\\" not in folder
    assert all(found["score"] == 10 for found in contents)
    assert write_zip([task(10.0)], [(name, results) for name in names]) == packed
