"""Setting homework: what a teacher can set, the form for it, and how that form is read.

Everything is checked when it is set: puzzles are found or looked up, a bot must play the variant,
and hats must be able to learn it. A bot can be asked for only where there is a sandbox to run it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import BadText, Game, answers, registry, say, title, values
from parlour.faces.web import forms, table
from parlour.faces.web import requests as web
from parlour.faces.web.classes.homework.results import BEAT, BOT, HATS, KINDS, PUZZLES
from parlour.faces.web.classes.homework.service import HomeworkDep, HomeworkService
from parlour.faces.web.classes.service import Taught
from parlour.faces.web.errors import NotThere
from parlour.faces.web.puzzles import PuzzleService
from parlour.faces.web.school import list_learnable
from parlour.faces.web.services import Services
from parlour.faces.web.table import BotCatalogue, BotsDep, describe_bot, list_levels
from parlour.faces.web.texts import _, ngettext, translate
from parlour.learn import check_boxes
from parlour.lessons import LEVELS
from parlour.store import Classroom, Homework

router = APIRouter(include_in_schema=False)

MAX_PUZZLES = 20
MAX_WINS = 10
MAX_POINTS = 1000
MAX_OPPONENTS = 3
GAMES = 10  # of a bot against each opponent
FINDING = 20.0  # seconds until a worker must have found puzzles
PUZZLE_ID = re.compile(r"\b[0-9a-f]{12}\b")
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    PUZZLES: {"number": "5", "level": ""},
    BEAT: {"bot": "", "wins": "1"},
    HATS: {"mark": "90"},
    BOT: {"opponent-1": "random", "mark": "50"},
}
USUAL_GAME = "sticks"


def check_kind(kind: str) -> str:
    """Return the kind of homework, if there is one of this name."""
    if kind not in KINDS:
        raise NotThere(say("this kind of homework does not exist; choose one from the list"))
    return kind


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


class FormReader:
    """Reads forms into homework, with what has to be asked elsewhere."""

    def __init__(self, services: Services) -> None:
        self._homework = services.get(HomeworkService)
        self._puzzles = services.get(PuzzleService)
        self._workers = services.workers
        self._catalogue = services.get(BotCatalogue)

    async def read(self, class_id: str, form: web.Fields, client: str) -> Homework:
        """Return the homework that a form asks for; `ParlourError` says what is wrong with it."""
        kind = check_kind(form.get("kind", ""))
        game = forms.read_beside(form.get("game", ""), form)
        settings = await {
            PUZZLES: self._read_puzzles,
            BEAT: self._read_bot_to_beat,
            HATS: self._read_hats,
            BOT: self._read_opponents,
        }[kind](form, game, client)
        typed = form.get("name", "").strip()
        points = form.number("points")
        if points is not None and not 1 <= points <= MAX_POINTS:
            raise BadText(say("a homework has 1 to {max_points:,} points", max_points=MAX_POINTS))
        return Homework(
            id="",
            class_id=class_id,
            kind=kind,
            name=table.clean_name(typed) if typed else _name(kind, game, settings),
            game=game.name,
            options=values(game),
            settings=settings,
            points=float(points or 10),
            due=read_day(form.get("due", "")),
        )

    async def _read_puzzles(self, form: web.Fields, game: Game, client: str) -> dict[str, Any]:
        named = list(dict.fromkeys(PUZZLE_ID.findall(form.get("named", "")[:2_000])))
        if named:
            found = [self._puzzles.read(each) for each in named[:MAX_PUZZLES]]
            return {"puzzles": [each.id for each in found]}
        if form.get("named", "").strip():
            raise BadText(say("name puzzles by their addresses, such as /puzzles/0123456789ab"))
        number, level = form.number("number"), form.number("level")
        if not number or number > MAX_PUZZLES:
            raise BadText(say("choose 1 to {max_puzzles} puzzles", max_puzzles=MAX_PUZZLES))
        if level is not None and not 1 <= level <= len(LEVELS):
            raise BadText(say("the difficulty is 1 to {levels}", levels=len(LEVELS)))
        payload = {
            **answers.game_fields(game),
            "number": number,
            "level": level,
            "seed": random.randrange(2**31),
        }
        made = await self._workers.run("puzzles-find", payload, FINDING, client=client)
        if len(made) < number:
            raise BadText(
                say(
                    "these rules have only {made} such puzzles; ask for fewer, or for any "
                    "difficulty",
                    made=len(made),
                )
            )
        return {"puzzles": [self._puzzles.keep(game, each).id for each in made]}

    async def _read_bot_to_beat(self, form: web.Fields, game: Game, client: str) -> dict[str, Any]:
        wins = form.number("wins") or 1
        if wins > MAX_WINS:
            raise BadText(say("ask for at most {max_wins} wins", max_wins=MAX_WINS))
        return {"bot": await self._read_opponent(form, "bot", game, client), "wins": wins}

    async def _read_opponent(self, form: web.Fields, field: str, game: Game, client: str) -> str:
        if form.get(field) not in await list_opponents(self._catalogue, game, client):
            raise BadText(say("this bot does not play by these rules; choose one from the list"))
        return form[field]

    async def _read_hats(self, form: web.Fields, game: Game, client: str) -> dict[str, Any]:
        check_boxes(game)
        return {"mark": _read_percent(form)}

    async def _read_opponents(self, form: web.Fields, game: Game, client: str) -> dict[str, Any]:
        if why := await self._homework.why_no_sandbox():
            raise BadText(say("on this server no bot can be handed in: {why}", why=why))
        fields = [f"opponent-{at}" for at in range(1, MAX_OPPONENTS + 1)]
        chosen = [
            await self._read_opponent(form, each, game, client) for each in fields if form.get(each)
        ]
        if not chosen:
            raise BadText(say("choose at least one bot that it is to play against"))
        opponents = list(dict.fromkeys(chosen))
        return {"opponents": opponents, "games": GAMES, "mark": _read_percent(form)}


ReaderDep = Annotated[FormReader, web.service(FormReader)]


def _read_percent(form: web.Fields) -> int:
    mark = form.number("mark")
    if not mark or mark > 100:
        raise BadText(say("the mark is 1 to 100 percent"))
    return mark


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
        raise BadText(say("the day on which it is due has passed; choose a later one"))
    return end.timestamp()


def _name(kind: str, game: Game, settings: Mapping[str, Any]) -> str:
    """Return the name of a homework to which the teacher gave none."""
    what = title(game)
    if kind == PUZZLES:
        number = len(settings["puzzles"])
        text = ngettext("%(num)s puzzle: %(game)s", "%(num)s puzzles: %(game)s", number)
        text = text % {"num": number, "game": what}
    elif kind == BEAT:
        text = _("Win at %(game)s", game=what)
    elif kind == HATS:
        text = _("Hats for %(game)s", game=what)
    else:
        text = _("A bot for %(game)s", game=what)
    return text[:40]


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
    kind = check_kind(kind)
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
    request: Request,
    classroom: Taught,
    form: web.Form,
    bots: BotsDep,
    homework: HomeworkDep,
    reader: ReaderDep,
) -> Response:
    """Set a class some homework."""
    kind, game = form.get("kind", ""), form.get("game", "")
    web.show_refusal_on(request, partial(_form_page, request, classroom, bots, kind, game, form))
    read = await reader.read(classroom.id, form, web.visitor_of(request).client)
    made = await asyncio.to_thread(homework.add, read)
    return web.redirect(request, f"/homework/{made.id}")
