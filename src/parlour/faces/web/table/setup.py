"""The menu before a game: who plays, by which rules; kept for each browser and game.

It is the menu of the old Nim for every game: people and bots in any order, settings on a page of
their own, and a Play! that waits for somebody to play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import (
    BadText,
    Game,
    ParlourError,
    count,
    describe,
    options_of,
    quote,
    registry,
    sides,
    title,
)
from parlour.faces.web import forms
from parlour.faces.web.errors import Changed, NotYours
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor
from parlour.faces.web.requests import MAKING, Fields, Form, house_of, page, posted, visitor_of
from parlour.faces.web.table import service as verbs
from parlour.faces.web.table.bots import bots_for, read_bot
from parlour.faces.web.table.state import check_name, person_name
from parlour.store import Seat, Setup

router = APIRouter()

MOST_TRIES = 10
MOST_SEATS = 10
CLOCKS = {
    "": ("No clocks", None),
    "60+0": ("1 minute each", (60.0, 0.0)),
    "300+3": ("5 minutes, and 3 seconds a move", (300.0, 3.0)),
    "600+5": ("10 minutes, and 5 seconds a move", (600.0, 5.0)),
}
OPENS_WITH: dict[str, dict[str, Any]] = {"nim": {"misere": True}}  # as the old menu did


def setup_of(house: House, visitor: Visitor, name: str) -> Setup:
    """The menu of this browser for this game; a new one has nobody at the table yet."""
    cls = registry.find("games", name)
    known = str(getattr(cls, "name", name))
    found = house.store.setups.get(f"{known} {visitor.browser}")
    if found is not None:
        return found if _can_be(found) else replace(found, options=OPENS_WITH.get(known, {}))
    return Setup(
        id=f"{known} {visitor.browser}",
        owner=visitor.owner,
        game=known,
        options=OPENS_WITH.get(known, {}),
        pace="ok" if known == "nim" else "self",
        listed=True,
    )


def _can_be(setup: Setup) -> bool:
    """Whether the game can still be set up so: an option may have narrower bounds by now."""
    try:
        game_of(setup)
    except ParlourError:
        return False
    return True


def game_of(setup: Setup, least: int = 2) -> Game:
    """The game as it is set up; where any number may play, for those who are there."""
    options = dict(setup.options)
    if _seats_vary(setup.game):
        options["seats"] = max(least, len(setup.seats))
    return registry.game(setup.game, **options)


def _seats_vary(name: str) -> bool:
    return "seats" in options_of(registry.find("games", name))


def change(house: House, visitor: Visitor, name: str, how: Callable[[Setup], Setup]) -> Setup:
    """The menu after a change, stored."""
    if not visitor.browser:
        raise NotYours("your browser keeps no cookies; allow them for this page")
    for _ in range(MOST_TRIES):
        before = setup_of(house, visitor, name)
        after = how(before)
        shelf = house.store.setups
        stored = shelf.put(after) if before.changed else shelf.add(after)
        if stored is not None:
            return stored
    raise Changed("this menu is being changed elsewhere; try again")


# The menu


@router.get("/new/{name}")
async def menu(request: Request, name: str) -> Response:
    """Who plays."""
    return await _menu(request, name)


async def _menu(request: Request, name: str, notice: str = "", status: int = 200) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    setup = await house.run(setup_of, house, visitor, name)
    game = await house.run(game_of, setup)
    bots = await bots_for(house, setup.game, game)
    most = MOST_SEATS if _seats_vary(setup.game) else game.seats
    return await house.run(
        lambda: page(
            request,
            "menu.html",
            code=status,
            notice=notice,
            back=f"/new/{setup.game}",
            setup=setup,
            title=title(game),
            variant=describe(game),
            bots=bots,
            bot_choices=[
                (bot["name"], bot["name"], f"{bot['plays']}. {bot['about']}") for bot in bots
            ],
            plays={bot["name"]: bot["plays"] for bot in bots},
            most=most,
            full=len(setup.seats) >= most,
            free=0 if _seats_vary(setup.game) else most - len(setup.seats),
            marks=sides(game),
            can_play=bool(setup.seats),
        )
    )


@router.post("/new/{name}/seats")
async def seats(request: Request, name: str, form: Form) -> Response:
    """Add, move or remove somebody."""
    house, visitor = house_of(request), visitor_of(request)
    setup = await house.run(setup_of, house, visitor, name)
    bots = await bots_for(house, setup.game, await house.run(game_of, setup))

    def do() -> str:
        change(house, visitor, name, lambda setup: _reseated(setup, visitor, form, bots))
        return f"/new/{name}"

    return await _answered(request, do, name)


async def _answered(request: Request, do: Callable[[], str], name: str) -> Response:
    """What a form of the menu is answered with; the menu itself waits for the bots it lists."""
    house = house_of(request)
    refused: list[tuple[str, int]] = []

    def note(notice: str, status: int) -> Response:
        refused.append((notice, status))
        return Response()

    answer = await house.run(posted, request, do, note)
    return await _menu(request, name, *refused[0]) if refused else answer


def _reseated(setup: Setup, visitor: Visitor, form: Fields, bots: list[dict[str, Any]]) -> Setup:
    seats = list(setup.seats)
    wish = form.get("do", "")
    at = form.number("at")
    if wish in ("up", "down", "remove"):
        if at is None or at not in range(len(seats)):
            raise Changed("nobody sits there any more")
        seat = seats.pop(at)
        if wish != "remove":
            seats.insert(max(0, at - 1) if wish == "up" else at + 1, seat)
        return replace(setup, seats=tuple(seats))
    most = MOST_SEATS if _seats_vary(setup.game) else game_of(setup).seats
    if len(seats) >= most:
        raise ParlourError(f"{setup.game} is for {count(most, 'player')} at most here")
    if wish == "person":
        name = person_name(form.get("name", ""))
        check_name(name, seats)
        seats.append(Seat("person", name, owner=visitor.owner))
    elif wish == "bot":
        bot = read_bot(bots, form.get("bot", ""), form.get("options", ""))
        seats.append(Seat("bot", person_name(form.get("name", "") or bot.partition(" ")[0]), bot))
    elif wish == "open":
        seats.append(Seat("open"))
    else:
        raise BadText(f"{quote(wish)} cannot be done with seats")
    return replace(setup, seats=tuple(seats))


@router.post("/new/{name}/play", dependencies=MAKING)
async def play(request: Request, name: str) -> Response:
    """Begin: seats nobody was named for are free to take."""
    house, visitor = house_of(request), visitor_of(request)
    setup = await house.run(setup_of, house, visitor, name)
    bots = await bots_for(house, setup.game, game_of(setup, least=1))

    def do() -> str:
        setup = setup_of(house, visitor, name)
        if not setup.seats:
            raise ParlourError("nobody plays yet; add a person or a bot")
        able = [bot["name"] for bot in bots]
        for seat in setup.seats:
            kind = seat.bot.partition(" ")[0]
            if seat.kind == "bot" and kind not in able:
                raise ParlourError(
                    f"{kind} does not play by these rules with so many; remove {seat.name} bot"
                )
        game = game_of(setup, least=1)
        seats = [*setup.seats, *[Seat("open")] * (game.seats - len(setup.seats))]
        table = verbs.create(
            house,
            game,
            seats,
            pace=setup.pace,
            clock=setup.clock,
            listed=setup.listed,
            setup=setup.id,
            creator=visitor.client,
        )
        return f"/tables/{table.id}"

    return await _answered(request, do, name)


# The settings


@router.get("/new/{name}/settings")
def settings(request: Request, name: str) -> Response:
    """By which rules."""
    return _settings(request, name)


def _settings(request: Request, name: str, notice: str = "", status: int = 200) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    setup = setup_of(house, visitor, name)
    game = game_of(setup)
    chosen = next((key for key, (_, clock) in CLOCKS.items() if clock == setup.clock), "")
    return page(
        request,
        "settings.html",
        code=status,
        notice=notice,
        back=f"/new/{setup.game}/settings",
        setup=setup,
        title=title(game),
        variant=describe(game),
        fields=forms.fields(game, without=("seats",)),
        clocks=[(key, shown) for key, (shown, _) in CLOCKS.items()],
        clock=chosen,
    )


@router.post("/new/{name}/settings")
def change_settings(request: Request, name: str, form: Form) -> Response:
    """Set options, add to a list or take from one."""
    house, visitor = house_of(request), visitor_of(request)

    def do() -> str:
        change(house, visitor, name, lambda setup: _reset(setup, form))
        return f"/new/{name}/settings"

    return posted(request, do, lambda notice, status: _settings(request, name, notice, status))


def _reset(setup: Setup, form: Fields) -> Setup:
    wish, option = form.get("do", "options"), form.get("option", "")
    name, options = setup.game, setup.options
    if wish == "add":
        return replace(setup, options=forms.add(name, options, option, form.get("text", "")))
    if wish == "drop":
        return replace(setup, options=forms.drop(name, options, option, form.number("at")))
    if wish == "bundle":
        bundle = form.get("bundle", "")
        return replace(setup, options=forms.add_bundle(name, options, option, bundle))
    if wish == "defaults":
        return replace(setup, options=OPENS_WITH.get(name, {}))
    if wish == "table":
        clock = CLOCKS.get(form.get("clock", ""), CLOCKS[""])[1]
        pace = "ok" if form.get("pace") == "ok" else "self"
        return replace(setup, clock=clock, pace=pace, listed="listed" in form)
    typed = {key: value for key, value in form.items() if key not in ("do", "seats")}
    return replace(setup, options=forms.change(name, options, typed))
