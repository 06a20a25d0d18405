"""The explorer: choose a game, then go from position to position, and see what others played.

Where one has come to is the address, so that it can be shared and everything works without scripts.
Games are counted at once, those of an archive that the owner of the site has given and those that
people played here; what the moves are worth may come a moment later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour import core, lessons
from parlour.core import BadText, Game, Move, State, capital, registry, say, sentence
from parlour.faces.house_games import HouseGames
from parlour.faces.web import requests as web
from parlour.faces.web.forms import Variant, describe_variant, list_cards
from parlour.faces.web.position import (
    Walk,
    read_address,
    read_move,
    read_walk,
    show_walk,
    walk_address,
)
from parlour.faces.web.services import Services
from parlour.faces.web.table import TablesDep, game_of
from parlour.faces.web.workers import Answer
from parlour.lessons import OutcomeTally, survey_position
from parlour.store import Store, Table

router = APIRouter(include_in_schema=False)

LISTED = 10  # games of the archive
PAUSE = 0.2  # seconds between two lots of games that are read, so that other work goes on
SOLVING = 30.0  # seconds for a worker to value the moves
MAX_LISTED = 60  # moves in the table

address = partial(walk_address, "explorer")
Tallies = Mapping[Move, OutcomeTally]


class ExplorerService:
    """What was played, by position."""

    def __init__(self, store: Store, archive: str = "") -> None:
        self._house = HouseGames(store)
        self.archive = lessons.Archive(Path(archive)) if archive else None
        self._reading: asyncio.Task[None] | None = None

    async def find(self, game: Game, state: State) -> tuple[Tallies, Tallies]:
        """Return what was played in a position, in the archive and in the house."""
        if await asyncio.to_thread(self._house.catch_up) and self._reading is None:
            self._reading = asyncio.create_task(self._read_all())

        def look_up() -> tuple[Tallies, Tallies]:
            archive = self.archive.find(game, state) if self.archive else {}
            return archive, self._house.find(game, state)

        return await asyncio.to_thread(look_up)

    async def _read_all(self) -> None:
        """Read the games that are left, as after the first start with many of them."""
        try:
            while await asyncio.to_thread(self._house.catch_up):
                await asyncio.sleep(PAUSE)
        finally:
            self._reading = None

    def list_games(self, game: Game, state: State) -> Sequence[lessons.ArchiveGame]:
        """List games of the archive that came to a position, the latest first."""
        return self.archive.list_games(game, state, LISTED) if self.archive else ()


ExplorerDep = Annotated[ExplorerService, web.service(ExplorerService)]


def start_section(services: Services) -> None:
    """Open the archive, if the owner of the site has given one."""
    services.add(ExplorerService(services.store, services.archive))


SECTION = web.Section((router,), ("/explorer", say("Explorer")), start_section)


@router.get("/explorer")
async def choose(
    request: Request, explorer: ExplorerDep, tables: TablesDep, table: str = ""
) -> Response:
    """Choose a game; with a finished one, go to where it left what others have played."""
    show = partial(_choose, request, explorer)
    if not table:
        return await asyncio.to_thread(show)
    web.show_refusal_on(request, show)
    played = await asyncio.to_thread(tables.read, table)
    if not played.over:
        raise BadText(say("games are explored when they are over"))
    return web.redirect(request, await _where_it_left(explorer, played))


async def _where_it_left(explorer: ExplorerService, table: Table) -> str:
    """Return the address of the last position of a game to which another game has come too."""
    game = game_of(table)
    walk = await asyncio.to_thread(read_walk, "explorer", game, "", table.moves)
    for number, state in enumerate(walk.states[1:], start=1):
        counted = await explorer.find(game, state)
        if sum(lessons.add_up(game, state, each).games for each in counted) <= 1:
            return walk.address(number - 1)
    return walk.address(max(0, len(walk.moves) - 1))


def _choose(request: Request, explorer: ExplorerService) -> Response:
    games = explorer.archive.games if explorer.archive else 0
    return web.page(request, "explorer.html", games=list_cards(address), archive=games)


def _read(request: Request, name: str) -> tuple[Variant, Walk]:
    """Read the variant of an address and where the walk has come to."""
    found, walk = read_address("explorer", name, request.query_params)
    return found, walk or read_walk("explorer", found.require_game(), "", ())


@router.get("/explorer/{name}")
async def show(request: Request, name: str, explorer: ExplorerDep) -> Response:
    """Show a position: the games that came there, and what each move is worth."""
    found, walk = await asyncio.to_thread(_read, request, name)
    game = walk.game
    at = {} if walk.is_start else {"position": game.write(walk.state)}
    payload = {**core.answers.game_fields(game), **at}
    (archive, house), study = await asyncio.gather(
        explorer.find(game, walk.state), web.ask(request, "study", payload, SOLVING)
    )

    def render() -> Response:
        return web.page(
            request,
            "explorer_position.html",
            waiting=study.pending,
            **_frame(found),
            games=[_show_game(each) for each in explorer.list_games(game, walk.state)],
            **_describe(walk, study, archive, house),
            **walk.refused,
        )

    return await asyncio.to_thread(render)


def _frame(found: Variant) -> dict[str, Any]:
    """Return what the page shows of the variant; among its presets misère where there is that."""
    shown = describe_variant(found, address)
    if "misere" in core.options_of(found.cls):
        other: Game = registry.build("games", found.cls, {"misere": True})
        shown["presets"] += [(capital(say("misère")), address(other), other == found.game)]
    return shown


def _describe(walk: Walk, study: Answer, archive: Tallies, house: Tallies) -> dict[str, Any]:
    """Return the values of the page."""
    game, described = walk.game, show_walk(walk, study)
    assessed = described["assessed"]
    known = survey_position(game, walk.states, archive=archive, house=house, assessed=assessed)
    error = study.error.text if study.error is not None else assessed.why_not
    return described | {
        "known": known,
        "error": sentence(error) if error else "",
        "listed": MAX_LISTED,
    }


def _show_game(game: lessons.ArchiveGame) -> dict[str, Any]:
    """Return the year or file a game comes from, its result, and where it is reviewed."""
    return {
        "source": game.source.rpartition(".")[0] or game.source,
        "lead": game.lead,
        "href": f"/analyse/othello/walk?{urlencode({'moves': game.moves})}",
    }


@router.post("/explorer/{name}/move")
async def play_move(request: Request, name: str, form: web.Form, explorer: ExplorerDep) -> Response:
    """Go on with a move from the board, or one that was typed."""
    _, walk = await asyncio.to_thread(_read, request, name)
    web.show_refusal_on(request, partial(show, request, name, explorer))
    move = read_move(walk.game, walk.state, form)
    return web.redirect(request, f"{walk.on(walk.game.write_move(move))}#explore")
