"""What pupils do for a homework: solve puzzles, beat a bot, train hats, or write a bot.

Only pupils of the class can hand anything in, and only what the homework asks for. `service` stores
what they did, and `results` says what it is worth.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.faces.web import requests as web
from parlour.faces.web.classes.homework.page import Doing, to_do
from parlour.faces.web.classes.homework.results import BEAT, BOT, HATS, LATE, PUZZLES, is_late
from parlour.faces.web.classes.homework.service import MAX_OWN_HATS, HomeworkDep
from parlour.faces.web.classes.homework.view import find_unanswered
from parlour.faces.web.classes.service import ClassesDep
from parlour.faces.web.errors import Changed, check_room, require
from parlour.faces.web.puzzles import PuzzlesDep, puzzle_page, read_answer
from parlour.faces.web.school import School
from parlour.faces.web.table import TablesDep, game_of
from parlour.learn import STARTS
from parlour.store import Homework, Seat

router = APIRouter(include_in_schema=False)

SchoolDep = Annotated[School, web.service(School)]
ToSolve = Annotated[Doing, to_do(PUZZLES)]
ToBeat = Annotated[Doing, to_do(BEAT)]
ToTrain = Annotated[Doing, to_do(HATS)]
ToWrite = Annotated[Doing, to_do(BOT)]

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
    visitor = web.visitor_of(request)
    found = await asyncio.to_thread(homework.read_for, visitor, homework_id)
    puzzle = await asyncio.to_thread(puzzles.read, _pick(found, number))
    pupil = await asyncio.to_thread(classes.find_pupil, found.class_id, visitor)
    work = await asyncio.to_thread(homework.work_of, found, pupil) if pupil else None
    answers = work.done.get("answers", {}) if work else {}
    if pupil is not None and puzzle.id not in answers:
        answer = ""  # an address alone must not tell whether a move is right
    at = f"/homework/{found.id}"
    following = find_unanswered(found, answers)
    return await puzzle_page(
        request,
        puzzle,
        answer,
        at=f"{at}/puzzles/{number}",
        here="/classes",
        next=at if following is None else f"{at}/puzzles/{following}",
        set_by={
            "at": at,
            "name": found.name,
            "number": number + 1,
            "total": len(found.settings["puzzles"]),
            "answered": puzzle.id in answers,
            "last": following is None,
        },
        tried=0,
    )


def _pick(homework: Homework, number: int) -> str:
    """Return the id of one of the puzzles, counted from 0."""
    puzzles = homework.settings["puzzles"] if homework.kind == PUZZLES else ()
    return str(require(puzzles[number] if number in range(len(puzzles)) else None))


@router.post("/homework/{homework_id}/puzzles/{number}/answer")
async def answer_puzzle(
    request: Request,
    doing: ToSolve,
    number: int,
    form: web.Form,
    classes: ClassesDep,
    homework: HomeworkDep,
    puzzles: PuzzlesDep,
) -> Response:
    """Judge an answer, of which the first counts; the pupil's own puzzles record it too."""
    found, pupil = doing
    puzzle = await asyncio.to_thread(puzzles.read, _pick(found, number))
    show = partial(show_puzzle, request, found.id, number, classes, homework, puzzles)
    web.show_refusal_on(request, show)
    move, right = await read_answer(request, puzzle, form)
    await asyncio.to_thread(homework.answer, found, pupil, puzzle.id, move, right)
    await asyncio.to_thread(puzzles.record, pupil.owner, puzzle, right, time.time())
    query = urlencode({"answer": move})
    return web.redirect(request, f"/homework/{found.id}/puzzles/{number}?{query}")


# A bot to beat


@router.post("/homework/{homework_id}/play", dependencies=web.LIMIT_CREATION)
def play(request: Request, doing: ToBeat, form: web.Form, tables: TablesDep) -> Response:
    """Begin a game that counts towards a homework."""
    found, pupil = doing
    bot = found.settings["bot"]
    seats = [Seat("person", owner=pupil.owner), Seat("bot", bot.partition(" ")[0], bot)]
    if form.get("begins") == "bot":
        seats.reverse()
    table = tables.create(
        game_of(found),
        seats,
        listed=False,
        creator=web.visitor_of(request).client,
        counts_for=" ".join(("homework", found.id, pupil.id)),
    )
    return web.respond_to_form(request, f"/tables/{table.id}")


# Hats


@router.post("/homework/{homework_id}/hats", dependencies=web.LIMIT_CREATION)
async def begin_hats(
    request: Request, doing: ToTrain, homework: HomeworkDep, school: SchoolDep
) -> Response:
    """Give a pupil new, untrained hats for the rules of a homework."""
    found, pupil = doing
    check_room(len(await asyncio.to_thread(homework.list_hats, pupil)), MAX_OWN_HATS)
    seed = secrets.randbelow(MAX_SEED)
    settings = {"rule": "hats", "against": "another", "starts": STARTS[0], "seed": seed}
    game = game_of(found)
    made = await school.begin(pupil.owner, found.name, game, settings, 0, homework=found.id)
    return web.redirect(request, f"/school/{made.id}")


@router.post("/homework/{homework_id}/hats/{training_id}")
async def hand_in_hats(
    request: Request, doing: ToTrain, training_id: str, homework: HomeworkDep
) -> Response:
    """Hand in hats: measure how good they are, and count that."""
    await homework.hand_in_hats(*doing, training_id)
    return web.redirect(request, f"/homework/{doing[0].id}")


# Bots


@router.post("/homework/{homework_id}/bot", dependencies=web.LIMIT_CREATION)
def hand_in_bot(
    request: Request, doing: ToWrite, form: web.UploadForm, homework: HomeworkDep
) -> Response:
    """Hand in a bot, and have it judged."""
    found, pupil = doing
    if is_late(found, time.time()):
        raise Changed(LATE)
    file = form.file or form.get("source", "").encode()
    homework.hand_in_bot(found, pupil, form.file_name, file)
    return web.redirect(request, f"/homework/{found.id}")


@router.get("/homework/{homework_id}/bots/{pupil_id}")
def download_bot(
    request: Request, homework_id: str, pupil_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Download, as the teacher, the bot that a pupil handed in last."""
    visitor = web.visitor_of(request)
    found = homework.read_for(visitor, homework_id)
    classroom = classes.require_teacher(found.class_id, visitor)
    work = homework.work_of(found, classes.read_pupil(classroom, pupil_id))
    bots = require((work and work.done.get("bots")) or None)
    return web.download(bots[-1]["source"], "text/plain", "bot.py")
