"""The pages of the tournaments of a class: between its pupils, or between bots they handed in.

Pupils play in rounds that the teacher starts; `rounds` pairs them and counts. Their bots play each
other in the sandbox, as in any other tournament of bots.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import options_of, registry, say, title
from parlour.faces.web.classes.homework.page import require_taught
from parlour.faces.web.classes.homework.results import BOT
from parlour.faces.web.classes.homework.rounds import ROUNDS, Rounds, StoredRounds
from parlour.faces.web.classes.homework.service import HomeworkDep, HomeworkService
from parlour.faces.web.classes.homework.view import describe_rounds
from parlour.faces.web.classes.service import ClassesDep, ClassService, list_present
from parlour.faces.web.errors import NotThere
from parlour.faces.web.forms import order_games
from parlour.faces.web.prefix import see_other
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    Form,
    StoreDep,
    page,
    redirect,
    respond_to_form,
    service,
    show_again,
    visitor_of,
)
from parlour.faces.web.table import game_of
from parlour.faces.web.tournaments import Runner
from parlour.store import Homework, Store

router = APIRouter(include_in_schema=False)

RoundsDep = Annotated[Rounds, service(Rounds)]
RunnerDep = Annotated[Runner, service(Runner)]

MAX_BOTS = 40  # of a tournament of handed-in bots


# Starting one


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
    """Start a tournament between the pupils who are here."""
    show_again(request, partial(_start_page, request, class_id, classes, homework))
    classroom = classes.require_teacher(class_id, visitor_of(request))
    chosen = form.get("game", "")
    if chosen in order_games():
        game = registry.build("games", chosen)
    else:  # the rules of a homework
        found = homework.read(chosen)
        if found.class_id != class_id:
            raise NotThere(say("there is no such homework in this class"))
        game = game_of(found)
    here = _find_present(store, class_id)
    return redirect(request, f"/rounds/{rounds.start(classroom, game, here).tournament.id}")


def _find_present(store: Store, class_id: str) -> set[str]:
    return list_present(store.class_presence.find(class_id), time.time())


@router.get("/classes/{class_id}/tournament")
def show_start(
    request: Request, class_id: str, classes: ClassesDep, homework: HomeworkDep
) -> Response:
    """Show the form for a tournament of the class, and those it has played."""
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
    here = _find_present(store, class_id)
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
        games=[(each, title(registry.build("games", each))) for each in order_games()],
        variants=[(each.id, each.name) for each in distinct.values() if not _is_default(each)],
        bots=[(each, len(homework.list_bots(each))) for each in tasks if each.kind == BOT],
        played=store.tournaments.find(owner=f"class:{class_id}"),
    )


def _is_default(homework: Homework) -> bool:
    """Whether a homework uses the default rules of its game."""
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
    """Start a tournament, played in the sandbox, of the bots that pupils handed in."""
    found = require_taught(request, classes, homework, homework_id)
    made = runner.create(
        f"class:{found.class_id}",
        found.name,
        found.game,
        dict(found.options),
        homework.list_bots(found),
        rounds=1,
        most=MAX_BOTS,
    )
    return redirect(request, f"/tournaments/{made.id}")


# The rounds of one


@router.get("/rounds/{tournament_id}")
def show_rounds(
    request: Request, tournament_id: str, classes: ClassesDep, rounds: RoundsDep
) -> Response:
    """Show a tournament to those in the class, live."""
    found = rounds.read_for(visitor_of(request), tournament_id)
    return _rounds_page(request, classes, found)


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
        **describe_rounds(classes, found, visitor_of(request)),
    )


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
    found = rounds.read_for(visitor_of(request), tournament_id)
    show_again(request, partial(_rounds_page, request, classes, found))
    classes.require_teacher(found.class_id, visitor_of(request))
    if action == "next":
        rounds.start_next(found, _find_present(store, found.class_id))
    elif action == "end":
        rounds.finish(found)
    else:
        raise NotThere(say("a tournament of a class has no such action"))
    return respond_to_form(request, f"/rounds/{tournament_id}")


@router.get("/rounds/{tournament_id}/game")
def go_to_game(
    request: Request, tournament_id: str, classes: ClassesDep, rounds: RoundsDep
) -> Response:
    """Send a pupil to their game of this round, if they have one to play."""
    found = rounds.read_for(visitor_of(request), tournament_id)
    table = describe_rounds(classes, found, visitor_of(request))["my_game"]
    return see_other(f"/tables/{table}" if table else f"/rounds/{tournament_id}")
