"""The pages by which a teacher asks a position and shows the answers, and a pupil answers.

The position is chosen on a page of its own: any game, any variant, and a position that is typed,
drawn at random, or reached by moves on the board. All of it is in the address.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import BadText, Game, State, registry, say
from parlour.faces.web import requests as web
from parlour.faces.web.classes import view
from parlour.faces.web.classes.homework import HomeworkDep
from parlour.faces.web.classes.questions import QuestionsDep
from parlour.faces.web.classes.service import ClassesDep, Joined, Taught
from parlour.faces.web.errors import NOTHING, NotThere
from parlour.faces.web.forms import describe_variant, list_cards, read_variant
from parlour.faces.web.position import read_move, read_walk, walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.puzzles import PuzzlesDep
from parlour.lessons import LEVELS
from parlour.store import Classroom

router = APIRouter(include_in_schema=False)

SECONDS = 20.0  # until a worker must have found the truth, or a position


# Choosing a position


def _address(classroom: Classroom) -> Callable[..., str]:
    """Return what makes addresses of positions that a class can be asked."""
    return partial(walk_address, f"classes/{classroom.id}/position")


@router.get("/classes/{class_id}/position")
def choose_game(request: Request, classroom: Taught) -> Response:
    """Show the games from which a position can be put on every screen."""
    games = list_cards(_address(classroom))
    return web.page(request, "class_games.html", classroom=classroom, games=games)


@router.get("/classes/{class_id}/position/{name}")
def choose_position(request: Request, classroom: Taught, name: str) -> Response:
    """Show a position of a game, to change it or put it on every screen."""
    typed = request.query_params.get("position", "")
    found = read_variant(name, request.query_params)
    game = found.game or registry.build("games", name)
    walk = read_walk("classes", game, "" if found.wrong else typed, ())
    state, position = walk.state, game.write(walk.state)
    address = _address(classroom)
    return web.page(
        request,
        "class_position.html",
        code=422 if found.wrong or walk.wrong else None,
        back=address(game, typed),
        classroom=classroom,
        wrong_position=walk.wrong,
        position=typed if walk.wrong else position,
        is_start=state == game.start(),
        start=address(game),
        over=not game.moves(state),
        mover=view.name_mover(game, state),
        levels=list(enumerate(LEVELS, start=1)),
        board=boards.board(
            game, state, playable=True, action=url(address(game, position, page="move"))
        ),
        ask=address(game, position, page="ask"),
        draw=address(game, page="draw"),
        **describe_variant(found, address),
    )


def _read_game(request: Request, classroom: Taught, name: str) -> tuple[Game, State]:
    """Read the position of an address; a refusal is shown where it was chosen."""
    web.show_refusal_on(request, partial(choose_position, request, classroom, name))
    game = read_variant(name, request.query_params).require_game()
    walk = read_walk("classes", game, request.query_params.get("position", ""), ())
    if walk.wrong:
        raise BadText(walk.wrong)
    return game, walk.state


Position = Annotated[tuple[Game, State], Depends(_read_game)]


@router.post("/classes/{class_id}/position/{name}/move")
def play_on(request: Request, classroom: Taught, position: Position, form: web.Form) -> Response:
    """Go to the position after a move."""
    game, state = position
    after = game.play(state, read_move(game, state, form))
    return web.redirect(request, _address(classroom)(game, game.write(after)))


@router.post("/classes/{class_id}/position/{name}/draw")
async def draw_position(
    request: Request,
    classroom: Taught,
    position: Position,
    form: web.Form,
    puzzles: PuzzlesDep,
) -> Response:
    """Go to a random position in which few moves are right, as hard as asked for."""
    game, level = position[0], form.number("level", 1, len(LEVELS))
    found = await puzzles.search(game, 1, level, web.visitor_of(request).client)
    if not found:
        raise BadText(say("no such position was found; choose another level or other rules"))
    return web.redirect(request, _address(classroom)(game, found[0]["position"]))


# Asking and showing


@router.post("/classes/{class_id}/position/{name}/ask")
def ask_position(
    request: Request, classroom: Taught, position: Position, questions: QuestionsDep
) -> Response:
    """Put the position on everybody's screen."""
    questions.ask(classroom, *position)
    return web.redirect(request, f"/classes/{classroom.id}/teach")


@router.post("/classes/{class_id}/spread")
def show_spread(
    request: Request, classroom: Taught, form: web.Form, questions: QuestionsDep
) -> Response:
    """Show everybody how many answered what; nobody can answer any more."""
    questions.show(classroom, form.number("number"))
    return web.respond_to_form(request, f"/classes/{classroom.id}/teach")


@router.post("/classes/{class_id}/truth")
async def show_truth(
    request: Request, classroom: Taught, form: web.Form, questions: QuestionsDep
) -> Response:
    """Show everybody what the position is worth, why, and which answers are right."""
    number = form.number("number")
    # First nobody can answer any more, so that every answer is judged
    question = await asyncio.to_thread(questions.show, classroom, number)
    payload = {
        "game": question.game,
        "options": dict(question.options),
        "position": question.position,
        "answers": await asyncio.to_thread(questions.answered_moves, question),
    }
    found = (await web.ask(request, "classes-truth", payload, SECONDS, SECONDS)).require()
    await asyncio.to_thread(questions.show, classroom, number, found)
    return web.respond_to_form(request, f"/classes/{classroom.id}/teach")


@router.post("/classes/{class_id}/clear")
def clear_screen(request: Request, classroom: Taught, questions: QuestionsDep) -> Response:
    """Take the position from everybody's screen."""
    questions.clear(classroom)
    return web.respond_to_form(request, f"/classes/{classroom.id}/teach")


# Answering


@router.post("/classes/{class_id}/answer")
def answer_position(
    request: Request,
    joined: Joined,
    form: web.Form,
    classes: ClassesDep,
    questions: QuestionsDep,
) -> Response:
    """Store what a pupil answers."""
    classroom, pupil = joined
    web.show_refusal_on(request, partial(view.show_pupil, request, classes, pupil))
    questions.answer(classroom, pupil, form, form.number("at"))
    return web.respond_to_form(request, f"/classes/{classroom.id}")


# Files


@router.get("/classes/{class_id}/export.{kind}")
def export_class(
    classroom: Taught, kind: str, questions: QuestionsDep, homework: HomeworkDep
) -> Response:
    """Return what is kept of the class as one file."""
    if kind == "csv":
        content, media = questions.export_csv(classroom), "text/csv; charset=utf-8"
    elif kind == "json":
        document = {**questions.export(classroom), "homework": homework.export(classroom)}
        content, media = json.dumps(document, indent=1), "application/json"
    else:
        raise NotThere(NOTHING)
    return web.download(content, media, f"class-{classroom.id}.{kind}")
