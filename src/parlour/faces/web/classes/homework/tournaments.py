"""The pages of the tournaments of a class: between its pupils, or between bots they handed in.

Pupils play in rounds that the teacher starts; `rounds` pairs them and counts. Their bots play each
other in the sandbox, as in any other tournament of bots.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import registry, title
from parlour.faces.web import requests as web
from parlour.faces.web.classes.homework.page import TaughtHomework
from parlour.faces.web.classes.homework.results import BOT
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds, StoredRounds
from parlour.faces.web.classes.homework.service import HomeworkDep, list_homework
from parlour.faces.web.classes.homework.view import describe_rounds
from parlour.faces.web.classes.service import ClassesDep, Taught, list_present
from parlour.faces.web.errors import require
from parlour.faces.web.forms import list_changes, order_games
from parlour.faces.web.prefix import see_other
from parlour.faces.web.table import game_of
from parlour.faces.web.tournaments import Runner
from parlour.store import Store

router = APIRouter(include_in_schema=False)

RoundsDep = Annotated[Rounds, web.service(Rounds)]
RunnerDep = Annotated[Runner, web.service(Runner)]

MAX_BOTS = 40  # of a tournament of handed-in bots


# Starting one


@router.get("/classes/{class_id}/tournament")
def show_start(
    request: Request, classroom: Taught, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the form for a tournament of the class, and those it has played."""
    store, class_id = homework.store, classroom.id
    here = _find_present(store, class_id)
    tasks = list_homework(store, class_id)
    variants = {game_of(each): each for each in reversed(tasks)}
    return web.page(
        request,
        "class_tournament.html",
        back=f"/classes/{class_id}/tournament",
        classroom=classroom,
        present=[each for each in classes.list_pupils(class_id) if each.id in here],
        games=[(each, title(registry.build("games", each))) for each in order_games()],
        variants=[(each.id, each.name) for game, each in variants.items() if list_changes(game)],
        bots=[(each, len(homework.list_bots(each))) for each in tasks if each.kind == BOT],
        played=store.tournaments.find(owner=f"class:{class_id}"),
    )


def _find_present(store: Store, class_id: str) -> set[str]:
    return list_present(store.class_presence.find(class_id), time.time())


@router.post("/classes/{class_id}/tournament", dependencies=web.LIMIT_CREATION)
def start_tournament(
    request: Request,
    classroom: Taught,
    form: web.Form,
    classes: ClassesDep,
    homework: HomeworkDep,
    rounds: RoundsDep,
) -> Response:
    """Start a tournament between the pupils who are here."""
    web.show_refusal_on(request, partial(show_start, request, classroom, classes, homework))
    chosen = form.get("game", "")
    if chosen in order_games():
        game = registry.build("games", chosen)
    else:  # the rules of a homework
        found = homework.read(chosen)
        game = game_of(require(found if found.class_id == classroom.id else None))
    here = _find_present(homework.store, classroom.id)
    started = rounds.start(classroom, game, here)
    return web.redirect(request, f"/rounds/{started.tournament.id}")


@router.post("/homework/{homework_id}/tournament", dependencies=web.LIMIT_CREATION)
def start_bots(
    request: Request, found: TaughtHomework, homework: HomeworkDep, runner: RunnerDep
) -> Response:
    """Start a tournament, played in the sandbox, of the bots that pupils handed in."""
    made = runner.create(
        f"class:{found.class_id}",
        found.name,
        found.game,
        dict(found.options),
        homework.list_bots(found),
        rounds=1,
        most=MAX_BOTS,
    )
    return web.redirect(request, f"/tournaments/{made.id}")


# The rounds of one


def _find_rounds(request: Request, tournament_id: str, rounds: RoundsDep) -> StoredRounds:
    return rounds.read_for(web.visitor_of(request), tournament_id)


Followed = Annotated[StoredRounds, Depends(_find_rounds)]  # of an address, for those in the class


@router.get("/rounds/{tournament_id}")
def show_rounds(request: Request, found: Followed, classes: ClassesDep) -> Response:
    """Show a tournament to those in the class, live."""
    return web.page(
        request,
        "class_rounds.html",
        here="/classes",
        back=f"/rounds/{found.tournament.id}",
        live=f"{ROUNDS}:{found.tournament.id}",
        version=found.version,
        waiting=found.tournament.state == ROUNDS,
        **describe_rounds(classes, found, web.visitor_of(request)),
    )


def _find_taught(request: Request, found: Followed, classes: ClassesDep) -> StoredRounds:
    web.show_refusal_on(request, partial(show_rounds, request, found, classes))
    classes.require_teacher(found.class_id, web.visitor_of(request))
    return found


TaughtRounds = Annotated[StoredRounds, Depends(_find_taught)]  # likewise, for the teacher


@router.post("/rounds/{tournament_id}/next")
def start_next(
    request: Request, found: TaughtRounds, rounds: RoundsDep, store: web.StoreDep
) -> Response:
    """Start the next round."""
    rounds.start_next(found, _find_present(store, found.class_id))
    return web.respond_to_form(request, f"/rounds/{found.tournament.id}")


@router.post("/rounds/{tournament_id}/end")
def finish(request: Request, found: TaughtRounds, rounds: RoundsDep) -> Response:
    """End the tournament."""
    rounds.finish(found)
    return web.respond_to_form(request, f"/rounds/{found.tournament.id}")


@router.get("/rounds/{tournament_id}/game")
def go_to_game(request: Request, found: Followed, classes: ClassesDep) -> Response:
    """Send a pupil to their game of this round, if they have one to play."""
    table = describe_rounds(classes, found, web.visitor_of(request))["my_game"]
    return see_other(f"/tables/{table}" if table else f"/rounds/{found.tournament.id}")
