"""The pages by which a teacher asks a position and shows the answers, and a pupil answers.

The position is chosen on a page of its own: any game, any variant, and a position that is typed,
drawn at random, or reached by moves on the board. All of it is in the address.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from functools import partial
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import BadText, Game, ParlourError, State, registry, say, title, values
from parlour.faces.web.classes import view
from parlour.faces.web.classes.homework import HomeworkDep
from parlour.faces.web.classes.questions import MAX_MOVE_TEXT, QuestionsDep
from parlour.faces.web.classes.service import ClassesDep, ClassService
from parlour.faces.web.forms import list_changes, list_presets, order_games, read_variant
from parlour.faces.web.prefix import url
from parlour.faces.web.requests import (
    Form,
    VisitorDep,
    ask,
    page,
    redirect,
    respond_to_form,
    show_again,
    visitor_of,
)
from parlour.lessons import LEVELS

router = APIRouter(include_in_schema=False)

SECONDS = 20.0  # until a worker must have found the truth, or a position
MAX_POSITION = 20_000  # characters


# Choosing a position


def _address(class_id: str, game: Game, position: str = "", page: str = "") -> str:
    query = {**list_changes(game), **({"position": position} if position else {})}
    path = f"/classes/{class_id}/position/{quote(game.name)}{page}"
    return f"{path}?{urlencode(query, safe=',:', quote_via=quote)}" if query else path


def _read_position(game: Game, query: Mapping[str, str]) -> State:
    position = query.get("position", "").strip()
    if len(position) > MAX_POSITION:
        raise BadText(
            say(
                "a position can have at most {max_position:,} characters", max_position=MAX_POSITION
            )
        )
    return game.read(position) if position else game.start()


@router.get("/classes/{class_id}/position")
def choose_game(request: Request, class_id: str, classes: ClassesDep) -> Response:
    """Show the games from which a position can be put on every screen."""
    classroom = classes.require_teacher(class_id, visitor_of(request))
    games = [
        {
            "href": f"/classes/{class_id}/position/{quote(name)}",
            "title": title(game := registry.build("games", name)),
            "picture": boards.picture(game, game.start()),
        }
        for name in order_games()
    ]
    back = f"/classes/{class_id}/position"
    return page(request, "class_games.html", back=back, classroom=classroom, games=games)


@router.get("/classes/{class_id}/position/{name}")
def choose_position(request: Request, class_id: str, name: str, classes: ClassesDep) -> Response:
    """Show a position of a game, to change it or put it on every screen."""
    return _position_page(request, class_id, name, classes)


def _position_page(
    request: Request,
    class_id: str,
    name: str,
    classes: ClassService,
    notice: str = "",
    status: int = 200,
) -> Response:
    classroom = classes.require_teacher(class_id, visitor_of(request))
    query = request.query_params
    found = read_variant(name, query)
    game = found.game or registry.build("games", name)
    wrong, state = "", game.start()
    if found.game is not None:
        try:
            state = _read_position(game, query)
        except ParlourError as error:
            wrong = error.text
    typed = game.write(state)
    return page(
        request,
        "class_position.html",
        code=422 if status == 200 and (found.wrong or wrong) else status,
        notice=notice,
        back=_address(class_id, game, query.get("position", "")),
        classroom=classroom,
        name=name,
        title=title(game),
        presets=[
            (label, _address(class_id, other), other == found.game)
            for label, other in list_presets(found)
        ],
        fields=found.fields,
        wrong=found.wrong,
        wrong_position=wrong,
        options=list_changes(game),
        position=query.get("position", "") if wrong else typed,
        is_start=state == game.start(),
        start=_address(class_id, game),
        over=not game.moves(state),
        mover=view.name_mover(game, state),
        levels=list(enumerate(LEVELS, start=1)),
        board=boards.board(
            game, state, playable=True, action=url(_address(class_id, game, typed, "/move"))
        ),
        ask=_address(class_id, game, typed, "/ask"),
        draw=_address(class_id, game, page="/draw"),
    )


@router.post("/classes/{class_id}/position/{name}/move")
def play_on(
    request: Request, class_id: str, name: str, form: Form, classes: ClassesDep
) -> Response:
    """Go to the position after a move."""
    show_again(request, partial(_position_page, request, class_id, name, classes))
    classes.require_teacher(class_id, visitor_of(request))
    game = read_variant(name, request.query_params).require_game()
    state = _read_position(game, request.query_params)
    after = game.play(state, game.read_move(state, boards.move_text(form)[:MAX_MOVE_TEXT]))
    return redirect(request, _address(class_id, game, game.write(after)))


@router.post("/classes/{class_id}/position/{name}/draw")
async def draw_position(
    request: Request, class_id: str, name: str, form: Form, classes: ClassesDep
) -> Response:
    """Go to a random position in which few moves are right, as hard as asked for."""
    show_again(request, partial(_position_page, request, class_id, name, classes))
    await asyncio.to_thread(classes.require_teacher, class_id, visitor_of(request))
    game = read_variant(name, request.query_params).require_game()
    level = form.number("level")
    payload = {
        "game": game.name,
        "options": values(game),
        "number": 1,
        "level": level if level in range(1, len(LEVELS) + 1) else None,
        "seed": random.randrange(2**31),  # not a secret
    }
    found = await ask(request, "puzzles-find", payload, SECONDS, SECONDS)
    if found.error is not None:
        raise found.error
    if not found.found:
        raise BadText(say("no such position was found; choose another level or other rules"))
    return redirect(request, _address(class_id, game, found.found[0]["position"]))


# Asking and showing


@router.post("/classes/{class_id}/position/{name}/ask")
def ask_position(
    request: Request, class_id: str, name: str, classes: ClassesDep, questions: QuestionsDep
) -> Response:
    """Put the position on everybody's screen."""
    show_again(request, partial(_position_page, request, class_id, name, classes))
    classroom = classes.require_teacher(class_id, visitor_of(request))
    game = read_variant(name, request.query_params).require_game()
    questions.ask(classroom, game, _read_position(game, request.query_params))
    return redirect(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/spread")
def show_spread(
    request: Request,
    class_id: str,
    form: Form,
    visitor: VisitorDep,
    classes: ClassesDep,
    questions: QuestionsDep,
) -> Response:
    """Show everybody how many answered what; nobody can answer any more."""
    classroom = classes.require_teacher(class_id, visitor)
    questions.show(classroom, form.number("number"))
    return respond_to_form(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/truth")
async def show_truth(
    request: Request,
    class_id: str,
    form: Form,
    visitor: VisitorDep,
    classes: ClassesDep,
    questions: QuestionsDep,
) -> Response:
    """Show everybody what the position is worth, why, and which answers are right."""
    classroom = await asyncio.to_thread(classes.require_teacher, class_id, visitor)
    number = form.number("number")
    # First nobody can answer any more, so that every answer is judged
    question = await asyncio.to_thread(questions.show, classroom, number)
    payload = {
        "game": question.game,
        "options": dict(question.options),
        "position": question.position,
        "answers": await asyncio.to_thread(questions.answered_moves, question),
    }
    told = await ask(request, "classes-truth", payload, SECONDS, SECONDS)
    if told.error is not None:
        raise told.error
    if told.found is None:
        raise ParlourError(say("this takes longer than usual; try again in a moment"))
    await asyncio.to_thread(questions.show, classroom, number, told.found)
    return respond_to_form(request, f"/classes/{class_id}/teach")


@router.post("/classes/{class_id}/clear")
def clear_screen(
    request: Request,
    class_id: str,
    visitor: VisitorDep,
    classes: ClassesDep,
    questions: QuestionsDep,
) -> Response:
    """Take the position from everybody's screen."""
    questions.clear(classes.require_teacher(class_id, visitor))
    return respond_to_form(request, f"/classes/{class_id}/teach")


# Answering


@router.post("/classes/{class_id}/answer")
def answer_position(
    request: Request,
    class_id: str,
    form: Form,
    visitor: VisitorDep,
    classes: ClassesDep,
    questions: QuestionsDep,
) -> Response:
    """Store what a pupil answers."""

    def show(notice: str, status: int) -> Response:
        _, pupil = classes.require_pupil(class_id, visitor)
        return view.show_pupil(request, classes, pupil, notice, status)

    show_again(request, show)
    classroom, pupil = classes.require_pupil(class_id, visitor)
    questions.answer(classroom, pupil, boards.move_text(form), form.number("at"))
    return respond_to_form(request, f"/classes/{class_id}")


# Files


@router.get("/classes/{class_id}/export.{kind}")
def export_class(
    request: Request,
    class_id: str,
    kind: str,
    classes: ClassesDep,
    questions: QuestionsDep,
    homework: HomeworkDep,
) -> Response:
    """Return what is kept of the class as one file."""
    classroom = classes.require_teacher(class_id, visitor_of(request))
    if kind == "csv":
        content, media = questions.export_csv(classroom), "text/csv; charset=utf-8"
    elif kind == "json":
        document = {**questions.export(classroom), "homework": homework.export(classroom)}
        content, media = json.dumps(document, indent=1), "application/json"
    else:
        raise BadText(say("a class is exported as csv or json"))
    headers = {"content-disposition": f'attachment; filename="class-{class_id}.{kind}"'}
    return Response(content, media_type=media, headers=headers)
