"""The school: classes of hats, a form for a new one, and each as it learns, live.

A class belongs to the browser that began it; anybody may look at it, open its boxes, and play it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import BadText, ParlourError, quote, sentence, title
from parlour.faces.web.errors import Changed, NotThere, NotYours
from parlour.faces.web.house import House, Live
from parlour.faces.web.identity import Visitor
from parlour.faces.web.requests import MAKING, Fields, Form, house_of, page, posted, visitor_of
from parlour.faces.web.school.form import (
    BEGINS,
    MOST_GAMES,
    RULE_NAMES,
    USUAL_GAMES,
    WHOM,
    check_learnable,
    fields,
    learnable,
    wished,
)
from parlour.faces.web.school.service import LIMIT, Lesson, Playing, games_of
from parlour.faces.web.table import game_of, titled
from parlour.faces.web.table import service as verbs
from parlour.learn import RULES
from parlour.store import Seat, Training

router = APIRouter()

MOST_ON = 2  # classes of one browser that learn at the same time
MOST_KEPT = 50  # classes of one browser
MOST_SHOWN = 12  # of other browsers
LONGEST_VIEW = 90  # letters of a position that is opened
STATES = {"on": "learning", "paused": "paused", "done": "done", "failed": "stopped"}


# A class, live


def fetch(house: House, name: str) -> Lesson | None:
    """The class as it is stored, with what there is to see of it."""
    training = house.store.trainings.get(name)
    if training is None:
        return None
    looking = asyncio.run_coroutine_threadsafe(house.school.look(training), house.loop)
    return looking.result(LIMIT * 2)


def role(lesson: Lesson, visitor: Visitor) -> bool:
    """Those who may change a class see more of it."""
    return visitor.owns(lesson.training.owner)


def render(house: House, lesson: Lesson, visitor: Visitor, view: str) -> str:
    """The inside of the page."""
    player, _, position = view.partition(":")
    view = read_view(player, position)
    return house.render("school_class_main.html", **shown(house, lesson, visitor, view))


LIVE = Live(fetch, role, render)


def read_view(player: str, position: str) -> str:
    """What a page shows of a class: `2:` for the second player's hats, `:7` for a box."""
    if player not in ("", "1", "2"):
        raise BadText(f"the player cannot be {quote(player)}; it is 1 or 2")
    position = " ".join(position.split())
    if len(position) > LONGEST_VIEW:
        raise BadText("that position is too long for a box here")
    return f"{player}:{position}" if player or position else ""


def _box(view: str) -> str:
    """The view, if it opens a box; else nothing."""
    return view if view.partition(":")[2] else ""


def shown(house: House, lesson: Lesson, visitor: Visitor, view: str) -> dict[str, Any]:
    """All that the template tells."""
    training, told = lesson.training, lesson.told
    player, _, position = view.partition(":")
    box = None
    if house.school.has_open(lesson, _box(view)) and told is not None:
        box = told["boxes"][view]
    row = int(player) - 1 if player else (box or {}).get("row", 0)
    players = told["players"] if told else []
    return {
        "training": training,
        "title": title(game_of(training)),
        "rule": RULE_NAMES[training.settings["rule"]],
        "games": games_of(training),
        "state": STATES[training.state],
        "mine": visitor.owns(training.owner),
        "told": told,
        "row": min(row, max(0, len(players) - 1)),
        "players": len(players),
        "player": players[min(row, len(players) - 1)] if players else None,
        "view": view,
        "asked": position,
        "box": box,
        "most": MOST_GAMES,
    }


@router.get("/school/{name}")
async def one(request: Request, name: str, player: str = "", position: str = "") -> Response:
    """The page of a class."""
    house = house_of(request)
    training = await house.run(house.school.read, name)
    house.school.wake(training)
    try:
        view = read_view(player, position)
    except BadText as refusal:
        return await _looked(request, training, "", str(refusal))
    return await _looked(request, training, view)


async def _looked(request: Request, training: Training, view: str, wrong: str = "") -> Response:
    house = house_of(request)
    lesson = await house.school.look(training, _box(view))
    box = (lesson.told or {"boxes": {}})["boxes"].get(view, {})
    wrong = wrong or box.get("refused", "")
    if wrong:
        return await house.run(_page, request, lesson, "", sentence(wrong), 422)
    return await house.run(_page, request, lesson, view)


def _page(
    request: Request, lesson: Lesson, view: str = "", notice: str = "", status: int = 200
) -> Response:
    training = lesson.training
    return page(
        request,
        "school_class.html",
        code=status,
        notice=notice,
        live=f"training:{training.id}",
        version=lesson.version,
        waiting=training.state == "on",
        **shown(house_of(request), lesson, visitor_of(request), view),
    )


@router.get("/school/{name}/hats")
def saved(request: Request, name: str) -> Response:
    """The hats as a file, which `parlour hats NAME --import FILE` reads."""
    training = house_of(request).school.read(name)
    kept = f'attachment; filename="{training.game}-{training.id}.json"'
    return Response(training.hats, media_type="application/json", headers=_as(kept))


@router.get("/school/{name}/curve")
async def curve(request: Request, name: str, player: str = "1") -> Response:
    """The learning curve as a picture to keep."""
    house = house_of(request)
    training = await house.run(house.school.read, name)
    row = int(read_view(player, "").partition(":")[0] or 1) - 1
    payload = {"hats": training.hats, "row": row}
    picture = await house.thinkers.ask("school-curve", payload, LIMIT, whose=training.owner)
    kept = f'attachment; filename="{training.game}-{training.id}-{row + 1}.svg"'
    return Response(picture, media_type="image/svg+xml", headers=_as(kept))


def _as(disposition: str) -> dict[str, str]:
    return {"content-disposition": disposition}


# What is done with a class


def _posted(request: Request, name: str, do: Callable[[House, Visitor], str]) -> Response:
    house, visitor = house_of(request), visitor_of(request)

    def show(notice: str, status: int) -> Response:
        lesson = fetch(house, name)
        if lesson is None:
            raise NotThere("there is no such class any more; the school lists those there are")
        return _page(request, lesson, "", notice, status)

    return posted(request, lambda: do(house, visitor), show)


def _change(house: House, visitor: Visitor, name: str, how: Callable[[Training], Training]) -> None:
    """Change a class that is the visitor's."""

    def checked(training: Training) -> Training:
        _check_owner(training, visitor)
        return how(training)

    house.school.change(name, checked)


def _check_owner(training: Training, visitor: Visitor) -> None:
    if not visitor.owns(training.owner):
        raise NotYours("this class is somebody else's; you may look at it, and play it")


@router.post("/school/{name}/play", dependencies=MAKING)
def play(request: Request, name: str, form: Form) -> Response:
    """Sit down against a class."""

    def do(house: House, visitor: Visitor) -> str:
        training = house.school.read(name)
        hats_begin = form.get("begins") == "hats"
        learning = form.get("learning") == "yes" and visitor.owns(training.owner)
        hats = Playing(training.id, form.get("how") == "likeliest", learning)
        seats = [
            Seat("person", "You", owner=visitor.owner),
            hats.seat(RULE_NAMES[training.settings["rule"]]),
        ]
        table = verbs.create(
            house,
            game_of(training),
            seats[::-1] if hats_begin else seats,
            listed=False,
            creator=visitor.client,
        )
        return f"/tables/{table.id}"

    return _posted(request, name, do)


@router.post("/school/{name}/{wish}")
def other(request: Request, name: str, wish: str, form: Form) -> Response:
    """Pause, go on, play more games, or forget it all."""

    def do(house: House, visitor: Visitor) -> str:
        if wish == "forget":
            _check_owner(house.school.read(name), visitor)
            house.school.remove(name)
            return "/school"
        if wish not in WISHES:
            raise NotThere(f"nobody can {quote(wish)} a class")
        if wish != "pause":
            _check_owner(house.school.read(name), visitor)
            _check_turns(house, visitor, name)
        _change(house, visitor, name, lambda training: WISHES[wish](training, form))
        return f"/school/{name}"

    return _posted(request, name, do)


def _paused(training: Training, form: Fields) -> Training:
    return replace(training, state="paused") if training.state == "on" else training


def _gone_on(training: Training, form: Fields) -> Training:
    if games_of(training) >= training.target:
        raise Changed("it has played all its games; say how many more")
    return replace(training, state="on", note="")


def _with_more(training: Training, form: Fields) -> Training:
    more = form.number("games")
    if not more:
        raise BadText("say how many games more, 1 at least")
    before = training.target if training.state == "on" else games_of(training)
    if before + more > MOST_GAMES:
        raise BadText(f"a class plays {MOST_GAMES:,} games at most")
    return replace(training, target=before + more, state="on", note="")


WISHES = {"pause": _paused, "go-on": _gone_on, "more": _with_more}


def _check_turns(house: House, visitor: Visitor, name: str = "") -> None:
    on = house.store.trainings.find(owner=visitor.owner, state="on", limit=MOST_ON + 1)
    if len([training for training in on if training.id != name]) >= MOST_ON:
        raise Changed(f"{MOST_ON} of your classes are learning already; pause one, or wait")


# All classes


@router.get("/school")
def school(request: Request, game: str = "") -> Response:
    """The classes, and a form for a new one."""
    name = check_learnable(game or next(iter(learnable())))
    return _school(request, name, dict(request.query_params))


def _school(
    request: Request, name: str, typed: Mapping[str, str], notice: str = "", status: int = 200
) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    own = house.store.trainings.find(owner=visitor.owner, limit=MOST_KEPT)
    others = house.store.trainings.find(limit=MOST_SHOWN + len(own))
    return page(
        request,
        "school.html",
        code=status,
        notice=notice,
        games=learnable(),
        chosen=name,
        fields=fields(name, typed),
        typed={"games": str(USUAL_GAMES), **typed},
        rules=[(rule.name, RULE_NAMES[rule.name], f"{rule.about}.") for rule in RULES.values()],
        whom=list(WHOM.items()),
        begins=list(BEGINS.items()),
        most=MOST_GAMES,
        own=[_row(training) for training in own],
        others=[_row(each) for each in others if each.owner != visitor.owner][:MOST_SHOWN],
    )


def _row(training: Training) -> dict[str, Any]:
    return {
        "id": training.id,
        "name": training.name,
        "title": titled(training),
        "games": games_of(training),
        "state": training.state,
        "told": STATES[training.state],
    }


@router.post("/school", dependencies=MAKING)
async def begin(request: Request, form: Form) -> Response:
    """Begin a class."""
    house, visitor = house_of(request), visitor_of(request)
    try:
        wish = await house.run(wished, form)
        await house.run(_check_room, house, visitor)
        made = await house.school.begin(
            visitor.owner, wish.name, wish.game, wish.settings, wish.games
        )
    except ParlourError as trouble:
        refusal: ParlourError | None = trouble
    else:
        refusal = None

    def do() -> str:
        if refusal is not None:
            raise refusal
        return f"/school/{made.id}"

    name = form.get("game", "")
    name = name if name in learnable() else next(iter(learnable()))
    return await house.run(
        posted, request, do, lambda notice, status: _school(request, name, form, notice, status)
    )


def _check_room(house: House, visitor: Visitor) -> None:
    if not visitor.owner:
        raise NotYours("your browser keeps no cookies; allow them for this page")
    _check_turns(house, visitor)
    if len(house.store.trainings.find(owner=visitor.owner, limit=MOST_KEPT)) >= MOST_KEPT:
        raise Changed(f"you have {MOST_KEPT} classes, the most there may be; forget one first")
