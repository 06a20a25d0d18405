"""The school: a form for a new class of hats, all classes, and each class live as it learns.

A class belongs to the browser that started it; anybody may look at it, open its boxes and play
against it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import BadText, Game, ParlourError, quote, registry, say, sentence, title
from parlour.faces.web import forms
from parlour.faces.web import requests as web
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotThere, NotYours, check_room, require
from parlour.faces.web.live import Topic
from parlour.faces.web.prefix import url
from parlour.faces.web.school import service
from parlour.faces.web.school.service import LIMIT, Lesson, Playing, School, games_of, shows_balls
from parlour.faces.web.services import Services
from parlour.faces.web.table import MAX_NAME, Sources, TablesDep, game_of, read_name, title_of
from parlour.learn import AGAINST, RULES, STARTS, check_boxes, has_numbered_hats
from parlour.store import Seat, Training

router = APIRouter(include_in_schema=False)

SchoolDep = Annotated[School, web.service(School)]


def _find_training(name: str, school: SchoolDep) -> Training:
    return school.read(name)


TrainingDep = Annotated[Training, Depends(_find_training)]  # the class of an address

FIRST = ("sticks", "tictactoe", "nim", "chopsticks")
DEFAULT_GAMES = 100_000
MAX_GAMES = 100_000_000  # in all, in one class
MAX_SEED = 10**6  # of random seeds; longer ones can be typed
RULE_NAMES = {"hats": say("Hats"), "menace": say("MENACE")}
MAX_ON = 2  # classes of one browser that learn at the same time
MAX_KEPT = 50  # classes of one browser
MAX_SHOWN = 12  # of other browsers
MAX_POSITION = 90  # letters of a position that is opened
SLOW_GAMES = 10  # that a class which has played all its games plays slowly


# A class, live


def start_section(services: Services) -> None:
    """Make the school, whose classes play at tables, and keep open pages up to date."""
    school = services.add(School(services.store, services.hub, services.workers))
    services.forgetters.append(school.forget)
    services.get(Sources)["school"] = school
    services.resumers.append(school.resume)
    template = web.TEMPLATES.get_template("school_class_main.html")

    def role(lesson: Lesson, visitor: Visitor) -> bool:
        return visitor.owns(lesson.training.owner)  # who sees more of it

    def render(lesson: Lesson, visitor: Visitor, view: str) -> str:
        player, _, position = view.partition(":")
        view = read_view(player, position)
        return template.render(**_values(school, lesson, visitor, view))

    services.hub.topics["training"] = Topic(school.fetch, role, render)


SECTION = web.Section((router,), ("/school", say("School")), start_section)


def read_view(player: str, position: str) -> str:
    """Return what a page shows of a class: `2:` for the second player's hats, `:7` for a box."""
    if player not in ("", "1", "2"):
        raise BadText("the player is 1 or 2, not {player}", player=quote(player))
    position = " ".join(position.split())
    if len(position) > MAX_POSITION:
        raise BadText("this is too long; at most {most:,} characters fit", most=MAX_POSITION)
    return f"{player}:{position}" if player or position else ""


def _box(view: str) -> str:
    """Return the view if it opens a box, else nothing."""
    return view if view.partition(":")[2] else ""


def _values(school: School, lesson: Lesson, visitor: Visitor, view: str) -> dict[str, Any]:
    """Return the values of the template."""
    training, details = lesson.training, lesson.details
    player, _, position = view.partition(":")
    at = f"/school/{training.id}"
    box = None
    if school.open_view(lesson, _box(view)) and details is not None:
        box = details["boxes"][view]
    row = int(player) - 1 if player else (box or {}).get("row", 0)
    players = details["players"] if details else []
    game = game_of(training)
    return {
        "training": training,
        "title": title(game),
        "numbered": has_numbered_hats(game),
        "games": games_of(training),
        "mine": visitor.owns(training.owner),
        "details": details,
        "row": min(row, max(0, len(players) - 1)),
        "players": len(players),
        "player": players[min(row, len(players) - 1)] if players else None,
        "asked": position,
        "box": box,
        "board": _draw_board(game, position, f"{at}/press?{_address(player, position)}"),
        "following": details["next"] if details and shows_balls(training) else None,
        "shown": service.balls_shown(training),
        "slow": service.is_slow(training),
        "most": MAX_GAMES,
    }


def _address(player: str, position: str) -> str:
    return urlencode({"player": player, "position": position})


def _draw_board(game: Game, position: str, action: str) -> str:
    """Draw the position that is opened, or the start, to go on from by pressing a move."""
    state = game.start()
    if position:
        with contextlib.suppress(ParlourError):  # then no box is open either
            state = game.read(position)
    return boards.board(game, state, playable=True, action=url(action))


@router.get("/school/{name}")
async def show_class(
    request: Request,
    training: TrainingDep,
    school: SchoolDep,
    player: str = "",
    position: str = "",
) -> Response:
    """Show a class."""
    school.wake(training)
    view = wrong = ""
    try:
        view = read_view(player, position)
    except BadText as error:
        wrong = error.text
    lesson = await school.look(training, _box(view))
    box = (lesson.details or {"boxes": {}})["boxes"].get(view, {})
    if wrong := wrong or box.get("refused", ""):
        refused: dict[str, Any] = {"code": 422, "notice": sentence(wrong)}
        return await asyncio.to_thread(_page, request, school, lesson, **refused)
    return await asyncio.to_thread(_page, request, school, lesson, view)


def _page(
    request: Request, school: School, lesson: Lesson, view: str = "", **values: Any
) -> Response:
    training = lesson.training
    return web.page(
        request,
        "school_class.html",
        live=f"training:{training.id}",
        version=lesson.version,
        waiting=training.state == "on",
        **_values(school, lesson, web.visitor_of(request), view),
        **values,
    )


def _find_to_act(request: Request, training: TrainingDep, school: SchoolDep) -> Training:
    """Return the class of an address; a refusal is shown on its page."""

    def show() -> Response:
        return _page(request, school, require(school.fetch(training.id)))

    web.show_refusal_on(request, show)
    return training


ToActOn = Annotated[Training, Depends(_find_to_act)]


def _find_own(request: Request, training: ToActOn) -> Training:
    if not web.visitor_of(request).owns(training.owner):
        raise NotYours(
            say("this class belongs to somebody else; you can look at it and play against it")
        )
    return training


Own = Annotated[Training, Depends(_find_own)]


@router.post("/school/{name}/press")
def press(request: Request, training: ToActOn, form: web.Form) -> Response:
    """Make a move on the board of boxes, and open the box of the position after it."""
    player = request.query_params.get("player", "")
    asked = read_view(player, request.query_params.get("position", "")).partition(":")[2]
    game = game_of(training)
    state = game.read(asked) if asked else game.start()
    move = game.read_move(state, boards.move_text(form)[:MAX_POSITION])
    position = game.write(game.play(state, move))
    return web.redirect(request, f"/school/{training.id}?{_address(player, position)}#open")


# Boxes, pictures and files


def _read_row(player: str = "1") -> int:
    """Return whose boxes are meant, counted from 0."""
    return int(read_view(player, "").partition(":")[0] or 1) - 1


Row = Annotated[int, Depends(_read_row)]


@router.get("/school/{name}/boxes")
async def show_boxes(
    request: Request, training: TrainingDep, workers: web.WorkersDep, row: Row
) -> Response:
    """Show all boxes of a player, a page at a time."""
    number = web.read_number(request.query_params.get("page", "1")) or 1
    payload = {"hats": training.hats, "row": row, "page": number}
    found = await workers.run("school-page", payload, LIMIT, client=web.visitor_of(request).client)
    return await asyncio.to_thread(
        web.page,
        request,
        "school_boxes.html",
        training=training,
        title=title_of(training),
        numbered=has_numbered_hats(game_of(training)),
        row=row,
        boxes=found,
    )


@router.get("/school/{name}/sheets")
async def download_sheets(
    visitor: web.VisitorDep, training: TrainingDep, workers: web.WorkersDep, row: Row
) -> Response:
    """Download the boxes of a player as pages to print."""
    payload = {"hats": training.hats, "row": row}
    found = await workers.run("school-sheets", payload, LIMIT, client=visitor.client)
    file = f"{training.game}-{training.id}-{row + 1}.pdf"
    return web.download(base64.b64decode(found), "application/pdf", file)


@router.get("/school/{name}/curve")
async def download_curve(training: TrainingDep, workers: web.WorkersDep, row: Row) -> Response:
    """Download the learning curve as a picture."""
    payload = {"hats": training.hats, "row": row}
    picture = await workers.run("school-curve", payload, LIMIT, client=training.owner)
    return web.download(picture, "image/svg+xml", f"{training.game}-{training.id}-{row + 1}.svg")


@router.get("/school/{name}/hats")
def download_hats(training: TrainingDep) -> Response:
    """Download the hats, to be read by `parlour hats NAME --import FILE`."""
    return web.download(training.hats, "application/json", f"{training.game}-{training.id}.json")


# Actions


@router.post("/school/{name}/play", dependencies=web.LIMIT_CREATION)
def play(
    request: Request,
    training: ToActOn,
    visitor: web.VisitorDep,
    form: web.Form,
    tables: TablesDep,
) -> Response:
    """Play against a class."""
    learning = form.get("learning") == "yes" and visitor.owns(training.owner)
    hats = Playing(training.id, form.get("how") == "likeliest", learning)
    seats = [
        Seat("person", "You", owner=visitor.owner),
        hats.seat(str(RULE_NAMES[training.settings["rule"]])),
    ]
    if form.get("begins") == "hats":
        seats.reverse()
    table = tables.create(game_of(training), seats, listed=False, creator=visitor.client)
    return web.respond_to_form(request, f"/tables/{table.id}")


@router.post("/school/{name}/draw")
async def draw(request: Request, training: Own, school: SchoolDep) -> Response:
    """Draw the next ball of a class or, after the last, put the balls back."""
    await school.draw(training.id)
    return web.respond_to_form(request, f"/school/{training.id}#h-next")


@router.post("/school/{name}/game")
async def play_next(request: Request, training: Own, school: SchoolDep) -> Response:
    """Play the whole next game of a class."""
    await school.play_game(training.id)
    return web.respond_to_form(request, f"/school/{training.id}#h-next")


@router.post("/school/{name}/forget")
def forget(request: Request, training: Own, school: SchoolDep) -> Response:
    """Delete a class."""
    school.remove(training.id)
    return web.respond_to_form(request, "/school")


def _check_action(action: str) -> str:
    return require(action if action in ACTIONS else None)


@router.post("/school/{name}/{action}")
def act(
    request: Request,
    action: Annotated[str, Depends(_check_action)],
    training: Own,
    form: web.Form,
    school: SchoolDep,
) -> Response:
    """Pause a class, go on, slowly or at full speed, or play more games."""
    if action != "pause":
        _check_learning(school, web.visitor_of(request), training.id)
    school.change(training.id, lambda found: ACTIONS[action](found, form))
    return web.respond_to_form(request, f"/school/{training.id}")


def _pause(training: Training, form: web.Fields) -> Training:
    return service.pause(training)


def _go_slowly(training: Training, form: web.Fields) -> Training:
    games = games_of(training)
    target = games + SLOW_GAMES if games >= training.target else training.target
    settings = {**training.settings, "speed": "slow"}
    return replace(training, settings=settings, target=target, state="on", note="")


def _go_fast(training: Training, form: web.Fields) -> Training:
    return replace(training, settings={**training.settings, "speed": "fast", "shown": 0})


def _go_on(training: Training, form: web.Fields) -> Training:
    if games_of(training) >= training.target:
        raise Changed(say("this class has played all its games; say how many more it should play"))
    return replace(training, state="on", note="")


def _add_games(training: Training, form: web.Fields) -> Training:
    before = training.target if training.state == "on" else games_of(training)
    more = form.number("games", 1, MAX_GAMES - before) or DEFAULT_GAMES
    return replace(training, target=before + more, state="on", note="")


ACTIONS = {
    "pause": _pause,
    "go-on": _go_on,
    "slow": _go_slowly,
    "fast": _go_fast,
    "more": _add_games,
}


def _check_learning(school: School, visitor: Visitor, name: str = "") -> None:
    on = school.store.trainings.find(owner=visitor.owner, state="on", limit=MAX_ON + 1)
    if len([training for training in on if training.id != name]) >= MAX_ON:
        raise Changed(
            "{max_on} of your classes are already learning; pause one, or wait until it is done",
            max_on=MAX_ON,
        )


# All classes


@router.get("/school")
def show_school(request: Request, school: SchoolDep, game: str = "") -> Response:
    """Show the classes, and a form for a new one."""
    name = check_learnable(game or next(iter(list_learnable())))
    return _school(request, school, name, dict(request.query_params))


def _school(request: Request, school: School, name: str, typed: Mapping[str, str]) -> Response:
    visitor = web.visitor_of(request)
    own = school.store.trainings.find(owner=visitor.owner, limit=MAX_KEPT)
    newest = school.store.trainings.find(limit=MAX_SHOWN + len(own))
    others = [each for each in newest if each.owner != visitor.owner][:MAX_SHOWN]
    return web.page(
        request,
        "school.html",
        games=list_learnable(),
        chosen=name,
        fields=forms.fields_beside(name, typed),
        typed={"games": str(DEFAULT_GAMES), **typed},
        rules=[(rule.name, RULE_NAMES[rule.name], sentence(rule.about)) for rule in RULES.values()],
        most=MAX_GAMES,
        own=[(each, title_of(each)) for each in own],
        others=[(each, title_of(each)) for each in others],
    )


@router.post("/school", dependencies=web.LIMIT_CREATION)
async def begin(
    request: Request, form: web.Form, visitor: web.VisitorDep, school: SchoolDep
) -> Response:
    """Start a class."""
    games, name = list_learnable(), form.get("game", "")
    name = name if name in games else next(iter(games))
    web.show_refusal_on(request, partial(_school, request, school, name, form))
    new = await asyncio.to_thread(_read_class, form)
    await asyncio.to_thread(_check_room, school, visitor)
    made = await school.begin(visitor.owner, *new)
    return web.respond_to_form(request, f"/school/{made.id}")


def _check_room(school: School, visitor: Visitor) -> None:
    _check_learning(school, visitor)
    check_room(len(school.store.trainings.find(owner=visitor.owner, limit=MAX_KEPT)), MAX_KEPT)


# The form


def list_learnable() -> dict[str, str]:
    """Return the titles of the games that hats can learn, by name."""
    return _find_learnable(tuple(registry.games()))


@cache
def _find_learnable(names: tuple[str, ...]) -> dict[str, str]:
    """Try which of these games hats can learn; a game added while the server runs is tried then."""
    found = {}
    for name in sorted(names, key=(FIRST + names).index):
        try:
            game = registry.build("games", name)
            check_boxes(game)
        except ParlourError:
            continue
        found[name] = title(game)
    return found


def check_learnable(name: str) -> str:
    """Return the name if hats can learn the game."""
    if name not in list_learnable():
        raise NotThere("hats cannot learn {name}; choose a game from the list", name=quote(name))
    return name


def _read_class(form: web.Fields) -> tuple[str, Game, dict[str, Any], int]:
    """Read the name, the game, the settings of the hats, and the number of games."""
    game = forms.read_beside(check_learnable(form.get("game", "")), form)
    settings: dict[str, Any] = {}
    for what, choices in (("rule", tuple(RULES)), ("against", AGAINST), ("starts", STARTS)):
        settings[what] = form.get(what) or choices[0]
        if settings[what] not in choices:
            raise BadText(
                "{what} cannot be {settings}; choose one from the list",
                what=what,
                settings=quote(settings[what]),
            )
    seed, games = form.number("seed"), form.number("games", 0, MAX_GAMES)
    settings["seed"] = secrets.randbelow(MAX_SEED) if seed is None else seed
    games = DEFAULT_GAMES if games is None else games
    named, rule = title(game), RULE_NAMES[settings["rule"]]
    if len(named) > MAX_NAME - 8:
        named = named[: MAX_NAME - 8]
    default = say("{title}, {rule}", title=named, rule=rule)
    return read_name(form.get("name", ""), default), game, settings, games
