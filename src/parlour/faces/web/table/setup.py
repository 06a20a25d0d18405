"""The menu before a game: who plays, by which rules; stored for each browser and game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import core
from parlour.core import BadText, Game, ParlourError, count, extra, registry, say, sides, title
from parlour.faces.web import forms
from parlour.faces.web import requests as web
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed
from parlour.faces.web.table.bots import (
    SLIDERS,
    BotCatalogue,
    Level,
    describe_bot,
    list_levels,
    read_bot,
)
from parlour.faces.web.table.service import TablesDep, check_name_is_free, clean_name
from parlour.faces.web.texts import ngettext, translate
from parlour.store import Seat, Setup, Store

router = APIRouter(include_in_schema=False)

BotsDep = Annotated[BotCatalogue, web.service(BotCatalogue)]

MAX_SEATS = 10
NOBODY = say("there are no players yet; add a person or a bot")


def _new_setup(visitor: Visitor, name: str) -> Setup:
    cls = registry.find("games", name)
    known = str(getattr(cls, "name", name))
    return Setup(
        id=f"{known} {visitor.browser}",
        owner=visitor.owner,
        game=known,
        options=dict(extra(cls, "menu_options")),
        pace="ok" if extra(cls, "bots_wait") else "self",
    )


def _first_options(game: str) -> dict[str, Any]:
    return dict(extra(registry.find("games", game), "menu_options"))


def _needs_names(setup: Setup) -> bool:
    return bool(extra(registry.find("games", setup.game), "needs_names"))


def _repair(setup: Setup) -> Setup:
    """Begin anew with options that make no game any more: bounds may have become narrower."""
    try:
        _game_of(setup)
    except ParlourError:
        return replace(setup, options=_first_options(setup.game))
    return setup


def _game_of(setup: Setup, least: int = 2) -> Game:
    """Return the game of a menu; where any number may play, for the players there are."""
    options = dict(setup.options)
    if _seats_vary(setup.game):
        options["seats"] = max(least, len(setup.seats))
    game: Game = registry.build("games", setup.game, options)
    return game


def _seats_vary(name: str) -> bool:
    return "seats" in core.options_of(registry.find("games", name))


def _max_seats(setup: Setup) -> int:
    return MAX_SEATS if _seats_vary(setup.game) else _game_of(setup).seats


def change_setup(
    store: Store, visitor: Visitor, name: str, change: Callable[[Setup], Setup]
) -> None:
    """Change this browser's menu for a game and store it."""
    visitor.require_browser()
    new = _new_setup(visitor, name)
    store.setups.update(new.id, lambda found: change(_repair(found)), default=new)


# Clocks


@dataclass(frozen=True)
class ClockChoice:
    """A clock that a form offers: seconds for the game and each move, or days for each move."""

    label: str
    clock: tuple[float, float] | None = None  # seconds for the game, and for each move
    days: int = 0  # for each move


CLOCKS = {
    "": ClockChoice(say("No clocks")),
    "60+0": ClockChoice(say("1 minute each"), (60.0, 0.0)),
    "300+3": ClockChoice(say("5 minutes + 3 seconds per move"), (300.0, 3.0)),
    "600+5": ClockChoice(say("10 minutes + 5 seconds per move"), (600.0, 5.0)),
    **{f"{days}d": ClockChoice("", days=days) for days in (1, 3, 7)},
}


def read_clock(key: str) -> ClockChoice:
    """Return the clock that a form names, or none."""
    return CLOCKS.get(key, CLOCKS[""])


def _clock_key(setup: Setup) -> str:
    """Return the key of a clock in the list, or nothing."""
    found = (setup.clock, setup.days)
    return next((key for key, each in CLOCKS.items() if (each.clock, each.days) == found), "")


def list_clocks() -> list[tuple[str, str]]:
    """List key and label of every clock."""
    texts = ("%(count)s day a move", "%(count)s days a move")
    return [
        (key, each.label or ngettext(*texts, each.days) % {"count": each.days})
        for key, each in CLOCKS.items()
    ]


# The menu


@dataclass(frozen=True)
class Menu:
    """The menu of a game that a request is about, and its settings."""

    request: Request
    name: str
    store: Store
    catalogue: BotCatalogue

    @property
    def visitor(self) -> Visitor:
        """Whose menu it is."""
        return web.visitor_of(self.request)

    def read(self) -> Setup:
        """Return what is stored of it; a new one has no players yet."""
        new = _new_setup(self.visitor, self.name)
        return _repair(self.store.setups.get(new.id) or new)

    async def show(self, typed: web.Fields | None = None) -> Response:
        """Show who plays; a form that was refused as it was typed."""
        setup = await asyncio.to_thread(self.read)
        game = await asyncio.to_thread(_game_of, setup)
        bots = await self.catalogue.find(game, self.visitor.client)
        sitting = [seat.bot for seat in setup.seats if seat.kind == "bot"]
        sliders = {bot["name"]: list_levels(game, bot["name"]) for bot in bots}
        leveled = [level.bot for levels in sliders.values() for level in levels]
        plays = await self.catalogue.describe(game, [*sitting, *leveled])
        most = _max_seats(setup)
        return await asyncio.to_thread(
            self._page,
            "menu.html",
            setup,
            game,
            back=f"/new/{setup.game}",
            bots=[_choice(bot, sliders[bot["name"]], plays, typed or {}) for bot in bots],
            typed=typed or {},
            nobody=NOBODY,
            named=_needs_names(setup),
            describe_bot=partial(describe_bot, game),
            plays=plays,
            full=len(setup.seats) >= most,
            free=0 if _seats_vary(setup.game) else most - len(setup.seats),
            marks=sides(game),
        )

    def show_settings(self, typed: web.Fields | None = None) -> Response:
        """Show the rules; those of a form that was refused as they were typed."""
        setup = self.read()
        game = _game_of(setup)
        values: dict[str, Any] = {
            "pace": setup.pace,
            "clock": _clock_key(setup),
            "listed": setup.listed,
        }
        fields = forms.fields(game, without=("seats",))
        if typed and typed.get("do") in ("save", "return"):
            values = {name: typed.get(name, "") for name in values}
            fields = [replace(each, value=typed.get(each.name, each.value)) for each in fields]
        return self._page(
            "settings.html",
            setup,
            game,
            back=f"/new/{setup.game}/settings",
            fields=fields,
            clocks=list_clocks(),
            **values,
        )

    def _page(self, template: str, setup: Setup, game: Game, **values: Any) -> Response:
        return web.page(self.request, template, setup=setup, title=title(game), **values)


def _choice(
    bot: Mapping[str, Any], levels: list[Level], plays: Mapping[str, str], typed: Mapping[str, str]
) -> dict[str, Any]:
    """Return a bot as the menu offers it, with the places on its slider."""
    if not levels:
        return {**bot, "levels": []}
    slider = SLIDERS[bot["name"]]
    sent = slider.read(typed.get(f"level-{bot['name']}", ""))
    value = slider.usual if sent is None else sent
    shown = [  # in JSON, for the slider
        {"text": translate(each.text), "plays": translate(plays.get(each.bot, ""))}
        for each in levels
    ]
    now = shown[value - slider.low]
    return {
        **bot,
        "plays": now["plays"] or bot["plays"],
        "levels": shown,
        "low": slider.low,
        "high": slider.high,
        "level": value,
        "now": now["text"],
        "ends": (levels[0].text, levels[-1].text),
    }


async def _menu(request: Request, name: str, store: web.StoreDep, bots: BotsDep) -> Menu:
    return Menu(request, name, store, bots)


MenuDep = Annotated[Menu, Depends(_menu)]


@router.get("/new/{name}")
async def show_menu(menu: MenuDep) -> Response:
    """Show who plays."""
    return await menu.show()


@router.post("/new/{name}/seats")
async def change_seats(menu: MenuDep, form: web.Form) -> Response:
    """Add a person or a bot, move somebody up or down, or remove them."""
    web.show_refusal_on(menu.request, partial(menu.show, typed=form))
    bots = []
    if form.get("do") == "bot":
        setup = await asyncio.to_thread(menu.read)
        bots = await menu.catalogue.find(_game_of(setup), menu.visitor.client)
    change = partial(_change_seats, visitor=menu.visitor, form=form, bots=bots)
    await asyncio.to_thread(change_setup, menu.store, menu.visitor, menu.name, change)
    return web.respond_to_form(menu.request, f"/new/{menu.name}")


def _change_seats(
    setup: Setup, visitor: Visitor, form: web.Fields, bots: list[dict[str, Any]]
) -> Setup:
    seats = list(setup.seats)
    action = form.get("do", "")
    at = form.number("at")
    if action in ("up", "down", "remove"):
        if at is None or at not in range(len(seats)):
            raise Changed(say("that seat is now empty"))
        seat = seats.pop(at)
        if action != "remove":
            seats.insert(max(0, at - 1) if action == "up" else at + 1, seat)
        return replace(setup, seats=tuple(seats))
    most = _max_seats(setup)
    if len(seats) >= most:
        raise ParlourError(
            "{game} has room for {players} at most", game=setup.game, players=count(most, "player")
        )
    if action == "person":
        typed = form.get("name", "")
        name = clean_name(typed) if typed.strip() or _needs_names(setup) else ""
        check_name_is_free(name, seats)
        seats.append(Seat("person", name, owner=visitor.owner))
    elif action == "bot":
        kind = form.get("bot", "")
        bot = read_bot(bots, kind, _add_level(kind, form))
        seats.append(Seat("bot", clean_name(form.get("name", "") or bot.partition(" ")[0]), bot))
    elif action == "open":
        seats.append(Seat("open"))
    else:
        raise BadText("there is no action {action}", action=core.quote(action))
    return replace(setup, seats=tuple(seats))


def _add_level(bot: str, form: web.Fields) -> str:
    """Return the typed options of a bot with the level of its slider, unless they name one."""
    options, slider = form.get("options", ""), SLIDERS.get(bot)
    level = slider.read(form.get(f"level-{bot}", "")) if slider else None
    if slider is None or level is None or f"{slider.option}=" in options:
        return options
    return f"{slider.option}={level} {options}".strip()


@router.post("/new/{name}/play", dependencies=web.LIMIT_CREATION)
async def play(menu: MenuDep, tables: TablesDep) -> Response:
    """Create the table; seats without a player are free to take."""
    web.show_refusal_on(menu.request, menu.show)
    setup = await asyncio.to_thread(menu.read)
    if not setup.seats:
        raise ParlourError(NOBODY)
    game = _game_of(setup, least=1)
    able = {bot["name"] for bot in await menu.catalogue.find(game, menu.visitor.client)}
    for seat in setup.seats:
        kind = seat.bot.partition(" ")[0]
        if seat.kind == "bot" and kind not in able:
            raise ParlourError(
                "{kind} cannot play this game with {players}; remove {name} bot",
                kind=kind,
                players=count(len(setup.seats), "player"),
                name=seat.name,
            )
    table = await asyncio.to_thread(
        tables.create,
        game,
        [*setup.seats, *[Seat("open")] * (game.seats - len(setup.seats))],
        pace=setup.pace,
        clock=setup.clock,
        days=setup.days,
        listed=setup.listed,
        setup=setup.id,
        creator=menu.visitor.client,
    )
    return web.respond_to_form(menu.request, f"/tables/{table.id}")


# The settings


@router.get("/new/{name}/settings")
def show_settings(menu: MenuDep) -> Response:
    """Show the rules."""
    return menu.show_settings()


@router.post("/new/{name}/settings")
def change_settings(menu: MenuDep, form: web.Form) -> Response:
    """Set options, add to a list or remove from one; Return sets them and leads to the menu."""
    web.show_refusal_on(menu.request, partial(menu.show_settings, typed=form))
    change = partial(_change_options, form=form)
    change_setup(menu.store, menu.visitor, menu.name, change)
    done = form.get("do") == "return"
    return web.respond_to_form(menu.request, f"/new/{menu.name}{'' if done else '/settings'}")


def _change_options(setup: Setup, form: web.Fields) -> Setup:
    action, option = form.get("do", "options"), form.get("option", "")
    name, options = setup.game, setup.options
    if action in ("save", "return"):
        chosen = read_clock(form.get("clock", ""))
        pace = "ok" if form.get("pace") == "ok" else "self"
        setup = replace(
            setup, clock=chosen.clock, days=chosen.days, pace=pace, listed="listed" in form
        )
    if action == "add":
        options = forms.add(name, options, option, form.get("text", ""))
    elif action == "drop":
        options = forms.drop(name, options, option, form.number("at"))
    elif action == "bundle":
        options = forms.add_bundle(name, options, option, form.get("bundle", ""))
    elif action == "defaults":
        options = _first_options(name)
    else:
        others = ("do", "seats", "clock", "pace", "listed")
        typed = {key: value for key, value in form.items() if key not in others}
        options = forms.change(name, options, typed)
    return replace(setup, options=options)
