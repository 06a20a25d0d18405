"""The lobby: the games, a quick way into each, people to play with, and the open tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import Game, extra, registry, say, title
from parlour.faces.web import requests as web
from parlour.faces.web.accounts import BotsHere, list_bots_here
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotThere
from parlour.faces.web.forms import order_games
from parlour.faces.web.live import Topic
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.table import (
    PairingDep,
    PairingService,
    TablesDep,
    TableService,
    game_of,
    is_full,
    player_name,
    seats_of,
    topic_of,
)
from parlour.faces.web.texts import language
from parlour.store import Seat, Store, Table
from parlour.truth import is_solved_soon, solve_soon

router = APIRouter(include_in_schema=False)

MAX_TABLES = 30
PAUSE = 0.3  # seconds between two updates of the page


def wants_to_begin(game: Game) -> bool:
    """Whether Benedict begins: in Nim he does if that wins. Elsewhere the person begins."""
    solution = solve_soon(game) if extra(game, "chooses_beginner") else None
    return solution is not None and solution.value(game.start()).outcome == "win"


@dataclass(frozen=True)
class Lobby:
    """The open tables, with a version that changes when they do."""

    version: int
    tables: tuple[Table, ...]
    waiting: dict[str, int]  # how many wait for somebody, by game
    here: BotsHere  # bots of others, and the games they offer


def start_section(services: Services) -> None:
    """Keep open pages of the lobby up to date."""
    template = web.TEMPLATES.get_template("lobby_main.html")
    waiting = web.TEMPLATES.get_template("waiting_main.html")

    def role(lobby: Lobby, visitor: Visitor) -> frozenset[str]:
        """Only those who sit at a table see it otherwise than everybody else."""
        return frozenset(table.id for table in lobby.tables if seats_of(table, visitor))

    def render(lobby: Lobby, visitor: Visitor, view: str) -> str:
        return template.render(**_context(lobby, visitor))

    services.hub.topics["lobby"] = Topic(lambda _: _read(services), role, render, pause=PAUSE)
    services.hub.topics["waiting"] = Topic(
        lambda browser: services.get(PairingService).find(f"browser:{browser}"),
        lambda wait, visitor: visitor.owner,
        lambda wait, visitor, view: waiting.render(wait=wait),
    )


SECTION = web.Section((router,), ("/", say("Lobby")), start_section)


def _read(services: Services) -> Lobby:
    found, here = services.get(TableService).list_open(MAX_TABLES), list_bots_here(services)
    newest = max((round(table.changed * 1000) for table in found), default=0)
    names = [card["name"] for card in _cards_for_two()]
    counts = services.get(PairingService).count(map(_quick_game, names))
    waiting = dict(zip(names, counts, strict=True))
    version = newest + len(found) + sum(waiting.values()) + here.version
    return Lobby(version, tuple(found), waiting, here)


def _cards() -> list[dict[str, Any]]:
    return [_card(name, language()) for name in order_games()]


def _cards_for_two() -> list[dict[str, Any]]:
    return [card for card in _cards() if card["quick"]]


@lru_cache(maxsize=100)
def _quick_game(name: str) -> Game:
    """Return a game by the rules that people meet first."""
    cls = registry.find("games", name)
    game: Game = registry.build("games", cls, extra(cls, "quick_options"))
    if game.seats != 2:
        raise NotThere("{title} is not for two; set up a game instead", title=title(game))
    return game


def _context(lobby: Lobby, visitor: Visitor) -> dict[str, Any]:
    return {
        "games": _cards(),
        "people": [
            {**card, "waiting": lobby.waiting.get(card["name"], 0)} for card in _cards_for_two()
        ],
        "bots": lobby.here.bots,
        "offers": lobby.here.offers,
        "tables": [_row(table, visitor) for table in lobby.tables],
    }


def _row(table: Table, visitor: Visitor) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": title(game_of(table)),
        "players": [
            player_name(table, at) if seat.kind != "open" else ""  # a free seat
            for at, seat in enumerate(table.seats)
        ],
        "free": not is_full(table),
        "mine": bool(seats_of(table, visitor)),
        "moves": len(table.moves),
    }


@lru_cache(maxsize=300)
def _card(name: str, language: str) -> dict[str, Any]:
    """Return a game's card with a picture of its start, drawn for a language."""
    cls = registry.find("games", name)
    game = registry.build("games", cls, extra(cls, "quick_options"))
    return {
        "name": name,
        "title": title(registry.build("games", name)),
        "about": extra(cls, "about") or (type(game).__doc__ or "").partition("\n")[0],
        "picture": boards.picture(game, game.start()),
        "quick": game.seats == 2,
        "easier": bool(extra(cls, "easier_bot")),
    }


@router.get("/")
def show(request: Request) -> Response:
    """Show the lobby."""
    lobby = _read(services_of(request))
    return web.page(
        request,
        "lobby.html",
        back="/",
        live="lobby:",
        version=lobby.version,
        **_context(lobby, web.visitor_of(request)),
    )


@router.post("/quick", dependencies=web.LIMIT_CREATION)
def play_quick_game(request: Request, form: web.Form, tables: TablesDep) -> Response:
    """Begin a game against Benedict, who chooses who begins, or against an easier Benedict."""
    web.show_refusal_on(request, partial(show, request))
    visitor, name = web.visitor_of(request), form.get("game", "")
    game = _quick_game(name)
    easy = form.get("level") == "easy"
    bot = extra(game, "easier_bot" if easy else "quick_bot") or (
        "perfect" if is_solved_soon(game) else "minimax"
    )
    seats = [Seat("person", owner=visitor.owner), Seat("bot", "Benedict", bot)]
    if wants_to_begin(game) and not easy:  # an easier Benedict lets the person begin
        seats.reverse()
    table = tables.create(game, seats, listed=False, creator=visitor.client)
    return web.respond_to_form(request, f"/tables/{table.id}")


# With other people


def _name_of(visitor: Visitor, store: Store) -> str:
    person = store.people.get(visitor.owner)
    return person.name if person else ""


@router.post("/friend", dependencies=web.LIMIT_CREATION)
def invite_friend(
    request: Request, form: web.Form, store: web.StoreDep, tables: TablesDep
) -> Response:
    """Begin a private game whose other seat is free for whoever has the link."""
    web.show_refusal_on(request, partial(show, request))
    visitor = web.visitor_of(request)
    game = _quick_game(form.get("game", ""))
    seats = [Seat("person", _name_of(visitor, store), owner=visitor.owner), Seat("open")]
    table = tables.create(game, seats, listed=False, creator=visitor.client)
    return web.respond_to_form(request, f"/tables/{table.id}")


@router.post("/pair", dependencies=web.LIMIT_CREATION)
def pair(request: Request, form: web.Form, store: web.StoreDep, pairing: PairingDep) -> Response:
    """Play with somebody who waits for the same game, or wait for somebody."""
    web.show_refusal_on(request, partial(show, request))
    visitor = web.visitor_of(request)
    visitor.require_browser()
    game, name = _quick_game(form.get("game", "")), _name_of(visitor, store)
    table = pairing.ask(visitor.owner, game, name)
    return web.respond_to_form(request, f"/tables/{table.id}" if table else "/waiting")


@router.get("/waiting")
def show_waiting(request: Request, pairing: PairingDep) -> Response:
    """Show that somebody waits, or go to the table where they play."""
    owner = web.visitor_of(request).owner
    wait = pairing.find(owner)
    if wait.waiter is None:
        return web.redirect(request, "/")
    if wait.waiter.table:
        pairing.leave(owner)
        return web.redirect(request, f"/tables/{wait.waiter.table}")
    pairing.see(owner)
    return web.page(
        request,
        "waiting.html",
        back="/waiting",
        live=topic_of(owner),
        version=wait.version,
        waiting=True,
        wait=wait,
    )


@router.post("/waiting/cancel")
def cancel_waiting(request: Request, pairing: PairingDep) -> Response:
    """Wait no longer."""
    pairing.cancel(web.visitor_of(request).owner)
    return web.redirect(request, "/")
