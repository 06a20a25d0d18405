"""Results as Gradescope reads them: one `results.json` for each pupil, as an autograder writes it.

The format is that of Gradescope's autograder specification: a total `score`, an `output`, and a
list of `tests`, each with its `score`, `max_score`, `name`, `output` and `visibility`. Points are
numbers with two digits; those of the tests of one homework add up to its points.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from parlour.faces.web.classes.homework.results import DIGITS, Result
from parlour.faces.web.texts import _
from parlour.store import Homework

FILE = "results.json"
STAMP = (1980, 1, 1, 0, 0, 0)  # so that the same results are the same file


def describe_results(homework: Sequence[Homework], results: Sequence[Result]) -> dict[str, Any]:
    """Return one pupil's results as Gradescope's data."""
    tests = [
        test
        for number, (each, result) in enumerate(zip(homework, results, strict=True), 1)
        for test in _describe(number, each, result)
    ]
    score = round(sum(each.score for each in results), DIGITS)
    most = round(sum(each.points for each in homework), DIGITS)
    return {
        "score": score,
        "output": _("%(score)s of %(most)s points", score=f"{score:g}", most=f"{most:g}"),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _describe(number: int, homework: Homework, result: Result) -> Iterable[dict[str, Any]]:
    """Yield the tests of one homework; sums are rounded, so that the tests add up to it."""
    each = homework.points / max(1, len(result.marks))
    reached, scored, asked = 0.0, 0.0, 0.0
    for place, mark in enumerate(result.marks, 1):
        reached += each * mark.share
        score, most = round(reached - scored, DIGITS), round(each * place - asked, DIGITS)
        scored, asked = scored + score, asked + most
        yield {
            "name": f"{homework.name}: {mark.name}",
            "number": f"{number}.{place}",
            "score": score,
            "max_score": most,
            "status": "passed" if mark.share >= 1 else "failed",
            "output": mark.words,
            "visibility": "visible",
        }


def write_json(homework: Sequence[Homework], results: Sequence[Result]) -> str:
    """Return one pupil's `results.json`."""
    return json.dumps(describe_results(homework, results), indent=2) + "\n"


def write_zip(
    homework: Sequence[Homework], pupils: Sequence[tuple[str, Sequence[Result]]]
) -> bytes:
    """Return a zip file with a folder for each pupil, by name, and their results in it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        folders: set[str] = set()
        for name, results in pupils:
            folder = _name_folder(name, folders)
            folders.add(folder.casefold())
            entry = zipfile.ZipInfo(f"{folder}/{FILE}", STAMP)
            archive.writestr(entry, write_json(homework, results))
    return file.getvalue()


def _name_folder(name: str, taken: set[str]) -> str:
    """Return the name of a folder that every system takes, and that no other pupil has."""
    plain = re.sub(r"[^\w-]+", " ", name).strip() or "pupil"
    folder, number = plain, 1
    while folder.casefold() in taken:
        number += 1
        folder = f"{plain} {number}"
    return folder
