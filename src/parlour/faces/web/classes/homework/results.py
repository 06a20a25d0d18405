"""What a pupil has reached: marks from what is stored of their work, and points from the marks.

A result is computed from the homework and the pupil's work alone, so that the page, the CSV file
and Gradescope's file can never differ. The marks of one homework weigh the same; a mark is a share
from 0 to 1, and the points of a homework are divided among its marks.

What counts is fixed when the homework is set. Of a puzzle it is the first answer, because a wrong
one is refuted with the right move; of games against a bot the wins; of hats and of bots the best
that was handed in. Nothing counts that was done after the date on which it is due.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.boards import ResultTable
from parlour.core import say
from parlour.faces.web.texts import _, ngettext
from parlour.faces.web.texts import number as format_number
from parlour.store import Homework, PupilWork

PUZZLES, BEAT, HATS, BOT = KINDS = ("puzzles", "beat", "hats", "bot")
LATE = say("the day on which this is due has passed")
DIGITS = 2  # of points behind the decimal point
GRADESCOPE_FILE = "results.json"
STAMP = (1980, 1, 1, 0, 0, 0)  # so that the same results are the same file


@dataclass(frozen=True)
class Mark:
    """One thing that was asked for, and how much of it is done."""

    name: str
    share: float  # from 0 to 1
    words: str = ""  # what was done


@dataclass(frozen=True)
class Result:
    """What one pupil has reached in one homework."""

    points: float  # at most
    marks: tuple[Mark, ...]
    is_begun: bool

    @property
    def share(self) -> float:
        """The share of the points that was reached, from 0 to 1."""
        return sum(mark.share for mark in self.marks) / len(self.marks) if self.marks else 0.0

    @property
    def score(self) -> float:
        """The points that were reached."""
        return round(self.points * self.share, DIGITS)

    @property
    def is_done(self) -> bool:
        """Whether nothing is missing."""
        return bool(self.marks) and all(mark.share >= 1 for mark in self.marks)


def compute_result(homework: Homework, work: PupilWork | None) -> Result:
    """Return what a pupil has reached; a work of None is that of somebody who has not begun."""
    done: Mapping[str, Any] = work.done if work is not None else {}
    marks = MARKS[homework.kind](homework, done)
    return Result(homework.points, tuple(marks), bool(done))


def is_late(homework: Homework, at: float) -> bool:
    """Whether something done at this time does not count any more."""
    return bool(homework.due) and at > homework.due


# The marks of each kind


def _mark_puzzles(homework: Homework, done: Mapping[str, Any]) -> Iterable[Mark]:
    answers = done.get("answers", {})
    for place, puzzle in enumerate(homework.settings["puzzles"], 1):
        name = _("Puzzle %(number)s", number=place)
        first = answers.get(puzzle)
        if first is None or is_late(homework, first["at"]):
            yield Mark(name, 0.0, _("nothing yet"))
        elif first["right"]:
            yield Mark(name, 1.0, _("right: %(move)s", move=first["move"]))
        else:
            yield Mark(name, 0.0, _("wrong: %(move)s", move=first["move"]))


def _mark_games(homework: Homework, done: Mapping[str, Any]) -> Iterable[Mark]:
    wanted = homework.settings["wins"]
    games = [each for each in done.get("games", ()) if not is_late(homework, each["at"])]
    won = sum(each["points"] == 1 for each in games)
    words = _("nothing yet")
    if games:
        words = _("won %(won)s of %(games)s", won=won, games=len(games))
    name = ngettext("%(num)s win", "%(num)s wins", wanted) % {"num": wanted}
    yield Mark(name, min(1.0, won / wanted), words)


def _mark_hats(homework: Homework, done: Mapping[str, Any]) -> Iterable[Mark]:
    wanted = homework.settings["mark"]
    name = _("%(percent)s%% of the hats right", percent=wanted)
    tries = [each for each in done.get("hats", ()) if not is_late(homework, each["at"])]
    if not tries:
        yield Mark(name, 0.0, _("nothing yet"))
        return
    best = max(tries, key=percent_right)
    words = _(
        "%(right)s of %(all)s hats right after %(games)s games",
        right=best["right"],
        all=best["of"],
        games=format_number(best["games"]),
    )
    yield Mark(name, min(1.0, percent_right(best) / wanted), words)


def percent_right(hats: Mapping[str, Any]) -> float:
    """Return how many of the hats that were handed in are right, in percent."""
    return 100 * hats["right"] / hats["of"] if hats["of"] else 100.0


def _mark_bot(homework: Homework, done: Mapping[str, Any]) -> Iterable[Mark]:
    tries = [each for each in done.get("bots", ()) if not is_late(homework, each["at"])]
    attempts = [list(_mark_one_bot(homework, each)) for each in tries]
    if not attempts:
        return _mark_one_bot(homework, {})
    return max(attempts, key=lambda marks: sum(mark.share for mark in marks))


def _mark_one_bot(homework: Homework, judged: Mapping[str, Any]) -> Iterable[Mark]:
    wanted = homework.settings["mark"]
    flaw, scores = judged.get("flaw", ""), judged.get("scores", {})
    if not judged:
        yield Mark(_("Plays by the rules"), 0.0, _("nothing yet"))
    else:
        yield Mark(_("Plays by the rules"), float(not flaw), flaw or _("no fault in any game"))
    for opponent in homework.settings["opponents"]:
        points, games = scores.get(opponent, (0.0, 0))
        enough = games > 0 and 100 * points >= wanted * games
        words = _("nothing yet")
        if games:
            words = _("%(score)s of %(most)s points", score=f"{points:g}", most=games)
        name = _("%(percent)s%% against %(bot)s", percent=wanted, bot=opponent)
        yield Mark(name, float(enough), words)


MARKS = {PUZZLES: _mark_puzzles, BEAT: _mark_games, HATS: _mark_hats, BOT: _mark_bot}


# All pupils, as files


def write_csv(homework: Sequence[Homework], rows: Sequence[tuple[str, Sequence[Result]]]) -> str:
    """Write a line for every pupil, by name, with their points in each homework and in all."""
    head = [_("Pupil"), *(each.name for each in homework), _("Total")]
    most = _write_points(_("Maximum"), [each.points for each in homework])
    own = [_write_points(name, [each.score for each in results]) for name, results in rows]
    return ResultTable(head, [most, *own]).to_csv()


def _write_points(name: str, points: Sequence[float]) -> list[str]:
    return [name, *(f"{each:g}" for each in points), f"{round(sum(points), DIGITS):g}"]


# As Gradescope reads them, in the format of its autograder specification: a total `score`, an
# `output`, and a list of `tests`. Those of one homework add up to its points.


def describe_for_gradescope(
    homework: Sequence[Homework], results: Sequence[Result]
) -> dict[str, Any]:
    """Return one pupil's results as Gradescope's data."""
    tests = [
        test
        for number, (each, result) in enumerate(zip(homework, results, strict=True), 1)
        for test in _describe_tests(number, each, result)
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


def _describe_tests(number: int, homework: Homework, result: Result) -> Iterable[dict[str, Any]]:
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
    return json.dumps(describe_for_gradescope(homework, results), indent=2) + "\n"


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
            entry = zipfile.ZipInfo(f"{folder}/{GRADESCOPE_FILE}", STAMP)
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
