"""The pages of homework: set it, do it, see the results, and let the class play a tournament.

A teacher sees everybody; a pupil sees their own work alone, under their own address. Everything is
a form that works without scripts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from starlette.datastructures import State

from parlour import boards
from parlour.arena import format_points
from parlour.core import BadText, ParlourError, options_of, registry, title
from parlour.faces.web.classes.attendance import Attendance, list_present
from parlour.faces.web.classes.homework import gradescope, setting, view
from parlour.faces.web.classes.homework.results import (
    BEAT,
    BOT,
    HATS,
    KINDS,
    PUZZLES,
    compute_result,
    is_late,
    write_csv,
)
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds, StoredRounds
from parlour.faces.web.classes.homework.service import (
    HANDED_IN,
    RESULTS,
    WORK,
    HomeworkDep,
    HomeworkService,
    ResultsPage,
    Sheet,
    WorkPage,
)
from parlour.faces.web.classes.homework.setting import Setter
from parlour.faces.web.classes.service import ClassesDep, ClassService
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotThere, NotYours
from parlour.faces.web.forms import order_games
from parlour.faces.web.live import Topic
from parlour.faces.web.puzzles import PuzzleService, describe_puzzle, judge_move
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    TEMPLATES,
    Form,
    Section,
    StoreDep,
    UploadForm,
    from_state,
    page,
    redirect,
    respond_to_form,
    show_again,
    visitor_of,
)
from parlour.faces.web.school import School
from parlour.faces.web.table import BotsDep, TablesDep, game_of
from parlour.faces.web.texts import _, translate
from parlour.faces.web.tournaments import Runner
from parlour.learn import STARTS
from parlour.store import Classroom, Homework, Pupil, Seat, Training

router = APIRouter(include_in_schema=False)

SetterDep = Annotated[Setter, from_state("homework_setter")]
RoundsDep = Annotated[Rounds, from_state("rounds")]
PuzzlesDep = Annotated[PuzzleService, from_state("puzzles")]
SchoolDep = Annotated[School, from_state("school")]
RunnerDep = Annotated[Runner, from_state("runner")]

MAX_MOVE_TEXT = 60
MAX_BOTS = 40  # of a tournament of handed-in bots
MAX_OWN_HATS = 20  # of a pupil that are offered to be handed in
MAX_SEED = 10**6


def start_section(state: State) -> None:
    """Make the homework of classes and their tournaments, and keep open pages up to date."""
    state.homework = homework = HomeworkService(state)
    state.homework_setter = Setter(state)
    state.rounds = rounds = Rounds(state)
    state.players[HANDED_IN] = homework
    classes: ClassService = state.classes
    template = TEMPLATES.get_template("class_rounds_main.html")

    def role(found: StoredRounds, visitor: Visitor) -> str:
        return _role(classes, found.class_id, visitor)

    def render(found: StoredRounds, visitor: Visitor, view: str) -> str:
        if not role(found, visitor):
            return ""
        return template.render(**_describe_rounds(classes, found, visitor))

    state.topics[ROUNDS] = Topic(rounds.load, role, render)
    own = TEMPLATES.get_template("homework_pupil_main.html")

    def is_own(found: WorkPage, visitor: Visitor) -> bool:
        return visitor.owns(found.pupil.owner)

    def render_own(found: WorkPage, visitor: Visitor, view: str) -> str:
        return own.render(**_describe_work(homework, found)) if is_own(found, visitor) else ""

    state.topics[WORK] = Topic(homework.load_work, is_own, render_own)
    everybody = TEMPLATES.get_template("homework_teacher_main.html")

    def teaches(found: ResultsPage, visitor: Visitor) -> bool:
        return _role(classes, found.homework.class_id, visitor) == "teacher"

    def render_results(found: ResultsPage, visitor: Visitor, view: str) -> str:
        if not teaches(found, visitor):
            return ""
        return everybody.render(**_describe_results(homework, found))

    state.topics[RESULTS] = Topic(homework.load_results, teaches, render_results, pause=0.2)


SECTION = Section((router,), start=start_section)


def _role(classes: ClassService, class_id: str, visitor: Visitor) -> str:
    """Return "teacher", the id of a pupil, or nothing for anybody else."""
    try:
        classes.require_teacher(class_id, visitor)
    except NotYours:
        pupil = classes.find_pupil(class_id, visitor)
        return pupil.id if pupil else ""
    return "teacher"


def _require_member(classes: ClassService, class_id: str, visitor: Visitor) -> Classroom:
    if not _role(classes, class_id, visitor):
        raise NotYours("this belongs to a class that you are not in")
    return classes.read(class_id)


# The results of a class, for its teacher


@router.get("/classes/{class_id}/results")
def show_results(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the teacher a table of all pupils and all homework; a pupil, their own row."""
    visitor = visitor_of(request)
    role = _role(classes, class_id, visitor)
    if role != "teacher":
        classroom, pupil = classes.require_pupil(class_id, visitor)
        sheet = _sheet_of_one(homework, classroom, pupil)
        return _results_page(request, sheet, teaches=False)
    return _results_page(request, homework.sheet(classes.read(class_id)), teaches=True)


def _results_page(request: Request, sheet: Sheet, *, teaches: bool) -> Response:
    return page(
        request,
        "class_results.html",
        back=f"/classes/{sheet.classroom.id}/results",
        classroom=sheet.classroom,
        homework=[view.describe(each) for each in sheet.homework],
        rows=sheet.rows,
        most=sum(each.points for each in sheet.homework),
        points=format_points,
        teaches=teaches,
    )


def _sheet_of_one(homework: HomeworkService, classroom: Classroom, pupil: Pupil) -> Sheet:
    """Return the results of one pupil."""
    found = homework.results_of(classroom.id, pupil)
    return Sheet(
        classroom,
        tuple(each for each, result in found),
        (pupil,),
        (tuple(result for each, result in found),),
    )


@router.get("/classes/{class_id}/results.csv")
def download_csv(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Download all results as a table."""
    sheet = homework.sheet(classes.require_teacher(class_id, visitor_of(request)))
    rows = [(pupil.name, results) for pupil, results in sheet.rows]
    text = "\ufeff" + write_csv(sheet.homework, rows)  # by which Excel knows that it is UTF-8
    return _download(text.encode(), "text/csv; charset=utf-8", "results.csv")


@router.get("/classes/{class_id}/results.zip")
def download_zip(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Download a results.json for each pupil, as Gradescope reads it."""
    sheet = homework.sheet(classes.require_teacher(class_id, visitor_of(request)))
    rows = [(pupil.name, results) for pupil, results in sheet.rows]
    return _download(gradescope.write_zip(sheet.homework, rows), "application/zip", "results.zip")


@router.get("/classes/{class_id}/results.json")
def download_json(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep, pupil: str = ""
) -> Response:
    """Download one pupil's results.json; a pupil gets their own, whatever is asked for."""
    visitor = visitor_of(request)
    if _role(classes, class_id, visitor) == "teacher":
        classroom = classes.read(class_id)
        found = classes.read_pupil(classroom, pupil)
    else:
        classroom, found = classes.require_pupil(class_id, visitor)
    sheet = _sheet_of_one(homework, classroom, found)
    text = gradescope.write_json(sheet.homework, sheet.results[0])
    return _download(text.encode(), "application/json", gradescope.FILE)


def _download(content: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


# Setting it


@router.get("/classes/{class_id}/set")
async def show_form(
    request: Request,
    class_id: str,
    classes: ClassesDep,
    bots: BotsDep,
    kind: str = PUZZLES,
    game: str = "",
) -> Response:
    """Show the form for a homework of a kind, in a game."""
    typed = {name: value for name, value in request.query_params.items() if name != "kind"}
    return await _form_page(request, class_id, classes, bots, kind, game, typed)


async def _form_page(
    request: Request,
    class_id: str,
    classes: ClassService,
    bots: BotsDep,
    kind: str,
    game: str,
    typed: Mapping[str, str],
    notice: str = "",
    status: int = 200,
) -> Response:
    visitor = visitor_of(request)
    classroom = await asyncio.to_thread(classes.require_teacher, class_id, visitor)
    kind = setting.check_kind(kind)
    games = await asyncio.to_thread(_list_games, kind)
    name = game if game in games else next(iter(games))
    opponents = await setting.list_opponents(bots, registry.game(name), visitor.client)
    return await asyncio.to_thread(
        lambda: page(
            request,
            "class_set.html",
            code=status,
            notice=notice,
            back=f"/classes/{class_id}/set?{urlencode({'kind': kind, 'game': name})}",
            classroom=classroom,
            kind=kind,
            kinds=[(each, setting.name_kind(each)) for each in KINDS],
            game=name,
            games=games,
            fields=setting.list_fields(name, typed),
            typed={**setting.DEFAULTS[kind], **typed},
            opponents=[(each.bot, each.text) for each in opponents],
            levels=[(str(at), translate(word)) for at, word in enumerate(setting.LEVELS, 1)],
            options_typed=any(each.startswith(setting.OPTION) for each in typed),
        )
    )


def _list_games(kind: str) -> dict[str, str]:
    """Return the titles of the games that a kind of homework can be about, the usual one first."""
    names = order_games()
    if kind == HATS:
        names = [each for each in names if setting.can_be_learned(each)]
    names = sorted(names, key=lambda each: each != setting.USUAL_GAMES[kind])
    return {each: title(registry.game(each)) for each in names}


@router.post("/classes/{class_id}/set", dependencies=LIMIT_CREATION)
async def set_homework(
    request: Request,
    class_id: str,
    form: Form,
    classes: ClassesDep,
    bots: BotsDep,
    homework: HomeworkDep,
    setter: SetterDep,
) -> Response:
    """Set a class a homework."""
    visitor = visitor_of(request)
    await asyncio.to_thread(classes.require_teacher, class_id, visitor)

    async def show(notice: str, status: int) -> Response:
        kind, game = form.get("kind", ""), form.get("game", "")
        return await _form_page(request, class_id, classes, bots, kind, game, form, notice, status)

    show_again(request, show)
    read = await setter.read(class_id, form, visitor.client)
    made = await asyncio.to_thread(homework.add, read)
    return redirect(request, f"/homework/{made.id}")


# One homework


@router.get("/homework/{homework_id}")
def show_homework(
    request: Request, homework_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the teacher what everybody has done of a homework; a pupil, what they have to do."""
    return _homework_page(request, classes, homework, homework_id)


def _homework_page(
    request: Request,
    classes: ClassService,
    homework: HomeworkService,
    homework_id: str,
    notice: str = "",
    status: int = 200,
) -> Response:
    found = _read(classes, homework, homework_id, visitor_of(request))
    if _role(classes, found.class_id, visitor_of(request)) == "teacher":
        return _teacher_page(request, homework, homework_id, notice, status)
    pupil = classes.require_pupil(found.class_id, visitor_of(request))[1]
    return _pupil_page(request, homework, found, pupil, notice, status)


def _read(
    classes: ClassService, homework: HomeworkService, homework_id: str, visitor: Visitor
) -> Homework:
    """Return a homework of a class that the visitor is in; refuse others alike, if any."""
    found = homework.store.homework.get(homework_id)
    if found is None or not _role(classes, found.class_id, visitor):
        raise NotThere("there is no such homework in a class of yours")
    return found


def _teacher_page(
    request: Request, homework: HomeworkService, homework_id: str, notice: str, status: int
) -> Response:
    found = homework.load_results(homework_id)
    if found is None:
        raise NotThere("there is no such homework, or no longer")
    return page(
        request,
        "homework_teacher.html",
        code=status,
        notice=notice,
        here="/classes",
        back=f"/homework/{homework_id}",
        live=f"{RESULTS}:{homework_id}",
        version=found.version,
        **_describe_results(homework, found),
    )


def _describe_results(homework: HomeworkService, found: ResultsPage) -> dict[str, Any]:
    """Return what the teacher sees of a homework."""
    task = found.homework
    rows = [
        (pupil, compute_result(task, work), work)
        for pupil in found.pupils
        for work in [found.works.get(pupil.id)]
    ]
    marks = compute_result(task, None).marks
    return {
        "class_id": task.class_id,
        "homework": view.describe(task),
        "rows": rows,
        "marks": marks,
        "reached": [
            sum(result.marks[at].share >= 1 for pupil, result, work in rows)
            for at in range(len(marks))
        ],
        "puzzles": task.settings.get("puzzles", ()),
        "bots": len(homework.list_bots(task)) if task.kind == BOT else 0,
    }


def _pupil_page(
    request: Request,
    homework: HomeworkService,
    found: Homework,
    pupil: Pupil,
    notice: str,
    status: int,
) -> Response:
    attendance: Attendance = request.app.state.attendance
    attendance.note_view(pupil)
    loaded = homework.load_work(f"{found.id}-{pupil.id}")
    if loaded is None:
        raise NotThere("there is no such homework, or no longer")
    return page(
        request,
        "homework_pupil.html",
        code=status,
        notice=notice,
        here="/classes",
        back=f"/homework/{found.id}",
        live=f"{WORK}:{found.id}-{pupil.id}",
        version=loaded.version,
        waiting=bool(loaded.work and loaded.work.done.get("waiting")),
        **_describe_work(homework, loaded),
    )


def _describe_work(homework: HomeworkService, found: WorkPage) -> dict[str, Any]:
    """Return what a pupil sees of a homework."""
    task, work = found.homework, found.work
    done: Mapping[str, Any] = work.done if work else {}
    values: dict[str, Any] = {}
    if task.kind == PUZZLES:
        answers = done.get("answers", {})
        puzzles = task.settings["puzzles"]
        values["puzzles"] = [answers.get(each) for each in puzzles]
        values["next"] = next((at for at, each in enumerate(puzzles) if each not in answers), None)
    elif task.kind == HATS:
        own = homework.store.trainings.find(owner=found.pupil.owner, limit=MAX_OWN_HATS)
        rules = task.game, task.options
        values["hats"] = [each for each in own if (each.game, each.options) == rules]
    elif task.kind == BOT:
        values["judged"] = (done.get("bots") or (None,))[-1]
        values["judging"] = done.get("waiting")
    return {
        "class_id": task.class_id,
        "homework": view.describe(task),
        "result": compute_result(task, work),
        "games": done.get("games", ()),
        **values,
    }


@router.post("/homework/{homework_id}/due")
def change_due(
    request: Request, homework_id: str, form: Form, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Choose until when a homework counts."""
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    found = _read(classes, homework, homework_id, visitor_of(request))
    classes.require_teacher(found.class_id, visitor_of(request))
    homework.set_due(found, setting.read_day(form.get("due", "")))
    return redirect(request, f"/homework/{homework_id}")


@router.post("/homework/{homework_id}/delete")
def delete_homework(
    request: Request, homework_id: str, form: Form, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Delete a homework and all that was done of it."""
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    found = _read(classes, homework, homework_id, visitor_of(request))
    classes.require_teacher(found.class_id, visitor_of(request))
    if form.get("sure") != "yes":
        raise BadText("tick the box first: what the pupils have done will be deleted too")
    homework.remove(found)
    return redirect(request, f"/classes/{found.class_id}/teach")


def _require_work(
    request: Request,
    classes: ClassService,
    homework: HomeworkService,
    homework_id: str,
    kind: str,
) -> tuple[Homework, Pupil]:
    """Return a homework of this kind and who does it; its page is shown if that is refused."""
    found = _read(classes, homework, homework_id, visitor_of(request))
    pupil = classes.require_pupil(found.class_id, visitor_of(request))[1]
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    if found.kind != kind:
        raise NotThere("this homework asks for something else")
    return found, pupil


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
    found = await asyncio.to_thread(_read, classes, homework, homework_id, visitor)
    puzzle = await asyncio.to_thread(puzzles.read, _pick(found, number))
    pupil = await asyncio.to_thread(classes.find_pupil, found.class_id, visitor)
    work = await asyncio.to_thread(homework.work_of, found, pupil) if pupil else None
    answers = work.done.get("answers", {}) if work else {}
    if pupil is not None and puzzle.id not in answers:
        answer = ""  # the address alone tells nobody whether a move is right
    judged = await judge_move(request, puzzle, answer)
    if answer and judged.error is not None:
        notice, status, answer = str(judged.error), 422, ""
    at, total = f"/homework/{found.id}", len(found.settings["puzzles"])
    following = next(
        (n for n, each in enumerate(found.settings["puzzles"]) if each not in answers), None
    )
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
    """Say that the first answer counts, or that this is another."""
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
    """Judge an answer; the first counts. It is kept as a puzzle of the pupil's own, too."""
    found, pupil = await asyncio.to_thread(
        _require_work, request, classes, homework, homework_id, PUZZLES
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
    """Begin a game that counts."""
    found, pupil = _require_work(request, classes, homework, homework_id, BEAT)
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
    """Give a pupil new hats of these rules, untrained."""
    found, pupil = await asyncio.to_thread(
        _require_work, request, classes, homework, homework_id, HATS
    )
    own = await asyncio.to_thread(
        homework.store.trainings.find, owner=pupil.owner, limit=MAX_OWN_HATS
    )
    if len(own) >= MAX_OWN_HATS:
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
    """Measure hats, and count how good they are."""
    found, pupil = await asyncio.to_thread(
        _require_work, request, classes, homework, homework_id, HATS
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
    """Take a bot, and have it judged."""
    found, pupil = await asyncio.to_thread(
        _require_work, request, classes, homework, homework_id, BOT
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
    """Show the teacher the bot that a pupil handed in last, as text."""
    found = _read(classes, homework, homework_id, visitor_of(request))
    classroom = classes.require_teacher(found.class_id, visitor_of(request))
    work = homework.work_of(found, classes.read_pupil(classroom, pupil_id))
    bots = work.done.get("bots", ()) if work else ()
    if not bots:
        raise NotThere("this pupil has not handed in a bot yet")
    headers = {"content-disposition": 'attachment; filename="bot.py"'}
    return PlainTextResponse(bots[-1]["source"], headers=headers)


# Tournaments of the class


@router.post("/classes/{class_id}/tournament", dependencies=LIMIT_CREATION)
def start_tournament(
    request: Request,
    class_id: str,
    form: Form,
    classes: ClassesDep,
    homework: HomeworkDep,
    rounds: RoundsDep,
    store: StoreDep,
) -> Response:
    """Start a tournament of the pupils who are here."""
    show_again(request, partial(_start_page, request, class_id, classes, homework))
    classroom = classes.require_teacher(class_id, visitor_of(request))
    chosen = form.get("game", "")
    if chosen in order_games():
        game = registry.game(chosen)
    else:  # the rules of a homework
        found = homework.read(chosen)
        if found.class_id != class_id:
            raise NotThere("there is no such homework in this class")
        game = game_of(found)
    here = list_present(store.class_presence.find(class_id), time.time())
    return redirect(request, f"/rounds/{rounds.start(classroom, game, here).tournament.id}")


@router.get("/classes/{class_id}/tournament")
def show_start(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the form for a tournament of the class, and those there were."""
    return _start_page(request, class_id, classes, homework)


def _start_page(
    request: Request,
    class_id: str,
    classes: ClassService,
    homework: HomeworkService,
    notice: str = "",
    status: int = 200,
) -> Response:
    classroom = classes.require_teacher(class_id, visitor_of(request))
    store = homework.store
    here = list_present(store.class_presence.find(class_id), time.time())
    tasks = homework.list_set(class_id)
    distinct = {(each.game, str(sorted(each.options.items()))): each for each in reversed(tasks)}
    return page(
        request,
        "class_tournament.html",
        code=status,
        notice=notice,
        back=f"/classes/{class_id}/tournament",
        classroom=classroom,
        present=[each for each in classes.list_pupils(class_id) if each.id in here],
        games=[(each, title(registry.game(each))) for each in order_games()],
        variants=[(each.id, each.name) for each in distinct.values() if not _is_default(each)],
        bots=[(each, len(homework.list_bots(each))) for each in tasks if each.kind == BOT],
        played=store.tournaments.find(owner=f"class:{class_id}"),
    )


def _is_default(homework: Homework) -> bool:
    """Whether the rules are the game's usual ones."""
    known = options_of(registry.find("games", homework.game))
    return all(
        value == known[name].default for name, value in homework.options.items() if name in known
    )


@router.post("/homework/{homework_id}/tournament", dependencies=LIMIT_CREATION)
def start_bots(
    request: Request,
    homework_id: str,
    classes: ClassesDep,
    homework: HomeworkDep,
    runner: RunnerDep,
) -> Response:
    """Let the bots that were handed in play each other in the sandbox, by the arena."""
    show_again(request, partial(_homework_page, request, classes, homework, homework_id))
    found = _read(classes, homework, homework_id, visitor_of(request))
    classes.require_teacher(found.class_id, visitor_of(request))
    bots = homework.list_bots(found)
    made = runner.create(
        f"class:{found.class_id}",
        found.name,
        found.game,
        dict(found.options),
        bots,
        rounds=1,
        most=MAX_BOTS,
    )
    return redirect(request, f"/tournaments/{made.id}")


@router.get("/rounds/{tournament_id}")
def show_rounds(
    request: Request, tournament_id: str, classes: ClassesDep, rounds: RoundsDep
) -> Response:
    """Show a tournament of a class to those who are in it, live."""
    found = _read_rounds(classes, rounds, tournament_id, visitor_of(request))
    return _rounds_page(request, classes, found)


def _read_rounds(
    classes: ClassService, rounds: Rounds, tournament_id: str, visitor: Visitor
) -> StoredRounds:
    found = rounds.load(tournament_id)
    if found is None or not _role(classes, found.class_id, visitor):
        raise NotThere("there is no such tournament in a class of yours")
    return found


def _rounds_page(
    request: Request,
    classes: ClassService,
    found: StoredRounds,
    notice: str = "",
    status: int = 200,
) -> Response:
    return page(
        request,
        "class_rounds.html",
        code=status,
        notice=notice,
        here="/classes",
        back=f"/rounds/{found.tournament.id}",
        live=f"{ROUNDS}:{found.tournament.id}",
        version=found.version,
        waiting=found.tournament.state == ROUNDS,
        **_describe_rounds(classes, found, visitor_of(request)),
    )


def _describe_rounds(
    classes: ClassService, found: StoredRounds, visitor: Visitor
) -> dict[str, Any]:
    """Return what the page of a tournament shows."""
    role = _role(classes, found.class_id, visitor)
    current = found.of_round(found.tournament.rounds)
    mine = next(
        (
            each.table
            for each in current
            if each.state == "on" and role in [found.tournament.bots[seat] for seat in each.seats]
        ),
        "",
    )
    game = found.tournament.games[0]
    return {
        "classroom": classes.read(found.class_id),
        "tournament": found.tournament,
        "title": title(registry.game(game["game"], **game["options"])),
        "teaches": role == "teacher",
        "own": role,
        "my_game": mine,
        "current": current,
        "pupil": found.pupil,
        "unfinished": sum(each.state == "on" for each in current),
        "standings": found.standings,
        "going_on": found.tournament.state == ROUNDS,
        "points": format_points,
    }


@router.post("/rounds/{tournament_id}/{action}")
def change_rounds(
    request: Request,
    tournament_id: str,
    action: str,
    classes: ClassesDep,
    rounds: RoundsDep,
    store: StoreDep,
) -> Response:
    """Start the next round, or end the tournament."""
    found = _read_rounds(classes, rounds, tournament_id, visitor_of(request))
    show_again(request, partial(_rounds_page, request, classes, found))
    classes.require_teacher(found.class_id, visitor_of(request))
    if action == "next":
        here = list_present(store.class_presence.find(found.class_id), time.time())
        rounds.start_next(found, here)
    elif action == "end":
        rounds.finish(found)
    else:
        raise NotThere("a tournament of a class has no such action")
    return respond_to_form(request, f"/rounds/{tournament_id}")


@router.get("/rounds/{tournament_id}/game")
def go_to_game(
    request: Request, tournament_id: str, classes: ClassesDep, rounds: RoundsDep
) -> Response:
    """Go to one's own game of the round."""
    found = _read_rounds(classes, rounds, tournament_id, visitor_of(request))
    described = _describe_rounds(classes, found, visitor_of(request))
    table = described["my_game"]
    return RedirectResponse(f"/tables/{table}" if table else f"/rounds/{tournament_id}", 303)
