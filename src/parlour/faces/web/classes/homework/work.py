"""What pupils do for a homework: solve puzzles, beat a bot, train hats, or write a bot.

Only pupils of the class can hand anything in, and only what the homework asks for. `service` stores
what they did, and `results` says what it is worth.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from parlour import boards
from parlour.core import ParlourError
from parlour.faces.web.classes.homework.page import require_work
from parlour.faces.web.classes.homework.results import BEAT, BOT, HATS, PUZZLES, is_late
from parlour.faces.web.classes.homework.service import MAX_OWN_HATS, HomeworkDep, HomeworkService
from parlour.faces.web.classes.homework.view import find_unanswered
from parlour.faces.web.classes.questions import MAX_MOVE_TEXT
from parlour.faces.web.classes.service import ClassesDep, ClassService
from parlour.faces.web.errors import Changed, NotThere
from parlour.faces.web.puzzles import PuzzleService, describe_puzzle, judge_move
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    Form,
    UploadForm,
    page,
    redirect,
    respond_to_form,
    service,
    show_again,
    visitor_of,
)
from parlour.faces.web.school import School
from parlour.faces.web.table import TablesDep, game_of
from parlour.faces.web.texts import _
from parlour.learn import STARTS
from parlour.store import Homework, Seat, Training

router = APIRouter(include_in_schema=False)

PuzzlesDep = Annotated[PuzzleService, service(PuzzleService)]
SchoolDep = Annotated[School, service(School)]

MAX_SEED = 10**6


# Puzzles


@router.get("/homework/{homework_id}/puzzles/{number}")
async def show_puzzle(
    request: Request,
    homework_id: str,
    number: int,
    classes: ClassesDep,
    homework: HomeworkDep,
    puzzles: PuzzlesDep,
    answer: str = "",
) -> Response:
    """Show a puzzle of a homework; with an answer, whether it is right and why."""
    return await _puzzle_page(
        request, classes, homework, puzzles, homework_id, number, answer[:MAX_MOVE_TEXT]
    )


async def _puzzle_page(
    request: Request,
    classes: ClassService,
    homework: HomeworkService,
    puzzles: PuzzleService,
    homework_id: str,
    number: int,
    answer: str = "",
    notice: str = "",
    status: int = 200,
) -> Response:
    visitor = visitor_of(request)
    found = await asyncio.to_thread(homework.read_for, visitor, homework_id)
    puzzle = await asyncio.to_thread(puzzles.read, _pick(found, number))
    pupil = await asyncio.to_thread(classes.find_pupil, found.class_id, visitor)
    work = await asyncio.to_thread(homework.work_of, found, pupil) if pupil else None
    answers = work.done.get("answers", {}) if work else {}
    if pupil is not None and puzzle.id not in answers:
        answer = ""  # an address alone must not tell whether a move is right
    judged = await judge_move(request, puzzle, answer)
    if answer and judged.error is not None:
        notice, status, answer = str(judged.error), 422, ""
    at, total = f"/homework/{found.id}", len(found.settings["puzzles"])
    following = find_unanswered(found, answers)
    values = describe_puzzle(puzzle, None, answer, judged, f"{at}/puzzles/{number}")
    values |= {
        "next": at if following is None else f"{at}/puzzles/{following}",
        "why_here": _say_counts(number, total, answered=puzzle.id in answers),
        "set_by": {"at": at, "name": found.name, "last": following is None},
        "tried": 0,
    }
    return await asyncio.to_thread(
        lambda: page(
            request,
            "puzzle.html",
            code=status,
            notice=notice,
            here="/classes",
            back=f"{at}/puzzles/{number}",
            **values,
        )
    )


def _pick(homework: Homework, number: int) -> str:
    """Return the id of one of the puzzles, counted from 0."""
    if homework.kind != PUZZLES or number not in range(len(homework.settings["puzzles"])):
        raise NotThere("this homework has no such puzzle")
    return str(homework.settings["puzzles"][number])


def _say_counts(number: int, total: int, *, answered: bool) -> str:
    """Say that the first answer counts, or that it has already been given."""
    if answered:
        return _("You have answered this one already; now it is practice.")
    return _(
        "Puzzle %(number)s of %(total)s. Your first answer counts.", number=number + 1, total=total
    )


@router.post("/homework/{homework_id}/puzzles/{number}/answer")
async def answer_puzzle(
    request: Request,
    homework_id: str,
    number: int,
    form: Form,
    classes: ClassesDep,
    homework: HomeworkDep,
    puzzles: PuzzlesDep,
) -> Response:
    """Judge an answer, of which the first counts; the pupil's own puzzles record it too."""
    found, pupil = await asyncio.to_thread(
        require_work, request, classes, homework, homework_id, PUZZLES
    )
    puzzle = await asyncio.to_thread(puzzles.read, _pick(found, number))

    async def show(notice: str, status: int) -> Response:
        return await _puzzle_page(
            request, classes, homework, puzzles, homework_id, number, "", notice, status
        )

    show_again(request, show)
    game = game_of(puzzle)
    state = game.read(puzzle.position)
    move = game.write_move(game.read_move(state, boards.move_text(form)[:MAX_MOVE_TEXT]))
    judged = await judge_move(request, puzzle, move)
    if judged.error is not None:
        raise judged.error
    if judged.found is None:
        raise ParlourError("this takes longer than usual; try again in a moment")
    right = bool(judged.found["is_right"])
    await asyncio.to_thread(homework.answer, found, pupil, puzzle.id, move, right)
    await asyncio.to_thread(puzzles.record, pupil.owner, puzzle, right, time.time())
    query = urlencode({"answer": move})
    return redirect(request, f"/homework/{homework_id}/puzzles/{number}?{query}")


# A bot to beat


@router.post("/homework/{homework_id}/play", dependencies=LIMIT_CREATION)
def play(
    request: Request,
    homework_id: str,
    form: Form,
    classes: ClassesDep,
    homework: HomeworkDep,
    tables: TablesDep,
) -> Response:
    """Begin a game that counts towards a homework."""
    found, pupil = require_work(request, classes, homework, homework_id, BEAT)
    bot = found.settings["bot"]
    seats = [
        Seat("person", owner=pupil.owner),
        Seat("bot", bot.partition(" ")[0], bot),
    ]
    if form.get("begins") == "bot":
        seats.reverse()
    table = tables.create(
        game_of(found),
        seats,
        listed=False,
        creator=visitor_of(request).client,
        counts_for=" ".join(("homework", found.id, pupil.id)),
    )
    return respond_to_form(request, f"/tables/{table.id}")


# Hats


@router.post("/homework/{homework_id}/hats", dependencies=LIMIT_CREATION)
async def begin_hats(
    request: Request,
    homework_id: str,
    classes: ClassesDep,
    homework: HomeworkDep,
    school: SchoolDep,
) -> Response:
    """Give a pupil new, untrained hats for the rules of a homework."""
    found, pupil = await asyncio.to_thread(
        require_work, request, classes, homework, homework_id, HATS
    )
    if len(await asyncio.to_thread(homework.list_hats, pupil)) >= MAX_OWN_HATS:
        raise Changed(f"you already have {MAX_OWN_HATS} sets of hats; delete one in the school")
    options = {"rule": "hats", "against": "another", "starts": STARTS[0]}
    settings = {**options, "seed": secrets.randbelow(MAX_SEED)}
    made = await school.begin(pupil.owner, found.name, game_of(found), settings, 0)

    def add_way_back(training: Training) -> Training:
        return replace(training, settings={**training.settings, "homework": found.id})

    await asyncio.to_thread(school.change, made.id, add_way_back)
    return redirect(request, f"/school/{made.id}")


@router.post("/homework/{homework_id}/hats/{training_id}")
async def hand_in_hats(
    request: Request,
    homework_id: str,
    training_id: str,
    classes: ClassesDep,
    homework: HomeworkDep,
) -> Response:
    """Hand in hats: measure how good they are, and count that."""
    found, pupil = await asyncio.to_thread(
        require_work, request, classes, homework, homework_id, HATS
    )
    await homework.hand_in_hats(found, pupil, training_id)
    return redirect(request, f"/homework/{homework_id}")


# Bots


@router.post("/homework/{homework_id}/bot", dependencies=LIMIT_CREATION)
async def hand_in_bot(
    request: Request,
    homework_id: str,
    form: UploadForm,
    classes: ClassesDep,
    homework: HomeworkDep,
) -> Response:
    """Hand in a bot, and have it judged."""
    found, pupil = await asyncio.to_thread(
        require_work, request, classes, homework, homework_id, BOT
    )
    if is_late(found, time.time()):
        raise Changed("the day on which this was due has passed")
    file = form.file or form.get("source", "").encode()
    await asyncio.to_thread(homework.hand_in_bot, found, pupil, form.file_name, file)
    return redirect(request, f"/homework/{homework_id}")


@router.get("/homework/{homework_id}/bots/{pupil_id}")
def download_bot(
    request: Request,
    homework_id: str,
    pupil_id: str,
    classes: ClassesDep,
    homework: HomeworkDep,
) -> Response:
    """Download, as the teacher, the bot that a pupil handed in last."""
    visitor = visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    classroom = classes.require_teacher(found.class_id, visitor)
    work = homework.work_of(found, classes.read_pupil(classroom, pupil_id))
    bots = work.done.get("bots", ()) if work else ()
    if not bots:
        raise NotThere("this pupil has not handed in a bot yet")
    headers = {"content-disposition": 'attachment; filename="bot.py"'}
    return PlainTextResponse(bots[-1]["source"], headers=headers)
