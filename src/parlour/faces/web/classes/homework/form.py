"""Setting homework: what a teacher can set, the form for it, and how that form is read.

Everything is checked when it is set: puzzles are found or looked up, a bot must play the variant,
and hats must be able to learn it. A bot can be asked for only where there is a sandbox to run it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import BadText, Game, registry, say, title, values
from parlour.faces.web import forms, table
from parlour.faces.web import requests as web
from parlour.faces.web.classes.homework.results import BEAT, BOT, HATS, KINDS, LATE, PUZZLES
from parlour.faces.web.classes.homework.service import HomeworkDep, HomeworkService
from parlour.faces.web.classes.service import Taught
from parlour.faces.web.errors import require
from parlour.faces.web.puzzles import PuzzleService
from parlour.faces.web.school import list_learnable
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.table import BotCatalogue, BotsDep, describe_bot, list_levels
from parlour.faces.web.texts import _, translate
from parlour.learn import check_boxes
from parlour.lessons import LEVELS
from parlour.store import Classroom, Homework

router = APIRouter(include_in_schema=False)

MAX_PUZZLES = 20
MAX_WINS = 10
MAX_POINTS = 1000
MAX_OPPONENTS = 3
GAMES = 10  # of a bot against each opponent
PUZZLE_ID = re.compile(r"\b[0-9a-f]{12}\b")
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    PUZZLES: {"number": "5", "level": ""},
    BEAT: {"bot": "", "wins": "1"},
    HATS: {"mark": "90"},
    BOT: {"opponent-1": "random", "mark": "50"},
}
USUAL_GAME = "sticks"


def name_kind(kind: str) -> str:
    """Return what a kind of homework is called."""
    return {
        PUZZLES: _("Puzzles"),
        BEAT: _("Beat a bot"),
        HATS: _("Train hats"),
        BOT: _("Hand in a bot"),
    }[kind]


async def list_opponents(catalogue: BotCatalogue, game: Game, client: str) -> dict[str, str]:
    """Describe the bots that play a game, each level of those that have levels by itself."""
    found: dict[str, str] = {}
    for each in await catalogue.find(game, client):
        name = str(each["name"])
        bots = [level.bot for level in list_levels(game, name)] or [name]
        found |= {bot: describe_bot(game, bot) for bot in bots}
    return found


# Reading the form


async def read_homework(
    services: Services, class_id: str, form: web.Fields, client: str
) -> Homework:
    """Return the homework that a form asks for; `ParlourError` says what is wrong with it."""
    kind = form.get("kind", "")
    read_settings = require(READERS.get(kind))
    game = forms.read_beside(form.get("game", ""), form)
    typed = form.get("name", "").strip()
    return Homework(
        id="",
        class_id=class_id,
        kind=kind,
        name=table.clean_name(typed or f"{name_kind(kind)}: {translate(title(game))}"[:40]),
        game=game.name,
        options=values(game),
        settings=await read_settings(services, form, game, client),
        points=float(form.number("points", 1, MAX_POINTS) or 10),
        due=read_day(form.get("due", "")),
    )


async def _read_puzzles(
    services: Services, form: web.Fields, game: Game, client: str
) -> dict[str, Any]:
    puzzles = services.get(PuzzleService)
    named = list(dict.fromkeys(PUZZLE_ID.findall(form.get("named", "")[:2_000])))
    if named:
        return {"puzzles": [puzzles.read(each).id for each in named[:MAX_PUZZLES]]}
    if form.get("named", "").strip():
        raise BadText(say("name puzzles by their addresses, such as /puzzles/0123456789ab"))
    number = _read_number(form, PUZZLES, "number", MAX_PUZZLES)
    made = await puzzles.search(game, number, form.number("level", 1, len(LEVELS)), client)
    if len(made) < number:
        raise BadText(
            "these rules have only {made} such puzzles; ask for fewer, or for any difficulty",
            made=len(made),
        )
    return {"puzzles": [puzzles.keep(game, each).id for each in made]}


async def _read_bot_to_beat(
    services: Services, form: web.Fields, game: Game, client: str
) -> dict[str, Any]:
    wins = _read_number(form, BEAT, "wins", MAX_WINS)
    return {"bot": await _read_opponent(services, form, "bot", game, client), "wins": wins}


async def _read_opponent(
    services: Services, form: web.Fields, field: str, game: Game, client: str
) -> str:
    if form.get(field) not in await list_opponents(services.get(BotCatalogue), game, client):
        raise BadText(say("this bot does not play by these rules; choose one from the list"))
    return form[field]


async def _read_hats(
    services: Services, form: web.Fields, game: Game, client: str
) -> dict[str, Any]:
    check_boxes(game)
    return {"mark": _read_number(form, HATS, "mark", 100)}


async def _read_opponents(
    services: Services, form: web.Fields, game: Game, client: str
) -> dict[str, Any]:
    if why := await services.get(HomeworkService).why_no_sandbox():
        raise BadText("on this server no bot can be handed in: {why}", why=why)
    fields = [f"opponent-{at}" for at in range(1, MAX_OPPONENTS + 1)]
    opponents = [
        await _read_opponent(services, form, each, game, client)
        for each in fields
        if form.get(each)
    ]
    if not opponents:
        raise BadText(say("choose at least one bot that it is to play against"))
    mark = _read_number(form, BOT, "mark", 100)
    return {"opponents": list(dict.fromkeys(opponents)), "games": GAMES, "mark": mark}


READERS = {
    PUZZLES: _read_puzzles,
    BEAT: _read_bot_to_beat,
    HATS: _read_hats,
    BOT: _read_opponents,
}


def _read_number(form: web.Fields, kind: str, name: str, most: int) -> int:
    return form.number(name, 1, most) or int(DEFAULTS[kind][name])


def read_day(text: str) -> float:
    """Return the end of a day such as 2026-12-24 in UTC, in seconds since the epoch; 0 for none."""
    if not text.strip():
        return 0.0
    try:
        day = datetime.strptime(text.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise BadText(say("write the day as in 2026-12-24")) from None
    end = day + timedelta(days=1)
    if end < datetime.now(UTC):
        raise BadText(LATE)
    return end.timestamp()


# The page with the form


@router.get("/classes/{class_id}/set")
async def show_form(
    request: Request, classroom: Taught, bots: BotsDep, kind: str = PUZZLES, game: str = ""
) -> Response:
    """Show the form for homework of one kind, in one game."""
    typed = {name: value for name, value in request.query_params.items() if name != "kind"}
    return await _form_page(request, classroom, bots, kind, game, typed)


async def _form_page(
    request: Request,
    classroom: Classroom,
    bots: BotCatalogue,
    kind: str,
    game: str,
    typed: Mapping[str, str],
) -> Response:
    require(READERS.get(kind))
    games = await asyncio.to_thread(_list_games, kind)
    name = game if game in games else next(iter(games))
    client = web.visitor_of(request).client
    opponents = await list_opponents(bots, registry.build("games", name), client)
    return await asyncio.to_thread(
        web.page,
        request,
        "class_set.html",
        back=f"/classes/{classroom.id}/set?{urlencode({'kind': kind, 'game': name})}",
        classroom=classroom,
        kind=kind,
        kinds=[(each, name_kind(each)) for each in KINDS],
        game=name,
        games=games,
        fields=forms.fields_beside(name, typed),
        typed={**DEFAULTS[kind], **typed},
        opponents=list(opponents.items()),
        levels=[(str(at), translate(word)) for at, word in enumerate(LEVELS, 1)],
        options_typed=any(each.startswith(forms.OPTION) for each in typed),
    )


def _list_games(kind: str) -> dict[str, str]:
    """Return the titles of the games that suit a kind of homework, the usual one first."""
    names = list_learnable() if kind == HATS else forms.order_games()
    names = sorted(names, key=lambda each: each != USUAL_GAME)
    return {each: title(registry.build("games", each)) for each in names}


@router.post("/classes/{class_id}/set", dependencies=web.LIMIT_CREATION)
async def set_homework(
    request: Request, classroom: Taught, form: web.Form, bots: BotsDep, homework: HomeworkDep
) -> Response:
    """Set a class some homework."""
    kind, game = form.get("kind", ""), form.get("game", "")
    web.show_refusal_on(request, partial(_form_page, request, classroom, bots, kind, game, form))
    client = web.visitor_of(request).client
    read = await read_homework(services_of(request), classroom.id, form, client)
    made = await asyncio.to_thread(homework.add, read)
    return web.redirect(request, f"/homework/{made.id}")
