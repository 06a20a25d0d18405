"""The menu before a game: who plays, by which rules; stored for each browser and game.

It is one menu for every game: people and bots in any order, settings on a page of
their own, and a Play! that waits for somebody to play.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

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
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotYours
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    Fields,
    Form,
    StoreDep,
    VisitorDep,
    from_state,
    page,
    refusal,
    submit,
    submitted,
    visitor_of,
)
from parlour.faces.web.table.bots import BotCatalogue, read_bot
from parlour.faces.web.table.routes import TablesDep
from parlour.faces.web.table.state import check_name_is_free, clean_name
from parlour.store import Seat, Setup, Store

router = APIRouter()

BotsDep = Annotated[BotCatalogue, from_state("bots")]

MAX_ATTEMPTS = 10
MAX_SEATS = 10
CLOCKS = {
    "": ("No clocks", None),
    "60+0": ("1 minute each", (60.0, 0.0)),
    "300+3": ("5 minutes + 3 seconds per move", (300.0, 3.0)),
    "600+5": ("10 minutes + 5 seconds per move", (600.0, 5.0)),
}
FIRST_OPTIONS: dict[str, dict[str, Any]] = {"nim": {"misere": True}}  # what most people know as Nim


def read_setup(store: Store, visitor: Visitor, name: str) -> Setup:
    """Return this browser's menu for a game; a new one has no players yet."""
    cls = registry.find("games", name)
    known = str(getattr(cls, "name", name))
    found = store.setups.get(f"{known} {visitor.browser}")
    if found is not None:
        return found if _is_valid(found) else replace(found, options=FIRST_OPTIONS.get(known, {}))
    return Setup(
        id=f"{known} {visitor.browser}",
        owner=visitor.owner,
        game=known,
        options=FIRST_OPTIONS.get(known, {}),
        pace="ok" if known == "nim" else "self",
        listed=True,
    )


def _is_valid(setup: Setup) -> bool:
    """Whether the options still make a game: their bounds may have become narrower."""
    try:
        _game_of(setup)
    except ParlourError:
        return False
    return True


def _game_of(setup: Setup, least: int = 2) -> Game:
    """Return the game of a menu; where any number may play, for the players there are."""
    options = dict(setup.options)
    if _seats_vary(setup.game):
        options["seats"] = max(least, len(setup.seats))
    return registry.game(setup.game, **options)


def _seats_vary(name: str) -> bool:
    return "seats" in options_of(registry.find("games", name))


def change_setup(
    store: Store, visitor: Visitor, name: str, change: Callable[[Setup], Setup]
) -> Setup:
    """Change this browser's menu for a game and store it."""
    if not visitor.browser:
        raise NotYours("your browser does not accept cookies; allow them for this site")
    for _ in range(MAX_ATTEMPTS):
        before = read_setup(store, visitor, name)
        after = change(before)
        stored = store.setups.put(after) if before.changed else store.setups.add(after)
        if stored is not None:
            return stored
    raise Changed("this menu is being changed in another window; try again")


# The menu


@router.get("/new/{name}")
async def show_menu(request: Request, name: str, store: StoreDep, bots: BotsDep) -> Response:
    """Show who plays."""
    return await _menu(request, name, store, bots)


async def _menu(
    request: Request,
    name: str,
    store: Store,
    catalogue: BotCatalogue,
    notice: str = "",
    status: int = 200,
) -> Response:
    setup = await asyncio.to_thread(read_setup, store, visitor_of(request), name)
    game = await asyncio.to_thread(_game_of, setup)
    bots = await catalogue.find(game)
    most = MAX_SEATS if _seats_vary(setup.game) else game.seats
    return await asyncio.to_thread(
        page,
        request,
        "menu.html",
        code=status,
        notice=notice,
        back=f"/new/{setup.game}",
        setup=setup,
        title=title(game),
        variant=describe(game),
        bots=bots,
        bot_choices=[(bot["name"], bot["name"], f"{bot['plays']}. {bot['about']}") for bot in bots],
        plays={bot["name"]: bot["plays"] for bot in bots},
        most=most,
        full=len(setup.seats) >= most,
        free=0 if _seats_vary(setup.game) else most - len(setup.seats),
        marks=sides(game),
        can_play=bool(setup.seats),
    )


@router.post("/new/{name}/seats")
async def change_seats(
    request: Request, name: str, form: Form, visitor: VisitorDep, store: StoreDep, bots: BotsDep
) -> Response:
    """Add a person or a bot, move somebody up or down, or remove them."""
    setup = await asyncio.to_thread(read_setup, store, visitor, name)
    able = await bots.find(_game_of(setup)) if form.get("do") == "bot" else []

    def change() -> str:
        change_setup(store, visitor, name, lambda setup: _change_seats(setup, visitor, form, able))
        return f"/new/{name}"

    return await _submit(request, change, name, store, bots)


async def _submit(
    request: Request, action: Callable[[], str], name: str, store: Store, bots: BotCatalogue
) -> Response:
    """Carry out a form of the menu in a thread; a refusal shows the menu, which awaits its bots."""
    try:
        target = await asyncio.to_thread(action)
    except ParlourError as error:
        return await _menu(request, name, store, bots, *refusal(request, error))
    return submitted(request, target)


def _change_seats(
    setup: Setup, visitor: Visitor, form: Fields, bots: list[dict[str, Any]]
) -> Setup:
    seats = list(setup.seats)
    action = form.get("do", "")
    at = form.number("at")
    if action in ("up", "down", "remove"):
        if at is None or at not in range(len(seats)):
            raise Changed("that seat is now empty")
        seat = seats.pop(at)
        if action != "remove":
            seats.insert(max(0, at - 1) if action == "up" else at + 1, seat)
        return replace(setup, seats=tuple(seats))
    most = MAX_SEATS if _seats_vary(setup.game) else _game_of(setup).seats
    if len(seats) >= most:
        raise ParlourError(f"{setup.game} has room for {count(most, 'player')} at most")
    if action == "person":
        name = clean_name(form.get("name", ""))
        check_name_is_free(name, seats)
        seats.append(Seat("person", name, owner=visitor.owner))
    elif action == "bot":
        bot = read_bot(bots, form.get("bot", ""), form.get("options", ""))
        seats.append(Seat("bot", clean_name(form.get("name", "") or bot.partition(" ")[0]), bot))
    elif action == "open":
        seats.append(Seat("open"))
    else:
        raise BadText(f"seats have no action {quote(action)}")
    return replace(setup, seats=tuple(seats))


@router.post("/new/{name}/play", dependencies=LIMIT_CREATION)
async def play(
    request: Request,
    name: str,
    visitor: VisitorDep,
    store: StoreDep,
    bots: BotsDep,
    tables: TablesDep,
) -> Response:
    """Create the table; seats without a player are free to take."""
    setup = await asyncio.to_thread(read_setup, store, visitor, name)
    able = [bot["name"] for bot in await bots.find(_game_of(setup, least=1))]

    def create() -> str:
        setup = read_setup(store, visitor, name)
        if not setup.seats:
            raise ParlourError("there are no players yet; add a person or a bot")
        for seat in setup.seats:
            kind = seat.bot.partition(" ")[0]
            if seat.kind == "bot" and kind not in able:
                raise ParlourError(
                    f"{kind} cannot play this game with {count(len(setup.seats), 'player')}; "
                    f"remove {seat.name} bot"
                )
        game = _game_of(setup, least=1)
        seats = [*setup.seats, *[Seat("open")] * (game.seats - len(setup.seats))]
        table = tables.create(
            game,
            seats,
            pace=setup.pace,
            clock=setup.clock,
            listed=setup.listed,
            setup=setup.id,
            creator=visitor.client,
        )
        return f"/tables/{table.id}"

    return await _submit(request, create, name, store, bots)


# The settings


@router.get("/new/{name}/settings")
def show_settings(request: Request, name: str, store: StoreDep) -> Response:
    """Show the rules."""
    return _settings(request, name, store)


def _settings(
    request: Request, name: str, store: Store, notice: str = "", status: int = 200
) -> Response:
    setup = read_setup(store, visitor_of(request), name)
    game = _game_of(setup)
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
        clocks=[(key, label) for key, (label, _) in CLOCKS.items()],
        clock=chosen,
    )


@router.post("/new/{name}/settings")
def change_settings(request: Request, name: str, form: Form, store: StoreDep) -> Response:
    """Set options, add to a list or remove from one."""

    def change() -> str:
        change_setup(store, visitor_of(request), name, lambda setup: _change_options(setup, form))
        return f"/new/{name}/settings"

    return submit(
        request, change, lambda notice, status: _settings(request, name, store, notice, status)
    )


def _change_options(setup: Setup, form: Fields) -> Setup:
    action, option = form.get("do", "options"), form.get("option", "")
    name, options = setup.game, setup.options
    if action == "add":
        return replace(setup, options=forms.add(name, options, option, form.get("text", "")))
    if action == "drop":
        return replace(setup, options=forms.drop(name, options, option, form.number("at")))
    if action == "bundle":
        bundle = form.get("bundle", "")
        return replace(setup, options=forms.add_bundle(name, options, option, bundle))
    if action == "defaults":
        return replace(setup, options=FIRST_OPTIONS.get(name, {}))
    if action == "table":
        clock = CLOCKS.get(form.get("clock", ""), CLOCKS[""])[1]
        pace = "ok" if form.get("pace") == "ok" else "self"
        return replace(setup, clock=clock, pace=pace, listed="listed" in form)
    typed = {key: value for key, value in form.items() if key not in ("do", "seats")}
    return replace(setup, options=forms.change(name, options, typed))
