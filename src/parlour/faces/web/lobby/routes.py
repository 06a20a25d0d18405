"""The lobby: the games, a quick way into each, and the tables that are open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import Game, quote, registry, title
from parlour.faces.web import boards
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.house import House, Live
from parlour.faces.web.identity import Visitor
from parlour.faces.web.requests import MAKING, Form, house_of, page, posted, visitor_of
from parlour.faces.web.table import called, game_of, is_full
from parlour.faces.web.table import service as verbs
from parlour.store import Seat, Table

router = APIRouter()

MOST_SHOWN = 30
PAUSE = 0.3  # seconds between two changes of the page
# A first game against somebody worth playing: what is set, who sits there, and what is said of it.
QUICK: dict[str, tuple[dict[str, Any], str, str]] = {
    "nim": ({"misere": True}, "perfect", "Three piles. Whoever takes the last one loses."),
    "sticks": ({}, "perfect", "Twenty sticks, up to three at a time."),
    "chopsticks": ({}, "benedict", "Two hands each. Five fingers and a hand is out."),
    "tictactoe": ({}, "perfect", "Three in a row, or a draw."),
    "othello": ({}, "benedict", "Enclose discs and they are yours."),
}
ORDER = tuple(QUICK)


@dataclass(frozen=True)
class Lobby:
    """What the lobby shows now."""

    version: int
    tables: tuple[Table, ...]


def fetch(house: House, name: str = "") -> Lobby:
    """The tables somebody could join or watch, the newest first."""
    tables = verbs.in_lobby(house, MOST_SHOWN)
    newest = max((round(table.changed * 1000) for table in tables), default=0)
    return Lobby(newest + len(tables), tuple(tables))


def render(house: House, lobby: Lobby, visitor: Visitor, view: str) -> str:
    """The inside of the lobby."""
    return house.render("lobby_main.html", **_shown(lobby, visitor))


LIVE = Live(fetch, lambda lobby, visitor: visitor.owner, render, pause=PAUSE)


def _shown(lobby: Lobby, visitor: Visitor) -> dict[str, Any]:
    return {
        "games": _games(),
        "tables": [_table(table, visitor) for table in lobby.tables],
    }


def _table(table: Table, visitor: Visitor) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": title(game_of(table)),
        "players": [
            called(table, at) if seat.kind != "open" else "a free seat"
            for at, seat in enumerate(table.seats)
        ],
        "free": not is_full(table),
        "mine": any(visitor.owns(seat.owner) for seat in table.seats),
        "moves": len(table.moves),
    }


def ordered() -> list[str]:
    """All games, in the order of the house."""
    names = registry.games()
    return [*(n for n in ORDER if n in names), *(n for n in names if n not in ORDER)]


def _games() -> list[dict[str, Any]]:
    return [_game(name) for name in ordered()]


_CARDS: dict[str, dict[str, Any]] = {}


def _game(name: str) -> dict[str, Any]:
    """A game's card; the picture is of its start, and is drawn once."""
    if name not in _CARDS:
        options, bot, about = QUICK.get(name, ({}, "", ""))
        game = registry.game(name, **options)
        _CARDS[name] = {
            "name": name,
            "title": title(registry.game(name)),
            "about": about or (type(game).__doc__ or "").partition("\n")[0],
            "picture": boards.picture(game, game.start()),
            "quick": bot,
        }
    return _CARDS[name]


@router.get("/")
def lobby(request: Request) -> Response:
    """The first page."""
    return _lobby(request)


def _lobby(request: Request, notice: str = "", status: int = 200) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    found = fetch(house)
    return page(
        request,
        "lobby.html",
        code=status,
        notice=notice,
        back="/",
        live="lobby:",
        version=found.version,
        **_shown(found, visitor),
    )


@router.post("/quick", dependencies=MAKING)
def quick(request: Request, form: Form) -> Response:
    """Sit down at once against somebody worth playing."""
    house, visitor = house_of(request), visitor_of(request)

    def do() -> str:
        name = form.get("game", "")
        if name not in QUICK:
            raise NotThere(f"there is no quick game of {quote(name)}; set one up instead")
        if not visitor.owner:
            raise NotYours("your browser keeps no cookies; allow them for this page")
        options, bot, _ = QUICK[name]
        game: Game = registry.game(name, **options)
        seats = [Seat("person", owner=visitor.owner), Seat("bot", "Benedict", bot)]
        table = verbs.create(house, game, seats, listed=False, creator=visitor.client)
        return f"/tables/{table.id}"

    return posted(request, do, lambda notice, status: _lobby(request, notice, status))
